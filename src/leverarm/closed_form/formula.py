"""A closed form as an object: an exact value that can be printed, differentiated and evaluated.

As a function of arrays it is compiled to a short program, which runs over one state or many.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Any

from leverarm.errors import InputError, unknown_name
from leverarm.notation.code import compile_numpy
from leverarm.notation.elements import nested
from leverarm.notation.latex import to_latex
from leverarm.notation.names import dotted, python_name
from leverarm.notation.parsing import parse_text
from leverarm.notation.text import to_text
from leverarm.notation.textbook import PrintingError, operations, textbook
from leverarm.notation.tree import Matrix, Node
from leverarm.notation.unicode import to_unicode
from leverarm.notation.vocabulary import Vocabulary, Writing
from leverarm.scalars import Scalar
from leverarm.scalars.exact import Application, Cosine, Generator, Polynomial, Quotient, Sine, is_exactly_zero, partial

if TYPE_CHECKING:
    import sympy


@dataclass(frozen=True, slots=True)
class Notation:
    """How one arm's closed forms are written, and what numbers its symbols have by default."""

    vocabulary: Vocabulary
    writing: Writing
    defaults: Mapping[str, float]


READABLE = 400
"""Formulas of at most this many terms are shown in a notebook."""


def letter_named(name: str, notation: Notation, values: Sequence[Scalar]) -> str:
    """The letter of the ring that a user names: a coordinate, its printed speed, a symbol, a letter of the values."""
    printed = notation.vocabulary.printed
    known = {dotted(printed[c], dots): c + (f".{'d' * dots}" if dots else "") for c in printed for dots in (0, 1, 2)}
    known |= {letter: letter for c in printed for letter in (c, f"{c}.d", f"{c}.dd")}
    known |= {name: name for name in notation.defaults}
    known |= {g.name: g.name for value in values if isinstance(value, Polynomial) for g in value.ring.generators}
    if name not in known:
        raise InputError(unknown_name("letter", name, [*printed, *notation.defaults]))
    return known[name]


class Formula:
    """One exact closed form: an element of the arm's ring, printed as a textbook would.

    Two formulas are equal exactly when they are the same function; the printed form is checked against the value.
    """

    def __init__(self, value: Scalar, notation: Notation) -> None:
        self.value = value
        self.notation = notation

    @cached_property
    def tree(self) -> Node:
        """The printed form as data."""
        return textbook(self.value, self.notation.vocabulary)

    @property
    def terms(self) -> int:
        """The number of terms of the expanded normal form; of the numerator, where there is a denominator."""
        value = self.value.numerator if isinstance(self.value, Quotient) else self.value
        return len(value) if isinstance(value, Polynomial) else int(not is_exactly_zero(value))

    @property
    def operations(self) -> int:
        """The additions, subtractions, multiplications and divisions of the printed form."""
        return operations(self.tree)

    @property
    def is_zero(self) -> bool:
        return is_exactly_zero(self.value)

    @property
    def is_readable(self) -> bool:
        """Whether a notebook shows the formula, rather than only its size."""
        return self.terms <= READABLE

    def text(self) -> str:
        """One line of plain ASCII, that `Equations.parse` reads back to the same value."""
        return self._text

    @cached_property
    def _text(self) -> str:
        """The printed form, read back and compared with the value before anyone sees it."""
        text = to_text(self.tree, self.notation.writing)
        above = self.value.numerator if isinstance(self.value, Quotient) else self.value
        ring = above.ring if isinstance(above, Polynomial) else None
        if parse_text(text, self.notation.vocabulary, self.notation.writing, ring) != self.value:
            raise PrintingError(f"{text} does not read back as the formula it was printed from")
        return text

    def latex(self) -> str:
        """LaTeX, to stand inside a maths environment; needs amsmath."""
        return to_latex(self.tree, self.notation.writing)

    def unicode(self, width: int = 100) -> str:
        """For a terminal: Greek letters, dots, raised and lowered digits; broken into lines of this width."""
        return "\n".join(to_unicode(self.tree, self.notation.writing, width))

    def sympy(self) -> sympy.Expr:
        """The printed form as a SymPy expression; symbols carry the names of `text`."""
        from leverarm.notation.sympy_bridge import to_sympy

        return to_sympy(self.tree)

    def numpy(self) -> Callable[..., Any]:
        """A function f(q, qd, qdd, **symbols) of arrays; see `numeric_function`."""

        return numeric_function([self.value], self.notation, ())

    def diff(self, name: str) -> Formula:
        """The partial derivative by a coordinate, a speed ("thetad1") or a symbol of the arm."""
        return Formula(partial(self.value, letter_named(name, self.notation, [self.value])), self.notation)

    def __eq__(self, other: object) -> bool:
        return self.value == other.value if isinstance(other, Formula) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<Formula {self.text()}>" if self.terms <= 40 else f"<Formula of {self.terms} terms>"

    def _repr_latex_(self) -> str | None:
        return f"$\\displaystyle {self.latex()}$" if self.is_readable else None


class Formulas:
    """A vector, matrix or tensor of closed forms: `M[0, 1]` is a Formula, `M.shape`, iteration over the entries."""

    def __init__(self, values: Sequence[Any], notation: Notation) -> None:
        self.values: Any = values
        self.notation = notation
        shape = []
        while isinstance(values, list | tuple):
            shape.append(len(values))
            if not values:
                break
            values = values[0]
        self.shape = tuple(shape)
        self._formulas: dict[tuple[int, ...], Formula] = {}

    def __getitem__(self, index: int | tuple[int, ...]) -> Formula:
        at = index if isinstance(index, tuple) else (index,)
        if not all(isinstance(i, int) for i in at):
            raise IndexError(f"index {index!r}; an entry has one whole number for each of {len(self.shape)} axes.")
        if len(at) != len(self.shape):
            raise IndexError(f"{len(at)} indices were given; this has {len(self.shape)}.")
        if any(not -n <= i < n for i, n in zip(at, self.shape, strict=True)):
            raise IndexError(f"index {index} is outside of shape {self.shape}; indices start at 0.")
        at = tuple(i % n for i, n in zip(at, self.shape, strict=True))
        if at not in self._formulas:
            value: Any = self.values
            for i in at:
                value = value[i]
            self._formulas[at] = Formula(value, self.notation)
        return self._formulas[at]

    def indices(self) -> Iterator[tuple[int, ...]]:
        """Every index, row by row."""
        return product(*(range(n) for n in self.shape))

    def __iter__(self) -> Iterator[Formula]:
        return (self[at] for at in self.indices())

    def __len__(self) -> int:
        return self.shape[0]

    @property
    def terms(self) -> int:
        """The number of terms of all entries together."""
        return sum(entry.terms for entry in self)

    @property
    def operations(self) -> int:
        """The operations of all printed entries together."""
        return sum(entry.operations for entry in self)

    @property
    def is_zero(self) -> bool:
        return all(entry.is_zero for entry in self)

    @property
    def is_readable(self) -> bool:
        """Whether a notebook shows the matrix, rather than only its size."""
        return len(self.shape) <= 2 and self.terms <= READABLE

    @property
    def tree(self) -> Matrix:
        """As a matrix; a vector is a column."""
        if len(self.shape) == 1:
            return Matrix(tuple((entry.tree,) for entry in self))
        if len(self.shape) != 2:
            raise InputError(f"a tensor of shape {self.shape} is not written as one matrix; print its entries.")
        rows, columns = self.shape
        return Matrix(tuple(tuple(self[i, j].tree for j in range(columns)) for i in range(rows)))

    def text(self) -> str:
        """One line of plain ASCII, [[a, b], [c, d]]."""
        return to_text(self.tree, self.notation.writing)

    def latex(self) -> str:
        """A LaTeX matrix; needs amsmath."""
        return to_latex(self.tree, self.notation.writing)

    def unicode(self, width: int = 100) -> str:
        """Drawn for a terminal of this width."""
        return "\n".join(to_unicode(self.tree, self.notation.writing, width))

    def sympy(self) -> Any:
        """A SymPy Matrix (an Array for tensors)."""
        import sympy

        entries = [entry.sympy() for entry in self]
        if len(self.shape) <= 2:
            return sympy.Matrix(self.shape[0], self.shape[1] if len(self.shape) == 2 else 1, entries)
        return sympy.ImmutableDenseNDimArray(entries, self.shape)

    def numpy(self) -> Callable[..., Any]:
        """A function f(q, qd, qdd, **symbols) that returns an array of this shape; see `numeric_function`."""

        return numeric_function([entry.value for entry in self], self.notation, self.shape)

    def diff(self, name: str) -> Formulas:
        """Every entry's partial derivative by a coordinate, a speed ("thetad1") or a symbol of the arm."""
        letter = letter_named(name, self.notation, [entry.value for entry in self])
        return Formulas(_mapped(self.values, lambda x: partial(x, letter)), self.notation)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Formulas):
            return NotImplemented
        return self.shape == other.shape and all(a == b for a, b in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Formulas {' x '.join(map(str, self.shape))}, {self.terms} terms>"

    def _repr_latex_(self) -> str | None:
        return f"$\\displaystyle {self.latex()}$" if self.is_readable else None


def _mapped(values: Any, function: Callable[[Scalar], Scalar]) -> Any:
    if isinstance(values, list | tuple):
        return [_mapped(part, function) for part in values]
    return function(values)


def symbols_in(values: Iterable[Scalar], notation: Notation) -> dict[str, float]:
    """The symbols of the values in the arm's order, with their defaults; a wrench's or a disturbance's are zero."""
    states = {f"{name}{dots}" for name in notation.vocabulary.coordinates for dots in ("", ".d", ".dd")}
    found = {name for value in values for name in _names(value)} - states
    own = {name: value for name, value in notation.defaults.items() if name in found}
    return own | dict.fromkeys(sorted(found - set(own)), 0.0)


def _names(value: Scalar) -> Iterator[str]:
    if isinstance(value, Quotient):
        yield from _names(value.numerator)
        yield from _names(value.denominator)
    if isinstance(value, Polynomial):
        for letter in value.generators():
            if isinstance(letter, Application):
                yield from _names(letter.argument)
            elif isinstance(letter, Cosine | Sine):
                if letter.value is None:
                    yield letter.angle
            elif type(letter) is Generator:
                yield letter.name


def numeric_function(values: Sequence[Scalar], notation: Notation, shape: tuple[int, ...]) -> Callable[..., Any]:
    """f(q, qd=None, qdd=None, **symbols): the closed forms at a state, or at many.

    q, qd, qdd have shape (..., n) in the order of the arm's coordinates; symbols take the arm's default values unless
    given, as numbers or arrays that broadcast. The result has shape (..., *shape).
    """
    import numpy as np

    vocabulary = notation.vocabulary
    coordinates = vocabulary.coordinates
    printed = [vocabulary.printed[name] for name in coordinates]
    letters = [python_name(name, dots) for dots in range(3) for name in printed]
    known = dict(notation.defaults) | symbols_in(values, notation)
    defaults = {name: np.float64(x) for name, x in known.items()}
    without_number = [name for name in symbols_in(values, notation) if np.isnan(defaults[name])]
    entries = Matrix((tuple(nested(x, vocabulary) for x in values),))
    program = compile_numpy(entries, (*letters, *map(python_name, defaults)))

    def evaluate(q: Any, qd: Any = None, qdd: Any = None, **symbols: Any) -> Any:
        for name in symbols:
            if name not in defaults:
                raise InputError(unknown_name("symbol", name, defaults))
        if missing := [name for name in without_number if name not in symbols]:
            raise InputError(f"no number was given for {', '.join(missing)}. Give one for each: {missing[0]}=1.0.")
        states: list[Any] = []
        batch = np.broadcast_shapes(*(np.shape(value) for value in symbols.values()))
        for what, given in (("q", q), ("qd", qd), ("qdd", qdd)):
            state = np.zeros(len(coordinates)) if given is None else np.asarray(given, dtype=float)
            if state.ndim == 0 or state.shape[-1] != len(coordinates):
                raise InputError(
                    f"{what} has shape {state.shape}; its last axis must have {len(coordinates)} entries: "
                    f"{', '.join(coordinates)}."
                )
            batch = np.broadcast_shapes(batch, state.shape[:-1])
            states += [state[..., i] for i in range(len(coordinates))]
        given_symbols = {name: np.asarray(value, dtype=float) for name, value in symbols.items()}
        found = program(*states, *(defaults | given_symbols).values())
        return np.array(np.broadcast_to(found, (*batch, 1, len(values)))).reshape((*batch, *shape))[()]

    return evaluate
