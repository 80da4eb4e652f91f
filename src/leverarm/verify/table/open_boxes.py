"""The boxes that are left to look at, in a file beside a .json report: with them a later run goes on."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from leverarm.verify.enclosures.enclosure import OpenBoxes

LARGEST_FILE = 2_000_000_000
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
        if path.stat().st_size > LARGEST_FILE:
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
