"""CPython and NumPy internals used by native calls: offsets in object headers, and C API functions.

The offsets are those of `PyObject`, `PyTupleObject`, `PyFloatObject` (CPython, Include/) and `PyArrayObject_fields`
(NumPy, ndarraytypes.h), the same in NumPy 1.26 and 2 on 64-bit machines. `obstacle()` reads real objects at them before
anything relies on it.
"""

from __future__ import annotations

import ctypes
import importlib
import sys
from functools import lru_cache
from typing import Any

import numpy as np

from leverarm.runtime.calls.kernel import DTYPE

HEADER = 16
TYPE = 8
SIZE = 16
FLOAT_VALUE = 16
ARRAY_DATA = 16
ARRAY_NDIM = 24
ARRAY_SHAPE = 32
ARRAY_STRIDES = 40
ARRAY_DESCR = 56
ARRAY_FLAGS = 64

C_CONTIGUOUS = 0x001
F_CONTIGUOUS = 0x002
ALIGNED = 0x100
WRITEABLE = 0x400

TYPE_NUMBER = {"double": 12, "float": 11}

# Positions in NumPy's table of C functions, fixed by its ABI (numpy/__multiarray_api.h).
_ARRAY_TYPE, _SCALAR, _NEW = 2, 60, 93
_TUPLE_ITEMS = tuple.__basicsize__  # 24, and 32 from CPython 3.14 on, where a tuple keeps its hash
OUT, THREADS = sys.intern("out"), sys.intern("threads")

TABLE = (
    "array_type",
    "descr",
    "float_type",
    "double_type",
    "int_type",
    "tuple_type",
    "none",
    "out_name",
    "threads_name",
    "tuple_items",
    "new_array",
    "new_scalar",
    "new_tuple",
    "new_int",
    "int_value",
    "incref",
    "decref",
    "vectorcall",
    "save_thread",
    "restore_thread",
)


@lru_cache(maxsize=1)
def obstacle() -> str | None:
    """Why native calls cannot be used in this process, or None if they can."""
    if sys.implementation.name != "cpython":
        return f"this Python is {sys.implementation.name}, not CPython"
    if ctypes.sizeof(ctypes.c_void_p) != 8:
        return "this Python is not a 64-bit program"
    if object.__basicsize__ != HEADER:
        return "this Python is built without the global interpreter lock or for debugging: its objects have more fields"
    try:
        _addresses()
    except (AttributeError, ImportError, ValueError) as problem:
        return f"the C interface of Python or NumPy {np.__version__} is not supported ({problem})"
    if not _headers_are_known():
        return f"objects of Python {sys.version.split()[0]} or NumPy {np.__version__} have an unknown memory layout"
    return None


def table_entries(real: str) -> tuple[int, ...]:
    """Values of the `TABLE` entries in this process: addresses (`tuple_items` is an offset), for this real type."""
    known = {
        **_addresses(),
        "array_type": id(np.ndarray),
        "descr": id(DTYPE[real]),
        "float_type": id(float),
        "double_type": id(np.float64),
        "int_type": id(int),
        "tuple_type": id(tuple),
        "none": id(None),
        "out_name": id(OUT),
        "threads_name": id(THREADS),
        "tuple_items": _TUPLE_ITEMS,
    }
    return tuple(known[name] for name in TABLE)


def data_address(array: Any) -> int:
    """Address of an ndarray's data, read from its header: five times as fast as `array.ctypes.data`."""
    if obstacle() is None:
        return ctypes.c_int64.from_address(id(array) + ARRAY_DATA).value
    address: int = array.ctypes.data
    return address


@lru_cache(maxsize=1)
def _addresses() -> dict[str, int]:
    python = ctypes.pythonapi
    room = "numpy._core" if int(np.__version__.split(".")[0]) >= 2 else "numpy.core"
    capsule = importlib.import_module(f"{room}._multiarray_umath")._ARRAY_API
    pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(("PyCapsule_GetPointer", python))
    numpy_table = (ctypes.c_void_p * (_NEW + 1)).from_address(pointer(capsule, None))
    if numpy_table[_ARRAY_TYPE] != id(np.ndarray):
        raise ValueError("PyArray_Type is elsewhere")

    def address(function: Any) -> int:
        return ctypes.cast(function, ctypes.c_void_p).value or 0

    return {
        "new_array": numpy_table[_NEW] or 0,
        "new_scalar": numpy_table[_SCALAR] or 0,
        "new_tuple": address(python.PyTuple_New),
        "new_int": address(python.PyLong_FromLongLong),
        "int_value": address(python.PyLong_AsLongLongAndOverflow),
        "incref": address(python.Py_IncRef),
        "decref": address(python.Py_DecRef),
        "vectorcall": address(python.PyObject_Vectorcall),
        "save_thread": address(python.PyEval_SaveThread),
        "restore_thread": address(python.PyEval_RestoreThread),
    }


def _headers_are_known() -> bool:
    probes = [np.arange(6.0).reshape(2, 3), np.arange(6.0, dtype=np.float32).reshape(3, 2)[::-1], np.array(2.5)]
    probes[0].setflags(write=False)
    first, second = object(), object()
    pair = (first, second)
    return (
        all(_is_known_array(probe) for probe in probes)
        and _word(pair, SIZE) == 2
        and [_word(pair, _TUPLE_ITEMS + 8 * k) for k in range(2)] == [id(first), id(second)]
        and all(ctypes.c_double.from_address(id(x) + FLOAT_VALUE).value == 2.5 for x in (2.5, np.float64(2.5)))
    )


def _is_known_array(array: Any) -> bool:
    ndim, shape = array.ndim, _word(array, ARRAY_SHAPE)
    flags = ctypes.c_int32.from_address(id(array) + ARRAY_FLAGS).value
    return (
        _word(array, TYPE) == id(np.ndarray)
        and _word(array, ARRAY_DATA) == array.ctypes.data
        and ctypes.c_int32.from_address(id(array) + ARRAY_NDIM).value == ndim
        and _word(array, ARRAY_DESCR) == id(array.dtype)
        and bool(flags & C_CONTIGUOUS) == array.flags.c_contiguous
        and bool(flags & F_CONTIGUOUS) == array.flags.f_contiguous
        and bool(flags & ALIGNED) == array.flags.aligned
        and bool(flags & WRITEABLE) == array.flags.writeable
        # NumPy stores strides right after the shape; if they are there, the address may be read.
        and (ndim == 0 or _word(array, ARRAY_STRIDES) == shape + 8 * ndim)
        and (ndim == 0 or tuple((ctypes.c_int64 * (2 * ndim)).from_address(shape)) == (*array.shape, *array.strides))
    )


def _word(thing: object, offset: int) -> int:
    return ctypes.c_int64.from_address(id(thing) + offset).value


CALL_FUNCTION, BATCH_FUNCTION = "python_call", "python_batch"
CALL_TABLE, BATCH_TABLE = "python_call_table", "python_batch_table"
"""Addresses filled in after loading, so that the code itself contains none."""
CALL_SLOTS = (*TABLE, "fallback", "batch_call")
BATCH_SLOTS = (*TABLE, "most_states", "long_batch")
