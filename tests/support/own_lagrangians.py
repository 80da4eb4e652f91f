"""Systems of one's own, as texts, and the same through SymPy's own parser and its Lagrange's method."""

from __future__ import annotations

import sympy
from sympy.parsing.sympy_parser import (
    convert_xor,
    implicit_multiplication,
    parse_expr,
    rationalize,
    standard_transformations,
)
from sympy.physics.mechanics import LagrangesMethod, dynamicsymbols

from tests.support.levels import at_level

TRANSFORMED = (*standard_transformations, implicit_multiplication, convert_xor, rationalize)

SYSTEMS = {
    "mass on a spring": {"L": "1/2 m xd^2 - 1/2 k x^2", "coordinates": ["x"], "dissipation": "1/2 b xd^2"},
    "pendulum": {
        "L": "1/2 m (xd^2 + yd^2) - m g y", "coordinates": ["theta"], "let": {"x": "l sin(theta)", "y": "-l cos(theta)"}
    },
    "pendulum on a spring": {
        "L": "1/2 m (rd^2 + r^2 thetad^2) + m g r cos(theta) - 1/2 k (r - l)^2", "coordinates": ["r", "theta"]
    },
    "bead on a rotating hoop": {
        "L": "1/2 m r^2 (thetad^2 + w^2 sin(theta)^2) + m g r cos(theta)", "coordinates": ["theta"], "dissipation": "1/2 b thetad^2"
    },
    "cart-pole": {
        "L": "1/2 M xd^2 + 1/2 m (ud^2 + wd^2) - m g w", "coordinates": ["x", "theta"],
        "let": {"u": "x + l sin(theta)", "w": "l cos(theta)"}, "forces": {"x": "F - b xd"}, "inputs": ["F"],
    },
    "ball screw": {
        "L": "1/2 J thetad^2 + 1/2 m xd^2", "coordinates": ["theta"], "let": {"x": "p/(2 pi) theta"}, "forces": {"theta": "u"}
    },
    "double pendulum": {
        "L": "1/2 m1 (x1d^2 + y1d^2) + 1/2 m2 (x2d^2 + y2d^2) - m1 g y1 - m2 g y2", "coordinates": ["a1", "a2"],
        "let": {"x1": "l1 sin(a1)", "y1": "-l1 cos(a1)", "x2": "x1 + l2 sin(a2)", "y2": "y1 - l2 cos(a2)"},
    },
    "double pendulum with relative angles": {
        "L": "1/2 m1 l1^2 qd1^2 + 1/2 m2 (l1^2 qd1^2 + l2^2 (qd1 + qd2)^2 + 2 l1 l2 qd1 (qd1 + qd2) cos(q2)) "
        "+ (m1 + m2) g l1 cos(q1) + m2 g l2 cos(q1 + q2)", "coordinates": ["q1", "q2"],
    },
    "planet": {"L": "1/2 m (rd^2 + r^2 phid^2) + k/r", "coordinates": ["r", "phi"]},
    "spherical pendulum": {
        "L": "1/2 m l^2 (thetad^2 + sin(theta)^2 phid^2) + m g l cos(theta)", "coordinates": ["theta", "phi"]
    },
    "heavy top": {
        "L": "1/2 A (thetad^2 + phid^2 sin(theta)^2) + 1/2 B (psid + phid cos(theta))^2 - m g h cos(theta)",
        "coordinates": ["phi", "theta", "psi"],
    },
    "charge in a magnetic field": {
        "L": "1/2 m (xd^2 + yd^2) + 1/2 B (x yd - y xd) - 1/2 k (x^2 + y^2)", "coordinates": ["x", "y"]
    },
    "anharmonic oscillator": {"L": "1/2 m xd^2 + 1/2 a x^2 - 1/4 b x^4", "coordinates": ["x"], "forces": {"x": "-c xd^3"}},
    "three masses on springs": {
        "L": "1/2 m (x1d^2 + x2d^2 + x3d^2) - 1/2 k (x1^2 + (x2 - x1)^2 + (x3 - x2)^2)", "coordinates": ["x1", "x2", "x3"]
    },
    "mass on a sliding wedge": {
        "L": "1/2 M xd^2 + 1/2 m ((xd + sd cos(a))^2 + (sd sin(a))^2) + m g s sin(a)", "coordinates": ["x", "s"]
    },
    "driven pivot": {
        "L": "1/2 m (ud^2 + vd^2) - m g v", "coordinates": ["theta"], "let": {"u": "1/6 a t^3 + l sin(theta)", "v": "-l cos(theta)"}
    },
    "mass that depends on place and speeds that mix": {
        "L": "1/2 m (1 + x^2) xd^2 + n x y xd yd + 1/2 m (2 + cos(x - 2 y)) yd^2 - c sin(x + y)", "coordinates": ["x", "y"]
    },
    "quartic in the speed": {"L": "1/4 a xd^4 + 1/2 m xd^2 - 1/2 k x^2", "coordinates": ["x"]},
    "spring between points": {
        "L": "1/2 m (xd^2 + yd^2) - 1/2 k (sqrt(x^2 + y^2) - l)^2 - m g y", "coordinates": ["x", "y"]
    },
    "Morse oscillator": {"L": "1/2 m xd^2 - D (1 - exp(-a x))^2", "coordinates": ["x"], "dissipation": "1/2 b xd^2"},
    "relativistic particle": {"L": "-m c^2 sqrt(1 - xd^2/c^2)", "coordinates": ["x"], "forces": {"x": "F"}},
    "pendulum by its arc, Toda walls": {"L": "1/2 m sd^2 + m g l cos(s/l) - k (exp(s) + exp(-s))", "coordinates": ["s"]},
}  # fmt: skip
"""Twenty-two systems: polynomial, trigonometric, rational, depending on time, gyroscopic, and beyond."""

TRIED = at_level(["cart-pole", "driven pivot", "quartic in the speed", "Morse oscillator"], [*SYSTEMS], [*SYSTEMS])
"""Those that a test for every system tries."""


class BySympy:
    """A system read by SymPy's parser and derived by `LagrangesMethod`, in the names that leverarm's formulas have."""

    def __init__(self, L, coordinates, forces=None, let=None, dissipation="0", inputs=None):
        t = dynamicsymbols._t
        self.q = [dynamicsymbols(name) for name in coordinates]
        names = {"t": t}
        for name, q in zip(coordinates, self.q, strict=True):
            names |= {name: q, dotted(name): q.diff(t), f"{name}d": q.diff(t)}
        for name, text in (let or {}).items():
            x = self.parsed(text, names)
            names |= {name: x, dotted(name): x.diff(t), f"{name}d": x.diff(t)}
        method = LagrangesMethod(self.parsed(L, names), self.q)
        self.left = list(method.form_lagranges_equations())
        self.M = method.mass_matrix
        R = self.parsed(dissipation, names)
        self.forces = [
            self.parsed((forces or {}).get(n, "0"), names) - R.diff(q.diff(t))
            for n, q in zip(coordinates, self.q, strict=True)
        ]
        self.back = {
            q.diff(t, k): sympy.Symbol(dotted(n, k))
            for k in (2, 1, 0)
            for n, q in zip(coordinates, self.q, strict=True)
        }
        self.back[t] = sympy.Symbol("t")

    @staticmethod
    def parsed(text, names):
        constants = {name: sympy.Symbol(name) for name in ("N", "S", "E", "I", "O", "Q", "beta", "gamma", "zeta")}
        return parse_expr(text, {**constants, **names}, TRANSFORMED)

    def written(self, x):
        """An expression with symbols in place of functions of time."""
        for before, after in self.back.items():
            x = x.subs(before, after)
        return x


def dotted(name, dots=1):
    stem = name.rstrip("0123456789")
    return stem + "d" * dots + name[len(stem) :]


def differ_at(a, b, k):
    """How far two expressions are apart at the k-th rational point, to 60 digits; pi is the number."""
    pi = {sympy.Symbol("pi"): sympy.pi}
    difference = (sympy.sympify(a) - sympy.sympify(b)).subs(pi)
    symbols = sorted(difference.free_symbols, key=str)
    point = {s: sympy.Rational(3 + (7 * i + 5 * k) % 11, 7 + 13 * (s.name == "c")) for i, s in enumerate(symbols)}
    return abs(difference.subs(point).evalf(60))
