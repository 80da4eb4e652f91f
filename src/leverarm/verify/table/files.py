"""Writing the table to a file, in the form that the file's ending names."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from leverarm.errors import FormatError
from leverarm.verify.table.open_boxes import boxes_file, fingerprint, packed
from leverarm.verify.table.property import Properties
from leverarm.verify.table.report_html import to_html
from leverarm.verify.table.report_json import to_json
from leverarm.verify.table.report_markdown import to_markdown
from leverarm.verify.table.report_tex import to_tex
from leverarm.verify.table.report_text import to_text
from leverarm.whole_file import write_whole

RENDERERS: dict[str, Callable[[Properties], str]] = {
    ".html": to_html,
    ".md": to_markdown,
    ".json": to_json,
    ".tex": to_tex,
    ".txt": to_text,
}
"""By the ending of a file's name."""


def save_properties(properties: Properties, path: str | os.PathLike[str]) -> None:
    """Writes the table as .html, .md, .json, .tex or .txt; an existing file is replaced whole or not at all.

    Beside a .json file the boxes that are left go into an .npz file, for `resume`.
    """
    if not isinstance(path, str | os.PathLike) or str(path).endswith("/"):
        raise FormatError(f"{path!r} is no file's name. Give one with an ending. Valid: {', '.join(RENDERERS)}.")
    given = os.fspath(path)
    renderer = RENDERERS.get(Path(given).suffix.lower())
    if renderer is None:
        raise FormatError(f"the ending of {Path(given).name!r} names no report. Valid: {', '.join(RENDERERS)}.")
    if renderer is to_json and properties.left:
        boxes = packed(properties.left)
        write_whole(boxes, boxes_file(given))
        write_whole(to_json(properties, fingerprint(boxes)), given)
    else:
        write_whole(renderer(properties), given)
