"""The constants of ||F(qd)|| <= v ||qd|| + k, from the coefficients of the joints' friction."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product

from leverarm import mechanics as me
from leverarm.documents.document import Words
from leverarm.model import LOADED_LAWS, Arm, FrictionTerm, Mechanism, Row, bind
from leverarm.model.units import Units
from leverarm.notation.tree import Decimal, Symbol, Transposed
from leverarm.verify.statements import LOAD, F, J, at_most, c, equal, g, k, minus, norm, plus, said, times, v
from leverarm.verify.table.bound_rows import MIXED, enclosed
from leverarm.verify.table.digits import rounded_up
from leverarm.verify.table.property import Bound, How, Property, line, plain

MOST_SIGNS = 12
"""Joints of a coupled arm for which all patterns of signs are tried."""
SPEEDS = [2.0**power for power in range(-12, 13)]
"""Multiples of a joint's smoothing speed (or of one unit) at which the bound is tried from below."""
ROUNDING = 1e-12
"""Relative, of sums of as many numbers as an arm has joints; moved outward."""

NONE = "no friction declared"


@dataclass(frozen=True, slots=True)
class FrictionBounds:
    """v [N m s or N s/m] and k [N m or N], each from below and above: no smaller number than `lower` will do."""

    v: tuple[float, float]
    k: tuple[float, float]
    note: str


def friction_bounds(arm: Arm) -> FrictionBounds | None:
    """The least v, and the least k with it, for which ||F(qd)|| <= v ||qd|| + k; None where no friction is declared.

    Where each joint is a coordinate: v is the greatest viscous coefficient, which F approaches at high speed, and k
    the norm of the greatest dry forces, which it approaches at low speed; with tanh for sgn it may be less. Coupled
    joints, and shafts that turn with several, give v = ||R^T diag(v_i) R|| and the greatest ||R^T b|| over the corners
    of the dry forces. What grows with the load is left out: see `_under_load`.
    """
    mechanism = _without_load(me.with_shafts_at_joints(bind(arm)))
    if not mechanism.has_friction:
        return None
    terms = [term for term in mechanism.frictions if term is not None]
    dry = [_dry(term) if term else Fraction(0) for term in mechanism.frictions]
    is_smooth = any(term.steepness is not None and any(_both(term, "coulomb")) for term in terms)
    if mechanism.is_coupled or any(rotor.has_friction for rotor in mechanism.rotors):
        v = _coupled_v(mechanism)
        what = "joints" if mechanism.is_coupled else "motors"
        note = f"{what} are coupled: a smaller k may do; its lower side comes from trial speeds."
        return FrictionBounds(v, (_tried_k(mechanism, v[1]), _coupled_k(mechanism)), note)
    greatest = float(max(max(_both(term, "viscous")) for term in terms))
    v, k = (greatest, greatest), _norm(dry)
    if not is_smooth:
        return FrictionBounds(v, k, "no smaller v serves at high speed, no smaller k at low speed.")
    note = "with tanh for sgn a smaller k may do; its lower side comes from trial speeds."
    return FrictionBounds(v, (_tried_k(mechanism, v[1]), k[1]), note)


KEYS = ("v", "k")


def friction_properties(arm: Arm) -> Iterator[Property]:
    """The lines of v and k; not known where friction grows with the load, unless `bounds_under_load` finds them."""
    begun = time.perf_counter()
    bounds, loaded = friction_bounds(arm), bind(arm).loaded_joints
    seconds = time.perf_counter() - begun
    for key, unit in _units(arm).items():
        if loaded:
            yield line(key, "none", ("not known",), _under_load(arm, loaded), seconds)
            continue
        lower, upper = getattr(bounds, key) if bounds else (0.0, 0.0)
        remark = (bounds.note,) if bounds else said("the arm declares no friction, so {F} = 0.")
        how: How = "declared" if not bounds else "exact identity" if _are_same(lower, upper) else "certified enclosure"
        yield _line(key, Bound(lower, upper, how, None, unit, seconds, plain(remark)), remark)


def bounds_under_load(arm: Arm, known: Mapping[str, Bound]) -> Iterator[Property]:
    """The lines of v and k where friction grows with the load and c = 0: the load is then g, whose norm has a bound.

    k is that of the rest of friction plus max mu_i g_b; without outside wrenches, over the box that g_b is of.
    """
    bounds, c, g = friction_bounds(arm), known.get("v_b"), known.get("g_b")
    mechanism = bind(arm)
    if not mechanism.loaded_joints or mechanism.is_coupled or c is None or c.upper != 0 or not bounds:
        return
    if g is None or g.upper is None:
        return
    k = math.nextafter(bounds.k[1] + _greatest_share(mechanism) * g.upper * (1 + ROUNDING), math.inf)
    remark = said("{c} = 0, so the load is {g}, without outside wrenches: k of the rest of friction, and max k_i g_b.")
    note = plain(remark)
    of_v: How = "exact identity" if _are_same(*bounds.v) else "certified enclosure"
    units = _units(arm)
    yield _line("v", Bound(*bounds.v, of_v, None, units["v"], g.seconds, note), remark)
    yield _line("k", Bound(None, k, "certified enclosure", None, units["k"], g.seconds, note), remark)


def _units(arm: Arm) -> dict[str, str]:
    turns = set(Units.of(arm).is_angle)
    units = ("N m s", "N m") if turns == {True} else ("N s/m", "N") if turns == {False} else (MIXED, MIXED)
    return dict(zip(KEYS, units, strict=True))


def _line(key: str, bound: Bound, remark: Words) -> Property:
    found = _written(key, bound) if bound.how != "declared" else (NONE,)
    return line(key, bound.how, found, (remark,), bound.seconds, bound=bound)


def _greatest_share(mechanism: Mechanism) -> float:
    """max mu_i: the greatest part of its load that a joint's friction is."""
    terms = [term for term in mechanism.frictions if term is not None]
    return max(sum(max(_both(term, law.name)) for law in LOADED_LAWS) for term in terms)


def _under_load(arm: Arm, loaded: tuple[str, ...]) -> tuple[Words, ...]:
    """Why v and k alone bound nothing where friction grows with the load, and what bounds it with ||tau_l||.

    Each joint's part is at most mu_i |tau_l_i|, the norm of them all at most max mu_i ||tau_l||; v and k are those of
    the rest.
    """
    reason = said(
        "the friction of {joints} grows with the load {load}, and that with the square of the speed: in general no "
        "{v} and {k} serve.",
        joints=", ".join(loaded),
        load=LOAD,
        v=v,
        k=k,
    )
    mechanism = bind(arm)
    if mechanism.is_coupled:
        return (reason,)
    bounds = friction_bounds(arm)
    assert bounds is not None
    factors = [Decimal(rounded_up(float(x), 8)) for x in (bounds.v[1], bounds.k[1], _greatest_share(mechanism))]
    limit = plus(times(factors[0], norm(Symbol("q", 1))), factors[1], times(factors[2], norm(LOAD)))
    load = equal(LOAD, minus(plus(c, g), times(Transposed(J), Symbol("w"))))
    return reason, said("{bound} holds, in SI units, with {load}.", bound=at_most(norm(F), limit), load=load)


def _without_load(mechanism: Mechanism) -> Mechanism:
    """The mechanism with the part of its friction that depends on speeds alone."""
    loaded = {law.name for law in LOADED_LAWS}
    terms = (
        term and replace(term, coefficients={name: x for name, x in term.coefficients.items() if name not in loaded})
        for term in mechanism.frictions
    )
    return replace(mechanism, frictions=tuple(terms))


def _are_same(lower: float, upper: float) -> bool:
    """But for rounding."""
    return upper - lower <= 4 * ROUNDING * upper


def _written(key: str, bound: Bound) -> Words:
    """The constant: one number, rounded up, where both sides are the same but for rounding."""
    if bound.upper is None or bound.how != "exact identity":
        return enclosed(key, bound)
    number = rounded_up(bound.upper, 8)
    number = number.rstrip("0").rstrip(".") if "." in number and "e" not in number else number
    return (equal(Symbol(key), Decimal(number, bound.unit)),)


def _dry(term: FrictionTerm) -> Fraction:
    """The greatest magnitude of a joint's force apart from the viscous one: c + offset forwards, offset - c back."""
    forwards, backwards, offset = (Fraction(x) for x in (*_both(term, "coulomb"), term["offset"].forward))
    if term.steepness is not None:
        return max(forwards, backwards) + abs(offset)
    return max(abs(forwards + offset), abs(offset - backwards))


def _both(term: FrictionTerm, law: str) -> tuple[float, float]:
    """A law's coefficients forwards and backwards."""
    return term[law].forward, term[law].backward


def _norm(parts: Sequence[Fraction]) -> tuple[float, float]:
    """The 2-norm, from below and above: the same where it is a float."""
    square = sum((part**2 for part in parts), start=Fraction(0))
    norm = math.hypot(*parts)
    if Fraction(norm) ** 2 == square:
        return norm, norm
    return math.nextafter(norm, 0.0), math.nextafter(norm, math.inf)


def _coupled_v(mechanism: Mechanism) -> tuple[float, float]:
    """||R^T diag(v_i) R||, R the speeds per coordinate, with the lesser and the greater v_i of two directions.

    At high speed along its eigenvector F grows at least as fast as the first, and nowhere faster than the second.
    """
    import numpy as np

    R = np.array(_ratios(mechanism))
    both = [tuple(map(float, _both(term, "viscous"))) for term, _ in _rubbing(mechanism)]
    lower, upper = (float(np.linalg.norm(R.T @ np.diag([of(pair) for pair in both]) @ R, 2)) for of in (min, max))
    return lower * (1 - ROUNDING), upper * (1 + ROUNDING)


def _coupled_k(mechanism: Mechanism) -> float:
    """The greatest ||R^T b|| over |b_i| <= dry_i, at a corner since a norm is convex; their sum for many joints."""
    R, dry = _ratios(mechanism), [float(_dry(term)) for term, _ in _rubbing(mechanism)]
    loaded = [i for i, force in enumerate(dry) if force]
    if len(loaded) > MOST_SIGNS:
        return sum(dry[i] * math.hypot(*R[i]) for i in loaded) * (1 + ROUNDING)
    columns = range(mechanism.dof)
    greatest = 0.0
    for signs in product((1.0, -1.0), repeat=len(loaded)):
        force = [sum(s * dry[i] * R[i][j] for s, i in zip(signs, loaded, strict=True)) for j in columns]
        greatest = max(greatest, math.hypot(*force))
    return greatest * (1 + ROUNDING)


def _ratios(mechanism: Mechanism) -> list[list[float]]:
    rows = []
    for _, row in _rubbing(mechanism):
        ratios = dict(row)
        rows.append([float(ratios.get(j, 0)) for j in range(mechanism.dof)])
    return rows


def _rubbing(mechanism: Mechanism) -> list[tuple[FrictionTerm, Row]]:
    """Everything with friction, joints first, and its speed per unit speed of each coordinate."""
    joints = zip(mechanism.frictions, mechanism.couplings, strict=True)
    found = [(term, row) for term, row in joints if term is not None]
    return found + [(rotor.friction, rotor.gears) for rotor in mechanism.rotors if rotor.has_friction]


def _tried_speeds(mechanism: Mechanism) -> Iterator[list[float]]:
    """Speeds of the coordinates with all joints slow or fast alike, in the directions of one, or of all."""
    scales = [1 / term.steepness if term and term.steepness else 1.0 for term in mechanism.frictions]
    n = mechanism.dof
    scale = scales if len(scales) == n else [max(scales)] * n
    directions = [[s * (i == j) for i in range(n)] for j in range(n) for s in (1.0, -1.0)]
    directions += [[s] * n for s in (1.0, -1.0)]
    for size in SPEEDS:
        for direction in directions:
            yield [size * a * b for a, b in zip(direction, scale, strict=True)]


def _tried_k(mechanism: Mechanism, v: float) -> float:
    """The greatest ||F|| - v ||qd|| seen: no smaller k will do."""
    greatest = 0.0
    for qd in _tried_speeds(mechanism):
        force = math.hypot(*me.friction(mechanism, qd))
        greatest = max(greatest, force - v * math.hypot(*qd) - ROUNDING * force)
    return greatest
