"""A native function that Python calls directly: it checks the arrays' headers, makes the results and runs the kernel.

Its fast path is one state: each argument a contiguous ndarray of the kernel's type and shape (a scalar argument may
also be a float), and `out=` if the result is one array. Everything else is passed on unchanged to a Python function.
The code holds no addresses of the process, so that it can be cached: it reads them from a table that is filled after
loading.
"""

from __future__ import annotations

from collections.abc import Sequence

from leverarm.compiler.program import Array
from leverarm.runtime.calls.block_writer import BlockWriter
from leverarm.runtime.calls.kernel import DTYPE
from leverarm.runtime.calls.object_headers import (
    ALIGNED,
    ARRAY_DATA,
    ARRAY_DESCR,
    ARRAY_FLAGS,
    ARRAY_NDIM,
    ARRAY_SHAPE,
    C_CONTIGUOUS,
    CALL_FUNCTION,
    CALL_SLOTS,
    CALL_TABLE,
    TYPE_NUMBER,
    WRITEABLE,
)


def python_call_ir(inputs: Sequence[Array], outputs: Sequence[Array], real: str, kernel_name: str) -> str:
    """LLVM IR of `@python_call`, for the module that holds the single-state kernel it calls."""
    w = BlockWriter(CALL_TABLE, CALL_SLOTS, "refused")
    w.lines.append(f"@{CALL_TABLE} = global [{len(CALL_SLOTS)} x ptr] zeroinitializer")
    for k, array in enumerate(outputs):
        if array.shape:
            lengths = ", ".join(f"i64 {length}" for length in array.shape)
            w.lines.append(f"@{_shape(k)} = private constant [{len(array.shape)} x i64] [{lengths}]")
    w.lines += ["", f"define ptr @{CALL_FUNCTION}(ptr %self, ptr %args, i64 %nargs, ptr %names) {{"]
    w.block("entry")
    for k, array in enumerate(inputs):
        if not array.shape and real == "float":
            w.emit(f"%number{k} = alloca float")
    for k, array in enumerate(outputs):
        if not array.shape:
            w.emit(f"%scalar{k} = alloca {real}")
    w.require(w.is_equal("i64", "%nargs", len(inputs)))
    data = [_argument(w, k, array, real) for k, array in enumerate(inputs)]
    unnamed = w.is_equal("ptr", "%names", "null")
    if len(outputs) == 1 and outputs[0].shape:
        w.branch(unnamed, "fresh", "named")
        w.block("named")
        _write_out(w, inputs, outputs[0], real, kernel_name, data)
        w.block("fresh")
    else:
        w.require(unnamed)
    _write_results(w, outputs, real, kernel_name, data)
    w.block("refused")
    batch_call, fallback, vectorcall = (w.slot(name) for name in ("batch_call", "fallback", "vectorcall"))
    w.branch(w.is_equal("ptr", batch_call, "null"), "general", "batch")
    w.block("batch")
    w.emit(f"%batch_answer = tail call ptr {batch_call}(ptr {fallback}, ptr %args, i64 %nargs, ptr %names)")
    w.emit("ret ptr %batch_answer")
    w.block("general")
    w.emit(f"%answer = tail call ptr {vectorcall}(ptr {fallback}, ptr %args, i64 %nargs, ptr %names)")
    w.emit("ret ptr %answer")
    return "\n".join([*w.lines, "}", ""])


def _argument(w: BlockWriter, k: int, array: Array, real: str) -> str:
    """The address of an argument's data."""
    thing = w.load("ptr", "%args", 8 * k)
    if array.shape:
        return _require_array(w, thing, array, C_CONTIGUOUS | ALIGNED)
    data, one_of = w.float_or(thing, k, real, lambda: _require_array(w, thing, array, ALIGNED))
    return one_of("ptr", None, data)


def _require_array(w: BlockWriter, thing: str, array: Array, flags: int) -> str:
    """The data address of an ndarray (no subclass) with the kernel's dtype, this shape and these flags."""
    w.require(w.is_of(thing, "array_type"))
    w.require(w.is_equal("i32", w.load("i32", thing, ARRAY_NDIM), len(array.shape)))
    fits = w.is_equal("ptr", w.load("ptr", thing, ARRAY_DESCR), w.slot("descr"))
    found = w.value(f"and i32 {w.load('i32', thing, ARRAY_FLAGS)}, {flags}")
    fits = w.both(fits, w.is_equal("i32", found, flags))
    if array.shape:
        shape = w.load("ptr", thing, ARRAY_SHAPE)
        for axis, length in enumerate(array.shape):
            fits = w.both(fits, w.is_equal("i64", w.load("i64", shape, 8 * axis), length))
    w.require(fits)
    return w.load("ptr", thing, ARRAY_DATA)


def _write_out(
    w: BlockWriter, inputs: Sequence[Array], output: Array, real: str, kernel_name: str, data: list[str]
) -> None:
    """`out=` as the only keyword: a matching array that shares no memory with an argument."""
    w.require_only_out()
    out = w.load("ptr", "%args", 8 * len(inputs))
    start = _require_array(w, out, output, C_CONTIGUOUS | ALIGNED | WRITEABLE)
    itemsize = DTYPE[real].itemsize
    end = w.address(start, itemsize * output.size)
    for array, begin in zip(inputs, data, strict=True):
        is_after = w.value(f"icmp uge ptr {begin}, {end}")
        is_before = w.value(f"icmp uge ptr {start}, {w.address(begin, itemsize * array.size)}")
        w.require(w.either(is_after, is_before))
    _run(w, kernel_name, [*data, start])
    w.emit(f"call void {w.slot('incref')}(ptr {out})")
    w.emit(f"ret ptr {out}")


def _write_results(w: BlockWriter, outputs: Sequence[Array], real: str, kernel_name: str, data: list[str]) -> None:
    """New arrays for the results: a NumPy scalar for a 0-d result, a tuple of several."""
    made, places = [""] * len(outputs), [f"%scalar{k}" for k in range(len(outputs))]
    for k, array in enumerate(outputs):
        if array.shape:
            kind = f"ptr {w.slot('array_type')}, i32 {len(array.shape)}, ptr @{_shape(k)}, i32 {TYPE_NUMBER[real]}"
            made[k] = w.make("new_array", f"{kind}, ptr null, ptr null, i32 0, i32 0, ptr null")
            places[k] = w.load("ptr", made[k], ARRAY_DATA)
    _run(w, kernel_name, [*data, *places])
    for k, array in enumerate(outputs):
        if not array.shape:
            made[k] = w.make("new_scalar", f"ptr {places[k]}, ptr {w.slot('descr')}, ptr null")
    w.answer(made)


def _run(w: BlockWriter, kernel_name: str, places: Sequence[str]) -> None:
    w.emit(f"call void @{kernel_name}({', '.join(f'ptr {place}' for place in places)})")


def _shape(k: int) -> str:
    return f"{CALL_FUNCTION}_shape{k}"
