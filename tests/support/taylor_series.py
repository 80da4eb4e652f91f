"""The Taylor coefficients of a motion, from the program of its rates, operation by operation.

Each value of the program is a power series in time, and its k-th coefficient follows from the k-th ones of what it is
made of and from lower ones (Griewank and Walther 2008, tables 13.1 and 13.2); the k-th of qdd then gives the (k+2)-nd
of q (Jorba and Zou, Experimental Mathematics 14, 2005). Works over any number that has + - * / and, where the program
asks for them, cosine, sine, tanh and sign.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import mul
from typing import NamedTuple

from leverarm.compiler import Program
from leverarm.compiler.program import slices_of
from leverarm.scalars import Op, Scalar, cos_sin, sign, tanh

Powers = list[Scalar]
"""The coefficients of a power series in the time since an instant, lowest power first."""
Coefficient = Callable[[int], Scalar]
"""The k-th coefficient of a series."""


@dataclass(frozen=True, slots=True, eq=False)
class Value:
    """A power series that grows, or a constant: one number, then zeros for every power there will be."""

    powers: Powers
    grows: bool

    @staticmethod
    def growing(taken: Sequence[Value]) -> Value:
        """What is made of these: it grows if one of them does."""
        return Value([], any(value.grows for value in taken))


def product(own: Powers, a: Value, b: Value) -> Coefficient:
    """Sum of a_j b_(k - j); both have exactly k + 1 coefficients when it is asked for."""
    x, y = a.powers, b.powers
    if not a.grows:
        return lambda k: x[0] * y[k]
    if not b.grows:
        return lambda k: y[0] * x[k]
    return lambda k: sum(map(mul, x, reversed(y)))


def quotient(own: Powers, a: Value, b: Value) -> Coefficient:
    """From own b = a: own_k = (a_k - sum of b_j own_(k - j) from j = 1 on) / b_0."""
    x, y = a.powers, b.powers
    if not b.grows:
        return lambda k: x[k] / y[0]
    return lambda k: (x[k] - sum(map(mul, y[1:], reversed(own)))) / y[0]


def circle(first: tuple[Scalar, Scalar], angle: Powers, slope: Powers, c: Powers, s: Powers) -> tuple[Coefficient, ...]:
    """The slope k x_k of the angle, its cosine and its sine, from c' = -s x' and s' = c x'."""
    return (
        lambda k: k * angle[k],
        lambda k: -_along(slope, s, k) / k if k else first[0],
        lambda k: _along(slope, c, k) / k if k else first[1],
    )


def hyperbolic(x: Powers, slope: Powers, y: Powers, rate: Powers) -> tuple[Coefficient, ...]:
    """The slope k x_k, y = tanh x and its rate 1 - y^2, from y' = (1 - y^2) x'."""
    return (
        lambda k: k * x[k],
        lambda k: _along(slope, rate, k) / k if k else tanh(x[0]),
        lambda k: -sum(map(mul, y, reversed(y))) if k else 1 - y[0] * y[0],
    )


def _along(slope: Powers, other: Powers, k: int) -> Scalar:
    """Sum of slope_j other_(k - j) from j = 1 on."""
    return sum(map(mul, slope[1:], other[k - 1 :: -1]))


def _fused(own: Powers, a: Value, b: Value, c: Value) -> Coefficient:
    p, z = product(own, a, b), c.powers
    return lambda k: p(k) + z[k]


def _fused_less(own: Powers, a: Value, b: Value, c: Value) -> Coefficient:
    p, z = product(own, a, b), c.powers
    return lambda k: p(k) - z[k]


def _less_fused(own: Powers, a: Value, b: Value, c: Value) -> Coefficient:
    p, z = product(own, a, b), c.powers
    return lambda k: z[k] - p(k)


def _negation(own: Powers, a: Value) -> Coefficient:
    x = a.powers
    return lambda k: -x[k]


def _sum(own: Powers, a: Value, b: Value) -> Coefficient:
    x, y = a.powers, b.powers
    return lambda k: x[k] + y[k]


def _difference(own: Powers, a: Value, b: Value) -> Coefficient:
    x, y = a.powers, b.powers
    return lambda k: x[k] - y[k]


RECURRENCES: dict[Op, Callable[..., Coefficient]] = {
    Op.NEG: _negation,
    Op.ADD: _sum,
    Op.SUB: _difference,
    Op.MUL: product,
    Op.DIV: quotient,
    Op.FMA: _fused,
    Op.FMS: _fused_less,
    Op.FNMA: _less_fused,
}


class Instant(NamedTuple):
    """A time [s], the coordinates [rad or m] and their rates [rad/s or m/s] at that time."""

    t: Scalar
    q: Sequence[Scalar]
    qd: Sequence[Scalar]


@dataclass(frozen=True, slots=True)
class Coefficients:
    """A motion near an instant: power series of q, of qd and of every entry of the program's outputs."""

    q: list[Powers]
    qd: list[Powers]
    outputs: Mapping[str, list[Powers]]
    signs: list[Powers]
    """What the program takes the sign of. All this holds as long as none of them changes its sign."""


def taylor_coefficients(
    rates: Program,
    instant: Instant,
    data: Mapping[str, Sequence[Scalar]],
    order: int,
    number: Callable[[float], Scalar],
) -> Coefficients:
    """q up to the power `order`, qd up to one less, the outputs up to two less, along the motion through an instant.

    `rates` takes q and qd, t if it likes, and what `data` holds; its first output is qdd. `number` makes a float one of
    the numbers to compute with. Cost: order^2 / 2 products for each product of the program.
    """
    zero = number(0.0)
    time = [instant.t, number(1.0), *[zero] * order]
    q, qd = [[x, v] for x, v in zip(instant.q, instant.qd, strict=True)], [[v] for v in instant.qd]
    moving = {"t": [time], "q": q, "qd": qd}
    inputs: list[tuple[Powers, bool]] = []
    for array in rates.inputs:
        if array.name in moving:
            inputs += [(powers, True) for powers in moving[array.name]]
        else:
            inputs += [([x], False) for x in data[array.name]]
    unrolled = _Unrolled(order, number)
    unrolled.add_all(rates, inputs)
    outputs = {
        array.name: [unrolled.values[k].powers for k in rates.results[where]]
        for array, where in zip(rates.outputs, slices_of(rates.outputs), strict=True)
    }
    accelerations = outputs[rates.outputs[0].name]
    for k in range(order - 1):
        if k:
            unrolled.grow(k)
        for x, v, a in zip(q, qd, accelerations, strict=True):
            v.append(a[k] / (k + 1))
            x.append(a[k] / ((k + 1) * (k + 2)))
    return Coefficients(q, qd, outputs, unrolled.signs)


class _Unrolled:
    """The values of a program as power series that grow together, one coefficient at a time."""

    def __init__(self, order: int, number: Callable[[float], Scalar]) -> None:
        self.values: list[Value] = []
        self.signs: list[Powers] = []
        self._zeros = [number(0.0)] * order
        self._number = number
        self._growing: list[tuple[Powers, Coefficient]] = []
        self._circles: dict[int, tuple[Value, Value]] = {}

    def add_all(self, rates: Program, inputs: Sequence[tuple[Powers, bool]]) -> None:
        """Every value up to its lowest coefficient."""
        for op, args, value in rates.code:
            taken = [self.values[a] for a in args]
            if op is Op.CONST:
                made = self._constant(self._number(value))
            elif op is Op.INPUT:
                made = self._input(*inputs[int(value)])
            elif op is Op.SIGN:
                self.signs.append(taken[0].powers)
                made = self._constant(self._number(float(sign(taken[0].powers[0]))))
            elif op in (Op.COS, Op.SIN):
                made = self._cosine_and_sine(args[0])[op is Op.SIN]
            elif op is Op.TANH:
                slope, y, rate = Value.growing(taken), Value.growing(taken), Value.growing(taken)
                self._add((slope, y, rate), hyperbolic(taken[0].powers, slope.powers, y.powers, rate.powers))
                made = y
            else:
                made = Value.growing(taken)
                self._add((made,), (RECURRENCES[op](made.powers, *taken),))
            self.values.append(made)

    def grow(self, k: int) -> None:
        """The k-th coefficient of every value; those before it must be there."""
        for powers, coefficient in self._growing:
            powers.append(coefficient(k))

    def _add(self, made: Sequence[Value], coefficients: Sequence[Coefficient]) -> None:
        for value, coefficient in zip(made, coefficients, strict=True):
            value.powers.append(coefficient(0))
            if value.grows:
                self._growing.append((value.powers, coefficient))
            else:
                value.powers.extend(self._zeros)

    def _constant(self, x: Scalar) -> Value:
        return Value([x, *self._zeros], False)

    def _input(self, source: Powers, grows: bool) -> Value:
        """A copy, because the coordinates are known one coefficient ahead."""
        made = Value([], grows)
        self._add((made,), (source.__getitem__,))
        return made

    def _cosine_and_sine(self, angle: int) -> tuple[Value, Value]:
        if angle not in self._circles:
            of = self.values[angle]
            slope, c, s = Value.growing([of]), Value.growing([of]), Value.growing([of])
            self._add((slope, c, s), circle(cos_sin(of.powers[0]), of.powers, slope.powers, c.powers, s.powers))
            self._circles[angle] = c, s
        return self._circles[angle]
