"""Formula trees to try renderers on: one of each kind, the planar 2R arm's mass matrix, random sums and products."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

from leverarm.notation import tree
from leverarm.notation.tree import Equation, Matrix, Number, Of, Power, Product, Sum, Symbol, Trig
from leverarm.notation.vocabulary import Writing

WRITING = Writing(index={"theta1": "1", "theta2": "2", "theta3": "3"})
TWO = Number(Fraction(2))
A, B, THETA = Symbol("a"), Symbol("b"), Symbol("theta1")

ALL_KINDS = (
    Number(Fraction(-1, 2)),
    Symbol("theta1", 2),
    Trig("cos", (("theta1", 1), ("theta2", 1))),
    Trig("sin", (("theta2", 2),)),
    tree.Call("sgn", Symbol("theta1", 1)),
    tree.Call("sqrt", TWO),
    tree.Call("norm", A),
    tree.Decimal("1.90", "kg m^2"),
    Sum((A, Product((Number(Fraction(-1)), B)))),
    Product((TWO, A, B)),
    Power(A, 2),
    tree.Ratio(Sum((A, B)), Product((A, B))),
    Matrix(((A, B), (B, A))),
    Of(Symbol("M"), (THETA, A)),
    tree.Indexed(Symbol("Gamma"), "112"),
    tree.Indexed(Symbol("sum"), "i=1", "n"),
    tree.Indexed(Symbol("J"), "c1", "s"),
    tree.Transposed(A),
    tree.Inverse(Matrix(((A, B), (B, A)))),
    tree.Exponential(Product((tree.Bracketed(A), THETA))),
    tree.Bracketed(A),
    tree.PartialDerivative(A, THETA),
    tree.PartialDerivative(Sum((A, B)), THETA),
    tree.TimeDerivative(Sum((A, B))),
    tree.Labelled(Product((A, B)), "gravity"),
    Equation((A, B)),
)


def equation_of_2r() -> Equation:
    """M(theta) of the planar 2R arm with its centres of mass at the ends of the links."""
    m1, m2, L1, L2, I1, I2 = (Symbol(name) for name in ("m1", "m2", "L1", "L2", "I1", "I2"))
    c2 = Trig("cos", (("theta2", 1),))
    inner = Sum((Power(L1, 2), Power(L2, 2), Product((TWO, L1, L2, c2))))
    first = Sum((Product((m1, Power(L1, 2))), Product((m2, inner)), I1, I2))
    mixed = Sum((Product((m2, Sum((Power(L2, 2), Product((L1, L2, c2)))))), I2))
    second = Sum((Product((m2, Power(L2, 2))), I2))
    return Equation((Of(Symbol("M"), (Symbol("theta"),)), Matrix(((first, mixed), (mixed, second)))))


def formulas() -> st.SearchStrategy[tree.Node]:
    """Sums of products of sums, a few levels deep, with signs and powers; no part that cannot be broken is wide."""
    symbols = st.sampled_from(["m1", "L1", "Ixx2", "lc1", "theta1"]).map(Symbol)
    speeds = st.sampled_from(["theta1", "theta2"]).map(lambda name: Symbol(name, 1))
    trigs = st.sampled_from([(1,), (2,), (1, 2), (1, 2, 3)]).map(
        lambda numbers: Trig("cos", tuple((f"theta{k}", 1) for k in numbers))
    )
    atoms = st.one_of(symbols, speeds, trigs, symbols.map(lambda base: Power(base, 2)))
    numbers = st.sampled_from([-2, -1, 2, 3]).map(lambda k: Number(Fraction(k)))

    def products(parts: st.SearchStrategy[tree.Node]) -> st.SearchStrategy[tree.Node]:
        factors = st.lists(parts, min_size=2, max_size=4).map(tuple)
        return st.one_of(factors.map(Product), st.tuples(numbers, atoms).map(Product))

    def sums(parts: st.SearchStrategy[tree.Node]) -> st.SearchStrategy[tree.Node]:
        return st.lists(st.one_of(parts, products(atoms)), min_size=2, max_size=9).map(lambda terms: Sum(tuple(terms)))

    small = sums(atoms)
    return sums(products(st.one_of(atoms, small)))
