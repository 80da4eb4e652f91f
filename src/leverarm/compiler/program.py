"""The intermediate representation: a straight-line program of numbered values, each an operation on earlier ones.

Programs are verified after each pass, so that a faulty pass is found at once, and run over anything that has + - * /:
floats, fractions, nodes of a tape, expressions of another library.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from math import prod
from typing import Any, NamedTuple

from leverarm.scalars import Scalar
from leverarm.scalars.operations import ARITHMETIC, Op
from leverarm.scalars.tape import Node, live_nodes


@dataclass(frozen=True, slots=True)
class Array:
    """An argument or a result: its name, its shape, what it is, and a label and unit per entry (row-major)."""

    name: str
    shape: tuple[int, ...]
    meaning: str = ""
    labels: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        return prod(self.shape)


class Instruction(NamedTuple):
    """One value: an operation, the numbers of the values it takes, and the constant or the position of the input."""

    op: Op
    args: tuple[int, ...] = ()
    value: float = 0


@dataclass(frozen=True, slots=True)
class Program:
    """Values `code[0], code[1], ...` computed in order, and which of them are the entries of the results.

    An input's position counts through the flattened arguments; `results` lists value numbers through the flattened
    outputs. A value may stand in several places, and an entry that is zero is the constant 0.0.
    """

    name: str
    inputs: tuple[Array, ...]
    outputs: tuple[Array, ...]
    code: tuple[Instruction, ...]
    results: tuple[int, ...]

    def with_code(self, code: Sequence[Instruction], results: Sequence[int]) -> Program:
        return replace(self, code=tuple(code), results=tuple(results))

    @property
    def counts(self) -> Counter[Op]:
        """How often each operation occurs."""
        return Counter(instruction.op for instruction in self.code)

    @property
    def flops(self) -> int:
        """Additions, multiplications and divisions; a fused multiply-add is two, sines, cosines and signs none."""
        return sum(op.flops * count for op, count in self.counts.items())


def slices_of(arrays: Sequence[Array]) -> list[slice]:
    """Where the entries of each array lie in the flattened whole."""
    ends = list(accumulate(array.size for array in arrays))
    return [slice(end - array.size, end) for array, end in zip(arrays, ends, strict=True)]


def program_of(name: str, inputs: Sequence[Array], outputs: Sequence[Array], entries: Sequence[Scalar]) -> Program:
    """The program that computes these nodes (or plain numbers), one for each entry of the flattened outputs.

    The tape's inputs are the entries of the flattened arguments, in order.
    """
    nodes = live_nodes(entries)
    number = {node.index: k for k, node in enumerate(nodes)}
    code = [Instruction(n.op, tuple(number[a.index] for a in n.args), n.value) for n in nodes]
    constants: dict[float, int] = {}
    results = []
    for x in entries:
        if type(x) is Node:
            results.append(number[x.index])
            continue
        value = float(x)
        if value not in constants:
            constants[value] = len(code)
            code.append(Instruction(Op.CONST, (), value))
        results.append(constants[value])
    return Program(name, tuple(inputs), tuple(outputs), tuple(code), tuple(results))


class BrokenProgram(AssertionError):
    """A pass produced an invalid program: a bug of the compiler, never a user error."""


def verify(program: Program, after: str) -> Program:
    """Returns the program; raises BrokenProgram, naming the pass, if it is invalid.

    Arguments come first and exist, every operation has its number of them, inputs lie inside the arguments, constants
    are finite and there is one value per entry of the outputs.
    """
    entries_in, entries_out = (sum(a.size for a in arrays) for arrays in (program.inputs, program.outputs))

    def require(holds: bool, what: str) -> None:
        if not holds:
            raise BrokenProgram(f"{program.name} after pass {after!r}: {what}")

    for k, (op, args, value) in enumerate(program.code):
        if args:
            if len(args) != op.arity or min(args) < 0 or max(args) >= k:
                require(len(args) == op.arity, f"value {k} is a {op.meaning} of {len(args)} values")
                require(False, f"value {k} takes {args}, which do not come before it")
        elif op is Op.INPUT:
            require(0 <= value < entries_in, f"value {k} is input {value} of {entries_in}")
        elif op is Op.CONST:
            require(math.isfinite(value), f"value {k} is the constant {value}")
        else:
            require(False, f"value {k} is a {op.meaning} of no values")
    require(len(program.results) == entries_out, f"{len(program.results)} results for {entries_out} entries")
    require(all(0 <= r < len(program.code) for r in program.results), "a result is no value of the program")
    return program


def replayed(
    program: Program,
    inputs: Sequence[Any],
    functions: Mapping[Op, Callable[[Any], Any]],
    constant: Callable[[float], Any] = float,
) -> list[Any]:
    """Every value of the program, in its order; its results are those numbered `program.results`.

    `inputs` are the entries of the flattened arguments, `functions` the operations of one value that are no arithmetic,
    `constant` makes a number of the program one of these things. A fused multiply-add is a product and a sum.
    """
    values: list[Any] = []
    for op, args, value in program.code:
        if op is Op.INPUT:
            values.append(inputs[int(value)])
        elif op is Op.CONST:
            values.append(constant(value))
        else:
            operation = ARITHMETIC.get(op) or functions[op]
            values.append(operation(*[values[a] for a in args]))
    return values
