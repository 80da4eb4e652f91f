"""The layout of a table in a text: the delimiter, where the names are, where the numbers begin."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from leverarm.errors import FormatError
from leverarm.identification.logs.files.table import distinct, moment, number, split

COMMENTS = ("#", "%", "//")
# The first of equals wins, so a decimal comma is read only where a decimal point reads fewer numbers.
_FORMS = ((",", "."), *((delimiter, decimal) for decimal in ".," for delimiter in (";", "\t", None)))
_FIRST_LINES = 200
_OTHER_LINES = 100
_UNIT_WORDS = (
    "|-|1|unit|units|%|hz|c|°c|a|ma|v|w|n|nm|n m|n.m|n*m|n·m|s|sec|ms|us|µs|ns|1/s|rpm|m|mm|m/s|mm/s|m/s^2|m/s2|m/s²"
    "|rad|mrad|rad/s|rad/sec|rad/s^2|rad/s2|rad/s²|deg|degree|°|deg/s|°/s|deg/s^2|deg/s2|deg/s²"
)
_UNITS = frozenset(_UNIT_WORDS.split("|"))


@dataclass(frozen=True, slots=True)
class Layout:
    """Delimiter (None: blanks) and decimal sign, names of the columns, index of the first line of numbers.

    `ends_with_delimiter`: each line has a delimiter more than it needs, at its end. `above`: indices of lines of text
    over the table that are neither comments nor names.
    """

    delimiter: str | None
    decimal: str
    names: tuple[str, ...]
    has_header: bool
    first: int
    ends_with_delimiter: bool
    above: tuple[int, ...] = ()

    @property
    def width(self) -> int:
        return len(self.names)

    def cells(self, line: str) -> list[str]:
        """The cells of a line of numbers, with decimal points."""
        cells = split(pointed(line, self.decimal), self.delimiter)
        if self.ends_with_delimiter and len(cells) == self.width + 1 and not cells[-1]:
            cells.pop()
        return cells


def pointed(line: str, decimal: str) -> str:
    """A line of numbers with decimal points."""
    return line.replace(",", ".") if decimal == "," else line


def is_content(line: str) -> bool:
    """Whether a line is neither empty nor a comment."""
    text = line.lstrip()
    return bool(text) and not text.startswith(COMMENTS)


def _contents(lines: Sequence[str]) -> Iterator[int]:
    return (index for index, line in enumerate(lines) if is_content(line))


def layout_of(lines: Sequence[str], file: str) -> Layout:
    """The layout of the table in a text. Raises FormatError if there are no rows of numbers in it."""
    top = list(islice(_contents(lines), _FIRST_LINES))
    if not top:
        raise FormatError("is empty; a log has one row of numbers per sample.", file)
    step = max(1, len(lines) // _OTHER_LINES)
    sample = [lines[index] for index in top] + [line for line in lines[top[-1] + 1 :: step] if is_content(line)]
    tried = [(_score(sample, *form), form) for form in _FORMS]
    (score, width), (delimiter, decimal) = max(tried, key=lambda each: each[0][0])
    if score <= 0:
        shown = lines[top[0]].strip()[:60]
        raise FormatError(
            f"holds no table of numbers; it begins with {shown!r}. A log as text has one line per sample, with "
            "numbers between commas, semicolons, tabs or blanks.",
            file,
            top[0] + 1,
        )
    return _with_names(lines, Layout(delimiter, decimal, ("",) * width, False, 0, False))


def _score(sample: Sequence[str], delimiter: str | None, decimal: str) -> tuple[int, int]:
    """How many more numbers than words the lines of the commonest width hold, and that width."""
    split_lines = (split(pointed(line, decimal), delimiter) for line in sample)
    found = [(len(cells), *_counts(cells)) for cells in split_lines]
    widths = Counter(width for width, numbers, words in found if numbers and numbers >= words)
    if not widths:
        return 0, 0
    width = max(widths, key=lambda each: (widths[each], each))
    return sum(numbers - words for wide, numbers, words in found if wide == width and numbers >= words), width


def _counts(cells: Sequence[str]) -> tuple[int, int]:
    """How many cells hold a number or a time of day, and how many hold a word."""
    values = [moment(cell) if (value := number(cell)) is None else value for cell in cells]
    numbers = sum(value is not None and not math.isnan(value) for value in values)
    return numbers, sum(value is None for value in values)


def _with_names(lines: Sequence[str], layout: Layout) -> Layout:
    """The layout with the names that stand over the numbers, if any do."""
    numeric = (index for index in _contents(lines) if _is_row(layout.cells(lines[index]), layout))
    rows = list(islice(numeric, _FIRST_LINES))
    if len(rows) > 1 and _are_numbered_names(layout.cells(lines[rows[0]])):
        del rows[0]
    first = rows[0]
    over = list(_contents(lines[:first]))
    is_last_empty = layout.width > 1 and all(not layout.cells(lines[index])[-1] for index in rows)
    header, used = _header(lines, over, layout, is_last_empty)
    if not header:
        header, used = _commented(lines, first, layout), []
    ends = is_last_empty and (not header or not header[-1])
    width = layout.width - 1 if ends else layout.width
    names = distinct(header[:width]) if header else [str(place) for place in range(1, width + 1)]
    above = tuple(index for index in over if index not in used)
    return replace(
        layout, names=tuple(names), has_header=bool(header), first=first, ends_with_delimiter=ends, above=above
    )


def _is_row(cells: list[str], layout: Layout) -> bool:
    numbers, words = _counts(cells)
    return len(cells) == layout.width and numbers >= max(words, 1)


def _are_numbered_names(cells: list[str]) -> bool:
    """Whether a line is like "time, 1, 2, 3": one word, then whole numbers that count up."""
    digits = [cell for cell in cells if number(cell) is not None]
    if len(digits) != len(cells) - 1 or cells[0] in digits or len(digits) < 2 or not all(map(str.isdecimal, digits)):
        return False
    return [int(text) for text in digits] == list(range(int(digits[0]), int(digits[0]) + len(digits)))


def _header(lines: Sequence[str], over: list[int], layout: Layout, is_last_empty: bool) -> tuple[list[str], list[int]]:
    """The nearest line over the numbers that has as many cells, and its index; with a line of units below it, both."""
    fitting = [(index, names) for index in over if (names := _names(lines[index], layout, is_last_empty))]
    if not fitting:
        return [], []
    index, cells = fitting[-1]
    units = [cell.strip("[]() ") for cell in cells]
    if len(fitting) == 1 or not all(unit.lower() in _UNITS for unit in units):
        return cells, [index]
    above, names = fitting[-2]
    return [f"{name} [{unit}]" if unit else name for name, unit in zip(names, units, strict=True)], [above, index]


def _names(line: str, layout: Layout, is_last_empty: bool) -> list[str]:
    """Names for all columns, or none. Some programs put blanks only between numbers, or number rows without a name."""
    for delimiter in _delimiters_of_names(layout):
        cells = split(line, delimiter)
        numbers, words = _counts(cells)
        if len(cells) == layout.width + 1 and not cells[-1]:
            del cells[-1]
        if len(cells) == layout.width - 1 and words > 1 and not numbers:
            cells = [*cells, ""] if is_last_empty else ["", *cells]
        if len(cells) == layout.width:
            return cells
    return []


def _commented(lines: Sequence[str], first: int, layout: Layout) -> list[str]:
    """Names in the comment next above the numbers, as numpy.savetxt and rostopic write them."""
    above = next((lines[index] for index in range(first - 1, -1, -1) if lines[index].strip()), "").lstrip()
    if not above.startswith(COMMENTS):
        return []
    text = above.lstrip("#%/ ")
    for delimiter in _delimiters_of_names(layout):
        cells = split(text, delimiter)
        numbers, words = _counts(cells)
        if words > numbers and len(cells) == layout.width:
            return cells
    return []


def _delimiters_of_names(layout: Layout) -> Iterable[str | None]:
    """What may stand between names: blanks come last, since "t, q1" falls apart at them too."""
    others = (",", ";", "\t")
    return (*others, None) if layout.delimiter is None else dict.fromkeys((layout.delimiter, *others))
