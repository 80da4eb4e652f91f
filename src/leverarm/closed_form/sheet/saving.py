"""Closed forms as a file, in the form that its ending names."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from leverarm.closed_form.robot_equation import Equations
from leverarm.closed_form.sheet.writing import FORMS, write_equations
from leverarm.errors import FormatError
from leverarm.whole_file import write_whole

ENDINGS = {".txt": "text", ".tex": "latex", ".py": "python", ".json": "json"}
"""The form of closed forms that the ending of a file's name means."""
ALSO = {".py": ("sympy",)}
"""Forms that may be asked for with an ending though it does not mean them."""


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
    if not isinstance(path, str | os.PathLike) or str(path).endswith("/"):
        raise FormatError(f"{path!r} is no file's name. Give one with an ending. Valid: {', '.join(ENDINGS)}.")
    ending = Path(path).suffix.lower()
    if form is None and ending not in ENDINGS:
        valid = ", ".join(ENDINGS)
        raise FormatError(f"the ending of {Path(path).name!r} names no form. Valid: {valid}, or give the form.")
    meant = (ENDINGS.get(ending, form), *ALSO.get(ending, ()))
    if form in FORMS and form not in meant:
        raise FormatError(
            f"form={form!r} contradicts the ending of {Path(path).name!r}, which means {' or '.join(map(str, meant))}. "
            "Leave the form out, or end the name otherwise."
        )
    write_whole(write_equations(eq, what, form or ENDINGS[ending], frame), path)
