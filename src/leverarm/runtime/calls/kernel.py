"""A compiled program as the rest of this room sees it: what it takes and gives, and its machine code as functions."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from leverarm.compiler.llvm import Loaded
from leverarm.compiler.program import Array
from leverarm.errors import InputError
from leverarm.runtime.calls.threads import Pace

DTYPE: dict[str, np.dtype[Any]] = {"double": np.dtype(np.float64), "float": np.dtype(np.float32)}


def real_of(dtype: DTypeLike) -> str:
    """The C name of a precision that a user gives as NumPy does."""
    try:
        wanted = None if dtype is None else np.dtype(dtype)  # NumPy takes None for float64
    except TypeError:
        wanted = None
    for real, known in DTYPE.items():
        if wanted is not None and wanted == known:
            return real
    raise InputError(f"dtype: {dtype!r} was given; compiled functions compute in float64 or float32.")


@dataclass(frozen=True, slots=True)
class Kernel:
    """`single(in0, ..., out0, ...)` takes addresses of numbers in one piece. `batch()` loads or compiles on first use
    and gives `run(views, begin, end)`, where `views` is the address of {data, state stride, entry stride} (bytes) for
    each input and output. Both leave Python's lock to others while they run.
    """

    name: str
    inputs: tuple[Array, ...]
    outputs: tuple[Array, ...]
    real: str
    lanes: int
    single: Callable[..., None]
    batch: Callable[[], Callable[[int, int, int], None]]
    pace: Pace = field(default_factory=Pace, compare=False)

    @property
    def dtype(self) -> np.dtype[Any]:
        return DTYPE[self.real]


def single_function(loaded: Loaded, name: str, arrays: int) -> Callable[..., None]:
    """The loaded kernel of one state, as a function of so many addresses."""
    call = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * arrays)(loaded.address(name))

    def single(*addresses: int, kept: Loaded = loaded) -> None:
        call(*addresses)

    return single


def batch_function(loaded: Loaded, name: str) -> Callable[[int, int, int], None]:
    """The loaded loop over states, as a function of the address of the views and a range of states."""
    call = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)(loaded.address(name))

    def run(views: int, begin: int, end: int, kept: Loaded = loaded) -> None:
        call(views, begin, end)

    return run
