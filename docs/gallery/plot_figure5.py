"""
Nonlinearity against the number of groups
=========================================

What Figure 5(c,d) shows of trained networks, here from the closed form of H for grouped LayerNorm.
"""

import viz

picture = viz.figure5()
