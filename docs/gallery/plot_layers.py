"""
Precision and progress, layer by layer
======================================

How many bits it takes to tell the classes apart in each layer, how many the weights have, and how many clusters and
runs of equal labels are left.
"""

import random

import viz
from lnnet import build_certified

generator = random.Random(1)
built = build_certified(generator.sample(range(1000), 24), [generator.randrange(2) for _ in range(24)])

picture = viz.plot_layers(built.network, built.certificate.points)
