"""What a run was, in one line."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from leverarm.trajectories.trajectory import Trajectory


def heading(trajectory: Trajectory) -> str:
    """Arm, duration, method and step, such as "panda: falls 5 s, implicit midpoint, 1 ms"."""
    about, t = trajectory.about, trajectory.t
    is_falling = not trajectory.tau.any() and any(trajectory.arm.gravity)
    parts = [f"{trajectory.arm.name}: {'falls' if is_falling else 'moves'} {duration(float(t[-1] - t[0]))}"]
    if isinstance(about.get("method"), str):
        parts.append(about["method"].replace("_", " "))
    if isinstance(about.get("step"), float | int):
        parts.append(duration(float(about["step"])))
    elif isinstance(about.get("rtol"), float | int):
        parts.append(f"rtol {about['rtol']:g}")
    return ", ".join(parts)


def duration(seconds: float) -> str:
    """A time in the unit in which it is a small number."""
    if seconds == 0 or not math.isfinite(seconds) or seconds >= 0.1:
        return f"{seconds:.4g} s"
    return f"{seconds * 1e3:.4g} ms" if seconds >= 1e-4 else f"{seconds * 1e6:.4g} µs"
