"""A bundle as C99: a header, a source file and a test program.

The test program compares the functions at a few states with reference values, which come from the mechanics over plain
floats, without the compiler; tolerances are bounds on the rounding error.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from leverarm.compiler.c99 import Parameter, Real, Signature, definition, support
from leverarm.compiler.c99.function import literal
from leverarm.compiler.rounding import ROUNDOFF, error_bounds
from leverarm.runtime.export.description import Bundle, Function, about, array_lines, comment, wrapped
from leverarm.runtime.parameters import bound, present_values
from leverarm.runtime.quantities import QUANTITIES
from leverarm.runtime.requests import Request, flattened, singular

STATES = 3
CANDIDATES = 6
SMALL = 1 / 16
"""Test value of a parameter that is zero for the arm, such as a payload."""
SLACK = 4
"""Factor on the rounding error bound: the reference, by another algorithm, is rounded too."""
_STEP = 1 / 128
"""Time step [s], and grid of the test states, which are therefore exact in every precision."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A test state: the arguments, one list each, the expected results and the tolerance of each entry."""

    arguments: tuple[list[float], ...]
    expected: tuple[list[float], ...]
    allowed: tuple[list[float], ...]

    @property
    def looseness(self) -> float:
        """The largest tolerance relative to the largest entry of its result."""
        parts = zip(self.expected, self.allowed, strict=True)
        return max(max(allowed) / (max(map(abs, expected)) or 1.0) for expected, allowed in parts)


def samples(function: Function, real: Real) -> list[Sample]:
    """A few test states, the same in every run, with reference values.

    Of several candidates, those with the tightest tolerances: near a singular pose rounding errors are unbounded.
    """
    stream = _numbers()
    candidates = []
    for _ in range(CANDIDATES):
        with suppress(ZeroDivisionError):  # a singular pose
            candidates.append(_sample(function, real, stream))
    if len(candidates) < STATES:
        raise singular(function.request)
    return sorted(candidates, key=lambda sample: sample.looseness)[:STATES]


def _sample(function: Function, real: Real, stream: Iterator[float]) -> Sample:
    request = function.request
    given = {a.name: _argument(request, a.name, a.size, stream) for a in request.arguments}
    parameters = {name: given[name] for name in request.parameters}
    state = {name: values for name, values in given.items() if name not in parameters}
    quantity = QUANTITIES[request.quantity]
    parts = quantity.computed(0, bound(request.arm, parameters), request.choices, state)
    flat = [float(x) for values in given.values() for x in values]
    bounds = iter(error_bounds(function.program, flat, ROUNDOFF[real]))
    expected = tuple(list(map(float, flattened(part))) for part in parts)
    own = [ROUNDOFF["double"] * max(map(abs, part), default=0.0) for part in expected]
    allowed = tuple(
        [SLACK * (next(bounds) + reference) for _ in part] for part, reference in zip(expected, own, strict=True)
    )
    return Sample(tuple(list(map(float, values)) for values in given.values()), expected, allowed)


def _argument(request: Request, name: str, size: int, stream: Iterator[float]) -> list[float]:
    """Typical values of a state; a parameter near the arm's own, and exact in every precision."""
    if name == "dt":
        return [_STEP]
    if name in request.parameters:
        present = present_values(request.arm, name)
        return [struct.unpack("f", struct.pack("f", x))[0] or SMALL for x in present]
    return [next(stream) for _ in range(size)]


def _numbers() -> Iterator[float]:
    """Quasi-random multiples of the step between -2 and 2: fractional parts of k times the golden ratio."""
    k = 0
    while True:
        k += 1
        yield round((4 * (k * 0.6180339887498949 % 1) - 2) / _STEP) * _STEP


WIDTH = 96


def test_program(bundle: Bundle, build: str) -> str:
    """A C program that prints one line per function; its exit status is 0 if all pass."""
    about = [
        f"Tests {bundle.name}.c against values of leverarm's reference mechanics, which are computed differently.",
        "An entry may be off by what rounding can do to it. Build and run:",
        f"  {build}",
    ]
    calls = [f"    failures += test_{function.symbol}();" for function in bundle.functions]
    parts = [
        comment([line for text in about for line in wrapped(text, then="")]),
        f'#include "{bundle.name}.h"\n\n#include <math.h>\n#include <stdio.h>',
        _COMPARISON.replace("REAL", bundle.real).replace("CAST", "(double)" if bundle.real == "float" else ""),
        *(_test(function, bundle.real) for function in bundle.functions),
        "\n".join(["int main(void)", "{", "    int failures = 0;", *calls, "    return failures != 0;", "}"]),
    ]
    return "\n\n".join(parts) + "\n"


_COMPARISON = """\
/* The largest error, as a part of what is allowed; infinite where a value is not a number. */
static double compared(const REAL *found, const double *expected, const double *allowed, int count)
{
    double largest = 0.0;
    int k;
    for (k = 0; k < count; k++) {
        const double error = fabs(CASTfound[k] - expected[k]);
        if (!(error <= largest*allowed[k])) {
            largest = error <= 0.0 ? 0.0 : allowed[k] > 0.0 ? error/allowed[k] : HUGE_VAL;
            if (!(largest >= 0.0))
                return HUGE_VAL;
        }
    }
    return largest;
}

static int verdict(const char *function, double largest)
{
    const int failed = !(largest <= 1.0);
    printf("%s %s: largest error %.2g of what rounding allows\\n", failed ? "FAILED" : "ok", function, largest);
    return failed;
}"""


def _test(function: Function, real: Real) -> str:
    signature = function.signature(real)
    found = samples(function, real)
    results = signature.results or ((signature.returned,) if signature.returned else ())
    lines = [f"static int test_{function.symbol}(void)", "{"]
    for k, p in enumerate(signature.arguments):
        lines += _table(f"static const {real} {p.name}", [s.arguments[k] for s in found], real)
    for k, p in enumerate(results):
        lines += _table(f"static const double {p.name}_expected", [s.expected[k] for s in found], "double")
        allowed = [[float(f"{x:.1e}") for x in s.allowed[k]] for s in found]
        lines += _table(f"static const double {p.name}_allowed", allowed, "double")
    lines += _loop(signature, results)
    return "\n".join(lines)


def _table(start: str, rows: Sequence[Sequence[float]], real: Real) -> list[str]:
    """A two-dimensional array, one row for each state."""
    lines = [f"    {start}[{len(rows)}][{max(len(rows[0]), 1)}] = {{"]
    for row in rows:
        line = "        {"
        for k, x in enumerate(row or [0.0]):
            text = literal(x, real).text + ("," if k + 1 < len(row) else "},")
            if len(line) + len(text) >= WIDTH:
                lines.append(line)
                line = "        "
            line += text if line.endswith("{") else f" {text}"
        lines.append(line)
    return [*lines, "    };"]


def _loop(signature: Signature, results: Sequence[Parameter]) -> list[str]:
    """Calls the function at each state and compares every result."""
    given = ", ".join(f"{p.name}[k][0]" if p.is_number else f"{p.name}[k]" for p in signature.arguments)
    names = [f"{p.name}_found" for p in results]
    if signature.returned is not None:
        call = f"{names[0]}[0] = {signature.name}({given});"
    else:
        call = f"{signature.name}({', '.join([*([given] if given else []), *names])});"
    lines = ["    double largest = 0.0;", "    int k;", f"    for (k = 0; k < {STATES}; k++) {{"]
    lines += [
        f"        {signature.real} {name}[{max(p.array.size, 1)}];" for p, name in zip(results, names, strict=True)
    ]
    lines.append(f"        {call}")
    for p, name in zip(results, names, strict=True):
        compared = f"compared({name}, {p.name}_expected[k], {p.name}_allowed[k], {p.array.size})"
        lines.append(f"        largest = fmax(largest, {compared});")
    return [*lines, "    }", f'    return verdict("{signature.name}", largest);', "}"]


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
    """The documented declarations; `also` are further ones, which need the `includes`."""
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
    return "\n\n".join(parts) + "\n"


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
    return "\n\n".join([first, f'#include "{bundle.name}.h"', *_support(bundle), *definitions]) + "\n"


def c_text(bundle: Bundle) -> str:
    """Declarations and definitions in one text that needs no header."""
    parts = [comment([*about(bundle), "", *wrapped(_PROMISE)]), *_support(bundle)]
    for function in bundle.functions:
        parts += [_declaration(function, bundle), definition(function.program, function.signature(bundle.real))]
    return "\n\n".join(parts) + "\n"


def _support(bundle: Bundle) -> list[str]:
    return support([function.program for function in bundle.functions], bundle.real)
