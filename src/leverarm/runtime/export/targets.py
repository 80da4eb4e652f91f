"""The export targets: each turns a bundle into files, and some into one self-contained text.

Besides C there are Python modules over NumPy, JAX or Torch arrays, serialised CasADi functions, and LLVM IR or object
files with a plain call for one state and a SIMD loop for many.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from leverarm.compiler.array_code import array_module
from leverarm.compiler.c99 import Signature
from leverarm.compiler.llvm import Machine, assemble, machine_named
from leverarm.compiler.llvm.batch import batch_ir
from leverarm.compiler.llvm.kernel import kernel_ir, module_ir
from leverarm.runtime.bridges import to_casadi
from leverarm.runtime.export.c_files import c_files, c_text, header
from leverarm.runtime.export.description import Bundle, Function, about, comment, wrapped
from leverarm.runtime.quantities import QUANTITIES


def python_text(bundle: Bundle, library: str) -> str:
    """The text of a module."""
    programs = [replace(f.program, name=f.request.quantity) for f in bundle.functions]
    return array_module(programs, library, "\n".join(about(bundle)))


def casadi_files(bundle: Bundle) -> dict[str, bytes]:
    """One file per function, to be read by `casadi.Function.load`."""
    return {f"{function.symbol}.casadi": _serialised(function) for function in bundle.functions}


def _serialised(function: Function) -> bytes:
    request = function.request
    chosen: Any = {name: getattr(request.choices, name) for name in QUANTITIES[request.quantity].choices}
    made = to_casadi(request.arm, request.quantity, inputs=request.parameters, extras=request.extras, **chosen)
    with TemporaryDirectory() as folder:  # CasADi can only load what it saved itself
        path = Path(folder) / "function.casadi"
        made.save(str(path))
        return path.read_bytes()


def llvm_text(bundle: Bundle) -> str:
    """The module with a comment at its head."""
    machine = machine_named(bundle.cpu or "host")
    lines = [*about(bundle), "", f"For {machine.triple}, {machine.cpu}.", *wrapped(_VIEW), ""]
    triple = f'target triple = "{machine.triple}"'
    return "\n".join([*(f"; {line}".rstrip() for line in lines), triple, "", _module(bundle, machine)])


def object_files(bundle: Bundle) -> dict[str, str | bytes]:
    """An object file, and the header that says what is in it."""
    machine = machine_named(bundle.cpu or "host")
    build = f"cc program.c {bundle.name}.o -lm, for {machine.triple}, {machine.cpu}"
    many = [_view_type(bundle), *(_batch_declaration(function, bundle) for function in bundle.functions)]
    code = assemble(_module(bundle, machine), machine)
    return {f"{bundle.name}.h": header(bundle, build, ["stdint.h"], many), f"{bundle.name}.o": code}


_VIEW = (
    "A function whose name ends in _batch computes the states begin, ..., end - 1, several at once. Its views say "
    "where the arguments and then the results lie: entry j of state k at data + k state_stride + j entry_stride, in "
    "bytes. Results must not overlap arguments."
)


def _view_type(bundle: Bundle) -> str:
    fields = "{\n    void *data;\n    int64_t state_stride, entry_stride;\n}"
    return f"{comment(wrapped(_VIEW, then=''))}\ntypedef struct {fields} {bundle.name}_view;"


def _batch_declaration(function: Function, bundle: Bundle) -> str:
    names = [a.name for a in (*function.program.inputs, *function.program.outputs)]
    what = comment(wrapped(f"{function.symbol} of many states; views of {', '.join(names)}."))
    return f"{what}\nvoid {function.symbol}_batch(const {bundle.name}_view *views, int64_t begin, int64_t end);"


def _module(bundle: Bundle, machine: Machine) -> str:
    parts = []
    for function in bundle.functions:
        symbol, program, lanes = function.symbol, function.program, machine.lanes(bundle.real)
        one, many = f"{symbol}.one", f"{symbol}.many"
        batch = batch_ir(program, f"{symbol}_batch", many, lanes, bundle.real, machine)
        parts += [
            _internal(kernel_ir(program, one, 1, bundle.real, machine)),
            _internal(kernel_ir(program, many, lanes, bundle.real, machine)),
            _called_from_c(function.signature(bundle.real), one),
            _with_own_names(batch, f"{symbol}_batch"),
        ]
    return module_ir(*parts)


def _internal(kernel: str) -> str:
    """The text with all functions made internal."""
    return re.sub(r"^define void", "define internal void", kernel, flags=re.MULTILINE)


def _with_own_names(module: str, owner: str) -> str:
    """The text with internal functions prefixed by their owner's name, to avoid clashes in one module."""
    for name in re.findall(r"^define internal [^@]*@([\w.]+)\(", module, re.MULTILINE):
        if not name.startswith(owner):
            module = re.sub(rf"@{re.escape(name)}\b", f"@{owner}.{name}", module)
    return module


def _called_from_c(signature: Signature, kernel: str) -> str:
    """The function as declared in the header: copies the arguments, which results may overlap, and runs the kernel."""
    real, size = signature.real, 8 if signature.real == "double" else 4
    declared, lines, given = [], [], []
    for k, p in enumerate(signature.parameters):
        declared.append(f"{real if p.is_number else 'ptr'} %p{k}")
        given.append(f"ptr %p{k}" if p.is_result else f"ptr %copy{k}")
        if p.is_result:
            continue
        lines.append(f"  %copy{k} = alloca [{p.array.size} x {real}], align {size}")
        if p.is_number:
            lines.append(f"  store {real} %p{k}, ptr %copy{k}, align {size}")
        else:
            places = f"ptr align {size} %copy{k}, ptr align {size} %p{k}"
            lines.append(f"  call void @llvm.memcpy.p0.p0.i64({places}, i64 {p.array.size * size}, i1 false)")
    call = f"  call void @{kernel}({{}})"
    if signature.returned is None:
        lines += [call.format(", ".join(given)), "  ret void"]
    else:
        lines += [
            f"  %place = alloca {real}, align {size}",
            call.format(", ".join([*given, "ptr %place"])),
            f"  %result = load {real}, ptr %place, align {size}",
            f"  ret {real} %result",
        ]
    kind = "void" if signature.returned is None else real
    return "\n".join([f"define {kind} @{signature.name}({', '.join(declared)}) nounwind {{", *lines, "}", ""])


Files = Mapping[str, str | bytes]


@dataclass(frozen=True, slots=True)
class Target:
    """An export target: its description, file and function names, and generator.

    Names hold `{name}`, that of the bundle, and `{quantity}`: a file of its own for each.
    """

    meaning: str
    file_names: tuple[str, ...]
    files: Callable[[Bundle], Files]
    text: Callable[[Bundle], str] | None = None
    function_name: str = "{name}_{quantity}"
    is_machine_code: bool = False
    has_precision: bool = True
    """Whether the precision is fixed in the code."""

    def names(self, name: str, quantities: Sequence[str]) -> tuple[str, ...]:
        """The names of the files."""
        made = [file.format(name=name, quantity=q) for file in self.file_names for q in quantities]
        return tuple(dict.fromkeys(made))


def _python(library: str, arrays: str) -> Target:
    return Target(
        f"a Python module of functions of {arrays}",
        (f"{{name}}_{library}.py",),
        lambda bundle: {f"{bundle.name}_{library}.py": python_text(bundle, library)},
        lambda bundle: python_text(bundle, library),
        function_name="{quantity}",
        has_precision=False,
    )


TARGETS: Mapping[str, Target] = {
    "c": Target(
        "C99: a header, a source file, a test program", ("{name}.h", "{name}.c", "{name}_test.c"), c_files, c_text
    ),
    "llvm": Target(
        "LLVM IR as text", ("{name}.ll",), lambda b: {f"{b.name}.ll": llvm_text(b)}, llvm_text, is_machine_code=True
    ),
    "object": Target("an object file and its header", ("{name}.h", "{name}.o"), object_files, is_machine_code=True),
    "numpy": _python("numpy", "NumPy arrays"),
    "jax": _python("jax", "JAX arrays"),
    "torch": _python("torch", "Torch tensors"),
    "casadi": Target(
        "files for casadi.Function.load", ("{name}_{quantity}.casadi",), casadi_files, has_precision=False
    ),
}
