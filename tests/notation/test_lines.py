"""Formulas in lines: text, LaTeX, code and SymPy, and the way back. What is printed is what was meant, exactly."""

from __future__ import annotations

import math
import re
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leverarm.closed_form.arm_letters import typeset_alike
from leverarm.errors import ExpressionError, InputError, NotFiniteError
from leverarm.notation import tree
from leverarm.notation.code import compile_numpy, to_python
from leverarm.notation.elements import element_of, nested
from leverarm.notation.latex import to_latex
from leverarm.notation.latex_lines import broken_lines, width_in_ems
from leverarm.notation.names import NameParts, dotted, python_name, short_index, split_name
from leverarm.notation.parsing import parse_text, parse_tree
from leverarm.notation.sympy_bridge import from_sympy, to_sympy
from leverarm.notation.text import to_text
from leverarm.notation.tree import (
    Between,
    Bracketed,
    Call,
    Differential,
    Equation,
    Exponential,
    Indexed,
    Inverse,
    Labelled,
    Matrix,
    Number,
    Of,
    PartialDerivative,
    Power,
    Product,
    Ratio,
    Sum,
    Symbol,
    TimeDerivative,
    Transposed,
    Trig,
)
from leverarm.notation.vocabulary import Role, Vocabulary, Writing
from leverarm.scalars.exact import Polynomial, Quotient, circle, evaluate, letter, ring_of, symbol

SHORT = Writing("short", {"theta1": "1", "theta2": "2", "q3": "3"})
EXPANDED = Writing("expanded", {"theta1": "1", "theta2": "2", "q3": "3"})
SYMBOLS = {
    "m1": Role.MASS,
    "m2": Role.MASS,
    "I1": Role.INERTIA,
    "L1": Role.LENGTH,
    "lc2": Role.LENGTH,
    "g": Role.GRAVITY,
}
VOCABULARY = Vocabulary(
    coordinates=("theta1", "theta2", "joint3", "r"),
    printed={"theta1": "theta1", "theta2": "theta2", "joint3": "q3", "r": "r"},
    parallel=(((("theta1", 1),), (("theta1", 1), ("theta2", 1))),),
    roles=SYMBOLS | {"alpha": Role.OTHER},
)
VALUES = {"theta1": 0.3, "theta2": -1.1, "q3": 2.1, "r": 0.7, "alpha": 0.4}
VALUES |= {"m1": 1.3, "m2": 0.9, "I1": 0.21, "L1": 1.7, "lc2": 0.45, "g": 9.81}
VALUES |= {dotted(q, n): v * n - 1.7 for q, v in list(VALUES.items())[:4] for n in (1, 2)}
RING_NAMES = {"q3": "joint3"}


def ring_values() -> dict[str, float]:
    """The same values by the ring's names of the letters."""
    values = dict(VALUES)
    for written in ("theta1", "theta2", "q3", "r", "alpha"):
        name = RING_NAMES.get(written, written)
        values |= {
            name: VALUES[written],
            f"cos({name})": math.cos(VALUES[written]),
            f"sin({name})": math.sin(VALUES[written]),
        }
        for dots in (1, 2):
            values[f"{name}.{'d' * dots}"] = VALUES.get(dotted(written, dots), 0.0)
    return values


def number_of(x) -> float:
    if isinstance(x, Quotient):
        return evaluate(x.numerator, ring_values()) / evaluate(x.denominator, ring_values())
    return evaluate(x, ring_values())


names = st.sampled_from([*SYMBOLS, "theta1", "theta2", "q3", "r"])
letters = st.one_of(
    st.builds(Symbol, names),
    st.builds(Symbol, st.sampled_from(["theta1", "theta2", "q3", "r"]), st.integers(1, 2)),
)
positive = st.builds(Number, st.builds(Fraction, st.integers(1, 30), st.sampled_from([1, 2, 3, 4, 100, 7])))
numbers = st.builds(Number, st.builds(Fraction, st.integers(-9, 9).filter(bool), st.sampled_from([1, 2, 3, 10, 125])))
angles = st.lists(
    st.tuples(st.sampled_from(["theta1", "theta2", "q3", "alpha", "0.3", "3"]), st.sampled_from([1, 1, 1, -1, 2, -3])),
    min_size=1,
    max_size=3,
    unique_by=lambda pair: pair[0],
).map(tuple)
trigs = st.builds(Trig, st.sampled_from(["cos", "sin"]), angles)
roots = st.builds(lambda n: Call("sqrt", Number(Fraction(n))), st.sampled_from([2, 3, 6, 12]))
atoms = st.one_of(letters, letters, trigs, positive, roots)


def grown(parts):
    return st.one_of(
        st.lists(st.one_of(parts, numbers), min_size=2, max_size=4).map(lambda terms: Sum(tuple(terms))),
        st.lists(parts, min_size=2, max_size=3).map(lambda factors: Product(tuple(factors))),
        st.builds(lambda n, factors: Product((n, *factors)), numbers, st.lists(parts, min_size=1, max_size=3)),
        st.builds(Power, st.one_of(atoms, numbers), st.integers(2, 3)),
        st.builds(Power, parts, st.just(2)),
        st.builds(Ratio, st.one_of(parts, numbers), letters | trigs | positive | st.builds(Power, letters, st.just(2))),
        st.builds(lambda of: Labelled(of, "Coriolis & more"), parts),
        st.builds(lambda speed: Call("sgn", speed), letters),
        st.builds(tree.negated, parts),
    )


trees = st.recursive(atoms, grown, max_leaves=8)


@pytest.mark.slow
@pytest.mark.parametrize("writing", [SHORT, EXPANDED], ids=["short", "expanded"])
@given(node=trees)
@settings(max_examples=150)
def test_text_reads_back_to_the_same_element(writing, node):
    element = element_of(node, VOCABULARY)
    assert parse_text(to_text(node, writing), VOCABULARY, writing) == element


@given(node=trees)
@settings(max_examples=100)
def test_text_is_a_fixed_point_of_reading(node):
    text = to_text(node, SHORT)
    again = to_text(parse_tree(text, VOCABULARY, SHORT), SHORT)
    assert to_text(parse_tree(again, VOCABULARY, SHORT), SHORT) == again


@given(node=trees.filter(lambda node: "sgn" not in to_text(node)))
@settings(max_examples=150)
def test_text_latex_code_and_element_have_one_value(node):
    x = number_of(element_of(node, VOCABULARY))
    arguments = list(VALUES)
    tolerance = 1e-9 * (1 + size_of(node))
    computed = compile_numpy(node, arguments)(*VALUES.values())
    assert computed == pytest.approx(x, abs=tolerance, rel=1e-9)
    source = to_python(node)
    assert eval(source, {"np": np, "__builtins__": {}} | VALUES) == pytest.approx(x, abs=tolerance, rel=1e-9)
    assert eval_latex(to_latex(node, SHORT)) == pytest.approx(x, abs=tolerance, rel=1e-9)
    assert eval_latex(to_latex(node, EXPANDED)) == pytest.approx(x, abs=tolerance, rel=1e-9)


def size_of(node) -> float:
    """A bound on the size of every intermediate value, for the rounding of floats."""
    match node:
        case Number(value=value):
            return abs(float(value))
        case Symbol():
            return 15.0
        case Sum(terms=terms):
            return sum(map(size_of, terms))
        case Product(factors=factors):
            return math.prod(max(1.0, size_of(factor)) for factor in factors)
        case Power(base=base, exponent=exponent):
            return max(1.0, size_of(base)) ** exponent
        case Ratio(above=above):
            return size_of(above) * 1e4
        case Labelled(of=of):
            return size_of(of)
        case _:
            return 4.0


def eval_latex(latex: str) -> float:
    """The value of LaTeX as a mathematician reads it: turned into Python by rules that know nothing of trees."""
    named = {to_latex(Symbol(name)): repr(VALUES[name]) for name in (*SYMBOLS, "theta1", "theta2", "q3", "r", "alpha")}
    for q in ("theta1", "theta2", "q3", "r"):
        named |= {to_latex(Symbol(q, dots)): repr(VALUES[dotted(q, dots)]) for dots in (1, 2)}
    for function in ("cos", "sin"):
        for digits in ("1", "2", "3", "12", "13", "23", "123"):
            total = sum({"1": VALUES["theta1"], "2": VALUES["theta2"], "3": VALUES["q3"]}[digit] for digit in digits)
            index = digits if len(digits) == 1 else f"{{{digits}}}"
            named[f"{function[0]}_{index}"] = repr(getattr(math, function)(total))
    text = latex.replace(r"\left(", "(").replace(r"\right)", ")").replace(r"\cdot", "*").replace(r"\,", " ")
    while (start := text.find(r"\underbrace{")) >= 0:
        inside, rest = group(text, start + len(r"\underbrace"))
        _, rest = group(rest, 1)
        text = f"{text[:start]}({inside}){rest}"
    while (start := text.find(r"\frac{")) >= 0:
        above, rest = group(text, start + len(r"\frac"))
        below, rest = group(rest, 0)
        text = f"{text[:start]}(({above})/({below})){rest}"
    longest_first = sorted(named, key=len, reverse=True)
    token = re.compile("|".join((r"\\sqrt|\\cos|\\sin", *map(re.escape, longest_first))))
    text = token.sub(lambda m: f"({named[m[0]]})" if m[0] in named else f"math.{m[0][1:]}", text)
    text = re.sub(r"sqrt\{(\d+)\}", r"sqrt(\1)", text)
    text = re.sub(r"(math\.\w+)\^(\d)(\((?:[^()]|\([^()]*\))*\))", r"\1\3^\2", text)
    text = re.sub(r"(?<=[\d)])\s+(?=[\d(m])", "*", text.replace("^", "**"))
    return eval(text, {"math": math, "__builtins__": {}})


def group(text: str, start: int) -> tuple[str, str]:
    """The braces that open at a position: inside and behind."""
    depth = 0
    for end in range(start, len(text)):
        depth += (text[end] == "{") - (text[end] == "}")
        if not depth:
            return text[start + 1 : end], text[end + 1 :]
    raise AssertionError(f"unbalanced braces in {text}")


RING = ring_of(
    [
        *(part for angle in ("theta1", "theta2", "joint3") for part in circle(angle)),
        *map(symbol, (*SYMBOLS, "r", "theta1.d", "theta2.d", "joint3.dd")),
    ]
)
monomials = st.tuples(
    st.lists(st.integers(0, 2), min_size=len(RING.generators), max_size=len(RING.generators)),
    st.builds(Fraction, st.integers(-20, 20), st.integers(1, 9)),
)


def element(terms):
    total = 0
    for exponents, c in terms:
        product = c
        for generator, exponent in zip(RING.generators, exponents, strict=True):
            if exponent > 1 and sum(exponents) > 8:
                continue
            product = product * letter(RING, generator.name) ** exponent if exponent else product
        total = total + product
    return total


def written_out(x) -> tree.Node:
    """The plainest tree of an element: its terms, letter by letter."""
    if not isinstance(x, Polynomial):
        return Number(Fraction(x))
    terms = []
    for monomial, c in x.terms():
        factors = [Number(c)]
        for generator, exponent in monomial:
            base = written_letter(generator)
            factors.append(Power(base, exponent) if exponent > 1 else base)
        terms.append(Product(tuple(factors)) if monomial else Number(c))
    return Sum(tuple(terms)) if len(terms) > 1 else terms[0]


def written_letter(generator) -> tree.Node:
    if angle := getattr(generator, "angle", ""):
        return Trig("cos" if generator.name.startswith("cos") else "sin", ((VOCABULARY.printed[angle], 1),))
    stem, _, marks = generator.name.partition(".")
    return Symbol(VOCABULARY.printed.get(stem, stem), len(marks))


@given(x=st.lists(monomials, max_size=6).map(element))
@settings(max_examples=40)
def test_elements_round_trip_through_text_and_sympy(x):
    text = to_text(written_out(x), SHORT)
    assert parse_text(text, VOCABULARY, SHORT, RING) == x
    assert parse_text(text, VOCABULARY, SHORT) == x
    assert from_sympy(to_sympy(x), VOCABULARY, RING) == x


# SymPy adds constants: cos(2 0.3) becomes cos(3/5), which is another letter
@given(
    node=trees.filter(lambda node: not re.search(r"\d[ *](0\.3|3)\b|(0\.3|3)\b [+-] (0\.3|3)\b", str(to_text(node))))
)
@settings(max_examples=40)
def test_trees_round_trip_through_sympy(node):
    assert from_sympy(to_sympy(node), VOCABULARY) == element_of(node, VOCABULARY)


def test_a_parsed_element_lives_in_the_given_ring():
    assert parse_text("m1 L1^2 c12", VOCABULARY, SHORT, RING).ring is RING


m1, m2, L1, I1, L, M, g = (Symbol(name) for name in ("m1", "m2", "L1", "I1", "L", "M", "g"))
speed1, speed2 = Symbol("theta1", 1), Symbol("theta2", 1)
c2, s2 = Trig("cos", (("theta2", 1),)), Trig("sin", (("theta2", 1),))
c12 = Trig("cos", (("theta1", 1), ("theta2", 1)))
lc2 = Symbol("lc2")
half, two, minus = Number(Fraction(1, 2)), Number(Fraction(2)), Number(Fraction(-1))
elbow = Sum(
    (
        Product((m1, Power(L1, 2))),
        Product((m2, Sum((Power(L1, 2), Power(lc2, 2), Product((two, L1, lc2, c2)))))),
        I1,
    )
)
coriolis = Product((minus, m2, L1, lc2, s2, Sum((Product((two, speed1)), speed2)), speed2))

LOOKS = [
    (
        tree.Equation((tree.Call("norm", tree.Symbol("M")), tree.Decimal("1.90", "kg m^2")), "<="),
        "||M|| <= 1.90 kg m^2",
        r"\Vert M \Vert \le 1.90\ \mathrm{kg\,m^2}",
    ),
    (
        elbow,
        "m1 L1^2 + m2 (L1^2 + lc2^2 + 2 L1 lc2 c2) + I1",
        r"m_1 L_1^2 + m_2 (L_1^2 + l_{c2}^2 + 2 L_1 l_{c2} c_2) + I_1",
    ),
    (
        coriolis,
        "-m2 L1 lc2 s2 (2 thetad1 + thetad2) thetad2",
        r"-m_2 L_1 l_{c2} s_2 (2 \dot{\theta}_1 + \dot{\theta}_2) \dot{\theta}_2",
    ),
    (Product((half, m1, Power(speed1, 2))), "1/2 m1 thetad1^2", r"\frac{1}{2} m_1 \dot{\theta}_1^2"),
    (Product((m2, g, lc2, c12)), "m2 g lc2 c12", r"m_2 g l_{c2} c_{12}"),
    (Ratio(Sum((m1, m2)), Product((L1, g))), "(m1 + m2)/(L1 g)", r"\frac{m_1 + m_2}{L_1 g}"),
    (Sum((m1, Product((Number(Fraction(-981, 100)), m2)))), "m1 - 9.81 m2", r"m_1 - 9.81 m_2"),
    (Product((minus, Ratio(m1, m2))), "-m1/m2", r"-\frac{m_1}{m_2}"),
    (Ratio(Product((minus, m1)), m2), "-m1/m2", r"-\frac{m_1}{m_2}"),
    (Sum((m1, Product((minus, Sum((m2, I1)))))), "m1 - (m2 + I1)", r"m_1 - (m_2 + I_1)"),
    (Power(Sum((m1, Ratio(m2, g))), 2), "(m1 + m2/g)^2", r"\left( m_1 + \frac{m_2}{g} \right)^2"),
    (
        Matrix(((m1, c2), (Number(Fraction(0)), m2))),
        "[[m1, c2], [0, m2]]",
        r"\begin{bmatrix} m_1 & c_2 \\ 0 & m_2 \end{bmatrix}",
    ),
    (Equation((L, Sum((Symbol("K"), Product((minus, Symbol("P"))))), m1)), "L = K - P = m1", "L = K - P = m_1"),
    (PartialDerivative(L, speed1), "dL/dthetad1", r"\frac{\partial L}{\partial \dot{\theta}_1}"),
    (
        Product((PartialDerivative(Sum((m1, m2)), Symbol("q3")), g)),
        "(d(m1 + m2)/dq3) g",
        r"\left( \frac{\partial}{\partial q_3} (m_1 + m_2) \right) g",
    ),
    (PartialDerivative(Sum((m1, m2)), Symbol("q3")), "d(m1 + m2)/dq3", r"\frac{\partial}{\partial q_3} (m_1 + m_2)"),
    (
        TimeDerivative(PartialDerivative(L, speed1)),
        "d/dt(dL/dthetad1)",
        r"\frac{d}{dt} \frac{\partial L}{\partial \dot{\theta}_1}",
    ),
    (Of(M, (Symbol("theta"), Symbol("theta", 1))), "M(theta, thetad)", r"M(\theta, \dot{\theta})"),
    (Indexed(Symbol("Gamma"), "112"), "Gamma_112", r"\Gamma_{112}"),
    (Indexed(Symbol("T"), "i,i-1", "0"), "T_{i,i-1}^{0}", "T_{i,i-1}^0"),
    (Product((Transposed(Symbol("J")), Inverse(Symbol("Lambda")))), "J^T Lambda^-1", r"J^\top \Lambda^{-1}"),
    (Exponential(Product((Bracketed(Symbol("S1")), Symbol("theta1")))), "exp([S1] theta1)", r"e^{[S_1] \theta_1}"),
    (Call("sgn", speed1), "sgn(thetad1)", r"\operatorname{sgn}(\dot{\theta}_1)"),
    (Call("tanh", Ratio(speed1, Symbol("w"))), "tanh(thetad1/w)", r"\tanh\left( \frac{\dot{\theta}_1}{w} \right)"),
    (Product((Call("sqrt", two), Power(c2, 2))), "sqrt(2) c2^2", r"\sqrt{2} c_2^2"),
    (
        Sum((m1, Labelled(Product((minus, m2, g)), "gravity"))),
        "m1 - {m2 g : gravity}",
        r"m_1 - \underbrace{m_2 g}_{\text{gravity}}",
    ),
    (Trig("cos", (("theta1", -1), ("theta2", 2))), "cos(-theta1 + 2 theta2)", r"\cos(-\theta_1 + 2 \theta_2)"),
    (Product((Symbol("mass"), Symbol("length2"))), "mass length2", r"\mathrm{mass} \, \mathrm{length}_2"),
    (Symbol("theta1", 2), "thetadd1", r"\ddot{\theta}_1"),
    (
        Sum((m1, Product((m2, Between(g, "cross", Sum((m1, L))))))),
        "m1 + m2 (g x (m1 + L))",
        r"m_1 + m_2 (g \times (m_1 + L))",
    ),
    (
        Product((Indexed(Symbol("int")), Between(L, "dot", L), Differential(m1))),
        "int (L * L) dm1",
        r"\int (L \cdot L) \, dm_1",
    ),
]


@pytest.mark.parametrize(("node", "text", "latex"), LOOKS, ids=[text for _, text, _ in LOOKS])
def test_looks(node, text, latex):
    assert to_text(node, SHORT) == text
    assert to_latex(node, SHORT) == latex


def test_expanded_angles():
    assert to_text(Power(c12, 2), EXPANDED) == "cos(theta1 + theta2)^2"
    assert to_latex(Power(c12, 2), EXPANDED) == r"\cos^2(\theta_1 + \theta_2)"
    assert to_python(Power(c12, 2)) == "np.cos(theta1 + theta2)**2"


AS_READ = {tree.Name, tree.Negative, tree.Total}
"""What only readers make: whoever knows the arm gives it a meaning, and that is printed."""


def test_every_kind_of_node_has_text_and_latex():
    shown = {type(part) for node, _, _ in LOOKS for part in tree.walk(node)}
    kinds = {kind for kind in vars(tree).values() if isinstance(kind, type) and issubclass(kind, tree.Node)}
    assert shown == kinds - {tree.Node} - AS_READ


@pytest.mark.parametrize(
    ("name", "stem", "index"),
    [
        ("theta1", "theta", "1"), ("m1", "m", "1"), ("lc1", "l", "c1"), ("Ixx2", "I", "xx2"), ("hx1", "h", "x1"),
        ("tau1", "tau", "1"), ("tau_d1", "tau", "d1"), ("g", "g", ""), ("mass", "mass", ""), ("length2", "length", "2"),
        ("pin", "pin", ""), ("pi", "pi", ""), ("m_load", "m", "load"), ("L1_2", "L", "1,2"), ("rcx1", "r", "cx1"),
        ("joint12", "joint", "12"), ("com", "com", ""), ("L2x", "L", "2x"), ("etac", "eta", "c"), ("beta10", "beta", "10"),
    ],
)  # fmt: skip
def test_names_split(name, stem, index):
    assert split_name(name) == NameParts(stem, index)


@pytest.mark.parametrize(
    ("name", "once", "twice"),
    [
        ("theta1", "thetad1", "thetadd1"),
        ("r", "rd", "rdd"),
        ("q12", "qd12", "qdd12"),
        ("x_1", "xd_1", "xdd_1"),
        ("base_yaw", "base_yawd", "base_yawdd"),
    ],
)
def test_dots_in_ascii(name, once, twice):
    assert (dotted(name, 0), dotted(name, 1), dotted(name, 2)) == (name, once, twice)


def test_short_angles_hold_each_number_once_and_in_order():
    writing = Writing("short", {**SHORT.index, "q10": "10"})
    assert short_index((("theta1", 1), ("q3", 1)), writing) == "13"
    assert short_index((("theta1", 1), ("q3", 1)), EXPANDED) is None
    for angle in ((("theta1", 2),), (("theta2", 1), ("theta1", 1)), (("q10", 1),), (("alpha", 1),), (("theta1", -1),)):
        assert short_index(angle, writing) is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("m1 +", "column 5: expected a number, a letter or '(', found the end"),
        ("m3 L1", "column 1: there is no letter named 'm3'; did you mean 'q3' or 'm2' or 'm1'?"),
        ("m1 c4", "column 4: there is no letter named 'c4'"),
        ("m1^99", "column 4: the exponent 99 is too large; at most 64."),
        ("m1^0.5", "column 4: the exponent 0.5 is no whole number"),
        ("m1 $ 2", "column 4: '$' does not belong in a formula"),
        ("m1 (L1", "column 7: expected ')', found the end"),
        ("m1) L1", "column 3: expected an operator or the end, found ')'"),
        ("cos(thetad1)", "column 5: there is no angle named 'thetad1'; did you mean"),
        ("cos theta1", "column 5: expected '(' after cos"),
        ("m1/0", "column 3: division by zero"),
        ("m1/(m2 - m2)", "divided by something that is identically zero"),
        ("sqrt(m1)", "the function sqrt of a formula is not a number"),
        ("sqrt(-2)", "sqrt(-2) is not read"),
        ("tanh(2)", "tanh(2) is not in the ring"),
        ("cos(99 theta1)", "99 times theta1 is too many"),
        ("__import__('os')", "does not belong in a formula"),
        ("(" * 5000, "nested more than 100 deep"),
        ("1" * 5000, "a number of 5000 digits is too long"),
        ("1 + " * 2_000_000, "is too long; at most 5000000"),
        ("(m1 + m2 + L1 + lc2 + g + I1 + c1 + s2)^40", "more than 2000000 terms"),
    ],
    ids=range(21),
)  # fmt: skip
def test_bad_text_is_refused_politely(text, message):
    with pytest.raises(ExpressionError) as caught:
        parse_text(text, VOCABULARY, SHORT)
    assert message in str(caught.value)


def test_matrices_have_no_element():
    with pytest.raises(ExpressionError, match="a matrix is not a number"):
        element_of(Matrix(((m1,),)), VOCABULARY)


@given(x=st.lists(monomials, max_size=6).map(element))
@settings(max_examples=40)
def test_nested_forms_are_the_same_element(x):
    assert element_of(nested(x, VOCABULARY), VOCABULARY) == x


def test_nested_forms_take_letters_out():
    x = parse_text("m1 L1^2 + m1 L1^2 c12 + 2 m1 g", VOCABULARY, SHORT, RING)
    assert to_text(nested(x, VOCABULARY), SHORT).count("m1") < 4
    over = nested(Quotient(x, parse_text("m1 + m2", VOCABULARY, SHORT, RING)), VOCABULARY)
    assert isinstance(over, Ratio) and nested(0, VOCABULARY) == Number(Fraction(0))


def test_numpy_functions_broadcast():
    matrix = Matrix(((elbow, c2), (Number(Fraction(0)), m1)))
    f = compile_numpy(matrix, ["theta1", "theta2", "m1", "m2", "L1", "lc2", "I1"])
    theta2 = np.linspace(-1, 1, 6).reshape(2, 3)
    values = f(0.1, theta2, np.array([1.0, 2.0, 3.0]), 2, 3, 4, 5)
    assert values.shape == (2, 3, 2, 2)
    assert values[1, 2] == pytest.approx(f(0.1, theta2[1, 2], 3.0, 2, 3, 4, 5))
    assert (values[..., 1, 0] == 0).all()
    direct = np.array([1.0, 2.0, 3.0]) * 9 + 2 * (9 + 16 + 24 * np.cos(theta2)) + 5
    assert values[..., 0, 0] == pytest.approx(direct)
    assert compile_numpy(Number(Fraction(2)), ["theta1"])(np.zeros(4)).tolist() == [2, 2, 2, 2]


def test_numpy_functions_share_parts_and_reuse_registers():
    long = Sum(tuple(Product((m1, Power(L1, k), c12)) for k in range(2, 40)))
    f = compile_numpy(long, ["theta1", "theta2", "m1", "L1"])
    assert sum(operation is np.cos for operation, *_ in f.steps) == 1
    assert f.size < 20 < len(f.steps)
    assert f(0.3, 0.2, 2.0, 0.9) == pytest.approx(sum(2 * 0.9**k * math.cos(0.5) for k in range(2, 40)))


def test_numpy_functions_refuse():
    with pytest.raises(InputError, match="the symbol m2, which is not among the arguments m1"):
        compile_numpy(Sum((m1, m2)), ["m1"])
    with pytest.raises(InputError, match="takes 1 arguments"):
        compile_numpy(m1, ["m1"])(1, 2)
    with pytest.raises(InputError, match="not all different"):
        compile_numpy(m1, ["m1", "m1"])
    with pytest.raises(ExpressionError, match="PartialDerivative cannot be computed"):
        compile_numpy(PartialDerivative(L, m1), ["L", "m1"])
    with pytest.raises(ExpressionError, match="no name for code"):
        to_python(Symbol("m 1"))


def test_python_source():
    assert to_python(elbow) == "m1*L1**2 + m2*(L1**2 + lc2**2 + 2*L1*lc2*np.cos(theta2)) + I1"
    assert to_python(Symbol("lambda")) == "lambda_"
    assert to_python(Matrix(((m1, half),)), "jnp") == "jnp.array([[m1, 1/2]])"
    assert to_python(Product((minus, Ratio(m1, Product((m2, g)))))) == "-m1/(m2*g)"


def test_sympy_keeps_the_form_of_a_tree():
    import sympy

    theta1, theta2 = sympy.symbols("theta1 theta2")
    assert to_sympy(c12) == sympy.cos(theta1 + theta2)
    bracket = to_sympy(Product((two, Sum((m1, m2)))))
    assert str(bracket) == "2*(m1 + m2)"
    assert str(to_sympy(Sum((g, Product((minus, Sum((m1, m2)))))))) == "g - (m1 + m2)"
    assert to_sympy(speed1) == sympy.Symbol("thetad1")
    assert to_sympy(Matrix(((m1, m2),))).shape == (1, 2)


def test_sympy_mechanics_is_read():
    import sympy
    from sympy.physics.mechanics import dynamicsymbols

    q1, q2 = dynamicsymbols("theta1 theta2")
    m, length, t = sympy.Symbol("m1"), sympy.Symbol("L1"), dynamicsymbols._t
    x = m * length**2 * q1.diff(t) ** 2 * sympy.sin(q1 + 2 * q2 + sympy.pi / 3) ** 2 / 2 + 0.1 * q2.diff(t, 2)
    expected = "1/2 m1 L1^2 thetad1^2 (1/2 sin(theta1 + 2 theta2) + sqrt(3)/2 cos(theta1 + 2 theta2))^2 + 0.1 thetadd2"
    assert from_sympy(x, VOCABULARY) == parse_text(expected, VOCABULARY, SHORT)
    assert from_sympy(sympy.tan(q1) * sympy.cos(q1) * sympy.sqrt(8), VOCABULARY) == parse_text(
        "2 sqrt(2) s1", VOCABULARY, SHORT
    )
    assert from_sympy(m / (length + m), VOCABULARY) == parse_text("m1/(L1 + m1)", VOCABULARY)
    assert from_sympy(sympy.cos(q1) ** 2 + sympy.sin(q1) ** 2, VOCABULARY) == 1


def test_sympy_outside_the_ring_is_refused():
    import sympy

    a, m1, theta1, t = sympy.symbols("a m1 theta1 t")
    for x, message in [
        (a + m1, "no letter named 'a'"),
        (sympy.exp(m1), "exp.m1. is"),
        (m1 ** sympy.Rational(1, 3), "no whole exponent"),
        (sympy.sin(theta1 / 2), "no whole multiple of an angle"),
        (sympy.sin(theta1**2), "no whole multiple of an angle"),
        (sympy.Function("f")(t), "function that is not read"),
        (sympy.Derivative(sympy.Function("f")(t) ** 2, t), "carry it out first"),
        (sympy.pi * m1, "pi is no number"),
        (m1 ** sympy.Integer(1000), "no whole exponent"),
        (sympy.oo, "oo is no number"),
        (sympy.Matrix([[m1]]), "is no number"),
        (sympy.Eq(m1, 2), "not one SymPy expression"),
        ("__import__('os').getcwd()", "is a str, not one SymPy expression"),
    ]:
        with pytest.raises(ExpressionError, match=message):
            from_sympy(x, VOCABULARY)


def test_lines_of_an_equation():
    lines = broken_lines(Equation((L, Sum((Symbol("K"), Product((minus, Symbol("P"))))), m1)), 34.0)
    assert lines == ["L &= K - P", "&= m_1"]
    assert broken_lines(Equation((m1,)), 34.0) == ["& m_1"]


long_sum = Sum(tuple(Product((Number(Fraction(k % 7 - 9, 2)), m1, Power(L1, 2), speed1, c12)) for k in range(30)))
WIDE = [
    long_sum,
    Product((minus, m2, long_sum, speed2)),
    Ratio(long_sum, Sum((m1, Product((two, long_sum))))),
    Product((Sum((m1, Product((m2, Sum((L1, Product((Number(Fraction(-3)), long_sum)))))))), Power(long_sum, 2))),
    Labelled(long_sum, "Coriolis"),
    TimeDerivative(long_sum),
    Call("tanh", long_sum),
    Product(tuple(Symbol(f"m{k}") for k in range(60))),
    Product((m1, Power(long_sum, 2), Call("tanh", long_sum), m2)),
]


@pytest.mark.parametrize("width", [34.0, 60.0])
@pytest.mark.parametrize("node", WIDE, ids=range(len(WIDE)))
def test_long_formulas_are_broken_to_fit(node, width):
    for shown in (node, Equation((Indexed(Symbol("tau"), "1"), node, node)), Equation((long_left(), node))):
        lines = broken_lines(shown, width, SHORT)
        assert len(lines) > 1
        for line in lines:
            assert line.count("&") == 1
            assert line.count("{") == line.count("}")
            assert width_in_ems(line.replace("&", "")) <= width + 0.5, line
        together = without_phantoms("".join(lines))
        assert together.count("(") == together.count(")")
    assert letters_only("".join(broken_lines(node, width, SHORT))) == letters_only(to_latex(node, SHORT))


def without_phantoms(latex: str) -> str:
    """Without the invisible copies that lines are indented by."""
    return re.sub(r"\\hphantom\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}", "", latex)


def letters_only(latex: str) -> str:
    """What must survive the breaking of lines: everything but brackets, spaces and layout."""
    layout = r"quad|cdot|[bB]igl|[bB]igr|left|right|operatorname|text|underbrace|frac"
    return re.sub(rf"\\({layout})|[&\s{{}}()^/_]", "", without_phantoms(latex))


def long_left():
    return TimeDerivative(Product((Sum((m1, m2, I1, L1)), Sum((m1, m2, I1, L1, g)), speed1)))


def test_a_short_formula_stays_on_one_line():
    assert broken_lines(elbow, 34.0, SHORT) == ["& " + to_latex(elbow, SHORT)]


def test_the_definition_before_a_wide_matrix_stays():
    rows = ((elbow, coriolis), (coriolis, elbow))
    lines = broken_lines(Equation((Symbol("F2"), Product((Transposed(L), M)), Matrix(rows))), 34.0, SHORT)
    assert lines[0] == r"F_2 &= L^\top M"
    assert [line.split(" &=")[0] for line in lines[1:]] == ["[F_2]_{11}", "[F_2]_{12}", "[F_2]_{21}", "[F_2]_{22}"]
    assert lines[3] == "[F_2]_{21} &= [F_2]_{12}"


def test_the_cells_of_a_wide_column_are_broken():
    lines = broken_lines(Equation((Symbol("c"), Matrix(((long_sum,), (m1,))))), 34.0, SHORT)
    assert len(lines) == 1 and width_in_ems(lines[0]) <= 34.5
    assert lines[0].startswith(r"c &= \left[ \begin{aligned} & {-}\frac{9}{2} m_1")
    assert lines[0].endswith(r" \\[8pt] & m_1 \end{aligned} \right]")
    listed = broken_lines(Equation((Symbol("c"), Matrix(((long_sum,),) * 5))), 34.0, SHORT)
    assert [line.split(" &=")[0] for line in listed if "=" in line] == [f"c_{k}" for k in range(1, 6)]


def test_a_wide_matrix_is_written_entry_by_entry():
    rows = ((elbow, elbow), (elbow, elbow))
    lines = broken_lines(Equation((Of(M, (Symbol("theta"),)), Matrix(rows))), 34.0, SHORT)
    assert [line.split(" &=")[0] for line in lines] == ["M_{11}", "M_{12}", "M_{21}", "M_{22}"]
    assert len(broken_lines(Equation((M, Matrix(((m1, m2),)))), 34.0, SHORT)) == 1


def test_keywords_and_names_like_them_stay_apart_in_code():
    names = ["lambda", "lambda_", "lambda__", "is", "is_", "m_"]
    assert [python_name(name) for name in names] == ["lambda_", "lambda__", "lambda___", "is_", "is__", "m_"]


@pytest.mark.parametrize(
    ("value", "text", "latex"),
    [
        ("1e-300", "1e-300", "10^{-300}"),
        ("-2.5e-40", "-2.5e-40", r"-2.5 \cdot 10^{-40}"),
        ("1.25e300", "1.25e300", r"1.25 \cdot 10^{300}"),
        ("1e19", "1e19", "10^{19}"),
        ("1e18", "1" + "0" * 18, "1" + "0" * 18),
        ("1e-18", "0." + "0" * 17 + "1", "0." + "0" * 17 + "1"),
    ],
)
def test_very_small_and_large_numbers_have_powers_of_ten(value, text, latex):
    number = Number(Fraction(value))
    assert to_text(number) == text and to_latex(number) == latex
    vocabulary = Vocabulary((), {}, (), {"m": Role.MASS})
    for node in (number, Product((number, Symbol("m"))), Sum((Symbol("m"), number))):
        assert parse_text(to_text(node), vocabulary) == element_of(node, vocabulary)
    assert eval(to_python(number)) == float(Fraction(value))
    assert to_sympy(number) == Fraction(value)


def test_a_number_of_many_digits_has_no_power_of_ten():
    for value in (10**40 + 1, Fraction(1, 3 * 10**40), Fraction(1, 2**30)):
        assert "e" not in to_text(Number(Fraction(value)))
    assert to_latex(Power(Number(Fraction("1e20")), 2)) == "(10^{20})^2"


def test_names_that_look_the_same_are_found():
    names = ["x", "_x", "__x", "theta_1", "theta1", "a_1", "b", "a1", "c_2", "s_12", "c_3", "x"]
    alike = [("x", "_x", "__x"), ("theta_1", "theta1"), ("a_1", "a1")]
    assert typeset_alike(names) == alike
    short = Writing(index={"theta1": "1", "theta2": "2"})
    assert typeset_alike(names, short) == [*alike, ("c_2", "cos(theta2)"), ("s_12", "sin(theta1 + theta2)")]
    assert typeset_alike(names, Writing("expanded", short.index)) == alike


@pytest.mark.parametrize(
    ("name", "latex"),
    [
        ("#", r"\#"),
        ("{", r"\{"),
        ("50%", r"50\%"),
        ("tau & x", r"\mathrm{tau\ \&{}\ x}"),
        ("<script>", r"\mathrm{{<}script>}"),
        ("a\\end{document}", r"\mathrm{a\backslash end\{document\}}"),
        ("üé", r"\mathrm{\ddot{u}\acute{e}}"),
        ("中", "[U{+}4E2D]"),
        ("x_日本語", r"x_{\mathrm{[U{+}65E5][U{+}672C][U{+}8A9E]}}"),
    ],
)
def test_any_name_is_harmless_in_mathematics(name, latex):
    assert to_latex(Symbol(name)) == latex


def test_an_empty_matrix_is_two_brackets():
    for rows in ((), ((), ())):
        assert to_text(Matrix(rows)) == "[ ]" and to_latex(Matrix(rows)) == r"[\;]"
        assert broken_lines(Equation((Symbol("phi"), Matrix(rows))), 1.0) == [r"& \phi", r"&\quad = [\;]"]


def test_a_listed_matrix_with_an_index_has_no_double_subscript():
    row = tuple(Product((Number(Fraction(k + 2)), Symbol("a"), Symbol("b"))) for k in range(9))
    for head in (Indexed(Symbol("J"), "v2"), Indexed(Symbol("M"), "0,c1"), Symbol("theta1")):
        for line in broken_lines(Equation((head, Matrix((row, row)))), 12.0):
            assert line.startswith(f"[{to_latex(head)}]_{{")


def test_a_number_beyond_floats_is_refused_by_name():
    with pytest.raises(NotFiniteError, match=r"901 digits.*range of floats"):
        compile_numpy(Number(Fraction("1e900")), ())
