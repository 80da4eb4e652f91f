"""What two logs tell of a load: its mass, centre and inertia, how sure they are, and the arm that carries it.

Writing a load: its numbers as JSON, the arm that carries it as TOML and URDF.
"""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from leverarm._version import __version__
from leverarm.arrays import Array
from leverarm.atomic_write import atomic_write
from leverarm.errors import FormatError, LeverarmError, path_text
from leverarm.findings import Finding
from leverarm.formats import save
from leverarm.identification.prediction import Validation
from leverarm.identification.result import Estimates
from leverarm.model import Arm

if TYPE_CHECKING:
    from leverarm.identification.prediction import Validation
    from leverarm.identification.result import Identified


@dataclass(frozen=True, slots=True)
class PayloadEstimate:
    """A load at a frame of an arm: mass [kg], centre of mass (3,) [m] and tensor about it (3, 3) [kg m^2], in the
    frame's axes.

    They are of the likeliest body that can exist, ready for `la.payload(mass, com, inertia)`. `numbers` are the same
    ten ("mass", "com.x", "inertia.xx") by least squares, with standard errors, 95 % intervals and whether the torques
    tell them; `covariance` (10, 10) is of m, m c and the six moments about the frame's origin.

    `before` are the errors of the loaded arm's torques predicted without the load, `after` with it, every block of time
    by the others. `arm` carries the load as a body, `without` is what was identified of the arm alone, None where the
    arm was taken as described. `accepted` says whether the torques tell the mass, and nothing speaks against it.
    """

    frame: str
    mass: float
    com: Array
    inertia: Array
    numbers: Estimates
    covariance: Array
    before: Validation
    after: Validation
    findings: tuple[Finding, ...]
    accepted: bool
    arm: Arm
    without: Identified | None
    seconds: float

    def to_json(self) -> str:
        """Everything but signals, as JSON."""
        return payload_json(self)

    def save(self, path: str | Path) -> Path:
        """Writes payload.json, arm.toml and, where possible, arm.urdf into a folder; or one file by its ending.

        A .json file gets the numbers, a .toml or .urdf file the arm with its load. Returns the path.
        """

        return save_payload(self, Path(path_text(path, "payload.json")))


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
    atomic_write(payload_json(found), path)


def _errors(validation: Validation) -> dict[str, Any]:
    return {
        "log": validation.name,
        "relative_error": _finite(validation.relative_error),
        "filtered_error": _finite(validation.filtered_error),
        "per_joint": {joint: _finite(error) for joint, error in validation.per_joint.items()},
    }


def _finite(x: float) -> float | None:
    return float(x) if math.isfinite(x) else None
