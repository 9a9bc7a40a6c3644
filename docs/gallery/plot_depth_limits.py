"""
Depth, and what no network can beat
===================================

Depths measured on random labels, between the bounds of the paper and the bound from below for width 3.
"""

import viz
from constructions.network_file import read_json

picture = viz.plot_depth_limits(read_json("../depths.json"))
