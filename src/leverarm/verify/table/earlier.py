"""Going on with an earlier report: the enclosures it certifies for the same arm, box and version."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from leverarm._version import __version__
from leverarm.errors import FormatError, InputError
from leverarm.verify.enclosures.enclosure import OpenBoxes
from leverarm.verify.table.open_boxes import unpacked
from leverarm.verify.table.property import Bound
from leverarm.verify.table.report_json import FORMAT, digest, plain_box

if TYPE_CHECKING:
    from leverarm.verify.table.box import Box

LARGEST_FILE = 50_000_000
"""Bytes. A table has some ten thousand."""


def earlier_bounds(path: str | os.PathLike[str], box: Box) -> dict[str, tuple[str, Bound]]:
    """What a .json report says of the same arm over the same box: by key the statement and its certified enclosure.

    Raises FormatError where it is no report, InputError where it is one of another arm, box or version.
    """
    given, arm = os.fspath(path), box.arm
    found = _read(given)
    try:
        name, drawn, version, ranges = found["arm"]["name"], found["arm"]["digest"], found["version"], found["box"]
        rows = [row for row in found["rows"] if _is_certified(row)]
        bounds = {row["key"]: (row["statement"], _bound(row["bound"])) for row in rows}
    except (KeyError, TypeError, AttributeError, ValueError, OverflowError):
        raise _no_report(given) from None
    if drawn != digest(arm):
        raise InputError(_other(given, f"is about arm {name!r} as it was then, not {arm.name!r} as it is"))
    if version != __version__:
        raise InputError(_other(given, f"was made by leverarm {version}, and this is {__version__}"))
    if ranges != plain_box(box):
        raise InputError(_other(given, "is about other ranges of the joints"))
    return bounds


def earlier_boxes(path: str | os.PathLike[str], box: Box) -> dict[str, OpenBoxes]:
    """The boxes that the report's run had left, where they are beside it."""
    given = os.fspath(path)
    expected = _read(given).get("boxes")
    return unpacked(given, expected, box.arm.dof) if isinstance(expected, str) else {}


def _read(given: str) -> dict[str, Any]:
    try:
        if Path(given).stat().st_size > LARGEST_FILE:
            raise _no_report(given)
        found = json.loads(Path(given).read_text(encoding="utf-8"))
    except OSError as problem:
        reason = problem.strerror or problem
        raise FormatError(f"cannot be read: {reason}. Give a .json report of leverarm properties.", given) from None
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError):
        raise _no_report(given) from None
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise _no_report(given)
    return found


def _is_certified(row: Mapping[str, Any]) -> bool:
    return row["bound"] is not None and row["bound"]["how"] == "certified enclosure"


def _bound(plain: Mapping[str, Any]) -> Bound:
    lower, upper = (None if plain[side] is None else float(plain[side]) for side in ("lower", "upper"))
    sides = [side for side in (lower, upper) if side is not None]
    if not all(map(math.isfinite, sides)) or sides != sorted(sides):
        raise ValueError(f"{sides} enclose nothing")
    witness = plain["witness"]
    states = None if witness is None else {name: tuple(map(float, values)) for name, values in witness.items()}
    note, unit, seconds = str(plain["note"]), str(plain["unit"]), float(plain["seconds"])
    part = None if plain["part"] is None else tuple((float(low), float(high)) for low, high in plain["part"])
    return Bound(lower, upper, "certified enclosure", states, unit, seconds, note, part)


def _other(given: str, why: str) -> str:
    return f"{given} {why}; its bounds cannot be taken over. Leave resume out to begin anew."


def _no_report(given: str) -> FormatError:
    return FormatError("is no report of properties. Give a .json file that leverarm properties wrote.", given)
