"""
A confusion
===========

Figure 3: the same step when points 2 and 3 belong to different classes.
"""

import viz

picture = viz.figure3()
