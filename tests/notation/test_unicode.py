"""Formulas in a terminal: what is drawn, that it fits, and that breaking a line loses and adds nothing."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leverarm.notation import tree
from leverarm.notation.boxes import Box, beside, fenced, fraction, grid, raised, word
from leverarm.notation.decimals import decimal_text
from leverarm.notation.latex import to_latex
from leverarm.notation.mathml import to_mathml
from leverarm.notation.text import to_text
from leverarm.notation.tree import Equation, Labelled, Matrix, Number, Power, Product, Ratio, Sum, Symbol, Trig
from leverarm.notation.unicode import to_unicode
from leverarm.notation.unicode_forms import box_of
from leverarm.notation.unicode_names import display_width, number_text, symbol_text
from leverarm.notation.vocabulary import Writing
from tests.support.formula_trees import ALL_KINDS, WRITING, equation_of_2r, formulas


def drawn(node, width=80, writing=WRITING):
    return "\n".join(to_unicode(node, writing, width))


def test_a_broken_fraction_divides_by_the_whole_product():
    long = Sum(tuple(Symbol(f"m{i}") for i in range(1, 30)))
    assert drawn(Ratio(long, Product((Symbol("a1"), Symbol("a2"))))).splitlines()[-1] == "/ (a₁ a₂)"


@pytest.mark.parametrize(
    ("name", "dots", "text"),
    [
        ("theta1", 1, "θ\u0307₁"),
        ("theta12", 2, "θ\u0308₁₂"),
        ("m1", 0, "m₁"),
        ("lc1", 0, "lc₁"),
        ("Ixx2", 0, "Ixx₂"),
        ("tau", 0, "τ"),
        ("r", 2, "r\u0308"),
        ("Gamma", 0, "Γ"),
        ("m_load", 0, "m_load"),
        ("mass", 1, "m\u0307ass"),
    ],
)
def test_names(name, dots, text):
    assert symbol_text(name, dots) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(3), "3"),
        (Fraction(-1, 2), "−½"),
        (Fraction(1, 12), "¹⁄₁₂"),
        (Fraction(981, 100), "9.81"),
        (Fraction(-1, 1000), "−0.001"),
        (Fraction(7, 64), "⁷⁄₆₄"),
    ],
)
def test_numbers(value, text):
    assert number_text(value) == text


@given(st.fractions())
def test_decimals_are_exact(value):
    text = decimal_text(abs(value))
    assert text is None or Fraction(text) == abs(value)


def test_combining_dots_have_no_width():
    assert display_width("θ\u0307₁") == 2
    vector = tree.column((Symbol("theta1", 2), Symbol("m1"), Number(Fraction(0))))
    assert drawn(vector) == "⎡θ\u0308₁⎤\n⎢m₁⎥\n⎣0 ⎦"


def test_textbook_entry():
    assert drawn(equation_of_2r()) == (
        "M₁₁ = m₁ L₁² + m₂ (L₁² + L₂² + 2 L₁ L₂ c₂) + I₁ + I₂\n"
        "M₁₂ = m₂ (L₂² + L₁ L₂ c₂) + I₂\n"
        "M₂₁ = M₁₂\n"
        "M₂₂ = m₂ L₂² + I₂"
    )
    whole = drawn(equation_of_2r(), 100).splitlines()
    assert len(whole) == 2
    assert whole[0].startswith("M(θ) = ⎡m₁ L₁² + m₂") and whole[1].strip().startswith("⎣")
    assert display_width(whole[0]) == display_width(whole[1])


def test_angles_short_or_written_out():
    angle = (("theta1", 1), ("theta2", 1))
    assert drawn(Power(Trig("cos", angle), 2)) == "c₁₂²"
    assert drawn(Power(Trig("cos", angle), 2), writing=Writing(angles="expanded")) == "cos²(θ₁ + θ₂)"
    assert drawn(Trig("sin", (("theta1", -1), ("theta2", 2)))) == "sin(−θ₁ + 2 θ₂)"


def test_fractions_are_inline_when_short_and_stacked_in_products():
    a, b, c = Symbol("a"), Symbol("b"), Symbol("c")
    assert drawn(Ratio(a, b)) == "a/b"
    assert drawn(Product((Ratio(a, b), c))) == "a\n─ c\nb"
    assert drawn(Ratio(Sum((a, b)), c)) == "a + b\n─────\n  c"
    assert drawn(Sum((a, Ratio(Product((Number(Fraction(-2)), b)), c)))) == "a − 2 b/c"


def test_parentheses_where_the_meaning_needs_them():
    a, b = Symbol("a"), Symbol("b")
    both = Sum((a, b))
    assert drawn(Power(both, 2)) == "(a + b)²"
    assert drawn(Product((a, both, b))) == "a (a + b) b"
    assert drawn(Sum((a, both))) == "a + (a + b)"
    assert drawn(Product((Number(Fraction(-1)), both))) == "−(a + b)"
    assert drawn(Power(Power(a, 2), 3)) == "(a²)³"
    assert drawn(tree.Inverse(tree.Transposed(a))) == "(aᵀ)⁻¹"
    assert drawn(tree.Inverse(tree.Of(Symbol("M"), (Symbol("theta"),)))) == "M⁻¹(θ)"


def test_derivatives_and_scripts():
    L, theta, speed = Symbol("L"), Symbol("theta1"), Symbol("theta1", 1)
    by_speed, by_angle = tree.PartialDerivative(L, speed), tree.PartialDerivative(L, theta)
    euler = Sum((tree.TimeDerivative(by_speed), Product((Number(Fraction(-1)), by_angle))))
    assert drawn(Equation((euler, Symbol("tau1")))) == "d/dt (∂L/∂θ\u0307₁) − ∂L/∂θ₁ = τ₁"
    assert drawn(Equation((tree.Indexed(Symbol("Gamma"), "112"), by_angle))) == "Γ₁₁₂ = ∂L/∂θ₁"
    screw = tree.Exponential(Product((tree.Bracketed(Symbol("S1")), theta)))
    assert drawn(Product((screw, Symbol("M")))) == " [S₁] θ₁\ne        M"


def test_a_brace_covers_what_is_behind_the_minus():
    term = Product((Number(Fraction(-2)), Symbol("m"), Symbol("r", 1), Symbol("theta", 1)))
    assert drawn(Sum((Symbol("a"), Labelled(term, "Coriolis")))) == "a − 2 m r\u0307 θ\u0307\n    ╰──┬──╯\n    Coriolis"


def test_chains_are_aligned_at_the_equals_signs():
    chain = Equation((Symbol("tau1"), Symbol("a"), Product((Number(Fraction(-1)), Symbol("b")))))
    assert drawn(chain) == "τ₁ = a\n   = −b"


def test_a_long_bracket_is_broken_inside():
    terms = tuple(Symbol(f"m{k}") for k in range(1, 9))
    node = Equation((Symbol("y"), Product((Symbol("a"), Sum(terms), Symbol("b")))))
    assert drawn(node, 30) == "y = a (m₁ + m₂ + m₃ + m₄ + m₅\n       + m₆ + m₇ + m₈) b"


def test_a_long_left_side_stands_on_its_own_line():
    terms = tuple(Symbol(f"m{k}") for k in range(1, 9))
    assert drawn(Equation((Sum(terms[:4]), Sum(terms))), 30).splitlines()[0] == "m₁ + m₂ + m₃ + m₄"


def test_a_column_that_is_too_wide_is_broken_in_its_brackets():
    terms = tuple(Symbol(f"m{k}") for k in range(1, 9))
    lines = to_unicode(Equation((Symbol("g"), tree.column((Sum(terms), terms[0])))), WRITING, 30)
    assert max(map(display_width, lines)) <= 30 and len(lines) == 4


def test_long_squares_and_arguments_are_broken_inside():
    total = Sum(tuple(Symbol(f"m{k}") for k in range(1, 14)))
    for node in (Power(total, 2), tree.Call("tanh", total), Product((Symbol("a"), Power(total, 2), Symbol("b")))):
        lines = to_unicode(node, WRITING, 24)
        assert max(map(display_width, lines)) <= 24
        assert _squeezed(lines) == _squeezed(box_of(node, WRITING).rows)


@settings(max_examples=150, deadline=None)
@given(formulas(), st.sampled_from([24, 40, 80]))
def test_broken_lines_fit_and_say_the_same(node, width):
    lines = to_unicode(node, WRITING, width)
    assert max(map(display_width, lines)) <= width
    whole = box_of(node, WRITING)
    if whole.height == 1:
        assert _squeezed(lines) == _squeezed(whole.rows)


def _squeezed(lines):
    return "".join(lines).replace(" ", "").replace("·", "")


@pytest.mark.parametrize("node", ALL_KINDS, ids=lambda node: type(node).__name__)
def test_every_kind_of_formula_is_a_rectangle(node):
    for place in (node, Product((Symbol("a"), node)), Power(node, 2), Matrix(((node, Symbol("b")),))):
        box = box_of(place, WRITING)
        assert {display_width(row) for row in box.rows} == {box.width}
        assert 0 <= box.baseline < box.height


def test_boxes_stand_on_one_baseline():
    half = fraction(word("a"), word("b"))
    assert beside(word("x "), half).rows == ("  a", "x ─", "  b")
    assert fenced(half, "(", ")").rows == ("⎛a⎞", "⎜─⎟", "⎝b⎠")
    assert raised(fenced(half, "(", ")"), word("²")).rows == ("⎛a⎞²", "⎜─⎟ ", "⎝b⎠ ")
    assert grid([[word("a"), word("bb")], [word("ccc"), word("d")]], 1) == Box((" a  bb", "ccc d "))


def test_only_a_sum_with_limits_is_a_sign():
    assert drawn(Product((tree.Indexed(Symbol("sum"), "k"), Symbol("sum")))) == "Σₖ sum"


def test_an_empty_matrix_is_two_brackets():
    for rows in ((), ((), ())):
        assert drawn(Equation((Symbol("phi"), Matrix(rows)))) == "φ = [ ]"
        assert drawn(Equation((Symbol("phi"), Matrix(rows))), 2) == "φ\n     = [ ]"


def test_powers_of_ten():
    assert [number_text(Fraction(x)) for x in ("1e-300", "-2.5e40")] == ["10⁻³⁰⁰", "−2.5·10⁴⁰"]


def test_a_name_may_hold_any_character():
    assert symbol_text("x_y²3", 0) == "xy²₃"


def test_norms_units_relations_and_integrals() -> None:
    """The decimals of a bound keep their zeros, and every renderer has bars, units and signs of its own."""
    q, norm = tree.Symbol("q"), tree.Call("norm", tree.Symbol("M"))
    bound = tree.Equation((tree.Decimal("1.90"), tree.Indexed(norm, "∞"), tree.Decimal("2.5e-7", "kg m^2")), "<=")
    assert to_text(bound) == "1.90 <= ||M||_{∞} <= 2.5e-7 kg m^2"
    assert to_latex(bound) == r"1.90 \le \Vert M \Vert_{\infty } \le 2.5 \cdot 10^{-7}\ \mathrm{kg\,m^2}"
    assert "".join(box_of(bound, Writing()).rows) == "1.90 ≤ ‖M‖_∞ ≤ 2.5·10⁻⁷ kg m²"
    power = tree.Product((tree.Indexed(tree.Symbol("int"), "0", "t"), tree.Transposed(q), tree.Call("abs", q)))
    assert to_text(power) == "int_0^{t} q^T |q|" and to_latex(power) == r"\int_0^t q^\top \vert q \vert"
    assert "".join(box_of(power, Writing()).rows) == "∫₀ᵗ qᵀ |q|"
    marked = to_mathml(tree.Equation((bound, power), "≻"), display="inline")
    ElementTree.fromstring(marked)
    assert marked.count("‖") == 2 and "∫" in marked and "kg m²" in marked and "≻" in marked


def test_vector_products_differentials_and_greek_indices() -> None:
    omega, v, m = map(Symbol, ("omega", "v", "m"))
    spin = tree.Between(omega, "cross", Sum((v, m)))
    assert drawn(Sum((v, Product((m, spin)), spin))) == "v + m (ω × (v + m)) + ω × (v + m)"
    whole = Product((tree.Indexed(Symbol("int")), tree.Between(v, "dot", v), tree.Differential(m)))
    assert drawn(whole) == "∫ (v · v) dm"
    assert drawn(tree.Indexed(Symbol("J"), "omegai")) == "J_ωi"
    marked = to_mathml(Sum((v, spin, whole)), display="inline")
    ElementTree.fromstring(marked)
    assert marked.count("×") == 1 and marked.count("<mi>d</mi>") == 1
