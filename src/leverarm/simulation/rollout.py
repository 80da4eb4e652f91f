"""`rollout`: many environments simulated at once, each a lane of a vector, in one compiled loop."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from leverarm.compiler.llvm.march_layout import FAILED
from leverarm.control import signals
from leverarm.control.signals.checked import finite, number, number_array, positive, whole
from leverarm.errors import InputError, SimulationError, unknown_name
from leverarm.model import Arm
from leverarm.runtime.calls.kernel import real_of
from leverarm.runtime.calls.threads import checked_threads
from leverarm.simulation.acting.scenario import Torque, check_arm, scenario_of
from leverarm.simulation.acting.stopping import stops_for
from leverarm.simulation.acting.system import System
from leverarm.simulation.compiled_system import compiled_system
from leverarm.simulation.fixed_step.batch import BatchMarch
from leverarm.simulation.methods import LOOPS, spelled

MOST_ROWS = 1e9
"""Most states that a rollout may record, over all environments."""


@dataclass(frozen=True, slots=True, eq=False)
class Rollout:
    """Motions of environments: `t` (R,) the recorded times [s], `q`, `qd`, `tau` (..., R, n), leading axes as given.

    The last record is the end; its torque is the one that would come next.
    """

    t: NDArray[Any]
    q: NDArray[Any]
    qd: NDArray[Any]
    tau: NDArray[Any]

    def __repr__(self) -> str:
        shape = " x ".join(map(str, self.q.shape[:-2])) or "1"
        return f"<Rollout of {shape} environments: {len(self.t)} records from {self.t[0]:g} to {self.t[-1]:g} s>"


def rollout(
    arm: Arm,
    q0: ArrayLike,
    qd0: ArrayLike | None = None,
    *,
    steps: int,
    step: float = 1e-3,
    torque: Torque = None,
    method: str = "rk4",
    record: int | None = None,
    begin: float = 0.0,
    disturbance: Any = None,
    noise: Any = None,
    wrench: Any = None,
    parameters: Mapping[str, ArrayLike] | None = None,
    stops: Any = None,
    dtype: DTypeLike = np.float64,
    threads: int | None = None,
) -> Rollout:
    """The motions of many environments from states (..., n) over `steps` fixed steps, in one compiled loop.

    `torque`, gains, `disturbance`, `wrench`, `parameters` and `stops` are as for `simulate`; numbers with a leading
    axis differ by environment. A torque of shape (environments, T, n) holds each of its T rows for steps / T steps.
    `record` is the number of steps between recorded states; the start and the end are always recorded.

    >>> import leverarm as la
    >>> la.rollout(la.load("elbow"), np.zeros((100, 2)), steps=1000).q.shape
    (100, 2, 2)
    """
    check_arm(arm)
    real = real_of(dtype)
    name = spelled(method)
    if name not in LOOPS:
        raise InputError(unknown_name("method of a rollout", str(method), LOOPS))
    threads = None if threads is None else checked_threads(threads, "rollout")
    begin, h, count = number("begin", begin), positive("step", step), whole("steps", steps)
    every = count if record is None else whole("record", record)
    state, lead = _states(arm, q0, qd0)
    environments = len(state)
    places, more = stops_for(arm, stops, state[:, : arm.dof])
    torque = _held(torque, environments, count, h, begin, arm)
    acting: dict[str, Any] = {"torque": torque, "disturbance": disturbance, "noise": noise, "wrench": wrench}
    system = partial(System, stops=places, has_ledger=False)
    scenario = scenario_of(arm, begin, begin + count * h, system, more, environments, parameters=parameters, **acting)
    if scenario.callback is not None:
        raise InputError(
            "torque: a Python function cannot run in a compiled rollout. Give numbers, a function of time or a "
            "control; or use la.simulate, one environment at a time."
        )
    compiled = compiled_system(scenario.system, real)
    _check_size(environments, count, every)
    march = BatchMarch(scenario, compiled, LOOPS[name](compiled), state, threads)
    rows = march.run(begin, h, count, every)
    _check_finite(arm, rows, lead)
    _check_solved(march.carried, lead, name)
    numbers = np.append(np.arange(0, count, every), count)
    n, after = arm.dof, march.layout.state + arm.dof
    parts = (rows[..., :n], rows[..., n : 2 * n], rows[..., after : after + n])
    made = (np.ascontiguousarray(x).reshape(*lead, len(numbers), n) for x in parts)
    return Rollout(begin + h * numbers, *made)


def _check_size(environments: int, steps: int, every: int) -> None:
    """Raises InputError where a rollout could not be held in memory, or would not end."""
    rows = environments * (steps // every + 2)
    if rows > MOST_ROWS or steps > 2**53:
        raise InputError(
            f"a rollout of {environments} environments and {steps:g} steps would record {rows:.2g} states; at most "
            f"{MOST_ROWS:.0e} fit. Record less often (record=), or take fewer environments."
        )


def _check_finite(arm: Arm, rows: NDArray[Any], lead: tuple[int, ...]) -> None:
    """Raises SimulationError where an environment diverged."""
    is_bad = ~np.isfinite(rows[:, -1, : 2 * arm.dof])
    if is_bad.any():
        environment, entry = (int(k) for k in np.argwhere(is_bad)[0])
        joint, count = arm.joint_names[entry % arm.dof], int(is_bad.any(axis=1).sum())
        what = f"{joint} diverged ({count} of {len(rows)} environments did)"
        raise _failure(environment, lead, what, joint)


def _check_solved(carried: NDArray[Any], lead: tuple[int, ...], method: str) -> None:
    """Raises SimulationError where the equations of an implicit step were not solved: its environment stood still."""
    if carried.shape[1] and (has_failed := carried[:, FAILED] != 0).any():
        count = f"{int(has_failed.sum())} of {len(carried)} environments had one"
        what = f"a step by method {method!r} could not be solved ({count})"
        raise _failure(int(np.argmax(has_failed)), lead, what)


def _failure(environment: int, lead: tuple[int, ...], what: str, joint: str | None = None) -> SimulationError:
    where = tuple(int(k) for k in np.unravel_index(environment, lead)) if lead else ()
    message = f"environment {where}: {what}. Take a smaller step, or softer gains."
    return SimulationError(message, t=float("nan"), joint=joint)


def _states(arm: Arm, q0: ArrayLike, qd0: ArrayLike | None) -> tuple[NDArray[np.float64], tuple[int, ...]]:
    """(environments, 2 n), and the leading axes that were given."""
    try:
        q = np.asarray(q0, float)
        qd = np.zeros(arm.dof) if qd0 is None else np.asarray(qd0, float)
        lead = np.broadcast_shapes(q.shape[:-1], qd.shape[:-1])
        both = [np.broadcast_to(x, (*lead, arm.dof)).reshape(-1, arm.dof) for x in (q, qd)]
    except (TypeError, ValueError):
        raise InputError(
            f"q0 and qd0: they take numbers of shape (..., {arm.dof}), {', '.join(arm.joint_names)}, that broadcast."
        ) from None
    state = np.concatenate(both, axis=1)
    if not len(state) or not np.isfinite(state).all():
        raise InputError("q0 and qd0: every number must be finite, and there must be at least one environment.")
    return state, lead


def _held(torque: Any, environments: int, steps: int, h: float, begin: float, arm: Arm) -> Any:
    """Torques (environments, T, n) as a function of time that holds each row; anything else as it is."""
    if not isinstance(torque, np.ndarray) or torque.ndim != 3:
        return torque
    rows = torque.shape[1]
    torque = number_array("torque", torque, "numbers")
    if torque.shape != (environments, rows, arm.dof) or not rows or steps % rows:
        raise InputError(
            f"torque: an array of shape {torque.shape} was given for {environments} environments and {steps} steps; it "
            f"takes ({environments}, T, {arm.dof}), where T divides {steps}."
        )
    finite("torque", torque)
    times = begin + h * (steps // rows) * np.arange(rows)
    columns = np.concatenate([np.broadcast_to(times[:, None], (environments, rows, 1)), torque], axis=2)
    return signals.Signal(signals.Form("polynomial", arm.dof, 1), times, columns)
