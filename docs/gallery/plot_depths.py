"""
Depth against the number of points
==================================

Every method on the same random labels, beside the bound of Theorem 2.
"""

import viz
from lnnet.methods import METHODS

records = viz.measure_depths({name: method.on_line for name, method in METHODS.items()}, [4, 8, 16, 32])

picture = viz.plot_depths(records)
