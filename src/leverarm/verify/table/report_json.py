"""The table as JSON: everything that is known, every number with all its digits."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from leverarm._version import __version__
from leverarm.formats.native import toml_from_arm
from leverarm.model import Arm
from leverarm.verify.table.property import Bound, Properties, Property, in_sections

if TYPE_CHECKING:
    from leverarm.verify.table.box import Box

FORMAT = "leverarm properties 1"


def to_json(properties: Properties, boxes: str = "") -> str:
    """The text of a .json file; `boxes` is the fingerprint of those beside it."""
    plain = to_plain(properties) | ({"boxes": boxes} if boxes else {})
    return json.dumps(plain, ensure_ascii=False, allow_nan=False, indent=2) + "\n"


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
    return {
        "key": row.key,
        "name": row.name,
        "statement": row.statement,
        "latex": row.latex,
        "how": row.how,
        "value": row.value,
        "latex_value": row.latex_value,
        "bound": None if row.bound is None else _plain_bound(row.bound),
        "detail": list(row.detail),
        "witness": _plain_witness(row.witness),
        "seconds": row.seconds,
    }


def _plain_bound(bound: Bound) -> dict[str, Any]:
    return {
        "lower": _finite(bound.lower),
        "upper": _finite(bound.upper),
        "gap": _finite(bound.gap),
        "how": bound.how,
        "unit": bound.unit,
        "witness": _plain_witness(bound.witness),
        "seconds": bound.seconds,
        "note": bound.note,
        "part": None if bound.part is None else [list(ends) for ends in bound.part],
    }


def _plain_witness(witness: Mapping[str, tuple[float, ...]] | None) -> dict[str, list[float]] | None:
    return None if witness is None else {name: [float(x) for x in values] for name, values in witness.items()}


def _finite(x: float | None) -> float | None:
    """JSON has no infinity: a side that is not known is null."""
    return None if x is None or not math.isfinite(x) else float(x)
