"""Half of an angle beside the angle: cos(theta) = 2 cos(theta/2)^2 - 1, sin(theta) = 2 sin(theta/2) cos(theta/2).

Letters of both together have no unique form. `in_whole_angles` gives one: letters of theta/2 only where an element is
odd in them, and then none of theta. What is even in them, such as sin(theta/2)^2, is a function of theta.
"""

from __future__ import annotations

from functools import lru_cache

from leverarm.scalars.exact.generators import HALF, Cosine
from leverarm.scalars.exact.numbers import unknown_angle
from leverarm.scalars.exact.polynomial import Polynomial, Quotient, as_element, element, quotient
from leverarm.scalars.exact.ring import Ring, ring_of
from leverarm.scalars.exact.substitution import substitute
from leverarm.scalars.ring import Scalar
from leverarm.scalars.turn import Turn


def half_turn(angle: str) -> Turn:
    """Half of a named angle, by its own cosine and sine."""
    return unknown_angle(angle + HALF)


def in_whole_angles(x: Scalar) -> Scalar:
    """The element in letters of whole angles as far as it is a function of these; the unique form of any other."""
    match x:
        case Polynomial():
            for angle in _halved(x):
                x = _in_whole_angle(x, angle)
        case Quotient(numerator=above, denominator=below) if _halved(above) or _halved(below):
            for angle in _halved(below):  # tan(theta/2) = sin(theta)/(1 + cos(theta))
                cosine = half_turn(angle).cos
                above, below = above * cosine, in_whole_angles(below * cosine)
            return quotient(in_whole_angles(above), below)
    return x


def _halved(x: Scalar) -> list[str]:
    """The angles of which half occurs in an element."""
    if not isinstance(x, Polynomial) or not (halved := _halved_in(x.ring)):
        return []
    letters = {g.name for g in x.generators()}
    return [angle for angle in halved if not letters.isdisjoint(_names(angle))]


@lru_cache(maxsize=256)
def _halved_in(ring: Ring) -> tuple[str, ...]:
    """The angles of which a ring has the half: hardly ever any."""
    cosines = [g.angle for g in ring.generators if isinstance(g, Cosine)]
    return tuple(angle.removesuffix(HALF) for angle in cosines if angle.endswith(HALF))


def _names(angle: str) -> tuple[str, str]:
    return f"cos({angle}{HALF})", f"sin({angle}{HALF})"


def _in_whole_angle(x: Polynomial, angle: str) -> Scalar:
    half, whole = half_turn(angle), unknown_angle(angle)
    halved = substitute(x, {angle: Turn(2 * half.cos**2 - 1, 2 * half.sin * half.cos, whole.value)})
    if not isinstance(halved, Polynomial):
        return halved
    ring, total = halved.ring, 0
    places = [ring.index[name] for name in _names(angle)]
    for exponents, coefficient in halved.p.terms():
        cosines, sines = (int(exponents[i]) for i in places)
        if (cosines + sines) % 2:
            return halved
        rest = tuple(0 if i in places else e for i, e in enumerate(exponents))
        term = element(ring, ring.context.from_dict({rest: coefficient}), halved.curbed)
        total = total + term * (whole.sin / 2) ** sines * ((1 + whole.cos) / 2) ** (cosines // 2)
    if not isinstance(total, Polynomial):
        return total
    return as_element(ring_of(g for g in total.ring.generators if g.name not in _names(angle)), total)
