"""Q[symbols, c_i, s_i]/(s_i^2 + c_i^2 - 1): the ring that closed forms of arms live in.

Its elements are sparse polynomials with rational coefficients, at most linear in every sine and every root. That normal
form is unique: two elements are the same function of their letters exactly when they have the same terms.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any
from weakref import WeakKeyDictionary

from leverarm.errors import InputError
from leverarm.scalars.exact.generators import Cosine, Generator, Root, Sine

Flint = Any
"""A polynomial or number of FLINT (python-flint has no types to import before it is loaded)."""


class Ring:
    """A polynomial ring in given letters. `ring_of` makes it, once for the same letters.

    FLINT is loaded with the first ring.
    """

    def __init__(self, generators: tuple[Generator, ...]) -> None:
        import flint

        self.generators = generators
        self.index = {generator.name: i for i, generator in enumerate(generators)}
        if len(self.index) != len(generators):  # FLINT accepts two letters with one name
            names = [generator.name for generator in generators]
            twice = sorted({name for name in names if names.count(name) > 1})
            raise InputError(f"two different letters are called {', '.join(twice)}. Rename one of them.")
        ascii_names = tuple(name.encode("ascii", "backslashreplace").decode() for name in self.index)
        self.context = flint.fmpq_mpoly_ctx.get(ascii_names, "lex")
        self.letters = self.context.gens()
        self._fraction = flint.fmpq
        self.curbed = sum(1 << i for i, generator in enumerate(generators) if isinstance(generator, Sine | Root))
        """A bit set of the letters of which no square is kept."""
        self.joined: WeakKeyDictionary[Ring, Ring] = WeakKeyDictionary()

    def __reduce__(self) -> tuple[Any, ...]:
        return ring_of, (self.generators,)

    @cached_property
    def relations(self) -> dict[int, Flint]:
        """For each curbed letter the polynomial that is zero: s^2 + c^2 - 1, or r^2 - 2."""
        zero = {}
        for i, (generator, letter) in enumerate(zip(self.generators, self.letters, strict=True)):
            if isinstance(generator, Sine):
                zero[i] = letter**2 + self.letters[self.index[f"cos({generator.angle})"]] ** 2 - 1
            elif isinstance(generator, Root):
                zero[i] = letter**2 - generator.square
        return zero

    def reduce(self, p: Flint, curbed: int) -> Flint:
        """The normal form of p, in which only the curbed letters of this bit set may have squares."""
        degrees, relations = p.degrees(), self.relations
        while curbed:
            lowest = curbed & -curbed
            i = lowest.bit_length() - 1
            if degrees[i] > 1:
                p = p % relations[i]
            curbed ^= lowest
        return p

    def rational(self, x: Fraction | int) -> Flint:
        """A rational number of FLINT."""
        return self._fraction(x.numerator, x.denominator)

    def constant(self, x: Fraction | int) -> Flint:
        """A rational number as a polynomial of FLINT."""
        return self.context.constant(self.rational(x))


@lru_cache(maxsize=256)
def _ring(generators: tuple[Generator, ...]) -> Ring:
    return Ring(generators)


def ring_of(generators: Iterable[Generator]) -> Ring:
    """The ring in these letters, each named once; sines and roots come first, so that their squares lead."""
    distinct = dict.fromkeys(generators)
    angles = dict.fromkeys(g.angle for g in distinct if isinstance(g, Sine | Cosine))
    if missing := [a for a in angles if sum(isinstance(g, Sine | Cosine) and g.angle == a for g in distinct) != 2]:
        raise InputError(f"angle {missing[0]!r} needs both its sine and its cosine among the letters of a ring.")
    return _ring(tuple(sorted(distinct, key=lambda g: g.rank)))


def join(a: Ring, b: Ring) -> Ring:
    """The smallest ring that holds both: one of them where it holds the other, else a new one."""
    if b not in a.joined:
        first, second = set(a.generators), set(b.generators)
        larger = a if second <= first else b if first <= second else ring_of((*a.generators, *b.generators))
        a.joined[b] = larger
    return a.joined[b]
