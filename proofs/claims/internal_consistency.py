"""Do the paper's tables, figures and sentences say the same numbers?"""

from __future__ import annotations

from itertools import pairwise

from proofs import paper_tables as paper
from proofs.claim import Claim, Finding, Step, amend, conclude


def _said(text: str, holds: bool, detail: str = "") -> Step:
    """A finite comparison of printed numbers."""
    return Step(text, holds, "proved-bounded", detail)


def _perfect() -> Step:
    depth, row = paper.DEPTHS.index(8), paper.GROUPS.index(32)
    values = (paper.TABLE_3[row][depth], paper.TABLE_4[row][depth])
    return _said(
        "Section 5.2: an LN-Net with LN-G of depth 8 and g = 32 classifies all random labels of CIFAR-10-RL and of "
        "MNIST-RL.",
        min(values) == 100,
        f"Tables III and IV: {values[0]}% and {values[1]}%; the largest entry of Table IV is "
        f"{max(map(max, paper.TABLE_4))}%",
    )


def _printed() -> Finding:
    training = paper.FIGURE_GN["6"][0]
    return conclude(
        _said(
            "Section 5.2: the LN-Net reaches 55.85% on CIFAR-10-RL and 19.44% on MNIST-RL, the best of Table II.",
            (paper.TABLE_2_BEST[1], paper.TABLE_2_BEST[3]) == paper.TEXT_LN_NET,
            f"text {paper.TEXT_LN_NET}, Table II {(paper.TABLE_2_BEST[1], paper.TABLE_2_BEST[3])}",
        ),
        _perfect(),
        _said(
            "Captions of Tables III and IV: the rows are depths, the columns group numbers (2, …, 128).",
            len(paper.TABLE_3) == len(paper.DEPTHS) and len(paper.TABLE_3[0]) == len(paper.GROUPS),
            f"{len(paper.TABLE_3)} rows, {len(paper.TABLE_3[0])} columns; there are {len(paper.DEPTHS)} depths "
            f"{paper.DEPTHS} and {len(paper.GROUPS)} group numbers {paper.GROUPS}: it is the other way round",
        ),
        _said(
            "Section 5.3.1: GN gets better with the group number (Figure 6, training).",
            all(a <= b for a, b in pairwise(training)),
            f"{training}: from g = 8 to g = 16 it falls",
        ),
        counterexample=(
            "text 55.85% against Table II's 55.58%; 'perfectly classify … MNIST-RL' against Table IV's 94.47% at g "
            "= 32, depth 8 (95.96% at best); rows and columns exchanged in the captions of Tables III and IV; GN in "
            "Figure 6 falls from 78.25% to 76.90%"
        ),
    )


def _bests() -> tuple[Step, ...]:
    columns = list(zip(*paper.TABLE_2.values(), strict=True))
    return (
        _said(
            "The rows 'best' of Tables II, III and IV are the largest entries of their columns.",
            tuple(map(max, zip(*paper.TABLE_3, strict=True))) == paper.TABLE_3_BEST
            and tuple(map(max, zip(*paper.TABLE_4, strict=True))) == paper.TABLE_4_BEST
            and tuple(map(max, columns)) == paper.TABLE_2_BEST,
        ),
        _said(
            "The linear network never beats the linear classifier; the LN-Net does, on MNIST-RL from depth 8 on.",
            max(columns[0]) < paper.LINEAR[0]
            and max(columns[2]) < paper.LINEAR[1]
            and all(row[1] > paper.LINEAR[0] for row in paper.TABLE_2.values())
            and [n for n, row in paper.TABLE_2.items() if row[3] > paper.LINEAR[1]] == [8, 10, 12, 14],
        ),
        _said(
            "For g = 32 deeper is better on both data sets, and g = 128 (groups of two) is worse than g = 64 at "
            "depth 1.",
            all(a <= b for table in (paper.TABLE_3, paper.TABLE_4) for a, b in pairwise(table[paper.GROUPS.index(32)]))
            and all(table[-1][0] < table[-2][0] for table in (paper.TABLE_3, paper.TABLE_4)),
        ),
    )


def _figures() -> tuple[Step, ...]:
    tables = {"6": paper.TABLE_1, "A5": paper.TABLE_5, "A6": paper.TABLE_6}
    group_norm = all(
        (paper.FIGURE_GN[name][0][-1], paper.FIGURE_GN[name][1][-1]) == table["GN"] for name, table in tables.items()
    )
    positions = {
        name: {k for k, pair in enumerate(zip(*paper.FIGURE_LNG[name], strict=True)) if pair == table["LN-G"]}
        for name, table in tables.items()
    }
    return (
        _said("Tables 1, V, VI quote GN at the largest group number of Figures 6, A5, A6.", group_norm),
        _said(
            "and LN-G-Position at one and the same group number for training and test, the best on the test set.",
            all(len(places) == 1 for places in positions.values())
            and all(max(paper.FIGURE_LNG[name][1]) == table["LN-G"][1] for name, table in tables.items()),
        ),
        _said(
            "GN does not fall from one group number to the next on any test set, and the first bar is the lowest "
            "everywhere.",
            all(a <= b for _, test in paper.FIGURE_GN.values() for a, b in pairwise(test))
            and all(min(bars) == bars[0] for panel in paper.FIGURE_GN.values() for bars in panel),
        ),
    )


def _corrected() -> Finding:
    best = max(map(max, paper.TABLE_4))
    return conclude(
        *_bests(),
        *_figures(),
        _said(
            "CIFAR-10-RL, not MNIST-RL, is classified perfectly at g = 32, depth 8.",
            paper.TABLE_3[4][4] == 100 and best < 100,
        ),
    )


CLAIM = Claim(
    key="internal-consistency",
    title="Internal consistency",
    where="Sections 4 and 5, Appendices D and F",
    statement="Tables, figures and text report the same numbers.",
    hypotheses=(
        "as printed in the text of the paper; bars of Figures 6, A5, A6 whose labels are not legible are left out",
        "wording: 'Algorithm 2 will only merge points with the same label' after Proposition 5 is Algorithm 1; "
        "Theorem 3 repeats Theorem 2's 'binary'; depth means L LN layers in Corollary 3 and L − 1 in Definition 3; "
        "Proposition 6 writes X^(l+1) for X^(l); (150) lists one vector four times; (156) pairs other points than "
        "Lemma 10; Table I refers to Figure A1 as Figure 1",
    ),
    check=lambda: amend(
        _printed(),
        _corrected(),
        "55.58% (Table II) for 55.85%; only CIFAR-10-RL is fitted perfectly; the rows of Tables III and IV are "
        "group numbers, the columns depths; GN improves with g on the test sets. All other numbers agree.",
    ),
    false_statement="Section 5.2's sentence that LN-G with g = 32 and depth 8 fits MNIST-RL perfectly.",
    check_false=lambda: conclude(_perfect(), counterexample="Table IV: 94.47% at g = 32 and depth 8"),
    expects="repaired",
)
