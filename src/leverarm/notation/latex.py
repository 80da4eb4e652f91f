r"""Formulas as LaTeX, for amsmath: m_1 L_1^2 + m_2 (L_1^2 + L_2^2 + 2 L_1 L_2 c_2), \dot{\theta}_1, bmatrix."""

from __future__ import annotations

from leverarm.notation import tree
from leverarm.notation.latex_names import (
    angle_latex,
    decimal_latex,
    escaped,
    index_latex,
    latex_words,
    name_latex,
    number_latex,
)
from leverarm.notation.line_breaking import Mark, Part, Piece, factor_parts, sum_parts
from leverarm.notation.names import short_index, split_name
from leverarm.notation.precedence import Binding, binding, is_sum, signed
from leverarm.notation.tree import Node
from leverarm.notation.vocabulary import Writing

TALL = (r"\frac", r"\begin", r"\underbrace", r"\left")
"""What makes a formula taller than a line, so that the brackets around it must grow."""
FUNCTIONS = {"tanh": r"\tanh", "det": r"\det", "exp": r"\exp", "cos": r"\cos", "sin": r"\sin", "tan": r"\tan"}
RELATIONS = {
    "!=": r"\ne", "<=": r"\le", ">=": r"\ge", ":=": r"\mathrel{:=}", "~": r"\approx", "->": r"\to",
    "=>": r"\Rightarrow", "≻": r"\succ", "≡": r"\equiv",
}  # fmt: skip
MARKS = {"plus": "+", "minus": "-", "negative": "-", "times": r"\cdot", "over": "/", "time": r"\frac{d}{dt}"}


def to_latex(node: Node, writing: Writing = Writing()) -> str:
    """The formula as LaTeX on one line, for use between dollars or in an environment of amsmath."""
    match node:
        case tree.Number(value=value, is_decimal=is_decimal):
            return number_latex(value, is_decimal)
        case tree.Decimal(digits=digits, unit=unit):
            return decimal_latex(digits, unit)
        case tree.Symbol(name=name, dots=dots):
            return name_latex(name, dots)
        case tree.Trig():
            return _trig(node, writing, "")
        case tree.Call(function="sqrt", argument=argument):
            return rf"\sqrt{{{to_latex(argument, writing)}}}"
        case tree.Call(function="norm" | "abs" as function, argument=argument):
            bars = r"\vert" if function == "abs" else r"\Vert"
            return rf"{bars} {to_latex(argument, writing)} {bars}"
        case tree.Call(function=function, argument=argument):
            return _function(function) + parenthesised(to_latex(argument, writing))
        case tree.Sum(terms=terms):
            return run_latex(sum_parts(terms), writing)
        case tree.Product(factors=factors):
            is_minus, size = signed(node)
            return _negative(size, writing) if is_minus else run_latex(factor_parts(factors), writing)
        case tree.Power(base=tree.Trig() as base, exponent=exponent):
            return _trig(base, writing, index_latex("^", str(exponent)))
        case tree.Power(base=base, exponent=exponent):
            return _base(base, writing) + index_latex("^", str(exponent))
        case tree.Ratio(above=above, below=below):
            is_minus, size = signed(node)
            fraction = rf"\frac{{{to_latex(above, writing)}}}{{{to_latex(below, writing)}}}"
            return _negative(size, writing) if is_minus else fraction
        case tree.Matrix():
            return _matrix(node, writing)
        case tree.Of(head=head, arguments=arguments):
            return _base(head, writing) + parenthesised(", ".join(to_latex(each, writing) for each in arguments))
        case tree.Indexed(head=head, lower=lower, upper=upper):
            return _indexed_head(head, lower, writing) + index_latex("_", lower) + index_latex("^", upper)
        case tree.Transposed(of=of):
            return _base(of, writing) + r"^\top"
        case tree.Inverse(of=of):
            return _base(of, writing) + "^{-1}"
        case tree.Between(left=left, sign=kind, right=right):
            between = r"\times" if kind == "cross" else r"\cdot"
            return f"{_factor(left, False, writing)} {between} {_factor(right, True, writing)}"
        case tree.Differential(of=of):
            return rf"\, d{_base(of, writing)}"
        case tree.Exponential(exponent=of):
            return f"e^{{{to_latex(of, writing)}}}"
        case tree.Bracketed(of=of):
            return f"[{to_latex(of, writing)}]"
        case tree.PartialDerivative(of=of, by=by):
            over, under = to_latex(of, writing), to_latex(by, writing)
            if not _is_operator(node):
                return rf"\frac{{\partial {over}}}{{\partial {under}}}"
            return rf"\frac{{\partial}}{{\partial {under}}} {parenthesised(over)}"
        case tree.TimeDerivative(of=of):
            inside = to_latex(of, writing)
            return rf"\frac{{d}}{{dt}} {inside if _is_bare(of) else parenthesised(inside)}"
        case tree.Labelled(of=of, label=label):
            return rf"\underbrace{{{to_latex(of, writing)}}}_{{\text{{{latex_words(label)}}}}}"
        case tree.Equation(sides=sides, relation=relation):
            return f" {relation_latex(relation)} ".join(to_latex(side, writing) for side in sides)
        case _:
            raise TypeError(f"{type(node).__name__} cannot be written as LaTeX")


def run_latex(parts: tuple[Part, ...], writing: Writing, drawn: dict[int, str] | None = None) -> str:
    """Parts of a line beside each other; `drawn` has nodes that are not written as usual, by identity."""
    latex = ""
    before: Part | None = None
    for k, part in enumerate(parts):
        match part:
            case Mark():
                piece = _mark(part, writing)
            case Piece(node=inner, place="factor"):
                piece = (drawn or {}).get(id(inner)) or _factor(inner, k + 1 == len(parts), writing)
            case Piece(node=inner):
                piece = (drawn or {}).get(id(inner)) or to_latex(inner, writing)
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
            return rf"\frac{{\partial}}{{\partial {to_latex(mark.by or tree.ONE, writing)}}}"
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
    match before, part:
        case (None | Mark(kind="negative" | "function"), _) | (_, Mark(kind="power")):
            return ""
        case (Mark(), _) | (_, Mark()):
            return " "
        case (Piece(node=one), Piece(node=other)) if _is_wordy(one) or _is_wordy(other):
            return r" \, "
        case _:
            return " "


def _factor(node: Node, is_last: bool, writing: Writing) -> str:
    """The formula beside other factors: sums in parentheses, and an operator that would reach over what follows."""
    latex = to_latex(node, writing)
    is_open = binding(node) <= Binding.SUM or (_is_operator(node) and not is_last)
    return parenthesised(latex) if is_open else latex


def _is_operator(node: Node) -> bool:
    """Whether it is written with its operand behind it: d/dt of anything, d/dx of all but a letter."""
    match node:
        case tree.PartialDerivative(of=tree.Symbol() | tree.Indexed()):
            return False
        case tree.PartialDerivative() | tree.TimeDerivative():
            return True
        case _:
            return False


def _is_bare(node: Node) -> bool:
    """Whether d/dt stands before it without parentheses."""
    match node:
        case tree.Symbol() | tree.Indexed() | tree.PartialDerivative():
            return True
        case _:
            return False


def _base(node: Node, writing: Writing) -> str:
    """The formula below a script or in front of its arguments: all but atoms in parentheses."""
    latex = to_latex(node, writing)
    return latex if binding(node) == Binding.ATOM else parenthesised(latex)


def parenthesised(latex: str) -> str:
    """In parentheses, which grow only around what is taller than a line."""
    if any(mark in latex for mark in TALL):
        return rf"\left( {latex} \right)"
    return f"({latex})"


def _trig(node: tree.Trig, writing: Writing, power: str) -> str:
    digits = short_index(node.angle, writing)
    if digits:
        return node.function[0] + index_latex("_", digits) + power
    return rf"\{node.function}{power}({angle_latex(node.angle)})"


def _function(name: str) -> str:
    return FUNCTIONS.get(name) or rf"\operatorname{{{escaped(name)}}}"


def _negative(size: Node, writing: Writing) -> str:
    return "-" + (_factor(size, True, writing) if is_sum(size) else to_latex(size, writing))


def _is_wordy(node: Node) -> bool:
    match node:
        case tree.Symbol(name=name) | tree.Power(base=tree.Symbol(name=name)):
            return split_name(name).is_word
        case _:
            return False


def _matrix(node: tree.Matrix, writing: Writing) -> str:
    if node.is_empty:
        return r"[\;]"
    written = [" & ".join(to_latex(entry, writing) for entry in row) for row in node.rows]
    rows = (r" \\[4pt] " if any(r"\frac" in row for row in written) else r" \\ ").join(written)
    return rf"\begin{{bmatrix}} {rows} \end{{bmatrix}}"


def _indexed_head(head: Node, lower: str, writing: Writing) -> str:
    latex = _base(head, writing)
    match head:
        case tree.Symbol(name="sum" | "int" as name, dots=0):
            return rf"\{name}"
        case tree.Symbol(name=name) if lower and split_name(name).index:
            return f"{{{{}}{latex}}}"  # TeX unwraps a group that holds one accent alone
        case _:
            return latex


def relation_latex(relation: str) -> str:
    """The sign between two sides."""
    return RELATIONS.get(relation, relation)
