"""
The label braid
===============

Every point is a thread in its class's colour. Each layer merges some and reorders the rest, until every class is one
strand. A line has no natural up and down, so each layer is drawn in the direction in which its threads cross less.
"""

import random

import viz
from lnnet import build_certified

generator = random.Random(1)
built = build_certified(generator.sample(range(1000), 24), [generator.randrange(3) for _ in range(24)])

picture = viz.plot_braid(built.network, built.certificate.points)
