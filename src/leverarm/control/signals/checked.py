"""Checks of the numbers given for a signal; messages name the row and the time of a bad entry."""

from __future__ import annotations

import math
import reprlib
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from leverarm.arrays import Array
from leverarm.errors import InputError


def seconds(t: float) -> str:
    """A time as a message shows it."""
    return f"{t:.12g} s"


def check_window(t0: float, t1: float, farthest: float = math.inf) -> None:
    if not -farthest <= t0 <= t1 <= farthest:
        raise InputError(
            f"a window from t = {seconds(t0)} to t = {seconds(t1)}: it takes two times, the earlier one first."
        )


def number_array(what: str, given: ArrayLike, takes: str) -> Array:
    """The numbers given, as an array of floats that owns its memory."""
    try:
        raw = np.asarray(given)
        if raw.dtype.kind not in "biufO":
            raise TypeError
        return np.array(raw, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"{what}: {reprlib.repr(given)} is no array of numbers. It takes {takes}.") from None


def vector(what: str, given: ArrayLike) -> Array:
    """One finite number per coordinate, (..., n)."""
    takes = "one finite number per coordinate"
    array = np.atleast_1d(number_array(what, given, takes))
    if not array.size:
        raise InputError(f"{what}: no number was given. It takes {takes}.")
    return finite(what, array)


def finite(what: str, array: Array) -> Array:
    """The array, if every number of it is finite."""
    bad = np.argwhere(~np.isfinite(array))
    if len(bad):
        index = tuple(int(i) for i in bad[0])
        place = f"[{', '.join(map(str, index))}]" if index else ""
        raise InputError(f"{what}{place} is {array[index]}. Every number must be finite.")
    return array


def number(what: str, given: Any) -> float:
    """One finite number."""
    array = number_array(what, given, "one finite number")
    if array.shape != () or isinstance(given, bool):
        found = "a truth value" if isinstance(given, bool) else f"an array of shape {array.shape}"
        raise InputError(f"{what}: {found} was given. It takes one finite number.")
    return float(finite(what, array))


def positive(what: str, given: Any, unit: str = "") -> float:
    """One finite number above zero."""
    value = number(what, given)
    if value <= 0:
        raise InputError(f"{what} = {f'{value:g} {unit}'.strip()}: it must be greater than zero.")
    return value


def whole(what: str, given: Any, takes: str = "a positive whole number") -> int:
    """A whole number above zero."""
    if isinstance(given, bool) or not isinstance(given, int | np.integer) or given < 1:
        raise InputError(f"{what} = {given!r}: it must be {takes}.")
    return int(given)


def increasing_times(what: str, given: ArrayLike) -> Array:
    """Two or more times [s], each later than the one before. Rows are counted from 0."""
    times = number_array(f"{what}: times", given, "two or more increasing times [s]")
    if times.ndim != 1 or len(times) < 2:
        raise InputError(
            f"{what}: times of shape {times.shape} were given. It takes two or more increasing times [s]; "
            "for one value at all times take constant(values)."
        )
    finite(f"{what}: times", times)
    steps = np.diff(times)
    if (steps > 0).all():
        return times
    row = int(np.argmax(steps <= 0)) + 1
    if steps[row - 1] == 0:
        raise InputError(
            f"{what}: rows {row - 1} and {row} are both at t = {seconds(times[row])}. Times must increase: keep one of "
            "the two rows, or move one of them slightly for a step."
        )
    raise InputError(
        f"{what}: row {row} is at t = {seconds(times[row])}, before row {row - 1} at t = {seconds(times[row - 1])}. "
        "Times must increase: sort the rows by time."
    )


def rows_in_time(what: str, given: ArrayLike, times: Array) -> Array:
    """One row of finite numbers per time, (..., K, n); a plain list of K numbers is one coordinate."""
    takes = f"one row per time: shape ({len(times)}, n), n coordinates"
    array = number_array(what, given, takes)
    if array.ndim == 1:
        array = array[:, None]
    if array.ndim < 2 or array.shape[-2] != len(times) or not array.size:
        raise InputError(
            f"{what}: {len(times)} times and an array of shape {np.shape(given)} were given. It takes {takes}."
        )
    bad = np.argwhere(~np.isfinite(array))
    if len(bad):
        *_, row, column = (int(i) for i in bad[0])
        missing = int(np.isnan(array).any(axis=(*range(array.ndim - 2), array.ndim - 1)).sum())
        raise InputError(
            f"{what}: row {row} at t = {seconds(times[row])} has {array[tuple(bad[0])]} for coordinate {column}"
            + (f" ({missing} rows have gaps)" if missing > 1 else "")
            + ". Every number must be finite: fill the gap, or leave the row out."
        )
    return array
