"""Right equations with one token changed: what is called equal is equal, by an oracle that does not read."""

from __future__ import annotations

import importlib
import random
from collections import Counter

import pytest

from tests.support.levels import at_level
from tests.support.paths import BENCH


@pytest.fixture
def bench(monkeypatch):
    """Imports a module of bench/ by name."""
    monkeypatch.syspath_prepend(str(BENCH))
    return importlib.import_module


@pytest.mark.parametrize("arm", ["elbow", "polar"])
def test_equations_after_lagrange_are_right_in_every_hand(bench, arm):
    assert bench("mutate_equations").wrongly_refused([arm]) == []


@pytest.mark.slow
@pytest.mark.parametrize("arm", ["rp", "rr", "cylindrical", "planar3r", "scara"])
def test_equations_of_larger_arms_are_right_in_every_hand(bench, arm):
    assert bench("mutate_equations").wrongly_refused([arm]) == []


@pytest.mark.slow
def test_no_mutation_is_called_equal_unless_it_is(bench):
    run = bench("mutate_equations")
    count = at_level(20, 40, 400)
    answers = run.run(count, seed=1, arms=at_level(["elbow", "polar"], ["elbow", "polar", "rr"], run.ARMS))
    assert len(answers) == count
    assert [each for each in answers if each.status == "equal" and not each.mutation.is_true] == []
    wrong = [each for each in answers if not each.mutation.is_true]
    assert sum(each.is_found for each in wrong) > 0.9 * len(wrong)
    assert f"{len(wrong)} (" in run.summary(answers)
    assert run.table(answers).splitlines()[-1].split()[:2] == ["all", str(count)]
    assert run.listed(answers).count("\n  ") >= sum(
        each.corrected is not None and not each.is_right for each in answers
    )


def test_mutations_are_repeatable_and_change_the_text(bench):
    run = bench("mutate_equations")
    first, again, other = (list(run.mutations(30, seed, ["elbow", "polar"])) for seed in (1, 1, 2))
    assert first == again != other
    assert all(each.text != each.right for each in first)
    assert len({each.kind for each in first}) > 5 and len({each.hand for each in first}) == 3


def test_slips_of_an_equation(bench):
    """M22 of the polar arm is m; its torque is a sum."""
    arms, tokens, trees = bench("mutate_arms"), bench("mutate_tokens"), bench("mutate_tree")
    arm = arms.machine("polar")
    equation = arms.right_equations("polar")[arms.Left("tau", (2,))][0]
    found = [slip for ways in tokens.slips(equation, arm) for slip in ways]
    texts = {trees.written(slip.equation.right, trees.PLAIN): slip.kind for slip in found}
    assert trees.written(equation.right, trees.PLAIN) == "m*g*sin(theta) - m*r*thetad**2 + m*rdd"
    assert texts["m*g*cos(theta) - m*r*thetad**2 + m*rdd"] == "sin and cos"
    assert texts["m*g*sin(theta) + m*r*thetad**2 + m*rdd"] == "a sign"
    assert texts["m*g*sin(theta) - m*r*thetad**2*m*rdd"] == "+ to *"
    assert texts["m*g*sin(theta) - m*r*thetad + m*rdd"] == "an exponent dropped"
    assert texts["m*g*sin(theta) - m*r*thetad**2 + m*rd"] == "a dot removed"
    assert texts["m*g*sin(theta) - 2*m*r*thetad**2 + m*rdd"] == "a coefficient added"
    assert texts["m*g*sin(theta) - m*r*thetad**2"] == "a term removed"
    kinds = Counter(slip.kind for slip in found)
    assert kinds["a term removed"] == 3 and kinds["the left side's index"] == 1
    assert not any(arm.holds(slip.equation.left, slip.equation.right) for slip in found)


def test_brackets_move_as_they_are_written(bench):
    arms, tokens, trees = bench("mutate_arms"), bench("mutate_tokens"), bench("mutate_tree")
    arm = arms.machine("elbow")
    whole = trees.read("a1 - m2 (a1 + a2 c12) q1 + g (m1 + m2) + m1", arm.names)
    slips = [slip for ways in tokens.slips(arms.Equation("elbow", arms.Left("P"), whole), arm) for slip in ways]
    moved = {trees.written(slip.equation.right, trees.PLAIN) for slip in slips if slip.kind == "a bracket"}
    rest = "a1 - m2*(a1 + a2*cos(theta1 + theta2))*theta1"
    assert moved == {
        "a1 - m2*(a1) + a2*cos(theta1 + theta2)*theta1 + g*(m1 + m2) + m1",
        "a1 - m2*a1 + (a2*cos(theta1 + theta2))*theta1 + g*(m1 + m2) + m1",
        "a1 - m2*(a1 + a2*cos(theta1) + theta2)*theta1 + g*(m1 + m2) + m1",
        f"{rest} + g*(m1) + m2 + m1",
        f"{rest} + g*m1 + (m2) + m1",
        f"{rest} + g*(m1 + m2 + m1)",
    }


def test_the_oracle_reads_what_it_writes(bench):
    arms, trees = bench("mutate_arms"), bench("mutate_tree")
    arm = arms.machine("elbow")
    state = arm.state(random.Random(1))
    for equations in arms.right_equations("elbow").values():
        for equation in equations:
            for hand in (trees.GENERIC, trees.PLAIN, trees.LATEX, trees.TEXTBOOK):
                again = trees.read(trees.written(equation.right, hand), arm.names)
                assert trees.value(again, state) == pytest.approx(trees.value(equation.right, state), rel=1e-12)
    for text in ("m1 (", "m1 +", "m3", "m1 / a1", "m1^a1", "m1 )"):
        with pytest.raises(trees.NotRead):
            trees.read(text, arm.names)


@pytest.mark.parametrize(
    "left, right, convention",
    [
        ("P", "-m1 g a1 s1 - m2 g (a1 s1 + a2 s12)", "g the other way"),
        ("P", "m1 g a1 c1 + m2 g (a1 c1 + a2 c12)", "theta1 + 90 deg"),
        ("P", "m1 g a1 s1 + m2 g (a1 s1 + a2 s2)", "absolute angles"),
        ("P", "m1 g a1 s1 + m2 g (a1 s1 + a2 s12) + (m1 + m2) g a1", "another height"),
        ("P", "m1 g a1 s1 + m2 g (a1 s1 + a2 s12) + m2 g a1", "another height of one mass"),
        ("P", "m1 g a1 s1 + m2 g (a1 s1 + a2 s12) + g a1", None),
        ("P", "m1 g a1 s1 + m2 g (a1 c1 + a2 s12)", None),
        ("K", "m1 a1^2 thetad1^2", None),
    ],
)
def test_conventions_that_the_oracle_knows(bench, left, right, convention):
    arms, trees = bench("mutate_arms"), bench("mutate_tree")
    arm = arms.machine("elbow")
    found = bench("mutate_conventions").convention(arm, arms.Left(left), trees.read(right, arm.names))
    assert found == convention if convention is None else convention in found


def test_a_correction_that_the_oracle_refutes(bench):
    run, arms, trees = bench("mutate_equations"), bench("mutate_arms"), bench("mutate_tree")
    g2 = arms.Equation("elbow", arms.Left("g", (2,)), trees.ZERO)
    assert not run.refuted(g2, r"g_2 = m_2 g a_2 \cos(\theta_1 + \theta_2)")
    assert not run.refuted(g2, "g2 = m2 g a2 c12")
    assert not run.refuted(g2, "g2 = what it cannot read")
    assert run.refuted(g2, "g2 = m2 g a2 c1")
    assert run.refuted(g2, "g1 = m2 g a2 c12")
