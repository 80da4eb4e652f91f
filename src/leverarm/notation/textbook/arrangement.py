"""The order in which terms and factors are written, and the tree of the result.

Factors: numbers, masses, inertias, gravity, lengths, coordinates, trig, speeds, accelerations; a bracket stands where
its first letter would. Terms: accelerations, then speeds, then the rest; masses before inertias; lower numbers first;
plain terms before those with trig, squares before products. A sum starts with a positive term where it has one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from leverarm.notation.textbook.letter_order import Letter
from leverarm.notation.textbook.plans import KIND_OF, Bracket, Kind, Term
from leverarm.notation.textbook.sparse import Monomial
from leverarm.notation.tree import Node, Number, Power, Product, Sum, negated
from leverarm.notation.vocabulary import Role

Key = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the formula in order: its tree, the letters it is sorted by, and its sign (1 or -1).

    A product's tree is written with its sign; a bracket's is not.
    """

    node: Node
    lead: Monomial
    sign: int


@dataclass(frozen=True, slots=True)
class Arrangement:
    """How the letters are written, and what they stand for, in the order of factors."""

    letters: Sequence[Letter]
    ranks: Sequence[int]
    """The order of the letters in sums."""
    decimals: frozenset[Role]

    def written(self, terms: Sequence[Term]) -> Node:
        """The tree of a sum that stands by itself."""
        parts = [self.product(t) for t in terms]
        return parts[0].node if len(parts) == 1 else self._sum(parts).node

    def _sum(self, parts: Sequence[Part]) -> Part:
        """A sum in order; its lead is that of its first term."""
        parts = sorted(parts, key=lambda part: self.term_key(part.lead))
        first = next((i for i, part in enumerate(parts) if part.sign > 0), 0)
        parts.insert(0, parts.pop(first))
        return Part(Sum(tuple(part.node for part in parts)), parts[0].lead, 1)

    def product(self, t: Term) -> Part:
        """A product in order; its lead has the first letters of each bracket."""
        number, lead = t.number, t.letters
        placed: list[tuple[Key, Node]] = []
        for i, (letter, e) in enumerate(zip(self.letters, t.letters, strict=True)):
            if e:
                placed.append(((letter.role, int(letter.role >= Role.SPEED), i), _power(letter.node, e)))
        for bracket, e in t.brackets:
            inner = self._bracket(bracket)
            number *= inner.sign**e
            lead = tuple(x + e * y for x, y in zip(lead, inner.lead, strict=True))
            placed.append((self._place(bracket, inner.lead), _power(inner.node, e)))
        placed.sort(key=lambda part: part[0])
        factors = [node for _, node in placed]
        if abs(number) != 1 or not factors:
            factors.insert(0, Number(abs(number), is_decimal=self._is_decimal(lead)))
        whole = factors[0] if len(factors) == 1 else Product(tuple(factors))
        return Part(whole, lead, 1) if number > 0 else Part(negated(whole), lead, -1)

    def _is_decimal(self, letters: Monomial) -> bool:
        """Whether a coefficient comes from decimals of the arm; those of friction and motors stand beside no mass."""
        has_mass = self._has(Role.MASS, letters) or self._has(Role.INERTIA, letters)
        return bool(self.decimals - {Role.OTHER} if has_mass else self.decimals)

    def _bracket(self, bracket: Bracket) -> Part:
        """A bracket turned to the sign that reads best, and that sign.

        The one that leaves more masses positive, else more terms, else more coordinates, else the first term.
        """
        parts = sorted((self.product(t) for t in bracket.terms), key=lambda part: self.term_key(part.lead))
        masses = sum(part.sign for part in parts if self._has(Role.MASS, part.lead))
        everyone = sum(part.sign for part in parts)
        coordinates = sum(part.sign for part in parts if self._has(Role.COORDINATE, part.lead))
        if (masses or everyone or coordinates or parts[0].sign) > 0:
            return self._sum(parts)
        turned = self._sum([Part(negated(part.node), part.lead, -part.sign) for part in parts])
        return Part(turned.node, turned.lead, -1)

    def _place(self, bracket: Bracket, first: Monomial) -> Key:
        """Where a bracket stands among the factors: behind the letters of its first one, before speeds and trig."""
        i = next((i for i, x in enumerate(first) if x), -1)
        if i < 0:  # it starts with a number: (1 + c2) s1
            return min(role for role, kind in KIND_OF.items() if kind & bracket.kinds), -1, 0
        role = self.letters[i].role
        return role, 0 if role >= Role.SPEED else 1 + (bracket.kinds & Kind.TRIG), i

    def _has(self, role: Role, letters: Monomial) -> bool:
        return any(e and own.role == role for e, own in zip(letters, self.letters, strict=True))

    def term_key(self, letters: Monomial) -> Key:
        """Where a term stands in a sum, by the letters of its first product."""
        of: dict[Role, list[tuple[int, int]]] = {role: [] for role in Role}
        for letter, rank, e in zip(self.letters, self.ranks, letters, strict=True):
            if e:
                of[letter.role].append((rank, e))
        motion = [
            [-e for e, own in zip(letters, self.letters, strict=True) if own.moves and own.role == role]
            for role in _MOTION
        ]
        parameters = of[Role.MASS] or of[Role.INERTIA] or of[Role.OTHER]
        kind = 0 if of[Role.MASS] else 1 if of[Role.INERTIA] else 2
        lengths = sorted(of[Role.LENGTH] + of[Role.COORDINATE])
        has_trig, moves = bool(of[Role.TRIG]), bool(of[Role.SPEED] or of[Role.ACCELERATION])
        order = (has_trig, moves, kind, parameters) if moves else (kind, moves, parameters, has_trig)
        return (*motion[0], sum(motion[1]), *motion[1], *order, len(lengths), lengths, of[Role.TRIG], of[Role.SPEED])


_MOTION = (Role.ACCELERATION, Role.SPEED)


def _power(node: Node, exponent: int) -> Node:
    return node if exponent == 1 else Power(node, exponent)
