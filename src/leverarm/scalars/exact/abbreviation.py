"""Long results in short lines: a scalar that gives every long sum a name of its own.

Running an algorithm over it gives a program: named intermediate variables, each a short polynomial in letters and
earlier names, and results in terms of them. Nothing is lost: putting the definitions back gives the closed form.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction

from leverarm.scalars.exact.generators import symbol
from leverarm.scalars.exact.polynomial import Polynomial, letter
from leverarm.scalars.exact.ring import Ring, join, ring_of
from leverarm.scalars.exact.substitution import substitute
from leverarm.scalars.ring import Scalar

BLOCK = 256


@dataclass
class Abbreviations:
    """The names given so far, in order; `longest` is the number of terms from which a result gets a name."""

    ring: Ring
    prefix: str = "v"
    longest: int = 4
    definitions: dict[str, Polynomial] = field(default_factory=dict)
    _names: dict[Polynomial, Short] = field(default_factory=dict)

    def of(self, x: Scalar) -> Scalar:
        """An exact scalar as one that abbreviates itself."""
        return Short(self, x) if isinstance(x, Polynomial) else x

    def named(self, x: Polynomial) -> Short:
        """A short name for a polynomial; the same one for the same polynomial."""
        if x not in self._names:
            if len(self.definitions) % BLOCK == 0:
                first = len(self.definitions) + 1
                more = ring_of([symbol(f"{self.prefix}{k}") for k in range(first, first + BLOCK)])
                self.ring = join(self.ring, more)
            name = f"{self.prefix}{len(self.definitions) + 1}"
            self.definitions[name] = x
            self._names[x] = Short(self, letter(self.ring, name))
        return self._names[x]

    def needed(self, results: Iterable[Scalar]) -> dict[str, Polynomial]:
        """The definitions that some results stand on, in order."""
        waiting = [x.short for x in results if isinstance(x, Short)]
        used: set[str] = set()
        while waiting:
            for generator in waiting.pop().generators():
                if generator.name in self.definitions and generator.name not in used:
                    used.add(generator.name)
                    waiting.append(self.definitions[generator.name])
        return {name: definition for name, definition in self.definitions.items() if name in used}

    def expanded(self, results: Iterable[Scalar]) -> list[Scalar]:
        """The closed forms of abbreviated results: every name replaced by what it stands for."""
        wanted = list(results)
        known: dict[str, Scalar] = {}
        for name, definition in self.needed(wanted).items():
            known[name] = _put_back(definition, known)
        return [_put_back(x.short, known) if isinstance(x, Short) else x for x in wanted]


def _put_back(x: Polynomial, known: dict[str, Scalar]) -> Scalar:
    used = {g.name: known[g.name] for g in x.generators() if g.name in known}
    return substitute(x, used) if used else x


class Short:
    """A scalar that stays short."""

    __slots__ = ("book", "short")

    def __init__(self, book: Abbreviations, short: Polynomial) -> None:
        self.book, self.short = book, short

    def _result(self, x: Scalar) -> Scalar:
        if not isinstance(x, Polynomial):
            return x
        return self.book.named(x) if len(x) > self.book.longest else Short(self.book, x)

    def __add__(self, other: Scalar) -> Scalar:
        return self._result(self.short + _plain(other)) if _is_known(other) else NotImplemented

    __radd__ = __add__

    def __sub__(self, other: Scalar) -> Scalar:
        return self._result(self.short - _plain(other)) if _is_known(other) else NotImplemented

    def __rsub__(self, other: Scalar) -> Scalar:
        return self._result(_plain(other) - self.short) if _is_known(other) else NotImplemented

    def __mul__(self, other: Scalar) -> Scalar:
        if not _is_known(other):
            return NotImplemented
        a, b = self, other
        if isinstance(b, Short) and len(a.short) > 1 and len(b.short) > 1:  # a product of sums is never multiplied out
            a, b = (a, self.book.named(b.short)) if len(b.short) <= len(a.short) else (self.book.named(a.short), b)
        return self._result(a.short * _plain(b))

    __rmul__ = __mul__

    def __neg__(self) -> Short:
        return Short(self.book, -self.short)


def _is_known(x: Scalar) -> bool:
    return isinstance(x, Short | Polynomial | int | Fraction)


def _plain(x: Scalar) -> Scalar:
    return x.short if isinstance(x, Short) else x
