"""Closed forms of an arm as text, or as a file in the form that its ending names: `Equations.text` and `.save`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from leverarm.atomic_write import atomic_write
from leverarm.closed_form.exact_equations import Equations
from leverarm.errors import FormatError, InputError, unknown_name
from leverarm.late_import import late
from leverarm.quantities.table import TABLE, Quantity, quantity_named

FORMS = {
    "text": "text:to_text_sheet",
    "latex": "document:to_latex_sheet",
    "python": "source_code:to_python_sheet",
    "sympy": "source_code:to_sympy_sheet",
    "json": "data:to_json_sheet",
    "html": "document:to_html_sheet",
    "markdown": "document:to_markdown_sheet",
}
"""Who writes each form, "module:function"; imported when asked for, so that `import leverarm` stays quick."""


def closed_forms() -> tuple[Quantity, ...]:
    """Every quantity that `write_equations` can write, with its letter, name and meaning."""
    return tuple(quantity for quantity in TABLE if quantity.closed_form)


def write_equations(
    eq: Equations,
    what: Sequence[str] = ("M", "c", "g"),
    form: str = "text",
    frame: str | None = None,
    longest: int | None = None,
) -> str:
    """Closed forms of an arm, written out.

    `what` are letters or names of quantities, such as "M", "c", "Lambda", "base_parameters"; `frame` is the one that
    J, Lambda and so on are of, the tool unless given. `form`:

    - "text": lines such as `M11 = ...`; where `longest` is given, entries of more terms are counted, not written.
    - "latex": align* environments.
    - "python": a module of NumPy functions M(q), c(q, qd), ... with the arm's symbols as keyword arguments.
    - "sympy": a script that builds SymPy matrices.
    - "json": the text and the exact list of terms of each entry.
    - "html", "markdown": a document to read.

    """
    from leverarm.closed_form.sheet.entries import item

    if not isinstance(form, str) or form not in FORMS:
        raise InputError(unknown_name("form", form, FORMS))
    if longest is not None and form != "text":
        raise InputError(f"longest = {longest} is given for {form}; only text counts long entries. Leave it out.")
    chosen = _chosen(what)
    if frame is not None and not any(map(_has_frame, chosen)):
        letters, framed = _letters(chosen), _letters(filter(_has_frame, closed_forms()))
        raise InputError(f"a frame makes no difference to {letters}; it does to {framed}. Leave {frame!r} out.")
    items = [item(eq, quantity, frame if _has_frame(quantity) else None) for quantity in chosen]
    writer: Callable[..., str] = late(f"closed_form.sheet.{FORMS[form]}")
    limits: dict[str, Any] = {} if longest is None else {"longest": longest}
    return writer(eq, items, **limits)


def _chosen(what: Sequence[str]) -> list[Quantity]:
    if not isinstance(what, Iterable):
        raise InputError(f"what = {what!r} names no quantities. Give a list of some of {_letters(closed_forms())}.")
    names = [what] if isinstance(what, str) else list(what)
    if not names:
        raise InputError(f"no quantity is given. Name some of {_letters(closed_forms())}.")
    return list(dict.fromkeys(quantity_named(name, closed_forms()) for name in names))


def _has_frame(quantity: Quantity) -> bool:
    return "frame" in quantity.options


def _letters(quantities: Iterable[Quantity]) -> str:
    return ", ".join(quantity.letter for quantity in quantities)


ENDINGS = {
    ".txt": "text", ".tex": "latex", ".py": "python", ".json": "json", ".html": "html", ".md": "markdown",
}  # fmt: skip
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

    The `form` is that of the file's ending (.txt, .tex, .py, .json, .html, .md) unless given.
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
    atomic_write(write_equations(eq, what, form or ENDINGS[ending], frame), path)
