"""Exact closed forms: polynomials over the rationals in symbols and in the sines and cosines of angles."""

from leverarm.scalars.exact.abbreviation import Abbreviations, Short
from leverarm.scalars.exact.derivatives import partial, time_derivative
from leverarm.scalars.exact.generators import Application, Cosine, Generator, Root, Sine, circle, root, symbol
from leverarm.scalars.exact.numbers import EXACT, unknown_angle
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
from leverarm.scalars.exact.substitution import limit_at_infinity, substitute

__all__ = [
    "EXACT",
    "Abbreviations",
    "Application",
    "Cosine",
    "Generator",
    "Polynomial",
    "Quotient",
    "Ring",
    "Root",
    "Short",
    "Sine",
    "as_element",
    "circle",
    "element",
    "evaluate",
    "free_symbol",
    "is_exactly_zero",
    "join",
    "letter",
    "limit_at_infinity",
    "monomials",
    "numerator_and_denominator",
    "partial",
    "quotient",
    "ring_of",
    "root",
    "substitute",
    "symbol",
    "time_derivative",
    "unknown_angle",
]
