"""Operations as text of Python over arrays.

Parentheses keep the program's own order of operations, so that each rounds as it does there; a fused multiply-add is
written out and rounds twice.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Callable, Collection
from typing import NamedTuple

from leverarm.compiler.program import Array
from leverarm.scalars.operations import Op

_SUM, _PRODUCT, _ATOM = 1, 2, 3


class Expression(NamedTuple):
    """Text, how tightly it binds, and the names in it."""

    text: str
    binds: int = _ATOM
    names: frozenset[str] = frozenset()


def name_of(text: str) -> Expression:
    return Expression(text, _ATOM, frozenset([text]))


def number(value: float) -> Expression:
    """The shortest decimal that reads back as the same float."""
    return Expression(repr(float(value)), _SUM if value < 0 else _ATOM)


def operation(op: Op, *args: Expression) -> Expression:
    """The operation on expressions, with the parentheses it needs."""
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
    """One entry of an argument, behind any batch axes."""
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
    """The identifier, with underscores behind it until it is new."""
    name = identifier(name)
    while name in taken:
        name += "_"
    return name


def comment(text: str) -> str:
    """Text of any origin that may stand in a docstring or a comment: printable, no quotes, no backslashes."""
    return "".join(c if c.isprintable() and c not in '"\\' else "?" for c in text)
