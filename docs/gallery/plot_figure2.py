"""
One step of Algorithm 1
=======================

Figure 2: points 1 and 4 are merged, and points 2 and 3, which lie symmetrically too, merge with them.
"""

import viz

picture = viz.figure2()
