"""The letters of the equations of motion, as formula trees: what statements and sentences about them are made of."""

from __future__ import annotations

from fractions import Fraction

from leverarm.documents.document import Piece, Words, sentence
from leverarm.notation.tree import Call, Equation, Indexed, Node, Number, Of, Power, Product, Sum, Symbol, Transposed

M, C, c, g, F, W, S = map(Symbol, ("M", "C", "c", "g", "F", "W", "S"))
H, K, P, J, ONE, Lambda, Gamma = map(Symbol, ("H", "K", "P", "J", "I", "Lambda", "Gamma"))
q, t, d, s, v, k = map(Symbol, ("q", "t", "d", "s", "v", "k"))
tau, tau_d, phi, phi_b, rho = map(Symbol, ("tau", "tau_d", "phi", "phi_b", "rho"))
qd, qdd, Mdot, Hdot = Symbol("q", 1), Symbol("q", 2), Symbol("M", 1), Symbol("H", 1)
MOTION = (q, qd, qdd)


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
    return Sum((a, Product((number(-1), *(b.factors if isinstance(b, Product) else (b,))))))


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
