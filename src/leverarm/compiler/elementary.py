"""Sine and cosine, tanh and sign, written once for every emitter of machine code: LLVM and C compute the same bits.

The algorithms are straight-line over an `Assembler`, which turns each step into an instruction or a line of C. Steps
that must not round are exact with and without fused multiply-adds, so a machine without them differs in the last bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

FAR = 1e5
"""The largest angle [rad] of `sincos`; beyond it the C library's `sin` and `cos` of doubles are to be used."""


class Assembler(Protocol):
    """What an emitter offers: each method writes one operation on values (opaque strings) and names its result.

    Reals have the type `real`; `bits` of a real are an unsigned integer as long as it; conditions come from comparing
    and go into `select`. Arithmetic rounds to nearest and is not reordered; a fused operation may round once or twice.
    """

    @property
    def real(self) -> str:
        """ "double" or "float"."""

    @property
    def wide(self) -> Assembler:
        """The assembler for doubles; itself where reals are doubles."""

    def constant(self, value: float) -> str: ...
    def add(self, a: str, b: str) -> str: ...
    def sub(self, a: str, b: str) -> str: ...
    def mul(self, a: str, b: str) -> str: ...
    def div(self, a: str, b: str) -> str: ...

    def fma(self, a: str, b: str, c: str) -> str:
        """a b + c."""

    def fnma(self, a: str, b: str, c: str) -> str:
        """c - a b."""

    def magnitude(self, a: str) -> str:
        """|a|."""

    def with_sign(self, a: str, b: str) -> str:
        """|a| with the sign bit of b."""

    def is_greater(self, a: str, b: str) -> str:
        """The condition a > b, false for NaN."""

    def select(self, condition: str, a: str, b: str) -> str:
        """A where the condition holds, else b."""

    def widen(self, a: str) -> str:
        """A real as a double, a value of `wide`; exact."""

    def narrow(self, a: str) -> str:
        """A double, a value of `wide`, as a real; rounds to nearest."""

    def to_bits(self, a: str) -> str: ...
    def from_bits(self, bits: str) -> str: ...

    def pattern(self, value: int) -> str:
        """An integer constant as long as a real."""

    def bits_add(self, a: str, b: str) -> str: ...
    def bits_and(self, a: str, b: str) -> str: ...
    def bits_xor(self, a: str, b: str) -> str: ...
    def bits_shift(self, a: str, places: int) -> str:
        """Shifted towards the sign bit."""

    def is_nonzero(self, bits: str) -> str:
        """The condition that a bit is set."""


MANTISSA = {"double": 52, "float": 23}
"""Stored bits of a mantissa; the sign bit is the last, after the exponent."""

_SIGN_BIT = {"double": 63, "float": 31}
_ONE = {"double": 0x3FF << 52, "float": 0x7F << 23}

# pi/2 in parts of 37, 37 and 53 bits: a whole number below 2^16 times one of the first two is a double.
_HALF_PI = (float.fromhex("0x1.921fb54440000p+0"), float.fromhex("0x1.68c234c4c0000p-39"), 1.0562999066987428e-23)
_TWO_OVER_PI = 0.6366197723675814

# Minimax over |r| <= pi/4: FreeBSD msun k_sin.c and k_cos.c (doubles), S. L. Moshier's Cephes sinf.c (floats);
# (sin r - r) / r^3 and (cos r - 1 + r^2 / 2) / r^4 as polynomials in r^2, the highest power first, the sine's negated.
_SINE = {
    "double": (
        -1.58969099521155010221e-10,
        2.50507602534068634195e-08,
        -2.75573137070700676789e-06,
        1.98412698298579493134e-04,
        -8.33333333332248946124e-03,
        1.66666666666666324348e-01,
    ),
    "float": (1.9515295891e-4, -8.3321608736e-3, 1.6666654611e-1),
}
_COSINE = {
    "double": (
        -1.13596475577881948265e-11,
        2.08757232129817482790e-09,
        -2.75573143513906633035e-07,
        2.48015872894767294178e-05,
        -1.38888888888741095749e-03,
        4.16666666666666019037e-02,
    ),
    "float": (2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2),
}


def sincos(asm: Assembler, x: str) -> tuple[str, str]:
    """Sine and cosine of an angle up to `FAR` [rad], each within 1 ulp; of NaN and infinities, NaN. sin(-0) is -0.

    The angle is n pi/2 + r with |r| <= pi/4 (W. J. Cody and W. Waite, Software Manual for the Elementary Functions,
    1980), and r a sum of two numbers, so that an angle next to a multiple of pi/2 loses nothing.
    """
    # Adding 1.5 * 2^52 leaves the nearest whole number in the low bits.
    rounder = asm.constant(1.5 * 2.0 ** MANTISSA[asm.real])
    shifted = asm.fma(x, asm.constant(_TWO_OVER_PI), rounder)
    turns = asm.sub(shifted, rounder)
    reduced = _reduced_double if asm.real == "double" else _reduced_float
    r, excess = reduced(asm, x, turns)
    z = asm.mul(r, r)
    sine = _sine(asm, r, z, excess)
    cosine = _cosine(asm, r, z, excess)
    quarters = asm.to_bits(shifted)
    is_odd = asm.is_nonzero(asm.bits_and(quarters, asm.pattern(1)))
    sin_sign = _second_bit_as_sign(asm, quarters)
    cos_sign = _second_bit_as_sign(asm, asm.bits_add(quarters, asm.pattern(1)))
    return (
        _flipped(asm, asm.select(is_odd, cosine, sine), sin_sign),
        _flipped(asm, asm.select(is_odd, sine, cosine), cos_sign),
    )


def _reduced_double(asm: Assembler, x: str, turns: str) -> tuple[str, str | None]:
    """The remainder r and what it has too much: r - excess is x - turns pi/2 to 100 bits.

    x - turns P1 is exact; so is what rounding of the next difference loses (T. J. Dekker, Numerische Mathematik 18,
    1971). The excess of an angle that is zero is +0, which keeps sin(-0) = -0.
    """
    high, middle, low = (asm.constant(part) for part in _HALF_PI)
    near = asm.fnma(turns, high, x)
    r = asm.fnma(turns, middle, near)
    excess = asm.fma(turns, middle, asm.sub(r, near))
    return r, asm.fma(turns, low, excess)


def _reduced_float(asm: Assembler, x: str, turns: str) -> tuple[str, str | None]:
    """The remainder of a float: doubles have all the bits that it needs."""
    wide = asm.wide
    n = asm.widen(turns)
    near = wide.fnma(n, wide.constant(_HALF_PI[0]), asm.widen(x))
    r = wide.fnma(n, wide.constant(_HALF_PI[1]), near)
    return asm.narrow(r), None


def _sine(asm: Assembler, r: str, z: str, excess: str | None) -> str:
    """sin(r - excess) with |r| <= pi/4, z = r^2: r - (r^3 S(z) + excess)."""
    series = _polynomial(asm, z, _SINE[asm.real])
    cubed = asm.mul(r, z)
    # A sum with +0, not a product alone: subtracting -0 would turn sin(-0) into +0.
    return asm.sub(r, asm.fma(cubed, series, asm.constant(0.0) if excess is None else excess))


def _cosine(asm: Assembler, r: str, z: str, excess: str | None) -> str:
    """cos(r - excess) with |r| <= pi/4, z = r^2: (1 - z/2) + (what that rounds off + z^2 C(z) + r excess)."""
    one = asm.constant(1.0)
    series = _polynomial(asm, z, _COSINE[asm.real])
    squared = asm.mul(z, z)
    half = asm.mul(z, asm.constant(0.5))
    head = asm.sub(one, half)
    if excess is None:
        return asm.fma(squared, series, head)
    lost = asm.sub(asm.sub(one, head), half)
    return asm.add(head, asm.fma(squared, series, asm.fma(r, excess, lost)))


def _second_bit_as_sign(asm: Assembler, bits: str) -> str:
    places = _SIGN_BIT[asm.real]
    return asm.bits_and(asm.bits_shift(bits, places - 1), asm.pattern(1 << places))


def _flipped(asm: Assembler, a: str, sign_bit: str) -> str:
    return asm.from_bits(asm.bits_xor(asm.to_bits(a), sign_bit))


def _polynomial(asm: Assembler, x: str, coefficients: Sequence[float]) -> str:
    """By Horner's rule, the coefficient of the highest power first."""
    value = asm.constant(coefficients[0])
    for coefficient in coefficients[1:]:
        value = asm.fma(value, x, asm.constant(coefficient))
    return value


_SMALL_TANH = 0.625
_TANH_IS_ONE = {"double": 20.0, "float": 10.0}

# Cephes tanh.c and tanhf.c: (tanh x - x) / x^3 = P(x^2) / Q(x^2) for |x| <= 0.625, the highest power first.
_TANH_ABOVE = {
    "double": (-9.64399179425052238628e-1, -9.92877231001918586564e1, -1.61468768441708447952e3),
    "float": (-5.70498872745e-3, 2.06390887954e-2, -5.37397155531e-2, 1.33314422036e-1, -3.33332819422e-1),
}
_TANH_BELOW = {
    "double": (1.0, 1.12811678491632931402e2, 2.23548839060100448583e3, 4.84406305325125486048e3),
    "float": (1.0,),
}

# ln 2 in two parts, the first short enough that a whole number below 2^6 times it is exact.
_LN_2 = {
    "double": (float.fromhex("0x1.62e42fefa3800p-1"), 5.497923018708371e-14),
    "float": (0.693145751953125, 1.4286068203094173e-06),
}

# (e^r - 1 - r) / r^2 for |r| <= ln(2) / 2: interpolated in Chebyshev points, error 2^-61 (doubles); Cephes expf.c.
_EXPONENTIAL = {
    "double": (
        2.09147553258932e-09,
        2.5105312729622103e-08,
        2.755727347871858e-07,
        2.755725517000089e-06,
        2.480158732567746e-05,
        0.0001984126987500228,
        0.0013888888888883711,
        0.008333333333326084,
        0.04166666666666667,
        0.1666666666666667,
        0.5,
    ),
    "float": (1.9875691500e-4, 1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1),
}


def tanh(asm: Assembler, x: str) -> str:
    """Hyperbolic tangent within 2 ulp: odd, +-1 far out, of NaN NaN.

    x + x^3 P/Q near zero and 1 - 2 / (e^(2x) + 1) elsewhere, sharing the division (Cephes tanh.c).
    """
    limit = asm.constant(_TANH_IS_ONE[asm.real])
    size = asm.magnitude(x)
    inside = asm.select(asm.is_greater(size, limit), limit, size)
    one = asm.constant(1.0)
    z = asm.mul(inside, inside)
    is_large = asm.is_greater(inside, asm.constant(_SMALL_TANH))
    above = asm.mul(z, _polynomial(asm, z, _TANH_ABOVE[asm.real]))
    below = _polynomial(asm, z, _TANH_BELOW[asm.real])
    grown = asm.add(_exponential(asm, asm.add(inside, inside)), one)
    fraction = asm.div(asm.select(is_large, asm.constant(-2.0), above), asm.select(is_large, grown, below))
    value = asm.select(is_large, asm.add(one, fraction), asm.fma(inside, fraction, inside))
    return asm.with_sign(value, x)


def _exponential(asm: Assembler, x: str) -> str:
    """e^x for 0 <= x < 44."""
    rounder = asm.constant(1.5 * 2.0 ** MANTISSA[asm.real])
    shifted = asm.fma(x, asm.constant(1.4426950408889634), rounder)
    doublings = asm.sub(shifted, rounder)
    high, low = (asm.constant(part) for part in _LN_2[asm.real])
    near = asm.fnma(doublings, high, x)
    r = asm.fnma(doublings, low, near)
    series = _polynomial(asm, r, _EXPONENTIAL[asm.real])
    mantissa = asm.add(asm.constant(1.0), asm.fma(asm.mul(r, r), series, r))
    exponent = asm.bits_shift(asm.to_bits(shifted), MANTISSA[asm.real])
    return asm.mul(mantissa, asm.from_bits(asm.bits_add(exponent, asm.pattern(_ONE[asm.real]))))


def sign(asm: Assembler, x: str) -> str:
    """-1, 0 or 1; of NaN NaN."""
    zero, one, minus_one = (asm.constant(value) for value in (0.0, 1.0, -1.0))
    return asm.select(asm.is_greater(x, zero), one, asm.select(asm.is_greater(zero, x), minus_one, x))
