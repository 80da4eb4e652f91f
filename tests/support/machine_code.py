"""Runs programs as machine code, and exactly in Python, for the tests of the compiler."""

from __future__ import annotations

import ctypes
from fractions import Fraction

import numpy as np

from leverarm.compiler.llvm import assemble, load
from leverarm.compiler.llvm.batch import batch_ir
from leverarm.compiler.llvm.kernel import kernel_ir, module_ir
from leverarm.compiler.program import Array, Instruction, Program
from leverarm.scalars.operations import ARITHMETIC, Op

DTYPE = {"double": np.float64, "float": np.float32}


class View(ctypes.Structure):
    _fields_ = (("data", ctypes.c_void_p), ("state_stride", ctypes.c_int64), ("entry_stride", ctypes.c_int64))


def batch_module(program, real, machine):
    lanes = machine.lanes(real)
    kernel = kernel_ir(program, "kernel", lanes, real, machine)
    return module_ir(kernel, batch_ir(program, "batch", "kernel", lanes, real, machine))


class Batch:
    """A program's loop over states: called with arrays of shape (states, entries), arguments and then results."""

    def __init__(self, program, real, machine):
        self.program, self.dtype = program, DTYPE[real]
        self.loaded = load(assemble(batch_module(program, real, machine), machine), machine)
        kind = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)
        self.function = kind(self.loaded.address("batch"))

    def run(self, arrays, begin=0, end=None):
        views = (View * len(arrays))(*[View(a.ctypes.data, *a.strides) for a in arrays])
        self.function(views, begin, len(arrays[0]) if end is None else end)

    def __call__(self, *arguments):
        """The results in new arrays."""
        states = len(arguments[0])
        results = [np.full((states, a.size), 77, self.dtype) for a in self.program.outputs]
        self.run([*arguments, *results])
        return results


class Single:
    """A program's function of one state: called with one-dimensional arrays."""

    def __init__(self, program, real, machine):
        self.program, self.dtype = program, DTYPE[real]
        self.loaded = load(assemble(kernel_ir(program, "kernel", 1, real, machine), machine), machine)
        count = len(program.inputs) + len(program.outputs)
        self.function = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * count)(self.loaded.address("kernel"))

    def __call__(self, *arguments):
        arguments = [np.ascontiguousarray(a, self.dtype) for a in arguments]
        results = [np.full(a.size, 77, self.dtype) for a in self.program.outputs]
        self.function(*[a.ctypes.data for a in [*arguments, *results]])
        return results

    def states(self, *arguments):
        """State by state, the results in arrays of shape (states, entries)."""
        rows = [self(*state) for state in zip(*arguments, strict=True)]
        return [np.array(column) for column in zip(*rows, strict=True)]


def random_program(rng, sizes=(3, 7), results=(5, 2), length=60):
    """Arithmetic on arguments and constants in a random order; every operation but functions occurs."""
    inputs = [Array(f"in{k}", (size,)) for k, size in enumerate(sizes)]
    outputs = [Array(f"out{k}", (size,)) for k, size in enumerate(results)]
    code = [Instruction(Op.INPUT, (), k) for k in range(sum(sizes))]
    code += [Instruction(Op.CONST, (), value) for value in (0.0, -1.5, 0.1)]
    ops = [*ARITHMETIC, *rng.choices([*ARITHMETIC], k=length)]
    for op in ops:
        code.append(Instruction(op, tuple(rng.randrange(len(code)) for _ in range(op.arity))))
    chosen = [rng.randrange(len(code) // 2, len(code)) for _ in range(sum(results) - 1)]
    zero = sum(sizes)
    return Program("random", tuple(inputs), tuple(outputs), tuple(code), (zero, *chosen))


def exact_results(program, numbers, has_fma):
    """The results in floats as the machine must compute them: each operation rounds once, fused ones only if it has them."""
    values = []
    for op, args, value in program.code:
        a = [values[k] for k in args]
        if op is Op.INPUT:
            values.append(numbers[int(value)])
        elif op is Op.CONST:
            values.append(value)
        elif op.arity == 3 and has_fma and np.isfinite(a).all():
            x, y, z = (Fraction(v) for v in a)
            total = {Op.FMA: x * y + z, Op.FMS: x * y - z, Op.FNMA: z - x * y}[op]
            values.append(_rounded(total) or ARITHMETIC[op](*a) * 0.0)
        else:
            with np.errstate(all="ignore"):
                values.append(float(ARITHMETIC[op](*[np.float64(v) for v in a])))
    return [values[k] for k in program.results]


def _rounded(value):
    try:
        return float(value)
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")
