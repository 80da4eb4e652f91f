"""A sheet as Python: a module of NumPy functions, or a SymPy script.

Long sums are split into parts, cosines computed once, lines kept short. NumPy functions take the arm's symbols as
keyword arguments; in SymPy numbers stay exact.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from leverarm.closed_form.exact_equations import Equations
from leverarm.closed_form.sheet.entries import Item, grouped, symbols_of
from leverarm.closed_form.sheet.text import heading
from leverarm.errors import InputError
from leverarm.notation import tree
from leverarm.notation.code import to_python
from leverarm.notation.names import dotted, python_name, short_index
from leverarm.notation.tree import Node, Number
from leverarm.notation.vocabulary import Writing

LONGEST_SUM = 40
"""Of terms in one expression: Python's compiler cannot nest without end."""
WIDTH = 100


@dataclass(slots=True)
class SourceCode:
    """Assignments collected on the way from trees to expressions; names that are taken are not used again."""

    module: str
    taken: set[str]
    writing: Writing
    lines: list[str] = field(default_factory=list)
    cosines: dict[tree.Trig, str] = field(default_factory=dict)

    def expression(self, node: Node) -> str:
        """The formula as source; parts of long sums are assigned before."""
        return to_python(self._shortened(node), self.module)

    def assign(self, name: str, source: str) -> None:
        self.lines += wrapped(f"{name} = ", source)

    def free_name(self, wanted: str) -> str:
        """The name, or with _ behind it where it is taken; taken from now on."""
        while wanted in self.taken:
            wanted += "_"
        self.taken.add(wanted)
        return wanted

    def with_cosines_named(self, nodes: Iterable[Node]) -> list[Node]:
        """The formulas with c12 for np.cos(theta1 + theta2), which is assigned."""
        return [tree.mapped(node, self._named_cosine) for node in nodes]

    def _named_cosine(self, node: Node) -> Node:
        if not isinstance(node, tree.Trig):
            return node
        if node not in self.cosines:
            digits = short_index(node.angle, self.writing)
            wanted = f"{node.function[0]}{digits}" if digits else f"{node.function}_{len(self.cosines) + 1}"
            self.cosines[node] = self.free_name(wanted)
            self.assign(self.cosines[node], to_python(node, self.module))
        return tree.Symbol(self.cosines[node])

    def _shortened(self, node: Node) -> Node:
        return tree.mapped(node, self._short_sum)

    def _short_sum(self, node: Node) -> Node:
        while isinstance(node, tree.Sum) and len(node.terms) > LONGEST_SUM:
            parts: list[Node] = []
            for k in range(0, len(node.terms), LONGEST_SUM):
                name = self.free_name(f"part{len(self.taken)}")
                self.assign(name, to_python(tree.Sum(node.terms[k : k + LONGEST_SUM]), self.module))
                parts.append(tree.Symbol(name))
            node = tree.Sum(tuple(parts))
        return node


def wrapped(start: str, source: str, end: str = "") -> list[str]:
    """`start source end` as one line, or the source in brackets over several, broken between terms where it can be."""
    if len(start + source + end) <= WIDTH:
        return [start + source + end]
    lines = [""]
    for term in _terms(source):
        if len(lines[-1] + term) >= WIDTH - 4:
            lines.append("")
        lines[-1] += f" {term}" if lines[-1] else term
    inside = [part for line in lines if line for part in textwrap.wrap(line, WIDTH - 4, break_long_words=False)]
    return [f"{start}(", *(f"    {line}" for line in inside), f"){end}"]


def _terms(source: str) -> list[str]:
    """The terms of a sum, each with its sign before it; inside brackets nothing is split."""
    terms, depth, begin = [], 0, 0
    for i, character in enumerate(source):
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(character, 0)
        if depth == 0 and character == " " and source[i + 1] in "+-":
            terms.append(source[begin:i])
            begin = i + 1
    return [*terms, source[begin:]]


def listed(start: str, names: Iterable[str], end: str) -> list[str]:
    """A list of names in brackets, over several lines where it is long."""
    line = start + ", ".join(names) + end
    inside = textwrap.wrap(line.removeprefix(start).removesuffix(end), WIDTH - 4, break_long_words=False)
    return [line] if len(line) <= WIDTH else [start, *(f"    {part}" for part in inside), end]


DOTS = {"q": 0, "qd": 1, "qdd": 2}
BEGINNING = '''
import numpy as np


def {columns}(state):
    """The entries of the last axis, one by one."""
    return np.moveaxis(np.asarray(state, dtype=float), -1, 0)


def {array}(shape, entries, *like):
    """Numbers or arrays as one array of this shape, behind the axes of what they were computed from."""
    batch = np.broadcast_shapes(*map(np.shape, (*entries, *like)))
    result = np.empty((*batch, len(entries)))
    for k, entry in enumerate(entries):
        result[..., k] = entry
    return result.reshape((*batch, *shape))[()]
'''


@dataclass(frozen=True, slots=True)
class Helpers:
    """What the functions of the module that all others call are named: as no symbol is."""

    columns: str
    array: str


def to_python_sheet(eq: Equations, items: Sequence[Item]) -> str:
    """A complete module. Its functions take states of shape (..., n) and keywords for the arm's symbols."""
    symbols = symbols_of(eq, items)
    for name in symbols:
        if name in _reserved(items):
            raise InputError(f"symbol {name!r} has the name of an argument of the Python functions. Rename it.")
    lines = [f"# {line}" for line in heading(eq)]
    lines += ["#", "# States have shape (..., n), results (..., *shape). Symbols are keyword arguments."]
    own = {name: value for name, value in symbols.items() if name in eq.notation.defaults}
    helpers = _helpers(symbols)
    reserved = _reserved(items)
    functions = ["\n".join(_function(eq, found, own | symbols_of(eq, [found]), helpers, reserved)) for found in items]
    beginning = BEGINNING.format(columns=helpers.columns, array=helpers.array)
    return "\n".join(lines) + beginning + "".join(f"\n\n{function}\n" for function in functions)


def _helpers(symbols: Iterable[str]) -> Helpers:
    code = SourceCode("np", {python_name(name) for name in symbols}, Writing())
    return Helpers(code.free_name("_columns"), code.free_name("_array"))


def _reserved(items: Sequence[Item]) -> tuple[str, ...]:
    """The names of arguments, and of NumPy."""
    return tuple(dict.fromkeys(("np", *DOTS, *(name for found in items for name in found.quantity.arguments))))


def _letters(eq: Equations, state: str) -> list[str]:
    """What the entries of a state are called: by the coordinates, or by the joint torques."""
    if state == "tau":
        return [python_name(entry.text()) for entry in eq.forces]
    printed = [eq.notation.vocabulary.printed[name] for name in eq.arm.coordinates]
    return [python_name(name, DOTS[state]) for name in printed]


def _function(
    eq: Equations, found: Item, symbols: dict[str, float], helpers: Helpers, reserved: Sequence[str]
) -> list[str]:
    needs = found.quantity.arguments
    letters = {state: _letters(eq, state) for state in needs}
    given = letters.get("tau", [])
    keywords = {python_name(name): value for name, value in symbols.items() if python_name(name) not in given}
    taken = {*keywords, *reserved, *(name for names in letters.values() for name in names)}
    code = SourceCode("np", taken, eq.notation.writing)
    for state, names in letters.items():
        code.lines.append(f"{', '.join(names)}{',' * (len(names) == 1)} = {helpers.columns}({state})")
    results = _assigned(code, found)
    like = [names[0] for names in letters.values()]
    ordered = [results[entry.index] for entry in found.entries]
    shape = f"({', '.join(map(str, found.shape))}{',' * (len(found.shape) == 1)})"
    code.lines += listed(f"return {helpers.array}({shape}, [", ordered, f"]{''.join(f', {name}' for name in like)})")
    arguments = [*needs, *(["*"] if keywords else []), *(f"{name}={value!r}" for name, value in keywords.items())]
    title = found.title.replace("\\", "/").replace('"', "'")
    docstring = f'"""{title}. Shape ({", ".join(("...", *map(str, found.shape)))})."""'
    head = listed(f"def {python_name(found.quantity.letter)}(", arguments, "):")
    return [*head, f"    {docstring}", *(f"    {line}" for line in code.lines)]


def _assigned(code: SourceCode, found: Item) -> dict[tuple[int, ...], str]:
    """A name for each entry, or its number; entries that are the same have the same."""
    groups, zeros = grouped(found.entries)
    names = {entry.index: "0.0" for entry in zeros}
    trees = code.with_cosines_named(group[0].formula.tree for group in groups)
    for group, node in zip(groups, trees, strict=True):
        source = code.expression(node)
        if not isinstance(node, Number):
            apart = "_" if max(found.shape, default=0) > 9 else ""
            name = code.free_name(found.stem + apart.join(map(str, group[0].index)))
            code.assign(name, source)
            source = name
        names |= {entry.index: source for entry in group}
    return names


SYMPY_RESERVED = ("sp", "values")
QUOTIENT = re.compile(r"(?<![\w./])(?<!\*\*)(\d+)/(\d+)(?![\w.])")
DECIMAL = re.compile(r"(?<![\w.])\d+(?:\.\d+(?:e[+-]?\d+)?|e[+-]?\d+)")


def to_sympy_sheet(eq: Equations, items: Sequence[Item]) -> str:
    """A complete script. A quantity whose letter is a symbol of the arm, as g often is, goes by its long name."""
    symbols = symbols_of(eq, items)
    for name in SYMPY_RESERVED:
        if name in symbols:
            raise InputError(f"symbol {name!r} has the name of something else in the SymPy script. Rename it.")
    printed = [eq.notation.vocabulary.printed[name] for name in eq.arm.coordinates]
    states = [[(dotted(name, dots), python_name(name, dots)) for name in printed] for dots in range(3)]
    letters = [*states, [(name, python_name(name)) for name in symbols]]
    code = SourceCode("sp", {*SYMPY_RESERVED, *(name for names in letters for _, name in names)}, eq.notation.writing)
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
    name = quantity.letter if quantity.letter not in code.taken else quantity.name
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
