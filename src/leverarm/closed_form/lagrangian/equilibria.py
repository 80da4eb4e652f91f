"""States of rest of a system of one's own, and its linearisation about them.

At rest, and with the inputs zero, the equations are g(q) - Q(q) = 0. They are solved one by one where one has factors
in one coordinate alone that are linear or quadratic in it or its cosine or sine, or where one is linear in a
coordinate; what is found is put into the others. Where the mass matrix loses its inverse, as polar coordinates do at r
= 0, the equations say nothing about rest, and such places are left out. Where no such factor is left, roots are sought
in numbers, by Newton's method from many places.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import accumulate, product
from typing import Any

from leverarm import mechanics as me
from leverarm.closed_form.arm_letters import speed
from leverarm.closed_form.formula import Formulas, numeric_function
from leverarm.closed_form.lagrangian.calculus import functions_in, over_scalars
from leverarm.closed_form.lagrangian.reading import TIME
from leverarm.closed_form.lagrangian.system import LagrangianSystem
from leverarm.errors import ExpressionError, InputError
from leverarm.mechanics import Matrix
from leverarm.mechanics.matrices import transposed
from leverarm.notation.code import compile_numpy
from leverarm.notation.elements import over, square_root
from leverarm.notation.text import to_text
from leverarm.notation.textbook import textbook
from leverarm.notation.tree import ZERO, Call, Equation, Node, Number, Ratio, Sum, Symbol, negated
from leverarm.scalars import Scalar, Turn
from leverarm.scalars.exact import (
    Generator,
    Polynomial,
    element,
    function_letter,
    is_exactly_zero,
    numerator_and_denominator,
)

Value = Turn | Scalar
"""A coordinate's exact value, by its cosine and sine where those are known."""
PI = Symbol("pi")
HALF_PI = Ratio(PI, Number(Fraction(2)))
QUARTERS = ((ZERO, Turn(1, 0)), (HALF_PI, Turn(0, 1)), (PI, Turn(-1, 0)), (negated(HALF_PI), Turn(0, -1)))
TOLERANCE, DISTINCT = 1e-10, 1e-6
"""How far a numeric equilibrium may be off, by its residual and the slope of the forces there; how near are two."""
STARTS, MOST_STARTS, ROUNDS = 25, 1000, 60
"""Places along each coordinate and in all from which Newton's method starts, and its steps."""
SINGULAR = 1e9
"""The condition of a matrix that is taken for singular."""


@dataclass(frozen=True)
class Equilibrium:
    """A state of rest. `position` says where, coordinate by coordinate, as formulas; a missing one may be anything.

    `exact` is None for a numeric one, whose `residual` is the largest force that is left. `A` and `B` are the
    linearisation d/dt (dq, dqd) = A (dq, dqd) + B du, exactly; where the equilibrium is numeric, so are they.
    """

    system: LagrangianSystem
    position: Mapping[str, Node]
    exact: Mapping[str, Value] | None
    numbers: Mapping[str, float]
    residual: float = 0.0

    @property
    def shown(self) -> list[Equation]:
        """theta = pi, coordinate by coordinate."""
        return [Equation((Symbol(name), node), relation="=" if self.exact is not None else "~")
                for name, node in self.position.items()]  # fmt: skip

    def text(self) -> str:
        """theta = pi, x = 0."""
        return ", ".join(map(to_text, self.shown)) or "anywhere"

    @property
    def is_everywhere(self) -> bool:
        """Whether some coordinate may be anything."""
        return len(self.position) < len(self.system.coordinates)

    @property
    def is_real(self) -> bool | None:
        """Whether it exists with the numbers of the constants; None where some that matter have none."""
        if all(map(math.isfinite, self.numbers.values())):
            return True
        return None if self.system.missing_values else False

    @property
    def A(self) -> Formulas:
        """[[0, 1], [-M^-1 dh/dq, -M^-1 dh/dqd]], h the forces that are left."""
        self.system.require_invertible()
        n = len(self.system.coordinates)
        left = _left(self.system)
        by_q = self._divided([[self.system.diff(x, q) for q in self.system.coordinates] for x in left])
        by_qd = self._divided([[self.system.diff(x, speed(q)) for q in self.system.coordinates] for x in left])
        above = [[0] * n + [int(i == j) for j in range(n)] for i in range(n)]
        return self._here([*above, *([*a, *b] for a, b in zip(by_q, by_qd, strict=True))])

    @property
    def B(self) -> Formulas:
        """[[0], [M^-1 dQ/du]], a column for each input."""
        self.system.require_invertible()
        by_u = self._divided([[self.system.diff(x, u) for u in self.system.inputs] for x in _left(self.system)])
        return self._here([[0] * len(self.system.inputs) for _ in by_u] + by_u)

    def _here(self, matrix: Matrix) -> Formulas:
        """As it is where the place is exact, else in numbers."""
        formulas = self.system.formulas(matrix)
        if self.exact is not None or not matrix[0]:
            return formulas
        numbers = formulas.numpy()(list(self.numbers.values()))
        least = 1e-12 * abs(numbers).max()
        return self.system.formulas(
            [[Fraction(f"{x:.9g}") if abs(x) > least else 0 for x in row] for row in numbers.tolist()]
        )

    def eigenvalues(self) -> Any:
        """The eigenvalues of A with the numbers of the constants [1/s], sorted by their real parts.

        A coordinate that may be anything is taken to be zero.
        """
        import numpy as np

        self.system.require_values("eigenvalues")
        state = [self.numbers.get(q, 0.0) for q in self.system.coordinates]
        return np.sort_complex(np.linalg.eigvals(self.A.numpy()(state, **dict.fromkeys(self.system.inputs, 0.0))))

    def _divided(self, forces: Matrix) -> Matrix:
        """-M^-1 times a matrix, here."""
        system = self.system
        there = _at_rest(system) | dict(self.exact or {})
        M = [[system.at(x, there) for x in row] for row in system.M.values]
        F = [[system.at(x, there) for x in row] for row in forces]
        d = me.determinant(M)
        rows = [me.matrices.apply(me.adjugate(M), column) for column in transposed(F)]
        return [[-over(x, d) for x in row] for row in transposed(rows)] if rows else [[] for _ in M]

    def __repr__(self) -> str:
        residual = "" if self.exact is not None else f"; residual {self.residual:.1e}"
        return f"<Equilibrium {self.text()}{residual}>"


def equilibria(system: LagrangianSystem) -> tuple[Equilibrium, ...]:
    """The states of rest without inputs, the exact ones first. Raises InputError where forces change with time."""
    forces = [system.at(x, _at_rest(system)) for x in _left(system)]
    if any(not is_exactly_zero(system.diff(x, TIME)) for x in (system.written.lagrangian, *_left(system))):
        raise InputError(f"the equations of {system.name!r} depend on t, so there is no state of rest. Simulate it.")
    if any(g.name.startswith("sgn(") for x in _left(system) for g in _generators(x)):
        raise InputError(
            f"the forces of {system.name!r} jump (sgn), as dry friction does, which holds a system in whole ranges of "
            "places and has no linearisation. Write tanh(xd/w) with a small w."
        )
    found, is_all = dict[str, Equilibrium](), True
    for position, exact in _solved(system, forces, {}, {}):
        if exact is None:
            is_all = False
        elif system.is_singular or not is_exactly_zero(system.at(system.determinant, exact)):
            each = _numbered(Equilibrium(system, position, exact, {}))
            found.setdefault(each.text(), each)
    exact_ones = tuple(found.values())
    if is_all or (exact_ones and system.missing_values):
        return exact_ones
    system.require_values("the states of rest do not follow one by one, so they are sought in numbers")
    return (*exact_ones, *_numeric(system, forces, exact_ones))


def _at_rest(system: LagrangianSystem) -> dict[str, Scalar]:
    return dict.fromkeys((*map(speed, system.coordinates), *system.inputs), 0)


def _left(system: LagrangianSystem) -> list[Scalar]:
    """The bias minus the forces: zero where nothing is accelerated."""
    return [h - q for h, q in zip(system.bias.values, system.forces.values, strict=True)]


Solution = tuple[dict[str, Node], dict[str, Value] | None]


def _solved(
    system: LagrangianSystem, forces: Sequence[Scalar], position: dict[str, Node], exact: dict[str, Value]
) -> Iterator[Solution]:
    """The solutions one by one; a last one without values where others may be missing."""
    left = [above for above, _ in map(numerator_and_denominator, forces) if not is_exactly_zero(above)]
    if not left:
        yield {q: position[q] for q in system.coordinates if q in position}, exact
        return
    unknown = [q for q in system.coordinates if q not in position]
    if any(not any(_has(system, x, q) for q in unknown) for x in left):
        return  # a force that no coordinate can balance
    if any(True for x in left for _ in functions_in(x)):
        yield {}, None
        return
    for x in left:
        factors = [f for f in _factors(x) if any(_has(system, f, q) for q in unknown)]
        alone = [[q for q in unknown if _has(system, f, q)] for f in factors]
        if any(len(those) != 1 for those in alone):
            continue
        roots = [(those[0], _roots(system, f, those[0])) for f, those in zip(factors, alone, strict=True)]
        if any(not found for _, found in roots):
            continue
        for q, found in roots:
            for node, value in found:
                with suppress(ExpressionError):  # a force is infinite there
                    rest = [system.at(f, {q: value}) for f in forces]
                    yield from _solved(system, rest, {**position, q: node}, {**exact, q: value})
        return
    yield from _eliminated(system, left, position, exact)


def _eliminated(
    system: LagrangianSystem, left: Sequence[Scalar], position: dict[str, Node], exact: dict[str, Value]
) -> Iterator[Solution]:
    """The solutions through a coordinate that one equation is linear in, with a factor that no coordinate is in."""
    unknown = [q for q in system.coordinates if q not in position]
    for x, q in product(left, unknown):
        factor = system.diff(x, q)
        if is_exactly_zero(factor) or any(_has(system, factor, other) for other in unknown):
            continue
        value = -over(system.at(x, {q: 0}), factor)
        rest = [system.at(f, {q: value}) for f in left]
        for others, found in _solved(system, rest, {**position, q: ZERO}, exact):
            if found is None:
                yield others, found
            else:
                own = system.at(value, found)
                yield {**others, q: textbook(own, system.notation.vocabulary)}, {**found, q: own}
        return
    yield {}, None


def _has(system: LagrangianSystem, x: Scalar, q: str) -> bool:
    return not is_exactly_zero(system.diff(x, q))


def _factors(x: Polynomial) -> list[Polynomial]:
    """The factors of a polynomial in letters, sines and cosines, each once."""
    return [element(x.ring, p, x.curbed) for p, _ in x.p.factor()[1]]


def _roots(system: LagrangianSystem, f: Polynomial, q: str) -> list[tuple[Node, Value]]:
    """The values of a coordinate for which a factor is zero; none where they are not plain."""
    tree = system.notation.vocabulary
    present = [name for name in (q, f"cos({q})", f"sin({q})") if not is_exactly_zero(_slope(f, name))]
    slopes = [*accumulate([present[0]] * 3, _slope, initial=f)]
    if len(present) > 1 or not is_exactly_zero(slopes[3]):
        return []
    c, b, twice_a = (over_scalars(x, {present[0]: 0}) for x in slopes[:3])
    if is_exactly_zero(twice_a):
        found = [-over(c, b)]
    else:
        middle, spread = -over(b, twice_a), _root_of(over(b * b - 2 * twice_a * c, twice_a * twice_a))
        found = [middle + spread, middle - spread]
    if present[0] == q:
        return [(textbook(x, tree), x) for x in found]
    return [place for u in found for place in _angles(u, present[0].startswith("cos"), textbook(u, tree))]


def _angles(u: Scalar, is_cosine: bool, shown: Node) -> list[tuple[Node, Value]]:
    """The angles that have this cosine, or this sine."""
    if u in (0, 1, -1):
        return [(node, turn) for node, turn in QUARTERS if (turn.cos if is_cosine else turn.sin) == u]
    angle, other = Call("acos" if is_cosine else "asin", shown), _root_of(1 - u * u)
    if is_cosine:
        return [(angle, Turn(u, other)), (negated(angle), Turn(u, -other))]
    return [(angle, Turn(other, u)), (Sum((PI, negated(angle))), Turn(-other, u))]


def _slope(x: Scalar, name: str) -> Scalar:
    """The derivative by a letter of the ring, a cosine or sine by itself."""
    if not isinstance(x, Polynomial) or name not in x.ring.index:
        return 0
    return element(x.ring, x.p.derivative(x.ring.index[name]), x.curbed)


def _root_of(x: Scalar) -> Scalar:
    """The square root, of a positive number by roots of primes."""
    match x:
        case int() | Fraction() if x > 0:
            return square_root(Fraction(x))
        case _:
            return 0 if is_exactly_zero(x) else function_letter("sqrt", x)


def _numbered(equilibrium: Equilibrium) -> Equilibrium:
    """An exact equilibrium with the numbers of its coordinates, not numbers where a constant has none."""
    import numpy as np

    defaults = {**dict.fromkeys(equilibrium.system.coordinates, 0.0), **equilibrium.system.notation.defaults}
    with np.errstate(invalid="ignore"):
        numbers = {
            name: float(compile_numpy(node, tuple(defaults))(*defaults.values()))
            for name, node in equilibrium.position.items()
        }
    return replace(equilibrium, numbers=numbers)


def _generators(x: Scalar) -> Iterator[Generator]:
    """The letters in an element, those inside of functions too."""
    for part in numerator_and_denominator(x):
        if isinstance(part, Polynomial):
            yield from part.generators()
    for function in functions_in(x):
        yield from _generators(function.argument)


def _numeric(system: LagrangianSystem, forces: list[Scalar], found: Sequence[Equilibrium]) -> list[Equilibrium]:
    """Further equilibria by Newton's method, from many places at once: those that are not among the exact ones."""
    import numpy as np

    n, notation = len(system.coordinates), system.notation
    force = numeric_function(forces, notation, (n,))
    slope = numeric_function([system.diff(x, q) for x in forces for q in system.coordinates], notation, (n, n))
    straight = {g.name for x in forces for g in _generators(x)}
    turning = [q not in straight for q in system.coordinates]
    count = max(2, min(STARTS, int(MOST_STARTS ** (1 / n))))
    around, along = np.linspace(-math.pi, math.pi, count), np.tan(np.linspace(-1.4, 1.4, count))
    q = np.array([*product(*(around if turns else along for turns in turning))])

    def apart(a: Any, b: Any) -> Any:
        return np.where(turning, np.remainder(a - b + math.pi, 2 * math.pi) - math.pi, a - b)

    with np.errstate(all="ignore"):
        for _ in range(ROUNDS):
            step = (np.linalg.pinv(np.nan_to_num(slope(q))) @ np.nan_to_num(force(q))[..., None])[..., 0]
            q = q - step / np.maximum(1, np.abs(step).max(axis=1, keepdims=True))
        q = np.where(np.array(turning), apart(q, 0 * q), q)
        residuals = np.abs(force(q)).max(axis=1)
        condition = np.maximum(
            np.linalg.cond(np.nan_to_num(system.M.numpy()(q))), np.linalg.cond(np.nan_to_num(slope(q)))
        )
    # a large condition: coordinates that are singular, or places of rest that lie side by side
    is_there = (
        (np.abs(step) < TOLERANCE * (1 + np.abs(q))).all(axis=1) & np.isfinite(residuals) & (condition < SINGULAR)
    )
    kept = [np.array([e.numbers.get(name, math.nan) for name in system.coordinates]) for e in found]
    new: list[Equilibrium] = []
    for place, residual in zip(q[is_there], residuals[is_there], strict=True):
        if not any(np.abs(apart(place, other)).max() < DISTINCT for other in kept):
            kept.append(place)
            numbers = dict(zip(system.coordinates, place.tolist(), strict=True))
            shown = {name: Number(Fraction(f"{x:.9f}"), is_decimal=True) for name, x in numbers.items()}
            new.append(Equilibrium(system, shown, None, numbers, float(residual)))
    return sorted(new, key=lambda each: list(each.numbers.values()))
