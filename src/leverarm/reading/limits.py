"""How much is read: what lies beyond is refused in one sentence, so that no text can stall or exhaust the reader."""

from __future__ import annotations

MAX_CHARACTERS = 250_000
"""The longest text [characters]: some hundred pages of formulas."""
MAX_PIECES = 1_000
"""The most pieces of mathematics in one text."""
MAX_TOKENS = 20_000
"""The most signs in one piece of mathematics, and twice that in the whole text."""
MAX_NESTING = 50
"""The deepest nesting of brackets, fractions, roots and accents."""
MAX_EXPONENT = 64
MAX_SCRIPTS = 8
"""The most dots, primes or exponents on one formula."""
MAX_CHAIN = 50
"""The most divisions or cross products in a row."""
MAX_DIGITS = 1_000
MAX_DECIMAL_EXPONENT = 300
MAX_ENTRIES = 2_500
"""The most entries of one matrix."""
MAX_TERMS = 1_000
"""The longest written-out sum over an index."""
