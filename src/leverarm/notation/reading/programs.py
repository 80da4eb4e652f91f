r"""Programs in MATLAB, Python and SymPy as statements, followed as text: nothing is ever run.

Each assignment states that its name is its formula. A name that is assigned several times is followed line by line:
where it is used before its last assignment, the formula that it has there is put in, and only the last one is a
statement. An array that is made with zeros and filled entry by entry is one matrix. What stands in a loop or a branch
is not followed, and said so. Copies of inputs (q1 = q[0] is one of the coordinates, m1 = params[0] a name for an input)
and lines that make letters, print or plot state nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby, islice, pairwise
from typing import NamedTuple, TypeGuard

from leverarm.notation.reading.keywords import words
from leverarm.notation.reading.lexer import counts_from_zero
from leverarm.notation.reading.program_lines import (
    MAX_SIZE,
    RETURN,
    STRING,
    TARGET,
    Line,
    Part,
    arguments_of,
    index_of,
    is_passed,
    lines_of,
    parts_of,
    split,
    without_unsaid,
)
from leverarm.notation.reading.prose import opened
from leverarm.notation.reading.tokens import Refusal
from leverarm.notation.tree import Matrix, Name, Negative, Node, Number, Of, Product, Ratio, Span, Sum, mapped, walk

MAX_NODES = 2_000
"""The most parts of a formula into which the ones before it were put."""
MAX_PUT_IN = 60_000
"""The most parts that are put into formulas of one text."""
MAX_LINES = 2_000
"""The most lines of programs in one text."""
_QUIET = re.compile(
    r"(?:\w+\.)*(?:symbols|dynamicsymbols|Symbol|Function|syms?|linspace|arange|odeint|solve_ivp|ode45|ode23|figure|plot"
    r"|subplots?|input|len|range|list|dict|tuple|float|int|time|rand\w*|random|load|open|print|disp|fprintf|pprint|latex"
    r"|init_printing|lambdify|matlabFunction|struct|interp1|interp)\b[ \t.(]"
)
_MADE = re.compile(
    r"(?:\w+\.)*(?P<how>zeros|empty|eye|identity)\(\(?\s*(?P<n>\d{1,4})(?:\s*,\s*(?P<m>\d{1,4}))?\s*\)?[^)]*\)\Z"
)
_DEFINED = re.compile(
    r"(?:def[ \t]+(?P<python>\w+)|function[ \t]+(?:(?P<output>[A-Za-z]\w*)[ \t]*=)?[ \t]*(?P<matlab>\w+))[ \t]*(?=\()"
)
_MATRIX = re.compile(r"(?:\w+\.)?(?:array|[mM]atrix)\(\s*\[")
_SHOWS = re.compile(r"(?:print|pprint|simplify|expand|display)\((.*)\)\Z")
_ASSIGNS = re.compile(r"\b([A-Za-z]\w{0,40})[ \t]*(?:\([\d:, ]+\)|\[[\d:, ]+\])?[ \t]*[-+*/]?=(?!=)")
_DEAL = re.compile(r"deal\((.*)\)\Z", re.DOTALL)
_LINE_END = re.compile(r"\n")
_COUNTED = re.compile(r"[(\[]\d(?:,\d)?[)\]]")
_NUMBER = re.compile(r"-?\d+|:")
_COORDINATES = re.compile(r"d{0,2}(?:q|th|theta|phi)(?:_?d{1,2}|_?d?dot|_?p{1,2})?|tau|Q")
_RATES = {1: re.compile("v|w|omega|vel"), 2: re.compile("a|acc|alpha")}
"""What speeds and accelerations are called as arguments behind coordinates: f(q, v, a)."""
_RATE = re.compile(r"(?:v|w|om|omega|vel)_?\d*|d[a-z]+\d*|[a-z]+\d*_?(?:d|dot|p)\d*")
_OF_STATE = re.compile(r"d?(?:[xyzsX]|state|q)(?:_?dot|p|dt)?")
"""The state of a simulation and its rates, which are lists of what is known already."""
_ARRAYS = re.compile(r"[A-Z]|M[A-Za-z]?|(?:d{0,2}q|q(?:d{1,2}|d?dot)|tau|d{0,2}theta)")
"""Names that stand for matrices and vectors, where nothing else is said of them."""
_BY_ENTRY = words("M G g tau")
"""Arrays of which each entry has a value of its own. Those of C, and of arrays that a text makes up, go together."""
_OF_ARRAYS = re.compile(r"\bnp\.(?!mat(?:rix)?\b)|\bnumpy\b")
_OF_MATRICES = re.compile(r"\bMatrix\b|\bsympy\b|\bsp\.|\.mat(?:rix)?\(")
_FUNCTIONS: dict[str, str] = {
    **dict.fromkeys(
        words("massmatrix inertiamatrix massmat mass inertia computemassmatrix getmassmatrix computem calcm"), "M"
    ),
    **dict.fromkeys(words("gravity gravityvector gravitytorque gravitytorques gravityterm gravityterms"), "G"),
    **dict.fromkeys(words("inversedynamics id rnea computetorque computetorques torques jointtorques"), "tau"),
    **dict.fromkeys(words("forwarddynamics fd acceleration accelerations jointaccelerations acc"), "qdd"),
    **dict.fromkeys(words("bias biasforces biasforce biastorques nonlinear nonlinearterms nonlineareffects nle"), "N"),
    **dict.fromkeys(words("coriolismatrix coriolis"), "C"),
    **dict.fromkeys(words("coriolisvector coriolisterms velocityterms"), "c"),
    **dict.fromkeys(words("kineticenergy"), "K"),
    **dict.fromkeys(words("potentialenergy"), "P"),
    **dict.fromkeys(words("lagrangian"), "L"),
    **dict.fromkeys(words("jacobian jacobianmatrix jac"), "J"),
}
"""What functions of these names give back, without underscores and capitals."""
IN_BRANCH = "this line stands in a loop or a branch of a program, which is not followed; write it out"


class Given(NamedTuple):
    """What is read of a program: an equation of sides, or why it is none, at a place."""

    span: Span
    sides: tuple[Node, ...] = ()
    at: int = 0
    why: str = ""


Formula = Callable[[str, int, int], Node]
"""Reads the right side of a stretch "name = formula", or the whole stretch, as one formula; raises Refusal."""


@dataclass(slots=True)
class _Variable:
    """A name of a function of the program: what it is at this line, as far as that is known.

    `stays` where it is what the name is in the whole text, so that the name is kept; else its formula is put in.
    """

    formula: Node | None
    stays: bool = False
    is_used: bool = False


Lines = list[tuple[Span, list[Given] | None]]


def followed(source: str, areas: list[Span], formula: Formula) -> list[Lines]:
    """The lines of each program of a text, with what each states; None for a line that is no program's.

    The programs of a text belong together: what one assigns is known in the next.
    """
    text = without_unsaid(source, areas)
    lines = [[(line, parts_of(text, line)) for line in lines_of(text, *area)] for area in areas]
    reader = _Reader(text, source, formula)
    reader.expect([part for area in lines for _, parts in area for part in parts])
    result: list[Lines] = []
    count = 0
    for area in lines:
        result.append([])
        for line, parts in area:
            count += 1
            if count > MAX_LINES:
                why = f"more than {MAX_LINES} lines of programs; give the text in parts"
                result[-1].append(((line.start, line.end), [Given((line.start, line.end), at=line.start, why=why)]))
                return [*result, *([] for _ in areas[len(result) :])]
            is_matrix = _MATRIX.match(text, line.start, line.end) is not None
            is_code = bool(parts) or is_matrix or line.shown is not None or is_passed(text, line)
            if not is_code:
                reader.skip(line)
            result[-1].append(((line.start, line.end), list(reader.line(line, parts)) if is_code else None))
    unused = {given.span[0]: given for given, variable in reader.unused if not variable.is_used}
    for (start, end), givens in (line for area in result for line in area):
        if givens is not None:
            givens += [given for place, given in unused.items() if start <= place < end]
    return result


class _Reader:
    """The variables of programs, followed line by line."""

    def __init__(self, text: str, source: str, formula: Formula) -> None:
        self.text, self.source, self.formula = text, source, formula
        self.base = 0 if counts_from_zero(source) else 1
        self.is_by_entries = _OF_ARRAYS.search(source) is not None and not _OF_MATRICES.search(source)
        self.variables: dict[tuple[str, str], _Variable] = {}
        self.last: dict[tuple[str, str], Part] = {}
        self.filled: set[tuple[str, str]] = set()
        self.by_entry: set[tuple[str, str]] = set()
        self.assigned: set[str] = set()
        self.stated: dict[str, Node] = {}
        self.functions: dict[str, Name] = {}
        self.given: dict[str, list[str]] = {}
        self.states: dict[str, list[tuple[str, list[Name]]]] = {}
        self.put_in = 0
        self.said = (0, "")
        self.unused: list[tuple[Given, _Variable]] = []

    def expect(self, parts: list[Part]) -> None:
        """Which arrays are filled entry by entry, and which assignment to each name is the last of its function."""
        whole = {(part.line.scope, part.name) for part in parts if not part.entry}
        self.filled = {place for part in parts if part.entry and (place := (part.line.scope, part.name)) in whole}
        self.by_entry = {place for place in self.filled if self._has_every_entry_once(place, parts)}
        self.filled -= self.by_entry
        for part in parts:
            self.last[self._place(part)] = part
            self.assigned.add(part.name)
        for (scope, array), group in groupby(parts, key=lambda part: (part.line.scope, self._source(part))):
            self._expect_state(scope, array, [*group] if array else [])

    def _source(self, part: Part) -> str:
        """The input of which a line names a part; nothing for other lines."""
        value = self.text[slice(*part.value)]
        source = TARGET.match(value)
        return source["name"] if source is not None and self._names_an_input(part, value) else ""

    def _expect_state(self, scope: str, array: str, parts: list[Part]) -> None:
        """The names of the parts of a state; speeds that are called v or w are rates of the coordinates beside them."""
        half, names = len(parts) // 2, [part.name for part in parts]
        are_rates = [_RATE.fullmatch(name) is not None for name in names]
        pairs = [(k, k + half) for k in range(half)]
        if are_rates == [False, True] * half:
            pairs = [(2 * k, 2 * k + 1) for k in range(half)]
        elif are_rates != [False] * half + [True] * half or not half:
            return
        state = [node for part in parts if _is_name(node := self.formula(self.text, *part.target))]
        if len(state) != len(parts):
            return
        for place, rate in pairs:
            state[rate] = replace(state[place], dots=state[place].dots + 1)
            self.variables[scope, names[rate]] = _Variable(state[rate])
        self.states.setdefault(scope, []).append((array, state))

    def _state_of(self, scope: str, target: str) -> list[Name]:
        """The names of the parts of a state of which this name, dx or xdot, is the list of rates."""
        for array, state in self.states.get(scope, []):
            if target in (f"d{array}", f"{array}dot", f"{array}_dot", f"{array}p", f"d{array}dt", ""):
                return state
        return []

    def _rate(self, state: list[Name], number: str, part: Part) -> Iterator[Given]:
        """What dx(3) = formula states: the rate of the third part of the state; nothing where it is only a name."""
        place = int(number[1]) - (1 if number[0] == "(" else self.base)
        right = self._value(part)
        if "," not in number and 0 <= place < len(state) and not _is_name(right):
            name = state[place]
            yield Given(part.span, (replace(name, dots=name.dots + 1, span=part.target), right))

    def _rates_of_state(self, target: str, right: Node, part: Line) -> Iterator[Given] | None:
        """What the list of the rates of a state says of each, where it is one: its formulas, but no other names."""
        cells = [cell for row in _rows(right) for cell in row]
        state = self._state_of(part.scope, target)
        if len(cells) == len(state) and state:
            return (
                Given(cell.span, (replace(name, dots=name.dots + 1, span=(cell.span[0], cell.span[0])), cell))
                for name, cell in zip(state, cells, strict=True)
                if not _is_name(cell) and part.start <= cell.span[0] < part.end
            )
        is_list = len(cells) > 1 and all(map(_is_name, cells))
        return iter(()) if is_list and (not target or _OF_STATE.fullmatch(target)) else None

    def _has_every_entry_once(self, place: tuple[str, str], parts: list[Part]) -> bool:
        """Whether an array is made with zeros and each of its entries is assigned once: then each is an equation."""
        of_array = [part for part in parts if (part.line.scope, part.name) == place]
        made, *others = of_array
        found = _MADE.match(self.text[slice(*made.value)])
        if (
            place[1] not in _BY_ENTRY
            or found is None
            or made.entry
            or not all(part.line.is_certain for part in of_array)
        ):
            return False
        if any(_COUNTED.fullmatch(part.entry) is None for part in others):
            return False
        try:
            rows = _rows(_made(found, made.span))
            cells = [_cells(rows, part.entry, self.base, 0) for part in others if part.entry and not part.sign]
        except Refusal:
            return False
        height, width = len(rows), len(rows[0])
        once = {cell for entry in cells for cell in entry if len(entry) == 1}
        return len(once) == len(others) == height * width

    def _place(self, part: Part) -> tuple[str, str]:
        """The variable that is assigned: a name of a function, or one entry of what is given no value as a whole."""
        place = (part.line.scope, part.name)
        return place if place in self.filled else (part.line.scope, part.name + part.entry)

    def line(self, line: Line, parts: list[Part]) -> Iterator[Given]:
        """What a line states."""
        if (header := _DEFINED.match(self.text, line.start, line.end)) is not None:
            function = header["python"] or header["matlab"]
            given = [argument.partition(":")[0].partition("=")[0] for argument in arguments_of(self.text, header.end())]
            self.given[function] = given[1:] if given[:1] == ["self"] else given
            self._name_arguments(line.scope, self.given[function])
            if header["output"]:
                with suppress(Refusal):
                    self._learn(function, self.formula(self.text, *header.span("output")))
        if (back := RETURN.match(self.text[line.start : line.end])) is not None:
            yield from self._returned(line, (line.start + back.end(), line.end))
        elif line.shown is not None and not parts:
            yield from self._printed(line, line.shown)
        elif not parts and _MATRIX.match(self.text, line.start, line.end):
            why = "this matrix is given to no name; write M = ..., so that it is known what it is"
            yield Given((line.start, line.end), at=line.start, why=why)
        for _, same in groupby(parts, key=lambda part: (part.value, part.which)):
            found = [given for part in same for given in self._tried(part)]
            if len(found) > 1 and all(given.sides for given in found):  # a = b = formula
                *_, last = found
                yield Given((found[0].span[0], last.span[1]), (*(given.sides[0] for given in found), last.sides[1]))
            else:
                yield from found

    def _name_arguments(self, scope: str, arguments: list[str]) -> None:
        """What the arguments of f(q, v, a) are: behind coordinates, speeds and accelerations by their usual letters."""
        for dots, (before, name) in enumerate(pairwise(arguments[:3]), 1):
            if not _COORDINATES.fullmatch(arguments[0]) or not _RATES[dots].fullmatch(name) or not before:
                return
            self.variables[scope, name] = _Variable(Name("q", dots=dots))

    def _tried(self, part: Part) -> Iterator[Given]:
        try:
            yield from self._assigned(part)
        except Refusal as refusal:
            self.forget(part)
            if part.which[0] == 0 or self.said != (refusal.at, refusal.why):  # of a list of names once
                yield Given(part.span, at=refusal.at, why=refusal.why)
            self.said = (refusal.at, refusal.why)

    def skip(self, line: Line) -> None:
        """A line that is none of a program: what it assigns is not known where it is followed."""
        for found in _ASSIGNS.finditer(self.text, line.start, line.end):
            place = (line.scope, found[1])
            if place in self.filled or (place in self.last and self.last[place].line.start > line.start):
                self.variables[place] = _Variable(None)

    def forget(self, part: Part) -> None:
        """What is assigned here is not known."""
        self.variables[self._place(part)] = _Variable(None, stays=self.last[self._place(part)] is part)

    def _assigned(self, part: Part) -> Iterator[Given]:
        value, place = self.text[slice(*part.value)], self._place(part)
        made = _MADE.match(value)
        if made is not None and (place in self.by_entry or self._state_of(part.line.scope, part.name)):
            return
        if _QUIET.match(value) or (made is None and self._names_an_input(part, value)):
            return
        if not part.line.is_certain:
            raise Refusal(part.span[0], IN_BRANCH)
        if (state := self._state_of(part.line.scope, part.name)) and (number := _COUNTED.fullmatch(part.entry)):
            yield from self._rate(state, number.group(), part)
            return
        known = self.variables.get(place)
        if part.entry and place not in self.filled and _COUNTED.fullmatch(part.entry) is None:
            raise Refusal(part.target[0], f"the index {part.entry} is read only of an array that the text makes")
        right = _made(made, part.span) if made is not None else self._value(part)
        is_state = made is None and not part.entry and _is_of_numbers(right)
        if part.entry and place in self.filled:
            right = self._entered(known, part, right)
        elif part.sign:
            right = _changed(_known(known, part), part.sign, right, part.span)
        self._refuse_large(right, part.span)
        if not part.entry and (rates := self._rates_of_state(part.name, right, part.line)) is not None:
            yield from rates
            return
        is_copy = _is_input(right)
        is_last = self.last[place] is part
        stays = is_last and not (is_copy or is_state) and self.stated.setdefault(place[1], right) == right
        self.variables[place] = variable = _Variable(right, stays)
        if is_copy or is_state:
            return
        if is_last and not stays:
            why = f"'{part.name}' is another formula in another function, and nothing uses it here"
            self.unused.append((Given(part.span, at=part.span[0], why=why), variable))
            return
        end = part.target[0] + len(part.name) if place in self.filled else part.target[1]
        target = self.formula(self.text, part.target[0], end)
        if is_last and target not in (right, _called(right)):
            yield Given(part.span, (target, right))

    def _value(self, part: Part) -> Node:
        """The formula of what is assigned, with what the names in it are there."""
        k, count = part.which
        if count == 1 and part.sign:
            return self._formula(*part.value, part.line.scope)
        if count == 1:
            return self._formula(*part.span, part.line.scope)
        start, end = part.value
        if (deal := _DEAL.match(self.text[start:end])) is not None:
            start, end = start + deal.start(1), start + deal.end(1)
        each = split(self.text, start, end, ",")
        if len(each) == count:
            return self._formula(*each[k], part.line.scope)
        match self._formula(start, end, part.line.scope):
            case Name(lower="", upper="") as whole:
                return replace(whole, lower=str(k + 1))
            case Matrix(rows=rows) if len(rows) * len(rows[0]) == count:
                return [entry for row in rows for entry in row][k]
        raise Refusal(start, f"this is given to {count} names, and it is not a list of {count} formulas")

    def _names_an_input(self, part: Part, value: str) -> bool:
        """Whether a line only gives a name to a part of an input: m1 = params[0]; m1, m2 = params."""
        source = TARGET.match(value)
        if source is None or source["name"] in self.assigned or _COORDINATES.fullmatch(source["name"]):
            return False
        if (part.line.scope, source["name"]) in self.variables:
            return False
        return bool(source["index"]) or part.which[1] > 1

    def _entered(self, known: _Variable | None, part: Part, right: Node) -> Node:
        """The whole array with an entry, a row or a column of it changed."""
        rows = _rows(known.formula) if known is not None and known.formula is not None else []
        if not rows:
            raise Refusal(part.span[0], f"an entry of '{part.name}' is changed, and its other entries are not known")
        cells = _cells(rows, part.entry, self.base, part.span[0])
        match right:
            case Matrix(rows=entered) if len(entered) * len(entered[0]) == len(cells):
                entries = [entry for row in entered for entry in row]
            case Matrix():
                raise Refusal(part.value[0], f"{len(cells)} entries are assigned, and this is a list of others")
            case _:
                entries = [right] * len(cells)
        for (i, j), entry in zip(cells, entries, strict=True):
            rows[i][j] = _changed(rows[i][j], part.sign, entry, part.span) if part.sign else entry
        return Matrix(tuple(map(tuple, rows)), span=part.span)

    def _formula(self, start: int, end: int, scope: str) -> Node:
        """The formula of a stretch, with those of names that are assigned again later, or differently elsewhere."""
        node = self.formula(self.text, start, end)
        self._refuse_by_entries(node, scope)
        return mapped(node, lambda part: self._as_it_is(part, scope))

    def _as_it_is(self, part: Node, scope: str) -> Node:
        match part:
            case Name():
                return self._named(part, scope)
        return part

    def _named(self, name: Name, scope: str) -> Node:
        target = TARGET.match(self.text[slice(*name.span)].rstrip())
        if target is None:
            return name
        word, index = target["name"], index_of(target)
        if word in self.given and self.text[name.span[1] : name.span[1] + 1] == "(":
            given = arguments_of(self.text, name.span[1])
            if [*map(_order, given)] != [*map(_order, self.given[word])]:
                raise Refusal(name.span[0], f"'{word}' is called with other arguments than it is defined with")
            return replace(self.functions.get(word, name), span=name.span)
        if (usual := _usual(word)) and self.text[name.span[1] : name.span[1] + 1] == "(":
            return Name(usual, span=name.span)
        for place in dict.fromkeys([scope, ""]):
            known = self.variables.get((place, word + index))
            if known is not None:
                return name if known.stays else self._counted(_formula_of(known, name, word), name.span)
            array = self.variables.get((place, word)) if index else None
            if array is not None:
                if array.stays and "[" not in name.lower:
                    return name
                if _is_input(whole := _formula_of(array, name, word)):
                    return replace(whole, lower=name.lower, span=name.span)
                rows = _rows(whole)
                cells = _cells(rows, index, self.base, name.span[0]) if rows else []
                if len(cells) != 1:
                    raise Refusal(name.span[0], f"'{word}{index}' is a part of an array that is not read")
                return self._counted(rows[cells[0][0]][cells[0][1]], name.span)
        return name

    def _counted(self, node: Node, span: Span) -> Node:
        if _is_input(node):
            return replace(node, span=span)
        self.put_in += sum(1 for _ in islice(walk(node), MAX_NODES + 1))
        if self.put_in > MAX_PUT_IN:
            raise Refusal(span[0], f"more than {MAX_PUT_IN} parts of formulas would be put in; write fewer steps")
        return node

    def _refuse_large(self, node: Node, span: Span) -> None:
        if sum(1 for _ in islice(walk(node), MAX_NODES + 1)) > MAX_NODES:
            raise Refusal(span[0], f"with the lines before it this has more than {MAX_NODES} parts; it is not followed")

    def _refuse_by_entries(self, node: Node, scope: str) -> None:
        """NumPy's a * b and Matlab's a .* b multiply arrays entry by entry, which is no product of matrices."""
        for part in walk(node):
            match part:
                case Product(factors=factors):
                    for left, right in pairwise(factors):
                        between = self.source[left.span[1] : right.span[0]]
                        is_each = ".*" in between or (self.is_by_entries and "*" in between)
                        if is_each and self._is_array(left, scope) and self._is_array(right, scope):
                            raise Refusal(left.span[1], "'*' multiplies arrays entry by entry here; use @ or .dot")

    def _is_array(self, node: Node, scope: str) -> bool:
        match node:
            case Matrix():
                return True
            case Name():
                word = self.text[slice(*node.span)].rstrip()
                known = self.variables.get((scope, word)) or self.variables.get(("", word))
                if known is not None and known.formula is not None:
                    return bool(_rows(known.formula))
                return _ARRAYS.fullmatch(word) is not None
        return False

    def _returned(self, line: Line, value: Span) -> Iterator[Given]:
        """What a function gives back states what the function is, where that is a formula and no name."""
        function, _, at = line.scope.partition("@")
        text = self.text[slice(*value)].rstrip("; \t")
        names = [TARGET.match(self.text[slice(*part)]) for part in split(self.text, *value, ",")]
        if not function or not text or (all(names) and len(names) > 1) or STRING.search(text):
            return
        span = (line.start, value[0] + len(text))
        place = self.text.find(function, int(at))
        where = (place, place + len(function))
        try:
            if all(names):
                self._learn(function, self.formula(self.text, value[0], span[1]))
                return
            if not line.is_certain:
                raise Refusal(value[0], IN_BRANCH)
            right = self._formula(value[0], span[1], line.scope)
            word = _usual(function)
            if not word and (rates := self._rates_of_state("", right, line)) is not None:
                yield from rates
                return
            rows = _rows(right)
            word = "c" if word == "C" and rows and 1 in (len(rows), len(rows[0])) else word
            name = Name(word, span=where) if word else self.formula(self.text, *where)
            self._learn(function, name)
            yield Given(span, (name, right))
        except Refusal as refusal:
            yield Given(span, at=refusal.at, why=refusal.why)

    def _learn(self, function: str, name: Node) -> None:
        """What calls of a function are: what it gives back, by its name."""
        match name:
            case Name():
                self.functions[function] = name

    def _printed(self, line: Line, shown: Span) -> Iterator[Given]:
        """What a console was asked for, and what it printed, are two sides of an equation."""
        start, end = line.start, line.end
        if (asked := _SHOWS.match(self.text[start:end])) is not None:
            start, end = start + asked.start(1), start + asked.end(1)
        if TARGET.match(self.text[start:end]) is None:
            return
        stop = shown[0] + len(self.text[slice(*shown)].rstrip())
        span = (line.start, stop)
        output = self.text[shown[0] : stop]
        if any(opened(output[: found.start()]) <= 0 for found in _LINE_END.finditer(output)):
            why = "a formula that is drawn in several lines (pprint) is not read; show it with print()"
            yield Given(span, at=shown[0], why=why)
            return
        try:
            yield Given(span, (self.formula(self.text, start, end), self.formula(self.text, shown[0], stop)))
        except Refusal as refusal:
            yield Given(span, at=refusal.at, why=refusal.why)


def _usual(function: str) -> str:
    """The quantity that a function of this name gives back; nothing for names that say nothing."""
    return _FUNCTIONS.get(function.replace("_", "").lower(), "")


def _order(argument: str) -> str:
    """An argument, by how often it is derived where it is a coordinate or speeds: qd, dq and dtheta are alike."""
    is_motion = _COORDINATES.fullmatch(argument) is not None
    return f"{argument.count('d') + argument.replace('ph', '').count('p')}" if is_motion else argument


def _called(node: Node) -> Node:
    """The function of a call; any other formula itself."""
    match node:
        case Of(head=head):
            return head
    return node


def _known(known: _Variable | None, part: Part) -> Node:
    if known is None or known.formula is None:
        raise Refusal(part.span[0], f"'{part.name}' is changed here, and what it was before is not known")
    return known.formula


def _formula_of(known: _Variable, name: Name, word: str) -> Node:
    known.is_used = True
    if known.formula is None:
        raise Refusal(name.span[0], f"what '{word}' is here is not known: a line that assigns it is not followed")
    return known.formula


def _rows(node: Node) -> list[list[Node]]:
    """The entries of a matrix; none of any other formula."""
    match node:
        case Matrix(rows=rows):
            return [list(row) for row in rows]
    return []


def _is_input(node: Node) -> TypeGuard[Name]:
    """Whether a formula is nothing but coordinates, speeds, accelerations or torques, all or one of them."""
    match node:
        case Name(letter=letter, upper=""):
            return _COORDINATES.fullmatch(letter) is not None
    return False


def _is_of_numbers(node: Node) -> bool:
    """Whether an array has no letters in it: a state for which the program is run."""
    return bool(_rows(node)) and not any(map(_is_name, walk(node)))


def _is_name(node: Node) -> TypeGuard[Name]:
    match node:
        case Name():
            return True
    return False


def _cells(rows: list[list[Node]], index: str, first: int, at: int) -> list[tuple[int, int]]:
    """The rows and columns of an index; parentheses count from one."""
    first = 1 if index.startswith("(") else first
    given = _NUMBER.findall(index)
    height, width = len(rows), len(rows[0])
    if len(given) == 1:
        given = [given[0], ":"] if width == 1 or height > 1 else [":", given[0]]
    if len(given) != 2:
        raise Refusal(at, f"the index {index} of an array of {height} rows and {width} columns is not read")
    chosen: list[list[int]] = []
    for one, size in zip(given, (height, width), strict=True):
        numbers = list(range(size)) if one == ":" else [size + int(one) if one.startswith("-") else int(one) - first]
        if not all(0 <= number < size for number in numbers):
            raise Refusal(at, f"the index {index} is not one of an array of {height} rows and {width} columns")
        chosen.append(numbers)
    return [(i, j) for i in chosen[0] for j in chosen[1]]


def _made(found: re.Match[str], span: Span) -> Matrix:
    """zeros(2, 2) or the identity matrix; NumPy's zeros(2) is a vector, the others' are square."""
    height = int(found["n"])
    is_vector = found["how"] in ("zeros", "empty") and found.group().startswith(("np.", "numpy."))
    width = int(found["m"]) if found["m"] else 1 if is_vector else height
    if not (0 < height <= MAX_SIZE and 0 < width <= MAX_SIZE):
        raise Refusal(span[0], f"an array of {height} rows and {width} columns is not followed; at most {MAX_SIZE} are")
    ones = found["how"] in ("eye", "identity")
    rows = [[Number(Fraction(int(ones and i == j)), span=span) for j in range(width)] for i in range(height)]
    return Matrix(tuple(map(tuple, rows)), span=span)


def _changed(before: Node, sign: str, by: Node, span: Span) -> Node:
    """What x is after x += y, x -= y, x *= y or x /= y."""
    match sign:
        case "+":
            return Sum((before, by), span=span)
        case "-":
            return Sum((before, Negative(by, span=by.span)), span=span)
        case "*":
            return Product((before, by), span=span)
    return Ratio(before, by, span=span)
