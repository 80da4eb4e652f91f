"""One matrix: every quantity, on every arm of the catalog, in both precisions, on every path, gives the reference's numbers.

Two steps. First, each path against its own program, at states that are exact in both precisions: every result lies in the
ball that rounding can lead to, computed with Arb, each operation's rounding added as a ball; and paths with the same
arithmetic give the same bits. Second, the program against the reference mechanics, both in 160 bits: they differ only by how
the arm's numbers were rounded into the program's constants (4e-15 of the largest entry at most).

How much the first step says, at the three best of some states (tests/compiler/test_accuracy.py has worse ones): balls of float64
have a radius below 1e-12 of the largest entry (typically 1e-15), balls of float32 2^29 times that, except where something
nearly singular is inverted and rounding may really do more. That is operational_inertia of arms whose tool has few free axes
or a wrist (torso 1e-10, ur10 5e-11, kinova, xarm7, panda, iiwa14 and lwr 1e-12 to 8e-12; in float32 up to 6e-2) and
forward_dynamics_derivatives of arms with light last links (panda 3e-12, xarm7 1e-12; in float32 2e-3). The second step is as
sharp for these as for the others, and so is the equality of bits.
"""

from __future__ import annotations

import ctypes
import math
import platform
import shutil
from dataclasses import dataclass, replace

import numpy as np
import pytest
from flint import arb

import leverarm as la
from leverarm.compiler.array_code import array_function
from leverarm.compiler.llvm import assemble, host_machine, load, machine_named, runnable_machines
from leverarm.compiler.llvm.kernel import kernel_ir
from leverarm.compiler.lowering import Lowered, lower
from leverarm.runtime.building import FunctionBuilder
from leverarm.runtime.cache import Cache
from leverarm.runtime.calls.kernel import DTYPE
from leverarm.runtime.calls.views import evaluate
from leverarm.runtime.export.description import Bundle, Function
from leverarm.runtime.quantities import QUANTITIES
from leverarm.runtime.requests import Request, request_for, traced
from leverarm.scalars.operations import Op
from tests.support.ball_arithmetic import exact_results, exactly, over_balls, result_balls
from tests.support.c_library import built
from tests.support.levels import at_level
from tests.support.loaded_arms import under_load

REALS = ("double", "float")
CANDIDATES, STATES = at_level(8, 8, 16), 3
REPEATED = 2 * 16 + 1
"""More states than two blocks of the widest vectors."""
ALIKE = ("xarm7", "iiwa14", "lwr", "kinova", "torso")
"""Arms of seven joints and more, beside the Panda."""
WITH_BATCHES = ("puma560",)
"""Whose loops over states are compiled too: they are the same for every program but for its sizes, and take the longest."""
IN_BOTH = [name for name in la.catalog_names() if name not in at_level(ALIKE, ALIKE, ())]
"""The arms that are tried in both precisions."""
NARROW = {"operational_inertia": 1e-9, "forward_dynamics_derivatives": 1e-11}
"""How wide the balls of float64 may be, where not 1e-12: a test by wide balls would be no test."""
CONSTANTS = 1e-14
"""Of the largest entry: what some forty roundings of the arm's numbers, before anything is compiled, may change."""


@dataclass(frozen=True)
class Case:
    """A quantity of an arm, lowered; states, flat, exact in both precisions; and results, flat, as balls by precision."""

    request: Request
    lowered: Lowered
    states: list[list[float]]
    balls: dict[str, list]

    @property
    def program(self):
        return self.lowered.program

    def arguments(self, real, rows):
        """Arrays with a state in each row: the states, as often as needed."""
        table = np.array([self.states[k % len(self.states)] for k in range(rows)], DTYPE[real])
        sizes = np.cumsum([array.size for array in self.request.arguments])[:-1]
        parts = np.split(table, sizes, axis=1)
        return [part.reshape(rows, *a.shape) for part, a in zip(parts, self.request.arguments, strict=True)]


def case_of(request):
    """Of some states those with the smallest balls: near a singular pose rounding may do almost anything."""
    lowered = lower(traced(request))
    rng = np.random.default_rng(7)
    candidates = []
    for _ in range(CANDIDATES):
        state = [x for a in request.arguments for x in _numbers(a, rng)]
        candidates.append((looseness(lowered.program, result_balls(lowered.program, state, "double")), state))
    chosen = sorted(candidates)[:STATES]
    assert chosen[-1][0] <= NARROW.get(request.quantity, 1e-12), (request.quantity, chosen[-1][0])
    states = [state for _, state in chosen]
    balls = {real: [result_balls(lowered.program, state, real) for state in states] for real in REALS}
    return Case(request, lowered, states, balls)


def _numbers(array, rng):
    return [1 / 128] if array.name == "dt" else (rng.integers(-256, 257, array.size) / 128).tolist()


def looseness(program, balls):
    """The largest radius as a part of the largest entry of its array; infinite where there is no bound."""
    parts = []
    for part in parts_of(program, balls):
        largest = max((abs(float(ball.mid())) for ball in part), default=0.0)
        parts += [float(ball.rad()) / (largest or 1.0) if ball.is_finite() else math.inf for ball in part]
    return max(parts, default=0.0)


def parts_of(program, entries):
    """The entries of all results, array by array."""
    begin = 0
    for array in program.outputs:
        yield entries[begin : begin + array.size]
        begin += array.size


def flat(results, rows):
    """The results of all rows in a table."""
    parts = results if isinstance(results, tuple) else (results,)
    return np.concatenate([np.reshape(part, (rows, -1)) for part in parts], axis=1)


def check_balls(case, real, path, table):
    """Each result within its ball; a structural zero is a ball without a radius."""
    assert table.dtype == DTYPE[real], (case.request.quantity, path)
    for row, balls in zip(table.tolist(), case.balls[real], strict=False):
        for k, (x, ball) in enumerate(zip(row, balls, strict=True)):
            assert ball.contains(arb(x)) or not ball.is_finite(), (case.request.quantity, real, path, k, x, ball)


def check_constants(case, mechanism):
    """The program against the reference mechanics, by the first algorithm and without regrouped inertias, in 160 bits."""
    quantity, names = QUANTITIES[case.request.quantity], [a.name for a in case.request.arguments]

    def reference(*vectors):
        return quantity.computed(0, mechanism, case.request.choices, dict(zip(names, vectors, strict=True)))

    for state, vectors in zip(case.states, zip(*case.arguments("double", STATES), strict=True), strict=True):
        expected = exactly(reference, *[np.ravel(v).tolist() for v in vectors])
        found = exact_results(case.program, state)
        for ours, theirs in zip(parts_of(case.program, found), parts_of(case.program, expected), strict=True):
            off = max((abs(float(x - y)) for x, y in zip(ours, theirs, strict=True)), default=0.0)
            largest = max((abs(float(y)) for y in theirs), default=0.0)
            assert off <= CONSTANTS * largest, (case.request.quantity, off / largest)


class Vectors:
    """The kernel of as many states as a vector holds, by itself; several vectors where one has fewer than there are states."""

    def __init__(self, program, real, machine):
        self.program, self.real, self.lanes = program, real, machine.lanes(real)
        self.loaded = load(assemble(kernel_ir(program, "kernel", self.lanes, real, machine), machine), machine)

    def __call__(self, case):
        """The results in a table, a state in each row."""
        whole = -(-STATES // self.lanes) * self.lanes
        arguments = [np.reshape(a, (whole, -1)) for a in case.arguments(self.real, whole)]
        places = [self._aligned(a.size) for a in (*self.program.inputs, *self.program.outputs)]
        call = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * len(places))(self.loaded.address("kernel"))
        tables = []
        for begin in range(0, whole, self.lanes):
            for place, numbers in zip(places, arguments, strict=False):
                place[:] = numbers[begin : begin + self.lanes].T
            call(*[place.ctypes.data for place in places])
            tables.append(np.concatenate(places[len(arguments) :]).T)
        return np.concatenate(tables)

    def _aligned(self, entries):
        """Room for [entry][lane], aligned to a vector of 64 bytes."""
        size = entries * self.lanes * DTYPE[self.real].itemsize
        room = np.zeros(size + 64, np.uint8)
        start = -room.ctypes.data % 64
        return room[start : start + size].view(DTYPE[self.real]).reshape(entries, self.lanes)


def machines():
    """This computer, and in a thorough run what else it can be: other widths of vectors, other arithmetic."""
    host = host_machine()
    others = map(machine_named, at_level([], [], runnable_machines()))
    return [host, *(m for m in others if (m.vector_bits, m.has_fma) != (host.vector_bits, host.has_fma))]


def c_flags():
    """C rounds as this computer does; in a thorough run as C compilers do unless they are told."""
    fuses = host_machine().has_fma and platform.machine() in ("x86_64", "AMD64")
    return at_level(*[("-O0", *(["-mfma"] if fuses else []))] * 2, ())


NAMES = list(QUANTITIES)
PARTS = [NAMES[k::3] for k in range(3)]
"""The quantities in parts of about the same work, so that processors share it."""


@pytest.mark.parametrize("part", PARTS, ids=["first", "second", "third"])
@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[] if n == "scara" else pytest.mark.slow) for n in la.catalog_names()]
)
def test_every_quantity_on_every_path(name, part, tmp_path):
    arm = la.load(name)
    mechanism = over_balls(arm)
    cases = [case_of(request_for(arm, quantity)) for quantity in part]
    for case in cases:
        check_constants(case, mechanism)
    for real in REALS if name in IN_BOTH else REALS[:1]:
        functions = tuple(Function(f"arm_{c.request.quantity}", "", c.request, c.program) for c in cases)
        bundle = Bundle(arm, "arm", "c", real, functions, ())
        c = built(bundle, tmp_path / real, *c_flags()) if shutil.which("gcc") else None
        for case in cases:
            check_paths(case, real, c)


LOADED = (
    "inverse_dynamics", "forward_dynamics", "joint_loads", "regressor", "inverse_dynamics_derivatives",
    "forward_dynamics_derivatives",
)  # fmt: skip


@pytest.mark.parametrize("real", REALS)
def test_friction_that_grows_with_the_load_on_every_path(real, tmp_path):
    arm = under_load(la.load("scara"), 0.05)
    mechanism = over_balls(arm)
    cases = [case_of(request_for(arm, quantity)) for quantity in LOADED]
    functions = tuple(Function(f"arm_{c.request.quantity}", "", c.request, c.program) for c in cases)
    c = built(Bundle(arm, "arm", "c", real, functions, ()), tmp_path, *c_flags()) if shutil.which("gcc") else None
    for case in cases:
        check_constants(case, mechanism)
        check_paths(case, real, c)


def check_paths(case, real, c):
    """Array code, a call with one state, every width of vectors, batches, and C."""
    quantity, host = case.request.quantity, host_machine()
    arguments = case.arguments(real, STATES)
    check_balls(case, real, "array code", flat(array_function(case.program, "numpy")(*arguments), STATES))
    kernel = FunctionBuilder(case.request, real, host, lambda: Cache(None, 0), case.lowered).kernel()
    alone = np.array([flat(evaluate(kernel, [a[k] for a in arguments]), 1)[0] for k in range(STATES)])
    check_balls(case, real, host.name, alone)
    by_rounding = {host.has_fma: alone}
    for machine in machines():
        table = Vectors(case.program, real, machine)(case)
        if machine.has_fma not in by_rounding:
            by_rounding[machine.has_fma] = table[:STATES]
            check_balls(case, real, machine.name, table[:STATES])
        check_bits(table, by_rounding[machine.has_fma], (quantity, real, machine.name))
    if case.request.arm.name in WITH_BATCHES:
        check_bits(flat(evaluate(kernel, case.arguments(real, REPEATED)), REPEATED), alone, (quantity, real, "batch"))
    if c is not None:
        # where a processor always fuses, or the compiler was told to, so does C
        found = np.array([c(quantity, [a[k] for a in arguments]) for k in range(STATES)])
        check_bits(found, by_rounding.get(False, alone), (quantity, real, "C"))


def check_bits(table, expected, where):
    """Row by row the same numbers, the expected ones as often as needed."""
    for k, row in enumerate(table):
        assert np.array_equal(row, expected[k % STATES]), where


# what the matrix would notice ----------------------------------------------------------------------------------------


def perturbed(case, part):
    """The case with each constant in turn off by a part of itself; not those that are nothing but rounding."""
    for k, instruction in enumerate(case.program.code):
        if instruction.op is Op.CONST and abs(instruction.value) > 1e-15:
            code = list(case.program.code)
            code[k] = instruction._replace(value=instruction.value * (1 + part))
            yield replace(
                case, lowered=replace(case.lowered, program=case.program.with_code(code, case.program.results))
            )


@pytest.mark.parametrize("quantity", ["inverse_dynamics", "forward_dynamics", "jacobian", "operational_inertia"])
def test_a_wrong_constant_is_noticed(quantity):
    """An error of 1e-9 in a constant, even where the balls are wide; few constants matter so little that it takes 1e-7."""
    arm = la.load("ur5")
    case, mechanism = case_of(request_for(arm, quantity)), over_balls(arm)
    check_constants(case, mechanism)
    small = [is_noticed(one, mechanism) for one in perturbed(case, 1e-9)]
    assert small and sum(small) >= 0.9 * len(small)
    assert all(is_noticed(one, mechanism) for one in perturbed(case, 1e-7))


def is_noticed(case, mechanism):
    try:
        check_constants(case, mechanism)
    except AssertionError:
        return True
    return False


@pytest.mark.parametrize("quantity", QUANTITIES)
def test_a_wrong_result_is_noticed(quantity):
    """An error of 1e-9 in any one result that is not small beside the largest: the balls are narrower than that."""
    case = case_of(request_for(la.load("panda"), quantity))
    table = flat(array_function(case.program, "numpy")(*case.arguments("double", STATES)), STATES)
    check_balls(case, "double", "array code", table)
    least = np.concatenate([np.full(len(part), np.abs(part).max()) for part in parts_of(case.program, table[0])]) / 100
    large = np.flatnonzero(np.abs(table[0]) > least)
    assert large.size
    for k in large:
        wrong = table.copy()
        wrong[0, k] *= 1 + 1e-9
        with pytest.raises(AssertionError):
            check_balls(case, "double", "array code", wrong)
