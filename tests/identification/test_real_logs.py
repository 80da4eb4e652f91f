"""Identification of real robots from their logs, with default settings: the errors on motions that were not fitted."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import leverarm as la
from tests.support.real_logs import kr300, panda, part, tx40, ur10

TX40_VISCOUS = np.array([8.05, 5.53, 1.97, 1.11, 1.86, 0.65])
TX40_COULOMB = np.array([7.14, 8.26, 6.34, 2.48, 3.03])
"""Reference values that come with the TX40's log [N m s, N m]; joint 6's Coulomb friction is mostly that of its motor."""


@cache
def ur10_result() -> la.types.Identified:
    arm, log = ur10()
    return la.identify(arm, part(log, 0, 0.7), validate=[part(log, 0.7, 1)])


@cache
def panda_result() -> la.types.Identified:
    arm, log = panda()
    return la.identify(arm, part(log, 0, 0.7), validate=[part(log, 0.7, 1)])


@cache
def tx40_result() -> la.types.Identified:
    arm, files, reading = tx40()
    return la.identify(arm, files, **reading)


@cache
def kr300_result(fitted: str, other: str) -> la.types.Identified:
    arm, files, reading = kr300()
    return la.identify(arm, [files[x] for x in fitted], validate=[files[other]], **reading)


@pytest.mark.slow
def test_ur10_predicts_the_rest_of_its_log() -> None:
    (found,) = ur10_result().validations
    assert found.relative_error < 7
    assert ur10_result().accepted
    assert found.cad_error > 40, "the drawing has no friction"


@pytest.mark.slow
def test_panda_predicts_the_rest_of_its_log() -> None:
    """The torque sensors' own noise is 3 % of the torque: only the filtered torque can be predicted to 2 %."""
    (found,) = panda_result().validations
    assert found.filtered_error < 2
    assert found.relative_error < 1.2 * np.hypot(found.noise_error, found.filtered_error)
    assert found.relative_error < found.cad_error


@pytest.mark.slow
def test_tx40_friction_is_that_of_the_reference() -> None:
    frictions = tx40_result().frictions
    viscous = np.array([f.viscous for f in frictions])
    coulomb = np.array([f.coulomb for f in frictions])
    np.testing.assert_allclose(viscous, TX40_VISCOUS, rtol=0.03)
    np.testing.assert_allclose(coulomb[:5], TX40_COULOMB, rtol=0.05)


@pytest.mark.slow
def test_tx40_predicts_blocks_left_out() -> None:
    result = tx40_result()
    assert len(result.parameters) == 61
    assert result.cross_validation.filtered_error < 7.5
    assert any("rest" in f.message and f.where == "standstill" for f in result.findings)


@pytest.mark.slow
def test_tx40_coupling_is_found_without_being_told() -> None:
    arm, files, reading = tx40()
    log = la.read_log(files, arm, **reading)
    result = la.identify(arm, log)
    assert result.settings["couplings"] == "motor of joint_6 turns with joint_5"


@pytest.mark.slow
def test_kr300_on_one_motion_alone_is_refused() -> None:
    result = kr300_result("A", "B")
    assert not result.accepted
    assert "condition number" in result.verdict
    assert "traj_B" in result.verdict


@pytest.mark.slow
def test_kr300_on_two_motions_predicts_a_third() -> None:
    result = kr300_result("AB", "C")
    assert result.accepted
    assert result.validations[0].relative_error < 15
    assert any(f.where == "rigid model" for f in result.findings), (
        "elastic joints and a counterbalance are not modelled"
    )


@pytest.mark.slow
@pytest.mark.parametrize("result", [ur10_result, panda_result, tx40_result], ids=["ur10", "panda", "tx40"])
def test_identified_arms_can_be_built_and_written(result, tmp_path) -> None:
    found = result()
    rng = np.random.default_rng(5)
    q, qd, qdd = rng.uniform(-2, 2, (3, 200, found.arm.dof))
    torque = found.torque(q, qd, qdd)
    scale = np.abs(torque).max()
    found.save(tmp_path / "result")
    for name in ("arm.toml", "arm.urdf"):
        again = la.compile(la.load(tmp_path / "result" / name)).inverse_dynamics(q, qd, qdd)
        np.testing.assert_allclose(again, torque, atol=1e-12 * scale)
    M = la.compile(found.arm).mass_matrix(rng.uniform(-np.pi, np.pi, (100_000, found.arm.dof)))
    assert np.linalg.eigvalsh(M).min() > 0
