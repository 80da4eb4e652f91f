"""Targets, gains and effort limits given by a user, read and checked."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from leverarm.arrays import Array
from leverarm.control.signals import Signal, constant
from leverarm.errors import InputError
from leverarm.model import Arm, Valuation
from leverarm.quantities.arrays import floats
from leverarm.scalars import FLOAT

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
