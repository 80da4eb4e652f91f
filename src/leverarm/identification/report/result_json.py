"""The result as JSON: everything that is known, every number with its digits, long signals thinned.

The report's files: a page to read and JSON of everything.
"""

from __future__ import annotations

import json
import math
import os
import platform
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from leverarm._version import __version__
from leverarm.arrays import Array
from leverarm.atomic_write import write_together
from leverarm.identification.report.page import to_html

if TYPE_CHECKING:
    from leverarm.identification.prediction import Validation
    from leverarm.identification.result import Estimate, Identified, JointFriction


FORMAT = "leverarm identification 1"
MOST_ROWS = 400
"""Of a signal over time; the log itself has them all."""
SIGNAL_DIGITS = 6


def to_json(result: Identified) -> str:
    """The text of a .json file."""
    return json.dumps(to_plain(result), ensure_ascii=False, allow_nan=False, separators=(",", ":")) + "\n"


def to_plain(result: Identified) -> dict[str, Any]:
    """The result as dictionaries, lists, texts and numbers; what is not known or not finite is null."""
    given = result.given
    return {
        "format": FORMAT,
        "versions": {"leverarm": __version__, "numpy": np.__version__, "python": platform.python_version()},
        "arm": {"name": given.name, "title": given.title, "joints": list(given.coordinates)},
        "accepted": bool(result.accepted),
        "verdict": result.verdict,
        "condition": _finite(result.condition),
        "rank": int(result.rank),
        "noise": _numbers(result.noise),
        "parameters": [_estimate(each) for each in result.parameters],
        "covariance": [_signal(row) for row in result.covariance],
        "frictions": [_friction(each) for each in result.frictions],
        "findings": [
            {"level": each.level, "where": each.where, "message": each.message, "remedy": each.remedy}
            for each in result.findings
        ],
        "cross_validation": _validation(result.cross_validation, given.coordinates),
        "validations": [_validation(each, given.coordinates) for each in result.validations],
        "settings": {name: _setting(value) for name, value in result.settings.items()},
        "seconds": _finite(result.seconds),
    }


def _estimate(estimate: Estimate) -> dict[str, Any]:
    return {
        "name": estimate.name,
        "unit": estimate.unit,
        "value": _finite(estimate.value),
        "standard_error": _finite(estimate.standard_error),
        "interval": [_finite(end) for end in estimate.interval],
        "percent": _finite(estimate.percent),
        "told": bool(estimate.told),
        "combination": [[float(factor), name] for factor, name in estimate.combination],
        "cad": _finite(estimate.cad),
        "consistent": _finite(estimate.consistent),
    }


def _friction(friction: JointFriction) -> dict[str, Any]:
    speeds, measured, errors = friction.curve
    return {
        "joint": friction.joint,
        "model": friction.model,
        "viscous": _finite(friction.viscous),
        "coulomb": _finite(friction.coulomb),
        "viscous_negative": _finite(friction.viscous_negative),
        "coulomb_negative": _finite(friction.coulomb_negative),
        "smoothing": _finite(friction.smoothing),
        "offset": _finite(friction.offset),
        "curve": {"speed": _signal(speeds), "friction": _signal(measured), "standard_error": _signal(errors)},
    }


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
        "name": validation.name,
        "relative_error": _finite(validation.relative_error),
        "filtered_error": _finite(validation.filtered_error),
        "all_rows_error": _finite(validation.all_rows_error),
        "noise_error": _finite(validation.noise_error),
        "per_joint": _numbers(validation.per_joint),
        "per_joint_filtered": _numbers(validation.per_joint_filtered),
        "cad_error": _finite(validation.cad_error),
        "cad_per_joint": None if validation.cad_per_joint is None else _numbers(validation.cad_per_joint),
        "floor": _finite(validation.floor),
        "samples": len(validation.t),
        "rests": {joint: int(validation.rests[:, k].sum()) for k, joint in enumerate(joints)},
        "signals": {"every": every, "t": _signal(validation.t[::every]), **signals},
    }


def _numbers(values: Mapping[str, float]) -> dict[str, float | None]:
    return {name: _finite(value) for name, value in values.items()}


def _signal(values: Array) -> list[float | None]:
    return [_finite(float(f"{x:.{SIGNAL_DIGITS}g}")) for x in np.asarray(values, dtype=np.float64).tolist()]


def _setting(value: object) -> object:
    """A text or a number; JSON has no infinity."""
    if isinstance(value, str | bool | int) or value is None:
        return value
    return _finite(value) if isinstance(value, float) else str(value)


def _finite(x: float | None) -> float | None:
    return None if x is None or not math.isfinite(x) else float(x)


def write_report(result: Identified, folder: str | os.PathLike[str]) -> tuple[Path, ...]:
    """Writes report.html and result.json into a folder, which is made if it is not there: both or none.

    Raises FormatError where the folder cannot be written to.
    """
    return write_together({"report.html": to_html(result), "result.json": to_json(result)}, folder)
