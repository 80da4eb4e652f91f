"""Array code: the text, what it may hold, and what it computes on NumPy arrays of any batch shape."""

from __future__ import annotations

import ast
import tracemalloc

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from leverarm.compiler import Array, Instruction, Program, program_of
from leverarm.compiler.array_code import LIBRARIES, array_code, array_function, array_module
from leverarm.compiler.lowering import lower
from leverarm.scalars import Node, Op, Tape, cos_sin, sign
from leverarm.scalars.tape import evaluated

GOLDEN = '''\
# a comment

import numpy as xp


def gathered(entries, like, shape):
    """The entries as one array: the batch's axes, then the axes of `shape`."""
    return xp.stack([xp.broadcast_to(x, like.shape) for x in entries], -1).reshape(tuple(like.shape) + shape)


def sample(q, dt):
    """sample: 7 flops per state.

    q (..., 2) positions: a [rad], b [m]
    dt (...) time step [s]
    returns A (..., 2, 2)
    returns e (...)
    """
    like = 1.0*(q[..., 0] + dt)  # has the batch's shape, precision and device
    q1 = q[..., 0]
    q2 = q[..., 1]
    cos_q1 = xp.cos(q1)
    v1 = q2*cos_q1
    v2 = v1 - (q2 - 0.5*dt)
    v3 = -v1
    v4 = dt*(1.0/(q2 + v1))
    zero = xp.full_like(like, 0.0)
    one = xp.full_like(like, 1.0)
    return (
        gathered(
            (
                v2, zero,
                one, v3,
            ),
            like,
            (2, 2),
        ),
        gathered(
            (
                v4,
            ),
            like,
            (),
        ),
    )
'''


def sample():
    tape = Tape()
    a, b, dt = tape.input("a"), tape.input("b"), tape.input("dt")
    c, _ = cos_sin(a)
    p = c * b
    arrays = [Array("q", (2,), "positions", ("a [rad]", "b [m]")), Array("dt", (), "time step [s]")]
    entries = [p - (b - 0.5 * dt), 0, 1, -p, dt / (p + b)]
    return program_of("sample", arrays, [Array("A", (2, 2)), Array("e", ())], entries)


def test_the_text_is_readable_and_always_the_same():
    assert array_module([sample()], "numpy", "a comment") == GOLDEN
    assert array_module([sample()], "numpy", "a comment") == array_module([sample()], "numpy", "a comment")


@pytest.mark.parametrize("library", LIBRARIES)
def test_every_library_gets_a_module_that_parses(library):
    text = array_module([sample(), lower(sample()).program], library, "two\nlines")
    assert text.startswith("# two\n# lines\n\nimport ")
    assert [node.name for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)] == [
        "gathered",
        "sample",
        "sample",
    ]


def test_nothing_of_a_name_is_run():
    """Names of joints and symbols come from files: they end up as identifiers and as text, never as code."""
    hostile = 'q"""\nraise SystemExit\n"""\\'
    program = sample()
    arrays = tuple(Array(hostile, a.shape, hostile, (hostile,)) for a in program.inputs)
    bad = Program(hostile, arrays, program.outputs, program.code, program.results)
    text = array_module([bad], "numpy", hostile)
    first, *functions = ast.parse(text).body
    assert ast.unparse(first) == "import numpy as xp"
    assert [type(node) for node in functions] == [ast.FunctionDef] * 2
    function = functions[1]
    statements = {type(node) for node in function.body[1:]}
    assert statements <= {ast.Assign, ast.Delete, ast.Return}
    assert len(function.args.args) == 2 == len({a.arg for a in function.args.args})
    expected = array_function(program, "numpy")(np.array([0.3, 0.4]), np.array(0.1))
    assert [x.tolist() for x in array_function(bad, "numpy")(np.array([0.3, 0.4]), np.array(0.1))] == [
        x.tolist() for x in expected
    ]


def test_names_that_mean_something_else_are_avoided():
    tape = Tape()
    inputs = [tape.input(f"x{k}") for k in range(6)]
    names = ["xp", "like", "lambda", "v1", "q", "q1"]
    total = inputs[0] * inputs[1] + inputs[2] * inputs[3] + inputs[4] * inputs[5]
    program = program_of(
        "class",
        [*(Array(name, ()) for name in names[:4]), Array("q", (1,)), Array("q1", ())],
        [Array("y", (2,))],
        [total, total * total],
    )
    y = array_function(program, "numpy")(2.0, 3.0, 5.0, 7.0, np.array([11.0]), 13.0)
    assert y.tolist() == [184.0, 184.0**2]


@pytest.mark.parametrize(
    "shapes", [((), ()), ((4,), ()), ((), (3,)), ((5, 1), (4,)), ((0,), ()), ((2, 3, 1), (1, 6))], ids=str
)
def test_leading_axes_broadcast(shapes):
    """Entries that depend on one argument only, or on none, have the shape of the batch too."""
    rng = np.random.default_rng(1)
    q, dt = rng.uniform(-1, 1, (*shapes[0], 2)), rng.uniform(1, 2, shapes[1])
    batch = np.broadcast_shapes(*shapes)
    A, e = array_function(sample(), "numpy")(q, dt)
    assert A.shape == (*batch, 2, 2) and e.shape == batch
    a, b = np.moveaxis(np.broadcast_to(q, (*batch, 2)), -1, 0)
    assert np.array_equal(e, np.broadcast_to(dt, batch) * (1 / (np.cos(a) * b + b)))
    assert np.array_equal(A[..., 1, 1], -np.cos(a) * b)
    assert np.all(A[..., 1, 0] == 1) and np.all(A[..., 0, 1] == 0)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_precision_is_that_of_the_arrays(dtype):
    A, e = array_function(sample(), "numpy")(np.full((3, 2), 0.5, dtype), np.full(3, 0.5, dtype))
    assert A.dtype == e.dtype == dtype


def test_whole_numbers_do_not_cut_constants():
    program = program_of("f", [Array("x", (1,))], [Array("y", (2,))], [0.25, 0.5])
    assert array_function(program, "numpy")(np.array([[1], [2]])).tolist() == [[0.25, 0.5]] * 2


def test_fused_operations_are_written_out():
    inputs = [Instruction(Op.INPUT, (), k) for k in range(3)]
    for op, expected in ((Op.FMA, "x1*x2 + x3"), (Op.FMS, "x1*x2 - x3"), (Op.FNMA, "x3 - x1*x2")):
        program = Program("f", (Array("x", (3,)),), (Array("y", ()),), (*inputs, Instruction(op, (0, 1, 2))), (3,))
        assert f"    v1 = {expected}\n" in array_code(program)


STEP = st.tuples(st.integers(0, 7), st.integers(0, 99), st.integers(0, 99))


COMBINED = (
    lambda a, b, number: a + b,
    lambda a, b, number: a - b,
    lambda a, b, number: a * b,
    lambda a, b, number: -a,
    lambda a, b, number: a * number,
    lambda a, b, number: a + number,
    lambda a, b, number: 1 / (a * a + 1),
    lambda a, b, number: sign(a),
)


@given(st.lists(STEP, max_size=40))
def test_text_computes_what_the_tape_does(steps):
    """Bit for bit, because parentheses keep the order of operations."""
    tape = Tape()
    values = [tape.input(f"x{k}") for k in range(3)]
    for kind, i, j in steps:
        a, b = values[i % len(values)], values[j % len(values)]
        made = COMBINED[kind](a, b, (j - 50) / 64)
        if isinstance(made, Node):
            values.append(made)
    outputs, points = values[-6:], [(0.3, -0.7, 1.1), (-0.2, 0.4, 0.9)]
    expected = [evaluated(values, dict(zip(tape.inputs, point, strict=True))) for point in points]
    assume(np.abs(expected).max() < 1e100)
    program = program_of("f", [Array("x", (3,))], [Array("y", (len(outputs),))], outputs)
    assert array_function(program, "numpy")(np.array(points)).tolist() == [row[-6:] for row in expected], array_code(
        program
    )


def test_values_are_let_go_when_nothing_needs_them():
    """A batch holds few intermediate values at once, however long the program."""
    tape = Tape()
    x, y = tape.input("x"), tape.input("y")
    for _ in range(500):
        x, y = x * 0.5 + y * 0.25, x * y - 0.5 * y
    program = program_of("f", [Array("x", (2,))], [Array("z", (2,))], [x, y])
    at = np.full((10_000, 2), 0.5)
    function = array_function(program, "numpy")
    tracemalloc.start()
    function(at)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 60 * 10_000 * 8
