"""A compiled program as the rest of this room sees it: what it takes and gives, and its machine code as functions."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from leverarm.compiler.program import Array
from leverarm.runtime.threads import Pace

DTYPE: dict[str, np.dtype[Any]] = {"double": np.dtype(np.float64), "float": np.dtype(np.float32)}


class Loaded(Protocol):
    """Machine code in memory, for as long as this object lives."""

    def address(self, name: str) -> int: ...


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
