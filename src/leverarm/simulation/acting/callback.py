"""Torques from a Python function, which compiled loops call back before each evaluation of the accelerations.

No exception can pass through compiled code: what the function raises is stored, the loop continues with NaN torques,
and the error is raised when the loop returns (`guarded`).
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np

from leverarm.arrays import Array
from leverarm.errors import SimulationError
from leverarm.quantities.arrays import floats

TorqueFunction = Callable[[float, Array, Array], Any]
"""tau(t, q, qd): one number per coordinate."""

_SIGNATURE = ctypes.CFUNCTYPE(None, ctypes.c_double, *[ctypes.c_void_p] * 3)
"""t, and where q, qd and the torques lie."""


class Coordinates(Protocol):
    """Whose coordinates they are, as torques are called by: an arm."""

    @property
    def dof(self) -> int: ...

    @property
    def joint_names(self) -> Sequence[str]: ...


class PythonCallback:
    """A torque function as a source of data: compiled code calls `address`, which writes where that code reads."""

    begins: Array = np.zeros(1)

    def __init__(self, function: TorqueFunction, arm: Coordinates) -> None:
        self.function, self.rows = function, np.zeros((1, arm.dof))
        self._arm = arm
        self._native = _SIGNATURE(self._answer)
        self._error: BaseException | None = None

    def window(self, t0: float, t1: float, environments: int | None = None) -> PythonCallback:
        return self

    @property
    def address(self) -> int:
        return ctypes.cast(self._native, ctypes.c_void_p).value or 0

    def _answer(self, t: float, q: int, qd: int, tau: int) -> None:
        torques: Any = np.nan
        try:
            if self._error is None:
                n = self._arm.dof
                torques = self.given(t, _memory(q, n).copy(), _memory(qd, n).copy())
        except BaseException as problem:  # an interrupt, too
            self._error = problem
        _memory(tau, self.rows.shape[1])[:] = torques

    def given(self, t: float, q: Array, qd: Array) -> Array:
        """What the function gives at a state, checked."""
        return checked_torque(self.function, self._arm, t, q, qd)

    def run(self, native: Callable[..., Any], *arguments: Any) -> Any:
        """Runs compiled code that calls back, and re-raises what the callback raised."""
        earlier = sys.unraisablehook

        def hook(problem: Any) -> None:
            """Ctrl-C between compiled code and `_answer`, where Python can only report it."""
            if isinstance(problem.exc_value, KeyboardInterrupt):
                self._error = problem.exc_value
            else:
                earlier(problem)

        sys.unraisablehook = hook
        try:
            result = native(*arguments)
        finally:
            sys.unraisablehook = earlier
        if self._error is not None:
            error, self._error = self._error, None
            raise error
        return result


def _memory(address: int, size: int) -> Array:
    memory: Any = (ctypes.c_double * size).from_address(address)
    return np.frombuffer(memory)


def guarded(native: Callable[..., Any], sources: Sequence[Any]) -> Callable[..., Any]:
    """Compiled code that re-raises errors of the torque function among the sources; unchanged if there is none."""
    callback = callback_among(sources)
    return native if callback is None else lambda *arguments: callback.run(native, *arguments)


def callback_among(sources: Sequence[Any]) -> PythonCallback | None:
    """The torque function among some sources of data."""
    return next((source for source in sources if isinstance(source, PythonCallback)), None)


def checked_torque(function: TorqueFunction, arm: Coordinates, t: float, q: Array, qd: Array) -> Array:
    """The function's result as one finite number per coordinate; a SimulationError names the time and the joint."""
    try:
        given = function(t, q, qd)
    except Exception as problem:
        raise SimulationError(
            f"at t = {t:.9g} s the torque function raised {type(problem).__name__}: {problem}. It is called as "
            "torque(t, q, qd).",
            t=t,
        ) from problem
    needed = f"it must give {arm.dof} numbers ({', '.join(arm.joint_names)})."
    try:
        tau = floats(given)
    except (TypeError, ValueError, OverflowError):
        raise SimulationError(f"at t = {t:.9g} s the torque function gave {given!r}; {needed}", t=t) from None
    if tau.shape != (arm.dof,):
        what = f"an array of shape {tau.shape}"
        raise SimulationError(f"at t = {t:.9g} s the torque function gave {what}; {needed}", t=t)
    if not np.isfinite(tau).all():
        k = int(np.flatnonzero(~np.isfinite(tau))[0])
        joint = arm.joint_names[k]
        raise SimulationError(
            f"at t = {t:.9g} s the torque function gave {tau[k]} for {joint}; every torque must be finite. Check for a "
            "division by zero or a missing value in it.",
            t=t,
            joint=joint,
        )
    return tau
