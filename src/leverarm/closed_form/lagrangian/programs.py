"""Programs of a system of one's own for the compiler: accelerations, mass matrix, bias, and C99 of them."""

from __future__ import annotations

from collections.abc import Sequence

from leverarm import mechanics as me
from leverarm._version import __version__
from leverarm.closed_form.arm_letters import speed
from leverarm.closed_form.lagrangian.calculus import by_letter, over_scalars, require_compilable
from leverarm.closed_form.lagrangian.reading import CONSTANTS, TIME
from leverarm.closed_form.lagrangian.system import LagrangianSystem
from leverarm.compiler import Array, Program, program_of
from leverarm.compiler.c99 import definition, identifier, signature_of, support
from leverarm.compiler.lowering import lower
from leverarm.mechanics.matrices import dot
from leverarm.scalars import Scalar, Tape, Turn, cos_sin
from leverarm.scalars.exact import Polynomial, numerator_and_denominator

SOLVED_BY_COFACTORS = 4
"""Up to this many coordinates M qdd = r is solved by cofactors, whose only divisor is det M; then by M = L^T D L."""


class Trace:
    """The inputs of a program (t, q, qd, the constants) on a tape, and exact values in terms of them."""

    def __init__(self, system: LagrangianSystem, *others: Array) -> None:
        self.system = system
        n = len(system.coordinates)
        self.inputs = (
            Array(TIME, (), "time [s]"),
            Array("q", (n,), "coordinates", system.coordinates),
            Array("qd", (n,), "speeds", system.coordinates),
            Array("constants", (len(system.constants),), "constants", system.constants),
            *others,
        )
        tape = Tape()
        t, self.q, self.qd, constants, *self.others = (tape.inputs_of(a.name, a.size) for a in self.inputs)
        names = (TIME, *system.coordinates, *system.constants)
        numbers = dict(zip(names, (*t, *self.q, *constants), strict=True))
        speeds = dict(zip(map(speed, system.coordinates), self.qd, strict=True))
        turns = {name: Turn(*cos_sin(x)) for name, x in numbers.items()}
        self._letters = {**CONSTANTS, **numbers, **speeds, **by_letter(turns)}

    def values(self, xs: Sequence[Scalar]) -> list[Scalar]:
        """Exact values over the tape."""
        return [self._value(x) for x in xs]

    def _value(self, x: Scalar) -> Scalar:
        require_compilable(x)
        parts = [part for part in numerator_and_denominator(x) if isinstance(part, Polynomial)]
        constant = {g.name: g.value for part in parts for g in part.generators() if g.value is not None}
        return over_scalars(x, {**constant, **self._letters})

    def accelerations(self) -> list[Scalar]:
        """qdd = M^-1 (Q - bias)."""
        self.system.require_invertible()
        M = [self.values(row) for row in self.system.M.values]
        forces, bias = self.values(self.system.forces.values), self.values(self.system.bias.values)
        rest = [q - h for q, h in zip(forces, bias, strict=True)]
        if len(M) > SOLVED_BY_COFACTORS:
            return me.factorise(M).solve(rest)
        d = me.determinant(M)
        return [dot(row, rest) / d for row in me.adjugate(M)]

    def program(self, name: str, *results: tuple[Array, Sequence[Scalar]]) -> Program:
        """The program of some arrays, each with its entries."""
        return program_of(name, self.inputs, [array for array, _ in results], [x for _, xs in results for x in xs])


def programs(system: LagrangianSystem) -> tuple[Program, ...]:
    """mass_matrix, bias and, where M has an inverse, accelerations, ready for the emitters."""
    trace, n = Trace(system), len(system.coordinates)
    M = Array("M", (n, n), "mass matrix d^2 L/dqd dqd")
    h = Array("h", (n,), "what the left side has besides M qdd", system.coordinates)
    found = [
        trace.program("mass_matrix", (M, [x for row in system.M.values for x in trace.values(row)])),
        trace.program("bias", (h, trace.values(system.bias.values))),
    ]
    if not system.is_singular:
        qdd = Array("qdd", (n,), "accelerations M^-1 (Q - h)", system.coordinates)
        found.append(trace.program("accelerations", (qdd, trace.accelerations())))
    return tuple(lower(program).program for program in found)


def c_code(system: LagrangianSystem) -> str:
    """C99 of `programs`, one function each, with a comment that says what goes in and out."""
    made, prefix = programs(system), identifier(system.name)
    lines = ["Lagrange's equations M qdd + h = Q of", *(f"  {line}" for line in system.text().splitlines())]
    arrays = {array.name: array for program in made for array in (*program.inputs, *program.outputs)}
    lines += [f"{a.name}: {a.meaning}" + (f": {', '.join(a.labels)}" if a.labels else "") for a in arrays.values()]
    head = "\n".join(["/* " + lines[0], *(f" * {line}" for line in lines[1:]), f" * leverarm {__version__} */"])
    definitions = [definition(p, signature_of(p, f"{prefix}_{p.name}", "double")) for p in made]
    return "\n\n".join([head, *support(made, "double"), *definitions]) + "\n"
