"""The columns of a trajectory's table: their names and units, and the conversion between records and columns.

The tool's position [m] and unit quaternion (real part first) are added for other programs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from leverarm.arrays import Array
from leverarm.errors import FormatError, unknown_name
from leverarm.model import Arm
from leverarm.model.units import Units
from leverarm.simulation.trajectories.records import Records
from leverarm.simulation.trajectories.trajectory import tool_poses

ROWS_AT_ONCE = 2048
"""As many as the cache holds."""
TIP = {"tip.x": "m", "tip.y": "m", "tip.z": "m", "tip.qw": "1", "tip.qx": "1", "tip.qy": "1", "tip.qz": "1"}


def tip_columns(arm: Arm, q: Array) -> dict[str, Array]:
    """The columns tip.x ... tip.qz of the tool in the world, (N,) each."""
    seven = np.empty((len(TIP), len(q)))
    for start in range(0, len(q), ROWS_AT_ONCE):
        rows = slice(start, start + ROWS_AT_ONCE)
        poses = tool_poses(arm, q[rows])
        seven[:3, rows] = poses[:, :3, 3].T
        seven[3:, rows] = quaternions(poses[:, :3, :3]).T
    return dict(zip(TIP, seven, strict=True))


def quaternions(rotations: NDArray[np.float64]) -> Array:
    """(w, x, y, z) of each rotation matrix (N, 3, 3), with w >= 0.

    The four products 4 q_k q come from the matrix without cancellation; the one with the largest q_k is normalised
    (Shepperd 1978, Quaternion from rotation matrix, J. Guidance and Control 1(3)).
    """
    (a, b, c), (d, e, f), (g, h, i) = np.ascontiguousarray(np.moveaxis(rotations, 0, -1))
    products = np.array(
        [
            [1 + a + e + i, h - f, c - g, d - b],
            [h - f, 1 + a - e - i, b + d, c + g],
            [c - g, b + d, 1 - a + e - i, f + h],
            [d - b, c + g, f + h, 1 - a - e + i],
        ]
    )
    largest = np.argmax(products[range(4), range(4)], axis=0)
    picked = products[largest, :, np.arange(len(largest))]
    picked = picked / np.linalg.norm(picked, axis=1, keepdims=True)
    return np.asarray(np.where(picked[:, :1] < 0, -picked, picked))


PER_JOINT = {"q": ("rad", "m"), "qd": ("rad/s", "m/s"), "qdd": ("rad/s^2", "m/s^2"), "tau": ("N m", "N")}
"""Arrays with a column for each joint, and the units of joints that turn and of joints that slide."""
WORK = "W."
"""What the names of the accounts of work begin with in a file."""

Columns = Mapping[str, NDArray[Any]]


class Fault(NamedTuple):
    """What is wrong with a row, counted from 0."""

    row: int
    message: str


def units_of(arm: Arm, accounts: Iterable[str]) -> dict[str, str]:
    """The unit of each column, in the order of the columns of a file."""
    turning = Units.of(arm).is_angle
    units = {"t": "s"}
    for name, (angular, linear) in PER_JOINT.items():
        for joint, turns in zip(arm.joint_names, turning, strict=True):
            units[f"{name}.{joint}"] = angular if turns else linear
    units |= {"K": "J", "P": "J"} | {f"{WORK}{account}": "J" for account in accounts}
    return units | {f"held.{joint}": "" for joint in arm.joint_names} | TIP


def columns_of(records: Records, arm: Arm) -> dict[str, NDArray[Any]]:
    """The records as columns (N,), and the tool's position and quaternion for programs that know no arms."""
    columns: dict[str, NDArray[Any]] = {"t": records.t}
    for name in PER_JOINT:
        columns |= _per_joint(name, getattr(records, name), arm)
    columns |= {"K": records.kinetic, "P": records.potential}
    columns |= {f"{WORK}{account}": work for account, work in records.works.items()}
    return columns | _per_joint("held", records.held, arm) | tip_columns(arm, records.q)


def _per_joint(name: str, array: NDArray[Any], arm: Arm) -> dict[str, NDArray[Any]]:
    return {f"{name}.{joint}": array[:, k] for k, joint in enumerate(arm.joint_names)}


def used_names(names: list[str], arm: Arm, is_foreign: bool, file: str, line: int | None = None) -> list[str]:
    """The columns that are read; FormatError unless they are those of a trajectory of this arm.

    A foreign file may have more columns than that, and may lack those that the arm gives.
    """
    accounts = [name.removeprefix(WORK) for name in names if name.startswith(WORK)]
    valid = list(units_of(arm, accounts))
    given = {f"held.{joint}" for joint in arm.joint_names} | {"K", "P"} if is_foreign else set()
    if missing := [name for name in valid if name not in {*names, *TIP, *given}]:
        raise FormatError(
            f"has no column {missing[0]!r}{_and_more(missing)}. A trajectory of arm {arm.name!r} has the columns "
            f"{', '.join(valid[: 4 * arm.dof + 1])}, K, P.",
            file,
            line,
        )
    for name in names:
        if names.count(name) > 1:
            raise FormatError(f"has {names.count(name)} columns named {name!r}; keep one of them.", file, line)
        if name not in valid and not is_foreign:
            raise FormatError(unknown_name("column", name, valid), file, line)
    return [name for name in names if name in valid]


def _and_more(missing: list[str]) -> str:
    return f" and {len(missing) - 1} more ({', '.join(missing[1:5])}{', ...' * (len(missing) > 5)})" * (
        len(missing) > 1
    )


def first_fault(columns: Columns) -> Fault | None:
    """The first row that no trajectory has: a number that is not finite, or a time before that of the row above."""
    found = []
    for name, values in columns.items():
        if values.dtype.kind == "f" and not np.isfinite(values).all():
            row = int(np.argmin(np.isfinite(values)))
            found.append(Fault(row, f"{name} is {values[row]}; every number must be finite."))
    t = columns["t"]
    if not found and (t[1:] < t[:-1]).any():
        row = int(np.argmax(t[1:] < t[:-1])) + 1
        found.append(Fault(row, f"t = {t[row]!s} after t = {t[row - 1]!s}; the rows must be sorted by time."))
    return min(found, default=None)


def records_from(columns: Columns, arm: Arm) -> Records:
    """The records that the columns of a faultless table hold; energies that a foreign file lacks come from the arm."""
    arrays: dict[str, Any] = {name: _stacked(columns, name, arm) for name in PER_JOINT}
    rows = columns["t"].shape
    if f"held.{arm.joint_names[0]}" in columns:
        held = _stacked(columns, "held", arm) != 0
    else:
        held = np.zeros((*rows, arm.dof), dtype=np.bool_)
    works = {name.removeprefix(WORK): _floats(values) for name, values in columns.items() if name.startswith(WORK)}
    if "K" in columns and "P" in columns:
        energies = _floats(columns["K"]), _floats(columns["P"])
    else:
        energies = _energies(arm, arrays["q"], arrays["qd"])
    return Records(
        t=_floats(columns["t"]), **arrays, kinetic=energies[0], potential=energies[1], works=works, held=held
    )


def _energies(arm: Arm, q: NDArray[Any], qd: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    from leverarm.runtime.compiled import compile

    fast = compile(arm, ["kinetic_energy", "potential_energy"])
    return np.asarray(fast.kinetic_energy(q, qd)), np.asarray(fast.potential_energy(q))


def _stacked(columns: Columns, name: str, arm: Arm) -> NDArray[Any]:
    return np.stack([_floats(columns[f"{name}.{joint}"]) for joint in arm.joint_names], axis=1)


def _floats(values: NDArray[Any]) -> NDArray[Any]:
    return np.ascontiguousarray(values, dtype=np.float64)
