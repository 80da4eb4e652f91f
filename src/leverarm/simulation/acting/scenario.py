"""Everything that acts on the arm in a run, checked once: the structure to compile and the data fed to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from leverarm.compiler.llvm.march_layout import CALLBACK
from leverarm.control import Control, fitted, signals
from leverarm.control.signals.checked import number_array
from leverarm.errors import InputError
from leverarm.model import Arm
from leverarm.quantities.arrays import frame_name
from leverarm.simulation.acting.callback import PythonCallback, callback_among
from leverarm.simulation.acting.feeds import Floats, Rows, Source, row_at
from leverarm.simulation.acting.forces import (
    AppliedForce,
    ControlTorque,
    Disturbance,
    PythonTorque,
    TimedTorque,
    TipWrench,
)
from leverarm.simulation.acting.payloads import Payload
from leverarm.simulation.acting.system import System, parameter_sources

Torque = ArrayLike | signals.Source | Control | Callable[..., Any] | Sequence[Any] | None
"""None, numbers, a function of time, a control, a Python function of (t, q, qd), or several of the first four."""

Acting = tuple[AppliedForce, Mapping[str, Source]]
"""A kind of force, and the source of each of its arrays."""

_SAID_AS = {"tau": "torque", CALLBACK: "torque", "tau_d": "disturbance", "reference": "target"}
"""The user's name of a feed, where it differs."""

_SOURCES = (Control, signals.Signal, signals.Noise)


@dataclass(frozen=True, slots=True, eq=False)
class Scenario:
    """A system with its data: a source of rows for each feed, in order.

    `switches` are the times at which the payload changes.
    """

    system: System
    sources: tuple[Source, ...]
    switches: tuple[float, ...]

    def place(self, feed: str) -> int:
        """Where a feed stands in their order."""
        return [array.name for array in self.system.feeds].index(feed)

    @property
    def callback(self) -> PythonCallback | None:
        """The Python function that gives torques, if there is one."""
        return callback_among(self.sources)

    def parameters_at(self, t: float) -> dict[str, Floats]:
        """The arm's parameters that are data, at a time."""
        return {name: row_at(self.sources[self.place(name)], t) for name in self.system.parameters}


def check_arm(arm: Any) -> None:
    """Raises InputError unless it is an arm."""
    if not isinstance(arm, Arm):
        raise InputError(f"{arm!r} was given to be simulated; an arm is needed, as from la.load('elbow').")


def scenario_of(
    arm: Arm,
    begin: float,
    until: float,
    system: Callable[..., System] = System,
    more: Mapping[str, Source] = MappingProxyType({}),
    environments: int | None = None,
    *,
    torque: Torque = None,
    disturbance: Any = None,
    noise: Any = None,
    wrench: Any = None,
    payload: Payload | Sequence[Payload] | None = None,
    parameters: Mapping[str, ArrayLike] | None = None,
) -> Scenario:
    """The scenario from a user's arguments; InputError where one does not fit the arm or ends before the run does.

    `system` makes the structure from the arm, the forces and the names of the parameters; `more` are sources of feeds
    that it adds of its own. `environments` is how many arms move; None for one alone, without an axis for them.
    """
    torques = _parts(torque)
    if sum(map(_is_function, torques)) > 1:
        raise InputError("torque: two Python functions were given; add them up in one.")
    acting = [
        *(_torque(arm, part) for part in torques),
        *_disturbances(arm, disturbance, noise),
        *_wrenches(arm, wrench),
    ]
    named, switches = parameter_sources(arm, parameters, payload, begin)
    made = _the_same(system(arm=arm, forces=tuple(force for force, _ in acting), parameters=tuple(named)))
    of_forces = {f"{name}#{k}": source for k, (_, data) in enumerate(acting) for name, source in data.items()}
    sources = {**more, **of_forces, **named}
    for name, source in sources.items():
        _check_environments(name, source, begin, environments)
        for t in (begin, until):
            source.window(t, t)  # a table that is too short is reported before anything runs
    return Scenario(made, tuple(sources[array.name] for array in made.feeds), switches)


def _check_environments(name: str, source: Source, t: float, environments: int | None) -> None:
    """Raises InputError where the data is for another number of environments."""
    axes = np.shape(source.window(t, t).rows)[:-2]
    if axes in ((), (1,), (environments,)) and (environments is not None or not axes):
        return
    feed = name.partition("#")[0]
    given = f"{_SAID_AS.get(feed, feed)}: numbers for {' x '.join(map(str, axes))} environments were given, and"
    if environments is None:
        raise InputError(
            f"{given} one arm moves. Give those of one, or use la.rollout; numbers that change in time are "
            "la.signals.table(times, values)."
        )
    raise InputError(f"{given} {environments} move. Give one row for all of them, or one for each.")


@lru_cache(maxsize=64)
def _the_same(system: System) -> System:
    """The first of equal systems, so that what it has cached is reused."""
    return system


def signal_of(what: str, given: Any, size: int, names: Sequence[str]) -> signals.Source:
    """A function of time with so many coordinates, or as many numbers for all time."""
    if isinstance(given, signals.Signal | signals.Noise):
        return given.of_size(size, what)
    takes = f"{size} numbers ({', '.join(names)}), or a function of time such as la.signals.table(times, values)"
    values = number_array(what, given, takes)
    has_shape = values.ndim in (1, 2) and values.shape[-1] == size
    if not has_shape or not np.isfinite(values).all():
        problem = "numbers that are not finite" if has_shape else f"an array of shape {values.shape}"
        raise InputError(f"{what}: {problem} given; it takes {size} ({', '.join(names)}).")
    return signals.constant(values)


def _parts(torque: Torque) -> list[Any]:
    if torque is None:
        return []
    if isinstance(torque, list | tuple) and any(isinstance(x, _SOURCES) or callable(x) for x in torque):
        return list(torque)
    return [torque]


def _is_function(part: Any) -> bool:
    return callable(part) and not isinstance(part, _SOURCES)


def _torque(arm: Arm, part: Any) -> Acting:
    if isinstance(part, Control):
        control = fitted(part, arm)
        gains = {name: Rows.constant(_flat(control, arm, name)) for name in control.data}
        force = ControlTorque(control.law, control.reference.form, control.model)
        return force, {"reference": control.reference, **gains}
    if _is_function(part):
        return PythonTorque(), {CALLBACK: PythonCallback(part, arm)}
    signal = signal_of("torque", part, arm.dof, arm.joint_names)
    return TimedTorque(signal.form), {"tau": signal}


def _disturbances(arm: Arm, disturbance: Any, noise: Any) -> Iterator[Acting]:
    if disturbance is not None:
        signal = signal_of("disturbance", disturbance, arm.dof, arm.joint_names)
        yield Disturbance(signal.form), {"tau_d": signal}
    if noise is not None:
        signal = signal_of("noise", noise, arm.dof, arm.joint_names)
        yield TimedTorque(signal.form, account="noise"), {"tau": signal}


def _flat(control: Control, arm: Arm, name: str) -> Floats:
    """The numbers of one of a law's arrays as rows, environments first."""
    size = next(a.size for a in control.law.arrays(control.model or arm) if a.name == name)
    return control.data[name].reshape(-1, size) if control.data[name].size != size else control.data[name].reshape(size)


def _wrenches(arm: Arm, given: Any) -> Iterator[Acting]:
    """Frame by frame; a wrench without a frame acts on the tool."""
    if given is None:
        return
    for frame, wrench in given.items() if isinstance(given, Mapping) else [(arm.tool, given)]:
        name = frame_name(arm, frame)
        signal = signal_of(f"wrench on {name!r}", wrench, 6, ("mx", "my", "mz", "fx", "fy", "fz"))
        yield TipWrench(name, signal.form), {"wrench": signal}
