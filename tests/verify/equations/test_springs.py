"""Equations of an arm with springs: an angle outside its sine is read, and a slip about a spring is noticed."""

from __future__ import annotations

import pytest

import leverarm as la
from tests.support.springs import sprung

ARM = la.symbolic(sprung(la.load("elbow"), 2), "springs")
WEIGHT = "(m1 + m2) g a1 c1 + m2 g a2 c12"
ENERGY = "(m1 + m2) g a1 s1 + m2 g a2 s12"


@pytest.mark.parametrize(
    ("text", "status"),
    [
        (f"g_1 = {WEIGHT} + k1 (theta1 - q0_1)", "equal"),
        (f"g_1 = {WEIGHT} - k1 (q0_1 - q_1)", "equal"),
        (f"P = {ENERGY} + 1/2 k1 (theta1 - q0_1)^2", "equal"),
        (f"g_1 = {WEIGHT}", "equal by convention"),
        (f"g_1 = {WEIGHT} - k1 (theta1 - q0_1)", "different"),
        (f"g_1 = {WEIGHT} + k1 theta1", "different"),
        (f"P = {ENERGY} + k1 (theta1 - q0_1)^2", "different"),
    ],
)
def test_springs_in_equations(text, status):
    assert la.check(ARM, text).status == status


def test_what_is_said_of_springs_left_out():
    (verdict,) = la.check(ARM, f"g_1 = {WEIGHT}").verdicts
    assert "springs are neglected" in str(verdict.convention) + verdict.message
    (verdict,) = la.check(ARM, f"P = {ENERGY} + k1 (theta1 - q0_1)^2").verdicts
    assert "a factor 1/2 is missing" in verdict.message
