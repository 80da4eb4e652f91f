"""Texts whose cells hold lists, such as "[0.1, 0.2]": one cell for each element, as any other table has them."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence

from leverarm.logs.files.table import numbered

_LIST = re.compile(r"\s*(?:array|tuple|list)?\(?\s*[\[(](.*?)[\])]\s*\)?\s*", re.DOTALL)
_BEGINS = re.compile(r"(?:^|[,;\t])\s*\"?(?:array|tuple|list)?\s*[\[(]\s*['\"\d.+-]")
_DELIMITERS = (",", ";", "\t")


def without_lists(lines: Sequence[str]) -> list[str]:
    """The same lines, those of a table with lists in some columns taken apart: position becomes position1, position2.

    Names stand in the first line that is not empty; a line whose lists have other lengths keeps another number of
    cells. Lines of any other text come back as they are.
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
    parts = (_elements(cell) or [cell] for cell in _cells(line, delimiter))
    return delimiter.join(element for part in parts for element in part)
