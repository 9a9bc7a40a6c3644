# ---
# jupyter:
#   jupytext:
#     formats: ipynb,py:percent
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Certify your own data
#
# From a table of numbers to a network, a certificate, and a picture. Replace the file by one of your own: any delimited text with
# a label column will do. Numbers are taken exactly as they are written.

# %%
import tempfile
from pathlib import Path

import lnnet
import viz
from lnnet.sources import read_csv

folder = Path(tempfile.mkdtemp())
table = folder / "measurements.csv"
table.write_text(
    """length,width,kind
0.1,0.7,round
0.4,0.2,flat
0.5,0.9,round
0.8,0.3,round
0.2,0.5,flat
0.9,0.8,flat
0.6,0.6,odd
0.3,0.9,odd
"""
)
rows, labels = read_csv(table)
points = lnnet.LabeledPoints.of(rows, labels)
points

# %% [markdown]
# ## Build
#
# `build` projects the points to a line, folds the line until every class has an interval of its own, and returns the network. Its
# weights are rationals, and the network is exactly what its file says.

# %%
net = lnnet.build(points)
net

# %% [markdown]
# ## Certify
#
# The checker knows nothing of how the network was built. It proves for every point that the right logit is strictly the largest, and by how much.

# %%
certificate = lnnet.certify(net, points)
certificate

# %%
certificate.save(folder / "certificate.json")
again = lnnet.recheck(folder / "certificate.json")
again.verdict

# %% [markdown]
# ## Doubt
#
# Change one label in the file, and the certificate no longer holds. Anybody who rechecks it finds out, because nothing in the file is believed but the
# network and the points.

# %%
other = points.relabel(["flat", *points.labels[1:]])
lnnet.certify(net, other).reason

# %% [markdown]
# ## Look
#
# The braid shows where every point is, layer by layer.

# %%
viz.plot_braid(net, points)
