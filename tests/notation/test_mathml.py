"""Formulas on web pages: well-formed, escaped, only elements of MathML Core, nothing lost where a line is broken."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leverarm.notation import tree
from leverarm.notation.mathml import to_mathml
from leverarm.notation.mathml_forms import markup_of
from leverarm.notation.tree import Equation, Labelled, Matrix, Number, Power, Product, Sum, Symbol, Trig
from leverarm.notation.vocabulary import Writing
from tests.support.formula_trees import ALL_KINDS, WRITING, equation_of_2r, formulas

CORE = {"math", "mrow", "mi", "mn", "mo", "mtext", "mspace", "mphantom", "mfrac", "msqrt", "mtable", "mtr", "mtd"}
CORE |= {"msub", "msup", "msubsup", "munder", "mover", "munderover", "mpadded"}
ARITY = {"msub": 2, "msup": 2, "msubsup": 3, "munder": 2, "mover": 2, "munderover": 3, "mfrac": 2}
INVISIBLE = "\u2061\u2062"


def parsed(node, **options):
    return ET.fromstring(to_mathml(node, WRITING, **options))


def said(element):
    """The visible text, without phantoms."""
    if element.tag == "mphantom":
        return ""
    return (element.text or "") + "".join(said(child) for child in element)


def seen(node, **options):
    return "".join(c for c in said(parsed(node, **options)) if c not in INVISIBLE)


@pytest.mark.parametrize("display", ["block", "inline"])
@pytest.mark.parametrize("node", ALL_KINDS, ids=lambda node: type(node).__name__)
def test_every_kind_of_formula_is_core_mathml(node, display):
    for place in (node, Product((Symbol("a"), node)), Power(node, 2), Sum((Symbol("a"), node))):
        for element in parsed(place, display=display).iter():
            assert element.tag in CORE
            assert len(element) == ARITY.get(element.tag, len(element))


def test_dots_indices_and_powers():
    markup = to_mathml(Power(Symbol("theta1", 1), 2), WRITING, display="inline")
    assert markup == (
        '<math><msubsup><mrow><mpadded height="0.7em"><mover accent="true"><mi>θ</mi><mo stretchy="false">˙</mo></mover>'
        "</mpadded></mrow>"
        "<mrow><mn>1</mn></mrow><mrow><mn>2</mn></mrow></msubsup></math>"
    )
    inertia = ET.fromstring(to_mathml(Symbol("Ixx2"), display="inline"))[0]
    assert inertia.tag == "msub" and [said(part) for part in inertia] == ["I", "xx2"]
    assert '<mi mathvariant="normal">Γ</mi>' in to_mathml(tree.Indexed(Symbol("Gamma"), "112"))


def test_text_from_outside_is_escaped():
    label = "<script>alert('&')</script>"
    for node in (Labelled(Symbol("a"), label), tree.Call(label, Symbol("a")), tree.Indexed(Symbol("a"), label, label)):
        markup = to_mathml(node)
        assert "<script" not in markup
        assert "script" in said(ET.fromstring(markup))
    assert "<script" not in to_mathml(Equation((Symbol("a"), Symbol(label)), relation="<script>"))


def test_factors_are_joined_by_invisible_times_and_functions_by_apply():
    node = Product((Symbol("a"), Symbol("b"), Trig("cos", (("theta1", 1),))))
    text = said(ET.fromstring(to_mathml(node, Writing(angles="expanded"))))
    assert text == "a\u2062b\u2062cos\u2061(θ1)"


def test_brackets_grow_only_around_tall_parts():
    flat = to_mathml(Product((Symbol("a"), Sum((Symbol("b"), Symbol("c"))))))
    tall = to_mathml(Product((Symbol("a"), Sum((Symbol("b"), tree.Ratio(Symbol("c"), Symbol("d")))))))
    assert 'stretchy="false">(' in flat and 'stretchy="true">(' in tall


def test_chains_are_aligned_in_a_table():
    chain = parsed(Equation((Symbol("tau1"), Symbol("a"), Product((Number(Fraction(-1)), Symbol("b"))))))
    rows = [[said(cell) for cell in row] for row in chain.iter("mtr")]
    assert rows == [["τ1", "=a"], ["", "=−b"]]
    styles = [cell.get("style") for cell in chain.iter("mtd")]
    assert all(("right" if k % 2 == 0 else "left") in style for k, style in enumerate(styles))


def test_a_matrix_too_wide_is_listed_by_entries():
    names = [said(row[0]) for row in parsed(equation_of_2r(), width=25).iter("mtr")]
    assert names == ["M11", "M12", "M21", "M22"]
    assert "[" in seen(equation_of_2r(), width=60)


def test_a_column_too_wide_is_broken_in_its_brackets():
    terms = tuple(Symbol(f"m{k}") for k in range(1, 9))
    markup = parsed(Equation((Symbol("g"), tree.column((Sum(terms), terms[0])))), width=14)
    _, matrix, entry = markup.iter("mtable")
    assert len(matrix) == 2 and len(entry) > 1


def test_long_squares_and_arguments_are_broken_inside():
    total = Sum(tuple(Symbol(f"m{k}") for k in range(1, 14)))
    for node in (Power(total, 2), tree.Call("tanh", total), Product((Symbol("a"), Power(total, 2), Symbol("b")))):
        assert len(list(parsed(node, width=12.0).iter("mtr"))) > 2
        assert seen(node, width=12.0).replace("·", "") == seen(node, width=1000.0)


def test_entries_below_a_long_left_side_keep_their_names():
    total = Sum(tuple(Symbol(f"m{k}") for k in range(1, 9)))
    matrix = Matrix(((total, Symbol("a")), (Symbol("b"), total)))
    text = seen(Equation((Product(tuple(Symbol(f"F{k}") for k in range(6))), total, matrix)), width=20.0)
    assert text.count("]11=") == text.count("]12=") == text.count("]21=") == text.count("]22=") == 1


@settings(max_examples=60, deadline=None)
@given(formulas(), st.sampled_from([12.0, 20.0, 44.0]))
def test_broken_lines_say_the_same(node, width):
    whole = ET.fromstring(f"<math>{markup_of(node, WRITING).text}</math>")
    plain = "".join(c for c in said(whole) if c not in INVISIBLE)
    assert seen(node, width=width).replace("·", "") == plain
    if markup_of(node, WRITING).width > width:
        assert len(list(parsed(node, width=width).iter("mtr"))) > 1


def test_only_a_sum_with_limits_is_a_sign():
    assert said(parsed(Symbol("sum"))) == "sum"
    assert said(parsed(tree.Indexed(Symbol("sum"), "k"))) == "∑k"


@pytest.mark.parametrize(
    ("angle", "text"),
    [
        ((("theta1", 1), ("theta2", -1)), "cos(θ1−θ2)"),
        ((("theta1", -1), ("theta2", 1)), "cos(−θ1+θ2)"),
        ((("theta1", 2), ("theta2", -3), ("x", 1)), "cos(2θ1−3θ2+x)"),
    ],
)
def test_an_angle_keeps_its_signs_and_multiples(angle, text):
    assert seen(Trig("cos", angle)) == text


def test_an_empty_matrix_and_powers_of_ten():
    assert said(parsed(Equation((Symbol("phi"), Matrix(()))))) == "φ=[]"
    assert said(parsed(Number(Fraction("-2.5e-40")))) == "−2.5·10−40"
