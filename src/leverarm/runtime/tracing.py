"""From an arm and a quantity to the program that computes it: traces every algorithm and keeps the shortest program."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any

from leverarm.compiler import Array, Program, program_of
from leverarm.errors import SingularError
from leverarm.model import Arm, bind, regrouped
from leverarm.quantities.table import Choices, Quantity
from leverarm.runtime.parameters import bound, inertias_are_numbers, parameter_array
from leverarm.runtime.quantities import QUANTITIES, argument, results
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
