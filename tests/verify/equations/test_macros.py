"""Equations that are written with macros of the text are checked, and places are those of what was written."""

from __future__ import annotations

import pytest

import leverarm as la

TEXT = r"""\newcommand{\q}{\theta}
\newcommand{\dq}[1]{\dot{\theta}_{#1}}
\newcommand{\ddq}[1]{\ddot{\theta}_{#1}}
\def\lever{m_2 a_1 a_2}
$\tau_2 = m_2 a_2^2 (\ddq{1} + \ddq{2}) + \lever (\cos \q_2 \ddq1 + \sin\q_2 \dq{1}^2) + m_2 g a_2 \cos(\q_1 + \q_2)$
"""


def test_a_right_equation_is_proven():
    assert la.check(la.load("elbow"), TEXT).status == "equal"


SLIPS = {
    r"+ \sin\q_2": (r"- \sin\q_2", "-", "a sign"),
    r"\dq{1}^2": (r"\dq{2}^2", r"\dq{2}^2", "an index"),
    r"{m_2 a_1 a_2}": ("{m_1 a_1 a_2}", r"\lever", "an index"),
}


@pytest.mark.parametrize("right", SLIPS)
def test_a_slip_is_found_where_it_was_written(right):
    wrong, place, what = SLIPS[right]
    text = TEXT.replace(right, wrong)
    (verdict,) = la.check(la.load("elbow"), text)
    assert verdict.status == "different"
    assert verdict.where.line == 5
    assert verdict.suggestion.what == what
    assert place in text[slice(*verdict.suggestion.span)]


def test_a_macro_that_needs_itself_is_unreadable():
    verdicts = la.check(la.load("elbow"), r"\newcommand{\x}{m_1 \x} $\tau_1 = \x$")
    assert [each.status for each in verdicts] == ["unreadable", "unreadable"]
    assert "in terms of itself" in verdicts[0].message
