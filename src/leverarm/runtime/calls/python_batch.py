"""The native call for batches: `@python_batch` takes arrays with one leading axis, of any strides, as they lie.

`@python_call` hands it what is not one state. It takes arguments of shape (B, n) or (n,), or a float for a scalar one,
`out` and `threads`, and builds the views and the results on its own; whatever else goes to the fallback. A short loop
over states it runs itself, for a long one it calls a Python function. Results lie in memory as `layout.py` says.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from leverarm.compiler.program import Array
from leverarm.runtime.calls.batch_arguments import (
    NO_AXIS,
    View,
    argument_view,
    common_length,
    named,
    outs_given,
    require_threads,
)
from leverarm.runtime.calls.block_writer import BlockWriter
from leverarm.runtime.calls.kernel import DTYPE
from leverarm.runtime.calls.native_names import BATCH_FUNCTION, BATCH_SLOTS, BATCH_TABLE
from leverarm.runtime.calls.object_headers import ARRAY_DATA, TYPE_NUMBER


def python_batch_ir(inputs: Sequence[Array], outputs: Sequence[Array], real: str, batch_name: str) -> str:
    """LLVM IR of `@python_batch`, to stand in one module with the loop over states that it calls."""
    w = BlockWriter(BATCH_TABLE, BATCH_SLOTS, "refused")
    w.lines.append(f"@{BATCH_TABLE} = global [{len(BATCH_SLOTS)} x ptr] zeroinitializer")
    w.lines.append(f"@{NO_AXIS} = private constant [2 x i64] zeroinitializer")
    w.lines += ["", f"define ptr @{BATCH_FUNCTION}(ptr %fallback, ptr %args, i64 %nargs, ptr %names) {{"]
    w.block("entry")
    w.emit(f"%views = alloca [{3 * (len(inputs) + len(outputs))} x i64]")
    for place in ("%out = alloca ptr", "%threads = alloca ptr", "%overflow = alloca i32"):
        w.emit(place)
    w.emit("%long_arguments = alloca [3 x ptr]")
    for k, array in enumerate(inputs):
        if not array.shape and real == "float":
            w.emit(f"%number{k} = alloca float")
    for k, array in enumerate(outputs):
        w.emit(f"%shape{k} = alloca [{1 + len(array.shape)} x i64]")
        w.emit(f"%strides{k} = alloca [{1 + len(array.shape)} x i64]")
    w.require(w.is_equal("i64", "%nargs", len(inputs)))
    views = [argument_view(w, k, array, real) for k, array in enumerate(inputs)]
    states = common_length(w, views)
    w.require(w.value(f"icmp sge i64 {states}, 2"))
    for k, view in enumerate(views):
        _write_view(w, k, view)
    out, threads = named(w, len(inputs))
    require_threads(w, threads)
    w.branch(w.is_equal("ptr", out, w.slot("none")), "fresh", "given")
    w.block("given")
    for k, view in enumerate(outs_given(w, out, inputs, views, outputs, real, states)):
        _write_view(w, len(inputs) + k, view)
    _run(w, batch_name, states, threads)
    w.emit(f"call void {w.slot('incref')}(ptr {out})")
    w.emit(f"ret ptr {out}")
    w.block("fresh")
    is_together = _has_states_together(w, inputs, views)
    made = [_result(w, k, array, real, states, is_together, len(inputs)) for k, array in enumerate(outputs)]
    _run(w, batch_name, states, threads)
    w.answer(made)
    w.block("refused")
    w.emit(f"%answer = tail call ptr {w.slot('vectorcall')}(ptr %fallback, ptr %args, i64 %nargs, ptr %names)")
    w.emit("ret ptr %answer")
    return "\n".join([*w.lines, "}", ""])


def _has_states_together(w: BlockWriter, inputs: Sequence[Array], views: Sequence[View]) -> str:
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


def _run(w: BlockWriter, batch_name: str, states: str, threads: str) -> None:
    """Runs a short batch here and now; the table's function runs the others and may raise."""
    short, long, done = (w.label(word) for word in ("short", "long", "done"))
    w.branch(w.value(f"icmp sle i64 {states}, {w.number('most_states')}"), short, long)
    w.block(short)
    w.emit(f"call void @{batch_name}(ptr %views, i64 0, i64 {states})")
    w.emit(f"br label %{done}")
    w.block(long)
    made = [w.make("new_int", f"i64 {number}") for number in (w.value("ptrtoint ptr %views to i64"), states)]
    for k, thing in enumerate((*made, threads)):
        w.store("ptr", thing, "%long_arguments", 8 * k)
    made.append(w.make("vectorcall", f"ptr {w.slot('long_batch')}, ptr %long_arguments, i64 3, ptr null"))
    w.drop(made)
    w.emit(f"br label %{done}")
    w.block(done)


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
    view = View(w.load("ptr", made, ARRAY_DATA), state_stride, entry_stride, "true", states)
    _write_view(w, views_before + k, view)
    return made


def _write_view(w: BlockWriter, k: int, view: View) -> None:
    w.store("ptr", view.data, "%views", 24 * k)
    w.store("i64", view.state_stride, "%views", 24 * k + 8)
    w.store("i64", view.entry_stride, "%views", 24 * k + 16)
