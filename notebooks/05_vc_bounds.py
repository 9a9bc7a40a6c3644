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
# # How many points can LayerNorm shatter?
#
# A class of networks shatters a set of points if it realises *every* labelling of them with two classes. The size of the largest such set is the
# VC dimension. Corollary 3 of Ni, Guo, Jia and Huang (2024) bounds it from below: width-3 LN-Nets of depth $L$ shatter $L+2$ points.
#
# A bound from below is a list of networks, one for each labelling. So let us make the list, and have every entry certified.

# %%
import viz
from constructions.half_spaces import xor_network
from constructions.xor import xor_points
from lnnet import certify
from proofs.shattering.engine import shatter_task
from proofs.shattering.task import Task, default_points
from proofs.vc_table import vc_table

# %% [markdown]
# ## Corollary 3, to the last labelling
#
# Depth 8, the ten points 0, 1, …, 9: 1,024 labelings, of which half are the other half with the classes swapped. For each the engine builds a network of exactly eight
# layers and certifies it, nearly all by floating point with proven error bounds, the rest in ball arithmetic.

# %%
result = shatter_task(Task.of(default_points(10), depth=8))
result.complete, result.labelings, result.examined, result.total("filtered")

# %% [markdown]
# How many layers did the networks need before they were padded to eight?

# %%
viz.plot_shattering(result.document())

# %% [markdown]
# ## Beyond the corollary: one layer
#
# One LN layer sees a plane through $\mathrm{SP}(h)=h/\lVert h\rVert$. Add the two coordinates:
#
# $$\frac{h_1+h_2}{\lVert h\rVert}>1\iff h_1>0\text{ and }h_2>0,\qquad \frac{h_1+h_2}{\lVert h\rVert}>-1\iff h_1>0\text{ or }h_2>0.$$
#
# (Square the first: $2h_1h_2>0$ with a positive sum.) A single layer is the AND or the OR of two half-planes. XOR is such an OR, $x-y>\frac12$ or $y-x>\frac12$, so one layer does:

# %%
net = xor_network()
net.depth, certify(net, xor_points()).verdict

# %% [markdown]
# ## The table
#
# What is known of the VC dimension of width-3 LN-Nets of depth $L$ on $\mathbb R^d$: the corollary, what is certified (every labelling of a set of points that comes with
# the package has a network, and `lnnet vc-table --recheck` builds and checks them all), and a bound from above. On the line, 1, 2 and 3 layers shatter exactly 3, 5 and 9 points.

# %%
from IPython.display import Markdown

rows = [(e.depth, e.dimension, e.depth + 2, e.best, e.upper) for e in vc_table(range(1, 5), range(1, 4))]
head = "| L | d | Corollary 3 | certified or proved | at most |\n|---|---|---|---|---|\n"
Markdown(head + "\n".join("| " + " | ".join(map(str, row)) + " |" for row in rows))

# %% [markdown]
# ## What a sample shows
#
# For 40 points there are $2^{40}$ labelings. Drawing some at random supports a statement about the fraction that is realised, and only that:

# %%
from fractions import Fraction

sample = shatter_task(Task.of(default_points(40), depth=38, sample=200, seed=1))
print(sample.statement(Fraction(99, 100)))
