"""A sheet as a Python module: one NumPy function per quantity, the arm's symbols as keyword arguments."""

from __future__ import annotations

from collections.abc import Sequence

from leverarm.closed_form.robot_equation import Equations
from leverarm.closed_form.sheet.entries import Item, grouped, symbols_of
from leverarm.closed_form.sheet.source_code import SourceCode, listed
from leverarm.closed_form.sheet.text import heading
from leverarm.errors import InputError
from leverarm.notation.names import python_name
from leverarm.notation.tree import Number

DOTS = {"q": 0, "qd": 1, "qdd": 2}
RESERVED = ("np", *DOTS)
BEGINNING = '''
import numpy as np


def _columns(state):
    """The entries of the last axis, one by one."""
    return np.moveaxis(np.asarray(state, dtype=float), -1, 0)


def _array(shape, entries, *like):
    """Numbers or arrays as one array of this shape, behind the axes of what they were computed from."""
    entries = np.broadcast_arrays(*entries, *like)[: len(entries)]
    return np.stack(entries, axis=-1).reshape(*entries[0].shape, *shape)
'''


def to_python_sheet(eq: Equations, items: Sequence[Item]) -> str:
    """A complete module. Its functions take states of shape (..., n) and keywords for the arm's symbols."""
    symbols = symbols_of(eq, items)
    for name in symbols:
        if name in RESERVED:
            raise InputError(f"symbol {name!r} has the name of an argument of the Python functions. Rename it.")
    lines = [f"# {line}" for line in heading(eq)]
    lines += ["#", "# States have shape (..., n), results (..., *shape). Symbols are keyword arguments."]
    own = {name: value for name, value in symbols.items() if name in eq.notation.defaults}
    functions = ["\n".join(_function(eq, found, own | symbols_of(eq, [found]))) for found in items]
    return "\n".join(lines) + BEGINNING + "".join(f"\n\n{function}\n" for function in functions)


def _function(eq: Equations, found: Item, symbols: dict[str, float]) -> list[str]:
    needs = found.quantity.needs
    keywords = {python_name(name): value for name, value in symbols.items()}
    printed = [eq.notation.vocabulary.printed[name] for name in eq.arm.coordinates]
    letters = {state: [python_name(name, DOTS[state]) for name in printed] for state in needs}
    taken = {*keywords, *RESERVED, *(name for names in letters.values() for name in names)}
    code = SourceCode("np", taken, eq.notation.writing)
    for state, names in letters.items():
        code.lines.append(f"{', '.join(names)}{',' * (len(names) == 1)} = _columns({state})")
    results = _assigned(code, found)
    like = [names[0] for names in letters.values()]
    ordered = [results[entry.index] for entry in found.entries]
    shape = f"({', '.join(map(str, found.shape))}{',' * (len(found.shape) == 1)})"
    code.lines += listed(f"return _array({shape}, [", ordered, f"]{''.join(f', {name}' for name in like)})")
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
