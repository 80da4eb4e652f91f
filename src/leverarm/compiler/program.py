"""A straight-line program: numbered values, each an operation on earlier ones. It knows nothing of robots."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from math import prod
from typing import NamedTuple

from leverarm.scalars import Scalar
from leverarm.scalars.operations import Op
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
