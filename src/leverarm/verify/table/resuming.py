"""The table while it is worked out, its JSON report, and how a later run resumes from that.

Lines are added and bounds only ever get narrower. The JSON holds every number with all its digits; the boxes that are
left to look at go into a file beside it. Only a report of the same arm, box and version is resumed.
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
from typing import Any

import numpy as np

from leverarm._version import __version__
from leverarm.atomic_write import atomic_write
from leverarm.documents.saving import RENDERERS, file_ending
from leverarm.documents.saving import save as save_document
from leverarm.errors import FormatError, InputError, path_text
from leverarm.formats.native import toml_from_arm
from leverarm.model import Arm
from leverarm.verify.enclosures.enclosing import Enclosure, OpenBoxes
from leverarm.verify.enclosures.extremes import EXTREMES
from leverarm.verify.table.bound_rows import bound_row, missing_row, statement_of, torques_of_position, unit_of
from leverarm.verify.table.box import Box
from leverarm.verify.table.property import Bound, Properties, Property, in_order, in_sections, plain

FORMAT = "leverarm properties 1"


def save(properties: Properties, path: str | os.PathLike[str]) -> None:
    """Writes the table in the form of the name's ending; beside a .json file the boxes that are left, for `resume`."""
    document = properties.document
    if file_ending(path, (*RENDERERS, ".json")) == ".json" and properties.left:
        boxes = packed(properties.left)
        atomic_write(boxes, boxes_file(os.fspath(path)))
        document = replace(document, data={**properties.facts(), "boxes": fingerprint(boxes)})
    save_document(document, path)


def to_plain(properties: Properties) -> dict[str, Any]:
    """The table as dictionaries, lists, texts and numbers."""
    arm, box = properties.arm, properties.box
    return {
        "format": FORMAT,
        "version": __version__,
        "arm": {"name": arm.name, "title": arm.title, "digest": digest(arm)},
        "box": plain_box(box),
        "notes": list(box.notes),
        "finished": properties.finished,
        "rows": [{"section": title, **_plain_row(row)} for title, rows in in_sections(properties.rows) for row in rows],
    }


def plain_box(box: Box) -> dict[str, list[float] | None]:
    """The range of each coordinate by name; null where it has none."""
    ranges = zip(box.arm.coordinates, box.lower, box.upper, strict=True)
    return {name: None if name in box.missing else [float(low), float(high)] for name, low, high in ranges}


def digest(arm: Arm) -> str:
    """Sixteen digits that are the same for the same arm: its kinematics, masses, friction and values."""
    return hashlib.sha256(toml_from_arm(arm).encode()).hexdigest()[:16]


def _plain_row(row: Property) -> dict[str, Any]:
    texts = {name: getattr(row, name) for name in ("key", "name", "statement", "latex", "how", "value", "latex_value")}
    bound = None if row.bound is None else _plain_bound(row.bound)
    more = {"detail": list(row.detail), "witness": _plain_witness(row.witness), "seconds": row.seconds}
    return {**texts, "bound": bound, **more}


def _plain_bound(bound: Bound) -> dict[str, Any]:
    return {
        **{side: _finite(getattr(bound, side)) for side in ("lower", "upper", "gap")},
        **{name: getattr(bound, name) for name in ("how", "unit", "seconds", "note")},
        "witness": _plain_witness(bound.witness),
        "part": None if bound.part is None else [list(ends) for ends in bound.part],
    }


def _plain_witness(witness: Mapping[str, tuple[float, ...]] | None) -> dict[str, list[float]] | None:
    return None if witness is None else {name: [float(x) for x in values] for name, values in witness.items()}


def _finite(x: float | None) -> float | None:
    """JSON has no infinity: a side that is not known is null."""
    return None if x is None or not math.isfinite(x) else float(x)


Progress = Callable[[str, Bound | None], None]
"""Called with what is being worked on: the name of a line, or the key of a constant and its enclosure so far."""
NOT_REACHED = "not reached: interrupted"


@dataclass(slots=True)
class Draft:
    """The table while it is worked out. `previous` are the statements and bounds of the report that is resumed."""

    box: Box
    norm: str
    progress: Progress
    previous: Mapping[str, tuple[str, Bound]] = field(default_factory=dict)
    lines: dict[str, Property] = field(default_factory=dict)
    bounds: dict[str, Bound] = field(default_factory=dict)
    left: dict[str, OpenBoxes] = field(default_factory=dict)

    def add(self, line: Property) -> None:
        """A line that is complete."""
        self.lines[line.key] = line

    def narrow(self, key: str, found: Enclosure) -> None:
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
        self.progress(key, bound)

    def before(self, key: str) -> Bound | None:
        """The bound of a constant in the report that is resumed, where it is in the same norm."""
        statement, before = self.previous.get(key, ("", None))
        return before if statement == plain(statement_of(key, self.norm)) else None

    def _is_never_negative(self, key: str) -> bool:
        """Lengths and norms are not; eigenvalues of M are not where it is proven to be definite."""
        if EXTREMES[key].is_length:
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
        lines["g_b"] = replace(lines["g_b"], title=(f"Bound of the {torques_of_position(self.box.arm)}",))
        return in_order(lines.values())


def intersection(key: str, now: Bound, before: Bound) -> Bound:
    """What both enclosures of the same constant say; a witness of the side it belongs to stays with it."""
    lower = _better(max, now.lower, before.lower)
    upper = _better(min, now.upper, before.upper)
    if lower is not None and upper is not None and lower > upper:
        raise InputError(
            f"the {key} of the report to resume contradicts what is found now: {before.lower!r} to {before.upper!r} "
            f"and {now.lower!r} to {now.upper!r} have nothing in common. Leave resume out to start afresh."
        )
    is_attained = "upper" if EXTREMES[key].is_least else "lower"
    kept = now if getattr(now, is_attained) in (lower, upper) else before
    seconds = now.seconds + before.seconds
    return replace(now, lower=lower, upper=upper, witness=kept.witness or now.witness, seconds=seconds)


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


def previous_bounds(path: str | os.PathLike[str], box: Box) -> dict[str, tuple[str, Bound]]:
    """What a .json report says of the same arm over the same box: by key the statement and its certified enclosure.

    Raises FormatError where it is no report, InputError where it is one of another arm, box or version.
    """
    given, arm = path_text(path, "report.json"), box.arm
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


def previous_boxes(path: str | os.PathLike[str], box: Box) -> dict[str, OpenBoxes]:
    """The boxes that the report's run had left, where they are beside it."""
    given = path_text(path, "report.json")
    match _read(given):
        case {"boxes": str(expected)}:
            return unpacked(given, expected, box.arm.dof)
    return {}


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
    match found:
        case {"format": stated} if stated == FORMAT:
            return dict(found)
    raise _no_report(given)


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
    return f"{given} {why}; its bounds cannot be reused. Leave resume out to start afresh."


def _no_report(given: str) -> FormatError:
    return FormatError("is not a report of properties. Give a .json file that leverarm properties wrote.", given)
