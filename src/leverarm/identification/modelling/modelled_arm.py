"""How the drives and springs of an arm are modelled, and the base parameters of the model.

Friction of each joint, motors that turn with several joints (as described by the arm, a matrix of gear ratios or the
user), the nominal values of an arm, and which columns are fitted and what combinations they stand for. The torque of
springs whose stiffness is known is taken off a log, and added to what is predicted.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from leverarm.arrays import Array, IntArray
from leverarm.errors import InputError, require_known
from leverarm.identification.logs.log import Log
from leverarm.identification.structure import Structure
from leverarm.mechanics import parameters, spring_forces
from leverarm.model import UNLOADED_LAWS, Arm, Body, Motor, bind, to_float


@dataclass(frozen=True, slots=True)
class JointModel:
    """Friction of one joint: viscous speed + Coulomb sgn(speed) + offset.

    With `smoothing` w, sgn(speed) is tanh(speed / w). Asymmetric friction has a separate viscous coefficient backwards;
    a separate Coulomb coefficient is equivalent to an offset.
    """

    smoothing: float | None = None
    is_asymmetric: bool = False

    def __str__(self) -> str:
        viscous = "viscous (each direction)" if self.is_asymmetric else "viscous"
        coulomb = "Coulomb" if self.smoothing is None else f"Coulomb tanh(v/{self.smoothing:.2g})"
        return f"{viscous} + {coulomb}"


@dataclass(frozen=True, slots=True)
class Coupling:
    """The motor of joint `motor` turns with joint `also` too: as fast as its own joint + ratio times the other."""

    motor: int
    also: int
    ratio: float


@dataclass(frozen=True, slots=True)
class DriveModel:
    """A model for each joint, and the couplings between motors and other joints."""

    joints: tuple[JointModel, ...]
    couplings: tuple[Coupling, ...] = ()


def plain_drives(dof: int) -> DriveModel:
    """Symmetric friction with a sharp sign in every joint, no couplings."""
    return DriveModel((JointModel(),) * dof)


OF_DRIVES = ("rotor", *(law.name for law in UNLOADED_LAWS), "spring")


def nominal_values(arm: Arm, names: Sequence[str], bodies: Array) -> Array:
    """The nominal values of these columns as an arm describes them, `bodies` those of its links; else 0."""
    described = {entry.name: float(entry.value) for entry in parameters(bind(arm), OF_DRIVES)}
    values = np.array([described.get(name, 0.0) for name in names])
    values[: len(bodies)] = bodies
    return values


def couplings_of(arm: Arm) -> tuple[Coupling, ...]:
    """The couplings an arm describes: motors of a joint that also turn with other joints."""
    place = {name: j for j, name in enumerate(arm.joint_names)}
    found = []
    for rotor in bind(arm).rotors:
        gears = {j: float(gear) for j, gear in rotor.gears}
        own = place.get(rotor.joint)
        if own is not None and gears.get(own):
            found += [Coupling(own, j, gear / gears[own]) for j, gear in gears.items() if j != own]
    return tuple(found)


def with_couplings(arm: Arm, couplings: Sequence[Coupling]) -> Arm:
    """The arm with motors coupled to further joints; couplings that it describes itself stay."""
    described = {(c.motor, c.also) for c in couplings_of(arm)}
    added: dict[str, list[Coupling]] = {}
    for coupling in couplings:
        if (coupling.motor, coupling.also) not in described:
            added.setdefault(arm.joint_names[coupling.motor], []).append(coupling)

    def changed(body: Body) -> Body:
        if body.joint.name not in added:
            return body
        motor = body.joint.motor or Motor(inertia=0)
        gear = to_float(motor.gear, arm.defaults)
        also = tuple((arm.joint_names[c.also], c.ratio * gear) for c in added[body.joint.name])
        return replace(body, joint=replace(body.joint, motor=replace(motor, also=(*motor.also, *also))))

    return replace(arm, bodies=tuple(changed(body) for body in arm.bodies)) if added else arm


ROUNDING = 1e-9
"""Of a motor's own gear: a smaller one to another joint is rounding of an inverted matrix."""


def described_couplings(arm: Arm, ratio: Any, pairs: Sequence[tuple[str, str]]) -> tuple[Coupling, ...]:
    """The couplings of the arm, of a matrix with motor speeds = ratio @ qd, of (motor's joint, other joint) pairs."""
    found: dict[tuple[int, int], Coupling] = {}
    for coupling in (*couplings_of(arm), *_couplings_in(ratio), *_named_couplings(arm, pairs)):
        # the first of those that couple the same motor with the same joint
        found.setdefault((coupling.motor, coupling.also), coupling)
    return tuple(found.values())


def _named_couplings(arm: Arm, pairs: Sequence[tuple[str, str]]) -> tuple[Coupling, ...]:
    for pair in pairs:
        if isinstance(pair, str) or len(pair) != 2 or pair[0] == pair[1]:
            takes = "it takes a pair of joints, (the motor's own, another one it turns with)"
            raise InputError(f"coupling {pair!r}: {takes}.")
        for name in pair:
            require_known("joint", name, arm.joint_names)
    return tuple(Coupling(arm.joint_names.index(a), arm.joint_names.index(b), 1.0) for a, b in pairs)


def _couplings_in(ratio: Any) -> tuple[Coupling, ...]:
    """The couplings of a matrix with motor speeds = ratio @ qd, where it was given."""
    R = np.atleast_1d(np.asarray(0.0 if ratio is None else ratio, dtype=np.float64))
    if R.ndim != 2:
        return ()
    return tuple(
        Coupling(int(i), int(j), float(R[i, j] / R[i, i]))
        for i, j in np.argwhere(np.abs(R) > ROUNDING * np.abs(np.diag(R))[:, None])
        if i != j and R[i, i] != 0
    )


@dataclass(frozen=True, slots=True)
class Base:
    """Columns that are fitted (b,), and phi_base = regrouping @ phi over all columns of the model (b, p)."""

    columns: IntArray
    regrouping: Array
    names: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.columns)

    def combination(self, i: int, names: Sequence[str]) -> tuple[tuple[float, str], ...]:
        """(factor, parameter) pairs of one base parameter, its own first."""
        row, own = self.regrouping[i], int(self.columns[i])
        others = [j for j in np.flatnonzero(row).tolist() if j != own]
        return tuple((float(row[j]), names[j]) for j in (own, *others))


def base_of(structure: Structure, names: Sequence[str]) -> Base:
    """The base parameters of a model with these columns: those of the structure, and every column it does not have."""
    known = {name: j for j, name in enumerate(structure.names)}
    there = [i for i, name in enumerate(names) if name in known]
    alone = [i for i, name in enumerate(names) if name not in known]
    seen = np.zeros((len(structure), len(names)))
    seen[:, there] = structure.regrouping[:, [known[names[i]] for i in there]]
    own, seen = _named_anew(seen, [_place(names, name) for name in structure.base_names])
    regrouping = np.concatenate([seen, np.eye(len(names))[alone]])
    columns = np.array([*own, *alone], dtype=np.int64)
    order = np.argsort(columns)
    return Base(columns[order], regrouping[order], tuple(names[i] for i in columns[order]))


def _place(names: Sequence[str], name: str) -> int | None:
    return names.index(name) if name in names else None


def _named_anew(regrouping: Array, own: list[int | None]) -> tuple[list[int], Array]:
    """Combinations named after a parameter that the model does not have, renamed after another of theirs.

    The friction of a joint that follows another one is that of the other, and the model has only the other's. With
    phi_base = R phi and the columns B kept, W = W_B R_B^-1 R: R_B^-1 R is the regrouping of the new names.
    """
    rows = np.flatnonzero(regrouping.any(axis=1))
    kept: list[int] = []
    for i in rows.tolist():
        name = own[i]
        kept.append(int(np.argmax(np.abs(regrouping[i]))) if name is None else name)
    R = regrouping[rows]
    return kept, np.asarray(np.linalg.solve(R[:, kept], R), dtype=np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class KnownSprings:
    """What springs take along the coordinates, stiffness q - pull [N m or N]: (n, n) and (n,)."""

    stiffness: Array
    pull: Array

    @staticmethod
    def of(arm: Arm) -> KnownSprings:
        """The springs of an arm. Their force is linear in q: n + 1 positions say all of it."""
        mechanism, still = bind(arm), np.zeros(arm.dof)
        at_zero = np.array(spring_forces(mechanism, still.tolist()), dtype=np.float64)
        columns = [spring_forces(mechanism, unit.tolist()) for unit in np.eye(arm.dof)]
        return KnownSprings(np.array(columns, dtype=np.float64).T - at_zero[:, None], -at_zero)

    def torque(self, q: Array) -> Array:
        """Their torques (..., n) at positions (..., n)."""
        return np.asarray(q @ self.stiffness.T - self.pull)

    def taken_off(self, log: Log) -> Log:
        """The log of the same motion without springs."""
        if not self.stiffness.any():
            return log
        pieces = tuple(replace(piece, tau=piece.tau - self.torque(piece.q)) for piece in log.pieces)
        return replace(log, pieces=pieces)


def parted(arm: Arm, sought: Collection[str]) -> tuple[Arm, KnownSprings]:
    """The arm with only the springs of the joints sought, which are to be identified, and the others as known."""

    def having(is_sought: bool) -> Arm:
        joints = (body.joint for body in arm.bodies)
        kept = (j if (j.name in sought) is is_sought else replace(j, spring=None) for j in joints)
        return replace(arm, bodies=tuple(replace(b, joint=j) for b, j in zip(arm.bodies, kept, strict=True)))

    return having(True), KnownSprings.of(having(False))


def with_springs_of(arm: Arm, other: Arm) -> Arm:
    """The arm with the springs of another one that has the same joints."""
    springs = {body.joint.name: body.joint.spring for body in other.bodies}
    bodies = (replace(b, joint=replace(b.joint, spring=springs.get(b.joint.name))) for b in arm.bodies)
    return replace(arm, bodies=tuple(bodies))
