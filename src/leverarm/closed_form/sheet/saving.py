"""Closed forms as a file, in the form that its ending names."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from leverarm.closed_form.robot_equation import Equations
from leverarm.closed_form.sheet.writing import write_equations
from leverarm.errors import FormatError
from leverarm.whole_file import write_whole

ENDINGS = {".txt": "text", ".tex": "latex", ".py": "python", ".json": "json"}
"""The form of closed forms that the ending of a file's name means."""


def save_equations(
    eq: Equations,
    path: str | os.PathLike[str],
    what: Sequence[str] = ("M", "c", "g"),
    form: str | None = None,
    frame: str | None = None,
) -> None:
    """Writes closed forms to a file, replaced whole or not at all; see `write_equations`.

    The `form` is that of the file's ending (.txt, .tex, .py, .json) unless given.
    """
    ending = Path(path).suffix.lower()
    if form is None and ending not in ENDINGS:
        valid = ", ".join(ENDINGS)
        raise FormatError(f"the ending of {Path(path).name!r} names no form. Valid: {valid}, or give the form.")
    write_whole(write_equations(eq, what, form or ENDINGS[ending], frame), path)
