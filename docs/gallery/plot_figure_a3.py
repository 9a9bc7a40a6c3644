"""
The three cases of Lemma 11
===========================

Figure A3: when two points merge along a direction, the good shifts avoid a hypersurface.
"""

import viz

picture = viz.figure_a3()
