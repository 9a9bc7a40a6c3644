"""
Grouped against plain LayerNorm
===============================

Proposition 8's ratio of H over the number of neurons and the number of groups.
"""

import viz

picture = viz.plot_group_ratio()
