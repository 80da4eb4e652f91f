"""A system as machine code: its rates, the stages of a step, what jumps, and whole loops over steps."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Callable
from dataclasses import asdict
from functools import cached_property, lru_cache
from hashlib import sha256
from typing import Any

import numpy as np

from leverarm.compiler import Array, Program
from leverarm.compiler.llvm import Loaded, Machine, assemble, host_machine, load
from leverarm.compiler.llvm.embedded_step import Embedded
from leverarm.compiler.llvm.march_layout import Layout, Tableau
from leverarm.errors import SingularError
from leverarm.runtime.building import code_parts, collector_paused
from leverarm.runtime.cache import About, user_cache
from leverarm.simulation.acting.system import System
from leverarm.simulation.compiled.system import jump_program, rates_program
from leverarm.simulation.fixed_step.tableaux import EULER

Native = Callable[..., Any]

_MARCH = (*[ctypes.c_void_p] * 3, *[ctypes.c_int64] * 3, ctypes.c_double, ctypes.c_double)
_STAGES = (*[ctypes.c_void_p] * 3, ctypes.c_double, ctypes.c_double)
_ATTEMPT = (*[ctypes.c_void_p] * 3, *[ctypes.c_double] * 4)
_INSIDE = (*[ctypes.c_void_p] * 5, ctypes.c_int64, ctypes.c_double, ctypes.c_double)


class Machinery:
    """Compiles what is asked of a system, each thing once, through the user's cache of machine code."""

    def __init__(self, system: System, real: str = "double", machine: Machine | None = None) -> None:
        self.system = system
        self.real = real
        self.machine = machine or host_machine()
        self.lanes = self.machine.lanes(real)
        self._kept: dict[str, tuple[Layout, Loaded]] = {}

    @property
    def layout(self) -> Layout:
        """What lies in a state and in a record: kept with the code, so that nothing is traced to know it."""
        return next(iter(self._kept.values()))[0] if self._kept else self.programs[2]

    def march(self, tableau: Tableau, lanes: int) -> Native:
        """`march(state, feeds, records, first, steps, every, t0, h)`: see `compiler/llvm/marching.py`."""

        def write() -> str:
            from leverarm.compiler.llvm.marching import march_ir

            rates, jump, layout = self.programs
            return march_ir(rates, jump, len(layout.marks), tableau, lanes, self.real, self.machine)

        return self.native(f"march {tableau}, {lanes} lanes", "march", _MARCH, write)

    def steps(self, method: Embedded) -> tuple[Native, Native, Native]:
        """`stages` with one stage, `attempt` and `inside`, in one module: see `compiler/llvm/embedded_step.py`."""

        def write() -> str:
            from leverarm.compiler.llvm.embedded_step import embedded_step_ir

            rates, jump, layout = self.programs
            return embedded_step_ir(rates, len(layout.marks), EULER, method, self.machine, jump is not None)

        code = f"steps {method.tableau.name}"
        return (
            self.native(code, "stages", _STAGES, write),
            self.native(code, "attempt", _ATTEMPT, write, ctypes.c_double),
            self.native(code, "inside", _INSIDE, write),
        )

    def jump(self) -> Native:
        """`jump(t, q, qd, marks..., feeds..., qdd, shown..., results...)`, addresses, for one environment."""

        def write() -> str:
            from leverarm.compiler.llvm.kernel import kernel_ir

            jump = self.programs[1]
            assert jump is not None
            return kernel_ir(jump, "jump", 1, self.real, self.machine)

        layout = self.layout
        count = 4 + 2 * len(layout.marks) + len(layout.feeds) + len(layout.shown) + 3
        return self.native("jump", "jump", [ctypes.c_void_p] * count, write)

    @cached_property
    def programs(self) -> tuple[Program, Program | None, Layout]:
        """The programs after all passes, and the layout that they imply."""
        from leverarm.compiler.lowering import lower

        with collector_paused():
            try:
                rates, jump = rates_program(self.system), jump_program(self.system)
            except ZeroDivisionError:
                raise SingularError(
                    f"arm {self.system.arm.name!r} cannot be simulated: its mass matrix has no inverse at any "
                    "position. Give every moving link a mass or its joint a rotor."
                ) from None
            layout = Layout.of(rates, len(self.system.marks), jump is not None)
            return lower(rates).program, None if jump is None else lower(jump).program, layout

    def native(self, code: str, function: str, kinds: Any, write: Callable[[], str], result: Any = None) -> Native:
        """A function of the module that `write` gives, loaded from the cache or compiled."""
        if code not in self._kept:
            self._kept[code] = self._found_or_new(code, write)
        loaded = self._kept[code][1]
        native = ctypes.CFUNCTYPE(result, *kinds)(loaded.address(function))
        native.module = loaded  # type: ignore[attr-defined]  # code lives as long as what calls it
        return native

    def _found_or_new(self, code: str, write: Callable[[], str]) -> tuple[Layout, Loaded]:
        about = sha256(repr(self.system).encode()).hexdigest()
        parts = code_parts(self.system.arm, f"simulation {about}", code, self.real, self.machine)
        store = user_cache()
        kept = store.load(parts)
        if kept is None:
            made = assemble(write(), self.machine)
            layout = self.programs[2]
            kept = json.dumps(asdict(layout)).encode() + b"\n" + made
            what = f"simulation, {code.split(' ')[0]}"
            dtype = np.dtype(np.float64 if self.real == "double" else np.float32).name
            store.store(parts, kept, About(self.system.arm.name, what, dtype, self.machine.name))
        text, made = kept.split(b"\n", 1)
        return _layout(json.loads(text)), load(made, self.machine)


@lru_cache(maxsize=64)
def machinery_of(system: System, real: str = "double") -> Machinery:
    """The machinery of a system on this computer, made once."""
    return Machinery(system, real)


def _layout(fields: dict[str, Any]) -> Layout:
    def arrays(listed: list[dict[str, Any]]) -> tuple[Array, ...]:
        return tuple(Array(a["name"], tuple(a["shape"]), a["meaning"], tuple(a["labels"])) for a in listed)

    values: dict[str, Any] = {name: arrays(x) if isinstance(x, list) else x for name, x in fields.items()}
    return Layout(**values)
