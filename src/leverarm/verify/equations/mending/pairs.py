"""Two mistakes at once: two small changes whose effects add up to what is wrong."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from leverarm.verify.equations.case import Case
from leverarm.verify.equations.mending.edits import Edit
from leverarm.verify.equations.mending.floats import RELATIVE, Float, SampleError, close
from leverarm.verify.equations.mending.sampling import Sample, State

DEAREST = 1.35
"""Only likely mistakes are made twice."""
MOST_EDITS, MOST_PAIRS = 3000, 40


def paired(edits: Sequence[Edit], sample: Sample, case: Case) -> Iterator[Edit]:
    """Pairs of changes in different terms that repair the formula at two random states, the likeliest first."""
    if isinstance(sample.value, tuple):
        return
    likely = sorted((e for e in edits if e.cost <= DEAREST and len(e.changes) == 1), key=lambda e: e.cost)[:MOST_EDITS]
    try:
        other = Sample(case.written, case.scope, State("pairs", case.conditions))
        goals = [_difference(s.state.numbers(case.wanted), s.value) for s in (sample, other)]
    except (SampleError, ZeroDivisionError, OverflowError):
        return
    effects = [(*pair, edit) for edit in likely if (pair := _effects(edit, sample, other)) is not None]
    effects.sort(key=lambda item: item[0])
    firsts = [item[0] for item in effects]
    slack = RELATIVE * (1e-3 + abs(goals[0]) + abs(float(sample.value)))
    found = []
    for k, (one, two, edit) in enumerate(effects):
        at = bisect_left(firsts, goals[0] - one - slack)
        while at < len(firsts) and firsts[at] <= goals[0] - one + slack:
            if at > k and close(two + effects[at][1], goals[1]) and _are_apart(edit, effects[at][2]):
                found.append((edit, effects[at][2]))
            at += 1
    found.sort(key=lambda pair: pair[0].cost + pair[1].cost)
    for first, second in found[:MOST_PAIRS]:
        yield _both(*sorted((first, second), key=lambda edit: edit.splices[0].start))


def _effects(edit: Edit, *samples: Sample) -> tuple[float, float] | None:
    """What a change adds to the formula at each state."""
    old, new = edit.changes[0]
    try:
        one, two = (_difference(s.changed(old, s.of(new), new), s.value) for s in samples)
    except SampleError:
        return None
    return (one, two) if one != 0 else None


def _difference(a: Float, b: Float) -> float:
    if isinstance(a, tuple) or isinstance(b, tuple):
        raise SampleError("a matrix where a number was")
    return a - b


def _are_apart(first: Edit, second: Edit) -> bool:
    (a, b), (c, d) = first.changes[0][0].span, second.changes[0][0].span
    return b <= c or d <= a


def _both(first: Edit, second: Edit) -> Edit:
    what = first.what if first.what == second.what else f"{first.what} and {second.what}"
    changes, splices = (*first.changes, *second.changes), (*first.splices, *second.splices)
    return Edit(changes, splices, what, f"{first.how}, {second.how}", first.cost + second.cost, (first, second))
