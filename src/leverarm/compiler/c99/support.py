"""What the functions of one C file share: fused multiply-adds, sine and cosine, tanh, sign."""

from __future__ import annotations

from collections.abc import Iterable

from leverarm.compiler.c99.elementary_functions import sign_function, sin_cos_function, tanh_function
from leverarm.compiler.c99.expression import Real
from leverarm.compiler.program import Program
from leverarm.scalars.operations import FUSED, Op

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
