"""Makes a Python function of loaded native code: fills its tables and keeps alive what it needs."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Any

from leverarm.compiler.llvm import Loaded
from leverarm.compiler.program import Array
from leverarm.runtime.calls.object_headers import (
    BATCH_FUNCTION,
    BATCH_TABLE,
    CALL_FUNCTION,
    CALL_SLOTS,
    CALL_TABLE,
    obstacle,
    table_entries,
)


def python_callable(
    owner: object,
    loaded: Loaded,
    name: str,
    doc: str,
    fallback: Callable[..., Any],
    inputs: Sequence[Array],
    real: str,
    optional: Sequence[str] = (),
) -> Callable[..., Any]:
    """The loaded `@python_call` as a Python function; the fallback itself if `obstacle()` reports one.

    The function keeps the loaded code and the fallback alive. Its table is part of the loaded code, so there is one
    function per loaded module. Unpickled, it is the attribute of that name of the unpickled owner. `optional` names
    what its signature shows with a default: optional inputs, and keyword arguments of the fallback.
    """
    if obstacle() is not None:
        return fallback
    _fill(loaded.address(CALL_TABLE), (*table_entries(real), id(fallback), 0))
    text = f"{name}({_parameters([array.name for array in inputs], optional)})\n--\n\n{doc}"
    definition = _MethodDef(name.encode(), loaded.address(CALL_FUNCTION), _FASTCALL | _KEYWORDS, text.encode())
    signature = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.py_object, ctypes.py_object)
    new_function = signature(("PyCFunction_NewEx", ctypes.pythonapi))
    code = NativeCode(owner, loaded, definition, fallback)
    function: Callable[..., Any] = new_function(ctypes.addressof(definition), code, "leverarm")
    return function


def add_batch_call(
    function: Callable[..., Any], loaded: Loaded, real: str, most: int, long_batch: Callable[[int, int, Any], None]
) -> None:
    """Lets a function of `python_callable` use the loaded `@python_batch`.

    Batches of up to `most` states run with the GIL held and without checking for Ctrl-C, so they should be short.
    `long_batch(views, states, threads)` runs longer ones, given the address of the views and the argument `threads`
    (an int of at least 1, or None).
    """
    code = getattr(function, "__self__", None)
    if isinstance(code, NativeCode):
        _fill(loaded.address(BATCH_TABLE), (*table_entries(real), most, id(long_batch)))
        code.batch, code.long_batch = loaded, long_batch
        slot = code.loaded.address(CALL_TABLE) + 8 * CALL_SLOTS.index("batch_call")
        _fill(slot, (loaded.address(BATCH_FUNCTION),))


def _parameters(names: Sequence[str], optional: Sequence[str]) -> str:
    positional = [f"{name}=None" if name in optional else name for name in names]
    named = [f"{name}=None" for name in (*optional, "out", "threads") if name not in names]
    return ", ".join(["$self", *positional, "*", *named])


class NativeCode:
    """What a native function must keep alive; it is the function's `__self__`, a reference that CPython holds."""

    __slots__ = ("batch", "definition", "fallback", "loaded", "long_batch", "owner")

    def __init__(
        self, owner: object, loaded: Loaded, definition: ctypes.Structure, fallback: Callable[..., Any]
    ) -> None:
        self.owner = owner
        self.loaded = loaded
        self.definition = definition
        self.fallback = fallback
        self.batch: Loaded | None = None
        self.long_batch: Callable[[int, int, Any], None] | None = None

    def __reduce__(self) -> Any:
        """CPython pickles a native function as an attribute of its `__self__`."""
        return self.owner.__reduce__()


def _fill(address: int, entries: Sequence[int]) -> None:
    """Writes 64-bit integers to memory, starting at an address."""
    ctypes.memmove(address, (ctypes.c_int64 * len(entries))(*entries), 8 * len(entries))


_FASTCALL, _KEYWORDS = 0x80, 0x02


class _MethodDef(ctypes.Structure):
    """CPython's PyMethodDef."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )
