"""Results as plain data for JSON files, long signals thinned; what is unknown or not finite is null."""

from __future__ import annotations

import platform
from dataclasses import asdict
from typing import Any

import numpy as np

from leverarm._version import __version__
from leverarm.arrays import Array
from leverarm.identification.prediction import Validation
from leverarm.identification.report.numbers import plain
from leverarm.identification.result import Identified, JointFriction

FORMAT = "leverarm identification 1"
MOST_ROWS = 400
"""Samples of a signal over time; the log itself has them all."""
SIGNAL_DIGITS = 6
ERRORS = (
    "name", "relative_error", "filtered_error", "all_rows_error", "noise_error", "per_joint", "per_joint_filtered",
    "cad_error", "cad_per_joint", "floor",
)  # fmt: skip
"""Fields of a `Validation` that are written as they are."""


def identified_data(result: Identified) -> dict[str, Any]:
    """Everything about an identified arm."""
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
        name: {joint: _signal(getattr(validation, name)[::every, k]) for k, joint in enumerate(joints)}
        if len(validation.t)
        else {}
        for name in ("measured", "predicted", "filtered", "predicted_filtered")
    }
    return {
        **{name: plain(getattr(validation, name)) for name in ERRORS},
        "samples": len(validation.t),
        "rests": {joint: int(validation.rests[:, k].sum()) for k, joint in enumerate(joints)},
        "signals": {"every": every, "t": _signal(validation.t[::every]), **signals},
    }


def _signal(values: Array) -> list[float | None]:
    return [plain(float(f"{x:.{SIGNAL_DIGITS}g}")) for x in np.asarray(values, dtype=np.float64).tolist()]
