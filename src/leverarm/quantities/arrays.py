"""From what a user passes to what the mechanics take, and back: checked once, here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from leverarm.arrays import Array
from leverarm.errors import InputError, NotFiniteError, require_known
from leverarm.mechanics import ROWS
from leverarm.model import Arm, Attachment, Mechanism, bind
from leverarm.spatial import IDENTITY, Force, Pose, Vec3


@lru_cache(maxsize=256)
def over_floats(arm: Arm) -> Mechanism:
    """The arm over floats, bound once."""
    return bind(arm)


def coordinates(arm: Arm, what: str, given: ArrayLike) -> list[float]:
    """One finite number per coordinate, as Python floats."""
    return numbers(f"{what} of arm {arm.name!r}", given, arm.joint_names)


def floats(given: Any) -> Array:
    """What is given as floats of any shape; TypeError, ValueError or OverflowError where it is anything but numbers."""
    raw = np.asarray(given)
    if raw.dtype.kind not in "biufO":  # text and complex numbers would be taken for floats
        raise TypeError
    return raw.astype(np.float64)


def numbers(what: str, given: ArrayLike, names: Sequence[str]) -> list[float]:
    """As many finite numbers as there are names."""
    try:
        array = floats(given)
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"{what}: {given!r} is not a list of numbers. Give {_listed(names)}.") from None
    if array.shape != (len(names),):
        found = f"{array.size} numbers" if array.ndim == 1 else f"an array of shape {array.shape}"
        raise InputError(f"{what}: {found} given; it takes {_listed(names)}.")
    if not np.isfinite(array).all():
        bad = [f"{name} = {value}" for name, value in zip(names, array, strict=True) if not np.isfinite(value)]
        raise InputError(f"{what}: {', '.join(bad)}; every number must be finite.")
    return [float(value) for value in array]


def _listed(names: Sequence[str]) -> str:
    return f"{len(names)} ({', '.join(names)})"


def frame_name(arm: Arm, frame: str | None) -> str:
    """The frame asked for, or the tool."""
    if frame is None:
        return arm.tool
    require_known("frame", frame, arm.frames, f"arm {arm.name!r}")
    return frame


def attachment(arm: Arm, frame: str | None, point: ArrayLike | None) -> Attachment:
    """A point of a frame (its origin unless given, in the frame's own coordinates), as the mechanics take it."""
    at = over_floats(arm).attachments[frame_name(arm, frame)]
    if point is None:
        return at
    offset = numbers("point", point, ("x", "y", "z"))
    return Attachment(at.link, at.pose * Pose(IDENTITY, Vec3(*offset)))


def wrenches(arm: Arm, given: Mapping[str, ArrayLike] | None) -> dict[str, Force]:
    """Wrenches by frame: six numbers, moment then force, in world axes at the frame's origin."""
    if given is not None and not isinstance(given, Mapping):
        raise InputError(f"wrenches: {given!r} was given; it must map frames to six numbers, moment and force.")
    forces = {}
    for frame, wrench in (given or {}).items():
        require_known("frame", frame, arm.frames, f"wrenches of arm {arm.name!r}")
        six = numbers(f"the wrench on {frame!r}", wrench, ("mx", "my", "mz", "fx", "fy", "fz"))
        forces[frame] = Force(Vec3(*six[:3]), Vec3(*six[3:]))
    return forces


def rows(axes: Sequence[str]) -> list[int]:
    """Rows of a Jacobian by name."""
    if isinstance(axes, str):
        axes = [axes] if axes in ROWS else list(axes)
    if not isinstance(axes, Sequence):
        raise InputError(f"axes: {axes!r} was given; it must be a list of names among {', '.join(ROWS)}.")
    for axis in axes:
        require_known("axis", axis, ROWS, "axes")
    if not axes or len(set(axes)) != len(axes):
        raise InputError(f"axes = {list(axes)!r}: name one or more different axes of {', '.join(ROWS)}.")
    return [ROWS.index(axis) for axis in axes]


def array(nested: Any) -> Array:
    """An ndarray of floats that owns its memory; structural zeros become 0.0. NaN and infinity are never an answer."""
    result = np.array(nested, dtype=np.float64)
    if not np.isfinite(result).all():
        raise NotFiniteError(
            "the result leaves the range of floats (1e308). Give a smaller position, velocity, acceleration, force or "
            "parameter of the arm."
        )
    return result


def number(scalar: Any) -> float:
    """One finite float."""
    return float(array(scalar))


def matrix4(pose: Pose) -> Array:
    """A pose as a 4 x 4 matrix."""
    result = np.eye(4)
    result[:3, :3] = array(pose.rotation.rows())
    result[:3, 3] = array(list(pose.position))
    return result
