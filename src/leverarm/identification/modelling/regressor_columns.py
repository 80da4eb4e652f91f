"""The columns of the equations of motion for many samples at once: tau = W(q, qd, qdd) phi.

Links by the compiled regressor; drives here: rotor inertia, friction, offset, coupled motor shafts, springs and
columns that a user adds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

import numpy as np

from leverarm.arrays import Array
from leverarm.errors import InputError, require_known
from leverarm.findings import Finding, listed
from leverarm.identification.modelling.modelled_arm import Coupling, DriveModel, JointModel, with_couplings
from leverarm.identification.structure import with_drives
from leverarm.mechanics import parameters
from leverarm.model import Arm, bind, to_float
from leverarm.runtime.compiled import CompiledArm


@dataclass(frozen=True, slots=True)
class Shaft:
    """A motor's shaft: the joint it is named after, and (coordinate, gear) pairs of all that it turns with.

    `motor` is the coordinate of that joint and `gear` how many times faster the shaft turns; None for a shaft on a
    joint that is no coordinate. `rubs`: whether it has friction of its own, which that of a joint could not represent.
    """

    joint: str
    gears: tuple[tuple[int, float], ...]
    motor: int | None
    gear: float
    rubs: bool

    def turned(self, x: Array) -> Array:
        """The shaft's speeds (k,) at speeds x (k, n) of the coordinates, or its accelerations likewise."""
        speeds = np.zeros(len(x))
        for j, gear in self.gears:
            speeds += gear * x[:, j]
        return speeds

    def felt(self, torque: Array) -> dict[int, Array]:
        """A torque (k,) on the shaft at the coordinates: through the same gears, so that power is conserved."""
        return {j: gear * torque for j, gear in self.gears}

    def gear_of(self, j: int) -> float:
        """How fast the shaft turns per unit speed of one coordinate."""
        return dict(self.gears).get(j, 0.0)


@lru_cache(maxsize=32)
def shafts_of(arm: Arm, couplings: tuple[Coupling, ...]) -> tuple[Shaft, ...]:
    """The shafts of an arm with these couplings: every coordinate has one that turns with it."""
    driven = with_drives(with_couplings(arm, couplings))
    place = {name: j for j, name in enumerate(driven.joint_names)}
    motors = {body.joint.name: body.joint.motor for body in driven.bodies}
    found = []
    for rotor in bind(driven).rotors:
        motor = motors[rotor.joint]
        gear = 1.0 if motor is None else to_float(motor.gear, driven.defaults)
        gears = tuple((j, float(ratio)) for j, ratio in rotor.gears)
        found.append(Shaft(rotor.joint, gears, place.get(rotor.joint), gear, rotor.has_friction_parameters))
    return tuple(found)


Kind = Literal["inertial", "rotor", "viscous", "coulomb", "offset", "user"]
UserColumn = Callable[[Array, Array, Array], Array]
"""A column that a user adds: torques (k, n) [N m or N] per unit of its coefficient, from q, qd, qdd (k, n)."""
_Column = tuple[str, Kind, dict[int, Array]]
"""A name, a kind, and the torques on the joints it acts on."""


@dataclass(frozen=True, slots=True)
class Columns:
    """W (samples, joints, parameters), the name and kind of each parameter, and the motor shafts behind them."""

    W: Array
    names: tuple[str, ...]
    kinds: tuple[Kind, ...]
    shafts: tuple[Shaft, ...]

    def __len__(self) -> int:
        return len(self.names)

    def plus_drives(self, change: Array) -> Columns:
        """The same columns, with a change (k, n, d) of those of the drives."""
        W = self.W.copy()
        first = self.kinds.count("inertial")
        W[:, :, first : first + change.shape[2]] += change
        return replace(self, W=W)


@dataclass(frozen=True, slots=True)
class ColumnMaker:
    """Makes the columns of one arm: compiled once, used for every filter and every drive model."""

    arm: Arm
    fast: CompiledArm
    user: Mapping[str, UserColumn]
    link_names: tuple[str, ...]
    """Names of the links' ten numbers each, in the order of the columns."""

    @staticmethod
    def of(arm: Arm, user: Mapping[str, UserColumn] | None = None) -> ColumnMaker:
        """For an arm, with the user's own columns by name."""
        from leverarm.runtime.compiled import compile as compiled

        names = tuple(entry.name for entry in parameters(bind(arm), ("inertial",)))
        return ColumnMaker(arm, compiled(arm, "regressor"), user or {}, names)

    def links(self, q: Array, qd: Array, qdd: Array) -> Array:
        """Columns (k, n, 10 links) of the links' numbers."""
        return np.asarray(self.fast.regressor(q, qd, qdd, kinds=("inertial",)), dtype=np.float64)

    def columns(self, q: Array, qd: Array, qdd: Array, drives: DriveModel) -> Columns:
        """All columns."""
        W = self.links(q, qd, qdd)
        shafts = shafts_of(self.arm, drives.couplings)
        of_drives = _drive_columns(self.arm.joint_names, shafts, qd, qdd, drives)
        own = [*of_drives, *self._user_columns(q, qd, qdd)]
        added = _stacked(own, q.shape)
        names = (*self.link_names, *(name for name, _, _ in own))
        of_links: list[Kind] = ["inertial"] * len(self.link_names)
        kinds = (*of_links, *(kind for _, kind, _ in own))
        if len(set(names)) < len(names):
            taken = next(name for name in self.user if names.count(name) > 1)
            raise InputError(f"column {taken!r}: a parameter of the arm has this name. Choose another one.")
        return Columns(np.concatenate([W, added], axis=2), names, kinds, shafts)

    def of_drives(self, qd: Array, qdd: Array, drives: DriveModel) -> Array:
        """Columns (k, n, d) of the drives alone: those that follow the links' in `columns`."""
        shafts = shafts_of(self.arm, drives.couplings)
        return _stacked(_drive_columns(self.arm.joint_names, shafts, qd, qdd, drives), qd.shape)

    def _user_columns(self, q: Array, qd: Array, qdd: Array) -> list[_Column]:
        made: list[_Column] = []
        for name, function in self.user.items():
            if not callable(function):
                raise InputError(f"column {name!r} is {function!r}; a column is a function of q, qd, qdd.")
            torques = np.asarray(function(q, qd, qdd), dtype=np.float64)
            if torques.shape != q.shape or not np.isfinite(torques).all():
                raise InputError(
                    f"column {name!r}: returned an array of shape {torques.shape} with "
                    f"{np.size(torques) - int(np.isfinite(torques).sum())} numbers that are not finite; a column is an "
                    f"array of finite torques like q, here {q.shape}."
                )
            made.append((name, "user", dict(enumerate(torques.T))))
        return made


def _stacked(columns: list[_Column], shape: tuple[int, ...]) -> Array:
    """Columns as one array (k, n, their number)."""
    stacked = np.zeros((*shape, len(columns)))
    for index, (_, _, torques) in enumerate(columns):
        for joint, torque in torques.items():
            stacked[:, joint, index] = torque
    return stacked


def _drive_columns(
    joints: tuple[str, ...], shafts: tuple[Shaft, ...], qd: Array, qdd: Array, drives: DriveModel
) -> list[_Column]:
    """Rotors, viscous, Coulomb, offset: each of all joints in order, with those of coupled motors behind them."""
    found: dict[Kind, list[_Column]] = {"rotor": [], "viscous": [], "coulomb": [], "offset": []}
    for j, (name, model) in enumerate(zip(joints, drives.joints, strict=True)):
        speed = qd[:, j]
        direction = direction_of(model, speed)
        if model.is_asymmetric:
            forward, backward = (1 + direction) / 2, (1 - direction) / 2
            found["viscous"].append((f"{name}.viscous", "viscous", {j: forward * speed}))
            found["viscous"].append((f"{name}.viscous_negative", "viscous", {j: backward * speed}))
        else:
            found["viscous"].append((f"{name}.viscous", "viscous", {j: speed}))
        found["coulomb"].append((f"{name}.coulomb", "coulomb", {j: direction}))
        found["offset"].append((f"{name}.offset", "offset", {j: np.ones(len(qd))}))
    for shaft in shafts:
        found["rotor"].append((f"{shaft.joint}.rotor", "rotor", shaft.felt(shaft.turned(qdd))))
        if shaft.rubs:
            speed = shaft.turned(qd)
            direction = _direction_of_shaft(shaft, speed, drives)
            found["viscous"].append((f"{shaft.joint}.motor_viscous", "viscous", shaft.felt(speed)))
            found["coulomb"].append((f"{shaft.joint}.motor_coulomb", "coulomb", shaft.felt(direction)))
    return [column for columns in found.values() for column in columns]


def _direction_of_shaft(shaft: Shaft, speed: Array, drives: DriveModel) -> Array:
    """Smooth where the friction of the motor's joint is, at the same speed of the joint."""
    if shaft.motor is None:
        return np.sign(speed)
    return direction_of(drives.joints[shaft.motor], speed / abs(shaft.gear))


def direction_of(model: JointModel, speed: Array) -> Array:
    """Which way a joint moves: sgn(speed), or its smooth form."""
    return np.sign(speed) if model.smoothing is None else np.tanh(speed / model.smoothing)


def springs(arm: Arm, joints: Sequence[str]) -> dict[str, UserColumn]:
    """Columns of springs: how far one joint is from where its spring rests, by the arm or else at zero."""
    found: dict[str, UserColumn] = {}
    for joint in joints:
        require_known("joint", joint, arm.joint_names)
        j = arm.joint_names.index(joint)
        own = next((body.joint.spring for body in arm.bodies if body.joint.name == joint), None)
        rest = 0.0 if own is None else to_float(own.rest, arm.defaults)

        def spring(q: Array, qd: Array, qdd: Array, j: int = j, rest: float = rest) -> Array:
            torque = np.zeros_like(q)
            torque[:, j] = q[:, j] - rest
            return torque

        found[f"{joint}.spring"] = spring
    return found


def unwritten(own: Mapping[str, UserColumn]) -> list[Finding]:
    """A note on columns that the written arm cannot hold."""
    message = "is not written to the arm: a description has no place for it."
    remedy = "Use `result.torque`, or add this term to the torques of the arm."
    return [Finding("note", listed("column", list(own)), message, remedy)] if own else []
