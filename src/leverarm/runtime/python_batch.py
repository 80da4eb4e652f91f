"""The native call for batches: `@python_batch` takes arrays with one leading axis, of any strides, as they lie.

`@python_call` hands it what is not one state. It takes arguments of shape (B, n) or (n,), or a float for a scalar one,
builds the views and the results on its own and runs the loop over states; whatever else goes to the fallback. Results
lie in memory as `layout.py` says.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from leverarm.compiler.program import Array
from leverarm.runtime.block_writer import BlockWriter
from leverarm.runtime.kernel import DTYPE
from leverarm.runtime.object_headers import (
    ALIGNED,
    ARRAY_DATA,
    ARRAY_DESCR,
    ARRAY_FLAGS,
    ARRAY_NDIM,
    ARRAY_SHAPE,
    ARRAY_STRIDES,
    C_CONTIGUOUS,
    F_CONTIGUOUS,
    FLOAT_VALUE,
    TABLE,
    TYPE_NUMBER,
    WRITEABLE,
)

BATCH_FUNCTION = "python_batch"
BATCH_TABLE = "python_batch_table"
_SLOTS = (*TABLE, "most_states")
_NONE = "python_batch_none"


@dataclass(frozen=True, slots=True)
class _View:
    """Names of IR values: where an argument's numbers are, how far apart, and whether it has a leading axis."""

    data: str
    state_stride: str | int
    entry_stride: str | int
    is_batched: str
    length: str


def python_batch_ir(inputs: Sequence[Array], outputs: Sequence[Array], real: str, batch_name: str) -> str:
    """LLVM IR of `@python_batch`, to stand in one module with the loop over states that it calls."""
    w = BlockWriter(BATCH_TABLE, _SLOTS, "refused")
    w.lines.append(f"@{BATCH_TABLE} = global [{len(_SLOTS)} x ptr] zeroinitializer")
    w.lines.append(f"@{_NONE} = private constant [2 x i64] zeroinitializer")
    w.lines += ["", f"define ptr @{BATCH_FUNCTION}(ptr %fallback, ptr %args, i64 %nargs, ptr %names) {{"]
    w.block("entry")
    w.emit(f"%views = alloca [{3 * (len(inputs) + len(outputs))} x i64]")
    for k, array in enumerate(inputs):
        if not array.shape and real == "float":
            w.emit(f"%number{k} = alloca float")
    for k, array in enumerate(outputs):
        w.emit(f"%shape{k} = alloca [{1 + len(array.shape)} x i64]")
        w.emit(f"%strides{k} = alloca [{1 + len(array.shape)} x i64]")
    w.require(w.is_equal("i64", "%nargs", len(inputs)))
    views = [_argument(w, k, array, real) for k, array in enumerate(inputs)]
    states = _common_length(w, views)
    is_many = w.value(f"icmp sge i64 {states}, 2")
    w.require(w.both(is_many, w.value(f"icmp sle i64 {states}, {w.number('most_states')}")))
    for k, view in enumerate(views):
        _write_view(w, k, view.data, view.state_stride, view.entry_stride)
    unnamed = w.is_equal("ptr", "%names", "null")
    if len(outputs) == 1:
        w.branch(unnamed, "fresh", "named")
        w.block("named")
        _write_out(w, inputs, outputs[0], real, batch_name, views, states)
        w.block("fresh")
    else:
        w.require(unnamed)
    is_together = _has_states_together(w, inputs, views)
    made = [_result(w, k, array, real, states, is_together, len(inputs)) for k, array in enumerate(outputs)]
    w.emit(f"call void @{batch_name}(ptr %views, i64 0, i64 {states})")
    w.answer(made)
    w.block("refused")
    w.emit(f"%answer = tail call ptr {w.slot('vectorcall')}(ptr %fallback, ptr %args, i64 %nargs, ptr %names)")
    w.emit("ret ptr %answer")
    return "\n".join([*w.lines, "}", ""])


def _argument(w: BlockWriter, k: int, array: Array, real: str) -> _View:
    thing = w.load("ptr", "%args", 8 * k)
    if array.shape:
        return _array(w, thing, array, real)
    number, other, checked, ready = (w.label(word) for word in ("number", "other", "checked", "ready"))
    w.branch(w.either(w.is_of(thing, "float_type"), w.is_of(thing, "double_type")), number, other)
    w.block(number)
    inside = w.address(thing, FLOAT_VALUE)
    if real == "float":
        narrow = w.value(f"fptrunc double {w.value(f'load double, ptr {inside}')} to float")
        inside = f"%number{k}"
        w.emit(f"store float {narrow}, ptr {inside}")
    w.emit(f"br label %{ready}")
    w.block(other)
    view = _array(w, thing, array, real)
    w.emit(f"br label %{checked}")
    w.block(checked)
    w.emit(f"br label %{ready}")
    w.block(ready)

    def one_of(kind: str, of_number: str | int, of_array: str | int) -> str:
        return w.value(f"phi {kind} [ {of_number}, %{number} ], [ {of_array}, %{checked} ]")

    return _View(
        one_of("ptr", inside, view.data),
        one_of("i64", 0, view.state_stride),
        0,
        one_of("i1", "false", view.is_batched),
        one_of("i64", 0, view.length),
    )


def _array(w: BlockWriter, thing: str, array: Array, real: str) -> _View:
    """An ndarray (no subclass) of the kernel's type, with or without a leading axis."""
    axes = len(array.shape)
    w.require(w.is_of(thing, "array_type"))
    ndim = w.load("i32", thing, ARRAY_NDIM)
    is_batched = w.is_equal("i32", ndim, axes + 1)
    w.require(w.either(is_batched, w.is_equal("i32", ndim, axes)))
    flags = ALIGNED | (C_CONTIGUOUS if axes > 1 else 0)
    fits = w.is_equal("ptr", w.load("ptr", thing, ARRAY_DESCR), w.slot("descr"))
    found = w.value(f"and i32 {w.load('i32', thing, ARRAY_FLAGS)}, {flags}")
    fits = w.both(fits, w.is_equal("i32", found, flags))
    shape, strides = w.load("ptr", thing, ARRAY_SHAPE), w.load("ptr", thing, ARRAY_STRIDES)
    first = w.select(is_batched, "i64", 8, 0)
    for axis, wanted in enumerate(array.shape):
        here = w.address(shape, first)
        fits = w.both(fits, w.is_equal("i64", w.load("i64", here, 8 * axis), wanted))
    w.require(fits)
    # An array without axes may have no shape at all, so that what is not batched is read elsewhere.
    length = w.load("i64", w.select(is_batched, "ptr", shape, f"@{_NONE}"), 0)
    state_stride = w.load("i64", w.select(is_batched, "ptr", strides, f"@{_NONE}"), 0)
    entry_stride = str(DTYPE[real].itemsize)
    if axes == 1:
        entry_stride = w.load("i64", w.address(strides, first), 0)
    return _View(w.load("ptr", thing, ARRAY_DATA), state_stride, entry_stride, is_batched, length)


def _common_length(w: BlockWriter, views: Sequence[_View]) -> str:
    """The number of states, the same in all arguments that are batched; -1 if none is."""
    states = "-1"
    for view in views:
        is_free = w.either(w.value(f"xor i1 {view.is_batched}, true"), w.is_equal("i64", states, -1))
        w.require(w.either(is_free, w.is_equal("i64", view.length, states)))
        states = w.select(view.is_batched, "i64", view.length, states)
    return states


def _has_states_together(w: BlockWriter, inputs: Sequence[Array], views: Sequence[_View]) -> str:
    """Whether in each batched argument with several entries, the states are closer together than the entries."""
    some, every = "false", "true"
    for array, view in zip(inputs, views, strict=True):
        if array.size > 1:
            is_spread = w.value(f"icmp ne i64 {view.state_stride}, 0")
            votes = w.both(view.is_batched, is_spread)
            steps = [_magnitude(w, view.state_stride), _magnitude(w, view.entry_stride)]
            is_closer = w.value(f"icmp slt i64 {steps[0]}, {steps[1]}")
            some = w.either(some, votes)
            every = w.both(every, w.either(w.value(f"xor i1 {votes}, true"), is_closer))
    return w.both(some, every)


def _magnitude(w: BlockWriter, number: str | int) -> str:
    is_negative = w.value(f"icmp slt i64 {number}, 0")
    return w.select(is_negative, "i64", w.value(f"sub i64 0, {number}"), number)


def _write_out(
    w: BlockWriter,
    inputs: Sequence[Array],
    output: Array,
    real: str,
    batch_name: str,
    views: Sequence[_View],
    states: str,
) -> None:
    """`out=` and no other name: an array without gaps that lies apart from all arguments."""
    w.require_only_out()
    out = w.load("ptr", "%args", 8 * len(inputs))
    itemsize = DTYPE[real].itemsize
    view = _array(w, out, output, real)
    w.require(w.both(view.is_batched, w.is_equal("i64", view.length, states)))
    flags = w.load("i32", out, ARRAY_FLAGS)
    w.require(w.is_equal("i32", w.value(f"and i32 {flags}, {WRITEABLE}"), WRITEABLE))
    whole = C_CONTIGUOUS | (F_CONTIGUOUS if len(output.shape) <= 1 else 0)
    w.require(w.value(f"icmp ne i32 {w.value(f'and i32 {flags}, {whole}')}, 0"))
    end = w.address(view.data, w.value(f"mul i64 {states}, {itemsize * output.size}"))
    last = w.value(f"sub i64 {states}, 1")
    for array, given in zip(inputs, views, strict=True):
        steps = [f"mul i64 {given.state_stride}, {last}", f"mul i64 {given.entry_stride}, {array.size - 1}"]
        below, above = given.data, w.address(given.data, itemsize)
        for step in steps:
            reach = w.value(step)
            is_back = w.value(f"icmp slt i64 {reach}, 0")
            below = w.address(below, w.select(is_back, "i64", reach, 0))
            above = w.address(above, w.select(is_back, "i64", 0, reach))
        is_after = w.value(f"icmp uge ptr {below}, {end}")
        w.require(w.either(is_after, w.value(f"icmp ule ptr {above}, {view.data}")))
    _write_view(w, len(inputs), view.data, view.state_stride, view.entry_stride)
    w.emit(f"call void @{batch_name}(ptr %views, i64 0, i64 {states})")
    w.emit(f"call void {w.slot('incref')}(ptr {out})")
    w.emit(f"ret ptr {out}")


def _result(w: BlockWriter, k: int, array: Array, real: str, states: str, is_together: str, views_before: int) -> str:
    """A new array for a result, and the kernel's view of it."""
    itemsize = DTYPE[real].itemsize
    apart = w.value(f"mul i64 {states}, {itemsize}")
    w.store("i64", states, f"%shape{k}", 0)
    w.store("i64", itemsize, f"%strides{k}", 0)
    for axis, length in enumerate(array.shape):
        w.store("i64", length, f"%shape{k}", 8 * (axis + 1))
        stride = w.value(f"mul i64 {apart}, {prod(array.shape[axis + 1 :])}")
        w.store("i64", stride, f"%strides{k}", 8 * (axis + 1))
    strides = w.select(is_together, "ptr", f"%strides{k}", "null")
    kind = f"ptr {w.slot('array_type')}, i32 {len(array.shape) + 1}, ptr %shape{k}, i32 {TYPE_NUMBER[real]}"
    made = w.make("new_array", f"{kind}, ptr {strides}, ptr null, i32 0, i32 0, ptr null")
    state_stride = w.select(is_together, "i64", itemsize, itemsize * array.size)
    entry_stride = w.select(is_together, "i64", apart, itemsize)
    _write_view(w, views_before + k, w.load("ptr", made, ARRAY_DATA), state_stride, entry_stride)
    return made


def _write_view(w: BlockWriter, k: int, data: str, state_stride: str | int, entry_stride: str | int) -> None:
    w.store("ptr", data, "%views", 24 * k)
    w.store("i64", state_stride, "%views", 24 * k + 8)
    w.store("i64", entry_stride, "%views", 24 * k + 16)
