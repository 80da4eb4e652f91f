"""One property of an arm, and how it is known: proven, enclosed, or only sampled; the table's order and its notes."""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, TypeGuard

from leverarm.documents.arrangement import Inline
from leverarm.documents.document import Document, Words
from leverarm.errors import InputError, unknown_name
from leverarm.late_import import late
from leverarm.model import Arm
from leverarm.notation.latex import to_latex
from leverarm.notation.text import to_text
from leverarm.notation.tree import Indexed, Node, Symbol, mapped
from leverarm.notation.vocabulary import Writing
from leverarm.verify.enclosures.extremes import EXTREMES
from leverarm.verify.statements import STATEMENTS, M, Mdot, norm, of, q

if TYPE_CHECKING:
    from rich.text import Text

    from leverarm.verify.enclosures.enclosing import OpenBoxes
    from leverarm.verify.table.box import Box


How = Literal[
    "exact identity",
    "certified enclosure",
    "sampled estimate",
    "exact at random rational states",
    "declared",
    "none",
]
"""How a line of the table was established. These are never mixed up: a sampled value does not become a bound."""


@dataclass(frozen=True, slots=True)
class Bound:
    """A constant of the table: it is not below `lower` and not above `upper`; None where that side is not known.

    `witness` is a state that attains the side found by search, {"q": ..., "qd": ...} in SI units, where there is one.
    `unit` is that of the bounds, "kg m^2"; `seconds` is the time spent on it; `note` says what else must be known.
    `part` are the ranges of the coordinates that it holds over, where that is not the whole box.
    """

    lower: float | None
    upper: float | None
    how: How
    witness: Mapping[str, tuple[float, ...]] | None
    unit: str
    seconds: float
    note: str
    part: tuple[tuple[float, float], ...] | None = None

    @property
    def gap(self) -> float:
        """How far the sides are apart, relative to the larger one; infinite where a side is not known."""
        if self.lower is None or self.upper is None:
            return math.inf
        largest = max(abs(self.lower), abs(self.upper))
        if not math.isfinite(largest):
            return math.inf
        return (self.upper - self.lower) / largest if largest else 0.0


@dataclass(frozen=True, slots=True)
class Property:
    """One line of the table: what is stated, in words and as a formula, and what was found for this arm.

    `found` is what the table shows, `remarks` are further sentences; both may hold formulas, which `writing` says how
    to write. `bound` is there where the property is a number; `witness` is a state that shows it.
    """

    key: str
    title: Words
    statement: str
    formula: Words
    how: How
    found: Words
    remarks: tuple[Words, ...] = ()
    seconds: float = 0.0
    bound: Bound | None = None
    witness: Mapping[str, tuple[float, ...]] | None = None
    writing: Writing = Writing()

    @property
    def name(self) -> str:
        """The title in plain text."""
        return capitalised(plain(self.title))

    @property
    def latex(self) -> str:
        """The formula of the statement in LaTeX."""
        return r", \quad ".join(self._formulas(self.formula))

    @property
    def value(self) -> str:
        """What was found, in plain text."""
        return plain(self.found, self.writing)

    @property
    def latex_value(self) -> str:
        """What was found, in LaTeX."""
        return next(iter(self._formulas(self.found[:1])), rf"\text{{{self.value}}}")

    def _formulas(self, words: Words) -> list[str]:
        return [to_latex(piece, self.writing) for piece in exchanged(words, SHOWN) if _is_formula(piece)]

    @property
    def detail(self) -> tuple[str, ...]:
        """The further sentences in plain text."""
        return tuple(plain(remark, self.writing) for remark in self.remarks)


def line(
    key: str, how: How, found: Words, remarks: tuple[Words, ...] = (), seconds: float = 0.0, **more: Any
) -> Property:
    """The line with this key, as `statements.py` states it."""
    stated = STATEMENTS[key]
    return Property(key, stated.title, stated.words, stated.formula, how, found, remarks, seconds, **more)


def plain(words: Words, writing: Writing = Writing()) -> str:
    """A sentence in plain text, its formulas as they are read back."""
    pieces = Inline(str, lambda node: to_text(node, writing), lambda mark: mark.word, lambda figure: figure.text)
    return pieces(exchanged(words, {Mdot: Symbol("Mdot")}))


def exchanged(words: Words, letters: Mapping[Node, Node]) -> Words:
    """A sentence with some parts of its formulas in the place of others."""
    change = partial(mapped, change=lambda part: letters.get(part, part))
    return tuple(change(piece) if _is_formula(piece) else piece for piece in words)


def _is_formula(piece: object) -> TypeGuard[Node]:
    return isinstance(piece, Node)


SHOWN: dict[Node, Node] = {
    Symbol("norm_lower"): Indexed(norm(M), "lower"),
    Symbol("norm_upper"): Indexed(norm(M), "upper"),
    Indexed(norm(of(M, q)), "inf"): Indexed(norm(of(M, q)), "∞"),
    Indexed(norm(of(M, q)), "fro"): Indexed(norm(of(M, q)), "F"),
}
"""What is shown instead of a key of the table, or the name of a norm."""


FORMER = {"m1": "norm_lower", "m2": "norm_upper"}
"""Keys of the version before, which still work."""
CONSTANTS = (*EXTREMES, "v", "k", "d")
"""The lines that are numbers: `p.mu1` is the bound of `p["mu1"]`."""


@dataclass(frozen=True, slots=True)
class Properties:
    """The properties of an arm's equations of motion over a box of joint positions; `finished` unless interrupted.

    `p.mu1`, `p.v_b` and so on are the constants, `p["skew"]` is a line of the table, and a loop goes over the lines.
    """

    arm: Arm
    box: Box
    rows: tuple[Property, ...]
    finished: bool
    left: Mapping[str, OpenBoxes] = field(default_factory=dict, compare=False, repr=False)
    """The boxes that branch and bound has not looked at, by constant: `save` keeps them for `resume`."""

    def __getitem__(self, key: str) -> Property:
        key = FORMER.get(key, key)
        for row in self.rows:
            if row.key == key:
                return row
        raise InputError(unknown_name("property", key, (row.key for row in self.rows)))

    def __getattr__(self, name: str) -> Bound:
        key = FORMER.get(name, name)
        if key not in CONSTANTS:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        found = self[key].bound
        if found is None:
            raise InputError(f"{key} is not known for {self.arm.name!r}: {self[key].value}.")
        return found

    def __dir__(self) -> list[str]:
        return [*object.__dir__(self), *CONSTANTS]

    def __iter__(self) -> Iterator[Property]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def document(self) -> Document:
        """The table as data for every renderer."""
        built: Document = late("verify.table.report:report")(self)
        return built

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the table as .html, .md, .json, .tex, .ipynb or .txt; beside a .json what `resume` needs to go on."""
        late("verify.table.resuming:save")(self, path)

    def text(self, width: int = 80) -> str:
        """The table in lines of at most `width` characters."""
        return self.terminal(width).plain

    def terminal(self, width: int = 80) -> Text:
        """The same with colours, for `rich.print`."""
        shown: Text = late("documents.saving:terminal")(self.document, "full", width)
        return shown

    def _repr_markdown_(self) -> str:
        written: str = late("documents.markdown:to_markdown")(self.document)
        return written

    def facts(self) -> dict[str, Any]:
        """The table as plain dictionaries, lists, texts and numbers with all their digits: what a .json file holds."""
        to_plain: Callable[..., dict[str, Any]] = late("verify.table.resuming:to_plain")

        return to_plain(self)


BOUNDS = "bounds"
SECTIONS = {
    "Inertia matrix": ("symmetric", "positive_definite", BOUNDS, "growth"),
    "Coriolis and centripetal vector": ("quadratic", BOUNDS, "factorised", "skew", "at_rest", "velocity_terms"),
    "Friction": ("v", "k", BOUNDS),
    "Gravity vector": (BOUNDS,),
    "Disturbance": ("d",),
    "Passivity": ("passivity", "energy", "dissipation"),
    "Linearity in the parameters": ("linear", "base_parameters"),
    "Effective mass at the tip": (BOUNDS,),
}
"""Headings, each with the keys of the lines below it; `BOUNDS` are the extremes that name this heading."""
OTHERS = "Further properties"
SHARED, LONG = 3, 80
"""How many lines must say the same for it to be said only once; two, if it has more characters than this."""


def in_sections(rows: Iterable[Property]) -> tuple[tuple[str, tuple[Property, ...]], ...]:
    """The headings that have lines, each with its lines in the order of the table."""
    by_key = {row.key: row for row in rows}
    found = []
    for title, keys in SECTIONS.items():
        bounds = [each.key for each in EXTREMES.values() if each.section == title]
        placed = [key for place in keys for key in (bounds if place == BOUNDS else [place])]
        found.append((title, tuple(by_key.pop(key) for key in placed if key in by_key)))
    found.append((OTHERS, tuple(by_key.values())))
    return tuple((title, lines) for title, lines in found if lines)


def in_order(rows: Iterable[Property]) -> tuple[Property, ...]:
    """The lines in the order of the table."""
    return tuple(row for _, lines in in_sections(rows) for row in lines)


@dataclass(frozen=True, slots=True)
class Notes:
    """Sentences about the lines: those that many lines share are given once, below the table, and numbered from 1."""

    shared: tuple[Words, ...]

    @staticmethod
    def of(rows: Iterable[Property]) -> Notes:
        """What several lines say in the same words."""
        counts = Counter(sentence for row in rows for sentence in dict.fromkeys(row.remarks))
        repeated = ((sentence, count) for sentence, count in counts.items() if count > 1)
        return Notes(tuple(said for said, count in repeated if count >= SHARED or len(plain(said)) > LONG))

    def own(self, row: Property) -> tuple[Words, ...]:
        """What only this line says, or few others do."""
        return tuple(capital(said) for said in dict.fromkeys(row.remarks) if said not in self.shared)

    def numbers(self, row: Property) -> str:
        """Which of the shared sentences are about this line: "note 1", "notes 1, 2" or nothing."""
        found = [str(k) for k, said in enumerate(self.shared, 1) if said in row.remarks]
        return f"note{'s' * (len(found) > 1)} {', '.join(found)}" if found else ""


def capital(words: Words) -> Words:
    """The sentence with a capital, where it begins with a word."""
    match words:
        case (str(first), *rest):
            return (capitalised(first), *rest)
    return words


def capitalised(sentence: str) -> str:
    """With a capital where it begins with a word; a name or a formula stays as it is."""
    word = sentence.split(" ", 1)[0].rstrip(",:;.")
    is_word = len(word) > 1 and word.isalpha() and word not in ("det", "diag", "rank", "qd", "qdd")
    return sentence[0].upper() + sentence[1:] if is_word else sentence
