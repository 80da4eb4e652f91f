"""What `@python_batch` reads: the arrays where they lie, what is given by name, and that it may write where it should.

Each function writes IR that refuses the call where something is not as it says.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

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
    C_CONTIGUOUS,
    F_CONTIGUOUS,
    SIZE,
    WRITEABLE,
)

NO_AXIS = "python_batch_no_axis"
"""Name of zeros, read as the length and stride of a leading axis that an array does not have."""


@dataclass(frozen=True, slots=True)
class View:
    """Names of IR values: where an argument's numbers are, how far apart, and whether it has a leading axis."""

    data: str
    state_stride: str | int
    entry_stride: str | int
    is_batched: str
    length: str


def argument_view(w: BlockWriter, k: int, array: Array, real: str) -> View:
    """Where an argument's numbers are: an array's, or a float's own."""
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
    """What is given for `out` and for `threads`, None where it is left away."""
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
    """None, or an int from 1 on."""
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
    """The arrays to write to: one, or a tuple of several, apart from each other and from the arguments.

    One may be an argument itself: the loop reads a state's arguments before it writes the state's results.
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
    """An array for results of so many states, without gaps."""
    view = _array(w, thing, array, real)
    w.require(w.both(view.is_batched, w.is_equal("i64", view.length, states)))
    flags = w.load("i32", thing, ARRAY_FLAGS)
    w.require(w.is_equal("i32", w.value(f"and i32 {flags}, {WRITEABLE}"), WRITEABLE))
    whole = C_CONTIGUOUS | (F_CONTIGUOUS if len(array.shape) <= 1 else 0)
    w.require(w.value(f"icmp ne i32 {w.value(f'and i32 {flags}, {whole}')}, 0"))
    return view


def _span(w: BlockWriter, array: Array, view: View, states: str, real: str) -> tuple[str, str]:
    """Where the memory of an array begins and ends."""
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
    # An array without axes may have no shape at all, so that what is not batched is read elsewhere.
    length = w.load("i64", w.select(is_batched, "ptr", shape, f"@{NO_AXIS}"), 0)
    state_stride = w.load("i64", w.select(is_batched, "ptr", strides, f"@{NO_AXIS}"), 0)
    entry_stride = str(DTYPE[real].itemsize)
    if axes == 1:
        entry_stride = w.load("i64", w.address(strides, first), 0)
    return View(w.load("ptr", thing, ARRAY_DATA), state_stride, entry_stride, is_batched, length)
