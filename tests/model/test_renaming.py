"""Other letters for an arm: the same arm, in every number and formula, under the names of a page."""

from __future__ import annotations

import re

import numpy as np
import pytest
from click.testing import CliRunner

import leverarm as la
from leverarm.cli import cli
from leverarm.errors import ArmError
from leverarm.model import force_letters, rename
from tests.support.random_arms import random_arm

PAGE = {"a1": "L1", "a2": "L2", "theta1": "q1", "theta2": "q2", "tau1": "n1"}


@pytest.mark.parametrize("name", la.catalog_names())
def test_new_names_and_back_are_the_same_arm(name):
    arm = la.load(name)
    there = {letter: f"{letter}_new" for letter in (*arm.defaults, *arm.coordinates, *force_letters(arm))}
    new = rename(arm, there)
    assert set(new.defaults) | set(new.coordinates) | set(force_letters(new)) == set(there.values())
    back = rename(new, {after: before for before, after in there.items()})
    assert back == rename(arm, {letter: letter for letter in there})
    assert force_letters(back) == force_letters(arm)


@pytest.mark.parametrize("seed", range(6))
def test_a_renamed_arm_moves_alike(seed):
    """Couplings and motors that turn with other joints follow the new names: every number stays, bit for bit."""
    arm = la.load("torso") if seed == 0 else random_arm(seed)
    new = rename(arm, {name: f"{name}_new" for name in (*arm.coordinates, *arm.defaults)})
    q, qd, qdd = np.random.default_rng(seed).uniform(-1, 1, (3, arm.dof))
    assert np.array_equal(la.inverse_dynamics(new, q, qd, qdd), la.inverse_dynamics(arm, q, qd, qdd))
    assert new != arm


def test_equations_are_those_in_the_letters_of_the_page():
    what = ["M", "c", "g", "qdd"]
    text = la.equations(la.load("elbow")).text(what)
    expected = re.sub(r"\ba([12])\b", r"L\1", text).replace("thetad", "qd").replace("theta", "q")
    assert la.equations(rename(la.load("elbow"), PAGE)).text(what) == expected.replace("tau1", "n1")


def test_letters_may_change_places():
    arm = rename(la.load("elbow"), {"m1": "m2", "m2": "m1"})
    assert la.equations(arm).M[1, 1].text() == "m1 a2^2"
    assert list(arm.defaults) == ["m2", "m1", "a1", "a2", "g"]


def test_commands_take_them():
    def run(*args):
        result = CliRunner().invoke(cli, [*args, "--rename", "a1=L1,a2=L2,theta1=q1,theta2=q2"])
        assert result.exit_code == 0, result.output
        return result.stdout

    assert "M22 = m2 L2^2" in run("equations", "elbow", "--what", "M")
    assert "L₂" in run("derive", "elbow", "--level", "brief")
    assert "q = (1, 0)" in run("eval", "elbow", "g", "--q", "q1=1", "--set", "L1=2")


@pytest.mark.parametrize(
    ("names", "part"),
    [
        ({"a3": "L3"}, r"no letter named 'a3'; did you mean .* Valid: m1, m2, a1, a2, g, theta1, theta2, tau1, tau2"),
        ({"a1": "m1"}, r"'m1' would be the name of two letters"),
        ({"a1": "L", "a2": "L"}, r"'L' would be the name of two letters"),
        ({"a1": "2 x"}, r"'a1' was given the name '2 x'"),
        ({"a1": None}, r"'a1' was given the name None"),
    ],
)
def test_mistakes_are_said(names, part):
    with pytest.raises(ArmError, match=part):
        rename(la.load("elbow"), names)
