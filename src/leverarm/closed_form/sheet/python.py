"""A sheet as a Python module: one NumPy function per quantity, the arm's symbols as keyword arguments."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from leverarm.closed_form.robot_equation import Equations
from leverarm.closed_form.sheet.entries import Item, grouped, symbols_of
from leverarm.closed_form.sheet.source_code import SourceCode, listed
from leverarm.closed_form.sheet.text import heading
from leverarm.errors import InputError
from leverarm.notation.names import python_name
from leverarm.notation.tree import Number
from leverarm.notation.vocabulary import Writing

DOTS = {"q": 0, "qd": 1, "qdd": 2}
RESERVED = ("np", *DOTS)
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
        if name in RESERVED:
            raise InputError(f"symbol {name!r} has the name of an argument of the Python functions. Rename it.")
    lines = [f"# {line}" for line in heading(eq)]
    lines += ["#", "# States have shape (..., n), results (..., *shape). Symbols are keyword arguments."]
    own = {name: value for name, value in symbols.items() if name in eq.notation.defaults}
    helpers = _helpers(symbols)
    functions = ["\n".join(_function(eq, found, own | symbols_of(eq, [found]), helpers)) for found in items]
    beginning = BEGINNING.format(columns=helpers.columns, array=helpers.array)
    return "\n".join(lines) + beginning + "".join(f"\n\n{function}\n" for function in functions)


def _helpers(symbols: Iterable[str]) -> Helpers:
    code = SourceCode("np", {python_name(name) for name in symbols}, Writing())
    return Helpers(code.free_name("_columns"), code.free_name("_array"))


def _function(eq: Equations, found: Item, symbols: dict[str, float], helpers: Helpers) -> list[str]:
    needs = found.quantity.needs
    keywords = {python_name(name): value for name, value in symbols.items()}
    printed = [eq.notation.vocabulary.printed[name] for name in eq.arm.coordinates]
    letters = {state: [python_name(name, DOTS[state]) for name in printed] for state in needs}
    taken = {*keywords, *RESERVED, *(name for names in letters.values() for name in names)}
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
            name = code.free_name(found.quantity.stem + apart.join(map(str, group[0].index)))
            code.assign(name, source)
            source = name
        names |= {entry.index: source for entry in group}
    return names
