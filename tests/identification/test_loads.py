"""Loads from two logs and drive gains from a known load: values, intervals, what is not told, and bad input."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

import leverarm as la
from leverarm.errors import FormatError, InputError
from leverarm.identification.estimation.pseudo_inertia import consistency
from leverarm.identification.loads import identify_gains, identify_payload
from leverarm.identification.loads.load_body import (
    attached_body,
    consistent_body,
    mass_centre_inertia,
    slopes,
    ten_numbers,
    with_body,
)
from leverarm.spatial import Vec3
from tests.support.lifting_arm import two_links
from tests.support.loaded_logs import COM, INERTIA, MASS, TRUTH, carrying, driven, log_of

GAINS = np.array([11.0, -12.0, 9.0, 3.2, 3.0, 2.8])


@pytest.fixture(scope="module")
def ur5():
    return la.load("ur5")


@pytest.fixture(scope="module")
def found(ur5):
    """Friction is a seventh larger in the second log."""
    return identify_payload(ur5, log_of(driven(ur5), 1), log_of(carrying(driven(ur5, 1.15)), 2))


# Pieces -----------------------------------------------------------------------------------------------------------------


def test_the_columns_of_a_body_are_the_torques_it_adds(ur5):
    """tau(arm with body) - tau(arm) = columns @ numbers: the equation is linear in a body."""
    random = np.random.default_rng(3)
    q, qd, qdd = random.normal(size=(3, 4, ur5.dof))
    for frame in (None, "wrist_1_link"):
        body, ten = attached_body(ur5, frame), ten_numbers(MASS, COM, INERTIA)
        columns = body.columns(
            np.array([la.regressor(ur5, *state, kinds=["inertial"]) for state in zip(q, qd, qdd, strict=True)])
        )
        loaded = with_body(ur5, body.frame, ten)
        added = [la.inverse_dynamics(loaded, *s) - la.inverse_dynamics(ur5, *s) for s in zip(q, qd, qdd, strict=True)]
        assert columns @ ten == pytest.approx(np.array(added), abs=1e-12 * np.abs(added).max() * 100)
        assert loaded.tool == "tool" and loaded.coordinates == ur5.coordinates


def test_mass_centre_and_inertia_of_ten_numbers():
    ten = ten_numbers(MASS, COM, INERTIA)
    assert mass_centre_inertia(ten) == pytest.approx(TRUTH, rel=1e-12)
    steps = 1e-6 * np.eye(10)
    numeric = np.array([(mass_centre_inertia(ten + h) - mass_centre_inertia(ten - h)) / 2e-6 for h in steps]).T
    assert slopes(ten) == pytest.approx(numeric, abs=1e-8)


def test_the_possible_body_is_the_one_found_where_that_can_exist():
    ten, sharp = ten_numbers(MASS, COM, INERTIA), 1e-10 * np.eye(10)
    body, chi_squared = consistent_body(ten, sharp, np.linalg.inv(sharp))
    assert body == pytest.approx(ten, abs=1e-6) and chi_squared < 1e-3
    wrong = ten - np.array([0, 0, 0, 0, 0.05, 0, 0, 0, 0, 0])
    body, chi_squared = consistent_body(wrong, sharp, np.linalg.inv(sharp))
    assert consistency(body) > 0 and chi_squared > 1e3


# Loads ------------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_load_is_found_from_two_different_motions(found):
    """Mass to 1 %, centre to 2 mm; errors in their own units below what 1 in 1000 would exceed (chi squared of 10)."""
    assert found.accepted and found.mass == pytest.approx(MASS, rel=0.01)
    assert found.com == pytest.approx(COM, abs=0.002)
    assert all(entry.identifiable for entry in found.numbers)
    values = np.array([entry.value for entry in found.numbers])
    spread = slopes(ten_numbers(found.mass, found.com, found.inertia))
    off = values - TRUTH
    assert off @ np.linalg.solve(spread @ found.covariance @ spread.T, off) < 29.6
    inside = [entry.interval[0] < x < entry.interval[1] for entry, x in zip(found.numbers, TRUTH, strict=True)]
    assert sum(inside) >= 8
    assert np.linalg.eigvalsh(found.inertia)[0] > 0 and found.before.filtered_error > 5 * found.after.filtered_error
    assert any("Coulomb friction differs" in finding.message for finding in found.findings)


def test_the_arm_carries_the_load_and_la_payload_takes_it(found):
    """Energy of the weight: P grows by -m g . c, c being where the centre is in the world."""
    q = np.array([0.3, -0.8, 0.5, 0.2, -1.0, 0.4])
    arm = found.without.arm
    centre = la.forward_kinematics(arm, q, found.frame) @ np.append(found.com, 1)
    gravity = np.array([float(x) for x in arm.gravity])
    added = la.potential_energy(found.arm, q) - la.potential_energy(arm, q)
    assert added == pytest.approx(-found.mass * gravity @ centre[:3], rel=1e-10)
    body = la.payload(found.mass, found.com, found.inertia)
    assert body.numbers == pytest.approx(ten_numbers(found.mass, found.com, found.inertia).tolist(), rel=1e-12)


def test_a_result_serves_as_well_as_its_log_and_frames_agree(ur5, found):
    with_load = log_of(carrying(driven(ur5, 1.15)), 2)
    again = identify_payload(ur5, found.without, with_load, frame="wrist_3_link")
    assert again.numbers["mass"].value == pytest.approx(found.numbers["mass"].value, rel=1e-6)
    tool, wrist = (la.forward_kinematics(ur5, [0.0] * 6, frame) for frame in (found.frame, "wrist_3_link"))
    moved = np.linalg.solve(wrist, tool) @ np.append([found.numbers[f"com.{axis}"].value for axis in "xyz"], 1)
    assert [again.numbers[f"com.{axis}"].value for axis in "xyz"] == pytest.approx(moved[:3].tolist(), abs=1e-6)


def test_what_is_open_of_the_arm_is_open_of_the_load(ur5, found):
    """A covariance of the arm alone a hundred times as large: with little else to go by, errors grow several times."""
    with_load = log_of(carrying(driven(ur5, 1.15)), 2)
    vague = identify_payload(ur5, replace(found.without, covariance=100 * found.without.covariance), with_load)
    for sharp, blunt in zip(found.numbers, vague.numbers, strict=True):
        assert blunt.standard_error > 2 * sharp.standard_error


@pytest.mark.slow
def test_an_arm_may_be_taken_as_described(ur5):
    """Friction that was described wrongly by a half does not matter: it is fitted."""
    found = identify_payload(ur5, driven(ur5, 1.5), log_of(carrying(driven(ur5)), 2))
    assert found.without is None and found.mass == pytest.approx(MASS, rel=0.01)
    assert found.com == pytest.approx(COM, abs=0.002)
    assert any(finding.where == "arm" and "taken as exact" in finding.message for finding in found.findings)


@pytest.mark.slow
def test_logs_the_wrong_way_round_are_refused(ur5, found):
    swapped = identify_payload(ur5, carrying(driven(ur5)), log_of(driven(ur5), 2))
    assert not swapped.accepted and swapped.numbers["mass"].value == pytest.approx(-MASS, rel=0.02)
    assert swapped.findings[0].level == "error" and "logs were swapped" in swapped.findings[0].remedy


@pytest.mark.slow
def test_without_noise_a_load_comes_back_and_a_selective_arm_says_what_it_cannot_tell():
    """A SCARA turns about vertical axes only: it feels the mass, two coordinates of the centre and one moment."""
    scara = la.load("scara")
    bare = replace(scara, gravity=Vec3(0, 0, -9.81), symbols=tuple(s for s in scara.symbols if s[0] != "g"))
    found = identify_payload(bare, log_of(driven(bare), 1, 0.0), log_of(carrying(driven(bare)), 2, 0.0))
    told = {entry.name: entry for entry in found.numbers if entry.identifiable}
    assert set(told) == {"mass", "com.x", "com.y", "inertia.zz"}
    for name, truth in (("mass", MASS), ("com.x", COM[0]), ("com.y", COM[1]), ("inertia.zz", INERTIA[2, 2])):
        assert told[name].value == pytest.approx(truth, rel=1e-8)
    (untold,) = [finding for finding in found.findings if finding.where == "load"]
    assert untold.level == "warning" and "com.z" in untold.message and "mass" not in untold.message
    assert consistency(ten_numbers(found.mass, found.com, found.inertia)) > 0


def test_a_load_is_saved(found, tmp_path):
    assert found.save(tmp_path / "result") == tmp_path / "result"
    facts = json.loads((tmp_path / "result" / "payload.json").read_text())
    assert facts["mass"] == found.mass and facts["numbers"]["com.z"]["identifiable"] and facts["frame"] == found.frame
    q = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
    for name in ("arm.toml", "arm.urdf"):
        again = la.load(str(tmp_path / "result" / name))
        assert la.gravity(again, q) == pytest.approx(la.gravity(found.arm, q), abs=1e-9)
    found.save(tmp_path / "load.json")
    assert json.loads((tmp_path / "load.json").read_text())["mass"] == found.mass
    with pytest.raises(FormatError, match=r"'load\.xlsx' is no part of a result"):
        found.save(tmp_path / "load.xlsx")


def test_a_load_is_shown(found, tmp_path):
    text = found.text()
    assert text.startswith(f"Load at {found.frame} of {found.arm.name}") and "The mass is identifiable." in text
    tables = text.partition("Findings")[0].splitlines()
    rows = {line.split()[0]: line.split() for line in tables if line.startswith("  ")}
    assert float(rows["mass"][2]) == pytest.approx(found.mass, rel=1e-3)
    assert float(rows["com.z"][2].replace("−", "-")) == pytest.approx(found.com[2], rel=1e-3, abs=1e-9)
    after = found.after.per_joint[found.arm.coordinates[1]]
    assert float(rows[found.arm.coordinates[1]][2]) == pytest.approx(after, rel=0.01)
    page = found.save(tmp_path / "load.html").read_text()
    assert page.count("<figure>") == found.arm.dof and "<iframe" in found._repr_html_()
    refused = replace(found, accepted=False).text()
    assert "✗ The load is not identified" in refused


def test_bad_frames_and_logs_are_refused(ur5):
    log = {"q": np.zeros((100, 6)), "tau": np.zeros((100, 6)), "t": np.arange(100) / 10}
    with pytest.raises(InputError, match=r"no frame named 'tol'; did you mean 'tool'"):
        identify_payload(ur5, log, log, frame="tol")
    with pytest.raises(InputError, match=r"does not move"):
        identify_payload(ur5, log, log, frame=ur5.base)
    stand = la.Body("stand", ur5.base, la.Joint("stand_weld", la.JointKind.FIXED))
    standing = replace(ur5, bodies=(*ur5.bodies, stand), named_frames=())
    assert standing.tool == "stand" and attached_body(standing, None).frame == ur5.bodies[-1].name
    with pytest.raises(InputError, match=r"no log with the load"):
        identify_payload(ur5, log, [])


# Gains ------------------------------------------------------------------------------------------------------------------


def currents(log, gains, ratios=None):
    torques = log["tau"] if ratios is None else log["tau"] @ np.linalg.inv(ratios)
    return {**log, "tau": torques / gains}


@pytest.mark.slow
def test_gains_from_a_known_load(ur5):
    """To 1 %, each within four standard errors; one drive pushes backwards. The first axis feels inertia only."""
    heavy = (8.0, [0.05, 0.0, 0.1], 0.02 * np.eye(3))
    logs = [
        currents(log_of(arm, seed, 0.005, seconds=24), GAINS)
        for arm, seed in ((driven(ur5), 1), (carrying(driven(ur5, 1.2), *heavy), 2))
    ]
    mass, com, inertia = heavy
    found = identify_gains(ur5, *logs, mass=mass, com=com, inertia=inertia, units={"tau": "A"})
    assert found.values == pytest.approx(GAINS, rel=0.01) and found.identifiable.all()
    assert np.all(np.abs(found.values - GAINS) < 4 * found.standard_errors)
    assert not any(finding.where == "torques" for finding in found.findings)
    assert found.load_torques[0] < found.load_torques[1] / 3


@pytest.mark.slow
def test_gains_of_coupled_motors_without_noise():
    """Currents of motors that drive both joints: motors = R q. Without noise the gains come back."""
    arm, ratios, gains = two_links(), np.array([[80.0, 0.0], [-50.0, 50.0]]), np.array([0.05, -0.07])
    logs = [
        currents(log_of(each, seed, 0.0), gains, ratios)
        for each, seed in ((driven(arm), 1), (carrying(driven(arm)), 2))
    ]
    said = {"ratio": ratios, "motor_side": ("tau",), "units": {"tau": "A"}}
    found = identify_gains(arm, *logs, mass=MASS, com=COM, inertia=INERTIA, **said)
    assert found.values == pytest.approx(gains, rel=1e-6)


@pytest.mark.slow
def test_a_load_too_light_does_not_tell_gains():
    arm = two_links()
    light = carrying(driven(arm), 0.01, [0, 0, 0], None)
    logs = [currents(log_of(each, seed, 0.05), 2.0) for each, seed in ((driven(arm), 1), (light, 2))]
    found = identify_gains(arm, *logs, mass=0.01, units={"tau": "A"})
    assert not found.identifiable.any()
    assert any("these gains are not identifiable" in f.message and "heavier load" in f.remedy for f in found.findings)


@pytest.mark.slow
def test_springs_of_the_arm_are_known_beside_a_load(ur5):
    """They are taken off both logs, from a log of the arm alone or its description; gains are not calibrated with them."""
    bodies = list(ur5.bodies)
    k = next(i for i, body in enumerate(bodies) if body.joint.name == ur5.joint_names[1])
    bodies[k] = replace(bodies[k], joint=replace(bodies[k].joint, spring=la.Spring(60.0, -1.0)))
    arm = replace(ur5, bodies=tuple(bodies))
    for alone in (log_of(driven(arm), 1), driven(arm)):
        found = identify_payload(arm, alone, log_of(carrying(driven(arm)), 2))
        assert found.mass == pytest.approx(MASS, rel=0.02) and found.com == pytest.approx(COM, abs=0.004)
        assert found.arm.bodies[k].joint.spring == la.Spring(60.0, -1.0)
    with pytest.raises(InputError, match="has springs, whose torques are not known in amperes"):
        identify_gains(arm, alone, alone, mass=2.0)


def test_bad_loads_and_gains_are_refused():
    arm = two_links()
    log = log_of(driven(arm), 1)
    for load, told in (({"mass": -1}, "mass = -1"), ({"mass": 1, "com": [1, 2]}, "load: com")):
        with pytest.raises(InputError, match=told):
            identify_gains(arm, log, log, **load)
    with pytest.raises(InputError, match=r"symmetric 3 x 3"):
        identify_gains(arm, log, log, mass=1, inertia=[[1, 2], [3, 4]])
    with pytest.raises(InputError, match=r"gains are to be identified"):
        identify_gains(arm, log, log, mass=1, gains=[1, 2])
