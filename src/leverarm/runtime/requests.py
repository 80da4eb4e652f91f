"""What a user asks to be compiled, checked once and written in one canonical way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from leverarm import mechanics
from leverarm.compiler import Lowered, Program
from leverarm.errors import InputError, unknown_name
from leverarm.evaluate import task_axes
from leverarm.evaluate.arrays import frame_name, over_floats, rows
from leverarm.mechanics import ROWS
from leverarm.model import Arm
from leverarm.runtime.parameters import parameter_inputs
from leverarm.runtime.quantities import QUANTITIES, Choices, Quantity
from leverarm.runtime.stepping import STEPS
from leverarm.runtime.tracing import Request, traced

CHOICES = ("frame", "axes", "kinds", "method")
EXTRAS = ("wrench", "disturbance")


def quantity_named(name: str) -> Quantity:
    if name not in QUANTITIES:
        raise InputError(unknown_name("quantity", str(name), QUANTITIES))
    return QUANTITIES[name]


def request_for(
    arm: Arm,
    quantity: str,
    *,
    inputs: Sequence[str] | str = (),
    extras: Sequence[str] = (),
    frame: str | None = None,
    axes: Sequence[str] | None = None,
    kinds: Sequence[str] | None = None,
    method: str | None = None,
) -> Request:
    """A quantity of an arm to be compiled, with parameters as inputs, optional arguments, and what is fixed.

    What a quantity has no use for may not be given.
    """
    known = quantity_named(quantity)
    given = {"frame": frame, "axes": axes, "kinds": kinds, "method": method}
    for name, value in given.items():
        if value is not None and name not in known.choices:
            takes = ", ".join((*known.arguments, *known.optional, *known.choices))
            raise InputError(f"{quantity} takes no {name!r}. It takes {takes}.")
    for name in extras:
        if name not in known.optional:
            takes = ", ".join((*known.arguments, *known.optional))
            raise InputError(f"{quantity} takes no argument {name!r}. It takes {takes}.")
    return Request(
        arm,
        quantity,
        _choices(arm, known, frame, axes, kinds, method),
        tuple(name for name in known.optional if name in extras),
        parameter_inputs(arm, inputs),
    )


def _choices(
    arm: Arm,
    quantity: Quantity,
    frame: str | None,
    axes: Sequence[str] | None,
    kinds: Sequence[str] | None,
    method: str | None,
) -> Choices:
    at = frame_name(arm, frame)
    chosen: dict[str, Any] = {"frame": at}
    if "axes" in quantity.choices:
        chosen["axes"] = tuple(ROWS[r] for r in rows(task_axes(arm, at) if axes is None else axes))
    if "kinds" in quantity.choices:
        present = mechanics.kinds_of(over_floats(arm))
        for kind in kinds or ():
            if kind not in mechanics.KINDS:
                raise InputError(unknown_name("kind of parameter", str(kind), mechanics.KINDS))
        chosen["kinds"] = tuple(kinds or present)
    if "method" in quantity.choices:
        chosen["method"] = "semi-implicit" if method is None else method
        if chosen["method"] not in STEPS:
            raise InputError(unknown_name("method", str(method), STEPS))
    return Choices(**chosen)


def lowered_for(request: Request) -> Lowered:
    """The request traced and run through the passes."""
    from leverarm.compiler.lowering import lower

    return lower(traced(request))


def program_for(arm: Arm, quantity: str, **asked: Any) -> Program:
    """The program of a quantity after all passes; `asked` as for `request_for`."""
    return lowered_for(request_for(arm, quantity, **asked)).program
