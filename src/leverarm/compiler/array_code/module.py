"""Programs as Python functions over arrays: the same text runs on numpy, jax.numpy, torch and cupy.

Arguments have any leading batch axes, which broadcast; a statement computes one value for the whole batch. Numbers are
plain floats, which take the precision of the arrays they meet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from textwrap import wrap
from typing import Any, NamedTuple

from leverarm.compiler.array_code.expressions import comment, entry, identifier
from leverarm.compiler.array_code.statements import Statements, statements
from leverarm.compiler.program import Array, Program

WIDTH = 112
BLOCK = 24
"""Values that are no longer needed are let go after as many statements, so that a batch needs little memory."""


class Library(NamedTuple):
    """How the module that plays `xp` is imported, and how results are put together."""

    imports: str
    gathered: str


STACKED = '''\
def gathered(entries, like, shape):
    """The entries as one array: the batch's axes, then the axes of `shape`."""
    return xp.stack([xp.broadcast_to(x, like.shape) for x in entries], -1).reshape(tuple(like.shape) + shape)
'''

# XLA would fuse a stack with all that goes into it and compute what its entries share once for every entry and use:
# inverse dynamics of a batch takes a hundred times longer on a CPU. Updates in place it does not fuse.
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
    """The text of a module with one function per program, for a library of LIBRARIES; `about` is its head comment."""
    head = "".join(f"# {comment(line)}".rstrip() + "\n" for line in about.splitlines())
    imports, gathered = LIBRARIES[library]
    functions = [array_code(program) for program in programs]
    return "\n\n".join([f"{head}\n{imports}" if head else imports, gathered, *functions])


def array_function(program: Program, library: str) -> Callable[..., Any]:
    """The program as a function over arrays of a library of LIBRARIES; several results come as a tuple.

    The text that is run is made here, of operations, numbers and cleaned names.
    """
    scope: dict[str, Any] = {}
    name = identifier(program.name)
    exec(compile(array_module([program], library, ""), f"<array code of {name}>", "exec"), scope)
    function: Callable[..., Any] = scope[name]
    return function


def array_code(program: Program) -> str:
    """The text of the function alone; it finds `xp` and `gathered` around it."""
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
    """The statements, and after every block of them a line that lets go of values which nothing needs any more."""
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
