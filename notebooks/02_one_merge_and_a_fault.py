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
# # One merge, and why Algorithm 1 fails as printed
#
# The Projection Merge Algorithm solves any two-class problem on a line by repeating one move: bring two points of a class to the
# same place without ever bringing two classes together. This lecture shows the move, and then a case with four points in which it goes wrong.

# %%
import lnnet
import viz
from constructions.arithmetic import Exact
from lnnet import Line, merging_fold

# %% [markdown]
# ## The move
#
# Shift the line so that the two points lie symmetrically about 0, lift it by half their distance, project onto the unit circle, read the
# height. Everything that lies symmetrically about the midpoint meets: here points 1 and 4, and with them points 2 and 3.

# %%
viz.figure2()

# %% [markdown]
# In numbers: the positions 0, 1, 2, 3, 5 and the fold that merges the first and the fourth.

# %%
line = Line.of([0, 1, 2, 3, 5], ["blue"] * 5, Exact())
fold = merging_fold(line.arithmetic, line.clusters[0].position, line.clusters[3].position)
after = line.after(fold, merging=(0, 3))
[(c.position.to_sympy(), c.source) for c in after.clusters]

# %% [markdown]
# Five points have become three. If points 2 and 3 were of different classes, they would have been confused:

# %%
viz.figure3()

# %% [markdown]
# ## The fault
#
# For two classes the paper argues that no confusion can happen, because the pair is always the leftmost one. But a point that has no
# partner any more is set aside, and stays where it is: *left* of the pair. The fold can then throw it onto the other class.
#
# Take 0, 1, 2, 3 with labels 0, 1, 1, 1. Point 0 has no partner. The algorithm folds 1 onto 2, about 1.5, and 0 lands on 3.

# %%
points, labels = [0, 1, 2, 3], ["a", "b", "b", "b"]
try:
    lnnet.build(points, labels, method="pma-printed")
except lnnet.LNNetError as error:
    print(type(error).__name__, "-", error)

# %% [markdown]
# With three points this cannot happen (the audit proves it: `lnnet audit algorithm-1`). Of the sixteen labelings of 0, 1, 2, 3 two fail:

# %%
from itertools import product

failures = []
for labels in product("ab", repeat=4):
    try:
        lnnet.build(points, labels, method="pma-printed")
    except lnnet.LNNetError:
        failures.append("".join(labels))
failures

# %% [markdown]
# ## The repair
#
# Stop as soon as a threshold separates the classes. With two classes, a class that is finished is a single point at the far left, so
# everything to its right is the other class, and nothing is left to do. The bound on the depth, $m-2$, stays.

# %%
for labels in product("ab", repeat=4):
    net = lnnet.build(points, labels, method="pma")
    assert lnnet.certify(net, points, labels).verdict == "certified"
    assert net.depth <= 2
"all 16 labelings certified"
