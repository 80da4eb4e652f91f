"""Logs as text: CSV, TSV, columns separated by blanks, compressed with gzip or not; cells may hold lists.

Lines without cells are skipped. A line that does not have as many cells as there are columns, or that holds no number,
is dropped; any other line is kept, with NaN for the cells that hold no number.
"""

from __future__ import annotations

import csv
import gzip
import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from leverarm.arrays import Array
from leverarm.errors import FormatError
from leverarm.identification.logs.files.layout import Layout, is_content, layout_of, pointed
from leverarm.identification.logs.files.table import LARGEST, Flaw, Table, blank_garbage, moment, number, numbered

_LIST = re.compile(r"\s*(?:array|tuple|list)?\(?\s*[\[(](.*?)[\])]\s*\)?\s*", re.DOTALL)
_BEGINS = re.compile(r"(?:^|[,;\t])\s*\"?(?:array|tuple|list)?\s*[\[(]\s*['\"\d.+-]")
_DELIMITERS = (",", ";", "\t")


def without_lists(lines: Sequence[str]) -> list[str]:
    """The same lines, with lists in cells split into columns: position becomes position1, position2.

    Names are in the first line that is not empty; a line whose lists have other lengths keeps another number of
    cells. Any other text is returned unchanged.
    """
    filled = [index for index, line in enumerate(lines) if line.strip()][:2]
    if len(filled) < 2 or not _BEGINS.search(lines[filled[1]]):
        return list(lines)
    head, first = filled
    delimiter = max(_DELIMITERS, key=lines[head].count)
    names, cells = (_cells(lines[index], delimiter) for index in (head, first))
    if len(names) != len(cells):
        return list(lines)
    sizes = [None if (found := _elements(cell)) is None else len(found) for cell in cells]
    if not any(sizes):
        return list(lines)
    wide = [
        name if size is None else numbered(name, place)
        for name, size in zip(names, sizes, strict=True)
        for place in range(1, 1 + (1 if size is None else size))
    ]
    flat = [_flat(line, delimiter) if line.strip() else line for line in lines[first:]]
    return [*lines[:head], delimiter.join(wide), *lines[head + 1 : first], *flat]


def _cells(line: str, delimiter: str) -> list[str]:
    return [cell.strip() for cell in next(csv.reader([line], delimiter=delimiter, skipinitialspace=True), [])]


def _elements(cell: str) -> list[str] | None:
    """The elements of a list; None of a cell that is none."""
    found = _LIST.fullmatch(cell)
    if found is None:
        return None
    return [element.strip("'\" ") for element in re.split(r"[,;\s]+", found[1].strip(" ,;")) if element]


def _flat(line: str, delimiter: str) -> str:
    return delimiter.join(element for cell in _cells(line, delimiter) for element in _elements(cell) or [cell])


GZIP = b"\x1f\x8b"
_LINES_AT_ONCE = 1024
_FEW_ZEROS = 8
_NUMBERS_OF_A_COLUMN = 0.1


@dataclass(slots=True)
class _Body:
    """The rows under the names while they are read: blocks of numbers, the lines they stand in, what was no number."""

    blocks: list[Array] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    words: dict[tuple[int, int], str] = field(default_factory=dict)
    dropped: list[Flaw] = field(default_factory=list)


def read(path: Path) -> Table:
    """The table in a text file. Raises FormatError if there is none, or if more than half of its rows are bad."""
    file = str(path)
    text, notes = _text(path)
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    is_cut = bool(lines[-1].strip())
    while lines and not lines[-1].strip():
        lines.pop()
    lines = without_lists(lines)
    layout = layout_of(lines, file)
    body = _body(lines, layout)
    if is_cut:
        _drop_cut_number(lines, layout, body)
    values = np.concatenate(body.blocks) if body.blocks else np.empty((0, layout.width))
    rows = np.array(body.lines, dtype=np.int64)
    words = _read_columns_of_words(values, layout.names, body)
    _check(values, layout.names, body, file)
    repaired = blank_garbage(values, layout.names, rows, body.words)
    columns = {name: np.ascontiguousarray(values[:, place]) for place, name in enumerate(layout.names)}
    dropped = tuple(sorted(body.dropped, key=lambda each: each.row))
    notes += tuple(_passed_over(layout))
    return Table(path.name, columns, rows, dropped, layout.has_header, repaired, notes=notes, words=words)


def _text(path: Path) -> tuple[str, tuple[str, ...]]:
    data = path.read_bytes()
    notes: tuple[str, ...] = ()
    if data.startswith(GZIP):
        data, notes = _unpacked(data, str(path))
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace"), notes
    if data[:4096].count(b"\0") > _FEW_ZEROS:
        raise FormatError("is not text, although its name suggests it.", str(path))
    try:
        return data.decode("utf-8-sig"), notes
    except UnicodeDecodeError:
        return data.decode("latin-1"), notes


def _unpacked(data: bytes, file: str) -> tuple[bytes, tuple[str, ...]]:
    """The decompressed data; of a truncated file, what is left of it."""
    try:
        return gzip.decompress(data), ()
    except (EOFError, OSError, zlib.error):
        stream = zlib.decompressobj(wbits=31)
        kept = bytearray()
        try:
            for start in range(0, len(data), 4096):
                kept += stream.decompress(data[start : start + 4096])
        except zlib.error:
            pass
        if not kept:
            raise FormatError("is a damaged gzip file; nothing in it can be read.", file) from None
        whole, _, _ = bytes(kept).rpartition(b"\n")
        return whole + b"\n", ("The gzip file is truncated or damaged; the rows before that place were read.",)


def _body(lines: Sequence[str], layout: Layout) -> _Body:
    body = _Body()
    for start in range(layout.first, len(lines), _LINES_AT_ONCE):
        chunk = lines[start : start + _LINES_AT_ONCE]
        block = _numbers(chunk, layout)
        if block is None:
            block = _row_by_row(chunk, start, layout, body)
        else:
            body.lines += range(start + 1, start + 1 + len(chunk))
        body.blocks.append(block)
    return body


def _numbers(chunk: Sequence[str], layout: Layout) -> Array | None:
    """The numbers of lines without anything else, parsed in one pass; None if some line has more."""
    if not any(map(str.strip, chunk)):
        return None
    clean = [pointed(line, layout.decimal) for line in chunk]
    if layout.ends_with_delimiter:
        clean = [line.rstrip().removesuffix(layout.delimiter or " ") for line in clean]
    quote = '"' if '"' in chunk[0] else None
    try:
        block = np.loadtxt(clean, delimiter=layout.delimiter, comments=None, quotechar=quote, ndmin=2)
    except ValueError:
        return None
    return block if block.shape == (len(chunk), layout.width) else None


def _row_by_row(chunk: Sequence[str], start: int, layout: Layout, body: _Body) -> Array:
    kept: list[list[float]] = []
    for line, text in enumerate(chunk, start=start + 1):
        if not is_content(text):
            continue
        cells = layout.cells(text)
        numbers = [number(cell) for cell in cells]
        if why := _fault(cells, numbers, layout):
            body.dropped.append(Flaw(line, why))
            continue
        if None in numbers:
            row = len(body.lines)
            body.words |= {(row, k): repr(cells[k][:40]) for k, value in enumerate(numbers) if value is None}
        kept.append([np.nan if value is None else value for value in numbers])
        body.lines.append(line)
    return np.array(kept, dtype=np.float64).reshape(-1, layout.width)


def _fault(cells: Sequence[str], numbers: Sequence[float | None], layout: Layout) -> str:
    """Why a line is no row of the table; empty where it is one."""
    if len(cells) != layout.width:
        return f"has {len(cells)} cell{'s' * (len(cells) != 1)}; the table has {layout.width} columns"
    if any(value is not None and value == value for value in numbers):
        return ""
    is_header = layout.has_header and cells[0] and layout.names[0].startswith(cells[0])
    return "repeats the names of the columns" if is_header else "holds no number"


def _drop_cut_number(lines: Sequence[str], layout: Layout, body: _Body) -> None:
    """Drops an unterminated last line if its last number is shorter than in any other row: digits are missing."""
    if len(body.lines) < 3 or body.lines[-1] != len(lines):
        return
    lengths = [len(lines[line - 1].rpartition(layout.delimiter or " ")[2]) for line in body.lines]
    if lengths[-1] < min(lengths[:-1]):
        body.dropped.append(Flaw(body.lines.pop(), "is truncated: its last number lacks digits"))
        body.blocks[-1] = body.blocks[-1][:-1]
        body.words = {place: word for place, word in body.words.items() if place[0] < len(body.lines)}


def _passed_over(layout: Layout) -> list[str]:
    lines = [str(index + 1) for index in layout.above]
    which, was = (f"line {lines[0]} is", "was") if len(lines) == 1 else (f"lines {', '.join(lines)} are", "were")
    return [f"{which} above the table, neither names nor numbers, and {was} left out."] if lines else []


def _read_columns_of_words(values: Array, names: Sequence[str], body: _Body) -> dict[str, str]:
    """Dates and times of day become seconds; words in a column that hardly has numbers are no garbage.

    Returns the columns with the same word in every row.
    """
    alike: dict[str, str] = {}
    counts = np.isfinite(values).sum(axis=0)
    for column in sorted({column for _, column in body.words}):
        places = [place for place in body.words if place[1] == column]
        if counts[column] >= _NUMBERS_OF_A_COLUMN * (counts[column] + len(places)):
            continue
        found = {body.words[place][1:-1] for place in places}
        if len(found) == 1 and len(places) == len(values):
            alike[names[column]] = found.pop()
        for place in places:
            word = body.words.pop(place)
            seconds = moment(word[1:-1])
            values[place] = np.nan if seconds is None else seconds
    return alike


def _check(values: Array, names: Sequence[str], body: _Body, file: str) -> None:
    """Raises FormatError if more than half of the rows are dropped or hold garbage: then it is no table."""
    is_huge = np.abs(values) > LARGEST
    spoilt = {row for row, _ in body.words} | set(np.flatnonzero(is_huge.any(axis=1)).tolist())
    bad, total = len(body.dropped) + len(spoilt), len(body.lines) + len(body.dropped)
    if 2 * bad <= total:
        return
    found = [(each.row, each.why) for each in body.dropped]
    found += [(body.lines[row], f"has {word} as {names[column]}") for (row, column), word in body.words.items()]
    found += [
        (body.lines[row], f"has {values[row, column]:.6g} as {names[column]}") for row, column in np.argwhere(is_huge)
    ]
    line, why = min(found)
    raise FormatError(
        f"{bad} of {total} rows cannot be used; the first one {why}. Check that it is a log with the same columns in "
        "every row, and numbers in them.",
        file,
        line,
    )
