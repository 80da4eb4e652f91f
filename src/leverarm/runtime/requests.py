"""Requests to compile a quantity, and the program of each: every algorithm is traced, and the shortest kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any

from leverarm import mechanics
from leverarm.compiler import Array, Program, program_of
from leverarm.errors import InputError, SingularError, require_known, unknown_name
from leverarm.mechanics import ROWS
from leverarm.model import LOADED_LAWS, Arm, bind, regrouped
from leverarm.quantities import task_axes
from leverarm.quantities.arrays import frame_name, over_floats, rows
from leverarm.quantities.table import COMPILED_CHOICES, EXTRA_ARGUMENTS, Choices, Quantity, find
from leverarm.runtime.parameters import bound, inertias_are_numbers, parameter_array, parameter_inputs
from leverarm.runtime.quantities import QUANTITIES, argument, results
from leverarm.runtime.stepping import EXPLICIT
from leverarm.scalars import Scalar, Tape


@dataclass(frozen=True, slots=True)
class Request:
    """One function to compile: a quantity of an arm, its extra arguments and its fixed choices."""

    arm: Arm
    quantity: str
    choices: Choices
    extras: tuple[str, ...] = ()
    parameters: tuple[str, ...] = ()

    @property
    def arguments(self) -> tuple[Array, ...]:
        """Arguments in call order: the quantity's, the optional ones, the parameters."""
        names = (*QUANTITIES[self.quantity].arguments, *self.extras)
        own = tuple(argument(self.arm, name) for name in names)
        return (*own, *(parameter_array(self.arm, name) for name in self.parameters))


def results_of(request: Request) -> tuple[Array, ...]:
    """The result arrays, without tracing."""
    return results(QUANTITIES[request.quantity], request.arm, bind(request.arm), request.choices)


def traced(request: Request) -> Program:
    """The program with the fewest operations over the quantity's algorithms, with and without regrouped inertias."""
    quantity, programs = QUANTITIES[request.quantity], []
    try:
        for route, regroups in product(range(len(quantity.routes)), _groupings(request, quantity)):
            own = _inputs(request)
            mechanism = bound(request.arm, {name: own.pop(name) for name in request.parameters})
            found = results(quantity, request.arm, mechanism, request.choices)
            entries = quantity.computed(route, regrouped(mechanism) if regroups else mechanism, request.choices, own)
            programs.append(program_of(quantity.name, request.arguments, found, flattened(entries)))
    except ZeroDivisionError:
        raise singular(request) from None
    return min(programs, key=lambda program: program.flops)


def singular(request: Request) -> SingularError:
    """The error for a quantity that is singular at every state."""
    return SingularError(
        f"{request.quantity} of arm {request.arm.name!r} divides by zero: the mass matrix has no inverse, or the frame "
        "cannot move along the axes. Give every moving link a mass, or choose other axes."
    )


def _groupings(request: Request, quantity: Quantity) -> tuple[bool, ...]:
    """Regrouping numbers is free; regrouping inputs costs operations and may not pay off."""
    if quantity.groupings != (True,):
        return quantity.groupings
    given = _inputs(request)
    mechanism = bound(request.arm, {name: given[name] for name in request.parameters})
    return (True,) if inertias_are_numbers(mechanism) else (True, False)


def _inputs(request: Request) -> dict[str, list[Scalar]]:
    """The arguments by name, as inputs of a new tape."""
    tape = Tape()
    return {array.name: tape.inputs_of(array.name, array.size) for array in request.arguments}


def flattened(nested: Any) -> list[Scalar]:
    """The scalars of nested lists, in order."""
    if isinstance(nested, list | tuple):
        return [x for part in nested for x in flattened(part)]
    return [nested]


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
    given: dict[str, Any] = {"frame": frame, "axes": axes, "kinds": kinds, "method": method}
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
    chosen = _choices(arm, known, **given)
    taken = {*extras, *(("load",) if _needs_load(arm, known, chosen) else ())}
    return Request(arm, known.name, chosen, tuple(name for name in known.optional if name in taken), parameters)


def _needs_load(arm: Arm, quantity: Quantity, choices: Choices) -> bool:
    """Whether it has columns of friction that grows with the load: they are columns at a given load."""
    loaded = {law.name for law in LOADED_LAWS}
    return "load" in quantity.optional and bool(loaded & set(choices.kinds))


def _choices(arm: Arm, quantity: Quantity, frame: str | None, axes: Any, kinds: Any, method: Any) -> Choices:
    at = frame_name(arm, frame)
    chosen: dict[str, Any] = {"frame": at}
    if "axes" in quantity.choices:
        chosen["axes"] = tuple(ROWS[r] for r in rows(task_axes(arm, at) if axes is None else axes))
    if "kinds" in quantity.choices:
        chosen["kinds"] = mechanics.kinds_of(over_floats(arm)) if kinds is None else _kinds(kinds)
    if "method" in quantity.choices:
        chosen["method"] = "semi-implicit" if method is None else method
        if not isinstance(method, str | None) or chosen["method"] not in EXPLICIT:
            raise InputError(unknown_name("method", str(method), EXPLICIT))
    return Choices(**chosen)


def _kinds(given: Sequence[str] | str) -> tuple[str, ...]:
    kinds = (given,) if isinstance(given, str) else given
    if not isinstance(kinds, Sequence) or not kinds:
        valid = ", ".join(mechanics.KINDS)
        raise InputError(f"kinds: {given!r} was given; name one or more kinds of parameters of {valid}.")
    for kind in kinds:
        require_known("kind of parameter", kind, mechanics.KINDS)
    return tuple(kinds)


@lru_cache(maxsize=128)
def program_for(request: Request) -> Program:
    """The traced and optimised program of a request, shared by all emitters."""
    from leverarm.compiler.lowering import lower  # loaded only where something is compiled

    return lower(traced(request)).program
