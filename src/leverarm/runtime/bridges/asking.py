"""Common ground of the bridges: checks a request, traces its program and imports the optional library."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict

import numpy as np

from leverarm.compiler import Array, Program
from leverarm.compiler.array_code import unused
from leverarm.errors import InputError, require_known
from leverarm.late_import import installed
from leverarm.model import Arm
from leverarm.runtime.calls.arguments import leading_shape
from leverarm.runtime.parameters import present_values
from leverarm.runtime.quantities import QUANTITIES
from leverarm.runtime.requests import program_for, request_for


class Choosing(TypedDict, total=False):
    """Options of a bridge besides the quantity."""

    inputs: Sequence[str] | str
    """Arm parameters passed as arguments, such as "masses"; each defaults to the arm's own value."""
    extras: Sequence[str] | str
    """Optional arguments of the quantity: "wrench", "disturbance", "load"."""
    frame: str | None
    """Frame of poses, Jacobians and wrenches; default: the tool."""
    axes: Sequence[str] | None
    """Task-space axes of the operational-space inertia."""
    kinds: Sequence[str] | None
    """Parameter kinds (columns) of the regressor."""
    method: str | None
    """Integrator of the time step."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A traced program, its description and its call signature."""

    program: Program
    meaning: str
    signature: inspect.Signature

    def ordered(self, given: Sequence[Any], named: Mapping[str, Any]) -> list[Any]:
        """The arguments of a call in program order. Raises InputError if one is missing or unknown."""
        try:
            call = self.signature.bind(*given, **named)
        except TypeError as problem:
            takes = ", ".join(self.signature.parameters)
            raise InputError(f"{self.program.name}: {problem}; it takes ({takes}), each once.") from None
        call.apply_defaults()
        return list(call.arguments.values())

    def check_shapes(self, arrays: Sequence[Any]) -> None:
        """Raises InputError if trailing axes do not match the argument or leading axes do not broadcast."""
        for array, x in zip(self.program.inputs, arrays, strict=True):
            shape = tuple(x.shape)
            if shape[len(shape) - len(array.shape) :] != array.shape or len(shape) < len(array.shape):
                raise InputError(
                    f"{array.name} of {self.program.name}: an array of shape {shape} given; it takes {_wanted(array)}."
                )
        leading_shape(self.program, [np.broadcast_to(0.0, tuple(x.shape)) for x in arrays])

    def not_real(self, array: Array, problem: object) -> InputError:
        """The error for an argument that is not an array of real numbers."""
        what = f"{array.name} of {self.program.name}"
        return InputError(f"{what}: not an array of real numbers ({problem}). Give floats, {_wanted(array)}.")

    def named(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Gives the function the quantity's name, signature and docstring."""
        returned = "\n".join(f"returns {a.name}: {_wanted(a)}; {a.meaning}" for a in self.program.outputs)
        taken = "\n".join(f"{a.name}: {_wanted(a)}; {a.meaning}" for a in self.program.inputs)
        function.__name__ = function.__qualname__ = self.program.name
        function.__doc__ = f"{self.meaning}\n\n{taken}\n{returned}\n"
        function.__signature__ = self.signature  # type: ignore[attr-defined]
        return function


def asked_for(arm: Arm, quantity: str, choosing: Choosing) -> Asked:
    """The optimised program of a quantity. Raises InputError if the arm does not have it."""
    for name in choosing:
        require_known("choice", name, Choosing.__annotations__)
    request = request_for(arm, quantity, **choosing)
    program = program_for(request)
    taken: set[str] = set()
    parameters = []
    for array in program.inputs:
        default = _present(arm, array) if array.name in request.parameters else inspect.Parameter.empty
        name = unused(array.name, taken)
        taken.add(name)
        parameters.append(inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default))
    return Asked(program, QUANTITIES[request.quantity].title, inspect.Signature(parameters))


def _present(arm: Arm, array: Array) -> Any:
    values = present_values(arm, array.name)
    return values if array.shape else values[0]


def _wanted(array: Array) -> str:
    labels = f" ({', '.join(array.labels)})" if array.labels else ""
    return f"shape ({', '.join(['...', *map(str, array.shape)])}){labels}"


def extra(module: str, title: str) -> Any:
    """Imports the optional library of this name. Raises MissingExtraError with the install command."""
    name = module.partition(".")[0]
    return installed(
        module, f"to_{name} makes a function for {title} and needs", f"Run: pip install 'leverarm[{name}]'"
    )
