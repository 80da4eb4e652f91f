"""Exact closed forms: polynomials over the rationals in symbols and in the sines and cosines of angles."""

from leverarm.scalars.exact.abbreviation import Abbreviations, Short
from leverarm.scalars.exact.derivatives import partial, time_derivative
from leverarm.scalars.exact.generators import HALF, Application, Cosine, Generator, Root, Sine, circle, root, symbol
from leverarm.scalars.exact.half_angles import half_turn, in_whole_angles
from leverarm.scalars.exact.numbers import EXACT, function_letter, unknown_angle
from leverarm.scalars.exact.polynomial import (
    Polynomial,
    Quotient,
    as_element,
    element,
    evaluate,
    free_symbol,
    is_exactly_zero,
    letter,
    monomials,
    numerator_and_denominator,
    quotient,
)
from leverarm.scalars.exact.ring import Ring, join, ring_of
from leverarm.scalars.exact.substitution import coefficients, limit_at_infinity, substitute
