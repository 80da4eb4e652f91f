"""Converts a user's arguments to arrays that a kernel can read, with error messages for those it cannot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from reprlib import Repr
from typing import Any

import numpy as np
from numpy.typing import NDArray

from leverarm.compiler.program import Array, Program
from leverarm.errors import InputError, unknown_name
from leverarm.runtime.calls.kernel import Kernel

_SHORT = Repr()
_SHORT.maxlist = _SHORT.maxtuple = 4
_SHORT.maxother = 60


def in_order(kernel: Kernel, given: Sequence[Any], named: Mapping[str, Any]) -> list[Any]:
    """Positional and keyword arguments in the kernel's order."""
    names = [array.name for array in kernel.inputs]
    for name in named:
        if name not in names:
            raise InputError(f"{kernel.name}: " + unknown_name("argument", name, [*names, "out", "threads"]))
    rest = names[len(given) :]
    if len(given) > len(names) or any(name not in named for name in rest) or len(given) + len(named) != len(names):
        twice = [name for name in names[: len(given)] if name in named]
        found = f"{twice[0]} given twice" if twice else f"{len(given) + len(named)} arguments given"
        raise InputError(f"{kernel.name}: {found}; it takes {len(names)} ({', '.join(names)}).")
    return [*given, *(named[name] for name in rest)]


def as_array(kernel: Kernel, array: Array, given: Any) -> NDArray[Any]:
    """An aligned array (..., *array.shape) of the kernel's dtype; not copied if it already is one."""
    if type(given) is np.ndarray and given.dtype is kernel.dtype and given.flags.aligned:
        result = given
    else:
        result = _converted(kernel, array, given)
    core = len(array.shape)
    if result.ndim < core or result.shape[result.ndim - core :] != array.shape:
        found = f"{result.size} numbers" if result.ndim == 1 == core else f"an array of shape {result.shape}"
        raise InputError(f"{_what(kernel, array)}: {found} given; it takes {_wanted(array)}.")
    return result


def leading_shape(called: Kernel | Program, arrays: Sequence[NDArray[Any]]) -> tuple[int, ...]:
    """The batch shape: the arrays' leading axes, broadcast as in NumPy."""
    leading = [x.shape[: x.ndim - len(array.shape)] for x, array in zip(arrays, called.inputs, strict=True)]
    shapes = {shape for shape in leading if shape}
    if not shapes:
        return ()
    if len(shapes) == 1:
        return shapes.pop()
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        listed = ", ".join(f"{array.name} {shape}" for array, shape in zip(called.inputs, leading, strict=True))
        raise InputError(
            f"{called.name}: the leading axes of the arguments do not broadcast: {listed}. Give each the same leading "
            "axes, or 1 in place of a length, or none."
        ) from None


def checked_outs(kernel: Kernel, out: Any, leading: tuple[int, ...]) -> list[NDArray[Any]]:
    """The user's `out` arrays, checked."""
    outs = [out] if len(kernel.outputs) == 1 and not isinstance(out, tuple) else out
    if not isinstance(outs, (tuple, list)) or len(outs) != len(kernel.outputs):
        names = ", ".join(array.name for array in kernel.outputs)
        wanted = f"an array ({names})" if len(kernel.outputs) == 1 else f"a tuple of {len(kernel.outputs)} ({names})"
        raise InputError(f"{kernel.name}: out is {_SHORT.repr(out)}; it must be {wanted}, or omitted.")
    for array, one in zip(kernel.outputs, outs, strict=True):
        shape = leading + array.shape
        if not isinstance(one, np.ndarray):
            found = _SHORT.repr(one)
        elif one.shape != shape or one.dtype != kernel.dtype:
            found = f"a {one.dtype} array of shape {one.shape}"
        elif not one.flags.writeable:
            found = "read-only"
        else:
            continue
        wanted = f"a writable {kernel.dtype} array of shape {shape}"
        raise InputError(f"{kernel.name}: out for {array.name} is {found}; it must be {wanted}.")
    return list(outs)


def _converted(kernel: Kernel, array: Array, given: Any) -> NDArray[Any]:
    if isinstance(given, np.ma.MaskedArray):
        raise InputError(
            f"{_what(kernel, array)}: a masked array was given; masked entries have no value. Fill or drop those "
            "states first, as with .filled() or .compressed()."
        )
    try:
        raw = np.asarray(given)
    except (TypeError, ValueError, RuntimeError) as problem:
        raise InputError(
            f"{_what(kernel, array)}: {_SHORT.repr(given)} is not an array of numbers ({problem}). "
            f"Give {_wanted(array)}."
        ) from None
    if raw.dtype.kind not in "biuf":
        found = f"an array of {raw.dtype}" if isinstance(given, np.ndarray) else _SHORT.repr(given)
        raise InputError(f"{_what(kernel, array)}: {found} is not an array of real numbers. Give {_wanted(array)}.")
    if raw.dtype == kernel.dtype and raw.flags.aligned:
        return raw
    with np.errstate(over="ignore"):  # float32 overflow gives infinity, as in IEEE 754
        return raw.astype(kernel.dtype)


def _what(kernel: Kernel, array: Array) -> str:
    return f"{array.name} of {kernel.name}"


def _wanted(array: Array) -> str:
    """An argument's required shape and entry labels, for error messages."""
    shape = ", ".join(["...", *map(str, array.shape)])
    labels = f": {', '.join(array.labels)}" if array.labels else ""
    if not array.shape:
        return f"a number, or an array of shape (...){labels}"
    if len(array.shape) == 1:
        return f"{array.size} numbers, or an array of shape ({shape}){labels}"
    return f"an array of shape ({shape}){labels}"
