"""What is known about an arm's properties while they are worked out: lines are added, bounds only ever get narrower.

Going on with an earlier report: the enclosures it certifies for the same arm, box and version.

The boxes that are left to look at, in a file beside a .json report: with them a later run goes on.
"""

from __future__ import annotations

import hashlib
import io
import json
import math
import os
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from leverarm._version import __version__
from leverarm.errors import FormatError, InputError
from leverarm.verify.enclosures.enclosing import OpenBoxes
from leverarm.verify.enclosures.extremes import EXTREMES
from leverarm.verify.table.bound_rows import bound_row, missing_row, statement_of, unit_of
from leverarm.verify.table.box import Box
from leverarm.verify.table.property import Bound, Property, capitalised, in_order
from leverarm.verify.table.report_json import FORMAT, digest, plain_box

if TYPE_CHECKING:
    from leverarm.verify.table.box import Box


Tell = Callable[[str, Bound | None], None]
"""Told what is being worked on: the name of a line, or the key of a constant and its enclosure so far."""
NOT_REACHED = "not reached: interrupted"


class Enclosed(Protocol):
    """Two sides that a constant lies between, a state that attains one of them, and the time that took [s]."""

    @property
    def lower(self) -> float: ...
    @property
    def upper(self) -> float: ...
    @property
    def witness(self) -> Mapping[str, tuple[float, ...]] | None: ...
    @property
    def seconds(self) -> float: ...
    @property
    def note(self) -> str: ...
    @property
    def part(self) -> tuple[tuple[float, float], ...] | None: ...
    @property
    def left(self) -> OpenBoxes | None: ...


@dataclass(slots=True)
class Known:
    """The lines and bounds so far. `earlier` are the statements and bounds of a report that is gone on from."""

    box: Box
    norm: str
    tell: Tell
    earlier: Mapping[str, tuple[str, Bound]] = field(default_factory=dict)
    lines: dict[str, Property] = field(default_factory=dict)
    bounds: dict[str, Bound] = field(default_factory=dict)
    left: dict[str, OpenBoxes] = field(default_factory=dict)

    def add(self, line: Property) -> None:
        """A line that is complete; names begin with a capital in the table."""
        self.lines[line.key] = replace(line, name=capitalised(line.name))

    def narrow(self, key: str, found: Enclosed) -> None:
        """A constant is enclosed, perhaps not for the last time."""
        unit, lower, upper = unit_of(key, self.box.arm), _finite(found.lower), _finite(found.upper)
        if self._is_never_negative(key):
            lower = max(lower or 0.0, 0.0)
        bound = Bound(lower, upper, "certified enclosure", found.witness, unit, found.seconds, found.note, found.part)
        before = self.before(key)
        if before is not None and before.note == bound.note:
            bound = intersection(key, bound, before)
        elif before is not None and before.gap < bound.gap:
            bound = before  # it is about another part of the box, which its note names
        self.bounds[key] = bound
        if found.left is not None:
            self.left[key] = found.left
        self.tell(key, bound)

    def before(self, key: str) -> Bound | None:
        """What the earlier report says of a constant, in the same norm."""
        statement, before = self.earlier.get(key, ("", None))
        return before if statement == statement_of(key, self.norm)[0] else None

    def _is_never_negative(self, key: str) -> bool:
        """Lengths and norms are not; eigenvalues of M are not where it is proven to be definite."""
        if not key.startswith(("mu", "lambda")):
            return True
        definite = self.lines.get("positive_definite")
        return definite is not None and definite.how == "exact identity"

    def rows(self) -> tuple[Property, ...]:
        """The lines in the order of the table; of a constant that was not reached, what was known of it before."""
        lines = dict(self.lines)
        for key in EXTREMES:
            if (known := self.bounds.get(key) or self.before(key)) is not None:
                lines[key] = bound_row(key, known, self.norm)
            elif key not in lines:
                lines[key] = missing_row(key, self.norm, NOT_REACHED)
        return in_order(lines.values())


def intersection(key: str, now: Bound, before: Bound) -> Bound:
    """What both enclosures of the same constant say; a witness of the side it belongs to stays with it."""
    lower = _better(max, now.lower, before.lower)
    upper = _better(min, now.upper, before.upper)
    if lower is not None and upper is not None and lower > upper:
        raise InputError(
            f"the earlier report's {key} contradicts what is found now: {before.lower!r} to {before.upper!r} and "
            f"{now.lower!r} to {now.upper!r} have nothing in common. Leave resume out to begin anew."
        )
    is_attained = "upper" if key in ("mu1", "norm_lower", "lambda1") else "lower"
    kept = now if getattr(now, is_attained) in (lower, upper) else before
    seconds = now.seconds + before.seconds
    return replace(now, lower=lower, upper=upper, witness=kept.witness or now.witness, seconds=seconds)


def _finite(side: float) -> float | None:
    """A side that is infinite is not known."""
    return side if math.isfinite(side) else None


def _better(choose: Callable[[float, float], float], a: float | None, b: float | None) -> float | None:
    """One of two bounds of the same side; the other where one is not known."""
    return choose(a, b) if a is not None and b is not None else a if b is None else b


LARGEST_BOX_FILE = 2_000_000_000
"""Bytes."""


def boxes_file(report: str) -> Path:
    """Where the boxes of a report are: report.json has report.boxes.npz."""
    return Path(report).with_suffix(".boxes.npz")


def packed(left: Mapping[str, OpenBoxes]) -> bytes:
    """Boxes by key as the bytes of an .npz file."""
    stream = io.BytesIO()
    arrays = {f"{key}/{name}": np.asarray(part) for key, open_ones in left.items() for name, part in _parts(open_ones)}
    np.savez_compressed(stream, **arrays)  # type: ignore[arg-type]
    return stream.getvalue()


def fingerprint(content: bytes) -> str:
    """What a report says of its boxes, so that those of another run are not taken for them."""
    return hashlib.sha256(content).hexdigest()


def unpacked(report: str, expected: str, joints: int) -> dict[str, OpenBoxes]:
    """The boxes that belong to a report; none where their file is not there or was not written with it."""
    path = boxes_file(report)
    try:
        if path.stat().st_size > LARGEST_BOX_FILE:
            return {}
        content = path.read_bytes()
        if fingerprint(content) != expected:
            return {}
        with np.load(io.BytesIO(content), allow_pickle=False) as found:
            keys = {name.partition("/")[0] for name in found.files}
            boxes = {key: OpenBoxes(*(found[f"{key}/{name}"] for name in OpenBoxes._fields)) for key in keys}
    except (OSError, ValueError, KeyError, zipfile.BadZipFile):
        return {}
    return {key: each._replace(done=float(each.done), looked_at=int(each.looked_at)) for key, each in boxes.items()
            if each.middles.ndim == 2 and each.middles.shape[1] == joints}  # fmt: skip


def _parts(open_ones: OpenBoxes) -> list[tuple[str, object]]:
    return list(zip(OpenBoxes._fields, open_ones, strict=True))


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
