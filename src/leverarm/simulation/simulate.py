"""`simulate`: from forces to motion, with every joule accounted for."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from leverarm.errors import InputError, SimulationError, unknown_name
from leverarm.evaluate.arrays import coordinates
from leverarm.model import Arm
from leverarm.simulation.acting.payloads import Payload
from leverarm.simulation.acting.scenario import Scenario, Torque, scenario_of
from leverarm.simulation.acting.stopping import stops_for
from leverarm.simulation.compiled.machinery import machinery_of
from leverarm.simulation.compiled.system import System
from leverarm.simulation.fixed_step.marching import Exploded
from leverarm.simulation.keeping import Keeper, keeper_of, mark_of
from leverarm.simulation.methods import METHODS, Timing, engine_of
from leverarm.simulation.observing import Observer
from leverarm.simulation.progress import Progress
from leverarm.simulation.running import EnergyWarning, Run
from leverarm.trajectories import Trajectory

BOUND = 1e-3
"""The imbalance of energy, as a part of the energy that moved, beyond which a run warns."""


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
    """How the arm moves from (q0, qd0), at rest at zero unless given, until a time [s].

    `torque` is nothing, numbers, a function of time (`la.table`, `la.quintic`, ...), a control (`la.pd`, ...), a Python
    function of (t, q, qd) (slow: the loop then runs in Python), or a list of these. `method` is one of `la.METHODS`:
    adaptive without `step`, "rk4" with it. `record` is the time between recorded rows. `disturbance`, `noise` and
    `wrench` (by frame; the tool's if none is named) are numbers or functions of time; `payload` is what the tool picks
    up; `parameters` replaces numbers of the arm (masses, friction); `stops` makes joint limits hard (a restitution from
    0 to 1). With `output` the run goes to disk as it goes on, and can be resumed: existing="resume".

    >>> import leverarm as la
    >>> run = la.simulate(la.load("elbow"), [0.0, 0.0], until=1.0)
    >>> run.energy.relative < 1e-6
    True
    """
    _check_arm(arm)
    timing = _timing(begin, until, step, rtol, atol, record)
    begin, until = timing.begin, timing.until
    name = _method(method, timing)
    state = _coordinates(arm, "q0", q0), _coordinates(arm, "qd0", qd0)
    places, more = stops_for(arm, stops, state[0])
    scenario = scenario_of(
        arm,
        begin=begin,
        until=until,
        torque=torque,
        disturbance=disturbance,
        noise=noise,
        wrench=wrench,
        payload=payload,
        parameters=parameters,
        system=lambda **parts: System(**parts, stops=places),
        more=more,
    )
    machinery = machinery_of(scenario.system)
    engine, about = engine_of(name, scenario, machinery, timing, state)
    about = {"method": name, **about, "bound": float(bound), "begin": float(begin), "until": float(until)}
    observer = Observer(scenario.system, machinery.layout)
    keeper, kept = keeper_of(arm, about, mark_of(scenario, state, about), output, existing)
    run = Run(scenario, engine, observer, keeper, begin, until, Progress(begin, until, progress))
    is_complete = _went(run, keeper, kept, scenario)
    trajectory = keeper.finished(is_complete, {})
    if trajectory is None:
        raise KeyboardInterrupt
    if not is_complete:
        _tell_interrupted(trajectory, output)
    if run.books.relative > bound:
        _warn(run, name, timing, bound)
    return trajectory


def _went(run: Run, keeper: Keeper, kept: Mapping[str, Any] | None, scenario: Scenario) -> bool:
    """Whether the run reached its end; where it cannot, the error carries what was computed."""
    try:
        return run.go(kept)
    except Exploded as problem:
        joint, what = _worst(scenario.system.arm, problem.state)
        error = SimulationError(
            f"at t = {problem.t:.9g} s {what} leaves the range of sense: the step is too large for this motion or "
            "these gains, or the mass matrix is singular there. Take a smaller step, or leave step out for the "
            "adaptive method.",
            t=problem.t,
            joint=joint,
            trajectory=keeper.partial(),
        )
        raise error from None
    except SimulationError as problem:
        problem.trajectory = keeper.partial()
        raise


def _worst(arm: Arm, state: Any) -> tuple[str, str]:
    """The joint that leaves the range furthest, and what to say of it."""
    sizes = np.abs(state[: 2 * arm.dof])
    sizes = np.where(np.isfinite(sizes), sizes, np.inf)
    entry = int(np.argmax(sizes))
    joint = arm.joint_names[entry % arm.dof]
    return joint, f"{'the speed' if entry >= arm.dof else 'the position'} of {joint}"


def _check_arm(arm: Any) -> None:
    if not isinstance(arm, Arm):
        raise InputError(f"{arm!r} was given to be simulated; an arm is needed, as from la.load('elbow').")


def _coordinates(arm: Arm, what: str, given: ArrayLike | None) -> list[float]:
    return [0.0] * arm.dof if given is None else coordinates(arm, what, given)


def _timing(
    begin: float, until: float, step: float | None, rtol: float | None, atol: float | None, record: float | None
) -> Timing:
    def number(what: str, given: Any, least: float | None) -> float:
        try:
            value = float(given)
        except (TypeError, ValueError):
            raise InputError(f"{what}: {given!r} was given; it takes a number.") from None
        if not np.isfinite(value) or (least is not None and value <= least):
            raise InputError(
                f"{what}: {given!r} was given; it takes a finite number{'' if least is None else ' above zero'}."
            )
        return value

    first, last = number("begin", begin, None), number("until", until, None)
    if last <= first:
        raise InputError(f"until: {last:g} s is not after the begin of the run, {first:g} s. Give a later time.")
    optional = {"step": step, "rtol": rtol, "atol": atol, "record": record}
    given = {what: None if value is None else number(what, value, 0.0) for what, value in optional.items()}
    if given["step"] is not None and given["step"] > last - first:
        raise InputError(
            f"step: {given['step']:g} s is longer than the whole run of {last - first:g} s. Give a shorter one."
        )
    return Timing(first, last, **given)


def _method(method: str | None, timing: Timing) -> str:
    if method is None:
        return "dormand-prince" if timing.step is None else "rk4"
    name = str(method).lower().replace(" ", "-").replace("_", "-")
    aliases = {alias: known for known, about in METHODS.items() for alias in (known, *about.aliases)}
    if name not in aliases:
        raise InputError(unknown_name("method", str(method), METHODS))
    return aliases[name]


def _tell_interrupted(trajectory: Trajectory, output: Any) -> None:
    end = float(trajectory.t[-1]) if len(trajectory) else 0.0
    more = f' It is in {os.fspath(output)}; go on with existing="resume".' if output is not None else ""
    warnings.warn(
        f"interrupted: the run is complete up to t = {end:g} s, and that is what you get.{more}", stacklevel=3
    )


def _warn(run: Run, method: str, timing: Timing, bound: float) -> None:
    remedy = (
        f"Take a smaller step than {timing.step:g} s, or a method of higher order, such as rk4 or dormand-prince"
        if timing.step is not None
        else "Give a smaller rtol"
    )
    warnings.warn(
        f"the energies do not balance: at t = {run.books.worst_time:g} s {run.books.worst:.3g} J are unexplained, "
        f"{100 * run.books.relative:.2g} % of what moved (bound {100 * bound:g} %), so the motion by {method} is not "
        f"accurate. {remedy}.",
        EnergyWarning,
        stacklevel=3,
    )
