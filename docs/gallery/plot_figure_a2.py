"""
The angle of a projected point
==============================

Figure A2: why no four points of the open upper half circle form a parallelogram.
"""

import viz

picture = viz.figure_a2()
