"""A compiled arm: every quantity as machine code behind a function of arrays.

`explain` reports how a quantity was compiled: operations per pass, instructions, spills, times, and the call path.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from textwrap import wrap
from threading import RLock
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from leverarm.compiler.llvm import Loaded, Machine, assembly, host_machine, machine_named
from leverarm.compiler.llvm.machine import count_instructions
from leverarm.errors import InputError, SingularError, unknown_name
from leverarm.model import Arm
from leverarm.runtime.building import MANY, ONE, FunctionBuilder, Record, make_all
from leverarm.runtime.calls.arguments import in_order
from leverarm.runtime.calls.kernel import DTYPE, Kernel, real_of
from leverarm.runtime.calls.object_headers import obstacle
from leverarm.runtime.calls.python_function import add_batch_call, python_callable
from leverarm.runtime.calls.views import evaluate, long_batch
from leverarm.runtime.parameters import parameter_inputs, present_values
from leverarm.runtime.quantities import QUANTITIES
from leverarm.runtime.requests import CHOICES, EXTRAS, listed_quantities, request_for

SHORT_WORK = 4_000_000
"""Operations that a batch may run with the GIL held: about half a millisecond."""


def compile(
    arm: Arm,
    quantities: Sequence[str] | str | None = None,
    dtype: DTypeLike = np.float64,
    inputs: Sequence[str] | str = (),
    cpu: str | None = None,
) -> CompiledArm:
    """The arm's quantities as machine code, each compiled on first use.

    `quantities` selects which (default: all). `inputs` names parameters that become arguments: symbols of the
    arm, or "gravity", "masses", "payload", "inertial", "friction" (= "viscous", "coulomb"), "offset", "rotor",
    "spring". `cpu` selects an instruction set ("avx512", "avx2", "sse2", "neon"); the default is LEVERARM_CPU, or this
    processor's.
    """
    names = tuple(QUANTITIES) if quantities is None else listed_quantities(quantities)
    forced = cpu or os.environ.get("LEVERARM_CPU", "")
    machine = machine_named(forced) if forced else host_machine()
    return CompiledArm(arm, names, real_of(dtype), parameter_inputs(arm, inputs), machine)


class CompiledArm:
    """Functions of arrays, one per quantity: `fast.inverse_dynamics(q, qd, qdd)`.

    Arguments have shape (..., n) and broadcast over their leading axes. See `warm` and `explain`.
    """

    def __init__(
        self, arm: Arm, quantities: tuple[str, ...], real: str, inputs: tuple[str, ...], machine: Machine
    ) -> None:
        self.arm = arm
        self.quantities = quantities
        self.inputs = inputs
        self.machine = machine
        self.dtype = DTYPE[real]
        self._real = real
        self._lock = RLock()
        self._builders: dict[Any, FunctionBuilder] = {}
        self._kernels: dict[Any, Kernel] = {}
        self._present = {name: present_values(arm, name) for name in inputs}

    def __repr__(self) -> str:
        inputs = f", inputs={list(self.inputs)}" if self.inputs else ""
        return f"<{self.arm.name!r} compiled for {self.machine.name}, {self.dtype.name}{inputs}>"

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self.quantities})

    def __reduce__(self) -> tuple[Any, ...]:
        cpu = None if self.machine == host_machine() else self.machine.name
        return compile, (self.arm, self.quantities, self.dtype.name, self.inputs, cpu)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        """Compiles a quantity on first access; from then on it is an attribute."""
        if name.startswith("_"):
            raise AttributeError(name)
        if name not in self.quantities:
            missing = "was not among the quantities to compile" if name in QUANTITIES else ""
            what = f"{name!r} {missing}; there is {', '.join(self.quantities)}." if missing else ""
            raise AttributeError(f"{self!r}: " + (what or unknown_name("quantity", name, self.quantities)))
        with self._lock:
            function = self.__dict__.get(name) or self._function(name)
            self.__dict__[name] = function
        return function

    def warm(self, quantities: Sequence[str] | str | None = None) -> CompiledArm:
        """Compiles quantities ahead of first use, for one state and for batches; returns self.

        By default all, skipping those this arm does not have (such as the inverse of a singular mass matrix).
        """
        names = self.quantities if quantities is None else listed_quantities(quantities)
        lacking = make_all([self._builder(name, (), {}) for name in names if name in self.quantities])
        if lacking and quantities is not None:
            raise next(iter(lacking.values()))
        for name in names:
            if name not in lacking:
                getattr(self, name)
                self._kernel(name, (), {}).batch()
        return self

    def explain(self, quantity: str | None = None) -> Explanation:
        """Reports operations, instructions and compile times of what was compiled; compiles the quantity if named."""

        if quantity is not None:
            getattr(self, quantity)
        return explanation(self, quantity, list(self._builders.values()))

    def _function(self, name: str) -> Callable[..., Any]:
        known = QUANTITIES[name]

        def general(*given: Any, out: Any = None, threads: Any = None, **named: Any) -> Any:
            extras = tuple(extra for extra in EXTRAS if named.get(extra) is not None)
            choices = {choice: named.pop(choice) for choice in CHOICES if named.get(choice) is not None}
            named = {key: value for key, value in named.items() if value is not None}
            kernel = self._kernel(name, extras, choices)
            if missing := [a for a in known.arguments[len(given) :] if a not in named]:
                raise InputError(f"{name} needs {', '.join(missing)} as well; it takes {', '.join(known.arguments)}.")
            for parameter in [array.name for array in kernel.inputs][len(given) :]:
                if parameter in self._present:
                    named.setdefault(parameter, self._default(kernel, parameter))
            return evaluate(kernel, in_order(kernel, given, named), out, threads)

        general.__name__ = general.__qualname__ = name
        doc = f"{known.title}\n\nArguments broadcast over their leading axes."
        general.__doc__ = doc
        builder = self._builder(name, (), {})
        try:
            loaded = builder.loaded(ONE)
        except SingularError:
            if not known.choices:
                raise
            return general  # singular for the default choices only; others may work
        may_be_left_out = (*self.inputs, *known.optional, *known.choices)
        function = python_callable(
            self, loaded, name, doc, general, builder.inputs, self._real, optional=may_be_left_out
        )

        def take_batches(loaded: Loaded) -> None:
            short = max(1, SHORT_WORK // max(1, builder.records[MANY].stages[-1].flops))
            add_batch_call(function, loaded, self._real, short, long_batch(self._kernel(name, (), {})))

        builder.after_loading[MANY] = take_batches
        return function

    def _default(self, kernel: Kernel, parameter: str) -> Any:
        shape = next(array.shape for array in kernel.inputs if array.name == parameter)
        return np.array(self._present[parameter], self.dtype).reshape(shape)

    def _builder(self, name: str, extras: tuple[str, ...], choices: dict[str, Any]) -> FunctionBuilder:
        request = request_for(self.arm, name, inputs=self.inputs, extras=extras, **choices)
        if request not in self._builders:
            self._builders[request] = FunctionBuilder(request, self._real, self.machine)
        return self._builders[request]

    def _kernel(self, name: str, extras: tuple[str, ...], choices: dict[str, Any]) -> Kernel:
        key = (name, extras, *((choice, repr(value)) for choice, value in sorted(choices.items())))
        kernel = self._kernels.get(key)
        if kernel is None:
            with self._lock:
                kernel = self._kernels[key] = self._builder(name, extras, choices).kernel()
        return kernel


WIDTH = 80
"""Width of a narrow terminal [columns]."""


@dataclass(frozen=True, slots=True)
class CodeReport:
    """Machine code of one function, for one state or for batches."""

    quantity: str
    record: Record
    instructions: int
    spills: int
    reloads: int


@dataclass(frozen=True, slots=True)
class Explanation:
    """The report of `explain`; print it to read it."""

    about: str
    single_call: str
    codes: tuple[CodeReport, ...]

    def __str__(self) -> str:
        lines = [self.about, f"a call with one state: {self.single_call}"]
        for code in self.codes:
            lines += ["", *_code_lines(code)]
        return "\n".join(part for line in lines for part in _wrapped(line))


def explanation(compiled: CompiledArm, quantity: str | None, builders: Sequence[FunctionBuilder]) -> Explanation:
    """The report on what these builders compiled, for one quantity or all; instructions are counted in the assembly."""
    chosen = [b for b in builders if quantity in (None, b.request.quantity)]
    codes = tuple(_report(builder, record) for builder in chosen for record in builder.records.values())
    hindrance = obstacle()
    single = "native code checks the arrays and runs" if hindrance is None else f"through Python, because {hindrance}"
    machine = compiled.machine
    about = (
        f"{compiled.arm.name} in {compiled.dtype.name} for {machine.name} ({machine.cpu}), "
        f"{machine.lanes(builders[0].real) if builders else '-'} states side by side in a batch"
    )
    return Explanation(about, single, codes)


def _report(builder: FunctionBuilder, record: Record) -> CodeReport:
    counted = count_instructions(assembly(builder.ir(record.code), builder.machine))
    return CodeReport(builder.request.quantity, record, *counted)


def _wrapped(line: str) -> list[str]:
    """Wraps a line to the terminal width; continuation lines are indented further."""
    indent = " " * (len(line) - len(line.lstrip()))
    return wrap(line, WIDTH, drop_whitespace=True, subsequent_indent=indent + "  ") if len(line) > WIDTH else [line]


def _code_lines(code: CodeReport) -> list[str]:
    record = code.record
    origin = "from the cache" if record.from_cache else "compiled"
    lines = [f"{code.quantity}, {record.code}: {origin}, {record.object_bytes:,} bytes"]
    lines.append(f"  {'pass':<22}{'flops':>8}{'values':>8}{'ms':>9}")
    lines += [f"  {s.name:<22}{s.flops:>8,}{s.values:>8,}{s.seconds * 1e3:>9.1f}" for s in record.stages]
    lines.append(
        f"  {record.functions} sines, cosines and the like; {code.instructions:,} instructions, "
        f"{code.spills:,} spills, {code.reloads:,} reloads"
    )
    lines.append("  " + ", ".join(f"{phase} {seconds * 1e3:.1f} ms" for phase, seconds in record.seconds.items()))
    return lines
