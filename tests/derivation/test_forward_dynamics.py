"""The chapter on forward dynamics: what it shows, its formulas computed again from the energies, and for which arms."""

from __future__ import annotations

from dataclasses import replace

import pytest

import leverarm as la
from leverarm import mechanics as me
from leverarm.derivation.chapters.forward_dynamics import forward_dynamics
from leverarm.derivation.setting import Setting
from leverarm.model import MassProperties
from leverarm.notation.parsing import parse_text
from leverarm.notation.text import to_text
from leverarm.scalars.exact import ring_of, substitute, symbol

TITLE = "Forward dynamics"
ELBOW = la.equations(la.load("elbow")).notation


def chapter(name: str):
    return next(part for part in la.derive(la.load(name)).parts if part.title == TITLE)


def lines(part) -> list[str]:
    return [to_text(shown.equation) for step in part.sections for shown in step.equations]


def test_the_polar_arm_is_solved_as_on_paper():
    assert lines(chapter("polar")) == [
        "N(q, qd) = c(q, qd) + g(q)",
        "qdd = M^-1 (tau - N)",
        "det(M) = m^2 r^2",
        "adj(M) = [[m, 0], [0, m r^2]]",
        "M^-1 = adj(M)/det(M) = [[1/(m r^2), 0], [0, 1/m]]",
        "thetadd = [M^-1]_11 (n - N_1)",
        "thetadd = (n - 2 m r thetad rd - m g r cos(theta))/(m r^2)",
        "rdd = [M^-1]_22 (f - N_2)",
        "rdd = (m r thetad^2 - m g sin(theta) + f)/m",
    ]


@pytest.mark.parametrize("name", ["scara", "spherical", "planar3r"])
def test_longer_inverses_are_shown_in_the_entries_of_m(name):
    """The formulas in M_ij with the entries put in their places are the adjugate and determinant of M."""
    eq = la.equations(la.load(name))
    entries = {f"M{i + 1}{j + 1}": eq.M.values[i][j] for i in range(len(eq.M)) for j in range(i, len(eq.M))}
    determinant, adjugate = me.determinant(eq.M.values), me.adjugate(eq.M.values)
    inverse = chapter(name).sections[1]
    for shown in inverse.equations[1:]:
        head, formula = (to_text(side) for side in shown.equation.sides)
        value = substitute(read(formula, entries), entries)
        if head == "det(M)":
            assert value == determinant
            continue
        i, j = (int(digit) - 1 for digit in head[-2:])
        assert head[:-2] == "[adj(M)]_" and value == adjugate[i][j] == adjugate[j][i]
    assert len(inverse.equations) > 4


def read(text: str, letters):
    """A polynomial in the letters M_ij."""
    return parse_text(text, ELBOW.vocabulary, ELBOW.writing, ring_of([symbol(name) for name in letters]))


def test_large_arms_are_factorised():
    part = chapter("panda")
    assert [step.title for step in part.sections] == ["Solving for the accelerations", "By factorisation"]
    assert "M = L^T D L" in lines(part)


def test_an_arm_whose_mass_matrix_has_no_inverse_has_no_such_chapter():
    arm = la.load("elbow")
    bodies = tuple(replace(body, mass_properties=MassProperties()) for body in arm.bodies)
    assert forward_dynamics(Setting(la.equations(replace(arm, bodies=bodies)))) is None
