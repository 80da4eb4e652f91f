"""Sixty pasted equations with one mistake each: every one is flagged, and the right correction comes first."""

from __future__ import annotations

from functools import cache

import pytest

import leverarm as la
from tests.sources.written.mistakes import Mistake, mistakes, signs

KINDS = ("dropped", "sign", "index", "dot", "trig", "factor")
arm_of = cache(la.load)


def named() -> list[object]:
    """The mistakes with a name each."""
    numbers = dict.fromkeys(KINDS, 0)
    params = []
    for mistake in mistakes():
        numbers[mistake.kind] += 1
        params.append(pytest.param(mistake, id=f"{mistake.kind} {numbers[mistake.kind]} {mistake.arm}"))
    return params


@cache
def verdict_on(arm: str, text: str) -> la.types.Verdict:
    (verdict,) = la.check(arm_of(arm), text)
    return verdict


def corrected(text: str, suggestion: la.types.Correction) -> str:
    """The text after the suggestion was followed."""
    start, end = suggestion.span
    assert text[start:end] == suggestion.written
    return text[:start] + suggestion.meant + text[end:]


def test_ten_of_each_kind_on_five_arms():
    assert [m.kind for m in mistakes()] == [kind for kind in KINDS for _ in range(10)]
    assert len({m.arm for m in mistakes()}) >= 5


@pytest.mark.parametrize("mistake", named())
def test_a_mistake_is_flagged(mistake: Mistake):
    verdict = verdict_on(mistake.arm, mistake.pasted)
    assert verdict.status == "different"
    assert verdict.difference is not None
    assert verdict.witness is not None
    assert abs(verdict.witness.written - verdict.witness.true) > 1e-3 * abs(verdict.witness.true)


@pytest.mark.parametrize("mistake", named())
def test_what_was_meant_is_equal(mistake: Mistake):
    assert verdict_on(mistake.arm, mistake.meant).status == "equal"


@pytest.mark.parametrize("mistake", named())
def test_the_right_correction_comes_first(mistake: Mistake):
    suggestion = verdict_on(mistake.arm, mistake.pasted).suggestion
    assert suggestion is not None
    text = corrected(mistake.pasted, suggestion)
    assert verdict_on(mistake.arm, text).status == "equal"
    if mistake.kind == "dropped":
        assert suggestion.what == "a missing term"
    else:
        assert signs(text) == signs(mistake.meant)
