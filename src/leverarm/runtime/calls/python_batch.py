"""The native call for batches: `@python_batch` takes arrays with one leading axis, of any strides, without copying.

`@python_call` passes on to it what is not a single state. It takes arguments of shape (B, n) or (n,) (or a float for a
scalar one), `out` and `threads`, and builds the views and the results; everything else goes to the Python fallback. It
runs short batches itself and hands long ones to a Python function. Results are laid out as in `views.py`. The functions
here write IR that checks the arguments and falls back if a check fails.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

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
    ARRAY_STRIDES,
    BATCH_FUNCTION,
    BATCH_SLOTS,
    BATCH_TABLE,
    C_CONTIGUOUS,
    F_CONTIGUOUS,
    SIZE,
    TYPE_NUMBER,
    WRITEABLE,
)

NO_AXIS = "python_batch_no_axis"
"""Name of a constant of zeros: length and stride of a missing leading axis."""


@dataclass(frozen=True, slots=True)
class View:
    """IR values of an argument: its data address, its strides, and whether it has a leading axis."""

    data: str
    state_stride: str | int
    entry_stride: str | int
    is_batched: str
    length: str


def argument_view(w: BlockWriter, k: int, array: Array, real: str) -> View:
    """View of an argument: an array's data, or a float's value."""
    thing = w.load("ptr", "%args", 8 * k)
    if array.shape:
        return _array(w, thing, array, real)
    view, one_of = w.float_or(thing, k, real, lambda: _array(w, thing, array, real))
    return View(
        one_of("ptr", None, view.data),
        one_of("i64", 0, view.state_stride),
        0,
        one_of("i1", "false", view.is_batched),
        one_of("i64", 0, view.length),
    )


def common_length(w: BlockWriter, views: Sequence[View]) -> str:
    """The number of states, the same in all arguments that are batched; -1 if none is."""
    states = "-1"
    for view in views:
        is_free = w.either(w.value(f"xor i1 {view.is_batched}, true"), w.is_equal("i64", states, -1))
        w.require(w.either(is_free, w.is_equal("i64", view.length, states)))
        states = w.select(view.is_batched, "i64", view.length, states)
    return states


def named(w: BlockWriter, positional: int) -> tuple[str, str]:
    """The keyword arguments `out` and `threads`, None if omitted."""
    for place in ("%out", "%threads"):
        w.store("ptr", w.slot("none"), place, 0)
    w.branch(w.is_equal("ptr", "%names", "null"), "unnamed", "named")
    w.block("named")
    count = w.load("i64", "%names", SIZE)
    w.require(w.value(f"icmp ule i64 {count}, 2"))
    for k in range(2):
        w.branch(w.value(f"icmp ugt i64 {count}, {k}"), f"name{k}", "unnamed")
        w.block(f"name{k}")
        name = w.load("ptr", w.tuple_items("%names"), 8 * k)
        is_out = w.is_equal("ptr", name, w.slot("out_name"))
        w.require(w.either(is_out, w.is_equal("ptr", name, w.slot("threads_name"))))
        place = w.select(is_out, "ptr", "%out", "%threads")
        w.store("ptr", w.load("ptr", "%args", 8 * (positional + k)), place, 0)
    w.emit("br label %unnamed")
    w.block("unnamed")
    return w.load("ptr", "%out", 0), w.load("ptr", "%threads", 0)


def require_threads(w: BlockWriter, threads: str) -> None:
    """`threads`: None, or an int of at least 1."""
    w.branch(w.is_equal("ptr", threads, w.slot("none")), "any_threads", "some_threads")
    w.block("some_threads")
    w.require(w.is_of(threads, "int_type"))
    number = w.value(f"call i64 {w.slot('int_value')}(ptr {threads}, ptr %overflow)")  # -1 if it overflows
    w.require(w.value(f"icmp sge i64 {number}, 1"))
    w.emit("br label %any_threads")
    w.block("any_threads")


def outs_given(
    w: BlockWriter,
    out: str,
    inputs: Sequence[Array],
    views: Sequence[View],
    outputs: Sequence[Array],
    real: str,
    states: str,
) -> list[View]:
    """The `out` arrays: one, or a tuple of several, not overlapping each other or the arguments.

    One may be an argument itself: the loop reads a state's arguments before writing its results.
    """
    if len(outputs) > 1:
        w.require(w.is_of(out, "tuple_type"))
        w.require(w.is_equal("i64", w.load("i64", out, SIZE), len(outputs)))
    outs: list[View] = []
    spans = [_span(w, array, view, states, real) for array, view in zip(inputs, views, strict=True)]
    for k, array in enumerate(outputs):
        thing = w.load("ptr", w.tuple_items(out), 8 * k) if len(outputs) > 1 else out
        view = _writable(w, thing, array, real, states)
        span = _span(w, array, view, states, real)
        for other, (begin, end) in enumerate(spans):
            is_before, is_after = f"icmp ule ptr {span[1]}, {begin}", f"icmp uge ptr {span[0]}, {end}"
            is_free = w.either(w.value(is_before), w.value(is_after))
            if other < len(inputs) and inputs[other].size == array.size:
                is_free = w.either(is_free, _is_same(w, view, views[other]))
            w.require(is_free)
        outs.append(view)
        spans.append(span)
    return outs


def _is_same(w: BlockWriter, one: View, other: View) -> str:
    is_same = w.is_equal("ptr", one.data, other.data)
    is_same = w.both(is_same, w.is_equal("i64", str(one.state_stride), other.state_stride))
    return w.both(is_same, w.is_equal("i64", str(one.entry_stride), other.entry_stride))


def _writable(w: BlockWriter, thing: str, array: Array, real: str, states: str) -> View:
    """A contiguous `out` array for this many states."""
    view = _array(w, thing, array, real)
    w.require(w.both(view.is_batched, w.is_equal("i64", view.length, states)))
    flags = w.load("i32", thing, ARRAY_FLAGS)
    w.require(w.is_equal("i32", w.value(f"and i32 {flags}, {WRITEABLE}"), WRITEABLE))
    whole = C_CONTIGUOUS | (F_CONTIGUOUS if len(array.shape) <= 1 else 0)
    w.require(w.value(f"icmp ne i32 {w.value(f'and i32 {flags}, {whole}')}, 0"))
    return view


def _span(w: BlockWriter, array: Array, view: View, states: str, real: str) -> tuple[str, str]:
    """Begin and end addresses of an array's memory."""
    last = w.value(f"sub i64 {states}, 1")
    begin, end = view.data, w.address(view.data, DTYPE[real].itemsize)
    for stride, steps in ((view.state_stride, last), (view.entry_stride, array.size - 1)):
        reach = w.value(f"mul i64 {stride}, {steps}")
        is_back = w.value(f"icmp slt i64 {reach}, 0")
        begin = w.address(begin, w.select(is_back, "i64", reach, 0))
        end = w.address(end, w.select(is_back, "i64", 0, reach))
    return begin, end


def _array(w: BlockWriter, thing: str, array: Array, real: str) -> View:
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
    # A 0-d array may have no shape pointer, so unbatched arrays read the zeros instead.
    length = w.load("i64", w.select(is_batched, "ptr", shape, f"@{NO_AXIS}"), 0)
    state_stride = w.load("i64", w.select(is_batched, "ptr", strides, f"@{NO_AXIS}"), 0)
    entry_stride = str(DTYPE[real].itemsize)
    if axes == 1:
        entry_stride = w.load("i64", w.address(strides, first), 0)
    return View(w.load("ptr", thing, ARRAY_DATA), state_stride, entry_stride, is_batched, length)


def python_batch_ir(inputs: Sequence[Array], outputs: Sequence[Array], real: str, batch_name: str) -> str:
    """LLVM IR of `@python_batch`, for the module that holds the batch loop it calls."""
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
    """Whether in every batched argument with several entries, states are closer together than entries."""
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
    """Runs a short batch inline; longer ones go to the table's function, which may raise."""
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
