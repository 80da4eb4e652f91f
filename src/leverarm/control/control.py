"""A control law with its gains, limits and reference: a torque source for simulations. What a user gives is checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from leverarm import compiler
from leverarm.arrays import Array
from leverarm.control.law import EFFORT, Law, Saturated
from leverarm.control.signals import Moment, Signal, constant
from leverarm.errors import InputError
from leverarm.model import Arm, Valuation
from leverarm.quantities.arrays import array, coordinates, floats, numbers, over_floats
from leverarm.scalars import FLOAT


@dataclass(frozen=True, slots=True, eq=False)
class Control:
    """A law, its data by name (leading axes: environments), its reference, and its model of the arm.

    Without a `model` the law uses the nominal arm, whatever payload or disturbance the simulation adds.
    `data` has no effort where the arm's own limits apply; `fitted` fills them in.
    """

    law: Law
    data: Mapping[str, Array]
    reference: Signal
    model: Arm | None = None

    def torque_at(self, arm: Arm, t: float, q: ArrayLike, qd: ArrayLike) -> Array:
        """The joint forces at a time and a state, n [N m or N], in plain floats, for one environment."""
        control = fitted(self, arm)
        law, model = control.law, control.model or arm
        batched = [name for name, part in control.data.items() if part.ndim > 1]
        if batched or control.reference.rows.ndim > 2:
            raise InputError(
                f"{listed(batched or ['target'])}: one row per environment was given, and torque_at takes one of them. "
                "Make a control of that row alone."
            )
        state = coordinates(arm, "q", q), coordinates(arm, "qd", qd)
        (time,) = numbers("t", [t], ("t [s]",))
        wanted = Moment(*([float(x) for x in part] for part in control.reference.at(time)))
        data = {name: [float(x) for x in part] for name, part in control.data.items()}
        return array(law.torque(over_floats(model), data, wanted, *state))


def made(
    law: Law, data: Mapping[str, Array], reference: Signal, model: Arm | None, effort: ArrayLike | str | None
) -> Control:
    """A control whose efforts saturate at the limits, if there are any."""
    if model is not None and not isinstance(model, Arm):
        raise InputError(f"model: {model!r} was given; it must be an arm, as from la.load('panda'), or None.")
    if effort is None:
        return Control(law, dict(data), reference, model)
    if isinstance(effort, str):
        if effort != "limits":
            raise InputError(f'effort: {effort!r} was given; it must be numbers, or "limits" for those of the arm.')
        return Control(Saturated(law), dict(data), reference, model)
    return Control(Saturated(law), {**data, EFFORT: nonnegative(EFFORT, effort)}, reference, model)


def fitted(control: Control, arm: Arm) -> Control:
    """The control with its data completed and checked for an arm, each (..., size).

    Raises InputError where target, gains, frame or model do not fit the arm.
    """
    model, law = control.model or arm, control.law
    if model.joint_names != arm.joint_names:
        raise InputError(
            f"model: the law knows the coordinates {listed(model.joint_names)}, and arm {arm.name!r} has "
            f"{listed(arm.joint_names)}. Give a model of the same arm, with the same coordinates in the same order."
        )
    wanted, size = law.reference(model), control.reference.size
    if size != wanted.size:
        raise InputError(
            f"target: {size} numbers were given; a target for arm {arm.name!r} takes {wanted.size} "
            f"({listed(wanted.labels)})."
        )
    given = dict(control.data)
    arrays = law.arrays(model)
    if EFFORT not in given and any(a.name == EFFORT for a in arrays):
        given[EFFORT] = effort_limits(arm)
    return replace(control, data={a.name: _shaped(a, given[a.name], arm) for a in arrays})


def _shaped(wanted: compiler.Array, given: Array, arm: Arm) -> Array:
    try:
        return np.array(np.broadcast_to(given, (*given.shape[:-1], wanted.size)))
    except ValueError:
        raise InputError(
            f"{wanted.name}: an array of shape {given.shape} was given; for arm {arm.name!r} it takes one number, or "
            f"{wanted.size} ({listed(wanted.labels)}), or a row of them for each environment."
        ) from None


Target = Signal | ArrayLike
"""A reference in time, or constant numbers."""


def reference_of(target: Target) -> Signal:
    """The target as a function of time."""
    return target if isinstance(target, Signal) else constant(finite("target", target))


def nonnegative(what: str, given: ArrayLike) -> Array:
    """Finite floats of any shape, zero or positive."""
    numbers = finite(what, given)
    if (numbers < 0).any():
        raise InputError(f"{what}: {numbers.min():g} was given; every number must be zero or positive.")
    return numbers


def gains(what: str, given: ArrayLike, size: int) -> Array:
    """Numbers that are zero or positive: one for all, one each, or rows of one each for several environments."""
    numbers = nonnegative(what, given)
    if numbers.ndim and numbers.shape[-1] not in (1, size):
        raise InputError(
            f"{what}: an array of shape {numbers.shape} was given; it takes one number, or {size}, as many as the "
            f"target has coordinates or axes, or (environments, {size})."
        )
    return np.array(np.broadcast_to(numbers, (*numbers.shape[:-1], size)))


def finite(what: str, given: ArrayLike) -> Array:
    """Finite floats of any shape."""
    try:
        numbers = floats(given)
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"{what}: {given!r} was given; it must be a number or a list of numbers.") from None
    if not numbers.size:
        raise InputError(f"{what}: no number was given; it must be a number or a list of numbers.")
    if not np.isfinite(numbers).all():
        raise InputError(f"{what}: {given!r} was given; every number must be finite.")
    return numbers


def effort_limits(arm: Arm) -> Array:
    """The effort limit of each coordinate in the arm's description, n [N m or N]."""
    valuation = Valuation.of(arm, FLOAT, {})
    efforts = {body.joint.name: body.joint.limits.effort for body in arm.bodies if body.joint.coupling is None}
    known = {name: float(valuation.number(effort)) for name, effort in efforts.items() if effort is not None}
    missing = [name for name in arm.joint_names if name not in known]
    if missing:
        raise InputError(
            f'effort = "limits": arm {arm.name!r} has no limit of effort for {listed(missing)}. Give `effort` as '
            f"{arm.dof} numbers, or write limits = {{ effort = ... }} into the arm's description."
        )
    return np.array([known[name] for name in arm.joint_names])


def listed(names: Sequence[str]) -> str:
    """Names in one line."""
    return ", ".join(names)
