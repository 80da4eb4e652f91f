"""Derivations of arms with springs: all routes agree, say where the springs are, and their cells compute what they show."""

from __future__ import annotations

from dataclasses import replace

import pytest

import leverarm as la
from leverarm import mechanics as me
from leverarm.closed_form import equations
from leverarm.derivation import derive
from leverarm.model import Arm, symbolic
from leverarm.notation.text import to_text
from leverarm.scalars.exact import Polynomial
from tests.derivation.test_routes import executed, point_mass_arm, values_in, verdicts
from tests.support.levels import at_level
from tests.support.random_arms import random_arm
from tests.support.springs import sprung

ROUTES = ("lagrange", "newton-euler", "force-balance")


def elbow() -> Arm:
    """The elbow with a spring in each joint: the first is at rest upright, the second has a stiffness of its own."""
    return symbolic(sprung(la.load("elbow"), 2), "springs")


@pytest.mark.parametrize("route", ROUTES)
def test_the_routes_agree_and_their_cells_compute_what_they_show(route):
    derivation = derive(elbow(), route)
    assert verdicts(derivation) == {"equal"}
    names: dict[str, object] = {}
    exec(derivation.document.code, names)
    expected = names["eq"].euler_lagrange.values
    for part in derivation.parts:
        for step in part.sections:
            result = executed(step.code, names)
            assert result is not False, step.title
            if step.title in ("Joint forces", "Equations of motion") and step.equations:
                assert list(values_in(result))[-len(expected) :] == expected
            if step.title == "Springs":
                assert list(values_in(result)) == list(names["eq"].springs.values)


def test_what_a_reader_is_shown():
    steps = {step.title: step for step in derive(elbow())}
    text = lambda title: [to_text(line.equation) for line in steps[title].equations]  # noqa: E731
    assert text("Potential energy of each spring")[0] == "P_s1 = 1/2 k1 (theta1 - q0_1)^2"
    assert text("Potential energy of the arm")[0].startswith("P = P1 + P2 + P_s1")
    assert "gravity and the springs" in "".join(x for x in steps["Matrix form"].words if isinstance(x, str))
    assert not any("spring" in step.title.lower() for step in derive(la.load("elbow")))


@pytest.mark.parametrize("seed", range(at_level(2, 6, 24)))
def test_random_trees_by_every_route(seed):
    eq = equations(sprung(random_arm(seed, joints=2), seed))
    assert all(list(values.values) == list(eq.euler_lagrange.values) for values in eq.routes.values())
    assert list(eq.g.values) == me.gravity_forces(eq.exact.mechanism, eq.exact.q)
    masses = sprung(point_mass_arm(seed), seed)
    assert set(verdicts(derive(masses, "force-balance"))) == {"equal"}
    assert verdicts(derive(masses, "newton-euler")) == {"equal"}


def test_an_angle_outside_its_sine_is_a_letter_of_its_own():
    """q, sin q and cos q satisfy no polynomial but s^2 + c^2 = 1, so equal functions have equal terms."""
    eq = equations(elbow())
    q, c, s = (eq.exact.letter(name) for name in ("theta1", "cos(theta1)", "sin(theta1)"))
    assert eq.parse("theta1 s1 + c1").value == q * s + c and q * s != s * s
    assert isinstance(q * q - 1, Polynomial) and s * s + c * c == 1
    assert eq.time_derivative(q * s) == eq.exact.qd[0] * (s + q * c)
    assert "theta1" not in equations(la.load("elbow")).exact.ring.index


def test_a_large_arm_keeps_its_springs_in_g():
    arm = replace(sprung(la.load("puma560"), 1), title="")
    derivation = derive(arm)
    assert verdicts(derivation) == {"equal"}
    steps = {step.title: step for step in derivation}
    assert "(verified)" in "".join(x for x in steps["Intermediate variables"].words if isinstance(x, str))
