"""A program as statements of Python: a value that is needed once is written where that is, the others are named."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import NamedTuple

from leverarm.compiler.array_code.expressions import Expression, entry, name_of, number, operation, unused
from leverarm.compiler.program import Array, Instruction, Program, slices_of
from leverarm.scalars.operations import Op

LONGEST = 48
"""Characters of an expression that is still written inside another."""

RESERVED = ("xp", "lax", "like", "gathered")


class Statement(NamedTuple):
    """name = text, and the names that the text needs."""

    name: str
    text: str
    needs: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Statements:
    """The body of a function: entries of its arguments, then values, and the names its results are made of."""

    arguments: tuple[str, ...]
    entries: tuple[Statement, ...]
    values: tuple[Statement, ...]
    results: tuple[tuple[str, ...], ...]
    """Per result, the names of its entries."""


def statements(program: Program) -> Statements:
    """The program's statements, in its order."""
    writer = _Writer()
    arguments = tuple(writer.new(array.name) for array in program.inputs)
    sources = [(a, name, k) for a, name in zip(program.inputs, arguments, strict=True) for k in range(a.size)]
    for position in sorted({int(value) for op, _, value in program.code if op is Op.INPUT}):
        writer.take(position, *sources[position])
    uses = Counter(a for instruction in program.code for a in instruction.args)
    writer.named = set(program.results) | {k for k, times in uses.items() if times > 1}
    for k, instruction in enumerate(program.code):
        writer.write(k, instruction, program.code)
    names = [writer.result(k, program.code[k]) for k in program.results]
    results = tuple(tuple(names[part]) for part in slices_of(program.outputs))
    return Statements(arguments, tuple(writer.entries), tuple(writer.values), results)


@dataclass(slots=True)
class _Writer:
    """What has been written so far: names given, statements, and an expression for each value."""

    taken: set[str] = field(default_factory=lambda: set(RESERVED))
    named: set[int] = field(default_factory=set)
    """The values that need a name."""
    inputs: dict[int, Expression] = field(default_factory=dict)
    entries: list[Statement] = field(default_factory=list)
    values: list[Statement] = field(default_factory=list)
    known: list[Expression] = field(default_factory=list)
    filled: dict[float, str] = field(default_factory=dict)
    numbers: Iterator[int] = field(default_factory=lambda: count(1))

    def new(self, wish: str) -> str:
        """A name that nothing else has."""
        name = unused(wish, self.taken)
        self.taken.add(name)
        return name

    def assign(self, to: list[Statement], wish: str, x: Expression) -> Expression:
        to.append(Statement(self.new(wish), x.text, x.names))
        return name_of(to[-1].name)

    def take(self, position: int, array: Array, name: str, k: int) -> None:
        """An entry of an argument; one without axes is the argument itself."""
        x = Expression(entry(array, name, k))
        self.inputs[position] = self.assign(self.entries, f"{name}{k + 1}", x) if array.shape else name_of(name)

    def write(self, k: int, instruction: Instruction, code: Sequence[Instruction]) -> None:
        """The expression of value k, and a statement where it needs a name."""
        op, args, value = instruction
        if op is Op.INPUT:
            x = self.inputs[int(value)]
        elif op is Op.CONST:
            x = number(value)
        else:
            x = operation(op, *(self.known[a] for a in args))
            if op in (Op.COS, Op.SIN) and code[args[0]].op is Op.INPUT:
                x = self.assign(self.values, f"{op.name.lower()}_{self.known[args[0]].text}", x)
            elif k in self.named or len(x.text) > LONGEST:
                x = self.assign(self.values, f"v{next(self.numbers)}", x)
        self.known.append(x)

    def result(self, k: int, instruction: Instruction) -> str:
        """The name of an entry of a result; a number becomes an array of the batch's shape."""
        if instruction.op is not Op.CONST:
            return self.known[k].text
        if instruction.value not in self.filled:
            x = Expression(f"xp.full_like(like, {instruction.value!r})")
            wish = "zero" if instruction.value == 0 else "one" if instruction.value == 1 else "number"
            self.filled[instruction.value] = self.assign(self.values, wish, x).text
        return self.filled[instruction.value]
