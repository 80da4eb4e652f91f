"""The table as plain text, for a terminal or a .txt file."""

from __future__ import annotations

import math
import textwrap
from collections import Counter
from collections.abc import Iterator

from leverarm.verify.table.digits import nearest, percent, range_texts, state_lines
from leverarm.verify.table.property import Bound, Notes, Properties, Property, in_sections

TITLE = "Properties of the equations of motion"
HOW_MANY = {
    "exact identity": "Proven by exact identities",
    "certified enclosure": "Enclosed with certainty",
    "exact at random rational states": "Exact at random rational states",
    "sampled estimate": "Estimated from samples",
}
ONE_SIDED = "Bounded from one side with certainty"
NARROWEST = 40


def to_text(properties: Properties, width: int = 80) -> str:
    """The table in lines of at most `width` characters where words allow it."""
    width = max(width, NARROWEST)
    top = textwrap.wrap(heading(properties), width)
    lines = [*top, "=" * max(map(len, top)), *_box(properties, width)]
    notes = Notes.of(properties.rows)
    for title, rows in in_sections(properties.rows):
        lines += ["", title, "-" * len(title)]
        for row in rows:
            lines += _row(properties, row, notes, width)
    for sentence in (*notes.numbered(), ending(properties)):
        lines += ["", *textwrap.wrap(sentence, width)]
    return "\n".join(lines) + "\n"


def heading(properties: Properties) -> str:
    """The title of every report."""
    return f"{TITLE}: {properties.arm.title or properties.arm.name}"


def ending(properties: Properties) -> str:
    """How many lines were established how."""
    counts = Counter(_kind(row) for row in properties.rows if row.how not in ("none", "declared"))
    counted = "; ".join(f"{kind}: {count}" for kind, count in counts.items())
    finish = " Interrupted: some lines are missing and bounds may be wide, but everything stated holds."
    return f"{counted or 'Nothing is established yet'}.{'' if properties.finished else finish}"


def _kind(row: Property) -> str:
    is_one_sided = row.bound is not None and None in (row.bound.lower, row.bound.upper)
    return ONE_SIDED if is_one_sided else HOW_MANY[row.how]


def meta(row: Property, notes: Notes) -> str:
    """How a line was established, how far its sides are apart, the time it took, and the notes about it."""
    how = "not known" if row.how == "none" else row.how
    gap = f", {distance(row.bound)}" if row.how == "certified enclosure" and row.bound is not None else ""
    seconds = f", {nearest(row.seconds, 2)} s" if row.seconds >= 0.01 else ""
    numbers = notes.numbers(row)
    return f"{how}{gap}{seconds}" + (f"; {numbers}" if numbers else "")


def distance(bound: Bound) -> str:
    """How far the sides of an enclosure are apart."""
    return f"gap {percent(bound.gap)}" if math.isfinite(bound.gap) else "the other side is not known yet"


def is_formula(latex: str) -> bool:
    """Whether it is mathematics rather than one word in LaTeX: \\text{proven} is set as the word."""
    return bool(latex) and not (latex.startswith(r"\text{") and latex.find("}") == len(latex) - 1)


def _box(properties: Properties, width: int) -> Iterator[str]:
    box, arm = properties.box, properties.arm
    names = max((len(name) for name in arm.coordinates), default=0)
    for k, name in enumerate(arm.coordinates):
        if name in box.missing:
            yield f"  {name:<{names}}  no range"
            continue
        range_, radians = range_texts(arm, k, box.lower[k], box.upper[k])
        yield f"  {name:<{names}}  {range_}" + (f"  ({radians})" if radians else "")
    for note in box.notes:
        yield from textwrap.wrap(note, width, initial_indent="  ", subsequent_indent="  ")


def _row(properties: Properties, row: Property, notes: Notes, width: int) -> Iterator[str]:
    yield from textwrap.wrap(f"{row.name}: {row.statement}", width, subsequent_indent="    ")
    yield from _value(row.value, f"[{meta(row, notes)}]", width)
    for line in (*notes.own(row), *_at(properties, row)):
        yield from textwrap.wrap(line, width, initial_indent="      ", subsequent_indent="      ")


def _value(value: str, established: str, width: int) -> Iterator[str]:
    """What was found and how, in one line where it fits."""
    if len(value) + len(established) + 6 <= width:
        yield f"    {value}  {established}"
        return
    for text in (value, established):
        yield from textwrap.wrap(text, width, initial_indent="    ", subsequent_indent="    ")


def _at(properties: Properties, row: Property) -> tuple[str, ...]:
    return tuple(f"at {line}" for line in state_lines(properties.arm, row.witness)) if row.witness else ()
