"""Macros of a text are put in, and every part still knows its place in what was written."""

from __future__ import annotations

from itertools import pairwise

import pytest

from leverarm.notation.reading import Statement, Unreadable, expanded, read
from leverarm.notation.tree import walk
from tests.notation.reading.test_reading import spelled

EXPANSIONS = {
    r"\newcommand{\q}{\theta} $\tau_1 = m_1 \ddot{\q}_1 + \q_2 x$": "tau_1 = ([m_1 theta_1''] + [theta_2 x])",
    r"\newcommand\q{\theta} $x = \q_1$": "x = theta_1",
    r"\newcommand*{\q}{\theta} $x = \q_1$": "x = theta_1",
    r"\renewcommand{\vec}[1]{\mathbf{#1}} $x = \vec{v}$": "x = v",
    r"\providecommand{\q}{\theta}\providecommand{\q}{\phi} $x = \q$": "x = theta",
    r"\newcommand{\q}{\theta}\renewcommand{\q}{\phi} $x = \q$": "x = phi",
    r"\newcommand{\pd}[2]{\frac{\partial #1}{\partial #2}} $x = \pd{L}{q_1}$": "x = D(L, q_1)",
    r"\newcommand{\pd}[2]{\frac{\partial #1}{\partial #2}} $x = \pd L{q_1}$": "x = D(L, q_1)",
    r"\NewDocumentCommand{\pd}{mm}{\frac{\partial #1}{\partial #2}} $x = \pd L{q_1}$": "x = D(L, q_1)",
    r"\newcommand{\M}[1][1]{M_{#1}} $x = \M + \M[2]$": "x = (M_1 + M_2)",
    r"\def\half{\frac12} $x = \half m$": "x = [(1 / 2) m]",
    r"\def\sq#1{(#1)^2} $y = \sq{2\sq{x}} + \sq a$": "y = ([2 x^2]^2 + a^2)",
    r"\DeclareMathOperator{\sgn}{sgn} $x = \sgn(\dot q)$": "x = sgn(q')",
    r"\let\th\theta $x = \th_1$": "x = theta_1",
    r"\newcommand{\vq}{\vv}\newcommand{\vv}[1]{\mathbf{#1}} $y = \vq{x}$": "y = x",
    r"\newcommand{\be}{\begin{equation}}\newcommand{\ee}{\end{equation}} \be x = y \ee": "x = y",
    r"\newcommand{\dd}{\dot} $x = \dd q_1 + \dd{q}_2$": "x = (q_1' + q_2')",
    r"$\newcommand{\q}{\theta}$ $x = \q_1$": "x = theta_1",
    "\\newcommand{\\q}{% the angle\n  \\theta}\n$x = \\q_1$": "x = theta_1",
}


@pytest.mark.parametrize("text", EXPANSIONS)
def test_macros_are_put_in(text):
    (item,) = read(text)
    assert isinstance(item, Statement), item
    assert spelled(item) == EXPANSIONS[text]


def test_every_part_has_its_place_in_the_written_text():
    text = r"\newcommand{\q}[1]{\theta_{#1}} \newcommand{\w}{m_1 l_1} $\tau_1 = \w \ddot{\q{1}} + \q{2} x$"
    (item,) = read(text)
    written = {spelled(part): text[slice(*part.span)] for part in walk(item)}
    assert written["m_1"] == written["l_1"] == r"\w"
    assert written["theta_1''"] == r"\ddot{\q{1}}"
    assert written["theta_2"] == r"\q{2}"
    assert written["x"] == "x"
    assert text[slice(*item.span)] == r"\tau_1 = \w \ddot{\q{1}} + \q{2} x"
    for part in walk(item):
        assert item.span[0] <= part.span[0] < part.span[1] <= item.span[1]


def test_an_expanded_text_knows_its_source():
    text = "\\newcommand{\\q}{\\theta}\nso \\q{} it is"
    whole = expanded(text)
    assert whole == " \nso \\theta{} it is"
    at = whole.index("it")
    assert text[whole.place(at) :] == "it is"
    assert text[slice(*whole.origin((5, 11)))] == "\\q"
    assert expanded(whole) is whole
    assert expanded("x = \\theta") == "x = \\theta"


def test_an_argument_keeps_its_own_place():
    text = r"\newcommand{\half}[1]{\frac{1}{2}#1} $x = \half{m_1 v^2}$"
    (item,) = read(text)
    written = [text[slice(*part.span)] for part in walk(item)]
    assert "m_1" in written
    assert "v^2" in written


REFUSED = {
    r"\newcommand{\a}{x \a} $y = \a$": r"'\a' is defined in terms of itself",
    r"\newcommand{\a}{\b}\newcommand{\b}{\a} $y = \a$": r"'\b' is defined in terms of itself",
    r"\def\pair(#1,#2){#1 #2} $y = \pair(a,b)$": "takes its arguments between signs",
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_cannot_be_put_in_is_said(text):
    found = read(text)
    assert all(isinstance(item, Unreadable) for item in found)
    assert REFUSED[text] in found[0].why


def test_macros_do_not_explode():
    names = [f"\\{letter}" for letter in "abcdefghijk"]
    text = r"\def\a{xx}" + "".join(rf"\def{b}{{{a * 4}}}" for a, b in pairwise(names))
    found = read(text + r" $y = \k$ and $z = 1$")
    assert any("more than 20000 macros" in item.why for item in found if isinstance(item, Unreadable))
    assert spelled(found[-1]) == "z = 1"
    long = r"\newcommand{\a}[1]{#1#1} " + r"\a{" * 40 + "x" + "}" * 40 + " $z = 1$"
    assert any(isinstance(item, Unreadable) and "macros" in item.why for item in read(long))


def test_definitions_are_no_equations_and_comments_define_nothing():
    assert read("\\newcommand{\\eq}{x = y}\n\\def\\b{a = b}\n") == ()
    (item,) = read("% \\newcommand{\\q}{x}\n$\\q = 1$")
    assert "'\\q' is not known" in item.why
