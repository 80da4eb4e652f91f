"""What a user says acts on the arm, checked once: the structure that is compiled, and the data that is fed to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from leverarm import signals
from leverarm.control import Control, fitted
from leverarm.errors import InputError
from leverarm.evaluate.arrays import frame_name
from leverarm.model import Arm
from leverarm.runtime.parameters import parameter_inputs, present_values
from leverarm.simulation.acting.feeds import Constant, Floats, Source, Switched
from leverarm.simulation.acting.forces import (
    AppliedForce,
    ControlTorque,
    Disturbance,
    GivenTorque,
    TimedTorque,
    TipWrench,
)
from leverarm.simulation.acting.payloads import Payload, carried
from leverarm.simulation.compiled.system import System

Torque = ArrayLike | signals.Source | Control | Callable[..., Any] | Sequence[Any] | None
"""None, numbers, a function of time, a control, a Python function of (t, q, qd), or several of the first four."""

PAYLOAD = "payload"
_SOURCES = (Control, signals.Signal, signals.Noise)


@dataclass(frozen=True, slots=True, eq=False)
class Scenario:
    """A system with its data: a source of rows for each feed, in order.

    `function` gives the torques where they come from Python; `switches` are the times at which the payload changes.
    """

    system: System
    sources: tuple[Source, ...]
    function: Callable[..., Any] | None
    switches: tuple[float, ...]

    def place(self, feed: str) -> int:
        """Where a feed stands in their order."""
        return [array.name for array in self.system.feeds].index(feed)

    @property
    def torque_place(self) -> int:
        """Where the feed stands that takes the torques of the Python function."""
        k = next(k for k, force in enumerate(self.system.forces) if isinstance(force, GivenTorque))
        return self.place(f"tau#{k}")

    def parameters_at(self, t: float) -> dict[str, Floats]:
        """The arm's parameters that are data, at a time."""
        found = {}
        for name in self.system.parameters:
            pieces = self.sources[self.place(name)].window(t, t)
            found[name] = np.asarray(pieces.rows)[..., max(0, int(np.searchsorted(pieces.begins, t, "right")) - 1), :]
        return found


def scenario_of(
    arm: Arm,
    *,
    begin: float,
    until: float,
    torque: Torque = None,
    disturbance: Any = None,
    noise: Any = None,
    wrench: Any = None,
    payload: Payload | Sequence[Payload] | None = None,
    parameters: Mapping[str, ArrayLike] | None = None,
    system: Callable[..., System] = System,
    more: Mapping[str, Source] | None = None,
) -> Scenario:
    """The scenario of these wishes; InputError where one does not fit the arm or does not last until the end.

    `system` makes the structure from the arm, the forces and the names of the parameters; `more` are sources of feeds
    that it adds of its own.
    """
    forces: list[AppliedForce] = []
    sources: dict[str, Source] = dict(more or {})
    function = None

    def add(force: AppliedForce, data: Mapping[str, Source]) -> None:
        sources.update({f"{name}#{len(forces)}": source for name, source in data.items()})
        forces.append(force)

    for part in _parts(torque):
        if isinstance(part, Control):
            control = fitted(part, arm)
            gains = {name: Constant.of(_flat(control, arm, name)) for name in control.data}
            add(
                ControlTorque(control.law, control.reference.form, control.model),
                {"reference": control.reference, **gains},
            )
        elif callable(part):
            if function is not None:
                raise InputError("torque: two Python functions were given; add them up in one.")
            function = part
            add(GivenTorque(), {"tau": Constant.of(np.zeros(arm.dof))})
        else:
            signal = signal_of("torque", part, arm.dof, arm.joint_names)
            add(TimedTorque(signal.form), {"tau": signal})
    if disturbance is not None:
        signal = signal_of("disturbance", disturbance, arm.dof, arm.joint_names)
        add(Disturbance(signal.form), {"tau_d": signal})
    if noise is not None:
        signal = signal_of("noise", noise, arm.dof, arm.joint_names)
        add(TimedTorque(signal.form, account="noise"), {"tau": signal})
    for frame, given in _wrenches(arm, wrench):
        signal = signal_of(f"wrench on {frame!r}", given, 6, ("mx", "my", "mz", "fx", "fy", "fz"))
        add(TipWrench(frame, signal.form), {"wrench": signal})
    named, switches = _parameters(arm, parameters, payload, begin)
    sources.update(named)
    made = _the_same(system(arm=arm, forces=tuple(forces), parameters=tuple(named)))
    for source in sources.values():
        for t in (begin, until):
            source.window(t, t)  # a table that does not reach is told before anything runs
    return Scenario(made, tuple(sources[array.name] for array in made.feeds), function, switches)


@lru_cache(maxsize=64)
def _the_same(system: System) -> System:
    """The first of equal systems: what it knows of itself need not be found out again."""
    return system


def signal_of(what: str, given: Any, size: int, names: Sequence[str]) -> signals.Source:
    """A function of time with so many coordinates, or as many numbers for all time."""
    if isinstance(given, signals.Signal | signals.Noise):
        return given.of_size(size, what)
    try:
        values = np.asarray(given, float)
    except (TypeError, ValueError):
        raise InputError(
            f"{what}: {given!r} was given. It takes {size} numbers ({', '.join(names)}), or a function of time such as "
            "la.table(times, values)."
        ) from None
    if values.shape[-1:] != (size,) or values.ndim > 2 or not np.isfinite(values).all():
        problem = "numbers that are not finite" if values.shape[-1:] == (size,) else f"an array of shape {values.shape}"
        raise InputError(f"{what}: {problem} given; it takes {size} ({', '.join(names)}).")
    return signals.constant(values)


def _parts(torque: Torque) -> list[Any]:
    if torque is None:
        return []
    if isinstance(torque, list | tuple) and any(isinstance(x, _SOURCES) or callable(x) for x in torque):
        return list(torque)
    return [torque]


def _flat(control: Control, arm: Arm, name: str) -> Floats:
    """The numbers of one of a law's arrays as rows, environments first."""
    size = next(a.size for a in control.law.arrays(control.model or arm) if a.name == name)
    return control.data[name].reshape(-1, size) if control.data[name].size != size else control.data[name].reshape(size)


def _wrenches(arm: Arm, given: Any) -> list[tuple[str, Any]]:
    """Frame by frame; a wrench without a frame acts on the tool."""
    if given is None:
        return []
    if not isinstance(given, Mapping):
        return [(arm.tool, given)]
    return [(frame_name(arm, frame), wrench) for frame, wrench in given.items()]


def _parameters(
    arm: Arm, given: Mapping[str, ArrayLike] | None, payload: Payload | Sequence[Payload] | None, begin: float
) -> tuple[dict[str, Source], tuple[float, ...]]:
    """The parameters of the arm that are data, by name, and when the payload changes."""
    sources: dict[str, Source] = {}
    for name in parameter_inputs(arm, tuple(given or ())):
        size = len(present_values(arm, name))
        values = np.asarray((given or {})[name], float)
        if values.shape[-1:] != (size,):
            values = values[..., None] if size == 1 else values
        if values.shape[-1:] != (size,) or not np.isfinite(values).all():
            raise InputError(f"parameters: {name} takes {size} finite numbers, and {values!r} was given.")
        sources[name] = Constant.of(values)
    payloads = tuple(payload) if isinstance(payload, list | tuple) else () if payload is None else (payload,)
    if not payloads:
        return sources, ()
    if wrong := [p for p in payloads if not isinstance(p, Payload)]:
        raise InputError(f"payload: {wrong[0]!r} was given; it takes la.payload(mass, com=..., at=...), or several.")
    if PAYLOAD in sources:
        raise InputError("the payload is given twice: among the parameters and as payload. Leave one out.")
    begins, rows = carried(payloads, begin)
    sources[PAYLOAD] = Switched(begins, rows)
    return sources, tuple(begins[1:].tolist())
