"""A document about an arm: its equations, what the user maps, and the names that it defines for itself.

Definitions are h = -m_2 a_1 a_2 sin(theta_2), I_eq = ..., p_1 = m_1 l_c1^2 + I_1.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import accumulate, islice, pairwise
from itertools import count as count_from

from leverarm.closed_form import Equations
from leverarm.errors import InputError, LeverarmError, unknown_name
from leverarm.notation.reading import Found, Statement, read
from leverarm.notation.reading import Mapping as Mapped
from leverarm.notation.reading.keywords import GREEK
from leverarm.notation.reading.measures import quantity
from leverarm.notation.tree import (
    Call,
    Matrix,
    Name,
    Negative,
    Node,
    Number,
    Of,
    PartialDerivative,
    Power,
    Product,
    Ratio,
    Sum,
    Transposed,
    mapped,
    parts,
)
from leverarm.scalars.exact import partial
from leverarm.verify.equations.algebra import (
    Meaning,
    Value,
    equal,
    every,
    fits,
    is_table,
    number_of,
    plain,
    shape_of,
    spelled,
)
from leverarm.verify.equations.arm_names import (
    TURNING,
    VECTORS,
    coordinate_meanings,
    name_of,
    state_letter,
    symbol_meanings,
    symbol_value,
    uses_of,
)
from leverarm.verify.equations.arm_values import ArmValues
from leverarm.verify.equations.dimensions import NUMBER, dimension_of, units_of
from leverarm.verify.equations.evaluation import under_root, value_of
from leverarm.verify.equations.force_quantities import PLAIN
from leverarm.verify.equations.indices import depth_of, is_index_note, is_running, letters_of
from leverarm.verify.equations.scope import SPEEDS, Scope
from leverarm.verify.equations.verdict import WrittenError

PARAMETERS = ("Theta", "theta", "phi", "varphi", "pi", "Pi", "p", "P", "a", "alpha", "beta", "x", "X", "chi")
"""Letters for the parameters that an equation is linear in."""
REGRESSORS = ("W", "Y", "Phi")
"""Letters for what the parameters are multiplied by there."""


_UNIT_BEHIND = re.compile(r"\s*\$\s*(?:\\[,;:!]\s*)?((?:[A-Za-z\u00b0/^$\d\u00b2\u00b3\\{}*\u00b7-]+[ ~]?){1,5})")
STATE_LETTERS = ("x", "X", "z", "y", "s", "xi")
RATE_LETTERS = ("w", "omega", "Omega", "u", "nu")
ANGLES = (*TURNING, *VECTORS)
INPUTS = ("Bu", "Btau", "Stau")
"""The inputs of an arm with a motor at some joints."""


def pieces_of(text: str) -> tuple[Found, ...]:
    """What is found in a text. A unit behind a formula is that of its number; delta theta and theta~ are one name."""
    pieces = read(text)
    marked = {name for piece in pieces if (name := _marked_anew(piece)) is not None}
    return tuple(_with_unit(_with_inputs(_with_deviations(piece, marked)), text) for piece in pieces)


def _with_inputs(piece: Found) -> Found:
    """M qdd + C qd + g = B u, where u are the inputs of some joints, as an equation for all of them."""
    match piece:
        case Statement(sides=(left, (Product(factors=(_, Name())) | Name()) as right)):
            word = "".join(name.letter for name in map(name_of, parts(right) or (right,)) if name and not name.lower)
            is_moving = any(name.dots == 2 and name.letter in VECTORS and not name.lower for name in every(Name, left))
            return replace(piece, sides=(left, Name("u", span=right.span))) if word in INPUTS and is_moving else piece
    return piece


def _marked_anew(piece: Found) -> tuple[str, str, str] | None:
    """A letter with a hat or bar that a line defines by the letter without it, J^ = J + m r^2: another name."""
    match piece:
        case Statement(sides=(Name(dots=0) as name, formula, *_)) if name.style in ("hat", "bar"):
            bare = replace(name, style="")
            if any(spelled(each) == spelled(bare) and not each.style for each in every(Name, formula)):
                return name.letter, name.lower, name.style
    return None


def _with_unit(piece: Found, text: str) -> Found:
    """$l_1 = 25$ cm is a quarter of a metre."""
    match piece:
        case Statement(sides=(*sides, Number(unit=None, span=(start, end)))) if (
            sides and end == piece.span[1] and (found := _UNIT_BEHIND.match(text, end)) is not None
        ):
            words = found[1].replace("$", "").split()
            for count in range(len(words), 0, -1):
                token = quantity(text[start:end], " ".join(words[:count]).rstrip(".,"), start, end)
                if token is not None and token.value is not None:
                    return replace(piece, sides=(*sides, token.value))
    return piece


def _with_deviations(piece: Found, marked: Collection[tuple[str, str, str]]) -> Found:
    match piece:
        case Statement(sides=sides):
            return replace(
                piece, sides=tuple(mapped(side, lambda node: _with_deviation(node, marked)) for side in sides)
            )
    return piece


def _with_deviation(node: Node, marked: Collection[tuple[str, str, str]]) -> Node:
    """delta theta_1, theta_1 with a tilde, and letters with marks that the text defines, as names of their own."""
    match node:
        case Name(letter=letter, lower=lower, style=style) if style == "tilde" or (letter, lower, style) in marked:
            return replace(node, letter=f"{style}{letter}", style="")
        case Product(factors=factors):
            for place, pair in enumerate(pairwise(factors)):
                match pair:
                    case (Name("delta" | "Delta" as mark, lower="", dots=0), Name() as name) if name.letter in ANGLES:
                        whole = replace(name, letter=f"{mark}{name.letter}", span=(pair[0].span[0], name.span[1]))
                        rest = (*factors[:place], whole, *factors[place + 2 :])
                        return _with_deviation(replace(node, factors=rest), marked) if len(rest) > 1 else whole
    return node


def _without_root(statement: Statement, scope: Scope) -> Statement:
    """v = sqrt(v_x^2 + v_y^2) as v^2 = v_x^2 + v_y^2, where v is a quantity of the arm."""
    match statement.sides:
        case (Name() as name, root) if (inner := under_root(root, scope)) and not is_definition(statement, scope):
            return (
                replace(statement, sides=(Power(name, 2, span=name.span), inner)) if scope.meanings(name) else statement
            )
    return statement


_RUN_TOGETHER = re.compile(r"(?P<letters>[A-Za-z]+?)(?P<function>sin|cos|tan)?(?P<index>c?\d*)")


def with_words_apart(statement: Statement, scope: Scope) -> Statement:
    """The equation with words that mean nothing as products of the arm's letters: mgl, m_1 gL_1, ml^2, mlcos(theta)."""

    def change(node: Node) -> Node:
        match node:
            case Name():
                named = _derivative_named(node, scope) or _right_side(node, scope)
                return named or _product(_factors(node, "", scope), node)
            case Power(base=Product(factors=(*rest, last)) as base) if _is_one_word(base, scope):
                power = replace(node, base=last, span=(last.span[0], node.span[1]))
                return replace(base, factors=(*rest, power), span=node.span)
            case Of(head=Name() as word, arguments=(argument,)) if found := _factors(word, "function", scope):
                return _product([*found[:-1], _call(found[-1], argument)], node)
            case Product(factors=factors):
                return replace(node, factors=tuple(_with_calls(factors, scope)))
        return node

    return replace(statement, sides=tuple(mapped(side, change) for side in statement.sides))


_DERIVATIVE = re.compile(r"d(?P<of>[LKTPUV])_?d(?P<by>[A-Za-z]{1,5}?)_?(?P<k>\d?)(?P<dot>_?(?:d|dot|p)?)(?P<last>\d?)")


def _derivative_named(name: Name, scope: Scope) -> Node | None:
    """dL_dthd, dLdq1dot and dK_dqd2 of programs as partial derivatives; None of any other name."""
    found = _DERIVATIVE.fullmatch(f"{name.letter}{name.lower}")
    if found is None or name.dots > 1 or any(each.kind != "definition" for each in scope.meanings(name)):
        return None
    values, k = scope.values, found["k"] or found["last"]
    words = [plain(values.printed(i)) for i in range(values.n)]
    own = [word for word in words if re.fullmatch(rf"{found['by']}[a-z]*{k}", word)]
    own = own or [word for i, word in enumerate(words, 1) if found["by"] == "q" and k == str(i)]
    if len(own) != 1:
        return None
    by = replace(_named(own[0]), dots=1 if found["dot"] or name.dots else 0, span=name.span)
    return PartialDerivative(Name(found["of"], span=name.span), by, span=name.span)


_SOLVED = re.compile(
    r"\bM\w*(?:\([^()\n]*\))?[ ]?[*@]?[ ]?(?:qdd|ddq|q_?ddot|acc)\w*\s*==?\s*(?P<stated>[A-Za-z]+)\b(?![(.]|\s*[-+*@])"
    r"|\bsolve\(\s*(?:M\w*(?:\([^()\n]*\))?|\[\[\s*M[^()\n]{0,200}?\]\])\s*,\s*(?:\[(?P<listed>[\w\s,]+)\]|(?P<solved>[A-Za-z]\w*))\s*\)"
    r"|\bM\w*(?:\([^()\n]*\))?\s*\\\s*(?:\[(?P<column>[\w\s;]+)\]|(?P<divided>[A-Za-z]\w*))"
)
"""Where a program says what M qdd is: M*qdd = rhs in a comment, solve(M, b), or M\\[b1; b2]."""


def _right_side(name: Name, scope: Scope) -> Node | None:
    """The name of what M qdd is in a program, or of an entry, rhs1, as M_11 qdd_1 + ...; None of any other name."""
    n, k = scope.values.n, scope.once("right sides", lambda: _right_sides(scope)).get(spelled(name))
    is_other = any(not each.is_loose and each.kind != "definition" for each in scope.meanings(name))
    if k is None or name.dots or is_other:
        return None
    if not k:
        return Product((Name("M", span=name.span), Name("q", dots=2, span=name.span)), span=name.span)
    terms = [(Name("M", f"{k}{j}", span=name.span), Name("q", str(j), dots=2, span=name.span)) for j in range(1, n + 1)]
    products = tuple(Product(pair, span=name.span) for pair in terms)
    return Sum(products, span=name.span) if n > 1 else products[0]


def _right_sides(scope: Scope) -> dict[str, int]:
    found: dict[str, int] = {}
    for match in _SOLVED.finditer(scope.text):
        word = match["stated"] or match["solved"] or match["divided"]
        entries = [] if word else re.findall(r"[A-Za-z]\w*", match["listed"] or match["column"])
        names = [word, *(f"{word}{k}" for k in range(1, scope.values.n + 1))] if word else ["", *entries]
        found |= {plain(each): k for k, each in enumerate(names)} if len(names) == scope.values.n + 1 else {}
    return found


def _with_calls(factors: Sequence[Node], scope: Scope) -> Iterator[Node]:
    rest = iter(factors)
    for factor in rest:
        match factor:
            case Name() if found := _factors(factor, "function", scope):
                yield from found[:-1]
                yield _call(found[-1], next(rest)) if factor is not factors[-1] else found[-1]
            case Product(factors=inner) if _is_one_word(factor, scope):
                yield from inner
            case _:
                yield factor


def _call(function: Name, argument: Node) -> Call:
    return Call(function.letter, argument, span=(function.span[0], argument.span[1]))


def _product(factors: Sequence[Node], node: Node) -> Node:
    return Product(tuple(factors), span=node.span) if factors else node


def _is_one_word(node: Node, scope: Scope) -> bool:
    start, end = node.span
    return scope.text[start:end].isalnum() and scope.text[end : end + 1] != ")"


def _factors(name: Name, ends_with: str, scope: Scope) -> list[Name]:
    """The letters of the arm that a word consists of, where they can be told in one way only, and a function behind."""
    word = _RUN_TOGETHER.fullmatch(f"{name.letter}{name.lower}")
    is_word = len(name.letter) > 1 and name.letter not in GREEK and not name.style and not name.upper
    start, end = name.span
    if word is None or not is_word or bool(word["function"]) != bool(ends_with):
        return []
    if scope.meanings(name) or scope.text[start : start + len(name.letter)] != name.letter:
        return []
    own = {*scope.values.symbols, *(plain(scope.values.printed(i)) for i in range(scope.values.n))}
    stem = word["letters"] if word["function"] else spelled(name)
    for known in (own.__contains__, lambda each: each in own or any(symbol_meanings(_named(each), scope.values))):
        if ways := [*_splits(stem, known)]:
            ends = [*accumulate(map(len, ways[0]), initial=start)]
            names = [replace(_named(each), span=span) for each, span in zip(ways[0], pairwise(ends), strict=True)]
            behind = [Name(word["function"], span=(ends[-1], end))] if word["function"] else []
            last = names[-1] if behind else replace(names[-1], dots=name.dots, span=(names[-1].span[0], end))
            return [*names[:-1], last, *behind] if len(ways) == 1 and len(names) + len(behind) > 1 else []
    return []


def _splits(word: str, known: Callable[[str], bool]) -> Iterator[tuple[str, ...]]:
    """The ways to take a word apart into known ones."""
    for k in range(1, len(word) + 1):
        if known(word[:k]):
            yield from ((word[:k], *rest) for rest in _splits(word[k:], known))
    if not word:
        yield ()


def _named(word: str) -> Name:
    letter = word.rstrip("0123456789")
    return Name(letter, word[len(letter) :])


def defined_name(statement: Statement) -> Name | None:
    """The name that an equation could define: its left side, where that is a name and nothing else."""
    match statement.sides:
        case (_,) | (Name(), Name(), *_, Number()):  # q_1 = q_2 = 0 is a state
            return None
    name = None if is_index_note(statement) else name_of(statement.sides[0])
    return name if name is not None and not name.dots else None


def with_definitions(scope: Scope, statements: Sequence[Statement]) -> Scope:
    """The scope with the names that the document defines.

    First come those that mean nothing else, then coordinates, then names that could mean something. An index that the
    arm lacks makes no new name, unless the document gives all names of that letter meanings of its own.
    """
    rest: list[tuple[Name, Node]] = []
    for name, formula in _candidates(statements, scope):
        if _mentions(formula, name) or is_running(name.lower):
            continue
        if scope.meanings(name) or scope.lacking(name):
            rest.append((name, formula))
        else:
            scope = scope.defining_also(name, formula)
    for statement in statements:
        for name, formula in (*_new_coordinate(statement, scope), *_new_state(statement, statements, scope)):
            scope = replace(scope, coordinates=scope.coordinates | {spelled(name)}).defining_also(name, formula)
    for name, formula in _deviations(statements, scope):
        scope = replace(scope, coordinates=scope.coordinates | {spelled(name)}).defining_also(name, formula)
    rest.sort(key=lambda each: (scope.lacking(each[0]) is not None, not _are_parameters(*each)))
    for name, formula in rest:
        if scope.lacking(name) is None and (not scope.meanings(name) or _is_own(name, formula, scope)):
            scope = scope.defining_also(name, formula)
    lists = dict(_lists(scope.definitions))
    return replace(scope, definitions={**lists, **scope.definitions}, cache={}) if lists else scope


def _new_coordinate(statement: Statement, scope: Scope) -> Iterator[tuple[Name, Node]]:
    """The coordinate that a line defines: phi_2 = q_1 + q_2, or q_1 = pi/2 - alpha, with the formula for it.

    One side is a name, the other a sum of multiples of coordinates and of constants.
    """
    match statement.sides:
        case (Name(dots=0) as left, formula) if _is_of_sums(formula):
            names = [name for name in every(Name, formula) if name.letter != "pi"]
        case _:
            return
    new = list({spelled(name): name for name in names if _may_be_new(name, scope)}.values())
    if any(name.dots for name in names) or not all(_is_coordinate(name, scope) or name in new for name in names):
        return
    if _may_be_new(left, scope) and all(_is_coordinate(name, scope) for name in names):
        if _is_affine(formula, scope):
            yield left, formula
    elif _is_coordinate(left, scope) and len(new) == 1 and not _is_defined(left, scope):
        free = replace(scope, free=frozenset([spelled(new[0])]))
        if _is_affine(formula, free) and (times := number_of(partial(value_of(formula, free), spelled(new[0])))):
            at_zero = mapped(formula, lambda part: Number(Fraction(0), span=part.span) if part == new[0] else part)
            off = Sum((left, Negative(at_zero, span=at_zero.span)), span=statement.span)
            yield new[0], Product((Number(1 / times, span=left.span), off), span=statement.span)


def _new_state(statement: Statement, statements: Sequence[Statement], scope: Scope) -> Iterator[tuple[Name, Node]]:
    """The name of a state that a line defines, x_2 = thetad: a number of a letter that has positions and speeds.

    Or all of them, x = (theta_1, theta_2, thetad_1, thetad_2); or one of names for all speeds, w_1 = thetad_1,
    w_2 = thetad_2, which other lines use.
    """
    yield from _state_listed(statement, scope)
    named = _names_state(statement)
    if named is None:
        return
    left, right = named
    pairs = [pair for line in statements if (pair := _names_state(line)) and pair[0].letter == left.letter]
    states = [each for _, each in pairs if _is_coordinate(replace(each, dots=0), scope)]
    depths = {each.dots for each in states}
    values = [each.find() for each in scope.meanings(left)]
    if right not in states or any(equal(value, scope.value(right)) for value in values):
        return
    if left.letter in STATE_LETTERS and depths == {0, 1}:
        yield left, right
    elif left.letter in RATE_LETTERS and depths == {1} and len(states) == scope.values.n:
        uses = sum(spelled(left) in {spelled(name) for name in every(Name, *line.sides)} for line in statements)
        if uses > 1 and equal(scope.value(right), scope.values.exact.qd[int(left.lower) - 1]):
            yield left, right


_DEVIATION = re.compile(r"(?i)\b(?:deviation|perturbation|displacement|excursion)s?\b")
_DEVIATION_OF = re.compile(
    r"\$?(?P<name>\\?\w+)\$? (?:of|in|from) (?:the )?\$?(?P<of>\\?[A-Za-z]+_?\{?\d?\}?)(?![\w}])"
)
_NEAR = 160
"""Characters behind the word deviation in which its names stand."""


def _deviations(statements: Sequence[Statement], scope: Scope) -> Iterator[tuple[Name, Node]]:
    """The deviations that a text names in words: "deviations x_1 of theta_1", or delta theta_1 without a definition."""
    said = _DEVIATION.search(scope.text)
    if said is None:
        return
    pairs = [
        tuple(replace(side, span=match.span()) for side in line.sides)
        for match in _DEVIATION_OF.finditer(scope.text, said.end(), said.end() + _NEAR)
        for line in _statements(read(f"${match['name']} = {match['of']}$"))
    ]
    for name in every(Name, *(side for line in statements for side in line.sides)):
        mark = next((mark for mark in ("delta", "Delta", "tilde") if name.letter.startswith(mark)), name.letter)
        still = replace(name, dots=0)
        pairs.append((still, replace(still, letter=name.letter.removeprefix(mark))))
    for pair in pairs:
        match pair:
            case (Name(dots=0) as name, Name(dots=0) as of) if of.letter and _is_coordinate(of, scope):
                lines = [
                    line.sides for line in statements if spelled(of) in map(spelled, every(Name, *line.sides[:-1]))
                ]
                middles = (
                    at for *_, at in lines if _is_of_sums(at) and {pi.letter for pi in every(Name, at)} <= {"pi"}
                )
                off = [Negative(middle, span=middle.span) for middle in islice(middles, 1)]
                if not _is_defined(name, scope) and not _is_coordinate(name, scope):
                    yield name, Sum((of, *off), span=of.span) if off else of


def _state_listed(line: Statement, scope: Scope) -> Iterator[tuple[Name, Node]]:
    """The numbered names of a list of coordinates and speeds: x_1, x_2, ... of x = (theta, thetad)."""
    match line.sides:
        case (Name(letter=letter, lower="", dots=0) as left, *_, Matrix() | Transposed(of=Matrix()) as listed):
            names = [*every(Name, listed)]
            is_state = {each.dots for each in names} == {0, 1} and letter in STATE_LETTERS
            if is_state and all(_is_coordinate(replace(each, dots=0), scope) for each in names):
                yield from ((replace(left, lower=str(k)), name) for k, name in enumerate(names, 1))


def _names_state(line: Statement) -> tuple[Name, Name] | None:
    """A letter with a number, and the name that a line sets it equal to."""
    match line.sides:
        case (Name(dots=0) as left, *_, Name() as right) if left.lower.isdigit():
            return (left, right) if left.letter in (*STATE_LETTERS, *RATE_LETTERS) else None
    return None


def _is_of_sums(node: Node) -> bool:
    """Whether a formula is made of names and numbers by sums, products and ratios."""
    match node:
        case Name() | Number():
            return True
        case Negative() | Sum() | Product() | Ratio():
            return all(map(_is_of_sums, parts(node)))
    return False


def _may_be_new(name: Name, scope: Scope) -> bool:
    """Whether a name can become a coordinate of the document: it means nothing for sure."""
    if name.dots or _is_defined(name, scope) or scope.lacking(name) is not None:
        return False
    return all(each.is_loose for each in scope.meanings(name))


def _is_defined(name: Name, scope: Scope) -> bool:
    return spelled(name) in scope.definitions or spelled(name) in scope.given


def _is_coordinate(name: Name, scope: Scope) -> bool:
    """Whether a name stands for a coordinate, of the arm or of the document."""
    if spelled(name) in scope.definitions:
        return _is_affine(scope.definitions[spelled(name)], scope)
    return any(each.kind == "coordinate" for each in scope.meanings(name))


def _is_affine(formula: Node, scope: Scope) -> bool:
    """Whether a formula is a sum of coordinates, or free letters, times numbers, and of constants."""
    try:
        value, letters = value_of(formula, scope), {*scope.values.exact.coordinates, *scope.free}
    except WrittenError:
        return False
    used = letters_of(value)
    return bool(used) and used <= letters and all(letters_of(partial(value, name)) == set() for name in used)


def _candidates(statements: Sequence[Statement], scope: Scope) -> Iterator[tuple[Name, Node]]:
    """The names that equations could define, with their formulas: h = ..., and d_11 = ... =: h."""
    for statement in statements:
        name = defined_name(statement)
        if name is not None and _is_called(statement, scope):
            yield name, statement.sides[1]
        match statement.sides:
            case (*_, formula, Name(dots=0) as last) if _names_the_last(statement, scope):
                yield last, formula


def _names_the_last(statement: Statement, scope: Scope) -> bool:
    """Whether an equation gives a name to its formula at the end: a = ... = h, or ... =: h."""
    if len(statement.sides) < 3 or is_index_note(statement):
        between = scope.text[statement.sides[-2].span[1] : statement.sides[-1].span[0]] if statement.sides[1:] else ""
        return "=:" in between or "eqqcolon" in between
    return True


def _lists(found: Mapping[str, Node]) -> Iterator[tuple[str, Node]]:
    """Letters for all the numbered parameters a document defines, Theta for Theta_1, Theta_2, and Y for its entries."""
    for letter in PARAMETERS:
        count = next(k for k in count_from(1) if f"{letter}{k}" not in found) - 1
        if count > 1 and letter not in found:
            spans = [found[f"{letter}{k}"].span for k in range(1, count + 1)]
            names = [Name(letter, str(k), span=span) for k, span in enumerate(spans, 1)]
            yield letter, Matrix(tuple((name,) for name in names), span=(spans[0][0], spans[-1][1]))
    for letter in REGRESSORS:
        places = sorted(word.removeprefix(letter) for word in found if re.fullmatch(rf"{letter}[1-9]{{2}}", word))
        rows = [[each for each in places if each[0] == row] for row in dict.fromkeys(each[0] for each in places)]
        whole = tuple(tuple(Name(letter, each, span=found[letter + each].span) for each in row) for row in rows)
        if whole and letter not in found and len({len(row) for row in whole}) == 1:
            yield letter, Matrix(whole, span=whole[0][0].span)


def name_given(statement: Statement, scope: Scope) -> Name | None:
    """The name that an equation defines; None of one that defines none."""
    name = defined_name(statement)
    if name is not None and scope.definitions.get(spelled(name)) is statement.sides[1]:
        return name
    solved = [word for word, formula in scope.definitions.items() if formula.span == statement.span]
    return next((name for name in every(Name, statement) if spelled(name) in solved), None)


def is_definition(statement: Statement, scope: Scope) -> bool:
    """Whether an equation defines a name."""
    return name_given(statement, scope) is not None


def _is_called(statement: Statement, scope: Scope) -> bool:
    """Whether the left side is a name, or a name before its arguments, and no product with a parenthesis."""
    match statement.sides[0]:
        case Of(head=head):
            return scope.uses.get(head.span, "part") != "part"
    return True


def _is_own(name: Name, formula: Node, scope: Scope) -> bool:
    """Whether a name that could mean something is given a meaning of its own.

    It is where a number is written and what it could mean are matrices, or where only loose readings fit: a letter that
    was guessed to be one of the arm's, or a quantity, and what is written depends on less than it does: on constants
    only, or on positions. A matrix that fits is what it could mean.
    """
    try:
        value = value_of(formula, scope)
    except WrittenError:
        return False
    fitting = []
    for meaning in scope.meanings(name):
        try:
            meant = meaning.find()
        except WrittenError:
            continue
        if equal(meant, value):
            return False
        if fits(meant, value):
            fitting.append((meaning, meant))
    if not fitting:
        is_loose = all(meaning.is_loose for meaning in scope.meanings(name))
        is_free = is_loose or _are_parameters(name, formula) or not is_table(value)
        return is_free and formula not in [*every(Number, formula)]
    if shape_of(value)[1] > 1:
        return False
    coordinates = scope.values.exact.coordinates
    depth = depth_of(value, coordinates)
    if _is_sum_of_masses(name, formula) or (depth < SPEEDS and _is_of_part(name, scope)):
        return True
    if any(meaning.kind == "symbol" and letters_of(meant) < letters_of(value) for meaning, meant in fitting):
        return True  # J_3 = I_3 + m_3 l_c3^2 is not I_3
    if depth == 0 and _are_parameters(name, formula) and any(word[0] in REGRESSORS for word in scope.definitions):
        return True
    if depth == 0 and _couples(name, scope):
        return all(depth_of(meant, coordinates) for _, meant in fitting)
    return all(
        meaning.is_loose
        and (
            _is_guessed_letter(meaning, meant, value, scope)
            or (depth < depth_of(meant, coordinates) and meaning.kind != "coordinate")
            or _is_of_another_kind(name, meant, value, scope)
        )
        for meaning, meant in fitting
    )


def _is_sum_of_masses(name: Name, formula: Node) -> bool:
    """m_34 = m_3 + m_4, which is no entry of a matrix."""
    match formula:
        case Sum(terms=terms):
            masses = [each.lower for each in every(Name, *terms) if each in terms and each.letter == name.letter == "m"]
            return len({*masses}) == len(terms) and "".join(masses) == name.lower
    return False


def _is_of_part(name: Name, scope: Scope) -> bool:
    """Whether dM_22 is what a part adds to M_22, as the text says, and no time derivative."""
    is_marked = name.letter[0] == "d" and len(name.letter) > 1 and not any(coordinate_meanings(name, scope.values))
    return is_marked and re.search(r"(?i)\b(terms?|changes?|parts?|adds)\b", scope.text) is not None


def _couples(name: Name, scope: Scope) -> bool:
    """Whether a letter with two numbers is a constant of the text, B_12, and no matrix: others use it, and no B_11."""
    others = [{spelled(each): each for each in every(Name, *line.sides)} for line in scope.statements]
    alike = [each.lower for names in others for each in names.values() if each.letter == name.letter]
    is_pair = len(name.lower) == 2 and name.lower.isdigit() and name.letter not in PLAIN
    is_matrix = any(len(lower) != 2 or lower[0] == lower[1] for lower in alike)
    return is_pair and not is_matrix and sum(spelled(name) in names for names in others) > 1


def _are_parameters(name: Name, formula: Node) -> bool:
    """Whether a list of formulas is given to a letter of parameters, which may mean something else in other texts."""
    match formula:
        case Matrix() | Transposed(of=Matrix()):
            return name.letter in PARAMETERS and not name.lower
    return False


def _is_guessed_letter(meaning: Meaning, meant: Value, value: Value, scope: Scope) -> bool:
    """Whether a name was only guessed to be a letter of the arm: it is given something else than what that letter is.

    A number, or a length for a length, sets the letter.
    """
    if meaning.kind == "coordinate":
        return bool(letters_of(value))
    units = units_of(scope.arm)
    return meaning.kind == "symbol" and dimension_of(value, units) not in (None, NUMBER, dimension_of(meant, units))


def _is_of_another_kind(name: Name, meant: Value, value: Value, scope: Scope) -> bool:
    """Whether a vector's letter names a number without mass, of an arm with one joint: h = l sin(theta)."""
    units = units_of(scope.arm)
    ours, theirs = dimension_of(value, units), dimension_of(meant, units)
    return scope.values.n == 1 and not name.lower and ours is not None and (theirs is None or ours.kg != theirs.kg)


def _mentions(node: Node, name: Name) -> bool:
    return any(spelled(part) == spelled(name) for part in every(Name, node))


def scope_of(eq: Equations, text: str, pieces: Iterable[Found], names: Mapping[str, str] | None = None) -> Scope:
    """What the names of a document mean for an arm. `names` gives the user's names their meanings."""
    pieces = tuple(pieces)
    statements = tuple(_statements(pieces))
    values = ArmValues(eq)
    wanted = {spelled(piece.written): piece.meant for piece in pieces if isinstance(piece, Mapped)}
    wanted |= {plain(name): str(meant) for name, meant in (names or {}).items()}
    scope = Scope(values, text, statements, {}, {}, uses_of(statements, values), value_of, names=wanted)
    given = {name: _meant(name, meant, scope) for name, meant in wanted.items()}
    scope = with_definitions(replace(scope, given=given, cache={}), statements)
    apart = tuple(with_words_apart(_without_root(statement, scope), scope) for statement in statements)
    if apart == statements:
        return scope
    bare = replace(scope, statements=apart, definitions={}, uses=uses_of(apart, values), coordinates=frozenset())
    return with_definitions(replace(bare, cache={}), apart)


def lines_in(pieces: Iterable[Found], scope: Scope) -> tuple[Found, ...]:
    """What was found in a text, with its equations as the scope has them."""
    lines = {line.span: line for line in scope.statements}
    return tuple(lines[piece.span] if isinstance(piece, Statement) else piece for piece in pieces)


def _statements(pieces: Iterable[Found]) -> Iterator[Statement]:
    for piece in pieces:
        match piece:
            case Statement():
                yield piece


def _meant(name: str, meant: str, scope: Scope) -> Value:
    """What the user says that a name stands for: a symbol or coordinate of the arm, a number, or a formula."""
    values = scope.values
    for symbol in scope.arm.defaults:
        if plain(symbol) == plain(meant):
            return symbol_value(values, symbol)
    for i in range(values.n):
        if plain(meant) in (plain(values.printed(i)), plain(values.exact.coordinates[i])):
            return state_letter(values, i, 0)
    sides = [statement.sides for statement in _statements(read(f"x = {meant}"))]
    try:
        if sides:
            return value_of(sides[0][-1], replace(scope, text=f"x = {meant}"))
    except LeverarmError:
        pass
    known = [*scope.arm.defaults, *(values.printed(i) for i in range(values.n))]
    raise InputError(
        f"{name} = {meant}: {unknown_name('symbol of the arm', meant, known)} "
        "A number, or a formula of symbols, is valid too."
    )
