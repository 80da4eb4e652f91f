"""A sheet as a SymPy script: symbols, then one matrix per quantity, numbers exact."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from leverarm.closed_form.robot_equation import Equations
from leverarm.closed_form.sheet.entries import Item, symbols_of
from leverarm.closed_form.sheet.source_code import SourceCode, listed, wrapped
from leverarm.closed_form.sheet.text import heading
from leverarm.errors import InputError
from leverarm.notation.names import dotted, python_name

RESERVED = ("sp", "values")
QUOTIENT = re.compile(r"(?<![\w./])(?<!\*\*)(\d+)/(\d+)(?![\w.])")
DECIMAL = re.compile(r"(?<![\w.])\d+(?:\.\d+(?:e[+-]?\d+)?|e[+-]?\d+)")


def to_sympy_sheet(eq: Equations, items: Sequence[Item]) -> str:
    """A complete script. A quantity whose letter is a symbol of the arm, as g often is, goes by its long name."""
    symbols = symbols_of(eq, items)
    for name in RESERVED:
        if name in symbols:
            raise InputError(f"symbol {name!r} has the name of something else in the SymPy script. Rename it.")
    printed = [eq.notation.vocabulary.printed[name] for name in eq.arm.coordinates]
    states = [[(dotted(name, dots), python_name(name, dots)) for name in printed] for dots in range(3)]
    letters = [*states, [(name, python_name(name)) for name in symbols]]
    code = SourceCode("sp", {*RESERVED, *(name for names in letters for _, name in names)}, eq.notation.writing)
    for names in letters:
        if names:
            _declare(code, names)
    values = [f"{python_name(name)}: {_rational(Fraction(repr(value)))}" for name, value in symbols.items()]
    code.lines += listed("values = {", values, "}") if values else []
    for found in items:
        code.lines += ["", f"# {found.title}"]
        _assign(code, found)
    return "\n".join([*(f"# {line}" for line in heading(eq)), "", "import sympy as sp", "", *code.lines]) + "\n"


def _declare(code: SourceCode, names: Sequence[tuple[str, str]]) -> None:
    """theta1, theta2 = sp.symbols("theta1 theta2")."""
    if len(names) == 1:
        code.lines.append(f'{names[0][1]} = sp.Symbol("{names[0][0]}")')
        return
    inside = '"' + " ".join(name for name, _ in names) + '"'
    left = ", ".join(name for _, name in names)
    code.lines.append(f"{left} = sp.symbols({inside})")


def _assign(code: SourceCode, found: Item) -> None:
    before = len(code.lines)
    quantity = found.quantity
    name = quantity.letter if quantity.letter not in code.taken else quantity.name.replace("-", "_")
    name = code.free_name(python_name(name))
    sources = [code.expression(entry.formula.tree) for entry in found.entries]
    parts = [_exact(line) for line in code.lines[before:]]
    code.lines[before:] = parts
    if not found.shape:
        code.lines += wrapped(f"{name} = ", f"sp.sympify({_exact(sources[0])})")
        return
    kind = "sp.Array" if len(found.shape) > 2 else "sp.Matrix"
    code.lines += [f"{name} = {kind}([", *_nested(sources, found.shape, "    "), "])"]


def _nested(sources: Sequence[str], shape: tuple[int, ...], indent: str) -> list[str]:
    if len(shape) == 1:
        return [indent + line for source in sources for line in wrapped("", _exact(source), ",")]
    size = len(sources) // shape[0]
    lines = []
    for k in range(shape[0]):
        inside = _nested(sources[k * size : (k + 1) * size], shape[1:], indent + "    ")
        lines += [f"{indent}[", *inside, f"{indent}],"]
    return lines


def _exact(source: str) -> str:
    """Fractions and decimals as Rationals: Python would make floats of them."""
    source = QUOTIENT.sub(r"sp.Rational(\1, \2)", source)
    return DECIMAL.sub(lambda found: _rational(Fraction(found[0])), source)


def _rational(value: Fraction) -> str:
    return str(value) if value.denominator == 1 else f"sp.Rational({value.numerator}, {value.denominator})"
