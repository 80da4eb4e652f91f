"""One cell of a text: a number, nothing, or something else."""

from __future__ import annotations

import csv
import math
from datetime import UTC, datetime

MISSING = frozenset({"", "nan", "-nan", "na", "n/a", "#n/a", "null", "none", "-", "--", "nil"})
_WORDS = {"true": 1.0, "false": 0.0}


def split(line: str, delimiter: str | None) -> list[str]:
    """The cells of a line, without blanks and quotes around them; no delimiter means any number of blanks."""
    if '"' in line:
        cells = next(csv.reader([line], delimiter=delimiter or " ", skipinitialspace=True), [])
        return [cell.strip() for cell in cells if cell or delimiter]
    return [cell.strip() for cell in line.split(delimiter)]


def number(cell: str) -> float | None:
    """The number in a cell, NaN where it is empty or says that there is none, None where it is something else."""
    try:
        return float(cell) if "_" not in cell else None
    except ValueError:
        word = cell.strip("' ").lower()
        return math.nan if word in MISSING else _WORDS.get(word)


def moment(cell: str) -> float | None:
    """Seconds since 1970 of a date with a time, or since midnight of a time alone, such as 12:30:05.25; else None."""
    text = cell.strip("'").replace("/", "-")
    if ":" not in text:
        return None
    text = text if "-" in text else f"1970-01-01T{text}"
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()
