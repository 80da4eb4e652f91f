"""A system as machine code: loops over steps, single steps with their error, and contact resets."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import asdict
from functools import cached_property, lru_cache
from hashlib import sha256
from typing import Any

from leverarm.compiler import Array, Program
from leverarm.compiler.llvm import Machine, host_machine
from leverarm.compiler.llvm.embedded_step import Embedded
from leverarm.compiler.llvm.march_layout import Layout, Tableau
from leverarm.errors import SingularError
from leverarm.runtime.building import Builder, collector_paused
from leverarm.runtime.stepping import EXPLICIT
from leverarm.simulation.acting.system import System
from leverarm.simulation.programs import jump_program, rates_program

Native = Callable[..., Any]

_MARCH = (*[ctypes.c_void_p] * 3, *[ctypes.c_int64] * 3, ctypes.c_double, ctypes.c_double)
_STAGES = (*[ctypes.c_void_p] * 3, ctypes.c_double, ctypes.c_double)
_ATTEMPT = (*[ctypes.c_void_p] * 3, *[ctypes.c_double] * 4)
_INSIDE = (*[ctypes.c_void_p] * 5, ctypes.c_int64, ctypes.c_double, ctypes.c_double)


class CompiledSystem(Builder):
    """Compiles the code of a system on demand: loops over steps, single steps, and contact resets."""

    def __init__(self, system: System, real: str = "double", machine: Machine | None = None) -> None:
        identity = sha256(repr(system).encode()).hexdigest()
        super().__init__(system.arm, f"simulation {identity}", real, machine or host_machine())
        self.system = system
        self.lanes = self.machine.lanes(real)
        self._writers: dict[str, Callable[[], str]] = {}

    def title(self, module: str) -> str:
        return f"simulation, {module.split(' ')[0]}"

    def notes(self, module: str) -> dict[str, Any]:
        return asdict(self.programs[2])

    def checked(self, notes: dict[str, Any]) -> dict[str, Any]:
        _layout(notes)
        return notes

    def ir(self, module: str) -> str:
        return self._writers[module]()

    @cached_property
    def layout(self) -> Layout:
        """The layout of a state and of a record, cached with the code so that it needs no tracing."""
        made = next(iter(self._made.values()), None)
        return self.programs[2] if made is None else _layout(made.notes)

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
            single = EXPLICIT["euler"].tableau
            return embedded_step_ir(rates, len(layout.marks), single, method, self.machine, jump is not None)

        code = f"steps {method.tableau.name}"
        return (
            self.native(code, "stages", _STAGES, write),
            self.native(code, "attempt", _ATTEMPT, write, ctypes.c_double),
            self.native(code, "inside", _INSIDE, write),
        )

    def jump(self) -> Native:
        """The contact reset `jump(t, q, qd, marks..., feeds..., qdd, shown..., results...)`, for one environment."""

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

    def native(self, module: str, function: str, kinds: Any, write: Callable[[], str], result: Any = None) -> Native:
        """A function of the module whose IR `write` gives."""
        self._writers[module] = write
        loaded = self.loaded(module)
        native = ctypes.CFUNCTYPE(result, *kinds)(loaded.address(function))
        native.module = loaded  # type: ignore[attr-defined]  # keeps the code alive
        return native


def compiled_system(system: System, real: str = "double") -> CompiledSystem:
    """A system compiled for this computer, cached."""
    return _compiled(system, real, host_machine())


@lru_cache(maxsize=64)
def _compiled(system: System, real: str, machine: Machine) -> CompiledSystem:
    return CompiledSystem(system, real, machine)


def _layout(fields: dict[str, Any]) -> Layout:
    def arrays(listed: list[dict[str, Any]]) -> tuple[Array, ...]:
        return tuple(Array(a["name"], tuple(a["shape"]), a["meaning"], tuple(a["labels"])) for a in listed)

    values: dict[str, Any] = {name: arrays(x) if isinstance(x, list) else x for name, x in fields.items()}
    return Layout(**values)
