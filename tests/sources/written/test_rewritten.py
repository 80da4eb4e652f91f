"""Sixty correct equations in other forms: expanded, factored, with double angles, another C. None is flagged."""

from __future__ import annotations

from functools import cache

import pytest

import leverarm as la
from tests.sources.written.mistakes import Rewriting, rewritings

arm_of = cache(la.load)


def test_there_are_sixty_on_five_arms():
    assert len(rewritings()) == 60
    assert len({rewriting.arm for rewriting in rewritings()}) >= 5


@pytest.mark.parametrize("rewriting", [pytest.param(r, id=f"{r.arm}: {r.how}") for r in rewritings()])
def test_a_rewritten_equation_is_not_flagged(rewriting: Rewriting):
    (verdict,) = la.check(arm_of(rewriting.arm), rewriting.text)
    assert verdict.status == rewriting.status, verdict.message
    assert (verdict.convention is None) == (rewriting.status == "equal")
    assert verdict.suggestion is None
