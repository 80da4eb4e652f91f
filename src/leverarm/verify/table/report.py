"""The table as a document: sections of lines, the box that bounds hold over, and how each line is known."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator

from leverarm._version import __version__
from leverarm.documents.document import (
    Block,
    Cell,
    Document,
    Equations,
    Figure,
    Items,
    Mark,
    Paragraph,
    Piece,
    Row,
    Section,
    Shown,
    Table,
    Tone,
    Verdict,
    Words,
)
from leverarm.notation.vocabulary import Writing
from leverarm.verify.statements import EQUATIONS_OF_MOTION, LETTERS
from leverarm.verify.table.digits import nearest, percent, range_texts, state_lines
from leverarm.verify.table.property import (
    SHOWN,
    Bound,
    How,
    Notes,
    Properties,
    Property,
    capital,
    exchanged,
    in_sections,
)

TITLE = "Properties of the equations of motion"
KNOWN: dict[How, tuple[Tone, str, str]] = {
    "exact identity": ("good", "a proof by exact algebra, for every state", "Proven by exact identities"),
    "certified enclosure": (
        "good", "both sides are certain, rounding included; nothing is sampled", "Enclosed with certainty",
    ),
    "exact at random rational states": (
        "fair", "holds exactly at random rational states; not a proof for all", "Exact at random rational states",
    ),
    "sampled estimate": ("fair", "the extreme of samples: not a bound", "Estimated from samples"),
    "declared": ("plain", "as declared in the arm's description or by the user", ""),
    "none": ("plain", "no such number for this arm and this box, or not yet", ""),
}  # fmt: skip
"""For each way to establish a line: its tone, what it means, and what many such lines are called at the end."""
ONE_SIDED = "Bounded from one side with certainty"
BOX = "Bounds hold for every configuration with the joints in these ranges:"
SIDES = (
    "Sides are rounded outward. A proof may use the lower side of a least value and the upper side of a greatest one."
)
INTERRUPTED = "Interrupted: some lines are missing and bounds may be wide, but everything stated holds."
HEADS = ("property", "statement", "value", "how established", "attained at")
SHARES = {5: (17, 25, 31, 15, 12), 4: (19, 31, 32, 18)}
"""Of the width, by the number of columns [%]."""
FEW_JOINTS = 3
"""States of more joints are too long for a column: they stand below the line that they belong to."""
SHORTEST = 0.01
"""Shorter times are not shown [s]."""


def report(properties: Properties) -> Document:
    """The table with everything that it says."""
    arm, rows = properties.arm, properties.rows
    notes = Notes.of(rows)
    heads = HEADS if arm.dof <= FEW_JOINTS else HEADS[:-1]
    sections = []
    for title, within in in_sections(rows):
        lines = (line for row in within for line in _lines(properties, row, notes, len(heads)))
        sections.append(Section(title, (Table(heads, tuple(lines), shares=SHARES[len(heads)]),)))
    shared = [Paragraph((f"Note {k}: ", *capital(words)), "aside") for k, words in enumerate(notes.shared, 1)]
    ending = Paragraph((f"{_ending(properties)} Made by leverarm {__version__}.",), "aside")
    writing = next((row.writing for row in rows if row.writing.index), Writing())
    title = f"{TITLE}: {arm.title or arm.name}"
    sections.append(Section("Notes", (*shared, ending)))
    summary = tuple(_summary(properties))
    return Document(title, summary, tuple(sections), writing, data=properties.facts(), layout="report")


def _summary(properties: Properties) -> Iterator[Block]:
    arm, box = properties.arm, properties.box
    if not properties.finished:
        yield Verdict((INTERRUPTED,), "fair")
    yield Paragraph((f"`{arm.name}`, {arm.dof} joint{'s' * (arm.dof != 1)}. {BOX}",))
    yield Table((), tuple(_range(properties, k) for k in range(arm.dof)))
    yield from (Paragraph((note,), "aside") for note in box.notes)
    yield Equations((Shown(EQUATIONS_OF_MOTION),))
    yield Items(tuple((_mark(how), f" {KNOWN[how][1]}") for how in KNOWN if any(row.how == how for row in properties)))
    if any(row.bound is not None and row.how == "certified enclosure" for row in properties):
        yield Paragraph((SIDES,), "aside")


def _range(properties: Properties, k: int) -> tuple[Cell, ...]:
    box, name = properties.box, properties.arm.coordinates[k]
    texts = ("no range", "") if name in box.missing else range_texts(properties.arm, k, box.lower[k], box.upper[k])
    return (name, *(text.replace("-", "\N{MINUS SIGN}") for text in texts))


def _lines(properties: Properties, row: Property, notes: Notes, columns: int) -> Iterator[Row]:
    """A line of the table, and what else is to be said below it."""
    attained = _attained(properties, row)
    value = (*exchanged(row.found, SHOWN), *_gap(row))
    cells = (capital(row.title), exchanged(row.formula, SHOWN), value, (_mark(row.how), _spent(row, notes)))
    yield (*cells, attained) if columns > len(cells) else cells
    yield from (Paragraph(words, "aside") for words in notes.own(row))
    if attained and columns == len(cells):
        yield Paragraph(("Attained at ", *attained, "."), "aside")


def _attained(properties: Properties, row: Property) -> Words:
    """The state at which a side is attained."""
    pieces: list[Piece] = []
    for line in state_lines(properties.arm, row.witness or {}):
        name, _, numbers = line.partition(" ")
        pieces += [", " * bool(pieces), LETTERS[name], " " + numbers.replace("-", "\N{MINUS SIGN}")]
    return tuple(pieces)


def _mark(how: How) -> Mark:
    return Mark("not known" if how == "none" else how, KNOWN[how][0], KNOWN[how][1])


def _spent(row: Property, notes: Notes) -> str:
    """The time it took, and the notes about it."""
    seconds = f"{nearest(row.seconds, 2)} s" if row.seconds >= SHORTEST else ""
    return "".join(f" {part}" for part in (", ".join(filter(None, (seconds, notes.numbers(row)))),) if part)


def _gap(row: Property) -> Words:
    """How near the sides are: filled up to the lower one, hatched from there to the upper one."""
    if row.bound is None or row.how != "certified enclosure":
        return ()
    return (Figure(_bar(row.bound), text=","), f" {distance(row.bound)}")


def _bar(bound: Bound) -> str:
    filled = 100 * (1 - min(max(bound.gap, 0.0), 1.0))
    hatches = "".join(f"M{x} 9l8-8" for x in range(0, 100, 4) if x + 8 > filled)
    return (
        '<svg class="bar" width="102" height="10" viewBox="0 0 102 10" role="img">'
        "<title>filled up to the lower side, hatched from there to the upper one</title>"
        f'<path d="{hatches}" stroke="currentColor" fill="none"/>'
        f'<rect x="1" y="1" width="{filled:.2f}" height="8" fill="currentColor"/>'
        '<rect x="1" y="1" width="100" height="8" fill="none" stroke="currentColor"/></svg>'
    )


def distance(bound: Bound) -> str:
    """How far the sides of an enclosure are apart."""
    return f"gap {percent(bound.gap)}" if math.isfinite(bound.gap) else "the other side is not known yet"


def _ending(properties: Properties) -> str:
    """How many lines were established how."""
    counts = Counter(_kind(row) for row in properties.rows if row.how not in ("none", "declared"))
    counted = "; ".join(f"{kind}: {count}" for kind, count in counts.items())
    return f"{counted or 'Nothing is established yet'}." + ("" if properties.finished else f" {INTERRUPTED}")


def _kind(row: Property) -> str:
    is_one_sided = row.bound is not None and None in (row.bound.lower, row.bound.upper)
    return ONE_SIDED if is_one_sided else KNOWN[row.how][2]
