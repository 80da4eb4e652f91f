"""The quantities that can be compiled: every quantity with an algorithm, described as the compiler's arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from leverarm import mechanics
from leverarm.compiler import Array
from leverarm.model import Arm, Mechanism, bind
from leverarm.model.units import Units
from leverarm.quantities.table import TABLE, Choices, Quantity, Result, labels, units
from leverarm.runtime.stepping import EXPLICIT
from leverarm.runtime.stepping import step as one_step
from leverarm.scalars import Scalar
from leverarm.spatial import Force

QUANTITIES = {quantity.name: quantity for quantity in TABLE if quantity.routes}

_SIX_FORCES = ("mx [N m]", "my [N m]", "mz [N m]", "fx [N]", "fy [N]", "fz [N]")


def argument(arm: Arm, name: str) -> Array:
    """An argument of an arm's quantities by name."""
    units = Units.of(arm)
    if name == "load":
        joints = tuple(link.joint for link in bind(arm).links)
        return Array("load", (len(joints),), "torques or forces that the joints transmit without acceleration", joints)
    known = {
        "q": Array("q", (arm.dof,), "positions", units.per_coordinate("rad", "m")),
        "qd": Array("qd", (arm.dof,), "velocities", units.per_coordinate("rad/s", "m/s")),
        "qdd": Array("qdd", (arm.dof,), "accelerations", units.per_coordinate("rad/s^2", "m/s^2")),
        "tau": Array("tau", (arm.dof,), "torques", units.forces),
        "disturbance": Array("disturbance", (arm.dof,), "disturbance torques tau_d", units.forces),
        "wrench": Array("wrench", (6,), "outside wrench on the frame, world axes", _SIX_FORCES),
        "dt": Array("dt", (), "time step [s]"),
    }
    return known[name]


def results(quantity: Quantity, arm: Arm, mechanism: Mechanism, choices: Choices) -> tuple[Array, ...]:
    """The results of a compiled quantity, described including its choices."""
    return tuple(_result(result, arm, mechanism, choices) for result in quantity.of_arm(arm).results)


def _result(result: Result, arm: Arm, mechanism: Mechanism, choices: Choices) -> Array:
    names = labels(result.shape, arm, mechanism, choices)
    shape = tuple(len(axis) for axis in names)
    meaning = result.meaning.replace("a frame", f"frame {choices.frame}")
    if result.shape == "k x k":
        meaning += f" along {' '.join(choices.axes)}"
    unit = units(result, arm, names[0] if names else ())
    if isinstance(unit, tuple):
        entries = tuple(f"{name} [{each}]" for name, each in zip(names[0], unit, strict=True))
        return Array(result.letter, shape, meaning, entries)
    columns = f"; columns: {', '.join(names[1])}" if result.shape.endswith("p") else ""
    return Array(result.letter, shape, meaning + (f" [{unit}]" if unit else "") + columns)


def _step(solve: Callable[..., list[Scalar]]) -> Callable[..., list[Any]]:
    """A time step with accelerations by one algorithm."""

    def step(
        m: Mechanism,
        q: Sequence[Scalar],
        qd: Sequence[Scalar],
        tau: Sequence[Scalar],
        dt: Scalar,
        wrenches: Mapping[str, Force] | None,
        disturbance: Sequence[Scalar] | None,
        method: str,
    ) -> list[Any]:
        def accelerations(q: Sequence[Scalar], qd: Sequence[Scalar]) -> list[Scalar]:
            return solve(m, q, qd, tau, wrenches, disturbance)

        return list(one_step(EXPLICIT[method], accelerations, q, qd, dt))

    return step


step = _step(mechanics.forward_dynamics)
classical_step = _step(mechanics.classical_forward_dynamics)
step_from_rest = _step(mechanics.forward_dynamics_from_rest)
