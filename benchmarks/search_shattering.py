"""Search for shattered sets and write them as witness files (the search is untrusted, the files are certified later).

    python benchmarks/search_shattering.py DEPTH DIMENSION POINTS [--seconds 60] [--seed 0] [-o FILE.json]

The shipped files came from the arguments in `SHIPPED`; how far a search gets in its time depends on the machine. Check
a file with ``lnnet vc-table --witness FILE.json``, then put it into ``proofs/witnesses/``.

Depth 1: every dichotomy of the points by a half-space is found by enumeration, and every labelling is looked for among
their ANDs and ORs. Depth L >= 2: random chains of L - 1 layers, each of which realises every labelling that changes at
most four times around its conic; then, for the labelings that are left, a descent on the number of changes. The point
set is drawn at random too, and drawn again when a share of the time has passed without success.
"""

from __future__ import annotations

import argparse
import json
import time
from heapq import heapify, heappop, heappush
from itertools import combinations
from pathlib import Path

import numpy as np

from constructions.chains import chain_labelings, conic_angles

#: (depth, dimension, points, seed).
SHIPPED = (
    *((1, 1, 3, 0), (1, 2, 6, 0), (1, 3, 10, 0), (1, 4, 14, 0)),
    *((2, 1, 5, 0), (2, 2, 11, 0), (2, 3, 16, 2), (2, 4, 17, 0)),
    *((3, 1, 9, 0), (3, 2, 14, 0), (3, 3, 16, 0)),
    *((4, 1, 14, 3), (4, 2, 17, 1), (4, 3, 17, 0), (5, 4, 19, 0)),
)
FIRST_BITS, LATER_BITS = 14, 8
POINT_UNIT = 64
#: A labelling counts as found from this gap (radians) on, and as well found from the second.
LEAST_GAP, GOOD_GAP = 2e-4, 2e-2


def random_points(m, d, rng):
    if d == 1:
        spread = np.tan(np.linspace(-1.2, 1.2, m)) if rng.random() < 0.7 else np.sort(rng.normal(size=m))
        points = spread[:, None]
    else:
        points = rng.normal(size=(m, d))
        if rng.random() < 0.5:
            points /= np.linalg.norm(points, axis=1, keepdims=True)
    return np.unique(np.round(points * POINT_UNIT).astype(int), axis=0)


def quantised(matrices):
    """Round to the integers that the file will hold, over powers of two."""
    bits = [FIRST_BITS] + [LATER_BITS] * (len(matrices) - 1)
    return [np.round(np.ldexp(a, b)) / 2.0**b for a, b in zip(matrices, bits)]


def random_chains(count, depth, d, rng):
    chains = []
    for number in range(depth - 1):
        k = d if number == 0 else 2
        matrix = rng.normal(size=(count, 2, k + 1))
        offset = rng.uniform(0, 1.5 if number == 0 else 2.5, size=(count, 1))
        matrix[:, :, -1] *= offset
        if number == 0:
            matrix[:, :, :-1] /= POINT_UNIT
        else:
            matrix[:, 0] *= np.exp(0.7 * rng.normal(size=(count, 1)))
        matrix[:, 1] /= 3**0.5
        chains.append(matrix)
    return quantised(chains)


class Cover:
    """Which labelings are found, with which chain and which gap; point 0 has label 0."""

    def __init__(self, points):
        self.points = points.astype(float)
        self.m = len(points)
        self.gap = np.full(1 << (self.m - 1), -1.0)
        self.gap[0] = np.pi
        self.chain = np.full(len(self.gap), -1)
        self.chains = []

    def open(self):
        return np.flatnonzero(self.gap < LEAST_GAP)

    def realised(self, matrices):
        return chain_labelings(matrices, self.points)

    def add(self, matrices):
        """Enter a batch of chains; those that find nothing new are forgotten."""
        labels, gaps = self.realised(matrices)
        for b in range(len(labels)):
            better = (gaps[b] > 1.5 * self.gap[labels[b]]) & (self.gap[labels[b]] < GOOD_GAP) & (gaps[b] > LEAST_GAP)
            if better.any():
                self.gap[labels[b][better]] = gaps[b][better]
                self.chain[labels[b][better]] = len(self.chains)
                self.chains.append([a[b] for a in matrices])

    def pool(self):
        """A small set of chains that still finds everything, with at least a third of every gap."""
        wanted = np.minimum(self.gap, GOOD_GAP) / 3
        lists = {}
        for number in np.unique(self.chain[self.chain >= 0]):
            labels, gaps = self.realised([a[None] for a in self.chains[number]])
            lists[int(number)] = np.unique(labels[0][gaps[0] >= wanted[labels[0]]]).astype(np.int32)
        missing = np.ones(len(self.gap), bool)
        missing[0] = False
        queue = [(-len(found), number) for number, found in lists.items()]
        heapify(queue)
        chosen = []
        while missing.any():  # greedy set cover: gains only shrink, so a stale entry is refreshed and put back
            _, number = heappop(queue)
            gain = int(missing[lists[number]].sum())
            if queue and gain < -queue[0][0]:
                heappush(queue, (-gain, number))
                continue
            chosen.append(number)
            missing[lists[number]] = False
        return [self.chains[number] for number in chosen]


def descend(cover, depth, d, labelling, rng, rounds=60, population=384):
    """Look for one labelling: keep the chains with fewest changes (then widest gaps), perturb, repeat."""
    m = cover.m
    labels = np.array([0, *((labelling >> k) & 1 for k in range(m - 1))])
    current = random_chains(population, depth, d, rng)
    for _ in range(rounds):
        angles = conic_angles(current, cover.points)
        order = np.argsort(angles, axis=1)
        place = np.take_along_axis(angles, order, axis=1)
        gaps = np.diff(np.concatenate([place, place[:, :1] + 2 * np.pi], axis=1), axis=1)
        around = labels[order]
        change = around != np.roll(around, -1, axis=1)
        count = change.sum(axis=1)
        widest = np.sort(np.where(change, gaps, 0.0), axis=1)[:, ::-1]
        excess = widest[:, 4:].sum(axis=1)  # what is too much: small gaps are nearly gone
        least = np.where(change, gaps, 9.0).min(axis=1)
        score = count + np.minimum(excess, 1.0) - np.where(count <= 4, np.minimum(least, 0.5), 0.0)
        best = np.argsort(score)[: population // 16]
        if count[best[0]] <= 4 and least[best[0]] > 10 * LEAST_GAP:
            return [a[best[:1]] for a in current]
        size = 10 ** rng.uniform(-2.5, -0.2, size=population)[:, None, None]
        parents = np.concatenate([best, rng.choice(best, population - len(best))])
        size[: len(best)] = 0
        scale = [np.abs(a[best]).mean(axis=0, keepdims=True) for a in current]
        current = quantised([a[parents] + size * s * rng.normal(size=a.shape) for a, s in zip(current, scale)])
    return None


def search_chains(depth, d, m, seconds, rng, say=print):
    started, attempt = time.monotonic(), 0
    batch = max(8, min(400, 3_000_000 // m**4 * 8))
    while time.monotonic() - started < seconds:
        points = random_points(m, d, rng)
        if len(points) < m:
            continue
        cover, begun, attempt = Cover(points), time.monotonic(), attempt + 1
        while (spent := time.monotonic() - begun) < seconds / 5 and len(cover.open()):
            if spent > seconds / 12 and len(cover.open()) <= 60:
                break
            cover.add(random_chains(batch, depth, d, rng))
        hard = list(cover.open())
        say(f"  points {attempt}: {len(hard)} of {len(cover.gap)} labelings left after {spent:.0f} s", flush=True)
        if len(hard) > 60:
            continue
        misses = 0
        while hard and misses < 12 and time.monotonic() - started < 1.3 * seconds:
            found = descend(cover, depth, d, int(hard[0]), rng)
            if found is None:
                misses += 1
                hard = [*hard[1:], hard[0]]
                continue
            cover.add(found)
            hard = [k for k in hard if cover.gap[k] < LEAST_GAP]
        say(f"    after the descent: {len(hard)}", flush=True)
        if not hard:
            return points, cover
    return None


def dichotomies(points):
    """Every way in which a hyperplane splits points in general position, as bit masks with a half-space each."""
    m, d = points.shape
    high = np.concatenate([points, np.ones((m, 1))], axis=1)
    found = {}
    for subset in combinations(range(m), d):
        normal = np.linalg.svd(high[list(subset)])[2][-1]
        values = high @ normal
        base = sum(1 << i for i in range(m) if i not in subset and values[i] > 0)
        for bits in range(1 << d):
            mask = base | sum(1 << i for j, i in enumerate(subset) if bits >> j & 1)
            for one in (mask, ((1 << m) - 1) ^ mask):
                found.setdefault(one, None)
    return list(found)


def widest(points, mask):
    """The half-space that splits off a dichotomy with the largest least |value| (a linear programme)."""
    from scipy.optimize import linprog

    m, d = points.shape
    sign = np.array([1.0 if mask >> i & 1 else -1.0 for i in range(m)])
    rows = np.concatenate([-sign[:, None] * points, -sign[:, None], np.ones((m, 1))], axis=1)
    far = float(2 * np.abs(points).sum(axis=1).max())
    bounds = [(-1, 1)] * d + [(-far, far), (None, far)]
    answer = linprog([0] * (d + 1) + [-1], A_ub=rows, b_ub=np.zeros(m), bounds=bounds)
    return answer.x[:-1], answer.x[-1]


def search_half_spaces(d, m, seconds, rng, say=print):
    started, best, record = time.monotonic(), None, -1
    while time.monotonic() - started < seconds:
        points = random_points(m, d, rng)
        if best is not None and rng.random() < 0.8:
            points = best.copy()
            points[rng.integers(m)] += np.round(rng.normal(size=d) * 10 ** rng.uniform(0, 1.5)).astype(int)
        if len(np.unique(points, axis=0)) < m:
            continue
        masks = np.array(dichotomies(points.astype(float)))
        seen = np.zeros(1 << m, bool)
        seen[(masks[:, None] & masks[None, :]).ravel()] = True
        seen |= seen[::-1]
        if seen.sum() >= record:
            best, record = points, int(seen.sum())
        if record == 1 << m:
            return points, masks
    say(f"  at most {record} of {1 << m} labelings")
    return None


def half_space_pool(points, masks):
    """A half-space of integers for every dichotomy that a labelling needs, wide ones preferred."""
    m, _ = points.shape
    masks = masks[(masks != 0) & (masks != (1 << m) - 1)]
    planes = [widest(points.astype(float), int(mask)) for mask in masks]
    real = [k for k, (_, w) in enumerate(planes) if w > 1e-3]  # points in special position suggest splits that are none
    planes, masks = [planes[k] for k in real], masks[real]
    width = np.array([w for _, w in planes])
    pairs = np.argsort(-np.minimum(width[:, None], width[None, :]).ravel())
    both = (masks[:, None] & masks[None, :]).ravel()[pairs]
    full = (1 << m) - 1
    keys = np.where(both & 1, full ^ both, both)
    labelings, first = np.unique(keys, return_index=True)
    if len(labelings) < (1 << (m - 1)) - 1:  # the constant labelling needs no half-space
        raise SystemExit("The points are not in general position; try another seed.")
    used = np.unique(np.array(np.unravel_index(pairs[first], (len(masks),) * 2)))
    pool = []
    for number in used:
        plane, _ = planes[number]
        pool.append(np.round(plane / np.abs(plane).max() * 2**20).astype(int).tolist())
    return pool


def integers(chain):
    bits = [FIRST_BITS] + [LATER_BITS] * (len(chain) - 1)
    return [np.round(np.ldexp(a, b)).astype(int).ravel().tolist() for a, b in zip(chain, bits)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("depth", type=int)
    parser.add_argument("dimension", type=int)
    parser.add_argument("points", type=int)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("-o", "--output", default=None)
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    depth, d, m = options.depth, options.dimension, options.points
    document = {"format": "lnnet-shattered-set", "version": 1, "depth": depth, "dimension": d}
    if depth == 1:
        found = search_half_spaces(d, m, options.seconds, rng)
        if found:
            document |= {"points": found[0].tolist(), "kind": "half-spaces", "half_spaces": half_space_pool(*found)}
    else:
        found = search_chains(depth, d, m, options.seconds, rng)
        if found:
            chains = [integers(chain) for chain in found[1].pool()]
            bits = [FIRST_BITS] + [LATER_BITS] * (depth - 2)
            document |= {"points": found[0].tolist(), "kind": "chains", "binary_places": bits, "chains": chains}
    if not found:
        raise SystemExit(f"{m} points, depth {depth}, R^{d}: not found in {options.seconds} s")
    path = Path(options.output or f"depth{depth}-dimension{d}-points{m}.json")
    path.write_text(json.dumps(document, separators=(",", ":")) + "\n", encoding="utf-8")
    print(f"{path}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
