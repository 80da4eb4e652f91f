r"""Formulas as LaTeX, for amsmath: m_1 L_1^2 + m_2 (L_1^2 + L_2^2 + 2 L_1 L_2 c_2), \dot{\theta}_1, bmatrix."""

from __future__ import annotations

from functools import singledispatch

from leverarm.notation import tree
from leverarm.notation.latex_names import angle_latex, escaped, index_latex, latex_words, name_latex, number_latex
from leverarm.notation.line_breaking import Mark, Part, factor_parts, sum_parts
from leverarm.notation.names import short_index, split_name
from leverarm.notation.precedence import Binding, binding, signed
from leverarm.notation.tree import Node
from leverarm.notation.vocabulary import Writing

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
MARKS = {"plus": "+", "minus": "-", "negative": "-", "times": r"\cdot", "over": "/", "time": r"\frac{d}{dt}"}


def to_latex(node: Node, writing: Writing = Writing()) -> str:
    """The formula as LaTeX, to be put between dollars or in an environment of amsmath."""
    return latex_of(node, writing)


@singledispatch
def latex_of(node: Node, writing: Writing) -> str:
    """LaTeX of a formula, unbroken."""
    raise TypeError(f"no LaTeX is registered for {type(node).__name__}")


def run_latex(parts: tuple[Part, ...], writing: Writing, drawn: dict[int, str] | None = None) -> str:
    """Parts of a line beside each other; `drawn` has nodes that are not written as usual, by identity."""
    latex = ""
    before: Part | None = None
    for k, part in enumerate(parts):
        if isinstance(part, Mark):
            piece = _mark(part, writing)
        elif part.place == "factor":
            piece = (drawn or {}).get(id(part.node)) or _factor(part.node, k + 1 == len(parts), writing)
        else:
            piece = (drawn or {}).get(id(part.node)) or latex_of(part.node, writing)
        latex += _space(before, part, latex, piece) + piece
        before = part
    return latex


def _mark(mark: Mark, writing: Writing) -> str:
    match mark.kind:
        case "open":
            return r"\Bigl(" if mark.is_tall else r"\bigl("
        case "close":
            return r"\Bigr)" if mark.is_tall else r"\bigr)"
        case "partial":
            return rf"\frac{{\partial}}{{\partial {latex_of(mark.by or tree.ONE, writing)}}}"
        case "label":
            return rf"\text{{({latex_words(mark.text)})}}"
        case "function":
            return _function(mark.text)
        case "power":
            return index_latex("^", mark.text)
        case kind:
            return MARKS[kind]


def _space(before: Part | None, part: Part, left: str, right: str) -> str:
    """What stands between two parts: a dot between numbers, a thin space around words."""
    if before is None or (isinstance(before, Mark) and before.kind in ("negative", "function")):
        return ""
    if isinstance(part, Mark):
        return "" if part.kind == "power" else " "
    if isinstance(before, Mark):
        return " "
    if isinstance(before.node, tree.Number) and left[-1:].isdigit() and right[:1].isdigit():
        return r" \cdot "
    return r" \, " if _is_wordy(before.node) or _is_wordy(part.node) else " "


def _factor(node: Node, is_last: bool, writing: Writing) -> str:
    """The formula beside other factors: sums in parentheses, and an operator that would reach over what follows."""
    latex = latex_of(node, writing)
    is_open = binding(node) <= Binding.SUM or (_is_operator(node) and not is_last)
    return parenthesised(latex) if is_open else latex


def _is_operator(node: Node) -> bool:
    """Whether it is written with its operand behind it: d/dt of anything, d/dx of all but a letter."""
    if isinstance(node, tree.PartialDerivative):
        return not isinstance(node.of, tree.Symbol | tree.Indexed)
    return isinstance(node, tree.TimeDerivative)


def _base(node: Node, writing: Writing) -> str:
    """The formula below a script or in front of its arguments: all but atoms in parentheses."""
    latex = latex_of(node, writing)
    return latex if binding(node) == Binding.ATOM else parenthesised(latex)


def parenthesised(latex: str) -> str:
    """In parentheses, which grow only around what is taller than a line."""
    if any(mark in latex for mark in TALL):
        return rf"\left( {latex} \right)"
    return f"({latex})"


@latex_of.register
def _(node: tree.Number, writing: Writing) -> str:
    return number_latex(node.value)


@latex_of.register
def _(node: tree.Symbol, writing: Writing) -> str:
    return name_latex(node.name, node.dots)


@latex_of.register
def _(node: tree.Trig, writing: Writing) -> str:
    return _trig(node, writing, "")


def _trig(node: tree.Trig, writing: Writing, power: str) -> str:
    digits = short_index(node.angle, writing)
    if digits:
        return node.function[0] + index_latex("_", digits) + power
    return rf"\{node.function}{power}({angle_latex(node.angle)})"


@latex_of.register
def _(node: tree.Call, writing: Writing) -> str:
    argument = latex_of(node.argument, writing)
    if node.function == "sqrt":
        return rf"\sqrt{{{argument}}}"
    return _function(node.function) + parenthesised(argument)


def _function(name: str) -> str:
    return FUNCTIONS.get(name) or rf"\operatorname{{{escaped(name)}}}"


@latex_of.register
def _(node: tree.Sum, writing: Writing) -> str:
    return run_latex(sum_parts(node.terms), writing)


@latex_of.register
def _(node: tree.Product, writing: Writing) -> str:
    is_minus, size = signed(node)
    return _negative(size, writing) if is_minus else run_latex(factor_parts(node.factors), writing)


def _negative(size: Node, writing: Writing) -> str:
    return "-" + (_factor(size, True, writing) if isinstance(size, tree.Sum) else latex_of(size, writing))


def _is_wordy(node: Node) -> bool:
    base = node.base if isinstance(node, tree.Power) else node
    return isinstance(base, tree.Symbol) and split_name(base.name).is_word


@latex_of.register
def _(node: tree.Power, writing: Writing) -> str:
    exponent = index_latex("^", str(node.exponent))
    if isinstance(node.base, tree.Trig):
        return _trig(node.base, writing, exponent)
    return _base(node.base, writing) + exponent


@latex_of.register
def _(node: tree.Ratio, writing: Writing) -> str:
    is_minus, size = signed(node)
    if is_minus:
        return _negative(size, writing)
    return rf"\frac{{{latex_of(node.above, writing)}}}{{{latex_of(node.below, writing)}}}"


@latex_of.register
def _(node: tree.Matrix, writing: Writing) -> str:
    if node.is_empty:
        return r"[\;]"
    written = [" & ".join(latex_of(entry, writing) for entry in row) for row in node.rows]
    apart = r" \\[4pt] " if any(r"\frac" in row for row in written) else r" \\ "
    rows = apart.join(written)
    return rf"\begin{{bmatrix}} {rows} \end{{bmatrix}}"


@latex_of.register
def _(node: tree.Of, writing: Writing) -> str:
    arguments = ", ".join(latex_of(argument, writing) for argument in node.arguments)
    return _base(node.head, writing) + parenthesised(arguments)


@latex_of.register
def _(node: tree.Indexed, writing: Writing) -> str:
    if node.head == tree.Symbol("sum"):
        return r"\sum" + index_latex("_", node.lower) + index_latex("^", node.upper)
    head = _base(node.head, writing)
    if isinstance(node.head, tree.Symbol) and split_name(node.head.name).index and node.lower:
        head = f"{{{{}}{head}}}"  # TeX unwraps a group that holds one accent alone
    return head + index_latex("_", node.lower) + index_latex("^", node.upper)


@latex_of.register
def _(node: tree.Transposed, writing: Writing) -> str:
    return _base(node.of, writing) + r"^\top"


@latex_of.register
def _(node: tree.Inverse, writing: Writing) -> str:
    return _base(node.of, writing) + "^{-1}"


@latex_of.register
def _(node: tree.Exponential, writing: Writing) -> str:
    return f"e^{{{latex_of(node.exponent, writing)}}}"


@latex_of.register
def _(node: tree.Bracketed, writing: Writing) -> str:
    return f"[{latex_of(node.of, writing)}]"


@latex_of.register
def _(node: tree.PartialDerivative, writing: Writing) -> str:
    by = latex_of(node.by, writing)
    if not _is_operator(node):
        return rf"\frac{{\partial {latex_of(node.of, writing)}}}{{\partial {by}}}"
    return rf"\frac{{\partial}}{{\partial {by}}} {parenthesised(latex_of(node.of, writing))}"


@latex_of.register
def _(node: tree.TimeDerivative, writing: Writing) -> str:
    of = latex_of(node.of, writing)
    is_bare = isinstance(node.of, tree.Symbol | tree.Indexed | tree.PartialDerivative)
    return rf"\frac{{d}}{{dt}} {of if is_bare else parenthesised(of)}"


@latex_of.register
def _(node: tree.Labelled, writing: Writing) -> str:
    return rf"\underbrace{{{latex_of(node.of, writing)}}}_{{\text{{{latex_words(node.label)}}}}}"


@latex_of.register
def _(node: tree.Equation, writing: Writing) -> str:
    relation = relation_latex(node.relation)
    return f" {relation} ".join(latex_of(side, writing) for side in node.sides)


def relation_latex(relation: str) -> str:
    """The sign between two sides."""
    return RELATIONS.get(relation, relation)
