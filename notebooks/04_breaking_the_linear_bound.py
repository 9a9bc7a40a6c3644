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
# # Breaking the linear bound
#
# How do you *prove* that LayerNorm is not linear in any useful sense? Ni, Guo, Jia and Huang (2024) measure how well two classes are separated by
# the sum-of-squares ratio
#
# $$\mathrm{SSR}(X_1,X_2)=\frac{SS(X_1)+SS(X_2)}{SS([X_1,X_2])},$$
#
# small when the classes are tight and far apart. No linear map gets below a bound, LSSR. One LayerNorm does.

# %%
import viz
from constructions.sum_of_squares import as_samples, linear_bound, project_samples, sum_of_squares_ratio
from constructions.taylor_break import taylor_statistics
from proofs.lssr_break import break_lssr
from proofs.scale_minimum import best_scale

# %%
first = as_samples([("0.1", "1.2"), ("0.9", "2.1"), ("1.3", "0.2"), ("2.8", "1.1")])
second = as_samples([("3.0", "0.9"), ("1.9", "2.8"), ("4.1", "3.3"), ("2.2", "1.7")])
sum_of_squares_ratio(first, second)

# %% [markdown]
# ## The bound
#
# LSSR is the least eigenvalue of $N^{-1}M$, with $M$ the scatter within the classes and $N$ that of all samples (Proposition 2). With two classes the two
# matrices differ by a matrix of rank one, so the eigenvalue is rational, and so is the direction $u^*$ that reaches it. No rounding anywhere:

# %%
bound = linear_bound(first, second)
bound.value, bound.direction

# %%
x1, x2 = (project_samples(part, bound.direction) for part in (first, second))
sum_of_squares_ratio(x1, x2) == bound.value

# %% [markdown]
# ## One LayerNorm
#
# Send a projected sample $x=u^{*\mathsf T}x_{ci}$ to $(1+xt)/\sqrt{1+x^2t^2}$: lift to height 1, project onto the circle, add the two
# coordinates. For $t\to0$ this is the linear map again, so $\mathrm{SSR}(0)=\mathrm{LSSR}$, and the slope there is $-2(T_1+T_2)/T_3$ with three
# numbers that only depend on means, variances and third moments. Where the slope is not zero, some $t$ goes below the bound. That is Theorem 1.

# %%
taylor_statistics(x1, x2)

# %%
viz.plot_ssr([[*map(float, row)] for row in first], [[*map(float, row)] for row in second])

# %% [markdown]
# ## The proof for these samples
#
# `break_lssr` finds a $t$, builds the network, and encloses the SSR of its outputs in a ball that lies strictly below the exact LSSR.

# %%
broken = break_lssr(first, second)
broken.network

# %%
verdict = broken.verdict
verdict.outcome, verdict.bits, [float(end) for end in verdict.ratio]

# %% [markdown]
# The best $t$ of all can be certified too: interval subdivision over all real $t$, both infinities included, leaves no room below.

# %%
best = best_scale(x1, x2)
[float(v) for v in (best.scale, best.lower, best.upper)]

# %% [markdown]
# ## Where the theorem is silent
#
# For XOR the classes have equal means: LSSR is 1, $T_1+T_2=0$, and the slope at 0 vanishes. Theorem 1 says nothing. LayerNorm solves XOR all the
# same, with another layer than this family's.

# %%
xor = as_samples([(0, 0), (1, 1)]), as_samples([(0, 1), (1, 0)])
linear_bound(*xor).value, taylor_statistics(*(project_samples(part, (1, 1)) for part in xor)).derivative

# %%
search = break_lssr(*xor, search=True)
search.verdict.outcome, float(search.verdict.ratio[1])
