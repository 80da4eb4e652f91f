"""A bundle as C99: a header, a source file, and a program that tests them."""

from __future__ import annotations

from collections.abc import Sequence

from leverarm.compiler.c99 import definition, support
from leverarm.runtime.export.bundle import Bundle, Function
from leverarm.runtime.export.c_test import test_program
from leverarm.runtime.export.description import about, array_lines, comment, wrapped


def c_files(bundle: Bundle) -> dict[str, str]:
    """The three files by name."""
    name = bundle.name
    build = f"cc -std=c99 -O2 {name}.c {name}_test.c -lm -o {name}_test && ./{name}_test"
    return {
        f"{name}.h": header(bundle, build),
        f"{name}.c": source(bundle),
        f"{name}_test.c": test_program(bundle, build),
    }


def header(bundle: Bundle, build: str, includes: Sequence[str] = (), also: Sequence[str] = ()) -> str:
    """The declarations, with what everything means; `also` are others, which need the `includes`."""
    guard = f"{bundle.name.upper()}_H"
    top = [*about(bundle), "", *wrapped(_PROMISE), "", "Build:", f"  {build}"]
    parts = [
        comment(top),
        f"#ifndef {guard}\n#define {guard}",
        *(f"#include <{name}>" for name in includes),
        f"#define {bundle.name.upper()}_DOF {bundle.arm.dof}",
        '#ifdef __cplusplus\nextern "C" {\n#endif',
        *(_declaration(function, bundle) for function in bundle.functions),
        *also,
        "#ifdef __cplusplus\n}\n#endif",
        f"#endif /* {guard} */",
    ]
    return _joined(parts)


_PROMISE = (
    "No function allocates memory, keeps state or calls anything outside <math.h>; each may run in several threads at "
    "once. Arguments are read before results are written, so a result may take an argument's place. Angles beyond 1e5 "
    "rad are left to the C library's sin and cos. NaN and infinity propagate."
)


def _declaration(function: Function, bundle: Bundle) -> str:
    signature = function.signature(bundle.real)
    lines = [*wrapped(f"{function.meaning}."), *wrapped(f"{function.cost}.")]
    for p in signature.parameters:
        lines += array_lines(p.array, p.name)
    if signature.returned is not None:
        lines += wrapped(f"returns {signature.returned.array.meaning}", "  ", "    ")
    return f"{comment(lines)}\n{signature.prototype};"


def source(bundle: Bundle) -> str:
    """The definitions."""
    first = comment([f"Functions of {bundle.name}.h, which says what they are. Generated: change the arm instead."])
    definitions = [definition(f.program, f.signature(bundle.real)) for f in bundle.functions]
    return _joined([first, f'#include "{bundle.name}.h"', *_support(bundle), *definitions])


def c_text(bundle: Bundle) -> str:
    """Declarations and definitions in one text, which needs no header of its own."""
    parts = [comment([*about(bundle), "", *wrapped(_PROMISE)]), *_support(bundle)]
    for function in bundle.functions:
        parts += [_declaration(function, bundle), definition(function.program, function.signature(bundle.real))]
    return _joined(parts)


def _support(bundle: Bundle) -> list[str]:
    return support([function.program for function in bundle.functions], bundle.real)


def _joined(parts: Sequence[str]) -> str:
    return "\n\n".join(parts) + "\n"
