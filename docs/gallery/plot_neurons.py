"""
One LN layer on three neurons
=============================

LN in R^3: centering projects along (1, 1, 1) onto the plane of zero-sum vectors, scaling onto a circle in it.
"""

import viz
from lnnet import build_certified

built = build_certified([[0, 0], [0, 1], [1, 0], [1, 1], [2, 1]], [0, 1, 1, 0, 1])

picture = viz.plot_neurons(built.network, built.certificate.points)
