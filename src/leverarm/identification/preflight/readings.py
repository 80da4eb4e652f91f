"""Other readings of the columns of a log, and how well each agrees with the equations.

Joints with the other sign, swapped, or with another zero; gravity in another direction. `gravity_columns` are the
torques that gravity along each axis of the world causes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal, get_args

import numpy as np

from leverarm import mechanics
from leverarm.arrays import Array, IntArray
from leverarm.identification.motions import Motion
from leverarm.identification.preflight.samples import Thinned, weighted
from leverarm.model import Arm, Mechanism, bind
from leverarm.scalars import Scalar, Turn
from leverarm.spatial import Vec3


def gravity_columns(arm: Arm, q: Array) -> Array:
    """Columns (3, m, n, 10 links) of the inertial parameters at rest, for gravity of 1 m/s^2 along x, y and z.

    The regressor is linear in gravity at rest, so these three give it for any. The mechanics run over arrays: each
    joint's angle is held as its cosines and sines at all m positions.
    """
    mechanism = bind(arm)
    joints = mechanism.joint_values(list(q.T))
    states = [
        Turn(np.cos(x), np.sin(x), x) if link.turns else x for link, x in zip(mechanism.links, joints, strict=True)
    ]
    apart = _uncoupled(mechanism)
    at_rest: list[Scalar] = [0] * apart.dof
    along = []
    for axis in (Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)):
        rows = mechanics.regressor(replace(apart, gravity=axis), states, at_rest, at_rest, ("inertial",))
        forces = [mechanism.generalised_forces([row[p] for row in rows]) for p in range(10 * len(mechanism.links))]
        along.append([[np.broadcast_to(entry, len(q)) for entry in column] for column in forces])
    return np.ascontiguousarray(np.array(along, float).transpose(0, 3, 2, 1))


def _uncoupled(mechanism: Mechanism) -> Mechanism:
    """Every joint as a coordinate of its own, without friction and motors."""
    alone = tuple(((i, 1),) for i in range(len(mechanism.links)))
    names = tuple(link.joint for link in mechanism.links)
    return replace(mechanism, coordinates=names, couplings=alone, rotors=(), frictions=(None,) * len(names))


OneJoint = Literal["torque turned", "joint turned", "position turned"]
TwoJoints = Literal["torques swapped", "joints swapped"]
Kind = OneJoint | TwoJoints | Literal["all torques turned", "gravity elsewhere", "zero elsewhere"]
SAMPLES = 150
RIDGE = 1e-9
ZEROS = (-np.pi / 2, np.pi / 2, np.pi)
"""rad: usual differences between conventions for the zero of a joint."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What is reversed or swapped, and in which joints; `gravity` [m/s^2] for another direction of gravity.

    `shift` [rad] is added to the positions for another zero.
    """

    kind: Kind
    joints: tuple[int, ...] = ()
    gravity: tuple[float, float, float] = (0.0, 0.0, 0.0)
    shift: float = 0.0


@dataclass(frozen=True, slots=True)
class Sample:
    """A few samples (m, n) of a motion, with the regressor and the columns of unit gravity."""

    rows: Thinned
    masses: Array
    gravity: Array
    G: Array

    @staticmethod
    def of(rows: Thinned) -> Sample:
        """Evenly spread samples of the thinned motion."""
        few = rows.few(SAMPLES)
        gravity = np.array([float(part) for part in bind(rows.arm).gravity])
        return Sample(few, masses_of(rows.arm), gravity, gravity_columns(rows.arm, few.motion.q))


def masses_of(arm: Arm) -> Array:
    """The nominal inertial parameters of the arm, in the order of the regressor's columns."""
    return np.array([float(p.value) for p in mechanics.parameters(bind(arm), ("inertial",))])


def readings(is_angle: Sequence[bool], size: float) -> Iterator[Reading]:
    """All readings that differ in one respect, likeliest first; gravity of the given size [m/s^2] along each axis."""
    joints = len(is_angle)
    yield Reading("all torques turned", tuple(range(joints)))
    for kind in get_args(OneJoint):
        yield from (Reading(kind, (j,)) for j in range(joints))
    for kind in get_args(TwoJoints):
        yield from (Reading(kind, pair) for pair in combinations(range(joints), 2))
    for k in range(3):
        for down in (size, -size):
            yield Reading("gravity elsewhere", (), (down * (k == 0), down * (k == 1), down * (k == 2)))
    for j in np.flatnonzero(is_angle).tolist():
        yield from (Reading("zero elsewhere", (j,), shift=shift) for shift in ZEROS)


def read_so(sample: Sample, reading: Reading) -> Sample:
    """The samples as they would be if that reading were right."""
    rows = sample.rows
    if reading.kind == "gravity elsewhere":
        W = rows.W.copy()
        W[:, :, : len(sample.masses)] += np.tensordot(np.array(reading.gravity) - sample.gravity, sample.G, 1)
        return replace(sample, rows=replace(rows, W=W))
    motion = motion_read_so(rows.motion, reading)
    if reading.kind in ("torque turned", "all torques turned", "torques swapped"):
        return replace(sample, rows=replace(rows, motion=motion))
    q, qd, qdd = (np.ascontiguousarray(x) for x in (motion.q, motion.qd, motion.qdd))
    order = _order(rows.moves.shape[1], reading)
    return replace(sample, rows=replace(rows, motion=motion, W=rows.regressor(q, qd, qdd), moves=rows.moves[:, order]))


def motion_read_so(motion: Motion, reading: Reading) -> Motion:
    """The motion as it would be if that reading were right; gravity does not change it."""
    count, which = motion.q.shape[1], list(reading.joints)
    turn_q, turn_tau = np.ones(count), np.ones(count)
    if reading.kind in ("torque turned", "joint turned", "all torques turned"):
        turn_tau[which] = -1
    if reading.kind in ("position turned", "joint turned"):
        turn_q[which] = -1
    order = _order(count, reading)
    tau, raw = (x[:, order] * turn_tau for x in (motion.tau, motion.raw))
    if reading.kind == "torques swapped":
        return replace(motion, tau=tau, raw=raw)
    q, qd, qdd = (x[:, order] * turn_q for x in (motion.q, motion.qd, motion.qdd))
    q[:, which] += reading.shift
    return replace(motion, q=q, qd=qd, qdd=qdd, tau=tau, raw=raw)


def _order(joints: int, reading: Reading) -> IntArray:
    order = np.arange(joints)
    if reading.kind in ("torques swapped", "joints swapped"):
        order[list(reading.joints)] = reading.joints[::-1]
    return order


def unexplained_shares(sample: Sample) -> Array:
    """Residual share (n,) of each joint's squared torque, of free base parameters plus of the nominal masses.

    What free parameters explain only by friction that generates power counts as residual.
    """
    rows = sample.rows
    scale = rows.moves / rows.size
    columns, target = weighted(rows.base, scale), (rows.tau * scale).reshape(-1)
    phi = _ridge(columns[None], target[None])[0]
    count = np.maximum(1, rows.moves.sum(axis=0))
    left = np.sum((target - columns @ phi).reshape(scale.shape) ** 2, axis=0) / count
    names = rows.structure.base_names
    for j, joint in enumerate(rows.arm.coordinates):
        mine = [names.index(n) for n in (f"{joint}.viscous", f"{joint}.coulomb") if n in names]
        friction = columns.reshape(*scale.shape, -1)[:, j, mine] @ phi[mine]
        if friction @ rows.motion.qd[rows.at, j] < 0:
            left[j] += friction @ friction / count[j]
    return np.asarray(np.minimum(left, 1.0) + _left_by_masses(sample))


def _left_by_masses(sample: Sample) -> Array:
    """Residual share (n,) of each joint's squared torque, of scaled nominal masses (never negative) and friction."""
    rows = sample.rows
    qd, qdd = rows.motion.qd[rows.at], rows.motion.qdd[rows.at]
    model = rows.W[:, :, : len(sample.masses)] @ sample.masses
    others = np.stack([np.ones_like(qd), qd, np.sign(qd), qdd], axis=2) * rows.moves[:, :, None]
    others, both = others.transpose(1, 0, 2), np.stack([model, rows.tau], axis=2) * rows.moves[:, :, None]
    both = both.transpose(1, 0, 2)
    both = both - others @ _ridge(others, both)
    m, t = both[:, :, 0], both[:, :, 1]
    along = np.maximum(0, np.sum(m * t, axis=1)) ** 2 / np.maximum(np.sum(m * m, axis=1), 1e-300)
    whole = np.sum((rows.tau * rows.moves) ** 2, axis=0)
    return np.asarray((np.sum(t * t, axis=1) - along) / np.where(whole > 0, whole, 1))


def _ridge(columns: Array, targets: Array) -> Array:
    """Least-squares factors for stacks of columns (s, rows, p), dependent columns kept small."""
    norms = np.linalg.norm(columns, axis=1, keepdims=True)
    scaled = columns / np.where(norms > 0, norms, 1)
    turned = scaled.transpose(0, 2, 1)
    gram = turned @ scaled + RIDGE * np.eye(columns.shape[2])
    right = turned @ (targets if targets.ndim == 3 else targets[:, :, None])
    answer: Array = np.linalg.solve(gram, right) / np.where(norms > 0, norms, 1).transpose(0, 2, 1)
    return answer if targets.ndim == 3 else answer[:, :, 0]
