"""Logs of motor currents: read as measured, and as torques once there are gains."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from leverarm.arrays import Array
from leverarm.errors import InputError
from leverarm.lint.finding import Finding
from leverarm.logs import read_log
from leverarm.logs.log import Log
from leverarm.logs.motor_side import MOTIONS, drives_of
from leverarm.model import Arm


@dataclass(frozen=True, slots=True)
class Currents:
    """Logs whose `tau` are currents [A] of the motors, and R (n, n): joint torques = R^T (gains currents)."""

    logs: tuple[Log, ...]
    ratios: Array

    @property
    def motor_rows(self) -> Array:
        """R^-T (n, n): torques of the motors from those of the joints."""
        return np.asarray(np.linalg.inv(self.ratios).T)

    def as_torques(self, gains: Array) -> list[Log]:
        """The same logs with joint torques [N m or N]."""
        return [
            replace(log, pieces=tuple(replace(piece, tau=(piece.tau * gains) @ self.ratios) for piece in log.pieces))
            for log in self.logs
        ]

    @property
    def findings(self) -> list[Finding]:
        """What was found on reading; that currents have no gains is known."""
        return [f for log in self.logs for f in log.findings if f.where != "torques"]


def read_currents(sources: Any, arm: Arm, reading: Mapping[str, Any]) -> Currents:
    """Reads one log or a list of them, motions at the joints and currents as they are."""
    if reading.get("gains") is not None:
        raise InputError("gains were given, and gains are what is asked for. Leave them out: tau are the currents [A].")
    motor_side = reading.get("motor_side", (*MOTIONS, "tau"))
    drives = drives_of(arm.dof, reading.get("ratio"), motor_side, None, None)
    said = {**reading, "motor_side": tuple(role for role in motor_side if role != "tau")}
    logs = tuple(read_log(source, arm, **said) for source in (sources if isinstance(sources, list) else [sources]))
    if not logs:
        raise InputError("no log was given. Give at least one file or mapping of arrays.")
    return Currents(logs, drives.ratios if "tau" in drives.motor_side else np.eye(arm.dof))
