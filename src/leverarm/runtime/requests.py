"""Requests to compile a quantity: checked once, in one canonical form."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from leverarm import mechanics
from leverarm.compiler import Program
from leverarm.errors import InputError, unknown_name
from leverarm.mechanics import ROWS
from leverarm.model import LOADED_LAWS, Arm
from leverarm.quantities import task_axes
from leverarm.quantities.arrays import frame_name, over_floats, rows
from leverarm.quantities.table import COMPILED_CHOICES, EXTRA_ARGUMENTS, Choices, Quantity, find
from leverarm.runtime.parameters import parameter_inputs
from leverarm.runtime.quantities import QUANTITIES
from leverarm.runtime.stepping import STEPS
from leverarm.runtime.tracing import Request, traced

CHOICES, EXTRAS = COMPILED_CHOICES, EXTRA_ARGUMENTS


def quantity_named(given: str) -> Quantity:
    """A quantity by name or letter, as in the table of quantities."""
    found = find(given, QUANTITIES.values())
    if found is None:
        raise InputError(unknown_name("quantity", str(given), QUANTITIES))
    return found


def listed_quantities(given: Sequence[str] | str) -> tuple[str, ...]:
    """A user's list of quantities (names or letters), checked: one or more, each once."""
    names = [given] if isinstance(given, str) else [str(name) for name in given] if isinstance(given, Sequence) else []
    if not names or len(set(names)) != len(names):
        listed = ", ".join(names) or repr(given)
        raise InputError(f"quantities: {listed} was given. Name one or more, each once, of {', '.join(QUANTITIES)}.")
    return tuple(quantity_named(name).name for name in names)


def request_for(
    arm: Arm,
    quantity: str,
    *,
    inputs: Sequence[str] | str = (),
    extras: Sequence[str] | str = (),
    frame: str | None = None,
    axes: Sequence[str] | None = None,
    kinds: Sequence[str] | None = None,
    method: str | None = None,
) -> Request:
    """A request to compile a quantity, with parameters as inputs, optional arguments and fixed choices.

    Raises InputError for options that the quantity does not take.
    """
    known, parameters = quantity_named(quantity), parameter_inputs(arm, inputs)
    given = {"frame": frame, "axes": axes, "kinds": kinds, "method": method}
    for name, value in given.items():
        if value is not None and name not in known.choices:
            takes = ", ".join((*known.arguments, *known.optional, *known.choices))
            raise InputError(f"{quantity} takes no {name!r}. It takes {takes}.")
    if isinstance(extras, str):
        extras = (extras,)
    for name in extras:
        if name not in known.optional:
            takes = ", ".join((*known.arguments, *known.optional))
            raise InputError(f"{quantity} takes no argument {name!r}. It takes {takes}.")
    chosen = _choices(arm, known, frame, axes, kinds, method)
    taken = {*extras, *(("load",) if _needs_load(arm, known, chosen) else ())}
    return Request(arm, known.name, chosen, tuple(name for name in known.optional if name in taken), parameters)


def _needs_load(arm: Arm, quantity: Quantity, choices: Choices) -> bool:
    """Whether it has columns of friction that grows with the load: they are columns at a given load."""
    loaded = {law.name for law in LOADED_LAWS}
    return "load" in quantity.optional and bool(loaded & set(choices.kinds))


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
        chosen["kinds"] = mechanics.kinds_of(over_floats(arm)) if kinds is None else _kinds(kinds)
    if "method" in quantity.choices:
        chosen["method"] = "semi-implicit" if method is None else method
        if not isinstance(method, str | None) or chosen["method"] not in STEPS:
            raise InputError(unknown_name("method", str(method), STEPS))
    return Choices(**chosen)


def _kinds(given: Sequence[str] | str) -> tuple[str, ...]:
    kinds = (given,) if isinstance(given, str) else given
    if not isinstance(kinds, Sequence) or not kinds:
        valid = ", ".join(mechanics.KINDS)
        raise InputError(f"kinds: {given!r} was given; name one or more kinds of parameters of {valid}.")
    for kind in kinds:
        if kind not in tuple(mechanics.KINDS):
            raise InputError(unknown_name("kind of parameter", str(kind), mechanics.KINDS))
    return tuple(kinds)


@lru_cache(maxsize=128)
def program_for(request: Request) -> Program:
    """The traced and optimised program of a request, shared by all emitters."""
    from leverarm.compiler.lowering import lower  # loaded only where something is compiled

    return lower(traced(request)).program
