"""Machine code computes what the program says, bit for bit, on every machine, for every layout, and touches nothing else."""

from __future__ import annotations

import ctypes
import mmap
import os
import random
import subprocess
import sys

import numpy as np
import pytest

from leverarm.compiler.llvm import (
    assemble,
    assembly,
    host_machine,
    load,
    machine_named,
    machine_of,
    pieces,
    require_runnable,
    runnable_machines,
)
from leverarm.compiler.llvm.kernel import kernel_ir
from leverarm.compiler.llvm.machine import count_instructions
from leverarm.compiler.program import Array, Instruction, Program
from leverarm.errors import InputError
from leverarm.scalars.operations import Op
from tests.support.machine_code import Batch, Single, batch_module, exact_results, random_program

MACHINES = ["host", *runnable_machines()]
REALS = ["double", "float"]


def same_bits(a, b):
    return a.dtype == b.dtype and a.shape == b.shape and np.array_equal(a, b, equal_nan=True)


@pytest.mark.parametrize("machine", MACHINES)
def test_every_operation_rounds_as_the_program_says(machine):
    machine = machine_named(machine)
    rng, numbers = random.Random(1), np.random.default_rng(1)
    for _ in range(4):
        program = random_program(rng)
        arguments = [numbers.normal(size=(machine.lanes("double"), a.size)) for a in program.inputs]
        batched = np.hstack(Batch(program, "double", machine)(*arguments))
        single = np.hstack(Single(program, "double", machine).states(*arguments))
        for state in range(len(batched)):
            exact = exact_results(program, np.hstack(arguments)[state].tolist(), machine.has_fma)
            assert same_bits(batched[state], np.array(exact))
        assert same_bits(batched, single)


@pytest.mark.parametrize("real", REALS)
@pytest.mark.parametrize("machine", MACHINES)
def test_results_depend_neither_on_layout_nor_on_the_number_of_states(machine, real):
    machine = machine_named(machine)
    lanes = machine.lanes(real)
    program = random_program(random.Random(2), sizes=(1, 2, 3, 7, 19), results=(1, 3, 8, 11), length=150)
    batch = Batch(program, real, machine)
    rng = np.random.default_rng(2)
    most = 9 * lanes + 3
    arguments = [rng.normal(size=(most, a.size)).astype(batch.dtype) for a in program.inputs]
    whole = batch(*arguments)
    assert all(same_bits(a, b) for a, b in zip(whole, Single(program, real, machine).states(*arguments), strict=True))
    for states in [*range(1, 2 * lanes + 2), 8 * lanes, most]:
        for layout in LAYOUTS.values():
            given = [layout(a[:states]) for a in arguments]
            results = [layout(np.full_like(a[:states], 55)) for a in whole]
            batch.run([*given, *results])
            assert all(same_bits(np.ascontiguousarray(r), w[:states]) for r, w in zip(results, whole, strict=True))


def in_columns(a):
    return np.asfortranarray(a)


def every_other(a):
    spread = np.full((2 * a.shape[0], 3 * a.shape[1]), 33, a.dtype)[::2, ::3]
    spread[:] = a
    return spread


def backwards(a):
    reversed_memory = np.empty_like(a)[::-1, ::-1]
    reversed_memory[:] = a
    return reversed_memory


def slice_of_columns(a):
    wide = np.full((a.shape[1], a.shape[0] + 5), 33, a.dtype)[:, 2:-3].T
    wide[:] = a
    return wide


def slice_of_rows(a):
    wide = np.full((a.shape[0], a.shape[1] + 5), 33, a.dtype)[:, 2:-3]
    wide[:] = a
    return wide


def unaligned(a):
    raw = np.zeros(a.nbytes + 1, np.uint8)[1:].view(a.dtype).reshape(a.shape)
    raw[:] = a
    return raw


LAYOUTS = {
    f.__name__: f for f in (np.copy, in_columns, every_other, backwards, slice_of_columns, slice_of_rows, unaligned)
}


@pytest.mark.parametrize("machine", MACHINES)
def test_an_argument_may_be_the_same_for_all_states(machine):
    batch = Batch(random_program(random.Random(3)), "double", machine_named(machine))
    a, b = np.random.default_rng(3).normal(size=(21, 3)), np.random.default_rng(4).normal(size=7)
    shared = np.broadcast_to(b, (21, 7))
    assert all(same_bits(x, y) for x, y in zip(batch(a, shared), batch(a, shared.copy()), strict=True))


def test_parts_of_a_batch_are_the_batch():
    batch = Batch(random_program(random.Random(5)), "double", host_machine())
    arguments = [np.random.default_rng(5).normal(size=(150, size)) for size in (3, 7)]
    whole = batch(*arguments)
    results = [np.full_like(a, 55) for a in whole]
    for begin, end in ((0, 1), (1, 70), (70, 70), (70, 149), (149, 150)):
        batch.run([*arguments, *results], begin, end)
    assert all(same_bits(a, b) for a, b in zip(whole, results, strict=True))
    batch.run([*arguments, *results], 5, 3)
    assert all(same_bits(a, b) for a, b in zip(whole, results, strict=True))


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="protects pages with mprotect")
@pytest.mark.parametrize("machine", MACHINES)
def test_nothing_outside_the_arrays_is_read_or_written(machine):
    machine = machine_named(machine)
    rng = np.random.default_rng(6)
    for real in REALS:
        for size in (1, 2, 3, 7, 9, 20):
            batch = Batch(summing_program(size), real, machine)
            lanes = machine.lanes(real)
            for states in (1, lanes - 1, lanes, lanes + 1, 2 * lanes):
                numbers = rng.normal(size=(states, size)).astype(batch.dtype)
                for order, is_at_end in (("C", True), ("F", True), ("C", False), ("F", False)):
                    guarded = [Guarded(a, order, is_at_end) for a in (numbers, np.zeros_like(numbers))]
                    batch.run([g.array for g in guarded])
                    assert same_bits(guarded[1].array, numbers + numbers)


def summing_program(size):
    code = [Instruction(Op.INPUT, (), k) for k in range(size)] + [Instruction(Op.ADD, (k, k)) for k in range(size)]
    array = Array("x", (size,))
    return Program("sum", (array,), (array,), tuple(code), tuple(range(size, 2 * size)))


_NO_ACCESS = 0


class Guarded:
    """An array that begins or ends where the neighbouring page may not be touched."""

    page = mmap.PAGESIZE

    def __init__(self, numbers, order, is_at_end):
        used = -(-numbers.nbytes // self.page) * self.page
        self.memory = mmap.mmap(-1, used + 2 * self.page)
        whole = np.frombuffer(self.memory, np.uint8)
        for guard in (0, self.page + used):
            place, length = ctypes.c_void_p(whole.ctypes.data + guard), ctypes.c_size_t(self.page)
            assert ctypes.CDLL(None).mprotect(place, length, _NO_ACCESS) == 0
        first = self.page + (used - numbers.nbytes if is_at_end else 0)
        part = whole[first : first + numbers.nbytes].view(numbers.dtype)
        self.array = part.reshape(numbers.shape) if order == "C" else part.reshape(numbers.shape[::-1]).T
        self.array[:] = numbers


@pytest.mark.parametrize("machine", MACHINES)
def test_a_program_in_pieces_computes_the_same(machine, monkeypatch):
    machine = machine_named(machine)
    program = random_program(random.Random(7), length=400)
    angle = len(program.code)
    extra = [Instruction(Op.SIN, (angle - 1,)), Instruction(Op.COS, (0,)), Instruction(Op.SIN, (angle + 1,))]
    program = program.with_code([*program.code, *extra], [*program.results[:-3], angle, angle + 1, angle + 2])
    arguments = [np.random.default_rng(7).normal(size=(9, size)) for size in (3, 7)]
    whole = Batch(program, "double", machine)(*arguments)
    monkeypatch.setattr(pieces, "LARGEST", 50)
    monkeypatch.setattr(pieces, "_LENGTH", 24)
    parts, places = pieces.pieces_of(program)
    assert len(parts) > 10
    assert 0 < places < len(program.code)
    assert sorted(k for part in parts for step in part.steps for k in pieces.made_by(step)) == list(
        range(len(program.code))
    )
    for one in (Batch(program, "double", machine)(*arguments), Single(program, "double", machine).states(*arguments)):
        assert all(same_bits(a, b) for a, b in zip(one, whole, strict=True))


def test_long_runs_of_constants_are_results():
    code = (Instruction(Op.INPUT, (), 0), Instruction(Op.CONST, (), 0.0), Instruction(Op.CONST, (), 2.5))
    results = (1,) * 20 + (0,) + (2,) * 9 + (1,) * 3 + (2,) * 17
    program = Program("constants", (Array("x", (1,)),), (Array("a", (27,)), Array("b", (23,))), code, results)
    batch = Batch(program, "double", host_machine())
    x = np.arange(11.0).reshape(11, 1)
    a, b = batch(x)
    expected = np.choose(np.array(results), [np.full((11, 50), x), 0.0, 2.5])
    assert same_bits(np.hstack([a, b]), expected)


def test_code_is_the_same_every_time_and_can_be_loaded_twice():
    machine = host_machine()
    program = random_program(random.Random(8))
    module = batch_module(program, "double", machine)
    assert module == batch_module(program, "double", machine)
    code = assemble(module, machine)
    assert code == assemble(module, machine)
    loaded = load(code, machine), load(code, machine)
    assert loaded[0].address("batch") != loaded[1].address("batch")
    with pytest.raises(LookupError, match="nothing_here"):
        loaded[0].address("nothing_here")


@pytest.mark.parametrize("name", ["avx512", "avx2", "sse2", "neon"])
@pytest.mark.parametrize("real", REALS)
def test_code_is_made_for_machines_that_are_not_here(name, real):
    machine = machine_named(name)
    program = random_program(random.Random(9), length=20)
    text = assembly(batch_module(program, real, machine), machine)
    has_fused = any(word in text for word in ("vfmadd", "fmla", "fmadd"))
    assert has_fused is machine.has_fma
    instructions, spills, reloads = count_instructions(text)
    assert instructions > 60
    assert 0 <= spills <= instructions
    assert 0 <= reloads <= instructions


@pytest.mark.parametrize("triple", ["riscv64-unknown-linux-gnu", "powerpc64le-unknown-linux-gnu", "arm64-apple-darwin"])
def test_code_is_made_for_any_processor_that_llvm_knows(triple):
    machine = machine_of(triple, features="+d" if triple.startswith("riscv") else "")
    code = assemble(kernel_ir(random_program(random.Random(9)), "kernel", 1, "double", machine), machine)
    assert len(code) > 100


def test_machines_by_name_and_by_their_parts():
    assert machine_of("x86_64-unknown-linux-gnu", "x86-64-v3").lanes("double") == 4
    assert machine_of("x86_64-unknown-linux-gnu", "x86-64-v4").lanes("float") == 16
    assert machine_of("aarch64-unknown-linux-gnu").lanes("double") == 2
    assert not machine_of("x86_64-unknown-linux-gnu").has_fma
    assert machine_named("host") == host_machine()
    with pytest.raises(InputError, match=r"no machine named 'avx3'; did you mean 'avx2'.*Valid: host, avx512"):
        machine_named("avx3")


def test_code_for_another_machine_is_not_run():
    machine = machine_named("neon" if host_machine().name != "neon" else "sse2")
    code = assemble(kernel_ir(random_program(random.Random(9)), "kernel", 1, "double", machine), machine)
    with pytest.raises(InputError, match=f"'{machine.name}'.* cannot run here: .*{host_machine().name}.*export"):
        load(code, machine)
    require_runnable(host_machine())


def test_spills_are_counted_from_llvms_comments():
    text = "f:\n\t.cfi_startproc\n# %bb.0:\n\tvmovupd\t%zmm2, 8(%rsp)   # 64-byte Spill\n\taddq\t$1, %rax\n"
    text += "\tvmovupd\t8(%rsp), %zmm2   # 64-byte Reload\n\tvaddpd\t8(%rsp), %zmm0, %zmm1 # 64-byte Folded Reload\n\tretq\n"
    assert count_instructions(text) == (5, 1, 2)


SCATTERED = """
import ctypes
import numpy as np
import leverarm as la

libc = ctypes.CDLL(None)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
PAGE, NO_ACCESS, PRIVATE_ANONYMOUS_UNRESERVED = 4096, 0, 0x4022

def taken(pages):
    return libc.mmap(None, pages * PAGE, NO_ACCESS, PRIVATE_ANONYMOUS_UNRESERVED, -1, 0)

arm, x = la.load("panda"), np.full(7, 0.3)
right = la.compile(arm, ["inverse_dynamics"]).inverse_dynamics(x, x, x)
for pages in (1, 1, 8) * 1000:
    taken(pages)
for pages in range(1, 10):
    holes = []
    for _ in range(20):
        holes.append(taken(pages))
        taken(3 << 18)  # three gigabytes, of which nothing is used
    for hole in holes:
        libc.munmap(hole, pages * PAGE)
    for _ in range(3):
        assert (la.compile(arm, ["inverse_dynamics"]).inverse_dynamics(x, x, x) == right).all()
print("fine")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="how memory is mapped is Linux's")
def test_code_is_loaded_where_free_memory_lies_far_apart():
    """LLVM ends the process where the parts of an object are too far apart."""
    done = subprocess.run([sys.executable, "-c", SCATTERED], capture_output=True, text=True)
    assert done.stdout == "fine\n", done.stderr[-2000:]
