"""What a check says about written equations: verdicts with places, corrections and witnesses, and their report."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal, get_args

from leverarm.closed_form.formula import Formula, Formulas
from leverarm.documents.document import Document
from leverarm.errors import LeverarmError
from leverarm.late_import import late
from leverarm.notation.reading import as_written
from leverarm.notation.tree import Span

if TYPE_CHECKING:
    from rich.text import Text

DEFINED: Final = "defined, not checked"
Status = Literal["equal", "equal by convention", "defined, not checked", "different", "unreadable"]
"""From best to worst; a line that gives a name to something, or a value to a symbol, is `DEFINED`."""

OPEN: Final[dict[Status, str]] = {"equal by convention": "could also be a slip", DEFINED: "used by nothing proven"}
"""What is open of verdicts that are."""
SHOWN = 70
"""Characters of a line that are shown before and after the place of an error."""


@dataclass(frozen=True, slots=True)
class Where:
    """A place in the text; lines and columns count from 1."""

    line: int
    column: int

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}"


@dataclass(frozen=True, slots=True)
class Witness:
    """A state at which an equation visibly fails: both sides in numbers. SI units, angles in radians.

    `state` holds coordinates, speeds, accelerations and symbols by their printed names. Of a vector or matrix, the
    entry (`entry`, counted from 1) in which the sides differ most is shown.
    """

    state: Mapping[str, float]
    written: float
    true: float
    entry: tuple[int, int] | None = None

    def __str__(self) -> str:
        place = "" if self.entry is None else f" in entry {self.entry[0]}, {self.entry[1]}"
        state = ", ".join(f"{name} = {value:g}" for name, value in self.state.items())
        difference = f"it is {self.written:.6g}{place}, and should be {self.true:.6g}."
        return f"At {state} {difference}" if state else f"I{difference[1:]}"


@dataclass(frozen=True, slots=True)
class Correction:
    """One change of the text that makes an equation true. `what` is the kind of mistake: "a sign", "an index"."""

    written: str
    meant: str
    what: str
    span: Span
    where: Where
    sentence: str

    def __str__(self) -> str:
        return self.sentence

    def facts(self) -> dict[str, Any]:
        """The correction as texts and numbers."""
        first = {name: getattr(self, name) for name in ("written", "meant", "what")}
        return {**first, "line": self.where.line, "column": self.where.column, "sentence": self.sentence}


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found out about one equation.

    `difference` is what is written minus what is true, exactly; `about` says what the equation is about, as "tau_1, the
    torque of joint theta1"; `readings` are the letters that were taken for the arm's, as "L_1 as a1". A verdict
    `is_open` where nobody knows whether the equation is right: of a definition on which nothing proven rests, and of an
    equation that holds by a convention, but that a slip of the pen explains as well.
    """

    status: Status
    where: Where
    text: str
    about: str
    message: str
    difference: Formula | Formulas | None = None
    suggestion: Correction | None = None
    witness: Witness | None = None
    convention: str | None = None
    span: Span = (0, 0)
    readings: tuple[str, ...] = field(default=())
    is_open: bool = False
    explain: Callable[[], tuple[str, ...]] = field(default=tuple, repr=False, compare=False)
    """Says how every name was read, and what was proven how; a sentence each."""

    def __str__(self) -> str:
        subject = f" ({self.about})" if self.about else ""
        return f"{self.where}: {self.status}{subject}. {self.message}".rstrip()

    def facts(self) -> dict[str, Any]:
        """The verdict as dictionaries, lists, texts and numbers."""
        suggestion, witness = self.suggestion, self.witness
        return {
            "status": self.status,
            "open": self.is_open,
            "line": self.where.line,
            "column": self.where.column,
            "span": list(self.span),
            **{name: getattr(self, name) for name in ("text", "about", "message", "convention")},
            "difference": None if self.difference is None else str(self.difference),
            "suggestion": None if suggestion is None else suggestion.facts(),
            "witness": witness and {"state": dict(witness.state), "written": witness.written, "true": witness.true},
        }


class WrittenError(LeverarmError):
    """A written formula has no value: a name is unknown, shapes do not fit, units are mixed. `span` is the place."""

    def __init__(self, span: Span, message: str) -> None:
        super().__init__(message)
        self.span = span
        self.message = message


def where_of(text: str, offset: int) -> Where:
    """The line and column of a character of the text, as it was written."""
    text, offset = as_written(text, offset)
    before = text[:offset]
    return Where(before.count("\n") + 1, offset - (before.rfind("\n") + 1) + 1)


def pointed(text: str, offset: int) -> str:
    """The line of a character, and below it a caret under that character."""
    text, offset = as_written(text, offset)
    offset = min(offset, len(text))
    start = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    end = len(text) if end < 0 else end
    first, last = max(start, offset - SHOWN), min(end, offset + SHOWN)
    head = "..." if first > start else ""
    line = text[first:last].replace("\t", " ").replace("\r", " ")
    return f"{head}{line}{'...' if last < end else ''}\n{' ' * (len(head) + offset - first)}^"


@dataclass(frozen=True, slots=True)
class Verdicts:
    """One verdict for each equation of a text, in its order."""

    arm: str
    verdicts: tuple[Verdict, ...]

    def __iter__(self) -> Iterator[Verdict]:
        return iter(self.verdicts)

    def __len__(self) -> int:
        return len(self.verdicts)

    def __getitem__(self, index: int) -> Verdict:
        return self.verdicts[index]

    @property
    def status(self) -> Status:
        """The worst of all; of definitions and given values only those that nothing proven rests on count."""
        counting = [each.status for each in self.verdicts if each.status != DEFINED or each.is_open]
        return max(counting or [DEFINED], key=get_args(Status).index)

    @property
    def counted(self) -> str:
        """How many equations have each verdict, "2 equal; 1 unreadable", and whether that is all of the text."""
        numbers = {each: sum(verdict.status == each for verdict in self.verdicts) for each in get_args(Status)}
        left_open = {each: sum(v.is_open for v in self.verdicts if v.status == each) for each in OPEN}
        notes = {each: f" ({n} {OPEN[each]})" for each, n in left_open.items() if n}
        listed = "; ".join(f"{n} {each}{notes.get(each, '')}" for each, n in numbers.items() if n)
        return (listed or "none") + (": not all of the text was checked" if numbers["unreadable"] else "")

    @property
    def readings(self) -> tuple[str, ...]:
        """The letters of the text that were taken for the arm's, as "L_1 as a1"."""
        return tuple(dict.fromkeys(reading for verdict in self.verdicts for reading in verdict.readings))

    @property
    def document(self) -> Document:
        """The verdicts as data for every renderer."""
        built: Document = late("verify.equations.report:report")(self)
        return built

    def save(self, path: str | os.PathLike[str], level: str = "full") -> None:
        """Writes the report as .html, .md, .tex, .ipynb, .txt or .json; "every-line" also says how each was read."""
        late("documents.saving:save")(self.document, path, level)

    def text(self, width: int = 80) -> str:
        """A plain report in lines of at most `width` columns."""
        return self.terminal(width).plain

    def terminal(self, width: int = 80) -> Text:
        """The same with colours, for `rich.print`."""
        shown: Text = late("documents.saving:terminal")(self.document, "full", width)
        return shown

    def _repr_markdown_(self) -> str:
        written: str = late("documents.markdown:to_markdown")(self.document)
        return written
