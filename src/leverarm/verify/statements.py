"""The letters of the equations of motion as formula trees, and what the table of properties states with them.

Sentences about an arm are made of the same letters (`said`). Bounds over a box state theirs themselves
(`enclosures/extremes.py`).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from leverarm.documents.document import Piece, Words, sentence
from leverarm.notation.tree import (
    Call,
    Equation,
    Indexed,
    Node,
    Number,
    Of,
    Power,
    Product,
    Sum,
    Symbol,
    Transposed,
    factors_of,
)

M, C, c, g, F, W, S = map(Symbol, ("M", "C", "c", "g", "F", "W", "S"))
H, K, P, J, ONE, Lambda, Gamma = map(Symbol, ("H", "K", "P", "J", "I", "Lambda", "Gamma"))
q, t, d, s, v, k = map(Symbol, ("q", "t", "d", "s", "v", "k"))
tau, tau_d, phi, phi_b, rho = map(Symbol, ("tau", "tau_d", "phi", "phi_b", "rho"))
qd, qdd, Mdot, Hdot = Symbol("q", 1), Symbol("q", 2), Symbol("M", 1), Symbol("H", 1)


def number(value: int) -> Number:
    """A whole number."""
    return Number(Fraction(value))


def of(head: Node, *arguments: Node) -> Of:
    """A quantity with what it depends on: M(q)."""
    return Of(head, arguments)


def norm(inside: Node) -> Call:
    """The norm of a vector or matrix."""
    return Call("norm", inside)


def times(*factors: Node) -> Product:
    """A product in this order."""
    return Product(factors)


def plus(*terms: Node) -> Sum:
    """A sum in this order."""
    return Sum(terms)


def minus(a: Node, b: Node) -> Sum:
    """a - b."""
    return Sum((a, Product((number(-1), *factors_of(b)))))


def equal(*sides: Node) -> Equation:
    """a = b."""
    return Equation(sides)


def at_most(*sides: Node) -> Equation:
    """a <= b."""
    return Equation(sides, "<=")


def at_least(*sides: Node) -> Equation:
    """a >= b."""
    return Equation(sides, ">=")


def squared(base: Node) -> Power:
    """The square."""
    return Power(base, 2)


LETTERS: dict[str, Node] = {
    "M": M, "C": C, "c": c, "g": g, "F": F, "W": W, "S": S, "H": H, "K": K, "P": P, "q": q, "qd": qd, "qdd": qdd,
    "Mdot": Mdot, "tau": tau, "phi": phi, "S_T": Transposed(S), "qd_T": Transposed(qd), "mu1": Symbol("mu1"),
    "J_i": Indexed(J, "i"), "J_iT": Transposed(Indexed(J, "i")), "I_i": Indexed(ONE, "i"),
}  # fmt: skip
"""By the names that stand for them in sentences."""


def said(text: str, **parts: Piece) -> Words:
    """A sentence with letters in braces, and other parts by name: "every entry of {S} + {S_T} is zero."."""
    return sentence(text, **LETTERS, **parts)


LOAD = Symbol("tau_l")
"""What a joint transmits without acceleration: c + g - J^T w."""
ZERO, TWO = number(0), number(2)
EQUATIONS_OF_MOTION = equal(plus(times(of(M, q), qdd), of(c, q, qd), of(F, qd), of(g, q), tau_d), tau)


@dataclass(frozen=True, slots=True)
class Statement:
    """The title of a line, what it states in words, and the same as a formula."""

    title: Words
    words: str
    formula: Words


_m_q, _c_q, _lambda, _sum = of(M, q), of(c, q, qd), Symbol("lambda"), Symbol("sum")
_power, _loss = (Transposed(qd), tau), times(Transposed(qd), of(F, qd))
_along = ", 2-norms of the forces and speeds along the coordinates"
_friction = f"||F(qd)|| <= v ||qd|| + k{_along}", (at_most(norm(of(F, qd)), plus(times(v, norm(qd)), k)), _along)

STATEMENTS = {
    "symmetric": Statement(
        said("{M} symmetric"), "M(q) is symmetric, and K = qd^T M qd / 2.", (equal(_m_q, Transposed(_m_q)),)),
    "positive_definite": Statement(
        said("{M} positive definite"), "M(q) is positive definite: every motion has kinetic energy.",
        (Equation((_m_q, ZERO), "≻"),)),
    "growth": Statement(
        ("Bounds as functions of the range",), "What the bounds become as far as a joint without limits moves.",
        (at_most(norm(_m_q), plus(Symbol("a_0"), times(Symbol("a_1"), rho), times(Symbol("a_2"), squared(rho)))),
         ", ", at_most(Call("abs", Indexed(q, "j")), rho))),
    "quadratic": Statement(
        said("{c} quadratic in {qd}"), "c(q, qd) is quadratic in the speeds.",
        (equal(of(c, q, times(_lambda, qd)), times(squared(_lambda), _c_q)),)),
    "factorised": Statement(
        (equal(c, times(C, qd)),), "c(q, qd) = C(q, qd) qd with C from the Christoffel symbols of M.",
        (equal(_c_q, times(of(C, q, qd), qd)),)),
    "skew": Statement(
        ("Skew-symmetry of ", minus(Mdot, times(TWO, C))),
        "S = Mdot - 2 C is skew-symmetric: S + S^T = 0, so x^T S x = 0 for every x.",
        (Equation((of(S, q, qd), minus(of(Mdot, q), times(TWO, of(C, q, qd)))), "≡"),
         ", ", equal(plus(S, Transposed(S)), ZERO))),
    "at_rest": Statement(
        said("{c} zero at rest"), "c(q, 0) = 0: without speed there are no Coriolis and centrifugal torques.",
        (equal(of(c, q, ZERO), ZERO),)),
    "velocity_terms": Statement(
        ("Coriolis and centripetal terms",),
        "c_i is a sum of centripetal terms in qd_j^2 and Coriolis terms in qd_j qd_k.",
        (equal(Indexed(c, "i"), plus(
            times(Indexed(_sum, "j"), Indexed(Gamma, "ijj"), squared(Indexed(qd, "j"))),
            times(Indexed(_sum, "j<k"), TWO, Indexed(Gamma, "ijk"), Indexed(qd, "j"), Indexed(qd, "k")))),)),
    "v": Statement(("Viscous constant of friction",), *_friction),
    "k": Statement(("Dry constant of friction",), *_friction),
    "d": Statement(("Bound of the disturbance",), "||tau_d|| <= d, 2-norm", (at_most(norm(tau_d), d), ", 2-norm")),
    "passivity": Statement(
        ("Passivity",),
        "The energy supplied is at least the energy stored: integral of qd^T tau dt >= H(t) - H(0), {storage}.",
        (at_least(times(Indexed(Symbol("int"), "0", "t"), *_power, d, s), minus(of(H, t), of(H, ZERO))),)),
    "energy": Statement(
        ("Power balance",),
        "The power of the torques is the rate of the energy plus what friction dissipates: "
        "qd^T tau = dH/dt + qd^T F(qd), with H = K + P.",
        (equal(times(*_power), plus(Hdot, _loss)), ", ", equal(H, plus(K, P)))),
    "dissipation": Statement(
        ("Friction dissipates energy",), "qd^T F(qd) >= 0 at every speed.", (at_least(_loss, ZERO),)),
    "linear": Statement(
        ("Linear in the parameters",),
        "M qdd + c + F + g = W(q, qd, qdd) phi: the forces are linear in the parameters.",
        (equal(plus(times(M, qdd), c, F, g), times(of(W, q, qd, qdd), phi)),)),
    "linear_at_load": Statement(
        ("Linear in the parameters",),
        "M qdd + c + F + g = W(q, qd, qdd, |tau_l|) phi: linear in the parameters at a given load only.",
        (equal(plus(times(M, qdd), c, F, g), times(of(W, q, qd, qdd, Call("abs", LOAD)), phi)),)),
    "base_parameters": Statement(
        ("Base parameters",),
        "The base (minimal) parameters, the fewest combinations that the torques depend on: W phi = W_b phi_b.",
        (equal(times(W, phi), times(Symbol("W_b"), phi_b)),
         ", ", equal(times(Symbol("dim"), phi_b), times(Symbol("rank"), W)))),
}  # fmt: skip
"""By the key of the line."""
