"""Writing a load: its numbers as JSON, the arm that carries it as TOML and URDF."""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from leverarm._version import __version__
from leverarm.errors import FormatError, LeverarmError
from leverarm.formats import save
from leverarm.whole_file import write_whole

if TYPE_CHECKING:
    from leverarm.identification.loads.payload_result import PayloadEstimate
    from leverarm.identification.result import Validation

FORMAT = "leverarm payload 1"
ENDINGS = (".json", ".toml", ".urdf")


def save_payload(found: PayloadEstimate, path: Path) -> Path:
    """Writes a folder, or one file by its ending."""
    ending = path.suffix.lower()
    if ending in ENDINGS:
        _write(found, path)
        return path
    if ending and not path.is_dir():
        raise FormatError(
            f"{path.name!r} names no payload. Valid: {', '.join(ENDINGS)}, or a folder without an ending."
        )
    if path.exists() and not path.is_dir():
        raise FormatError(f"{path}: is a file; a payload is written into a folder. Give another name.")
    path.mkdir(parents=True, exist_ok=True)
    for name in ("payload.json", "arm.toml"):
        _write(found, path / name)
    try:
        save(found.arm, path / "arm.urdf")
    except LeverarmError:
        # A URDF cannot hold every arm; the TOML file does.
        (path / "arm.urdf").unlink(missing_ok=True)
    return path


def payload_json(found: PayloadEstimate) -> str:
    """The text of a .json file: everything but signals."""
    return json.dumps(payload_facts(found), ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def payload_facts(found: PayloadEstimate) -> dict[str, Any]:
    """The same as dictionaries, lists, texts and numbers; what is not finite is null."""
    return {
        "format": FORMAT,
        "version": __version__,
        "arm": found.arm.name,
        "frame": found.frame,
        "mass": found.mass,
        "com": found.com.tolist(),
        "inertia": found.inertia.tolist(),
        "accepted": found.accepted,
        "numbers": {
            entry.name: {
                "unit": entry.unit,
                "value": _finite(entry.value),
                "standard_error": _finite(entry.standard_error),
                "interval": [_finite(end) for end in entry.interval],
                "told": entry.told,
                "consistent": _finite(entry.consistent),
            }
            for entry in found.numbers
        },
        "covariance": found.covariance.tolist(),
        "before": _errors(found.before),
        "after": _errors(found.after),
        "findings": [asdict(finding) for finding in found.findings],
        "seconds": found.seconds,
    }


def _write(found: PayloadEstimate, path: Path) -> None:
    if path.suffix.lower() != ".json":
        save(found.arm, path)
        return
    write_whole(payload_json(found), path)


def _errors(validation: Validation) -> dict[str, Any]:
    return {
        "log": validation.name,
        "relative_error": _finite(validation.relative_error),
        "filtered_error": _finite(validation.filtered_error),
        "per_joint": {joint: _finite(error) for joint, error in validation.per_joint.items()},
    }


def _finite(x: float) -> float | None:
    return float(x) if math.isfinite(x) else None
