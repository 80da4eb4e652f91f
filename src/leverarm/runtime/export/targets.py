"""What can be exported: each target makes files of a bundle, and perhaps a text that stands alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from leverarm.runtime.export.bundle import Bundle
from leverarm.runtime.export.c_files import c_files, c_text
from leverarm.runtime.export.casadi_files import casadi_files
from leverarm.runtime.export.machine_code import llvm_files, llvm_text, object_files
from leverarm.runtime.export.python_modules import python_files, python_text

Files = Mapping[str, str | bytes]


@dataclass(frozen=True, slots=True)
class Target:
    """A kind of files: in words, what they and the functions are called, and what makes them.

    Names hold `{name}`, that of the bundle, and `{quantity}`: a file of its own for each.
    """

    meaning: str
    file_names: tuple[str, ...]
    files: Callable[[Bundle], Files]
    text: Callable[[Bundle], str] | None = None
    function_name: str = "{name}_{quantity}"
    is_machine_code: bool = False
    has_precision: bool = True
    """Whether the numbers' precision is part of the code."""

    def names(self, name: str, quantities: Sequence[str]) -> tuple[str, ...]:
        """The names of the files."""
        made = [file.format(name=name, quantity=q) for file in self.file_names for q in quantities]
        return tuple(dict.fromkeys(made))


def _python(library: str, arrays: str) -> Target:
    return Target(
        f"a Python module of functions of {arrays}",
        (f"{{name}}_{library}.py",),
        python_files(library),
        python_text(library),
        function_name="{quantity}",
        has_precision=False,
    )


TARGETS: Mapping[str, Target] = {
    "c": Target(
        "C99: a header, a source file, a test program", ("{name}.h", "{name}.c", "{name}_test.c"), c_files, c_text
    ),
    "llvm": Target("LLVM IR as text", ("{name}.ll",), llvm_files, llvm_text, is_machine_code=True),
    "object": Target("an object file and its header", ("{name}.h", "{name}.o"), object_files, is_machine_code=True),
    "numpy": _python("numpy", "NumPy arrays"),
    "jax": _python("jax", "JAX arrays"),
    "torch": _python("torch", "Torch tensors"),
    "casadi": Target(
        "files for casadi.Function.load", ("{name}_{quantity}.casadi",), casadi_files, has_precision=False
    ),
}
