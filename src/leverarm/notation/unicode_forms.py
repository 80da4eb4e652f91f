"""How each kind of formula looks in Unicode, as a box of characters."""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatch

from leverarm.notation import tree
from leverarm.notation.boxes import Box, beside, braced, fenced, fraction, grid, raised, word
from leverarm.notation.line_breaking import Mark, Part, Piece, factor_parts, sum_parts
from leverarm.notation.names import GREEK, short_index
from leverarm.notation.precedence import Binding, binding, signed
from leverarm.notation.tree import Node, is_negative
from leverarm.notation.unicode_names import MINUS, RELATIONS, number_text, subscripted, superscripted, symbol_text
from leverarm.notation.vocabulary import Writing

COLUMN_GAP = 3
LONGEST_INLINE = 16
"""Fractions up to this width are written a/b, longer ones over a bar."""
MARKS = {
    "plus": " + ",
    "minus": f" {MINUS} ",
    "negative": MINUS,
    "times": "· ",
    "open": "(",
    "close": ")",
    "over": "/ ",
}


def run_box(parts: tuple[Part, ...], writing: Writing, drawn: dict[int, Box] | None = None) -> Box:
    """Parts of a line beside each other; `drawn` has the boxes of nodes that are not drawn as usual, by identity."""
    boxes: list[Box] = []
    is_behind_factor = False
    for k, part in enumerate(parts):
        if isinstance(part, Piece):
            box = (drawn or {}).get(id(part.node)) or _PLACES[part.place](part.node, writing)
            boxes += [word(" "), box] if is_behind_factor else [box]
        else:
            text = _mark(part, writing)
            space = " " if part.kind == "open" and is_behind_factor else ""
            boxes.append(word(space + text if k else text.lstrip()))
        is_behind_factor = isinstance(part, Piece) or part.kind in ("close", "time", "partial")
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


@singledispatch
def box_of(node: Node, writing: Writing) -> Box:
    """The block of characters of a formula, unbroken."""
    raise TypeError(f"no Unicode form is registered for {type(node).__name__}")


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
    if binding(node) <= Binding.SUM or isinstance(node, tree.TimeDerivative):
        return fenced(term_box(node, writing), "(", ")")
    return box_of(node, writing)


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
            return word(f"{node.function}{script}({_angle(node.angle)})")
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


def _angle(angle: tree.Angle) -> str:
    terms = [(MINUS if k < 0 else "+", f"{abs(k)} " * (abs(k) != 1) + symbol_text(name, 0)) for name, k in angle]
    first = "".join(terms[0]).removeprefix("+") if terms else "0"
    return first + "".join(f" {sign} {term}" for sign, term in terms[1:])


@box_of.register
def _(node: tree.Number, writing: Writing) -> Box:
    return word(number_text(node.value))


@box_of.register
def _(node: tree.Symbol, writing: Writing) -> Box:
    return word(symbol_text(node.name, node.dots))


@box_of.register
def _(node: tree.Trig, writing: Writing) -> Box:
    digits = short_index(node.angle, writing)
    return word(node.function[0] + subscripted(digits) if digits else f"{node.function}({_angle(node.angle)})")


@box_of.register
def _(node: tree.Call, writing: Writing) -> Box:
    argument = term_box(node.argument, writing)
    if node.function == "sqrt":
        return beside(word("√"), _base(node.argument, writing))
    return beside(word(node.function), fenced(argument, "(", ")"))


@box_of.register
def _(node: tree.Sum, writing: Writing) -> Box:
    return run_box(sum_parts(node.terms), writing)


@box_of.register
def _(node: tree.Product, writing: Writing) -> Box:
    is_minus, size = signed(node)
    if is_minus:
        return beside(word(MINUS), _factor(size, writing) if isinstance(size, tree.Sum) else term_box(size, writing))
    return run_box(factor_parts(node.factors), writing)


@box_of.register
def _(node: tree.Power, writing: Writing) -> Box:
    return _scripted(node.base, superscripted(str(node.exponent)), writing)


@box_of.register
def _(node: tree.Ratio, writing: Writing) -> Box:
    is_minus, size = signed(node)
    if is_minus:
        return beside(word(MINUS), term_box(size, writing))
    return fraction(term_box(node.above, writing), term_box(node.below, writing))


@box_of.register
def _(node: tree.Matrix, writing: Writing) -> Box:
    return matrix_box([[term_box(entry, writing) for entry in row] for row in node.rows])


@box_of.register
def _(node: tree.Of, writing: Writing) -> Box:
    return beside(_base(node.head, writing), _arguments(node.arguments, writing))


@box_of.register
def _(node: tree.Indexed, writing: Writing) -> Box:
    lower = subscripted(GREEK.get(node.lower, node.lower)) if node.lower else ""
    upper = superscripted(GREEK.get(node.upper, node.upper)) if node.upper else ""
    head = word("Σ") if node.head == tree.Symbol("sum") else _base(node.head, writing)
    return beside(head, word(lower + upper))


@box_of.register
def _(node: tree.Transposed, writing: Writing) -> Box:
    return _scripted(node.of, "ᵀ", writing)


@box_of.register
def _(node: tree.Inverse, writing: Writing) -> Box:
    return _scripted(node.of, "⁻¹", writing)


@box_of.register
def _(node: tree.Exponential, writing: Writing) -> Box:
    return raised(word("e"), term_box(node.exponent, writing))


@box_of.register
def _(node: tree.Bracketed, writing: Writing) -> Box:
    return fenced(term_box(node.of, writing), "[", "]")


@box_of.register
def _(node: tree.PartialDerivative, writing: Writing) -> Box:
    by = _round_d(node.by, writing)
    if binding(node.of) >= Binding.SCRIPTED:
        return fraction(_round_d(node.of, writing), by)
    return beside(word("∂/"), by, word(" "), fenced(term_box(node.of, writing), "(", ")"))


@box_of.register
def _(node: tree.TimeDerivative, writing: Writing) -> Box:
    return beside(word("d/dt "), fenced(term_box(node.of, writing), "(", ")"))


@box_of.register
def _(node: tree.Labelled, writing: Writing) -> Box:
    return braced(term_box(node.of, writing), node.label)


@box_of.register
def _(node: tree.Equation, writing: Writing) -> Box:
    relation = word(f" {RELATIONS.get(node.relation, node.relation)} ")
    boxes = [box for side in node.sides for box in (relation, term_box(side, writing))]
    return beside(*boxes[1:])
