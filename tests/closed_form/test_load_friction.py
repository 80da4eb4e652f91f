"""Closed forms and derivations of arms whose friction grows with the load."""

from __future__ import annotations

import numpy as np
import pytest

import leverarm as la
from tests.support.loaded_arms import under_load


@pytest.fixture(scope="module")
def eq():
    return la.equations(under_load(la.load("elbow"), 0.05))


def test_what_is_printed_reads_back(eq):
    for formula in (*eq.friction, *eq.tau):
        assert eq.parse(formula.text()).value == formula.value
        assert eq.from_sympy(formula.sympy()).value == formula.value


def test_the_second_joint_of_the_elbow_is_that_of_the_book(eq):
    load = "m2 a1 a2 s2 thetad1^2 + m2 g a2 c12"
    assert eq.friction[1].value == eq.parse(f"0.1 ({load}) sgn({load}) sgn(thetad2)").value


def test_the_regressor_is_at_the_load_of_the_parameters(eq):
    phi = [parameter.value for parameter in eq.parameters.values()]
    for row, tau in zip(eq.regressor.values, eq.tau.values, strict=True):
        assert sum((w * x for w, x in zip(row, phi, strict=True)), start=0) == tau


def test_they_are_the_forces_of_the_reference(eq):
    arm = eq.arm
    rng = np.random.default_rng(3)
    for _ in range(5):
        q, qd, qdd = rng.uniform(-2, 2, (3, 2))
        assert eq.tau.numpy()(q, qd, qdd) == pytest.approx(la.inverse_dynamics(arm, q, qd, qdd), rel=1e-12)


@pytest.mark.parametrize("route", ["lagrange", "newton-euler"])
def test_a_derivation_says_what_the_load_is(route):
    text = " ".join(la.derive(under_load(la.load("elbow"), 0.05), route).text().split())
    assert (
        "A part of it grows with the load of the joint: the magnitude, written as the sign times the value, of" in text
    )
    assert "F(q, q̇)" in text or "F(θ, θ̇)" in text


def test_dry_friction_and_weight_are_printed_together():
    """Terms with speeds and without are put in order, whatever else they hold."""
    eq = la.equations(under_load(la.load("elbow"), 0, coulomb=0.1))
    for formula in eq.tau:
        assert eq.parse(formula.text()).value == formula.value
        assert "0.1 sgn(thetad" in formula.text()
