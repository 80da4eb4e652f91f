"""One base class for everything a user can get wrong, so that one `except` catches it and the CLI prints one line.

Every message has three parts: what was given, what would have been valid, what to do.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class LeverarmError(ValueError):
    """A mistake in what was asked for, told in one message; never a bug in leverarm."""


class ArmError(LeverarmError):
    """The description of an arm is not that of a mechanism (a cycle, a negative mass, an axis of length zero).

    `part` says what it is about where that is one thing, as ("body", name), so that a file's reader can find its line.
    """

    def __init__(self, message: str, part: tuple[str, str] | None = None) -> None:
        super().__init__(message)
        self.part = part


class FormatError(LeverarmError):
    """A file could not be read as an arm; says where: `file:line: what`."""

    def __init__(self, message: str, file: str | None = None, line: int | None = None) -> None:
        place = ":".join(str(part) for part in (file, line) if part is not None)
        super().__init__(f"{place}: {message}" if place else message)
        self.file = file
        self.line = line


class ExpressionError(LeverarmError):
    """A text could not be read as a number or an expression in symbols."""


class InputError(LeverarmError):
    """An array or an option has the wrong shape, is not finite, or names something that does not exist."""


class SingularError(LeverarmError):
    """A linear system of the mechanics has no unique answer at this state."""


class NotFiniteError(LeverarmError):
    """A result left the range of floats."""


class SimulationError(LeverarmError):
    """A run cannot go on: at time `t` [s], because of `joint` where it is one; `trajectory` is what was computed."""

    def __init__(self, message: str, t: float, joint: str | None = None, trajectory: object = None) -> None:
        super().__init__(message)
        self.t = t
        self.joint = joint
        self.trajectory = trajectory


class MissingExtraError(LeverarmError):
    """An optional dependency is not installed; the message gives the install command."""


def unknown_name(kind: str, given: str, valid: Iterable[str]) -> str:
    """A sentence for a name that does not exist: the nearest matches first, then all of them."""
    given, names = str(given), [str(name) for name in valid]
    begun = [name for name in names if given and name.lower().startswith(given.lower())]
    close = begun[:3] or get_close_matches(given, names, n=3, cutoff=0.5)
    close = close or get_close_matches(given.replace("_", ""), names, n=2, cutoff=0.5)
    nearest = f"; did you mean {' or '.join(repr(name) for name in close)}?" if close else "."
    listed = ", ".join(names[:40]) + (", ..." if len(names) > 40 else "")
    return f"there is no {kind} named {given!r}{nearest} Valid: {listed or '(none)'}."
