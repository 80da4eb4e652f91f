"""The report's files: a page to read and JSON of everything."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from leverarm.identification.report.page import to_html
from leverarm.identification.report.result_json import to_json
from leverarm.whole_file import write_together

if TYPE_CHECKING:
    from leverarm.identification.result import Identified


def write_report(result: Identified, folder: str | os.PathLike[str]) -> tuple[Path, ...]:
    """Writes report.html and result.json into a folder, which is made if it is not there: both or none.

    Raises FormatError where the folder cannot be written to.
    """
    return write_together({"report.html": to_html(result), "result.json": to_json(result)}, folder)
