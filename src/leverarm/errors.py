"""One base class for everything a user can get wrong, so that one `except` catches it and the CLI prints one line.

Every message has three parts: what was given, what would have been valid, what to do.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable
from difflib import get_close_matches
from typing import Any


class LeverarmError(ValueError):
    """Something in what was asked for is wrong; the message says what. Never a bug in leverarm."""


class ArmError(LeverarmError):
    """The description is not that of a possible arm (a cycle, a negative mass, an axis of length zero).

    `part` is the part at fault, where it is one, such as ("body", name): a file reader finds its line by it.
    """

    def __init__(self, message: str, part: tuple[str, str] | None = None) -> None:
        super().__init__(message)
        self.part = part


class FormatError(LeverarmError):
    """A file cannot be read or written; the message begins with the place, `file:line: `, where there is one."""

    def __init__(self, message: str, file: str | None = None, line: int | None = None) -> None:
        place = ":".join(str(part) for part in (file, line) if part is not None)
        super().__init__(f"{place}: {message}" if place else message)
        self.file = file
        self.line = line


class ExpressionError(LeverarmError):
    """A text is neither a number nor an expression in symbols."""


class InputError(LeverarmError):
    """An array or an option has the wrong shape, is not finite, or names something that does not exist."""


class SingularError(LeverarmError):
    """A linear system has no unique solution at this state, such as the mass matrix of a body without mass."""


class NotFiniteError(LeverarmError):
    """A result is too large for a float, or not a number."""


class SimulationError(LeverarmError):
    """A simulation cannot continue at time `t` [s]; `joint` is the cause where it is one joint.

    `trajectory` is what was computed until then.
    """

    def __init__(self, message: str, t: float, joint: str | None = None, trajectory: object = None) -> None:
        super().__init__(message)
        self.t = t
        self.joint = joint
        self.trajectory = trajectory


class MissingExtraError(LeverarmError):
    """An optional dependency is not installed; the message gives the install command."""


def path_text(given: object, *examples: str) -> str:
    """The text of a path that a user gave. Raises FormatError for None, numbers, bytes and the empty path."""
    try:
        text = os.fspath(given)  # type: ignore[call-overload]
    except TypeError:
        text = None
    if isinstance(text, str) and text.strip():
        return text
    shown = repr(given) if len(repr(given)) <= 60 else f"{repr(given)[:60]}..."
    example = " or ".join(map(repr, examples))
    raise FormatError(f"{shown} was given as a path; a path is text or a pathlib.Path. Give one such as {example}.")


def unknown_name(kind: str, given: str, valid: Iterable[str]) -> str:
    """The sentence for a name that does not exist: the nearest matches, then all valid names."""
    given, names = str(given), [str(name) for name in valid]
    begun = [name for name in names if given and name.lower().startswith(given.lower())]
    close = begun[:3] or get_close_matches(given, names, n=3, cutoff=0.5)
    close = close or get_close_matches(given.replace("_", ""), names, n=2, cutoff=0.5)
    nearest = f"; did you mean {' or '.join(repr(name) for name in close)}?" if close else "."
    listed = ", ".join(names[:40]) + (", ..." if len(names) > 40 else "")
    return f"there is no {kind} named {given!r}{nearest} Valid: {listed or '(none)'}."


def require_known(
    kind: str, given: Any, valid: Collection[str], what: str = "", error: type[LeverarmError] = InputError
) -> None:
    """Raises an InputError (or another), begun with what it is about, unless a name is one of the valid ones."""
    if not isinstance(given, str) or given not in valid:
        raise error((f"{what}: " if what else "") + unknown_name(kind, str(given), valid))
