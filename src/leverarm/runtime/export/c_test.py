"""The test program of exported C: reference values at a few states, and the errors that rounding allows."""

from __future__ import annotations

from collections.abc import Sequence

from leverarm.compiler.c99 import Parameter, Real, Signature
from leverarm.compiler.c99.expression import literal
from leverarm.runtime.export.bundle import Bundle, Function
from leverarm.runtime.export.description import comment, wrapped
from leverarm.runtime.export.samples import STATES, samples

WIDTH = 96


def test_program(bundle: Bundle, build: str) -> str:
    """A program that prints one line per function and whose exit status says whether all is well."""
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
