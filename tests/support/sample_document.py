"""A document made by hand, with every kind of formula, long lines, matrices, tables and a proof."""

from __future__ import annotations

from fractions import Fraction

from leverarm.derivation.steps import chapter, step
from leverarm.documents.document import (
    Document,
    Facts,
    Figure,
    Items,
    Level,
    Mark,
    Paragraph,
    Section,
    Shown,
    Table,
    Verdict,
)
from leverarm.notation import tree as t
from leverarm.notation.vocabulary import Writing

S = t.Symbol


def number(a: int, b: int = 1) -> t.Number:
    return t.Number(Fraction(a, b))


def product(*factors: t.Node) -> t.Product:
    return t.Product(factors)


def plus(*terms: t.Node) -> t.Sum:
    return t.Sum(terms)


def squared(node: t.Node) -> t.Power:
    return t.Power(node, 2)


def equation(*sides: t.Node) -> t.Equation:
    return t.Equation(sides)


c1, c2, s1, s2 = (t.Trig(f, ((a, 1),)) for f in ("cos", "sin") for a in ("theta1", "theta2"))
c12, s12 = (t.Trig(f, (("theta1", 1), ("theta2", 1))) for f in ("cos", "sin"))
m1, m2, a1, a2, I1, I2, g = (S(name) for name in ("m1", "m2", "a1", "a2", "I1", "I2", "g"))
theta, theta1, theta2 = S("theta"), S("theta1"), S("theta2")
w1, w2, al1, al2 = S("theta1", 1), S("theta2", 1), S("theta1", 2), S("theta2", 2)
M, L, tau1, tau2, K = S("M"), S("L"), S("tau1"), S("tau2"), S("K")

M11 = plus(
    product(m1, squared(a1)), product(m2, plus(squared(a1), squared(a2), product(number(2), a1, a2, c2))), I1, I2
)
M12 = plus(product(m2, plus(squared(a2), product(a1, a2, c2))), I2)
M22 = plus(product(m2, squared(a2)), I2)
MASS = t.Matrix(((M11, M12), (M12, M22)))
LONG = plus(*(product(number(k + 2), m2, S(f"a{1 + k % 3}"), t.Power(a2, 2 + k % 3), c12, w1, w2) for k in range(24)))
BRACKET = product(
    number(-1), m2, a1, a2, s2, plus(*(product(S(f"lc{k}"), squared(S("theta1", 1))) for k in range(1, 30)))
)
WIDE = t.Matrix(tuple(tuple(product(number(i + j + 1), M11) for j in range(4)) for i in range(4)))

TAU1 = plus(
    product(M11, al1),
    product(M12, al2),
    t.Labelled(product(number(-2), m2, a1, a2, s2, w1, w2), "Coriolis"),
    t.Labelled(product(number(-1), m2, a1, a2, s2, squared(w2)), "centripetal"),
    t.Labelled(product(plus(m1, m2), g, a1, c1), "gravity"),
)

FRAMES = step(
    "Positions of the centres of mass",
    ("The joint angles are ", theta1, " and ", theta2, "; the frame of link ", S("i"), " follows from ",
     t.Indexed(S("T"), "0i"), " by a product of exponentials, and the centre of mass of link 2 is at ",
     t.Indexed(S("p"), "2"), " & <so on> with 100 % of $5 and under_score #1."),
    (
        Shown(equation(t.Indexed(S("T"), "02"), product(
            t.Exponential(product(t.Bracketed(S("S1")), theta1)), t.Exponential(product(t.Bracketed(S("S2")), theta2)), M))),
        Shown(equation(t.Indexed(S("p"), "2"), t.column((plus(product(a1, c1), product(a2, c12)),
                                                         plus(product(a1, s1), product(a2, s12)), t.ZERO)))),
    ),
    (Table(("link", "mass", t.Indexed(S("p"), "i")), (
        ("upper arm", m1, product(a1, c1)),
        ("fore | arm", m2, plus(product(a1, c1), product(a2, c12))),
    ), "The links and where their masses are."),),
    code="M = la.mass_matrix(arm, [0.1, 0.2])\nM",
)  # fmt: skip
ENERGY = step(
    "Kinetic energy",
    ("It is a half ", product(t.Transposed(S("theta", 1)), t.Of(M, (theta,)), S("theta", 1)), "."),
    (
        Shown(equation(K, product(number(1, 2), t.Transposed(S("theta", 1)), t.Of(M, (theta,)), S("theta", 1)),
                       plus(product(number(1, 2), M11, squared(w1)), product(M12, w1, w2), product(number(1, 2), M22, squared(w2))))),
        Shown(equation(t.Of(M, (theta,)), MASS)),
        Shown(equation(t.PartialDerivative(L, w1), plus(product(M11, w1), product(M12, w2))), Level.FULL),
        Shown(equation(t.TimeDerivative(t.PartialDerivative(L, w1)), TAU1), Level.EVERY_LINE),
    ),
)  # fmt: skip
LONG_LINES = step(
    "Long lines",
    ("A sum that does not fit a line, a long bracket, and a matrix that is too wide for any page; in between stands ",
     plus(*(product(m2, S(f"a{k}"), c12) for k in range(1, 9))), " as a part of the sentence."),
    (Shown(equation(tau1, LONG)), Shown(equation(tau2, BRACKET)), Shown(equation(S("W"), WIDE))),
    level=Level.FULL,
)  # fmt: skip
OTHERS = step(
    "Everything else",
    ("Friction, quotients and inverses.",),
    (
        Shown(equation(S("F1"), plus(product(S("b1"), w1), product(S("f1"), t.Call("sgn", w1)), t.Call("tanh", w2)))),
        Shown(equation(t.Indexed(S("Lambda"), "11"), t.Ratio(plus(product(m1, squared(s2)), m2), product(number(2), squared(a1))))),
        Shown(equation(S("Lambda"), t.Inverse(product(S("J"), t.Inverse(M), t.Transposed(S("J")))))),
        Shown(equation(t.Indexed(S("Gamma"), "112"), product(number(1, 2), t.PartialDerivative(t.Indexed(M, "11"), theta2)),
                       product(number(-1), m2, a1, a2, s2))),
        Shown(product(M, S("theta", 2))),
    ),
    (
        Table(("term", "meaning", "size"), (
            (product(M11, al1), "what it takes to accelerate the first joint while the second keeps its speed, with all masses beyond it", "large"),
            (product(plus(m1, m2), g, a1, c1), "the weight of both masses at the lever of the first link", "largest when stretched out"),
        ), "A table that is wider than a page."),
        Table(("row", "entry"), tuple((f"row {k}", t.Indexed(S("x"), str(k))) for k in range(50)), "A long table."),
    ),
    level=Level.EVERY_LINE,
)  # fmt: skip
PROOF = step(
    "Both routes agree",
    ("The generalised forces by Newton-Euler less those by Lagrange:",),
    (Shown(equation(plus(t.Indexed(S("tau"), "NE"), product(number(-1), t.Indexed(S("tau"), "L"))), t.column((t.ZERO, t.ZERO)))),),
    proven=("Computed, not said: ", t.Indexed(S("tau"), "NE"), " and ", t.Indexed(S("tau"), "L"), " differ by 0 terms."),
    code="assert M[0, 1] == M[1, 0]",
)  # fmt: skip

SAMPLE = Document(
    title="Elbow: equations of motion after Lagrange",
    summary=(Paragraph(("Two links in a vertical plane, point masses at their ends; the result is ",
             equation(plus(product(t.Of(M, (theta,)), S("theta", 2)), t.Of(S("c"), (theta, S("theta", 1))), t.Of(g, (theta,))),
                      S("tau")), ".")),),
    sections=(
        chapter("Kinematics", (FRAMES,)),
        chapter("Energies", (ENERGY, LONG_LINES)),
        chapter("Odds and ends", (OTHERS,)),
        chapter("Properties", (PROOF,)),
    ),
    writing=Writing("short", {"theta1": "1", "theta2": "2"}),
    code='import leverarm as la\n\narm = la.load("elbow")',
)  # fmt: skip

PROVEN_MARK, SAMPLED_MARK = Mark("proven", "good", "for every state"), Mark("sampled", "fair", "not a bound")
BAR = '<svg viewBox="0 0 40 8" width="80" height="16"><path d="M2 4H30" stroke="currentColor"/></svg>'

REPORT = Document(
    title="Report of an elbow",
    summary=(
        Paragraph(("An arm of two joints & ", theta1, ".")),
        Verdict(("Accepted: the model predicts ", K, " well.",), "good"),
        Facts((("error", "3.4 %", "of the torque"), ("rank", "4 of 4", ""), ("mass", equation(m1, number(3, 2)), "[kg]"))),
    ),
    sections=(
        Section("Errors", (
            Table(("torque error [%]", "all", theta1, theta2), (
                ("log-1.csv",), ("model", "3.4", "2.1", "4.0"), ("nominal arm", "12.0", "9.1", "14.2"),
                ("log-2.csv",), ("model", "3.9", "2.5", "4.4"),
            ), "Relative to the torque.", numeric=(1, 2, 3)),
            Paragraph(("Errors are 100 times the norm of what is left.",), "aside"),
        )),
        Section("Statements", (
            Table(("property", "statement", "value", "how"), (
                ("Symmetry of the mass matrix", equation(M, t.Transposed(M)), PROVEN_MARK, ("exact, ", M)),
                ("Upper bound", equation(tau1, TAU1), ("12.4 kg m², ", Figure(BAR, text="gap 3 %")), SAMPLED_MARK),
                ("The matrix", equation(M, MASS), "", ""),
            )),
            Items(((PROVEN_MARK, " holds for every state"), (SAMPLED_MARK, " see `la.properties`; ", c12), ("plain <b>",))),
            Verdict(("The sign of ", K, " is wrong.",), "bad"),
            Verdict(("Perhaps.",), "fair"),
            Figure(BAR, "A bar.", "a bar"), Figure(BAR, "Another bar."),
        )),
    ),
    writing=Writing("short", {"theta1": "1", "theta2": "2"}),
    data={"rank": 4, "name": "elbow"},
    layout="report",
)  # fmt: skip
"""A report, with every kind of block that a derivation does without."""
