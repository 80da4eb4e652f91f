"""Any shapes, strides, dtypes and layouts give, bit for bit, what NumPy broadcasting over single calls gives."""

from __future__ import annotations

from contextlib import contextmanager
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leverarm.runtime.calls import threads, views
from leverarm.runtime.calls.python_function import add_batch_call
from leverarm.runtime.calls.views import long_batch
from tests.support.levels import at_level
from tests.support.tiny_kernel import fresh, tiny

EXAMPLES = at_level(300, 4000, 10_000)
LENGTHS = (1, 2, 3, 5, 0, 9, 17, 33)
STEPS = (1, 2, -1, -3)
DTYPES = tuple(np.dtype(code) for code in ("f8", "f4", ">f8", "i4", "u1", "?", "f2", ">f4"))
NUMBERS = np.random.default_rng(1).normal(size=4096)
NUMBERS[::97] = np.resize([np.nan, np.inf, -0.0, 5e-324, -np.inf, 1e308], NUMBERS[::97].shape)
CORES = ((2,), (2,), ())


class Choices:
    """Small choices read off bytes, the simplest first, so that hypothesis shrinks towards plain arrays."""

    def __init__(self, given: bytes) -> None:
        self.bytes = iter(given)

    def of(self, *options):
        return options[next(self.bytes, 0) % len(options)]


def leading_axes(choices: Choices) -> list[int]:
    axes = [choices.of(*LENGTHS) for _ in range(choices.of(1, 0, 2, 2, 3))]
    while np.prod(axes) > 80:
        axes[axes.index(max(axes))] = 2
    return axes


def strided(choices: Choices, shape: list[int], dtype: np.dtype) -> np.ndarray:
    """An array of this shape: axes in any order in memory, any steps, some broadcast, maybe not aligned."""
    order = list(range(len(shape)))
    if choices.of(False, True):
        order = order[::-1] if choices.of(True, False) else order[1:] + order[:1]
    steps = [choices.of(*STEPS) if choices.of(False, True) else 1 for _ in shape]
    extents = [shape[axis] * abs(steps[axis]) for axis in order]
    start = choices.of(0, 50, 101, 997, 1500)
    size = int(np.prod(extents))
    with np.errstate(all="ignore"):
        numbers = np.resize(NUMBERS[start:], size)
        numbers = (numbers if dtype.kind == "f" else np.nan_to_num(numbers * 30, posinf=9, neginf=7) % 100).astype(
            dtype
        )
    if choices.of(False, False, False, False, True) and size:
        shifted = np.empty(size * dtype.itemsize + 1, np.uint8)[1:].view(dtype)
        shifted[:] = numbers
        numbers = shifted
    wide = numbers.reshape(extents).transpose(np.argsort(order))
    result = wide[(*[slice(None, None, step) for step in steps], ...)]
    assert list(result.shape) == shape
    if shape and choices.of(False, False, False, False, False, True):
        result = np.broadcast_to(result[:1], result.shape) if shape[0] else result
    return result


def argument(choices: Choices, axes: list[int], core: tuple[int, ...], native: np.dtype) -> object:
    own = axes[choices.of(0, 0, 0, 1, 2, 3) :]
    own = [1 if choices.of(False, False, False, True) else length for length in own]
    dtype = choices.of(native, native, native, *DTYPES)
    array = strided(choices, [*own, *core], dtype)
    form = choices.of("array", "array", "array", "array", "read-only", "list")
    if form == "read-only":
        array.flags.writeable = False
    return array.tolist() if form == "list" and array.size else array


def same_bits(left: np.ndarray, right: np.ndarray) -> bool:
    left, right = np.asarray(left), np.asarray(right)
    if left.shape != right.shape or left.dtype != right.dtype:
        return False
    nan = np.isnan(left)
    bits = f"u{left.dtype.itemsize}"
    equal = np.ascontiguousarray(left).view(bits) == np.ascontiguousarray(right).view(bits)
    return bool(np.all(equal.reshape(left.shape) | (nan & np.isnan(right))))


def single_calls(small, arguments: list) -> list[np.ndarray]:
    """A loop over states, each by one native call."""
    dtype = small.kernel.dtype
    with np.errstate(all="ignore"):
        arrays = [np.asarray(x).astype(dtype) for x in arguments]
    leading = np.broadcast_shapes(*(x.shape[: x.ndim - len(core)] for x, core in zip(arrays, CORES, strict=True)))
    full = [np.broadcast_to(x, leading + core) for x, core in zip(arrays, CORES, strict=True)]
    flat = [np.ascontiguousarray(x).reshape(-1, *core) for x, core in zip(full, CORES, strict=True)]
    results = [np.empty((len(flat[0]), *spec.shape), dtype) for spec in small.kernel.outputs]
    for k, state in enumerate(zip(*flat, strict=True)):
        for result, one in zip(results, small.native(*state), strict=True):
            result[k] = one
    return [r.reshape(leading + spec.shape) for r, spec in zip(results, small.kernel.outputs, strict=True)]


def an_out(choices: Choices, shape: tuple[int, ...], dtype: np.dtype, arguments: list) -> np.ndarray:
    """An array to write to: of any layout, or a piece of an argument's own memory."""
    for x in arguments:
        is_fit = isinstance(x, np.ndarray) and x.shape == shape and x.dtype == dtype and x.flags.writeable
        if is_fit and choices.of(False, True):
            return x[::-1] if shape and choices.of(False, True) else x
    order = list(range(len(shape)))
    order = choices.of(order, order[::-1], order[1:] + order[:1])
    step = choices.of(1, 2, -1)
    wide = np.zeros([shape[axis] * abs(step) for axis in order], dtype)
    return wide[(*[slice(None, None, step)] * len(shape), ...)].transpose(np.argsort(order))


def check(given_bytes: bytes, real: str) -> None:
    small = tiny(real)
    choices = Choices(given_bytes)
    axes = leading_axes(choices)
    arguments = [argument(choices, axes, core, small.kernel.dtype) for core in CORES]
    expected = single_calls(small, arguments)
    results = choices.of(small.native, small.general)(*arguments)
    assert all(map(same_bits, expected, results))
    assert all(not result.ndim or result.flags.owndata for result in results)
    if choices.of(False, True):
        outs = tuple(an_out(choices, r.shape, r.dtype, arguments) for r in expected)
        assert small.native(*arguments, out=outs) is outs
        assert all(map(same_bits, expected, outs))


def examples(number: int):
    return settings(max_examples=max(1, number * EXAMPLES // 10000), deadline=None, database=None)


@pytest.mark.slow
@examples(6000)
@given(st.binary(min_size=64, max_size=64))
def test_any_arrays(given_bytes):
    check(given_bytes, "double")


@pytest.mark.slow
@examples(3000)
@given(st.binary(min_size=64, max_size=64))
def test_any_arrays_in_single_precision(given_bytes):
    check(given_bytes, "float")


@cache
def kernel_of_pieces():
    """A kernel that takes three states for a long batch."""
    small = fresh()
    if code := getattr(small.native, "__self__", None):
        add_batch_call(small.native, code.batch, "double", 2, long_batch(small.kernel))
    return small


@contextmanager
def tiny_pieces():
    """Pieces and loops so small that every way of walking a batch is taken by small arrays."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(threads, "FIRST", 3)
        patch.setattr(threads, "WORTH", 1e-9)
        patch.setattr(threads, "LEAST", 1e-9)
        patch.setattr(views, "SHORT", 3)
        yield


@pytest.mark.slow
@examples(1000)
@given(st.binary(min_size=64, max_size=64), st.integers(1, 3))
def test_any_arrays_in_pieces_on_threads(given_bytes, number):
    small, choices = kernel_of_pieces(), Choices(given_bytes)
    axes = leading_axes(choices)
    arguments = [argument(choices, axes, core, small.kernel.dtype) for core in CORES]
    expected = single_calls(small, arguments)
    with tiny_pieces():
        for call in (small.general, small.native):
            assert all(map(same_bits, expected, call(*arguments, threads=number)))
