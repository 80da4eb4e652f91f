"""The information a motion gives about the base parameters: the D-optimality criterion, and its gradient.

With torque errors of standard deviation s_i in joint i, the base parameters have the covariance A^-1 / N, where

    A = 1/N sum over N rows of W^T diag(1/s_i^2) W

and W is the regressor of the base parameters (Swevers, Ganseman, Tuekel, De Schutter, Van Brussel, Optimal robot
excitation and identification, IEEE Trans. Robotics and Automation 13(5), 1997). log det A grows by 2 for every
parameter whose standard error becomes e times smaller, whatever units the parameters have.

`Heights` are those of the arm's frames, for motions that must stay above a floor.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from leverarm.arrays import Array, BoolArray
from leverarm.errors import InputError
from leverarm.identification.structure import ALL_KINDS, structure, with_drives, with_two_way_friction
from leverarm.mechanics.regressor import INERTIAL_NAMES
from leverarm.model import WORLD, Arm, Joint
from leverarm.quantities.arrays import over_floats
from leverarm.simulation.trajectories.torques import compiled

if TYPE_CHECKING:
    from leverarm.runtime.compiled import CompiledArm


DIFFERENCE = 1e-6
"""The step of differences [rad, rad/s, rad/s^2 or metres]: the regressor is smooth and of order one to a hundred."""
RIDGE = 1e-12
"""Added to the diagonal of the scaled A, so that the determinant is finite with an unidentifiable parameter."""
SPREAD = 30.0
"""A parameter is poorly identifiable where correlation with others inflates its standard error by this factor."""
SMALL_PRODUCT = 200_000
"""Multiplications that BLAS does on one thread."""
AT_ONCE = 2_000_000
"""Floats of regressors that are held at a time."""


@dataclass(frozen=True, slots=True)
class Quality:
    """Quality of a motion: log det A, and condition numbers (2-norm) of its base regressor.

    `condition` is that of the regressor with rows over the joints' noise and columns scaled to length one: free of
    units, and within a factor sqrt(parameters) of the least that any units could give (van der Sluis, Condition numbers
    and equilibration of matrices, Numer. Math. 14, 1969). `raw_condition` is that of the regressor in SI units as it
    is, `rigid_condition` the same of the inertial columns alone.
    """

    log_det: float
    condition: float
    raw_condition: float
    rigid_condition: float


@dataclass(frozen=True, slots=True, eq=False)
class Information:
    """The base regressor of an arm: n joints, b base parameters, errors of each joint's torque `noise` (n,)."""

    fast: CompiledArm
    base: NDArray[np.intp]
    """Columns of the regressor that are kept, (b,)."""
    names: tuple[str, ...]
    rigid: BoolArray
    """Which base columns are inertial, (b,)."""
    noise: Array

    @staticmethod
    def of(arm: Arm, noise: Array, floor: Array) -> Information:
        """All kinds of parameters: friction and a rotor in every joint. `floor` (m,) smooths the signs of speeds."""
        from leverarm.runtime.compiled import compile

        driven = with_two_way_friction(with_drives(arm))
        found = structure(driven, ALL_KINDS)
        base = np.array(found.base)
        rigid = base < len(INERTIAL_NAMES) * len(over_floats(driven).links)
        return Information(compile(_smooth(driven, floor), ["regressor"]), base, found.base_names, rigid, noise)

    def regressor(self, q: Array, qd: Array, qdd: Array) -> Array:
        """The base columns at N states, (N, n, b)."""
        return np.asarray(self.fast.regressor(q, qd, qdd, kinds=ALL_KINDS)[..., self.base])

    def gain(self, q: Array, qd: Array, qdd: Array) -> tuple[float, tuple[Array, ...]]:
        """log det A and its slopes with respect to q, qd and qdd at each row, (N, n) each.

        d log det A = 2/N sum of <W A^-1 / s^2, dW>; the differences dW are forward ones, a state at a time.
        """
        W = self.fast.regressor(q, qd, qdd, kinds=ALL_KINDS)
        rows, n, p = W.shape
        scaled = W[..., self.base] / self.noise[:, None]
        log_det, inverse = _log_det(scaled.reshape(-1, len(self.base)) / np.sqrt(rows))
        weight = np.zeros((rows, n * p))
        weight.reshape(rows, n, p)[..., self.base] = 2 / rows * (scaled @ inverse) / self.noise[:, None]
        here = np.einsum("kp,kp->k", W.reshape(rows, -1), weight)
        slopes = np.empty((3 * n, rows))
        size = max(1, AT_ONCE // (rows * n * p))
        for start in range(0, 3 * n, size):
            part = range(start, min(start + size, 3 * n))
            states = [np.repeat(x[None], len(part), axis=0) for x in (q, qd, qdd)]
            for place, k in enumerate(part):
                states[k // n][place, :, k % n] += DIFFERENCE
            moved = self.fast.regressor(*states, kinds=ALL_KINDS).reshape(-1, rows, n * p)
            there = np.matmul(moved.transpose(1, 0, 2), weight[:, :, None])[..., 0].T
            slopes[start : start + size] = (there - here) / DIFFERENCE
        return log_det, tuple(slopes[k * n : (k + 1) * n].T for k in range(3))

    def quality(self, q: Array, qd: Array, qdd: Array) -> Quality:
        """The quality of a motion with these samples."""
        W = self.regressor(q, qd, qdd)
        raw = W.reshape(-1, W.shape[-1])
        scaled = (W / self.noise[:, None]).reshape(raw.shape)
        each = (_unit_columns(scaled), raw, raw[:, self.rigid])
        return Quality(_log_det(scaled / np.sqrt(len(q)))[0], *map(_condition, each))

    def poorly_identifiable(self, q: Array, qd: Array, qdd: Array) -> list[str]:
        """Base parameters whose standard errors are inflated more than SPREAD times by the others, worst first."""
        W = self.regressor(q, qd, qdd) / self.noise[:, None]
        scaled = _unit_columns(W.reshape(-1, W.shape[-1]))
        spread = np.sqrt(np.diag(_log_det(scaled)[1]))
        return [self.names[k] for k in np.argsort(-spread) if spread[k] > SPREAD]


def _smooth(arm: Arm, floor: Array) -> Arm:
    """The arm with smooth dry friction, tanh(qd / w): w is half the speed floor (m,) of the moving joint."""
    widths = iter(floor.tolist())

    def smooth(joint: Joint) -> Joint:
        if joint.is_fixed:
            return joint
        width = next(widths) / 2
        return replace(joint, friction=joint.friction and replace(joint.friction, smoothing=width))

    return replace(arm, bodies=tuple(replace(body, joint=smooth(body.joint)) for body in arm.bodies))


def _log_det(X: Array) -> tuple[float, Array]:
    """log det X^T X and (X^T X)^-1, by way of columns of length one."""
    lengths = np.maximum(np.linalg.norm(X, axis=0), 1e-150)
    unit = X / lengths
    correlations = _gram(unit) + RIDGE * np.eye(X.shape[1])
    _, log_det = np.linalg.slogdet(correlations)
    inverse = np.linalg.inv(correlations) / np.outer(lengths, lengths)
    return float(log_det + 2 * np.log(lengths).sum()), inverse


def _gram(X: Array) -> Array:
    """X^T X, some rows at a time: on small products BLAS threads wait longer than they work."""
    count, width = X.shape
    rows = max(1, SMALL_PRODUCT // width**2)
    stack = np.zeros((-(-count // rows), rows, width))
    stack.reshape(-1, width)[:count] = X
    return np.asarray((stack.transpose(0, 2, 1) @ stack).sum(axis=0))


def _unit_columns(X: Array) -> Array:
    return np.asarray(X / np.maximum(np.linalg.norm(X, axis=0), 1e-150))


def _condition(X: Array) -> float:
    values = np.linalg.svd(X, compute_uv=False)
    return float(values[0] / values[-1]) if values[-1] > 0 else float("inf")


LINEAR = slice(3, 6)
"""The rows of a Jacobian that are the velocity of a frame's origin."""
STILL = 1e-9
"""A frame that rises less than this [m per rad] at random positions counts as not rising."""


@dataclass(frozen=True, slots=True, eq=False)
class Heights:
    """The frames of an arm that move vertically: the heights of their origins [m], and their gradients.

    Up is against gravity, or along z where there is none; the world's origin has height zero. Where the origins of two
    neighbouring frames are above a plane, so is the straight line between them.
    """

    fast: CompiledArm
    up: Array
    frames: tuple[str, ...]

    @staticmethod
    def of(arm: Arm) -> Heights:
        """Raises InputError for an arm of which nothing moves vertically."""
        mechanism = over_floats(arm)
        gravity = np.array(tuple(mechanism.gravity), dtype=np.float64)
        up = -gravity / np.linalg.norm(gravity) if gravity.any() else np.array([0.0, 0.0, 1.0])
        carried = tuple(name for name, at in mechanism.attachments.items() if at.link != WORLD)
        all_frames = Heights(compiled(arm), up, carried)
        q = np.random.default_rng(0).uniform(-1, 1, (8, arm.dof))
        rises = np.abs(all_frames.slopes(q)).max(axis=(0, 2)) > STILL
        if not rises.any():
            raise InputError(f"floor: no frame of arm {arm.name!r} moves vertically. Leave the floor out.")
        return Heights(all_frames.fast, up, tuple(f for f, does in zip(carried, rises, strict=True) if does))

    def at(self, q: Array) -> Array:
        """The height of each frame [m], (N, F)."""
        return np.stack([self.fast.pose(q, frame=frame)[:, :3, 3] @ self.up for frame in self.frames], axis=1)

    def slopes(self, q: Array) -> Array:
        """How heights change with q [m/rad], (N, F, n)."""
        moving = [self.fast.jacobian(q, frame=frame)[:, LINEAR] for frame in self.frames]
        return np.stack([np.einsum("c,kcn->kn", self.up, J) for J in moving], axis=1)
