"""What a check found as a document: each equation with its verdict, the difference, the correction and a state."""

from __future__ import annotations

from collections.abc import Iterator

from leverarm.documents.document import (
    Block,
    Document,
    Equations,
    Items,
    Level,
    Mark,
    Paragraph,
    Section,
    Shown,
    Tone,
    Words,
)
from leverarm.documents.document import Verdict as Decision
from leverarm.notation.vocabulary import Writing
from leverarm.verify.equations.verdict import DEFINED, Status, Verdict, Verdicts

TONES: dict[Status, Tone] = {
    "equal": "good",
    "equal by convention": "good",
    DEFINED: "plain",
    "different": "bad",
    "unreadable": "fair",
}
DIFFERENCE = "Written minus true is "
LONG = 160
"""Characters of a user's equation that are shown."""


def report(verdicts: Verdicts) -> Document:
    """A section for each equation."""
    differences = (verdict.difference for verdict in verdicts if verdict.difference is not None)
    writing = next((each.notation.writing for each in differences), Writing())
    sentences = (_counted(verdicts), *([f"Read {', '.join(verdicts.readings)}."] if verdicts.readings else ()))
    summary = tuple(Paragraph((sentence,)) for sentence in sentences)
    sections = tuple(Section(_title(verdict), tuple(_blocks(verdict)), _explained(verdict)) for verdict in verdicts)
    data = {"arm": verdicts.arm, "verdicts": [verdict.facts() for verdict in verdicts]}
    return Document(f"Equations checked against {verdicts.arm}", summary, sections, writing, data=data, layout="report")


def _counted(verdicts: Verdicts) -> str:
    return f"{len(verdicts)} equation{'s' * (len(verdicts) != 1)}: {verdicts.counted}."


def _title(verdict: Verdict) -> str:
    about = f": {verdict.about}" if verdict.about else ""
    return f"{str(verdict.where).capitalize()}{about}"


def _blocks(verdict: Verdict) -> Iterator[Block]:
    lines = verdict.message.splitlines()
    if verdict.status == "unreadable":
        yield Paragraph(_pointed(lines[0], lines[1].index("^"))) if len(lines) > 2 else Paragraph(_code(verdict.text))
        yield Decision((f"{verdict.status}: {lines[-1]}" if lines else verdict.status,), TONES[verdict.status])
        return
    yield Paragraph(_code(verdict.text))
    yield Decision((f"{verdict.status}.",), TONES[verdict.status])
    for line in lines:
        if line.startswith(DIFFERENCE) and verdict.difference is not None:
            yield Paragraph((DIFFERENCE.rstrip(),))
            yield Equations((Shown(verdict.difference.tree),))
        else:
            yield Paragraph((line,))


def _explained(verdict: Verdict) -> tuple[Section, ...]:
    """How the equation was read, for those who ask for every line."""
    items = tuple((sentence,) for sentence in verdict.explain())
    return (Section("How it was read", (Items(items),), level=Level.EVERY_LINE),) if items else ()


def _code(text: str) -> Words:
    """The user's own line, as it is written."""
    line = " ".join(text.split()).replace("`", "'")
    return (f"`{line if len(line) <= LONG else f'{line[: LONG - 3]}...'}`",)


def _pointed(line: str, at: int) -> Words:
    """A line with a mark before the place that could not be read."""
    before, behind = (_code(part) if part.strip() else () for part in (line[:at], line[at:]))
    return (*before, " ", Mark("here", "fair"), " ", *behind)
