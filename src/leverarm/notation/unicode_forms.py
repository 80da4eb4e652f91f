"""How each kind of formula looks in Unicode, as a box of characters."""

from __future__ import annotations

from collections.abc import Sequence

from leverarm.notation import tree
from leverarm.notation.boxes import Box, beside, braced, fenced, fraction, grid, raised, word
from leverarm.notation.line_breaking import Mark, Part, Piece, factor_parts, sum_parts
from leverarm.notation.names import GREEK, short_index
from leverarm.notation.precedence import Binding, binding, is_sum, signed
from leverarm.notation.text import Letters, angle_text
from leverarm.notation.tree import Node, is_negative
from leverarm.notation.unicode_names import (
    MINUS,
    RELATIONS,
    decimal_unicode,
    lowered_index,
    number_text,
    subscripted,
    superscripted,
    symbol_text,
)
from leverarm.notation.vocabulary import Writing

UNICODE = Letters(
    name=symbol_text,
    number=number_text,
    decimal=decimal_unicode,
    raised=lambda text: superscripted(GREEK.get(text.strip("{}"), text.strip("{}"))),
    lowered=lowered_index,
    digits=subscripted,
    minus=MINUS,
    times="·",
    cross="×",
    norm="‖",
    partial="∂",
    relations=RELATIONS,
)
COLUMN_GAP = 3
LARGE: dict[Node, str] = {tree.Symbol("sum"): "Σ", tree.Symbol("int"): "∫"}
LONGEST_INLINE = 16
"""Fractions up to this width are written a/b, longer ones over a bar."""
MARKS = {
    "plus": " + ", "minus": f" {MINUS} ", "negative": MINUS, "times": "· ", "open": "(", "close": ")", "over": "/ ",
}  # fmt: skip


def run_box(parts: tuple[Part, ...], writing: Writing, drawn: dict[int, Box] | None = None) -> Box:
    """Parts of a line beside each other; `drawn` has the boxes of nodes that are not drawn as usual, by identity."""
    boxes: list[Box] = []
    is_behind_factor = False
    for k, part in enumerate(parts):
        match part:
            case Piece(node=node, place=place):
                box = (drawn or {}).get(id(node)) or _PLACES[place](node, writing)
                boxes += [word(" "), box] if is_behind_factor else [box]
                is_behind_factor = True
            case Mark(kind=kind):
                text = _mark(part, writing)
                space = " " if kind in ("open", "times") and is_behind_factor else ""
                boxes.append(word(space + text if k else text.lstrip()))
                is_behind_factor = kind in ("close", "time", "partial")
    return beside(*boxes)


def _mark(mark: Mark, writing: Writing) -> str:
    match mark.kind:
        case "time":
            return "d/dt"
        case "partial":
            return f"∂/∂{_base(mark.by or tree.ONE, writing).rows[0]}"
        case "label":
            return f"⏟ {mark.text}"
        case "function":
            return mark.text
        case "power":
            return superscripted(mark.text)
        case kind:
            return MARKS[kind]


def box_of(node: Node, writing: Writing) -> Box:
    """The block of characters of a formula, unbroken."""
    match node:
        case tree.Number(value=value, is_decimal=is_decimal):
            return word(number_text(value, is_decimal))
        case tree.Decimal(digits=decimal, unit=unit):
            return word(decimal_unicode(decimal, unit))
        case tree.Symbol(name=name, dots=dots):
            return word(symbol_text(name, dots))
        case tree.Trig(function=function, angle=angle):
            index = short_index(angle, writing)
            return word(function[0] + subscripted(index) if index else f"{function}({angle_text(angle, UNICODE)})")
        case tree.Call(function="sqrt", argument=argument):
            return beside(word("√"), _base(argument, writing))
        case tree.Call(function="norm" | "abs" as function, argument=argument):
            bars = "|" if function == "abs" else "‖"
            return fenced(term_box(argument, writing), bars, bars)
        case tree.Call(function=function, argument=argument):
            return beside(word(function), fenced(term_box(argument, writing), "(", ")"))
        case tree.Sum(terms=terms):
            return run_box(sum_parts(terms), writing)
        case tree.Product(factors=factors):
            is_minus, size = signed(node)
            negative = _factor if is_sum(size) else term_box
            return beside(word(MINUS), negative(size, writing)) if is_minus else run_box(factor_parts(factors), writing)
        case tree.Power(base=base, exponent=exponent):
            return _scripted(base, superscripted(str(exponent)), writing)
        case tree.Ratio(above=above, below=below):
            is_minus, size = signed(node)
            if is_minus:
                return beside(word(MINUS), term_box(size, writing))
            return fraction(term_box(above, writing), term_box(below, writing))
        case tree.Matrix(rows=rows):
            return matrix_box([[term_box(entry, writing) for entry in row] for row in rows])
        case tree.Of(head=head, arguments=arguments):
            return beside(_base(head, writing), _arguments(arguments, writing))
        case tree.Indexed(head=head, lower=lower, upper=upper):
            scripts = lowered_index(lower) if lower else ""
            scripts += superscripted(GREEK.get(upper, upper)) if upper else ""
            return beside(word(LARGE[head]) if head in LARGE else _base(head, writing), word(scripts))
        case tree.Transposed(of=of):
            return _scripted(of, "ᵀ", writing)
        case tree.Inverse(of=of):
            return _scripted(of, "⁻¹", writing)
        case tree.Between(left=left, sign=kind, right=right):
            between = word(f" {UNICODE.cross if kind == 'cross' else UNICODE.times} ")
            return beside(_factor(left, writing), between, _factor(right, writing))
        case tree.Differential(of=of):
            return beside(word("d"), _base(of, writing))
        case tree.Exponential(exponent=of):
            return raised(word("e"), term_box(of, writing))
        case tree.Bracketed(of=of):
            return fenced(term_box(of, writing), "[", "]")
        case tree.PartialDerivative(of=of, by=by):
            under = _round_d(by, writing)
            if binding(of) >= Binding.SCRIPTED:
                return fraction(_round_d(of, writing), under)
            return beside(word("∂/"), under, word(" "), fenced(term_box(of, writing), "(", ")"))
        case tree.TimeDerivative(of=of):
            return beside(word("d/dt "), fenced(term_box(of, writing), "(", ")"))
        case tree.Labelled(of=of, label=label):
            return braced(term_box(of, writing), label)
        case tree.Equation(sides=sides, relation=relation):
            sign = word(f" {RELATIONS.get(relation, relation)} ")
            return beside(*[box for side in sides for box in (sign, term_box(side, writing))][1:])
        case _:
            raise TypeError(f"{type(node).__name__} cannot be drawn in Unicode")


def term_box(node: Node, writing: Writing) -> Box:
    """The formula where nothing but a sign stands beside it: a short fraction may be written a/b."""
    match node:
        case tree.Ratio(above=above, below=below) if not is_negative(node):
            bars = term_box(above, writing), box_of(below, writing)
            holds = binding(above) >= Binding.PRODUCT and binding(below) >= Binding.SCRIPTED
            is_short = bars[0].height == bars[1].height == 1 and bars[0].width + bars[1].width < LONGEST_INLINE
            return beside(bars[0], word("/"), bars[1]) if holds and is_short else fraction(*bars)
        case tree.PartialDerivative(of=of, by=by) if binding(of) >= Binding.SCRIPTED:
            over, under = _round_d(of, writing), _round_d(by, writing)
            return beside(over, word("/"), under) if over.height == under.height == 1 else fraction(over, under)
        case _:
            return box_of(node, writing)


def _factor(node: Node, writing: Writing) -> Box:
    """The formula beside other factors: sums are in parentheses, fractions over a bar."""
    match node:
        case tree.TimeDerivative():
            return fenced(term_box(node, writing), "(", ")")
        case _:
            return fenced(term_box(node, writing), "(", ")") if binding(node) <= Binding.SUM else box_of(node, writing)


def _base(node: Node, writing: Writing) -> Box:
    """The formula below a script, before an index or in front of its arguments: all but atoms in parentheses."""
    box = box_of(node, writing)
    return box if binding(node) == Binding.ATOM else fenced(box, "(", ")")


_PLACES = {"term": term_box, "factor": _factor}


def _scripted(node: Node, script: str, writing: Writing) -> Box:
    match node:
        case tree.Of(head=head, arguments=arguments):
            return beside(_scripted(head, script, writing), _arguments(arguments, writing))
        case tree.Trig() if short_index(node.angle, writing) is None:
            return word(f"{node.function}{script}({angle_text(node.angle, UNICODE)})")
    base = _base(node, writing)
    return beside(base, word(script)) if base.height == 1 else raised(base, word(script))


def _arguments(arguments: tuple[Node, ...], writing: Writing) -> Box:
    boxes = [term_box(argument, writing) for argument in arguments]
    between = [box for one in boxes for box in (word(", "), one)][1:]
    return fenced(beside(*between), "(", ")")


def _round_d(node: Node, writing: Writing) -> Box:
    return beside(word("∂"), _base(node, writing))


def matrix_box(cells: Sequence[Sequence[Box]], align: str = "center") -> Box:
    """Entries in square brackets."""
    return fenced(grid(cells, COLUMN_GAP, align), "[", "]")
