"""Support code of a generated C file: fused multiply-adds, and sine, cosine, tanh and sign.

The functions are the algorithms of `compiler/elementary.py`, written out line by line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from leverarm.compiler import elementary
from leverarm.compiler.c99.function import Real, literal
from leverarm.compiler.program import Program
from leverarm.scalars.operations import FUSED, Op


def _written(expression: Callable[..., str], are_bits: bool = False) -> Callable[..., str]:
    """A method that names the value of an expression of C: a real, or bits."""

    def write(self: CAssembler, *args: str | int) -> str:
        return self._named(self._bits if are_bits else self.real, expression(self, *args))

    return write


@dataclass(slots=True)
class CAssembler:
    """Writes each operation as a line of C. Values are names or literals, conditions are expressions."""

    real: Real
    lines: list[str] = field(default_factory=list)

    @property
    def wide(self) -> CAssembler:
        """A writer that appends to the same lines."""
        return self if self.real == "double" else _WideAssembler("double", self.lines)

    @property
    def _bits(self) -> str:
        return "uint64_t" if self.real == "double" else "uint32_t"

    def _named(self, kind: str, expression: str) -> str:
        name = f"v{len(self.lines) + 1}"
        self.lines.append(f"    const {kind} {name} = {expression};")
        return name

    def constant(self, value: float) -> str:
        return literal(value, self.real).text

    add = _written(lambda c, a, b: f"{a} + {_operand(b)}")
    sub = _written(lambda c, a, b: f"{a} - {_operand(b)}")
    mul = _written(lambda c, a, b: f"{a}*{_operand(b)}")
    div = _written(lambda c, a, b: f"{a}/{_operand(b)}")
    magnitude = _written(lambda c, a: f"fabs{c._f}({a})")
    with_sign = _written(lambda c, a, b: f"copysign{c._f}({a}, {b})")
    select = _written(lambda c, condition, a, b: f"{condition} ? {a} : {b}")
    narrow = _written(lambda c, a: f"({c.real}){a}")
    from_bits = _written(lambda c, bits: f"of_bits({bits})")
    to_bits = _written(lambda c, a: f"bits_of({a})", are_bits=True)
    bits_add = _written(lambda c, a, b: f"{a} + {b}", are_bits=True)
    bits_and = _written(lambda c, a, b: f"{a} & {b}", are_bits=True)
    bits_xor = _written(lambda c, a, b: f"{a} ^ {b}", are_bits=True)
    bits_shift = _written(lambda c, a, places: f"{a} << {places}", are_bits=True)

    def fma(self, a: str, b: str, c: str) -> str:
        return self._named(self.real, f"{self._fused('MUL_ADD')}({a}, {b}, {c})")

    def fnma(self, a: str, b: str, c: str) -> str:
        return self._named(self.real, f"{self._fused('SUB_MUL')}({c}, {a}, {b})")

    def _fused(self, macro: str) -> str:
        return macro

    @property
    def _f(self) -> str:
        return "" if self.real == "double" else "f"

    def is_greater(self, a: str, b: str) -> str:
        return f"{a} > {b}"

    def widen(self, a: str) -> str:
        return self._named("double", f"(double){a}")

    def pattern(self, value: int) -> str:
        return f"UINT{64 if self.real == 'double' else 32}_C({value if value < 10 else hex(value)})"

    def is_nonzero(self, bits: str) -> str:
        return f"{bits} != 0"


@dataclass(slots=True)
class _WideAssembler(CAssembler):
    """Doubles inside a function of floats, with macros of their own."""

    def _fused(self, macro: str) -> str:
        return f"WIDE_{macro}"


def _operand(b: str) -> str:
    return f"({b})" if b.startswith("-") else b


def sin_cos_function(real: Real) -> str:
    """`sin_cos(x, &sine, &cosine)`: large angles by the C library, else the same steps as leverarm's machine code."""
    c = CAssembler(real)
    sine, cosine = elementary.sincos(c, "x")
    f, cast = ("", "") if real == "double" else ("f", "(float)")
    x = "x" if real == "double" else "(double)x"
    return "\n".join(
        [
            "/* Sine and cosine of an angle [rad], each within 1 unit in the last place. */",
            f"static void sin_cos({real} x, {real} *sine, {real} *cosine)",
            "{",
            f"    if (!(fabs{f}(x) <= {c.constant(elementary.FAR)})) {{",
            f"        *sine = {cast}sin({x});",
            f"        *cosine = {cast}cos({x});",
            "        return;",
            "    }",
            *c.lines,
            f"    *sine = {sine};",
            f"    *cosine = {cosine};",
            "}",
        ]
    )


def tanh_function(real: Real) -> str:
    """`tanh_of(x)`, which may differ from the C library's in the last digit but is the same everywhere."""
    c = CAssembler(real)
    return _function("tanh_of", "Hyperbolic tangent, within 2 units in the last place.", c, elementary.tanh(c, "x"))


def sign_function(real: Real) -> str:
    """`sign_of(x)`."""
    c = CAssembler(real)
    return _function("sign_of", "-1, 0 or 1; of NaN NaN.", c, elementary.sign(c, "x"))


def _function(name: str, comment: str, c: CAssembler, result: str) -> str:
    head = [f"/* {comment} */", f"static {c.real} {name}({c.real} x)", "{"]
    return "\n".join([*head, *c.lines, f"    return {result};", "}"])


_ROUNDING = """\
/* Every operation is rounded as it is written. gcc keeps to that with -std=c99, clang when it is told. */
#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif
#if defined __FAST_MATH__ || defined __ASSOCIATIVE_MATH__
#error "This file cannot be compiled with -ffast-math: sums would be reordered. Leave that option out."
#endif"""

_FUSED = """\
/* a b + c, a b - c and c - a b: rounded once where the target is fast at that, else twice. */
#ifdef FP_FAST_FMA{F}
#define {WIDE}MUL_ADD(a, b, c) fma{f}((a), (b), (c))
#define {WIDE}MUL_SUB(a, b, c) fma{f}((a), (b), -(c))
#define {WIDE}SUB_MUL(c, a, b) fma{f}(-(a), (b), (c))
#else
#define {WIDE}MUL_ADD(a, b, c) ((a)*(b) + (c))
#define {WIDE}MUL_SUB(a, b, c) ((a)*(b) - (c))
#define {WIDE}SUB_MUL(c, a, b) ((c) - (a)*(b))
#endif"""

_BITS = """\
static inline {bits} bits_of({real} x)
{{
    union {{ {real} number; {bits} bits; }} both;
    both.number = x;
    return both.bits;
}}

static inline {real} of_bits({bits} x)
{{
    union {{ {real} number; {bits} bits; }} both;
    both.bits = x;
    return both.number;
}}"""


def support(programs: Iterable[Program], real: Real) -> list[str]:
    """Includes and definitions that these programs need, in order; no function that none of them calls."""
    used = {instruction.op for program in programs for instruction in program.code}
    turns, is_float = bool(used & {Op.SIN, Op.COS}), real == "float"
    uses_bits = turns or Op.TANH in used
    parts = ["#include <math.h>" + "\n#include <stdint.h>" * uses_bits, _ROUNDING]
    if used & FUSED or uses_bits:
        parts.append(_FUSED.format(F="F" * is_float, f="f" * is_float, WIDE=""))
    if turns and is_float:
        parts.append("/* The same for doubles. */\n" + _FUSED.format(F="", f="", WIDE="WIDE_").split("\n", 1)[1])
    if uses_bits:
        parts.append(_BITS.format(real=real, bits="uint32_t" if is_float else "uint64_t"))
    if turns:
        parts.append(sin_cos_function(real))
    if Op.TANH in used:
        parts.append(tanh_function(real))
    if Op.SIGN in used:
        parts.append(sign_function(real))
    return parts
