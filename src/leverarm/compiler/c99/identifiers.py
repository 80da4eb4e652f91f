"""Names that C and C++ accept, from names of any script."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container

_KEYWORDS = """
    auto break case char const continue default do double else enum extern float for goto if inline int long register
    restrict return short signed sizeof static struct switch typedef union unsigned void volatile while
    alignas alignof and and_eq asm bitand bitor bool catch class compl concept const_cast consteval constexpr constinit
    decltype delete dynamic_cast explicit export false friend module mutable namespace new noexcept not not_eq nullptr
    operator or or_eq private protected public reinterpret_cast requires static_assert static_cast template this
    thread_local throw true try typeid typename typeof using virtual wchar_t xor xor_eq complex imaginary main linux
    unix"""
_MATH = """
    acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh div erf erfc exp exp2 expm1 fabs fdim
    floor fma fmax fmin fmod frexp gamma hypot ilogb index isfinite isinf isnan isnormal j0 j1 jn ldexp lgamma
    log log10 log1p log2 logb lrint lround modf nan nearbyint nextafter pow remainder remquo rint round scalbn
    signbit signgam significand sin sincos sinh sqrt tan tanh tgamma time trunc y0 y1 yn drem gammaf exp10
    pow10 scalb abs labs signal remove"""
_OWN = """
    MUL_ADD MUL_SUB SUB_MUL WIDE_MUL_ADD WIDE_MUL_SUB WIDE_SUB_MUL bits_of of_bits sin_cos sign_of tanh_of uint32_t
    uint64_t UINT32_C UINT64_C HUGE_VAL HUGE_VALF INFINITY NAN FP_FAST_FMA FP_FAST_FMAF NULL EOF"""
RESERVED = frozenset((_KEYWORDS + _MATH + _OWN).split())
"""Keywords of C and C++, functions that may be declared where generated code is compiled, what `support` defines."""


def identifier(wanted: str, taken: Container[str] = ()) -> str:
    """The name in ASCII letters, digits and underscores: theta for its Greek letter, u6a5f for a letter with no other.

    Underscores are added behind until it is neither reserved nor taken.
    """
    name = re.sub(r"_+", "_", "".join(_ascii(character) for character in wanted)).strip("_") or "x"
    name = f"n{name}" if name[0].isdigit() else name
    while name in RESERVED or name in taken:
        name += "_"
    return name


def _ascii(character: str) -> str:
    if character.isascii():
        return character if character.isalnum() else "_"
    described = unicodedata.name(character, "")
    if described.startswith("GREEK") and " LETTER " in described:
        word = described.split(" LETTER ")[1].split(" WITH ")[0].lower().split()[-1]
        return word.capitalize() if "CAPITAL" in described else word
    plain = "".join(c for c in unicodedata.normalize("NFKD", character) if c.isascii() and c.isalnum())
    if plain:
        return plain
    return f"u{ord(character):x}" if character.isalpha() else "_"
