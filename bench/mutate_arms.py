"""Right equations of seven arms, derived by SymPy after Lagrange from where the masses are.

leverarm takes no part in the derivation; its float functions confirm the values once, its printed lines are one way in
which an equation may be written.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import sympy as sp
from sympy.simplify.fu import TR8

import leverarm as la
from mutate_tree import GENERIC, PLAIN, ZERO, Factor, Name, Number, Power, Sum, Term, Trig, read, value


@dataclass(frozen=True, slots=True)
class Left:
    """What an equation is about: a quantity, and its indices from 1."""

    quantity: str
    indices: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Equation:
    arm: str
    left: Left
    right: Sum


@dataclass(frozen=True, slots=True)
class Mass:
    """A body: its mass, the place of its centre of mass, its moments of inertia with their angular speeds."""

    mass: str
    place: tuple[Any, Any, Any]
    turning: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True)
class Machine:
    """An arm as a textbook describes it: coordinates, masses, the tool, and the axis along which g points down."""

    title: str
    coordinates: tuple[str, ...]
    masses: tuple[Mass, ...]
    tool: tuple[Any, Any, Any]
    up: int = 1
    angles: tuple[str, ...] = ()
    """The coordinates that are angles, each measured from the one before."""

    @cached_property
    def q(self) -> list[Any]:
        return [sp.Symbol(each) for each in self.coordinates]

    @cached_property
    def qd(self) -> list[Any]:
        return [speed(each) for each in self.coordinates]

    @cached_property
    def qdd(self) -> list[Any]:
        return [sp.Symbol(each + "''") for each in self.coordinates]

    @cached_property
    def quantities(self) -> dict[Left, Any]:
        """SymPy expressions: K from the speeds of the masses, P from their heights, all others from K and P."""
        kinetic = sum(
            sp.Symbol(body.mass) * sum(self._rate(each) ** 2 for each in body.place) / 2
            + sum(sp.Symbol(inertia) * turning**2 / 2 for inertia, turning in body.turning)
            for body in self.masses
        )
        M = sp.hessian(reduced(kinetic), self.qd)
        P = sp.expand(sp.Symbol("g") * sum(sp.Symbol(body.mass) * body.place[self.up] for body in self.masses))
        K = sp.expand(sum(M[i, j] * a * b for i, a in enumerate(self.qd) for j, b in enumerate(self.qd)) / 2)
        found = {Left("K"): K, Left("P"): P, Left("L"): sp.expand(K - P)}
        for i, (place, moving) in enumerate(zip(self.q, self.qd, strict=True), 1):
            coriolis = sp.expand(self._rate(sp.diff(K, moving)) - sp.diff(K, place))
            weight = sp.diff(P, place)
            inertial = sum(M[i - 1, j] * each for j, each in enumerate(self.qdd))
            found |= {Left("M", (i, j + 1)): sp.expand(M[i - 1, j]) for j in range(len(self.q))}
            found |= {Left("c", (i,)): coriolis, Left("g", (i,)): weight}
            found[Left("tau", (i,))] = sp.expand(inertial + coriolis + weight)
        return found | {Left(axis): place for axis, place in zip("xyz", self.tool, strict=True)}

    def _rate(self, expression: Any) -> Any:
        """The derivative with respect to time, of what has positions and constant speeds."""
        return sum(sp.diff(expression, place) * moving for place, moving in zip(self.q, self.qd, strict=True))

    @cached_property
    def names(self) -> dict[str, Name]:
        """Every name by how it is written plainly: symbols, coordinates, speeds, accelerations."""
        symbols = {each.name for expression in self.quantities.values() for each in expression.free_symbols}
        bare = sorted({each.rstrip("'") for each in symbols} | set(self.coordinates))
        all_names = [named(each) for each in bare]
        all_names += [Name(*split(each), dots) for each in self.coordinates for dots in (1, 2)]
        return {hand.name(each): each for hand in (PLAIN, GENERIC) for each in all_names}

    @cached_property
    def truths(self) -> dict[Left, Sum]:
        """Every quantity as a tree of its expanded expression."""
        return {left: tree(expression) for left, expression in self.quantities.items()}

    def state(self, chance: random.Random) -> dict[Name, float]:
        """Random values for everything."""
        moving = {each: chance.uniform(-2, 2) for each in self.moving}
        return {each: chance.uniform(0.5, 2) for each in self.names.values() if each not in moving} | moving

    @cached_property
    def moving(self) -> list[Name]:
        return [Name(*split(each), dots) for each in self.coordinates for dots in (0, 1, 2)]

    def holds(self, left: Left, right: Sum, seed: int = 0, states: int = 5) -> bool:
        """Whether an equation is true, as far as random states can show."""
        chance = random.Random(seed)
        drawn = [self.state(chance) for _ in range(states)]
        return all(near(value(right, state), value(self.truths[left], state)) for state in drawn)


def near(a: float, b: float) -> bool:
    return abs(a - b) <= 1e-9 * (1 + abs(a) + abs(b))


def speed(coordinate: str) -> Any:
    return sp.Symbol(coordinate + "'")


def split(text: str) -> tuple[str, str]:
    letter = text.rstrip("0123456789")
    return letter, text[len(letter) :]


def named(symbol: str) -> Name:
    """A SymPy name, as "theta1''", as a name of a tree."""
    bare = symbol.rstrip("'")
    return Name(*split(bare), len(symbol) - len(bare))


def reduced(expression: Any) -> Any:
    """Products of sines and cosines as sines and cosines of sums."""
    return sp.expand(TR8(sp.expand(expression)))


def tree(expression: Any) -> Sum:
    """A SymPy expression as a tree: numbers first, then masses, lengths, sums, functions, speeds."""
    terms = expression.as_ordered_terms() if expression != 0 else []
    return Sum(tuple(_term(each) for each in terms)) if terms else ZERO


def _term(expression: Any) -> Term:
    number, rest = expression.as_coeff_mul()
    factors = sorted((_factor(each) for each in rest), key=_order)
    size = abs(number)
    numbers = () if size == 1 else (Number(int(size.p), int(size.q)),)
    return Term(-1 if number < 0 else 1, (*numbers, *factors))


def _factor(expression: Any) -> Factor:
    if expression.is_Symbol:
        return named(expression.name)
    if expression.is_Pow:
        return Power(_factor(expression.base), int(expression.exp))
    if expression.func in (sp.sin, sp.cos):
        return Trig(expression.func.__name__, tree(expression.args[0]))
    assert expression.is_Add, expression
    return tree(expression)


def _order(node: Factor) -> tuple[int, str]:
    match node:
        case Power(base, _):
            return _order(base)
        case Name(letter, index, 0):
            return "mg".find(letter) if letter in ("m", "g") else 2, letter + index
        case Sum():
            return 3, ""
        case Trig():
            return 4, ""
        case _:
            return 5, str(node)


def by_mass(expression: Any) -> Any:
    """A sum over masses and inertias, common factors of each in front."""
    heavy = [each for each in expression.free_symbols if each.name[0] in "mI"]
    parts = sp.collect(sp.expand(expression), sorted(heavy, key=str), evaluate=False)
    return sp.Add(*(sp.Mul(each, sp.factor_terms(rest), evaluate=True) for each, rest in parts.items()))


def _planar(lengths: Iterable[tuple[Any, Any]]) -> tuple[Any, Any, Any]:
    """The end of links of these lengths at these angles to the x axis."""
    each = list(lengths)
    return (
        sum((length * sp.cos(angle) for length, angle in each), sp.Integer(0)),
        sum((length * sp.sin(angle) for length, angle in each), sp.Integer(0)),
        sp.Integer(0),
    )


def _chain(
    title: str, angle: str, lengths: tuple[str, ...], centres: tuple[str, ...], inertias: tuple[str, ...]
) -> Machine:
    """Links that turn in the vertical plane, each angle from the link before."""
    count = len(lengths)
    names = tuple(f"{angle}{i + 1}" for i in range(count))
    angles = list(itertools.accumulate(sp.symbols(names)))
    turnings = list(itertools.accumulate(speed(each) for each in names))
    links = list(zip(sp.symbols(lengths), angles, strict=True))
    masses = tuple(
        Mass(
            f"m{i + 1}",
            _planar([*links[:i], (sp.Symbol(centres[i]), angles[i])]),
            ((inertias[i], turnings[i]),) if inertias else (),
        )
        for i in range(count)
    )
    return Machine(title, names, masses, _planar(links), angles=names)


def _polar() -> Machine:
    tool = _planar([(sp.Symbol("r"), sp.Symbol("theta"))])
    return Machine("polar", ("theta", "r"), (Mass("m", tool),), tool, angles=("theta",))


def _rp() -> Machine:
    angle, turning = sp.Symbol("theta1"), speed("theta1")
    tool = _planar([(sp.Symbol("theta2"), angle)])
    first = Mass("m1", _planar([(sp.Symbol("L1"), angle)]), (("I1", turning),))
    return Machine("rp", ("theta1", "theta2"), (first, Mass("m2", tool, (("I2", turning),))), tool, angles=("theta1",))


def _cylindrical() -> Machine:
    angle, turning = sp.Symbol("theta1"), speed("theta1")
    d1, d2, d3, lc1, lc3 = sp.symbols("d1 d2 d3 lc1 lc3")

    def out(reach: Any) -> tuple[Any, Any, Any]:
        return -reach * sp.sin(angle), reach * sp.cos(angle), d1 + d2

    nowhere = sp.Integer(0)
    masses = (
        Mass("m1", (nowhere, nowhere, lc1), (("Izz1", turning),)),
        Mass("m2", (nowhere, nowhere, d1 + d2), (("Izz2", turning),)),
        Mass("m3", out(d3 - lc3), (("Iyy3", turning),)),
    )
    return Machine("cylindrical", ("theta1", "d2", "d3"), masses, out(d3), 2, ("theta1",))


def _scara() -> Machine:
    theta1, theta2, a1, a2, d3, d4, lc1, lc2, lc3, lc4 = sp.symbols("theta1 theta2 a1 a2 d3 d4 lc1 lc2 lc3 lc4")
    first, second, fourth = speed("theta1"), speed("theta2"), speed("theta4")
    wrist = _planar([(a1, theta1), (a2, theta1 + theta2)])
    masses = (
        Mass("m1", _planar([(lc1, theta1)]), (("Izz1", first),)),
        Mass("m2", _planar([(a1, theta1), (lc2, theta1 + theta2)]), (("Izz2", first + second),)),
        Mass("m3", (*wrist[:2], -d3 + lc3), (("Izz3", first + second),)),
        Mass("m4", (*wrist[:2], -d3 - lc4), (("Izz4", first + second - fourth),)),
    )
    angles = ("theta1", "theta2", "theta4")
    return Machine("scara", ("theta1", "theta2", "d3", "theta4"), masses, (*wrist[:2], -d3 - d4), 2, angles)


_MACHINES: Mapping[str, Callable[[], Machine]] = {
    "elbow": lambda: _chain("elbow", "theta", ("a1", "a2"), ("a1", "a2"), ()),
    "polar": _polar,
    "rp": _rp,
    "rr": lambda: _chain("rr", "q", ("l1", "l2"), ("lc1", "lc2"), ("I1", "I2")),
    "cylindrical": _cylindrical,
    "planar3r": lambda: _chain("planar3r", "q", ("L1", "L2", "L3"), ("lc1", "lc2", "lc3"), ("I1", "I2", "I3")),
    "scara": _scara,
}
ARMS = tuple(_MACHINES)


@lru_cache
def machine(name: str) -> Machine:
    """An arm of ARMS, confirmed by leverarm's float functions at a random state."""
    found = _MACHINES[name]()
    _confirm(found)
    return found


def right_equations(name: str) -> dict[Left, tuple[Equation, ...]]:
    """The equations of an arm that are not zero: expanded, by masses, and as leverarm's sheet prints them."""
    arm = machine(name)
    sheet = _sheet(arm)
    found: dict[Left, tuple[Equation, ...]] = {}
    for left, expression in arm.quantities.items():
        ways = [tree(sp.expand(expression)), tree(by_mass(expression)), *([sheet[left]] if left in sheet else [])]
        ways = [each for each in dict.fromkeys(ways) if each.terms]
        if ways:
            assert all(arm.holds(left, each) for each in ways), left
            found[left] = tuple(Equation(name, left, each) for each in ways)
    return found


def _sheet(arm: Machine) -> dict[Left, Sum]:
    """M, c and g as `la.equations(arm).text()` prints them, and tau put together from them."""
    found: dict[Left, Sum] = {}
    for line in la.equations(la.load(arm.title)).text().splitlines():
        *lefts, right = line.split(" = ")
        if line.startswith("#") or not lefts:
            continue
        for each in lefts:
            letter, indices = each[0], tuple(int(digit) for digit in each[1:].strip("_"))
            formula = ZERO if right == "0" else read(right, arm.names)
            found[Left(letter, indices)] = formula
    for i in range(1, len(arm.coordinates) + 1):
        entries = [(found[Left("M", (i, j))], Name(*split(q), 2)) for j, q in enumerate(arm.coordinates, 1)]
        inertial = [_times(entry, acceleration) for entry, acceleration in entries if entry.terms]
        found[Left("tau", (i,))] = Sum((*inertial, *found[Left("c", (i,))].terms, *found[Left("g", (i,))].terms))
    return found


def _times(entry: Sum, acceleration: Name) -> Term:
    match entry.terms:
        case (only,):
            return Term(only.sign, (*only.factors, acceleration))
        case _:
            return Term(1, (entry, acceleration))


def _confirm(arm: Machine) -> None:
    """What SymPy derived is what leverarm computes, at a random state. Raises AssertionError."""
    state = arm.state(random.Random(3))
    values = {each: state[name] for each, name in arm.names.items() if name not in arm.moving}
    bound = la.load(arm.title)
    bound = la.with_values(bound, **{each: values[each] for each, _ in bound.symbols if each in values})
    q, qd, qdd = ([state[Name(*split(each), dots)] for each in arm.coordinates] for dots in (0, 1, 2))
    tool = la.forward_kinematics(bound, q, "tool")
    M, c, g = la.mass_matrix(bound, q), la.coriolis_torques(bound, q, qd), la.gravity(bound, q)
    K, P = la.kinetic_energy(bound, q, qd), la.potential_energy(bound, q)
    true = {Left("K"): K, Left("P"): P, Left("L"): K - P}
    true |= {Left(axis): tool[i][3] for i, axis in enumerate("xyz")}
    for i, tau in enumerate(la.inverse_dynamics(bound, q, qd, qdd), 1):
        true |= {Left("tau", (i,)): tau, Left("c", (i,)): c[i - 1], Left("g", (i,)): g[i - 1]}
        true |= {Left("M", (i, j)): M[i - 1][j - 1] for j in range(1, len(q) + 1)}
    for left, formula in arm.truths.items():
        assert near(value(formula, state), float(true[left])), (arm.title, left)
