"""A letter for another: a dot, an index, a sine for a cosine, a mass for another mass."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations

from leverarm.notation import tree
from leverarm.notation.tree import Name, Node
from leverarm.verify.equations.algebra import every, pattern
from leverarm.verify.equations.dimensions import Dimension, Units, dimension_of
from leverarm.verify.equations.mending.edits import IN_ANGLE, SWAPPED, Edit, angle_nodes
from leverarm.verify.equations.mending.spelling import Key, Spelled, Spelling, key_of
from leverarm.verify.equations.mending.splicing import Splice, with_argument

ONE_MARK, FUNCTION, OTHER_LETTER, OTHER_DIMENSION = 1.0, 1.0, 1.7, 0.6
EVERYWHERE, UNWRITTEN, ANGLE = 0.45, 0.2, 1.2
"""What it costs to change a letter, and what is added where it is changed at all its places, or for one that the
document has nowhere else."""

DERIVATIVES, IN_DERIVATIVE = (tree.PartialDerivative, tree.TimeDerivative, tree.Total), 1.25
"""Where exact values are needed to try a change, only the likeliest are."""


@dataclass(frozen=True, slots=True)
class _Kind:
    what: str
    how: str
    cost: float


def name_edits(root: Node, spelling: Spelling, units: Units) -> Iterator[Edit]:
    """One letter for another, at one place."""
    kinds = _Kinds(units)
    derived = {id(part) for node in tree.walk(root) if isinstance(node, DERIVATIVES) for part in tree.walk(node)}
    inside = angle_nodes(root)
    for name, old in _letters(root, spelling):
        for new in spelling.all:
            if id(name) in inside and not _is_angle(new, spelling):
                continue
            kind = kinds.of(old, new)
            if kind is None or not _is_natural(old, new, kind, spelling):
                continue
            if id(name) not in derived or kind.cost <= IN_DERIVATIVE:
                splice = Splice(*name.span, new.text)
                changed = replace(new.name, span=name.span)
                yield Edit(((name, changed),), (splice,), kind.what, kind.how, kind.cost)


def name_edits_everywhere(root: Node, spelling: Spelling, units: Units) -> Iterator[Edit]:
    """One letter for another at all its places; two letters exchanged."""
    kinds = _Kinds(units)
    places: dict[Key, list[tuple[Name, Spelled]]] = {}
    for name, old in _letters(root, spelling):
        places.setdefault(key_of(name), []).append((name, old))
    for found in places.values():
        for new in spelling.all if len(found) > 1 else ():
            if kind := kinds.of(found[0][1], new):
                changes = tuple((name, replace(new.name, span=name.span)) for name, _ in found)
                splices = tuple(Splice(*name.span, new.text) for name, _ in found)
                yield Edit(changes, splices, kind.what, f"{kind.how}, in {len(found)} places", kind.cost + EVERYWHERE)
    for first, second in combinations(places.values(), 2):
        kind = kinds.of(first[0][1], second[0][1])
        if kind is not None and kind.what == "an index":
            pairs = [(name, second[0][1]) for name, _ in first] + [(name, first[0][1]) for name, _ in second]
            changes = tuple((name, replace(new.name, span=name.span)) for name, new in pairs)
            splices = tuple(Splice(*name.span, new.text) for name, new in pairs)
            yield Edit(changes, splices, "swapped", "the two are swapped", SWAPPED + EVERYWHERE)


def function_edits(root: Node, spelling: Spelling) -> Iterator[Edit]:
    """Sine for cosine, and other angles: one more, one instead, a double angle."""
    for node in every(tree.Call, root):
        if node.function in ("sin", "cos"):
            other = "cos" if node.function == "sin" else "sin"
            at = spelling.text.find(node.function, *node.span)
            if at >= 0:
                splice = Splice(at, at + 3, other)
                how = "should be a cosine" if other == "cos" else "should be a sine"
                yield Edit(((node, replace(node, function=other)),), (splice,), "sine for cosine", how, FUNCTION)
            yield from _angle_edits(node, spelling)


def _angle_edits(node: tree.Call, spelling: Spelling) -> Iterator[Edit]:
    angles = [s for name in spelling.coordinates if (s := spelling.of_letter(name)) is not None]
    argument = node.argument
    if isinstance(argument, Name):
        double = tree.Product((tree.Number(Fraction(2), span=argument.span), argument), span=argument.span)
        between = "" if spelling.is_latex else spelling.between_factors
        splices = with_argument(node, f"2{between}{spelling.source(argument)}", spelling)
        yield Edit(((argument, double),), splices, "an angle", "should be the double angle", ANGLE)
    if (
        isinstance(argument, tree.Product)
        and isinstance(argument.factors[0], tree.Number)
        and len(argument.factors) == 2
    ):
        single = argument.factors[1]
        splices = with_argument(node, spelling.source(single), spelling)
        yield Edit(((argument, single),), splices, "an angle", "should be the single angle", ANGLE)
    for angle in angles:
        if isinstance(argument, Name) and key_of(argument) == key_of(angle.name):
            continue
        added = replace(angle.name, span=argument.span)
        terms = argument.terms if isinstance(argument, tree.Sum) else (argument,)
        written = spelling.source(argument)
        new, text = tree.Sum((*terms, added), span=argument.span), f"{written} + {angle.text}"
        if isinstance(terms[0], Name) and (terms[0].lower, terms[0].letter) > (angle.name.lower, angle.name.letter):
            new, text = tree.Sum((added, *terms), span=argument.span), f"{angle.text} + {written}"
        splices = with_argument(node, text, spelling)
        yield Edit(((argument, new),), splices, "an angle", "an angle is missing", ANGLE)
    for count in range(1, len(angles) + 1):
        for chosen in combinations(angles, count):
            names = tuple(replace(angle.name, span=argument.span) for angle in chosen)
            sum_of = names[0] if count == 1 else tree.Sum(names, span=argument.span)
            splices = with_argument(node, " + ".join(angle.text for angle in chosen), spelling)
            yield Edit(((argument, sum_of),), splices, "an angle", "wrong angle", ANGLE + IN_ANGLE)


def _letters(root: Node, spelling: Spelling) -> list[tuple[Name, Spelled]]:
    """The names of the formula that are scalars. A sum's index is left alone."""
    fixed = {id(name) for total in every(tree.Total, root) for name in total.index}
    for called in every(tree.Of, root):
        fixed |= {id(part) for part in tree.walk(called.head) if not spelling.is_product(called)}
    return [
        (name, Spelled(name, spelling.source(name), value, is_written=True))
        for name in every(Name, root)
        if id(name) not in fixed and (value := spelling.value(name)) is not None
    ]


def _is_natural(old: Spelled, new: Spelled, kind: _Kind, spelling: Spelling) -> bool:
    """Whether somebody would write the new letter here: the usual name of what it is, q_k with its own index."""
    if old.has_open_index or new.has_open_index:
        return kind.what == "a dot" and old.has_open_index and new.has_open_index
    usual = spelling.of_letter(new.letter) if new.letter is not None else None
    return usual is None or usual.name == new.name or new.name.letter == old.name.letter


def _is_angle(new: Spelled, spelling: Spelling) -> bool:
    return new.letter in spelling.coordinates


class _Kinds:
    """Kinds of mistakes, each pair of letters looked at once."""

    def __init__(self, units: Units) -> None:
        self._units = units
        self._known: dict[tuple[Key, Key], _Kind | None] = {}
        self._dimensions: dict[Key, Dimension | None] = {}

    def of(self, old: Spelled, new: Spelled) -> _Kind | None:
        """What kind of mistake it is to write one letter for the other; None where both say the same."""
        pair = (key_of(old.name), key_of(new.name))
        if pair not in self._known:
            strange = self._dimension(old) != self._dimension(new)
            self._known[pair] = _kind(old, new, OTHER_DIMENSION if strange else 0.0)
        return self._known[pair]

    def _dimension(self, spelled: Spelled) -> Dimension | None:
        key = key_of(spelled.name)
        if key not in self._dimensions:
            self._dimensions[key] = dimension_of(spelled.value, self._units)
        return self._dimensions[key]


def _kind(old: Spelled, new: Spelled, strange: float) -> _Kind | None:
    if new.value is old.value or key_of(new.name) == key_of(old.name):
        return None
    rare = 0.0 if new.is_written else UNWRITTEN
    a, b = old.letter, new.letter
    if a is not None and b is not None and a != b and a.split(".")[0] == b.split(".")[0]:
        more = b.count("d", b.find(".")) if "." in b else 0
        less = a.count("d", a.find(".")) if "." in a else 0
        dots = {1: "a dot is missing", 2: "two dots are missing", -1: "an extra dot", -2: "two extra dots"}
        return _Kind("a dot", dots[more - less], ONE_MARK + 0.3 * (abs(more - less) - 1))
    if a is not None and a == b:
        return None
    if old.is_trig and new.is_trig:
        if old.name.lower == new.name.lower:
            how = "should be a cosine" if new.name.letter in "cC" else "should be a sine"
            return _Kind("sine for cosine", how, FUNCTION)
        if old.name.letter == new.name.letter:
            return _Kind("an index", "wrong index", ONE_MARK)
        return None
    first, second = old.name, new.name
    if (first.letter, first.dots, first.style, first.upper) == (second.letter, second.dots, second.style, second.upper):
        other_kind = 0.1 * (pattern(first.lower) != pattern(second.lower))
        return _Kind("an index", "wrong index", ONE_MARK + other_kind + rare)
    return _Kind("a letter", "wrong letter", OTHER_LETTER + strange + rare)
