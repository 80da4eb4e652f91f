"""The array emitter: a program as a Python function over numpy, jax.numpy, torch or cupy arrays, the same text for all.

Arguments may have leading batch axes, which broadcast; each statement computes one value for the whole batch. A value
used once is written inline, the others are named. Constants are plain floats, which take the precision of the arrays.
Parentheses keep the program's order of operations and so its rounding; a fused multiply-add is written out and rounds
twice.
"""

from __future__ import annotations

import keyword
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from textwrap import wrap
from typing import Any, NamedTuple

from leverarm.compiler.program import Array, Instruction, Program, slices_of
from leverarm.scalars.operations import Op

_SUM, _PRODUCT, _ATOM = 1, 2, 3


class Expression(NamedTuple):
    """The text of an expression, its precedence, and the names in it."""

    text: str
    binds: int = _ATOM
    names: frozenset[str] = frozenset()


def name_of(text: str) -> Expression:
    return Expression(text, _ATOM, frozenset([text]))


def number(value: float) -> Expression:
    """The shortest decimal that reads back as the same float."""
    return Expression(repr(float(value)), _SUM if value < 0 else _ATOM)


def operation(op: Op, *args: Expression) -> Expression:
    """The operation applied to expressions, parenthesised as needed."""
    return _WRITTEN[op](*args)


def _bound(x: Expression, at_least: int) -> str:
    return x.text if x.binds >= at_least else f"({x.text})"


def _infix(sign: str, binds: int) -> Callable[[Expression, Expression], Expression]:
    def written(a: Expression, b: Expression) -> Expression:
        return Expression(f"{_bound(a, binds)}{sign}{_bound(b, binds + 1)}", binds, a.names | b.names)

    return written


def _call(function: str) -> Callable[[Expression], Expression]:
    return lambda a: Expression(f"xp.{function}({a.text})", _ATOM, a.names)


_add, _subtract = _infix(" + ", _SUM), _infix(" - ", _SUM)
_multiply, _divide = _infix("*", _PRODUCT), _infix("/", _PRODUCT)

_WRITTEN: dict[Op, Callable[..., Expression]] = {
    Op.NEG: lambda a: Expression(f"-{_bound(a, _PRODUCT)}", _SUM, a.names),
    Op.ADD: _add,
    Op.SUB: _subtract,
    Op.MUL: _multiply,
    Op.DIV: _divide,
    Op.COS: _call("cos"),
    Op.SIN: _call("sin"),
    Op.SIGN: _call("sign"),
    Op.TANH: _call("tanh"),
    Op.FMA: lambda a, b, c: _add(_multiply(a, b), c),
    Op.FMS: lambda a, b, c: _subtract(_multiply(a, b), c),
    Op.FNMA: lambda a, b, c: _subtract(c, _multiply(a, b)),
}


def entry(array: Array, name: str, position: int) -> str:
    """One entry of an argument, after any batch axes."""
    index: list[str] = []
    for length in reversed(array.shape):
        position, k = divmod(position, length)
        index.insert(0, str(k))
    return f"{name}[..., {', '.join(index)}]" if index else name


def identifier(name: str) -> str:
    """The name as a Python identifier of ASCII letters, digits and underscores: never anything that could be run."""
    cleaned = re.sub(r"[^A-Za-z0-9_]", "_", name)
    if not cleaned or cleaned[0].isdigit():
        return f"_{cleaned}"
    return f"{cleaned}_" if keyword.iskeyword(cleaned) else cleaned


def unused(name: str, taken: Collection[str]) -> str:
    """The identifier, with underscores appended until it is unique."""
    name = identifier(name)
    while name in taken:
        name += "_"
    return name


def comment(text: str) -> str:
    """Untrusted text made safe for a docstring or comment: printable, no quotes, no backslashes."""
    return "".join(c if c.isprintable() and c not in '"\\' else "?" for c in text)


LONGEST = 48
"""Longest expression written inline [characters]."""

RESERVED = ("xp", "lax", "like", "gathered")


class Statement(NamedTuple):
    """An assignment name = text, and the names that the text uses."""

    name: str
    text: str
    needs: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Statements:
    """The body of a function: argument entries, values, and the names of its results."""

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
    """The state of the emitter: names in use, statements, and an expression for each value."""

    taken: set[str] = field(default_factory=lambda: set(RESERVED))
    named: set[int] = field(default_factory=set)
    """The values that need a name."""
    inputs: dict[int, Expression] = field(default_factory=dict)
    entries: list[Statement] = field(default_factory=list)
    values: list[Statement] = field(default_factory=list)
    known: list[Expression] = field(default_factory=list)
    filled: dict[float, str] = field(default_factory=dict)
    numbers: Iterator[int] = field(default_factory=lambda: count(1))

    def new(self, stem: str) -> str:
        """A fresh name."""
        name = unused(stem, self.taken)
        self.taken.add(name)
        return name

    def assign(self, to: list[Statement], stem: str, x: Expression) -> Expression:
        to.append(Statement(self.new(stem), x.text, x.names))
        return name_of(to[-1].name)

    def take(self, position: int, array: Array, name: str, k: int) -> None:
        """An entry of an argument; a scalar argument is its own entry."""
        x = Expression(entry(array, name, k))
        self.inputs[position] = self.assign(self.entries, f"{name}{k + 1}", x) if array.shape else name_of(name)

    def write(self, k: int, instruction: Instruction, code: Sequence[Instruction]) -> None:
        """The expression of value k, assigned to a name if it needs one."""
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
        """The name of a result entry; a constant becomes an array of the batch's shape."""
        if instruction.op is not Op.CONST:
            return self.known[k].text
        if instruction.value not in self.filled:
            x = Expression(f"xp.full_like(like, {instruction.value!r})")
            stem = "zero" if instruction.value == 0 else "one" if instruction.value == 1 else "number"
            self.filled[instruction.value] = self.assign(self.values, stem, x).text
        return self.filled[instruction.value]


WIDTH = 112
BLOCK = 24
"""Number of statements after which dead values are deleted, to save memory."""


class Library(NamedTuple):
    """How the array library is imported as `xp`, and how results are assembled."""

    imports: str
    gathered: str


STACKED = '''\
def gathered(entries, like, shape):
    """The entries as one array: the batch's axes, then the axes of `shape`."""
    return xp.stack([xp.broadcast_to(x, like.shape) for x in entries], -1).reshape(tuple(like.shape) + shape)
'''

# XLA would fuse a stack with everything that goes into it and recompute shared values for every entry: batched inverse
# dynamics becomes a hundred times slower on a CPU. It does not fuse in-place updates.
UPDATED = '''\
def gathered(entries, like, shape):
    """The entries as one array: the batch's axes, then the axes of `shape`."""
    result = xp.zeros((*like.shape, len(entries)), like.dtype)
    for k, x in enumerate(entries):
        column = xp.broadcast_to(x, like.shape).astype(like.dtype)[..., None]
        result = lax.dynamic_update_slice_in_dim(result, column, k, -1)
    return result.reshape((*like.shape, *shape))
'''

LIBRARIES = {
    "numpy": Library("import numpy as xp\n", STACKED),
    "jax": Library("import jax.numpy as xp\nfrom jax import lax\n", UPDATED),
    "torch": Library("import torch as xp\n", STACKED),
    "cupy": Library("import cupy as xp\n", STACKED),
}


def array_module(programs: Iterable[Program], library: str, about: str) -> str:
    """The text of a module with one function per program, for a library of LIBRARIES; `about` is its header comment."""
    head = "".join(f"# {comment(line)}".rstrip() + "\n" for line in about.splitlines())
    imports, gathered = LIBRARIES[library]
    functions = [array_code(program) for program in programs]
    return "\n\n".join([f"{head}\n{imports}" if head else imports, gathered, *functions])


def array_function(program: Program, library: str) -> Callable[..., Any]:
    """The program as a function over arrays of a library of LIBRARIES; several results come as a tuple.

    The executed text is made only of operations, numbers and sanitised names.
    """
    scope: dict[str, Any] = {}
    name = identifier(program.name)
    exec(compile(array_module([program], library, ""), f"<array code of {name}>", "exec"), scope)
    function: Callable[..., Any] = scope[name]
    return function


def array_code(program: Program) -> str:
    """The text of the function alone, which uses the globals `xp` and `gathered`."""
    body = statements(program)
    first = [entry(a, name, 0) for a, name in zip(program.inputs, body.arguments, strict=True)]
    lines = [
        f"def {identifier(program.name)}({', '.join(body.arguments)}):",
        *_docstring(program, body.arguments),
        f"    like = 1.0*({' + '.join(first)})  # has the batch's shape, precision and device",
        *(f"    {name} = {text}" for name, text, _ in body.entries),
        *_values(body),
        *_returned(program, body),
    ]
    return "\n".join(lines) + "\n"


def _docstring(program: Program, arguments: Sequence[str]) -> Iterator[str]:
    yield f'    """{comment(program.name)}: {program.flops} flops per state.'
    yield ""
    for name, array in zip(arguments, program.inputs, strict=True):
        yield from _described(name, array)
    for array in program.outputs:
        yield from _described("returns " + identifier(array.name), array)
    yield '    """'


def _described(name: str, array: Array) -> list[str]:
    shape = ", ".join(map(str, ("...", *array.shape)))
    labels = f": {', '.join(array.labels)}" if array.labels else ""
    text = comment(f"{name} ({shape}) {array.meaning}{labels}").strip()
    return wrap(text, WIDTH, initial_indent="    ", subsequent_indent="        ")


def _values(body: Statements) -> Iterator[str]:
    """The statements, with a `del` of dead values after every block."""
    last = {name: k for k, statement in enumerate(body.values) for name in statement.needs}
    kept = {name for names in body.results for name in names} | set(body.arguments)
    held: list[str] = []
    for k, (name, text, _) in enumerate(body.values):
        yield f"    {name} = {text}"
        held.append(name)
        if (k + 1) % BLOCK == 0:
            gone = [name for name in held if name not in kept and last.get(name, k) <= k]
            held = [name for name in held if name in kept or last.get(name, k) > k]
            if gone:
                yield f"    del {', '.join(gone)}"


def _returned(program: Program, body: Statements) -> Iterator[str]:
    arrays = list(zip(program.outputs, body.results, strict=True))
    if len(arrays) == 1:
        yield from _gathered("return ", *arrays[0], after="")
        return
    yield "    return ("
    for array, names in arrays:
        yield from (f"    {line}" for line in _gathered("", array, names, after=","))
    yield "    )"


def _gathered(before: str, array: Array, names: Sequence[str], after: str) -> Iterator[str]:
    """One result, its entries written row by row."""
    columns = array.shape[-1] if array.shape else 1
    yield f"    {before}gathered("
    yield "        ("
    for k in range(0, array.size, columns):
        yield from wrap(
            ", ".join(names[k : k + columns]) + ",", WIDTH, initial_indent=" " * 12, subsequent_indent=" " * 12
        )
    yield "        ),"
    yield "        like,"
    yield f"        {array.shape},"
    yield f"    ){after}"
