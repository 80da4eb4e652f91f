"""The end-effector: products, forces and limits of its inertia, against the evaluated ones and by hand."""

from __future__ import annotations

import numpy as np
import pytest

import leverarm as la
from leverarm.derivation.chapters.endpoint import bias_at_tool, endpoint
from leverarm.derivation.setting import Setting
from leverarm.notation.text import to_text


def chapter(name: str):
    setting = Setting(la.equations(la.load(name)))
    steps = {step.title: step for step in endpoint(setting).sections}
    writing = setting.eq.notation.writing
    return {title: [to_text(s.equation, writing) for s in step.equations] for title, step in steps.items()}


def test_the_sliding_arm_has_the_products_and_both_limits_of_the_page():
    steps = chapter("rp")
    assert "(J^-1)^T = [[-s1/theta2, c1], [c1/theta2, s1]]" in steps["Position and Jacobian"]
    assert steps["The products"][0] == "M = [[M11, 0], [0, M22]]"
    assert "[[-M11 s1/theta2, M22 c1], [M11 c1/theta2, M22 s1]]" in steps["The products"][1]
    assert "(M11 s1^2 + M22 theta2^2 c1^2)/theta2^2" in steps["The products"][-1]
    assert steps["Towards theta2 = 0"] == ["Lambda_11 -> m2", "Lambda_12 -> 0"]
    assert steps["Far out along theta2"] == ["Lambda(0, theta2) -> [[m2, 0], [0, m2]]"]


def test_the_elbow_is_singular_stretched_and_folded():
    steps = chapter("elbow")
    assert steps["Towards theta2 = 0"] == steps["Towards theta2 = pi"] == ["Lambda_22 -> m1 + m2"]
    arm = la.load("elbow")
    for theta2 in (1e-4, np.pi - 1e-4):
        found = la.operational_inertia(arm, [0, theta2], axes=["x", "y"])
        assert found[1, 1] == pytest.approx(2, rel=1e-6) and found[0, 0] > 1e6 and abs(found[0, 1]) > 1e3


def test_an_inertia_that_stays_bounded_is_not_called_unbounded():
    """At r = 0 the Jacobian of the polar arm is singular, but its inertia is m everywhere."""
    words = {step.title: str(step.words) for step in endpoint(Setting(la.equations(la.load("polar")))).sections}
    assert "unbounded" not in words["Operational-space inertia"]
    assert (
        "unbounded"
        in {step.title: str(step.words) for step in endpoint(Setting(la.equations(la.load("rp")))).sections}[
            "Operational-space inertia"
        ]
    )


@pytest.mark.parametrize("name", ["rp", "elbow", "polar", "rr"])
def test_forces_at_the_tool_are_the_evaluated_ones(name):
    """h_x = (J^-1)^T (c + g) - Lambda Jd qd against mu + g_x of the operational space, which factorise M."""
    arm, rng = la.load(name), np.random.default_rng(3)
    setting = Setting(la.equations(arm))
    h = setting.eq.formulas(bias_at_tool(setting, setting.eq.operational_inertia(rows=["x", "y"]), [0, 1])).numpy()
    for q, qd in rng.uniform(0.3, 1.2, (5, 2, 2)):
        state = {"axes": ["x", "y"]}
        expected = la.operational_bias(arm, q, qd, **state) + la.operational_gravity(arm, q, **state)
        assert h(q, qd) == pytest.approx(expected, rel=1e-10, abs=1e-10)


def test_the_polar_arm_weighs_its_mass_at_the_tool():
    assert chapter("polar")["The equations of motion at the end-effector"] == [
        "f = (J^-1)^T tau",
        "f = Lambda xdd + h_x",
        "h_x = (J^-1)^T (c + g) - Lambda Jd qd",
        "h_x = [[0], [m g]]",
    ]
