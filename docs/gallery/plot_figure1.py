"""
XOR by one spherical projection
===============================

Figure 1: rotate, project onto a line, project onto the circle, project onto the axis.
"""

import viz

picture = viz.figure1()
