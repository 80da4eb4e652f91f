"""Real robots' logs, read where they lie beside the project; tests that need them skip where they are not."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import leverarm as la
from tests.support.paths import DATA


def file(name: str) -> Path:
    path = DATA / name
    if not path.exists():
        pytest.skip(f"the real log {name} is not beside the project")
    return path


def part(log: la.types.Log, start: float, stop: float) -> la.types.Log:
    """The samples of a log in one piece between two shares of its length."""
    (piece,) = log.pieces
    at = slice(int(start * len(piece)), int(stop * len(piece)))
    cut = {
        name: None if getattr(piece, name) is None else getattr(piece, name)[at]
        for name in ("t", "q", "qd", "qdd", "tau", "rows")
    }
    return replace(log, pieces=(replace(piece, **cut),))


def ur10() -> tuple[la.Arm, la.types.Log]:
    arm = la.load(file("ur10_unisa/ur10_example-robot-data.urdf"))
    return arm, la.read_log(file("ur10_unisa/ur10_exciting_trajectory.csv.gz"), arm)


def panda() -> tuple[la.Arm, la.types.Log]:
    arm = la.load("panda")
    return arm, la.read_log(file("panda_unisa/panda_exciting_trajectory.csv.gz"), arm)


TX40_RATIO = np.diag([32.0, 32.0, 45.0, -48.0, 45.0, 32.0])
TX40_RATIO[5, 4] = 32.0


def tx40() -> tuple[la.Arm, tuple[Path, Path], dict[str, Any]]:
    """The arm, the two files of positions and torques, and how to read them (the data's README)."""
    arm = la.load(file("tx40_figaroh/tx40_mdh_modified.urdf"))
    files = (file("tx40_figaroh/pos_read_data.csv.gz"), file("tx40_figaroh/curr_data.csv.gz"))
    zero = [0, -np.pi / 2, np.pi / 2, 0, 0, 0]
    return arm, files, {"rate": 5000.0, "ratio": TX40_RATIO, "zero": zero, "units": {"tau": "N m"}}


def kr300() -> tuple[la.Arm, dict[str, Path], dict[str, Any]]:
    """The arm from its table of DH parameters, the files A, B, C, and how to read them."""
    with file("kr300_weigand/kr300_dh.csv").open() as text:
        given = list(csv.DictReader(line for line in text if not line.startswith("#")))
    rows = [
        {
            "theta": float(row["offset_deg"]),
            "d": float(row["d_m"]),
            "a": float(row["a_m"]),
            "alpha": float(row["alpha_deg"]),
            "mass": float(row["mass_kg"]),
            "com": [float(row[f"com_{axis}_m"]) for axis in "xyz"],
        }
        for row in given
    ]
    arm = la.from_dh(rows, angles="deg", name="kr300", base={"xyz": [0, 0, 0], "rpy": ["180 deg", 0, 0]})
    gears = [quotient(row["gear_ratio"]) for row in given]
    return arm, {x: file(f"kr300_weigand/traj_{x}.csv.gz") for x in "ABC"}, {"ratio": gears, "motor_side": ("tau",)}


def quotient(text: str) -> float:
    top, _, bottom = text.partition("/")
    return float(top) / float(bottom or 1)
