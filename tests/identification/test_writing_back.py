"""Parameters written into an arm and read back from its mechanism, its files and its torques."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from leverarm import mechanics
from leverarm.errors import InputError
from leverarm.formats import catalog_names, load, save
from leverarm.identification.writing_back import with_parameters
from leverarm.model import Arm, Friction, JointKind, Motor, bind, symbolic
from leverarm.quantities import inverse_dynamics
from tests.support.random_arms import random_arm

KINDS = ("inertial", "viscous", "coulomb", "offset", "rotor")
ULPS = 4 * np.finfo(float).eps
"""A division by the mass and a multiplication, and room for a conversion."""


def robot(file: str) -> Arm:
    """A URDF of the example-robot-data wheel."""
    for folder in map(Path, sys.path):
        found = sorted((folder / "cmeel.prefix" / "share" / "example-robot-data" / "robots").glob(f"*/*/{file}"))
        if found:
            return load(found[0])
    pytest.skip("example-robot-data is not installed")


def random_values(arm: Arm, seed: int) -> dict[str, float]:
    rng = np.random.default_rng(seed)
    return {entry.name: float(rng.uniform(0.1, 3)) for entry in mechanics.parameters(bind(arm), KINDS)}


def comes_back(arm: Arm, seed: int, tmp_path: Path) -> None:
    values = random_values(arm, seed)
    written = with_parameters(arm, values)
    read = {entry.name: float(entry.value) for entry in mechanics.parameters(bind(written), KINDS)}
    assert read.keys() == values.keys()
    assert max(abs(read[name] / values[name] - 1) for name in values) <= ULPS
    state = np.random.default_rng(seed).normal(size=(3, arm.dof))
    torques = inverse_dynamics(written, *state)
    same_torques(written, tmp_path / "arm.toml", torques, state)
    if all(body.joint.kind is not JointKind.HELICAL for body in arm.bodies):
        same_torques(written, tmp_path / "arm.urdf", torques, state)


def same_torques(arm: Arm, path: Path, torques: np.ndarray, state: np.ndarray) -> None:
    save(arm, path)
    assert np.abs(inverse_dynamics(load(path), *state) - torques).max() <= 1e-9 * np.abs(torques).max()


@pytest.mark.parametrize("name", catalog_names())
def test_catalog(name, tmp_path):
    comes_back(load(name), 1, tmp_path)


@pytest.mark.parametrize("seed", range(25))
def test_random_trees(seed, tmp_path):
    comes_back(random_arm(seed), seed, tmp_path)


@pytest.mark.parametrize("file", ["panda.urdf", "so101.urdf", "z1.urdf", "talos_left_arm.urdf", "kinova.urdf"])
def test_real_robots_with_fixed_links(file, tmp_path):
    arm = robot(file)
    assert len(arm.bodies) > arm.dof
    comes_back(arm, 2, tmp_path)


def test_numbers_that_are_not_given_stay():
    arm = load("panda")
    before = {entry.name: entry.value for entry in mechanics.parameters(bind(arm), ("inertial",))}
    written = with_parameters(arm, {"link3.m": 5.0})
    after = {entry.name: entry.value for entry in mechanics.parameters(bind(written), ("inertial",))}
    assert after["link3.m"] == 5.0
    assert all(abs(after[name] - before[name]) <= ULPS * abs(before[name]) for name in before if name != "link3.m")
    untouched = [body for body in arm.bodies if body.name != "link3"]
    assert [body for body in written.bodies if body.name != "link3"] == untouched


def test_friction_models():
    arm = load("rr")
    first = arm.joint_names[0]

    def friction(values: dict[str, float], arm: Arm = arm) -> Friction | None:
        return (
            with_parameters(arm, {f"{first}.{name}": value for name, value in values.items()}).bodies[0].joint.friction
        )

    assert friction({"viscous": 2.0, "coulomb": 1.0, "offset": -0.5}) == Friction(2.0, 1.0, offset=-0.5)
    assert friction({"viscous": 0.0, "coulomb": 0.0, "offset": 0.0}) is None
    both = {"viscous": 2.0, "viscous_negative": 3.0, "coulomb": 1.0, "coulomb_negative": 0.5, "smoothing": 0.1}
    two_sided = with_parameters(arm, {f"{first}.{name}": value for name, value in both.items()})
    assert two_sided.bodies[0].joint.friction == Friction(2.0, 1.0, 3.0, 0.5, 0.1)
    assert friction({"viscous": 4.0, "smoothing": 0.0}, two_sided) == Friction(4.0, 1.0, None, 0.5)


def test_rotors():
    arm = load("panda")
    written = with_parameters(arm, {"joint1.rotor": 0.3, "joint2.rotor": 0.0})
    assert written.bodies[0].joint.motor == Motor(0.3)
    assert written.bodies[1].joint.motor is None
    geared = replace(arm.bodies[0], joint=replace(arm.bodies[0].joint, motor=Motor(1e-4, 100)))
    again = with_parameters(replace(arm, bodies=(geared, *arm.bodies[1:])), {"joint1.rotor": 2e-4})
    assert again.bodies[0].joint.motor == Motor(2e-4, 100)


def test_symbols_of_replaced_numbers_are_dropped():
    arm = symbolic(load("panda"), "inertia", "gravity")
    written = with_parameters(arm, random_values(arm, 3))
    assert [name for name, _ in written.symbols] == ["g"]


def test_what_cannot_be_written_is_refused():
    arm = load("panda")
    with pytest.raises(InputError, match=r"did you mean .*'link2\.Ixy'"):
        with_parameters(arm, {"link2.Ixyz": 1.0})
    with pytest.raises(InputError, match="zero or positive"):
        with_parameters(arm, {"link2.m": -1.0})
    with pytest.raises(InputError, match="zero or positive"):
        with_parameters(arm, {"joint2.coulomb": -1.0})
    with pytest.raises(InputError, match="finite"):
        with_parameters(arm, {"link2.hx": float("nan")})
    with pytest.raises(InputError, match="no mass but the first moment"):
        with_parameters(arm, {"link2.m": 0.0})
