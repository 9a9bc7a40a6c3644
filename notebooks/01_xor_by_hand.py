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
# # XOR by hand
#
# No straight line separates the two classes of XOR. One LayerNorm does. This lecture solves XOR the way Figure 1 of
# Ni, Guo, Jia and Huang (2024) does: rotate, project onto a line, project onto a circle, project onto an axis.
# Every number below is exact.

# %%
import sympy

import lnnet
import viz
from constructions.xor import xor_points

xor = xor_points()
xor

# %%
viz.figure1()

# %% [markdown]
# ## The one nonlinear step
#
# After the rotation only the abscissa $p=(x-y)/\sqrt2$ is kept, and the line is lifted to height $1/2$. The spherical projection
# sends $(p,1/2)$ to the unit circle, and the last step reads off the ordinate:
#
# $$p\mapsto\frac{1/2}{\sqrt{p^2+1/4}}.$$
#
# The function is even, so $p=\pm\sqrt2/2$ meet: the two points of class 1 become one.

# %%
p = sympy.symbols("p", real=True)
ordinate = sympy.Rational(1, 2) / sympy.sqrt(p**2 + sympy.Rational(1, 4))
{value: sympy.simplify(ordinate.subs(p, value)) for value in (0, sympy.sqrt(2) / 2, -sympy.sqrt(2) / 2)}

# %% [markdown]
# ## From the circle to LayerNorm
#
# LayerNorm on three neurons subtracts the mean, which leaves a plane, and rescales to a fixed length, which projects that plane onto a
# circle. Lemma 1 makes this precise with an orthogonal matrix $Q$ whose last column is $(1,1,1)/\sqrt3$:

# %%
q = sympy.Matrix([[x.to_sympy() for x in row] for row in lnnet.helmert_matrix(3)])
sympy.simplify(q), sympy.simplify(q.T * q) == sympy.eye(3)

# %% [markdown]
# Merging adjacent linear maps gives a network with a single LN layer of width 3. Its weights are radicals, and nothing is rounded:

# %%
net = lnnet.figure1_network()
net

# %%
from IPython.display import Math

Math(net._repr_latex_().strip("$"))

# %% [markdown]
# ## Trust
#
# The checker encloses the output of every point in a ball of real numbers and finds each on the right side of the threshold.
# That is a proof, not a test.

# %%
certificate = lnnet.certify(net, xor)
certificate

# %% [markdown]
# Move the threshold from 3/4 down to 3/8, and the checker refutes the network, naming a point:

# %%
from dataclasses import replace

last = net.layers[-1]
broken = replace(net, layers=(net.layers[0], replace(last, bias=(last.bias[0] / 2,))))
lnnet.certify(broken, xor).reason
