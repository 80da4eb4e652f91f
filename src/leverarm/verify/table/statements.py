"""What the table states about every arm, in words and as formulas; the bounds over a box state theirs themselves."""

from __future__ import annotations

from dataclasses import dataclass

from leverarm.documents.document import Words
from leverarm.notation.tree import Call, Equation, Indexed, Symbol, Transposed
from leverarm.verify.letters import (
    LETTERS,
    MOTION,
    C,
    F,
    Gamma,
    H,
    Hdot,
    K,
    M,
    Mdot,
    P,
    S,
    W,
    at_least,
    at_most,
    c,
    d,
    equal,
    g,
    k,
    minus,
    norm,
    number,
    of,
    phi,
    phi_b,
    plus,
    q,
    qd,
    qdd,
    rho,
    s,
    said,
    squared,
    t,
    tau,
    tau_d,
    times,
    v,
)

EQUATIONS_OF_MOTION = equal(plus(times(of(M, q), qdd), of(c, q, qd), of(F, qd), of(g, q), tau_d), tau)
ZERO, TWO = number(0), number(2)
POWER = times(LETTERS["qd_T"], tau)
LOSS = times(LETTERS["qd_T"], of(F, qd))


@dataclass(frozen=True, slots=True)
class Statement:
    """The title of a line, what it states in words, and the same as a formula."""

    title: Words
    words: str
    formula: Words


_FRICTION: Words = (
    at_most(norm(of(F, qd)), plus(times(v, norm(qd)), k)),
    ", 2-norms of the forces and speeds along the coordinates",
)
_FRICTION_WORDS = "||F(qd)|| <= v ||qd|| + k, 2-norms of the forces and speeds along the coordinates"

STATEMENTS = {
    "symmetric": Statement(
        said("{M} symmetric"),
        "M(q) is symmetric, and K = qd^T M qd / 2.",
        (equal(of(M, q), Transposed(of(M, q))),),
    ),
    "positive_definite": Statement(
        said("{M} positive definite"),
        "M(q) is positive definite: every motion has kinetic energy.",
        (Equation((of(M, q), ZERO), "≻"),),
    ),
    "growth": Statement(
        ("Bounds as functions of the range",),
        "What the bounds become as far as a joint without limits slides.",
        (
            at_most(
                norm(of(M, q)),
                plus(Symbol("a_0"), times(Symbol("a_1"), rho), times(Symbol("a_2"), squared(rho))),
            ),
            ", ",
            at_most(Call("abs", Indexed(q, "j")), rho),
        ),
    ),
    "quadratic": Statement(
        said("{c} quadratic in {qd}"),
        "c(q, qd) is quadratic in the speeds.",
        (equal(of(c, q, times(Symbol("lambda"), qd)), times(squared(Symbol("lambda")), of(c, q, qd))),),
    ),
    "factorised": Statement(
        (equal(c, times(C, qd)),),
        "c(q, qd) = C(q, qd) qd with C from the Christoffel symbols of M.",
        (equal(of(c, q, qd), times(of(C, q, qd), qd)),),
    ),
    "skew": Statement(
        ("Skew-symmetry of ", minus(Mdot, times(TWO, C))),
        "S = Mdot - 2 C is skew-symmetric: S + S^T = 0, so x^T S x = 0 for every x.",
        (
            Equation((of(S, q, qd), minus(of(Mdot, q), times(TWO, of(C, q, qd)))), "≡"),
            ", ",
            equal(plus(S, Transposed(S)), ZERO),
        ),
    ),
    "at_rest": Statement(
        said("{c} zero at rest"),
        "c(q, 0) = 0: without speed there are no Coriolis and centrifugal torques.",
        (equal(of(c, q, ZERO), ZERO),),
    ),
    "velocity_terms": Statement(
        ("Coriolis and centripetal terms",),
        "c_i is a sum of centripetal terms in qd_j^2 and Coriolis terms in qd_j qd_k.",
        (
            equal(
                Indexed(c, "i"),
                plus(
                    times(Indexed(Symbol("sum"), "j"), Indexed(Gamma, "ijj"), squared(Indexed(qd, "j"))),
                    times(
                        Indexed(Symbol("sum"), "j<k"), TWO, Indexed(Gamma, "ijk"), Indexed(qd, "j"), Indexed(qd, "k")
                    ),
                ),
            ),
        ),
    ),
    "v": Statement(("Viscous constant of friction",), _FRICTION_WORDS, _FRICTION),
    "k": Statement(("Dry constant of friction",), _FRICTION_WORDS, _FRICTION),
    "d": Statement(("Bound of the disturbance",), "||tau_d|| <= d, 2-norm", (at_most(norm(tau_d), d), ", 2-norm")),
    "passivity": Statement(
        ("Passivity",),
        "The energy supplied is at least the energy stored: integral of qd^T tau dt >= H(t) - H(0), {storage}.",
        (at_least(times(Indexed(Symbol("int"), "0", "t"), *POWER.factors, d, s), minus(of(H, t), of(H, ZERO))),),
    ),
    "energy": Statement(
        ("Power balance",),
        "The power of the torques is the rate of the energy plus what friction dissipates: "
        "qd^T tau = dH/dt + qd^T F(qd), with H = K + P.",
        (equal(POWER, plus(Hdot, LOSS)), ", ", equal(H, plus(K, P))),
    ),
    "dissipation": Statement(
        ("Friction dissipates energy",), "qd^T F(qd) >= 0 at every speed.", (at_least(LOSS, ZERO),)
    ),
    "linear": Statement(
        ("Linear in the parameters",),
        "M qdd + c + F + g = W(q, qd, qdd) phi: the forces are linear in the parameters.",
        (equal(plus(times(M, qdd), c, F, g), times(of(W, *MOTION), phi)),),
    ),
    "base_parameters": Statement(
        ("Base parameters",),
        "The base (minimal) parameters, the fewest combinations that the torques depend on: W phi = W_b phi_b.",
        (
            equal(times(W, phi), times(Symbol("W_b"), phi_b)),
            ", ",
            equal(times(Symbol("dim"), phi_b), times(Symbol("rank"), W)),
        ),
    ),
}
"""By the key of the line."""
