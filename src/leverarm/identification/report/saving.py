"""Writing a result: everything as JSON (long signals thinned), a report to read, the arm as TOML and URDF."""

from __future__ import annotations

import json
import platform
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from leverarm._version import __version__
from leverarm.arrays import Array
from leverarm.atomic_write import atomic_write_all
from leverarm.errors import FormatError, LeverarmError
from leverarm.formats.native import toml_from_arm
from leverarm.formats.urdf.writer import urdf_from_arm
from leverarm.identification.report.formatting import plain
from leverarm.identification.report.page import to_html
from leverarm.identification.result import Identified, JointFriction

if TYPE_CHECKING:
    from leverarm.identification.prediction import Validation

FORMAT = "leverarm identification 1"
MOST_ROWS = 400
"""Samples of a signal over time; the log itself has them all."""
SIGNAL_DIGITS = 6
ERRORS = (
    "name", "relative_error", "filtered_error", "all_rows_error", "noise_error", "per_joint", "per_joint_filtered",
    "cad_error", "cad_per_joint", "floor",
)  # fmt: skip
"""Fields of a `Validation` that are written as they are."""


def to_json(result: Identified) -> str:
    """The text of a .json file."""
    return json.dumps(to_plain(result), ensure_ascii=False, allow_nan=False, separators=(",", ":")) + "\n"


def to_plain(result: Identified) -> dict[str, Any]:
    """The result as plain data; what is unknown or not finite is null."""
    given = result.given
    return {
        "format": FORMAT,
        "versions": {"leverarm": __version__, "numpy": np.__version__, "python": platform.python_version()},
        "arm": {"name": given.name, "title": given.title, "joints": list(given.coordinates)},
        "accepted": bool(result.accepted),
        "verdict": result.verdict,
        "condition": plain(result.condition),
        "rank": int(result.rank),
        "noise": plain(result.noise),
        "parameters": [plain(asdict(each)) for each in result.parameters],
        "covariance": [_signal(row) for row in result.covariance],
        "frictions": [_friction(each) for each in result.frictions],
        "findings": [asdict(each) for each in result.findings],
        "cross_validation": _validation(result.cross_validation, given.coordinates),
        "validations": [_validation(each, given.coordinates) for each in result.validations],
        "settings": plain(result.settings),
        "seconds": plain(result.seconds),
    }


def _friction(friction: JointFriction) -> dict[str, Any]:
    curve = dict(zip(("speed", "friction", "standard_error"), map(_signal, friction.curve), strict=True))
    return plain(asdict(friction) | {"curve": curve})  # type: ignore[no-any-return]


def _validation(validation: Validation, joints: tuple[str, ...]) -> dict[str, Any]:
    every = max(1, -(-len(validation.t) // MOST_ROWS))
    signals = {
        name: {joint: _signal(values[::every, k]) for k, joint in enumerate(joints)} if len(validation.t) else {}
        for name, values in (
            ("measured", validation.measured),
            ("predicted", validation.predicted),
            ("filtered", validation.filtered),
            ("predicted_filtered", validation.predicted_filtered),
        )
    }
    return {
        **{name: plain(getattr(validation, name)) for name in ERRORS},
        "samples": len(validation.t),
        "rests": {joint: int(validation.rests[:, k].sum()) for k, joint in enumerate(joints)},
        "signals": {"every": every, "t": _signal(validation.t[::every]), **signals},
    }


def _signal(values: Array) -> list[float | None]:
    return [plain(float(f"{x:.{SIGNAL_DIGITS}g}")) for x in np.asarray(values, dtype=np.float64).tolist()]


def save_result(result: Identified, folder: Path) -> Path:
    """Writes report.html, result.json, arm.toml and, where a URDF can hold the arm, arm.urdf: all of them or none."""
    if folder.exists() and not folder.is_dir():
        raise FormatError(f"{folder}: is a file; a result is written into a folder. Give another name.")
    files = {"report.html": to_html(result), "result.json": to_json(result), "arm.toml": toml_from_arm(result.arm)}
    try:
        files["arm.urdf"] = urdf_from_arm(result.arm)
    except LeverarmError:
        # A URDF has no helical joints and none coupled to several others; arm.toml has all of it.
        (folder / "arm.urdf").unlink(missing_ok=True)
    atomic_write_all(files, folder)
    return folder
