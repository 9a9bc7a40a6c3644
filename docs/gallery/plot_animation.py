"""
A network in motion
===================

From the data through every layer to the read-out, with play, pause and a scrub bar. ``save`` writes the same as GIF,
WebP, MP4 or one self-contained HTML page.
"""

import viz
from lnnet import build_certified

built = build_certified([[0, 0], [0, 1], [1, 0], [1, 1], [2, 1], [3, 2]], [0, 1, 1, 0, 1, 0])

# %%
# The same as a picture: the points of the data, and their order in every layer.

picture = viz.plot_points(built.certificate.points)

# %%
viz.animate_network(built.network, built.certificate.points, frames=80, pixels=400)
