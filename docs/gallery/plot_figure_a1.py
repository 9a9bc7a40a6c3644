"""
Four data sets, SSR and LSSR
============================

Figure A1: XOR, inseparable, separable and parallel Gaussian data, with samples of our own.
"""

import viz

picture = viz.figure_a1()
