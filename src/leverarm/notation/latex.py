r"""Formulas as LaTeX, for amsmath: m_1 L_1^2 + m_2 (L_1^2 + L_2^2 + 2 L_1 L_2 c_2), \dot{\theta}_1, bmatrix."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache, singledispatch
from itertools import pairwise

from leverarm.notation import tree
from leverarm.notation.names import is_running_index, short_index, split_name
from leverarm.notation.precedence import signed
from leverarm.notation.tree import Node, is_negative, negated
from leverarm.notation.unicode_names import decimal_text
from leverarm.notation.vocabulary import Writing

SUM, PRODUCT, POWER, ATOM = range(4)
"""How tightly the outermost operation of a formula binds."""

Written = tuple[str, int]
"""LaTeX and how tightly it binds."""

MINUS_ONE = tree.Number(Fraction(-1))
DOTS = ("{}", r"\dot{{{}}}", r"\ddot{{{}}}", r"\dddot{{{}}}", r"\ddddot{{{}}}")
TALL = (r"\frac", r"\begin", r"\underbrace", r"\left")
"""What makes a formula taller than a line, so that brackets around it grow."""
FUNCTIONS = {"tanh": r"\tanh", "det": r"\det", "exp": r"\exp", "cos": r"\cos", "sin": r"\sin", "tan": r"\tan"}
RELATIONS = {
    "!=": r"\ne",
    "<=": r"\le",
    ">=": r"\ge",
    ":=": r"\mathrel{:=}",
    "~": r"\approx",
    "->": r"\to",
    "=>": r"\Rightarrow",
}


def to_latex(node: Node, writing: Writing = Writing()) -> str:
    """The formula as LaTeX, to be put between dollars or in an environment of amsmath."""
    return write(node, writing)[0]


@singledispatch
def write(node: Node, writing: Writing) -> Written:
    """LaTeX of a node, and how tightly its outermost operation binds."""
    raise TypeError(f"no LaTeX is registered for {type(node).__name__}")


def within(node: Node, writing: Writing, level: int) -> str:
    """LaTeX of a part, in parentheses where it binds less tightly than its place needs."""
    latex, binds = write(node, writing)
    return latex if binds >= level else parenthesised(latex)


def parenthesised(latex: str) -> str:
    """In parentheses, which grow only around what is taller than a line."""
    if any(mark in latex for mark in TALL):
        return rf"\left( {latex} \right)"
    return f"({latex})"


def number_latex(value: Fraction) -> str:
    """A number of either sign."""
    sign, size = ("-" if value < 0 else ""), abs(value)
    if size.denominator == 1:
        return f"{sign}{size.numerator}"
    return sign + (decimal_text(size) or rf"\frac{{{size.numerator}}}{{{size.denominator}}}")


@lru_cache(maxsize=4096)
def name_latex(name: str, dots: int = 0) -> str:
    r"""A name with its index and its dots: \dot{\theta}_1, l_{c1}, \mathrm{mass}. An angle may be named by a number."""
    parts = split_name(name)
    if parts.is_greek:
        stem = f"\\{parts.stem}"
    elif parts.is_word and not parts.stem[0].isdigit():
        stem = rf"\mathrm{{{escaped(parts.stem)}}}"
    else:
        stem = parts.stem
    dot = DOTS[dots] if dots < len(DOTS) else f"{{}}^{{({dots})}}"
    return dot.format(stem) + _index("_", parts.index)


def _index(mark: str, index: str) -> str:
    """An index below (_) or above (^)."""
    if not index:
        return ""
    body = ",".join(_index_piece(piece) for piece in index.split(","))
    return f"{mark}{body}" if len(body) == 1 else f"{mark}{{{body}}}"


def _index_piece(piece: str) -> str:
    """Words are upright, Greek letters are letters, digits, single letters and running indices stay as they are."""
    if piece.isidentifier() and split_name(piece).is_greek:
        return name_latex(piece)
    is_word = len(piece) > 2 and piece.isalpha() and not is_running_index(piece)
    return rf"\mathrm{{{piece}}}" if is_word else escaped(piece)


def escaped(text: str) -> str:
    """Text with the characters that mean something to LaTeX made harmless."""
    special = {"\\": r"\backslash ", "~": r"\sim ", "^": r"\hat{}"}
    return "".join(special.get(c, f"\\{c}" if c in "#$%&_{}" else c) for c in text)


def angle_latex(angle: tree.Angle) -> str:
    """A sum of whole multiples of angles."""
    text = ""
    for name, times in angle:
        sign = ("-" if times < 0 else "") if not text else (" - " if times < 0 else " + ")
        text += f"{sign}{'' if abs(times) == 1 else f'{abs(times)} '}{name_latex(name)}"
    return text or "0"


@write.register
def _(node: tree.Number, writing: Writing) -> Written:
    return number_latex(node.value), SUM if node.value < 0 else ATOM if node.value.denominator == 1 else PRODUCT


@write.register
def _(node: tree.Symbol, writing: Writing) -> Written:
    return name_latex(node.name, node.dots), ATOM


@write.register
def _(node: tree.Trig, writing: Writing) -> Written:
    return _trig(node, writing, ""), ATOM


def _trig(node: tree.Trig, writing: Writing, power: str) -> str:
    digits = short_index(node.angle, writing.index) if writing.angles == "short" else None
    if digits:
        return node.function[0] + _index("_", digits) + power
    return rf"\{node.function}{power}({angle_latex(node.angle)})"


@write.register
def _(node: tree.Call, writing: Writing) -> Written:
    argument = to_latex(node.argument, writing)
    if node.function == "sqrt":
        return rf"\sqrt{{{argument}}}", ATOM
    name = FUNCTIONS.get(node.function) or rf"\operatorname{{{escaped(node.function)}}}"
    return f"{name}{parenthesised(argument)}", ATOM


@write.register
def _(node: tree.Sum, writing: Writing) -> Written:
    return " ".join(
        f"{sign} {latex}" if i else f"{sign.strip('+')}{latex}"
        for i, (sign, latex) in enumerate((sign, within(term, writing, PRODUCT)) for sign, term in signed_terms(node))
    ), SUM


def signed_terms(node: tree.Sum) -> list[tuple[str, Node]]:
    """Each term as its sign and what is added or subtracted; a brace under a term does not reach under its minus."""
    return [("-" if is_minus else "+", size) for is_minus, size in map(signed, node.terms)]


@write.register
def _(node: tree.Product, writing: Writing) -> Written:
    first, rest = node.factors[0], node.factors[1:]
    if not rest:
        return write(first, writing)
    if isinstance(first, tree.Number) and first.value < 0:
        positive = negated(node)
        return "-" + within(positive, writing, PRODUCT), SUM
    return juxtaposed(node.factors, [factor_latex(node.factors, i, writing) for i in range(len(node.factors))]), PRODUCT


def factor_latex(factors: tuple[Node, ...], i: int, writing: Writing) -> str:
    """The i-th factor as it stands among the others: an operator before other factors keeps its operand in brackets."""
    factor = factors[i]
    if isinstance(factor, tree.Number) and i == 0:
        return number_latex(factor.value)
    latex = within(factor, writing, POWER)
    is_open = isinstance(factor, tree.TimeDerivative) and i < len(factors) - 1
    return parenthesised(latex) if is_open else latex


def juxtaposed(factors: tuple[Node, ...], written: list[str]) -> str:
    """Factors side by side; a dot between numbers, a thin space around words and functions written out."""
    text = written[0]
    for (before, after), latex in zip(pairwise(factors), written[1:], strict=True):
        if text[-1:].isdigit() and isinstance(before, tree.Number) and latex[:1].isdigit():
            text += rf" \cdot {latex}"
        else:
            text += (r" \, " if _is_wordy(before) or _is_wordy(after) else " ") + latex
    return text


def _is_wordy(node: Node) -> bool:
    base = node.base if isinstance(node, tree.Power) else node
    return isinstance(base, tree.Symbol) and split_name(base.name).is_word


@write.register
def _(node: tree.Power, writing: Writing) -> Written:
    exponent = _index("^", str(node.exponent))
    if isinstance(node.base, tree.Trig):
        return _trig(node.base, writing, exponent), POWER
    return within(node.base, writing, ATOM) + exponent, POWER


@write.register
def _(node: tree.Ratio, writing: Writing) -> Written:
    opposite = negated(node.above)
    if is_negative(node.above) and not is_negative(opposite):
        return "-" + to_latex(tree.Ratio(opposite, node.below), writing), SUM
    return rf"\frac{{{to_latex(node.above, writing)}}}{{{to_latex(node.below, writing)}}}", POWER


@write.register
def _(node: tree.Matrix, writing: Writing) -> Written:
    rows = r" \\ ".join(" & ".join(to_latex(entry, writing) for entry in row) for row in node.rows)
    return rf"\begin{{bmatrix}} {rows} \end{{bmatrix}}", ATOM


@write.register
def _(node: tree.Of, writing: Writing) -> Written:
    arguments = ", ".join(to_latex(argument, writing) for argument in node.arguments)
    return within(node.head, writing, ATOM) + parenthesised(arguments), ATOM


@write.register
def _(node: tree.Indexed, writing: Writing) -> Written:
    if node.head == tree.Symbol("sum"):
        return r"\sum" + _index("_", node.lower) + _index("^", node.upper), ATOM
    head = within(node.head, writing, ATOM)
    if isinstance(node.head, tree.Symbol) and split_name(node.head.name).index and node.lower:
        head = f"{{{{}}{head}}}"  # TeX unwraps a group that holds one accent alone
    return head + _index("_", node.lower) + _index("^", node.upper), POWER if node.upper else ATOM


@write.register
def _(node: tree.Transposed, writing: Writing) -> Written:
    return within(node.of, writing, ATOM) + r"^\top", POWER


@write.register
def _(node: tree.Inverse, writing: Writing) -> Written:
    return within(node.of, writing, ATOM) + "^{-1}", POWER


@write.register
def _(node: tree.Exponential, writing: Writing) -> Written:
    return f"e^{{{to_latex(node.exponent, writing)}}}", POWER


@write.register
def _(node: tree.Bracketed, writing: Writing) -> Written:
    return f"[{to_latex(node.of, writing)}]", ATOM


@write.register
def _(node: tree.PartialDerivative, writing: Writing) -> Written:
    by = to_latex(node.by, writing)
    if isinstance(node.of, tree.Symbol | tree.Indexed):
        return rf"\frac{{\partial {to_latex(node.of, writing)}}}{{\partial {by}}}", POWER
    return rf"\frac{{\partial}}{{\partial {by}}} {parenthesised(to_latex(node.of, writing))}", PRODUCT


@write.register
def _(node: tree.TimeDerivative, writing: Writing) -> Written:
    of = to_latex(node.of, writing)
    is_bare = isinstance(node.of, tree.Symbol | tree.Indexed | tree.PartialDerivative)
    return rf"\frac{{d}}{{dt}} {of if is_bare else parenthesised(of)}", POWER


@write.register
def _(node: tree.Labelled, writing: Writing) -> Written:
    return rf"\underbrace{{{to_latex(node.of, writing)}}}_{{\text{{{text_label(node.label)}}}}}", ATOM


def text_label(label: str) -> str:
    """A label as text outside mathematics."""
    special = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    return "".join(special.get(c, f"\\{c}" if c in "#$%&_{}" else c) for c in label)


@write.register
def _(node: tree.Equation, writing: Writing) -> Written:
    relation = relation_latex(node.relation)
    return f" {relation} ".join(to_latex(side, writing) for side in node.sides), SUM


def relation_latex(relation: str) -> str:
    """The sign between two sides."""
    return RELATIONS.get(relation, relation)
