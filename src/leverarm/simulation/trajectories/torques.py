"""Inverse dynamics along a motion: the torques it needs, and their work by integration over time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from leverarm.arrays import Array
from leverarm.control.signals import Noise, Signal
from leverarm.control.signals.checked import finite, number_array
from leverarm.errors import InputError, NotFiniteError
from leverarm.model import Arm, bind, has_friction, without_friction
from leverarm.quantities.arrays import frame_name
from leverarm.simulation.trajectories.motions import Motion, MotionRows, State, motion_rows
from leverarm.simulation.trajectories.records import Records
from leverarm.simulation.trajectories.trajectory import Trajectory

if TYPE_CHECKING:
    from leverarm.runtime.compiled import CompiledArm


_NODES = np.array([0.5 - np.sqrt(0.15), 0.5, 0.5 + np.sqrt(0.15)])
_WEIGHTS = np.array([5, 8, 5]) / 18
"""Gauss and Legendre's rule with three points on [0, 1]: exact for powers up to the fifth."""


def gauss_times(knots: Array) -> Array:
    """Three times between neighbouring knots (N,), sorted, at which `gauss_sums` needs its function."""
    return np.asarray(knots[:-1, None] + np.diff(knots)[:, None] * _NODES).ravel()


def gauss_sums(knots: Array, values: Array) -> Array:
    """The integral from the first knot to each (N,), of a function given at `gauss_times`."""
    return _summed(np.diff(knots) * (values.reshape(-1, len(_NODES)) @ _WEIGHTS))


def row_sums(t: Array, values: Array) -> Array:
    """The integral from the first row to each, of a function known only at increasing times t (N,).

    The trapezoid rule with its leading error, -h^2/12 times the change of slope, taken off: of fourth order where
    the rows are even, of second at least.
    """
    h = np.diff(t)
    parts = h * (values[1:] + values[:-1]) / 2
    if len(t) > 2:
        parts = parts - h**2 / 12 * np.diff(np.gradient(values, t, edge_order=2))
    return _summed(parts)


def _summed(parts: Array) -> Array:
    return np.concatenate([[0.0], np.cumsum(parts)])


InTime = ArrayLike | Signal | Noise
"""A load: the same numbers at all times, one row of them per row of the motion, or a function of time."""


def torques_along(
    arm: Arm,
    motion: Motion,
    *,
    wrench: InTime | None = None,
    disturbance: InTime | None = None,
    frame: str | None = None,
    rate: float = 1000.0,
    times: ArrayLike | None = None,
) -> Trajectory:
    """The torques that a motion needs [N m or N], as `tau` of a trajectory with its energies and works.

    tau = M qdd + C qd + F(qd) + g + tau_d - J^T w at every row, by compiled inverse dynamics. The motion is a
    trajectory, a signal (sampled `rate` times per second from start to end), or arrays (t, q), (t, q, qd),
    (t, q, qd, qdd); derivatives that are missing are those of a cubic spline, and `about["derivatives"]` says so.
    `times` [s] selects other rows. `wrench` acts on `frame` (the tool): moment, then force, in world axes;
    `disturbance` is tau_d. A joint at rest shows no dry friction: there the torque may differ by as much either way.

    The energy ledger balances where qd and qdd are the derivatives of q: a large balance shows recorded rows that are
    not, or that are too far apart.
    """
    rows = motion_rows(arm, motion, rate, times)
    about = {"method": "inverse dynamics", "derivatives": rows.derivatives}
    return trajectory_along(arm, rows, Loads.of(arm, rows.t, wrench, disturbance, frame), about)


@dataclass(frozen=True, slots=True, eq=False)
class Loads:
    """What acts on the arm from outside, as functions of times (N,): wrenches (N, 6) on a frame, tau_d (N, n)."""

    frame: str
    wrench: Callable[[Array], Array] | None
    disturbance: Callable[[Array], Array] | None

    @staticmethod
    def of(arm: Arm, rows: Array, wrench: InTime | None, disturbance: InTime | None, frame: str | None = None) -> Loads:
        """The loads a user gives for a motion with rows at these times [s]."""
        return Loads(
            frame_name(arm, frame),
            None if wrench is None else _in_time("wrench", wrench, 6, rows),
            None if disturbance is None else _in_time(f"disturbance of arm {arm.name!r}", disturbance, arm.dof, rows),
        )

    def with_clock(self, clock: Callable[[Array], Array]) -> Loads:
        """The same loads for a motion that runs on another time."""
        wrench, disturbance = self.wrench, self.disturbance
        return Loads(
            self.frame,
            None if wrench is None else lambda t: wrench(clock(t)),
            None if disturbance is None else lambda t: disturbance(clock(t)),
        )


def trajectory_along(arm: Arm, rows: MotionRows, loads: Loads, about: Mapping[str, Any]) -> Trajectory:
    """The rows with the torques they need, energies [J], and works [J] by quadrature between the rows."""
    fast = compiled(arm)
    tau = fast.inverse_dynamics(
        rows.q,
        rows.qd,
        rows.qdd,
        wrench=None if loads.wrench is None else loads.wrench(rows.t),
        disturbance=None if loads.disturbance is None else loads.disturbance(rows.t),
        frame=None if loads.wrench is None else loads.frame,
    )
    lost = np.flatnonzero(~np.isfinite(tau).all(axis=1))
    if lost.size:
        raise NotFiniteError(
            f"the torque at t = {float(rows.t[lost[0]])!r} s exceeds the range of floats (1e308). Give a motion with "
            "smaller positions, velocities and accelerations."
        )
    records = Records(
        rows.t,
        rows.q,
        rows.qd,
        rows.qdd,
        tau,
        kinetic=fast.kinetic_energy(rows.q, rows.qd),
        potential=fast.potential_energy(rows.q),
        works=_works(arm, rows, loads),
        held=np.zeros(rows.q.shape, dtype=bool),
    )
    return Trajectory(arm, records, about)


@dataclass(frozen=True, slots=True, eq=False)
class ForceParts:
    """What the torque of a motion is made of, (N, n) each: tau = weight + inertial + friction + tau_d - J^T w."""

    weight: Array
    inertial: Array
    """M qdd + C qd."""
    friction: Array
    disturbance: Array
    wrench: Array
    """J^T w."""

    @property
    def torque(self) -> Array:
        return self.weight + self.inertial + self.friction + self.disturbance - self.wrench


def force_parts(arm: Arm, t: Array, state: State, loads: Loads) -> ForceParts:
    """The parts of the torque [N m or N] at each of N states."""
    q, qd, qdd = state
    rigid, nothing = compiled_without_friction(arm), np.zeros_like(q)
    weight = rigid.gravity(q)
    push = nothing
    if loads.wrench is not None:
        J = rigid.jacobian(q, frame=loads.frame)
        push = np.einsum("kin,ki->kn", J, loads.wrench(t))
    return ForceParts(
        weight,
        rigid.inverse_dynamics(q, qd, qdd) - weight,
        friction_along(arm, t, (q, qd), loads),
        nothing if loads.disturbance is None else loads.disturbance(t),
        push,
    )


def friction_along(arm: Arm, t: Array, state: tuple[Array, Array], loads: Loads) -> Array:
    """F [N m or N], (N, n), at positions and speeds: what the joints take more than they would without friction.

    At the position 0, except where friction depends on what the joints bear.
    """
    q, qd = state
    if not has_friction(arm):
        return np.zeros_like(qd)
    nothing = np.zeros_like(qd)
    pulled: dict[str, Any] = {}
    if not _loaded_joints(arm):
        q = nothing
    elif loads.wrench is not None:
        pulled = {"wrench": loads.wrench(t), "frame": loads.frame}
    whole, rigid = (
        c.inverse_dynamics(q, qd, nothing, **pulled) for c in (compiled(arm), compiled_without_friction(arm))
    )
    return np.asarray(whole - rigid)


@lru_cache(maxsize=16)
def _loaded_joints(arm: Arm) -> tuple[str, ...]:
    return bind(arm).loaded_joints


def _works(arm: Arm, rows: MotionRows, loads: Loads) -> dict[str, Array]:
    """The energy that has flowed into the arm through each account at each row [J]."""
    t = gauss_times(rows.knots) if rows.is_function else rows.knots
    state = rows.between(t)
    parts = force_parts(arm, t, state, loads)
    forces = {"torque": parts.torque}
    forces |= {"friction": -parts.friction} if has_friction(arm) else {}
    forces |= {"disturbance": -parts.disturbance} if loads.disturbance is not None else {}
    forces |= {"wrench": parts.wrench} if loads.wrench is not None else {}
    at_rows = np.searchsorted(rows.knots, rows.t)
    sums = gauss_sums if rows.is_function else row_sums
    powers = {account: np.einsum("kn,kn->k", force, state[1]) for account, force in forces.items()}
    return {account: sums(rows.knots, power)[at_rows] for account, power in powers.items()}


@lru_cache(maxsize=16)
def compiled(arm: Arm) -> CompiledArm:
    """The arm as machine code, once."""
    from leverarm.runtime.compiled import compile  # llvmlite is loaded when something is compiled

    return compile(arm)


@lru_cache(maxsize=16)
def compiled_without_friction(arm: Arm) -> CompiledArm:
    """The arm with joints that move freely, as machine code, once."""
    return compiled(without_friction(arm))


def _in_time(what: str, given: InTime, size: int, rows: Array) -> Callable[[Array], Array]:
    if isinstance(given, Signal | Noise):
        source = given.of_size(size, what)
        return lambda t: np.asarray(source.at(t).value)
    takes = f"{size} numbers, or {len(rows)} rows of {size}, one per row of the motion, or a signal"
    array = finite(what, number_array(what, given, takes))
    if array.shape == (size,):
        return lambda t: np.array(np.broadcast_to(array, (len(t), size)))
    if array.shape != (len(rows), size):
        raise InputError(f"{what}: an array of shape {array.shape} was given. It takes {takes}.")
    return lambda t: np.stack([np.interp(t, rows, column) for column in array.T], axis=-1)
