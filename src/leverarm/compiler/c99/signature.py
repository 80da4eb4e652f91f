"""How the C function of a program is called."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from leverarm.compiler.c99.expression import Real
from leverarm.compiler.c99.identifiers import identifier
from leverarm.compiler.program import Array, Program

WIDTH = 100


@dataclass(frozen=True, slots=True)
class Parameter:
    """An argument or a result of the program under its name in C. A lone number is passed by value."""

    array: Array
    name: str
    is_result: bool

    @property
    def is_number(self) -> bool:
        return not self.is_result and self.array.shape == ()


@dataclass(frozen=True, slots=True)
class Signature:
    """A function's name, its parameters, and what it returns: nothing, or its only result if that is a number."""

    name: str
    real: Real
    parameters: tuple[Parameter, ...]
    returned: Parameter | None

    @property
    def arguments(self) -> tuple[Parameter, ...]:
        return tuple(p for p in self.parameters if not p.is_result)

    @property
    def results(self) -> tuple[Parameter, ...]:
        return tuple(p for p in self.parameters if p.is_result)

    @property
    def prototype(self) -> str:
        """The declaration, without a semicolon, over several lines where it is long."""
        start = f"{self.real if self.returned else 'void'} {self.name}("
        return filled(start, [self._declared(p) for p in self.parameters] or ["void"], ")", " " * 4)

    def _declared(self, p: Parameter) -> str:
        if p.is_number:
            return f"{self.real} {p.name}"
        return f"{'' if p.is_result else 'const '}{self.real} {p.name}[{max(p.array.size, 1)}]"


def signature_of(program: Program, name: str, real: Real) -> Signature:
    """Arguments in the program's order, then results; one that replaces an argument is its next value."""
    taken: set[str] = set()
    arguments = [_parameter(a, a.name, False, taken) for a in program.inputs]
    returns = len(program.outputs) == 1 and program.outputs[0].shape == ()
    results = [_parameter(a, a.name if a.name not in taken else f"{a.name}_next", True, taken) for a in program.outputs]
    parameters = tuple(arguments if returns else arguments + results)
    return Signature(name, real, parameters, results[0] if returns else None)


def _parameter(array: Array, wanted: str, is_result: bool, taken: set[str]) -> Parameter:
    name = identifier(wanted, taken)
    taken.add(name)
    return Parameter(array, name, is_result)


def filled(start: str, items: Sequence[str], end: str, indent: str) -> str:
    """`start item, item, ... end` over as many lines as it takes."""
    lines = [start]
    for k, item in enumerate(items):
        text = item + ("," if k + 1 < len(items) else end)
        if len(lines[-1]) + 1 + len(text) > WIDTH and lines[-1].strip():
            lines.append(indent + text)
        else:
            lines[-1] += text if lines[-1] == start and start.endswith("(") else f" {text}"
    return "\n".join(lines)
