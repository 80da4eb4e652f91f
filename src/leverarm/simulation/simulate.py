"""`simulate`: forward dynamics of one arm, integrated in time, with a complete energy balance."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from leverarm.errors import InputError, SimulationError
from leverarm.model import Arm
from leverarm.quantities.arrays import coordinates
from leverarm.simulation.acting.feeds import Floats
from leverarm.simulation.acting.payloads import Payload, number_or_nan
from leverarm.simulation.acting.scenario import Torque, check_arm, scenario_of
from leverarm.simulation.acting.stopping import stops_for
from leverarm.simulation.acting.system import System
from leverarm.simulation.compiled_system import compiled_system
from leverarm.simulation.fixed_step.marching import Exploded
from leverarm.simulation.keeping import complete_run, keeper_of, mark_of
from leverarm.simulation.methods import TABLE, method_named
from leverarm.simulation.running import EnergyWarning, Observer, Progress, Run
from leverarm.simulation.timing import Timing, timing_of
from leverarm.simulation.trajectories import Trajectory

BOUND = 1e-3
"""The energy imbalance, relative to the energy exchanged, above which a run warns."""

FINEST = 1e-16
"""The smallest relative tolerance that double precision can meet; below it steps only become shorter."""

MOST_IN_MEMORY = 100_000_000
"""Most rows of a run in memory: some ten gigabytes."""


def simulate(
    arm: Arm,
    q0: ArrayLike | None = None,
    qd0: ArrayLike | None = None,
    *,
    until: float,
    torque: Torque = None,
    method: str | None = None,
    step: float | None = None,
    rtol: float | None = None,
    atol: float | None = None,
    record: float | None = None,
    begin: float = 0.0,
    disturbance: Any = None,
    noise: Any = None,
    wrench: Any = None,
    payload: Payload | Sequence[Payload] | None = None,
    parameters: Mapping[str, ArrayLike] | None = None,
    stops: Any = None,
    output: str | os.PathLike[str] | None = None,
    existing: str = "refuse",
    progress: Callable[[float], Any] | None = None,
    bound: float = BOUND,
) -> Trajectory:
    """The motion of an arm from (q0, qd0), by default at rest at zero, until a time [s].

    `torque` is nothing, numbers, a signal (`la.signals.table`, ...), a control law (`la.control.pd`, ...), a Python
    function of (t, q, qd) (slow: the compiled loop calls it back), or a list of these. `method` is one of
    `la.simulation.METHODS`: adaptive without `step`, "rk4" with it. `record` is the time between recorded rows.
    `disturbance`, `noise` and `wrench` (by frame; the tool's if none is named) are numbers or signals; `payload` is
    what the tool picks up; `parameters` replaces numbers of the arm (masses, friction); `stops` makes joint limits hard
    (a restitution from 0 to 1). With `output` the run is streamed to disk and can be resumed: existing="resume".

    >>> import leverarm as la
    >>> run = la.simulate(la.load("elbow"), [0.0, 0.0], until=1.0)
    >>> run.energy.relative < 1e-6
    True
    """
    check_arm(arm)
    timing = timing_of(begin, until, step=step, rtol=rtol, atol=atol, record=record)
    begin, until = timing.begin, timing.until
    name, bound = method_named(method, timing), _bound(bound)
    if name == "dormand-prince" and timing.rtol is not None and timing.rtol < FINEST:
        raise InputError(f"rtol: {timing.rtol:g} is below what double precision can meet. Give {FINEST:g} or more.")
    state = _coordinates(arm, "q0", q0), _coordinates(arm, "qd0", qd0)
    places, more = stops_for(arm, stops, state[0])
    acting: dict[str, Any] = {"torque": torque, "disturbance": disturbance, "noise": noise, "wrench": wrench}
    system = partial(System, stops=places)
    scenario = scenario_of(arm, begin, until, system, more, payload=payload, parameters=parameters, **acting)
    compiled = compiled_system(scenario.system)
    engine, about = TABLE[name].engine(scenario, compiled, timing, state)
    about = {"method": name, **about, "bound": bound, "begin": begin, "until": until}
    if output is None:
        _check_memory((until - begin) / about["record"], about["record"])
    observer = Observer(scenario.system, compiled.layout)
    mark = "" if output is None else mark_of(scenario, state, about)
    if (before := complete_run(mark, output, existing)) is not None:
        return before
    keeper, kept = keeper_of(arm, about, mark, output, existing)
    run = Run(scenario, engine, observer, keeper, begin, until, Progress(begin, until, progress))
    is_complete = _went(run, kept)
    trajectory = keeper.finished(is_complete)
    if trajectory is None:
        raise KeyboardInterrupt
    if not is_complete:
        _tell_interrupted(trajectory, output)
    if run.books.relative > bound:
        _warn_of_imbalance(run, name, timing, bound)
    return trajectory


def _went(run: Run, kept: Mapping[str, Any] | None) -> bool:
    """Whether the run reached its end; where it cannot, the error carries what was computed."""
    try:
        return run.go(kept)
    except Exploded as problem:
        joint, what = _worst(run.scenario.system.arm, problem.state)
        error = SimulationError(
            f"at t = {problem.t:.9g} s {what} diverges: the step is too large for this motion or "
            "these gains, or the mass matrix is singular there. Take a smaller step, or leave step out for the "
            "adaptive method.",
            t=problem.t,
            joint=joint,
            trajectory=run.keeper.partial(),
        )
        raise error from None
    except SimulationError as problem:
        problem.trajectory = run.keeper.partial()
        raise


def _worst(arm: Arm, state: Floats) -> tuple[str, str]:
    """The joint that diverges most, and its description for the message."""
    sizes = np.abs(state[: 2 * arm.dof])
    sizes = np.where(np.isfinite(sizes), sizes, np.inf)
    entry = int(np.argmax(sizes))
    joint = arm.joint_names[entry % arm.dof]
    return joint, f"{'the speed' if entry >= arm.dof else 'the position'} of {joint}"


def _bound(given: Any) -> float:
    """A number, infinite for a run that never warns."""
    value = number_or_nan(given)
    if not value >= 0:
        raise InputError(f"bound: {given!r} was given; it takes a fraction of the energy exchanged, such as 1e-3.")
    return value


def _check_memory(rows: float, record: float) -> None:
    if rows > MOST_IN_MEMORY:
        raise InputError(
            f"record: a row every {record:g} s makes {rows:.2g} rows; at most {MOST_IN_MEMORY:.0e} are held in "
            "memory. Record less often, or write the run to disk with output=."
        )


def _coordinates(arm: Arm, what: str, given: ArrayLike | None) -> list[float]:
    return [0.0] * arm.dof if given is None else coordinates(arm, what, given)


def _tell_interrupted(trajectory: Trajectory, output: str | os.PathLike[str] | None) -> None:
    end = float(trajectory.t[-1]) if len(trajectory) else 0.0
    more = f' It is in {os.fspath(output)}; continue with existing="resume".' if output is not None else ""
    warnings.warn(f"interrupted: the run is complete up to t = {end:g} s; this part is returned.{more}", stacklevel=3)


def _warn_of_imbalance(run: Run, method: str, timing: Timing, bound: float) -> None:
    remedy = "Give a smaller rtol"
    if timing.step is not None:
        better = "rk4 or dormand-prince" if TABLE[method].order < 4 else "gauss6 or dormand-prince"
        remedy = f"Take a smaller step than {timing.step:g} s, or a method of higher order, such as {better}"
    warnings.warn(
        f"the energies do not balance: at t = {run.books.worst_time:g} s {run.books.worst:.3g} J are unexplained, "
        f"{100 * run.books.relative:.2g} % of the energy exchanged (bound {100 * bound:g} %), so the motion by "
        f"{method} is not accurate. {remedy}.",
        EnergyWarning,
        stacklevel=3,
    )
