"""Calls of compiled functions: the native fast path, what it leaves to Python, references, memory, threads, messages."""

from __future__ import annotations

import ctypes
import gc
import inspect
import os
import re
import select
import signal
import struct
import subprocess
import sys
import threading
import time
import tracemalloc
import weakref
from collections import deque
from itertools import pairwise
from math import prod

import numpy as np
import pytest

from leverarm.errors import InputError
from leverarm.runtime.calls import object_headers, threads
from leverarm.runtime.calls.kernel import batch_function
from leverarm.runtime.calls.object_headers import CALL_SLOTS, CALL_TABLE, obstacle
from leverarm.runtime.calls.python_function import add_batch_call, python_callable
from leverarm.runtime.calls.threads import Pace, over_states, set_threads, thread_count
from leverarm.runtime.calls.views import evaluate
from tests.support.levels import at_level
from tests.support.paths import ROOT
from tests.support.tiny_kernel import MOST, fresh, one_by_one, tiny

Q, QD = np.array([0.3, -1.2]), np.array([2.0, 0.7])
native_calls = pytest.mark.skipif(obstacle() is not None, reason=str(obstacle()))
GUARD = 600.0  # s: longer than that nothing takes that does not hang


def expected(small, *arguments):
    return one_by_one(small.kernel, *arguments)


def agree(results, wanted):
    return all(np.array_equal(r, w) and r.dtype == w.dtype for r, w in zip(results, wanted, strict=True))


# The fast path


@native_calls
@pytest.mark.parametrize("real", ["double", "float"])
@pytest.mark.parametrize("step", [0.25, np.float64(0.25), "array"])
def test_one_state_is_native(real, step):
    small = tiny(real)
    dtype = small.kernel.dtype
    step = np.array(0.25, dtype) if isinstance(step, str) else step
    small.calls.clear()
    results = small.native(Q.astype(dtype), QD.astype(dtype), step)
    assert not small.calls
    assert agree(results, expected(small, Q, QD, 0.25))
    assert type(results) is tuple
    assert [type(r) for r in results] == [np.ndarray, np.ndarray, dtype.type]
    assert all(r.flags.owndata and r.flags.c_contiguous and r.flags.writeable for r in results[:2])


@native_calls
@pytest.mark.parametrize("real", ["double", "float"])
@pytest.mark.parametrize("states", [2, 7, MOST])
def test_short_batches_are_native(real, states):
    small = tiny(real)
    dtype = small.kernel.dtype
    wide = np.random.default_rng(2).normal(size=(2 * states, 4)).astype(dtype)
    wholes = [wide[:states, :2], np.asfortranarray(wide[:states, :2]), wide[::-2, ::-2], wide[:states, 1:3]]
    for q in wholes:
        for qd in (*wholes, wide[0, 2:]):
            for step in (0.5, wide[:states, 3], wide[0, :1].reshape(())):
                small.calls.clear()
                results = small.native(q, qd, step)
                assert not small.calls
                general = small.general(q, qd, step)
                assert agree(results, general)
                assert [r.strides for r in results] == [r.strides for r in general]
                assert all(r.flags.owndata for r in results)
    assert agree(results, expected(small, q, qd, step))


@native_calls
def test_out_is_native_where_one_array_comes_back():
    small = tiny("double", ("M",))
    out = np.zeros((2, 2))
    small.calls.clear()
    assert small.native(Q, QD, 0.25, out=out) is out
    assert not small.calls
    assert agree([out], expected(small, Q, QD, 0.25))


@native_calls
@pytest.mark.parametrize("shift", range(-4, 3))
def test_out_in_the_memory_of_an_argument(shift):
    small = tiny("double", ("M",))
    memory = np.linspace(-1, 1, 12)
    q = memory[4:6]
    wanted = expected(small, q, QD, 0.25)
    out = memory[4 + shift : 8 + shift].reshape(2, 2)
    small.calls.clear()
    assert small.native(q, QD, 0.25, out=out) is out
    assert agree([out], wanted)
    assert bool(small.calls) == (shift > -4 and shift < 2)


@native_calls
@pytest.mark.parametrize("outputs", [("tau",), ("M",), ("E",)])
def test_out_of_short_batches_is_native(outputs):
    small = tiny("double", outputs)
    shape = small.kernel.outputs[0].shape
    memory = np.linspace(-1, 1, 400)
    q = memory[100:128].reshape(7, 4)[::-1, ::-2]
    for start in (0, 40, 60, 80, 90, 98, 99, 100, 110, 127, 128, 129, 300):
        before = memory.copy()
        out = memory[start : start + 7 * prod(shape)].reshape(7, *shape)
        wanted = expected(small, q, QD, 0.25)
        small.calls.clear()
        assert small.native(q, QD, 0.25, out=out) is out
        assert agree([out], wanted)
        is_apart = start + out.size <= 101 or start >= 128
        assert bool(small.calls) != is_apart
        memory[:] = before
    for out in (np.empty((8, *shape)), np.empty((7, *shape), "f4"), np.broadcast_to(np.empty(shape), (7, *shape))):
        with pytest.raises(InputError):
            small.native(q, QD, 0.25, out=out)


@native_calls
@pytest.mark.parametrize("real", ["double", "float"])
@pytest.mark.parametrize("number", [None, 1, 3])
@pytest.mark.parametrize("states", [5, MOST, MOST + 1, 20_003])
def test_threads_are_native(real, number, states, many_threads):
    small = tiny(real)
    dtype = small.kernel.dtype
    q = np.random.default_rng(7).normal(size=(2, states)).astype(dtype)
    for one in (q.T, np.ascontiguousarray(q.T)):
        small.calls.clear()
        results = small.native(one, QD.astype(dtype), 0.25, threads=number)
        assert small.native(one, QD.astype(dtype), 0.25, out=None, threads=number)[0].shape == (states, 2)
        outs = tuple(np.empty(r.shape, dtype) for r in results)
        assert small.native(one, QD.astype(dtype), 0.25, threads=number, out=outs) is outs
        assert not small.calls
        general = small.general(one, QD, 0.25, threads=1)
        assert agree(results, general) and agree(outs, general)
        assert [r.strides for r in results] == [r.strides for r in general]


@native_calls
@pytest.mark.parametrize("number", [0, -1, 1.5, None, True, 10**30, "2", "many"])
@pytest.mark.parametrize("states", [2, MOST + 1])
def test_unusual_threads_go_to_python(number, states):
    small = tiny()
    q = np.stack([Q] * states)
    small.calls.clear()
    if number in (0, -1, 1.5, "many"):
        with pytest.raises(InputError, match=re.escape(f"threads: {number!r} threads; give an integer of at least 1")):
            small.native(q, QD, 0.25, threads=number)
    else:
        assert agree(small.native(q, QD, 0.25, threads=number), expected(small, q, QD, 0.25))
    assert bool(small.calls) == (number is not None)


@native_calls
@pytest.mark.parametrize("states", [7, MOST + 1])
def test_out_of_several_results_is_native(states):
    small = tiny()
    q = np.random.default_rng(8).normal(size=(states, 2))
    wanted = expected(small, q, QD, 0.25)
    memory = np.zeros(7 * states + 1)
    for start in (0, 1, 2 * states - 1, 2 * states):
        tau = np.empty((states, 2), order="F") if start else memory[: 2 * states].reshape(states, 2)
        outs = (tau, memory[2 * states : 6 * states].reshape(states, 2, 2), memory[start + 4 * states :][:states])
        small.calls.clear()
        assert small.native(q, QD, 0.25, out=outs) is outs
        is_apart = start == 2 * states
        assert bool(small.calls) != is_apart
        assert not is_apart or agree(outs, wanted)
    for given, is_native in ((list(outs), False), ((q[::-1], *outs[1:]), False), ((q, *outs[1:]), True)):
        before = q.copy()
        small.calls.clear()
        assert small.native(q, QD, 0.25, out=given) is given
        assert bool(small.calls) != is_native
        assert agree(given, wanted)
        q[:] = before
    for bad in (outs[:2], (*outs, outs[0]), outs[0], (outs[0], outs[1], None), (outs[1], outs[0], outs[2])):
        with pytest.raises(InputError):
            small.native(q, QD, 0.25, out=bad)


@native_calls
@pytest.mark.parametrize(
    "arguments",
    [
        ([0.3, -1.2], QD, 0.25),
        (Q[::-1][::-1].copy().view(np.recarray), QD, 0.25),
        (Q.astype(">f8"), QD, 0.25),
        (Q.astype("f4").astype("f8").astype(object).astype("f8")[::-1], QD, 0.25),
        (np.array([1, 2]), QD, 1),
        (np.array([True, False]), (1, 2), np.int8(3)),
        (Q, QD, np.float32(0.25)),
        (np.frombuffer(b"x" + Q.tobytes(), np.uint8)[1:].view("f8"), QD, 0.25),
        (Q[None], QD, 0.25),
        (np.empty((0, 2)), QD, 0.25),
        (np.ones((2, 3, 2)), QD, np.ones((3,))),
    ],
    ids=lambda given: type(given[0]).__name__ + str(np.shape(given[0])),
)
def test_the_unusual_goes_to_python(arguments):
    small = tiny()
    small.calls.clear()
    assert agree(small.native(*arguments), expected(small, *arguments))
    assert len(small.calls) == 1


def test_arguments_by_name():
    small = tiny()
    wanted = expected(small, Q, QD, 0.25)
    assert agree(small.native(Q, dt=0.25, qd=QD), wanted)
    assert agree(small.native(dt=0.25, q=Q, qd=QD), wanted)
    assert agree(small.native(Q, QD, 0.25, out=None, threads=1), wanted)


@native_calls
def test_it_looks_like_a_function():
    function = tiny().native
    assert function.__name__ == "tiny"
    assert function.__doc__ == "A small program."
    assert str(inspect.signature(function)) == "(q, qd, dt, *, out=None, threads=None)"
    assert inspect.isbuiltin(function)


@native_calls
def test_the_signature_shows_what_may_be_left_away():
    small = fresh()
    inputs, optional = small.kernel.inputs, ("dt", "wrench")
    function = python_callable(None, small.loaded, "tiny", "", small.general, inputs, "double", optional)
    assert str(inspect.signature(function)) == "(q, qd, dt=None, *, wrench=None, out=None, threads=None)"


def test_a_python_it_does_not_know_gets_the_fallback(monkeypatch):
    small = tiny()  # made, and kept for other tests, before anything is patched
    object_headers.obstacle.cache_clear()
    monkeypatch.setattr(object_headers, "HEADER", 32)
    try:
        assert "lock" in obstacle()
        fallback = small.general
        assert python_callable(None, small.loaded, "tiny", "", fallback, small.kernel.inputs, "double") is fallback
        assert agree(fallback(np.stack([Q, Q]), QD, 0.25), expected(small, np.stack([Q, Q]), QD, 0.25))
    finally:
        object_headers.obstacle.cache_clear()


def test_headers_laid_out_otherwise_are_noticed(monkeypatch):
    assert object_headers._headers_are_known()
    for name in ("ARRAY_NDIM", "ARRAY_SHAPE", "ARRAY_STRIDES", "ARRAY_DESCR", "ARRAY_FLAGS"):
        with monkeypatch.context() as patch:
            patch.setattr(object_headers, name, getattr(object_headers, name) + 4)
            assert not object_headers._is_known_array(np.zeros((2, 3)))


# References and memory


@pytest.mark.slow
@native_calls
@pytest.mark.parametrize("outputs", [("tau",), ("tau", "M", "E"), ("E",)])
def test_no_reference_is_lost_or_kept(outputs):
    small = tiny("double", outputs)
    q, qd, dt = Q.copy(), QD.copy(), np.array(0.25)
    many, out = np.stack([Q] * 9), np.empty(2)
    held = [q, qd, dt, many, out, np.dtype("f8"), np.ndarray, small.native, "out"]

    def counts():
        gc.collect()
        return [sys.getrefcount(thing) for thing in held]

    small.native(q, qd, list(range(3)))  # loads what the general call needs, once
    before = counts()
    for _ in range(1000):
        small.native(q, qd, dt)
        small.native(many, qd, dt)
        small.native(q, qd, list(range(3)))
        if outputs == ("tau",):
            small.native(q, qd, dt, out=out)
        with pytest.raises(InputError):
            small.native(q, qd)
    small.calls.clear()
    after = counts()
    assert max(abs(a - b) for a, b in zip(before, after, strict=True)) < 50
    result = small.native(q, qd, dt)
    assert sys.getrefcount(result) == 2
    if isinstance(result, tuple):
        assert [sys.getrefcount(result[k]) for k in range(len(result))] == [2] * len(result)


@pytest.mark.slow
@native_calls
def test_long_batches_keep_no_reference_and_no_memory(many_threads):
    small = tiny()
    many, number = np.stack([Q] * (MOST + 700)), 10**6
    outs = small.native(many, QD, 0.25)
    held = [many, number, outs, *outs, small.native, small.native.__self__.long_batch]

    def call(times):
        for _ in range(times):
            small.native(many, QD, 0.25)
            small.native(many, QD, 0.25, threads=2)
            small.native(many, QD, 0.25, threads=1, out=outs)
        all_helpers_are_idle()  # those that came too late still hold what they were called for
        gc.collect()

    call(10)
    before = [sys.getrefcount(thing) for thing in held]
    tracemalloc.start()
    try:
        memory = tracemalloc.get_traced_memory()[0]
        call(300)
        assert tracemalloc.get_traced_memory()[0] - memory < 20_000
    finally:
        tracemalloc.stop()
    assert [sys.getrefcount(thing) for thing in held] == before


@pytest.mark.slow
@native_calls
def test_an_exception_in_a_long_batch_drops_the_results():
    small, many = fresh(), np.stack([Q] * (MOST + 1))
    native, calls = small.native, []

    def refuse(views, states, threads):
        calls.append((states, threads))
        raise ZeroDivisionError

    add_batch_call(native, native.__self__.batch, "double", MOST, refuse)
    outs = small.general(many, QD, 0.25)

    def fail():
        for _ in range(300):
            for named in ({}, {"threads": 5}, {"out": outs}):
                with pytest.raises(ZeroDivisionError):
                    native(many, QD, 0.25, **named)
        assert set(calls) == {(MOST + 1, None), (MOST + 1, 5)}
        calls.clear()
        gc.collect()

    fail()
    before = [sys.getrefcount(thing) for thing in (many, outs, *outs)]
    tracemalloc.start()
    try:
        memory = tracemalloc.get_traced_memory()[0]
        fail()
        assert tracemalloc.get_traced_memory()[0] - memory < 20_000
    finally:
        tracemalloc.stop()
    assert [sys.getrefcount(thing) for thing in (many, outs, *outs)] == before


@pytest.mark.slow
@native_calls
def test_many_calls_keep_no_memory():
    small = tiny()
    function, q, qd = small.native, Q.copy(), QD.copy()
    many = np.stack([Q] * 8)
    for _ in range(1000):
        function(q, qd, 0.25)
        function(many, qd, 0.25)
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        for _ in range(at_level(20_000, 100_000, 500_000)):
            function(q, qd, 0.25)
            function(many, qd, 0.25)
        gc.collect()
        grown = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    assert grown < 20_000


@pytest.mark.slow
@native_calls
@pytest.mark.parametrize("slot", ["new_array", "new_scalar", "new_tuple"])
def test_no_memory_for_a_result(slot):
    small = fresh()
    no_memory = ctypes.cast(ctypes.pythonapi.PyErr_NoMemory, ctypes.c_void_p).value
    place = small.loaded.address(CALL_TABLE) + 8 * CALL_SLOTS.index(slot)
    ctypes.c_void_p.from_address(place).value = no_memory

    def fail():
        for _ in range(1000):
            with pytest.raises(MemoryError):
                small.native(Q, QD, 0.25)
        gc.collect()

    fail()
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        fail()
        assert tracemalloc.get_traced_memory()[0] - before < 20_000
    finally:
        tracemalloc.stop()


@pytest.mark.slow
@native_calls
def test_a_function_owns_its_code_and_goes_when_it_is_dropped():
    small = fresh()
    function = small.native
    code = function.__self__
    assert code.loaded is small.loaded
    lives = weakref.ref(code.fallback)
    del small, code
    gc.collect()
    assert agree(function(Q, QD, 0.25), expected(tiny(), Q, QD, 0.25))
    assert agree(function(list(Q), QD, 0.25), expected(tiny(), Q, QD, 0.25))
    assert lives() is not None
    del function
    gc.collect()
    assert lives() is None


# The general path


def test_layouts_of_results():
    small = tiny("double", ("tau", "M"))
    rows = np.ones((40, 2))
    columns = np.ones((2, 40)).T
    both = [(rows, rows), (rows, columns), (columns, columns), (columns, QD), (rows[::2], rows[1::2])]
    together = [results[0].strides[0] == 8 for results in (small.general(q, qd, 0.5) for q, qd in both)]
    assert together == [False, False, True, True, False]
    tau, matrix = small.general(columns, columns, 0.5)
    assert (tau.strides, matrix.strides) == ((8, 320), (8, 640, 320))
    grid = np.asfortranarray(np.ones((3, 4, 2)))
    assert small.general(grid, grid, 0.5)[0].strides == grid.strides
    assert small.general(grid.transpose(1, 0, 2).copy().transpose(1, 0, 2), QD, 0.5)[0].strides == (16, 48, 8)


def test_common_layouts_are_not_copied(monkeypatch):
    small = tiny()
    monkeypatch.setattr("leverarm.runtime.calls.views.in_one_piece", None)
    states = np.random.default_rng(3).normal(size=(50, 40, 8))
    several = [states[..., :2], states[::-1, ::-1, 4:6], states.T[:2].T, states[:, :1, 2:4], states[7, :, ::4], QD]
    for q in several:
        for qd in several:
            assert agree(small.general(q, qd, 0.5), expected(small, q, qd, 0.5))


def test_in_place():
    small = tiny("double", ("tau",))
    for call in (small.native, small.general):
        q = np.random.default_rng(4).normal(size=(MOST + 37, 2))
        wanted = expected(small, q, QD, 0.5)
        assert call(q, QD, 0.5, out=q) is q
        assert agree([q], wanted)


def test_out_that_overlaps_itself():
    small = tiny("double", ("tau",))
    memory = np.zeros(12)
    out = np.lib.stride_tricks.as_strided(memory, (5, 2), (8, 8))
    wanted = expected(small, np.ones((5, 2)), QD, 0.5)[0]
    small.native(np.ones((5, 2)), QD, 0.5, out=out)
    assert np.array_equal(out[:, 0], wanted[:, 0]) or np.array_equal(out[-1], wanted[-1])


def test_not_a_number_stays_in_its_state():
    small = tiny()
    q = np.ones((20, 2))
    q[7, 0] = np.nan
    q[11, 1] = np.inf
    tau, matrix, energy = small.native(q, QD, 0.5)
    assert np.isnan(tau[:, 0]).nonzero()[0].tolist() == [7]
    assert np.isnan(energy).nonzero()[0].tolist() == [7]
    assert np.isinf(matrix[:, 0, 1]).nonzero()[0].tolist() == [11]


MESSAGES = [
    (
        ([1, 2, 3], QD, 0),
        "q of tiny: 3 numbers given; it takes 2 numbers, or an array of shape (..., 2): shoulder, elbow.",
    ),
    (
        (np.zeros((2, 5)), QD, 0),
        "q of tiny: an array of shape (2, 5) given; it takes 2 numbers, or an array of shape (..., 2): shoulder, elbow.",
    ),
    (
        (1.5, QD, 0),
        "q of tiny: an array of shape () given; it takes 2 numbers, or an array of shape (..., 2): shoulder, elbow.",
    ),
    (
        (np.array([1j, 2]), QD, 0),
        "q of tiny: an array of complex128 is not an array of real numbers. Give 2 numbers, or an array of shape "
        "(..., 2): shoulder, elbow.",
    ),
    (
        (["a", "b"], QD, 0),
        "q of tiny: ['a', 'b'] is not an array of real numbers. Give 2 numbers, or an array of shape (..., 2): "
        "shoulder, elbow.",
    ),
    (
        (Q, None, 0),
        "qd of tiny: None is not an array of real numbers. Give 2 numbers, or an array of shape (..., 2): shoulder, elbow.",
    ),
    (
        (Q, np.array([1, None]), 0),
        "qd of tiny: an array of object is not an array of real numbers. Give 2 numbers, or an array of shape (..., 2): "
        "shoulder, elbow.",
    ),
    ((Q, QD, "now"), "dt of tiny: 'now' is not an array of real numbers. Give a number, or an array of shape (...)."),
    (
        (np.zeros((5, 2)), np.zeros((4, 2)), np.zeros(3)),
        "tiny: the leading axes of the arguments do not broadcast: q (5,), qd (4,), dt (3,). Give each the same leading "
        "axes, or 1 in place of a length, or none.",
    ),
    ((Q, QD), "tiny: 2 arguments given; it takes 3 (q, qd, dt)."),
    ((), "tiny: 0 arguments given; it takes 3 (q, qd, dt)."),
    ((Q, QD, 0, 1), "tiny: 4 arguments given; it takes 3 (q, qd, dt)."),
]


@pytest.mark.parametrize(("arguments", "message"), MESSAGES, ids=lambda x: x[:30] if isinstance(x, str) else "")
def test_messages(arguments, message):
    with pytest.raises(InputError, match="^" + re.escape(message) + "$"):
        tiny().native(*arguments)


def test_a_ragged_list_is_named():
    with pytest.raises(
        InputError, match=r"^q of tiny: \[\[1, 2\], \[3\]\] is not an array of numbers \(.*\)\. Give 2 "
    ):
        tiny().native([[1, 2], [3]], QD, 0)


NAMED = [
    ({"dt": 0, "q": Q}, "tiny: q given twice; it takes 3 (q, qd, dt)."),
    (
        {"tau": 0},
        "tiny: there is no argument named 'tau'. Valid: q, qd, dt, out, threads.",
    ),
    ({"dt": 0, "threads": 0}, "threads: 0 threads; give an integer of at least 1 (this process may use "),
    ({"dt": 0, "threads": 1.5}, "threads: 1.5 threads; give an integer of at least 1 (this process may use "),
    ({"dt": 0, "out": np.zeros(2)}, "tiny: out is array([0., 0.]); it must be a tuple of 3 (tau, M, E), or omitted."),
    (
        {"dt": 0, "out": (np.zeros(2), np.zeros((2, 2)), 0.0)},
        "tiny: out for E is 0.0; it must be a writable float64 array of shape ().",
    ),
    (
        {"dt": 0, "out": (np.zeros(3), np.zeros((2, 2)), np.zeros(()))},
        "tiny: out for tau is a float64 array of shape (3,); it must be a writable float64 array of shape (2,).",
    ),
    (
        {"dt": 0, "out": (np.zeros(2, "f4"), np.zeros((2, 2)), np.zeros(()))},
        "tiny: out for tau is a float32 array of shape (2,); it must be a writable float64 array of shape (2,).",
    ),
    (
        {"dt": 0, "out": (np.broadcast_to(0.0, 2), np.zeros((2, 2)), np.zeros(()))},
        "tiny: out for tau is read-only; it must be a writable float64 array of shape (2,).",
    ),
]


@pytest.mark.parametrize(("named", "message"), NAMED, ids=lambda x: x[:40] if isinstance(x, str) else "")
def test_messages_about_names(named, message):
    with pytest.raises(InputError, match="^" + re.escape(message)):
        tiny().native(Q, QD, **named)


# Threads


@pytest.fixture
def many_threads(monkeypatch):
    monkeypatch.setattr(threads, "WORTH", 1e-9)
    yield
    set_threads(None)


def known_pace(seconds=1e-5):
    """A kernel that need not be timed: its ranges are the same on every machine."""
    pace = Pace()
    pace.seconds = seconds
    return pace


def all_helpers_are_idle():
    """Returns when every thread of the pool has put down what it was called for."""
    pool = threads._pool
    met = threading.Barrier(pool.threads + 1)
    for _ in range(pool.threads):
        pool.work.put(met.wait)
    met.wait(GUARD)


def test_ranges_cover_all_states_once(many_threads):
    for states in (1, 511, 512, 513, 5000, 70_001):
        for number in (1, 2, 5):
            log = []
            over_states(lambda begin, end, log=log: log.append((begin, end)), states, 8, number)
            log.sort()
            assert log[0][0] == 0 and log[-1][1] == states
            assert all(a[1] == b[0] for a, b in pairwise(log))
            assert all(begin % 8 == 0 for begin, _ in log)


def test_threads_share_the_work(many_threads):
    """No thread ends its first range before all three have one."""
    met, idents = threading.Barrier(3), set()

    def run(begin, end):
        if threading.get_ident() not in idents:
            idents.add(threading.get_ident())
            met.wait(GUARD)

    over_states(run, 5000, 8, 3, known_pace())
    assert len(idents) == 3 and threading.get_ident() in idents


def test_a_failure_on_a_thread_is_told(many_threads):
    main, failing = threading.get_ident(), threading.Event()

    def run(begin, end):
        if threading.get_ident() == main:
            assert failing.wait(GUARD)
        else:
            failing.set()
            raise MemoryError

    with pytest.raises(MemoryError):
        over_states(run, 50_000, 8, 3, known_pace())


def test_no_more_threads_to_be_had(many_threads, monkeypatch):
    def refuse(*_):
        raise RuntimeError("can't start new thread")

    log = []
    monkeypatch.setattr(threads, "_pool", threads._Pool())
    monkeypatch.setattr(threading.Thread, "start", refuse)
    over_states(lambda begin, end: log.append(end - begin), 5000, 8, 3)
    assert sum(log) == 5000


def test_results_do_not_depend_on_threads(many_threads):
    small = tiny()
    q = np.random.default_rng(5).normal(size=(20_003, 2))
    reference = small.general(q, QD, 0.5, threads=1)
    for number in (2, 3, 8):
        assert agree(small.general(q, QD, 0.5, threads=number), reference)
    sample = [3, 512, 20_002]
    assert agree([r[sample] for r in reference], expected(small, q[sample], QD, 0.5))


def test_how_many_threads(monkeypatch, many_threads):
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    assert thread_count() == cores
    monkeypatch.setenv("LEVERARM_THREADS", "3")
    assert thread_count() == 3
    set_threads(5)
    assert thread_count() == 5
    set_threads(None)
    monkeypatch.setenv("LEVERARM_THREADS", "many")
    with pytest.raises(InputError, match=r"^LEVERARM_THREADS: 'many' threads; give an integer of at least 1"):
        thread_count()


@pytest.mark.skipif(not hasattr(select, "poll"), reason="this system does not poll")
def test_the_lock_is_left_to_others():
    """A loop over states that lasts until another thread has run, or for minutes where the lock is held meanwhile."""

    class Polling:
        """In the place of loaded code: poll(places, 1 place, ms) of the C library, which takes what a loop takes."""

        def address(self, name):
            return ctypes.cast(ctypes.CDLL(None).poll, ctypes.c_void_p).value

    reading, writing = os.pipe()
    place = (ctypes.c_byte * 8).from_buffer_copy(struct.pack("ihh", reading, select.POLLIN, 0))
    begin = threading.Lock()

    def write():
        with begin:
            os.write(writing, b"x")

    other = threading.Thread(target=write)
    interval = sys.getswitchinterval()
    try:
        run = batch_function(Polling(), "poll")
        run(ctypes.addressof(place), 1, 0)
        assert struct.unpack("ihh", place)[2] == 0
        sys.setswitchinterval(GUARD)  # nobody is asked to give up Python's lock
        with begin:
            other.start()
        run(ctypes.addressof(place), 1, int(1000 * GUARD))
        assert struct.unpack("ihh", place)[2] == select.POLLIN
    finally:
        sys.setswitchinterval(interval)
        other.join()
        os.close(reading)
        os.close(writing)


def test_many_callers_at_once(many_threads):
    small = tiny()
    q = np.random.default_rng(6).normal(size=(3000, 2))
    wanted = small.general(q, QD, 0.5, threads=1)
    failures = []

    def call():
        for _ in range(20):
            one = small.native(q[5], QD, 0.5)
            if not agree(small.native(q, QD, 0.5, threads=3), wanted) or not np.array_equal(one[0], wanted[0][5]):
                failures.append(1)

    callers = [threading.Thread(target=call) for _ in range(8)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert not failures


@pytest.fixture
def interruptible():
    """Ctrl-C raises, also where the tests were started in the background, which ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


class Interrupted:
    """A kernel that is interrupted in a range of the calling thread, once so many threads are in their first ranges.

    The other threads stay in theirs until those that are left have been given up.
    """

    def __init__(self, number, monkeypatch):
        self.main, self.begun, self.ended = threading.get_ident(), [], []
        self.met, self.given_up = threading.Barrier(number), threading.Event()
        given_up = self.given_up

        class Ranges(deque):
            def clear(self):
                super().clear()
                given_up.set()

        monkeypatch.setattr(threads, "deque", Ranges)

    def __call__(self, begin, end):
        self.begun.append(begin)
        self.met.wait(GUARD)
        if threading.get_ident() == self.main:
            signal.raise_signal(signal.SIGINT)
        assert self.given_up.wait(GUARD)
        self.ended.append(begin)

    def check(self):
        """The caller's range broke off, those of the others ended before it went on, and no further one began."""
        begun, ended = set(self.begun), set(self.ended)
        assert len(begun) == len(self.begun) == self.met.parties
        assert len(ended) == len(self.ended) == self.met.parties - 1
        all_helpers_are_idle()
        assert (set(self.begun), set(self.ended)) == (begun, ended)


def test_an_interrupt_stops_the_work(many_threads, interruptible):
    log = []

    def run(begin, end):
        log.append(begin)
        if len(log) == 3:
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        over_states(run, 1_000_000, 8, 1, known_pace())
    assert len(log) == 3
    small = tiny()
    q = np.ones((3000, 2))
    assert agree(small.general(q, QD, 0.5, threads=2), small.general(q, QD, 0.5, threads=1))


def test_an_interrupt_stops_every_thread(many_threads, interruptible, monkeypatch):
    run = Interrupted(3, monkeypatch)
    with pytest.raises(KeyboardInterrupt):
        over_states(run, 1_000_000, 8, 3, known_pace())
    run.check()


@native_calls
@pytest.mark.parametrize("number", [1, 3])
def test_an_interrupt_stops_a_native_batch(many_threads, interruptible, monkeypatch, number):
    small, run = fresh(), Interrupted(number, monkeypatch)

    def long_batch(views, states, threads):
        over_states(run, states, 8, threads, known_pace())

    add_batch_call(small.native, small.native.__self__.batch, "double", MOST, long_batch)
    q = np.broadcast_to(Q, (1_000_000, 2))
    with pytest.raises(KeyboardInterrupt):
        small.native(q, QD, 0.25, threads=number)
    run.check()


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="this system sends no signals to threads")
def test_further_interrupts_wait_for_the_threads(many_threads, interruptible, monkeypatch):
    """The caller is interrupted three times: in its own range, then twice while it waits for a thread in its range."""
    main, begun, waits, interrupts, ended = threading.get_ident(), threading.Event(), [], [], []

    class Ranges(deque):
        """Given up whenever the caller begins to wait."""

        def clear(self):
            super().clear()
            waits.append(1)

    def interrupt(_number, frame):
        """In the range, then in each wait once; a signal at any other moment does nothing."""
        is_waiting = frame.f_code is threading.Condition.wait.__code__
        if len(interrupts) <= len(waits) and len(interrupts) < 3 and (is_waiting or not waits):
            interrupts.append(1)
            raise KeyboardInterrupt

    def run(begin, end):
        if threading.get_ident() == main:
            assert begun.wait(GUARD)
            signal.raise_signal(signal.SIGINT)
        begun.set()
        hanging = time.monotonic() + GUARD
        while len(interrupts) < 3:
            assert time.monotonic() < hanging
            if waits:
                signal.pthread_kill(main, signal.SIGINT)
            time.sleep(0.001)
        ended.append(begin)

    monkeypatch.setattr(threads, "deque", Ranges)
    signal.signal(signal.SIGINT, interrupt)
    with pytest.raises(KeyboardInterrupt):
        over_states(run, 50_000, 8, 2, known_pace())
    assert (len(interrupts), len(waits), len(ended)) == (3, 3, 1)


def test_a_kernel_is_timed_once():
    pace, log = Pace(), []
    over_states(lambda begin, end: log.append((begin, end)), 5000, 8, 1, pace)
    assert log[0] == (0, 512)
    assert pace.seconds > 0
    pace.seconds = threads.PIECE / 1004
    log.clear()
    over_states(lambda begin, end: log.append((begin, end)), 5000, 8, 1, pace)
    assert log == [(k, k + 1000) for k in range(0, 5000, 1000)]


AFTER_FORK = """
import atexit, os, sys
import numpy as np
sys.path.insert(0, {root!r})
from tests.support.tiny_kernel import tiny
from leverarm.runtime.calls import threads
threads.WORTH = 1e-9
small = tiny()
q = np.ones((5000, 2))
call = lambda: small.general(q, q[0], 0.5, threads=3)[0].tobytes()
wanted = call()
child = os.fork()
if child == 0:
    os._exit(0 if call() == wanted else 1)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
assert call() == wanted
atexit.register(call)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_child_has_threads_of_its_own():
    script = AFTER_FORK.format(root=str(ROOT))
    subprocess.run([sys.executable, "-W", "ignore", "-c", script], check=True, timeout=GUARD)


def test_evaluate_is_the_general_call():
    small = tiny()
    assert agree(evaluate(small.kernel, [Q, QD, 0.25]), small.general(Q, QD, 0.25))
