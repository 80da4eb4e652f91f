"""Straight-line programs of a system of one's own, for the compiler: accelerations, mass matrix, bias, and C99 of them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from leverarm import mechanics as me
from leverarm._version import __version__
from leverarm.closed_form.arm_letters import speed
from leverarm.closed_form.lagrangian.reading import CONSTANTS, TIME
from leverarm.closed_form.lagrangian.system import LagrangianSystem
from leverarm.compiler import Array, Program, program_of
from leverarm.compiler.c99 import definition, identifier, signature_of, support
from leverarm.compiler.lowering import lower
from leverarm.errors import InputError
from leverarm.mechanics.matrices import dot
from leverarm.notation import tree
from leverarm.notation.elements import nested
from leverarm.notation.names import constant_angle, ring_name
from leverarm.notation.tree import Node
from leverarm.scalars import Scalar, Tape, cos_sin, sign, tanh

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
        self.letters: dict[str, Scalar] = {TIME: t[0], **CONSTANTS}
        self.letters |= dict(zip(system.coordinates, self.q, strict=True))
        self.letters |= dict(zip(map(speed, system.coordinates), self.qd, strict=True))
        self.letters |= dict(zip(system.constants, constants, strict=True))

    def value(self, x: Scalar) -> Scalar:
        """An exact value over the tape."""
        return _over(nested(x, self.system.written.vocabulary), self.letters)

    def values(self, xs: Sequence[Scalar]) -> list[Scalar]:
        return [self.value(x) for x in xs]

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


def _over(node: Node, letters: Mapping[str, Scalar]) -> Scalar:
    """The value of a formula over other numbers."""
    match node:
        case tree.Number(value=value):
            return int(value) if value.denominator == 1 else value
        case tree.Symbol():
            return letters[ring_name(node, {})]
        case tree.Trig(function=function, angle=((name, 1),)):
            number = constant_angle(name)
            c, s = cos_sin(letters[name] if number is None else number)
            return c if function == "cos" else s
        case tree.Call(function="sqrt", argument=tree.Number(value=value)):
            return math.sqrt(value)
        case tree.Call(function="sgn" | "tanh" as function, argument=argument):
            return (sign if function == "sgn" else tanh)(_over(argument, letters))
        case tree.Call(function=function):
            raise InputError(f"{function} of a formula is not among what is compiled: + - * /, sin, cos, tanh and sgn.")
        case tree.Sum(terms=terms):
            return sum((_over(term, letters) for term in terms), start=0)
        case tree.Product(factors=factors):
            return math.prod((_over(factor, letters) for factor in factors), start=1)
        case tree.Power(base=base, exponent=exponent):
            return math.prod([_over(base, letters)] * exponent, start=1)
        case tree.Ratio(above=above, below=below):
            return _over(above, letters) / _over(below, letters)
        case _:
            raise InputError(f"a formula of the kind {type(node).__name__} is not compiled.")


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
