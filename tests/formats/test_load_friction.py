"""Friction that grows with the load in files, symbols, tables and lint: k survives every format."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

import leverarm as la
from leverarm.cli import cli
from leverarm.formats.native import arm_from_toml, toml_from_arm
from leverarm.identification.writing_back import with_parameters
from leverarm.model import symbolic
from tests.formats.test_round_trips import ENDINGS
from tests.support.loaded_arms import under_load


def coefficients(arm):
    return [body.joint.friction.load for body in arm.bodies if body.joint.friction is not None]


@pytest.mark.parametrize("ending", ENDINGS)
def test_every_format_holds_the_coefficient(ending, tmp_path):
    arm = under_load(la.load("panda"), 0.01)
    la.save(arm, tmp_path / f"arm{ending}")
    again = la.load(tmp_path / f"arm{ending}")
    assert [float(k) for k in coefficients(again)] == coefficients(arm)
    q, qd, qdd = [0.1 * i for i in range(7)], [0.2] * 7, [0.3] * 7
    assert la.inverse_dynamics(again, q, qd, qdd) == pytest.approx(la.inverse_dynamics(arm, q, qd, qdd), rel=1e-12)


def test_the_key_of_toml_and_its_mistakes():
    text = toml_from_arm(under_load(la.load("elbow"), 0.05))
    assert "friction = { load = 0.05 }" in text
    with pytest.raises(la.LeverarmError, match=r"load friction is -0\.05; it is a magnitude"):
        arm_from_toml(text.replace("load = 0.05", "load = -0.05"))
    with pytest.raises(la.LeverarmError, match="did you mean 'load'"):
        arm_from_toml(text.replace("load = 0.05", "laod = 0.05"))


def test_it_becomes_a_symbol():
    arm = symbolic(under_load(la.load("panda"), 0.05), "friction")
    assert arm.defaults["k1"] == 0.05
    assert str(arm.bodies[0].joint.friction.load) == "k1"


def test_show_has_a_column_where_there_is_some(tmp_path):
    la.save(under_load(la.load("elbow"), 0.05), tmp_path / "loaded.toml")
    la.save(la.load("puma560"), tmp_path / "plain.toml")
    shown = [CliRunner().invoke(cli, ["show", str(tmp_path / name)]).stdout for name in ("loaded.toml", "plain.toml")]
    assert "load" in shown[0].split("Links")[0]
    assert "0.05" in shown[0].split("Links")[0]
    assert "load" not in shown[1].split("Friction and motors")[1].split("Links")[0]


def test_lint_asks_about_coefficients_that_no_gear_has():
    (found,) = [f for f in la.lint(under_load(la.load("elbow"), 0.4)) if "friction" in f.message]
    assert found.level == "warning"
    assert "theta2" in found.where
    assert "0.8" in found.message


def test_values_are_written_into_an_arm_by_name():
    arm = with_parameters(under_load(la.load("elbow"), 0.05), {"theta1.load": 0.2, "theta2.load": 0.0})
    assert coefficients(arm) == [0.2, 0.0]
