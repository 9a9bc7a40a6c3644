"""
Breaking the linear bound
=========================

No linear map brings SSR below LSSR; one LN layer does (Theorem 1). The samples are those of Figure A1(c).
"""

import viz
from viz.figure_data import table1_samples

picture = viz.plot_ssr(*table1_samples("c"))
