"""What names mean for one arm and one document: letters of the arm, the document's definitions, the user's mapping."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from leverarm.closed_form import Equations
from leverarm.errors import unknown_name
from leverarm.model import Arm
from leverarm.notation.names import dotted as with_dots
from leverarm.notation.reading import Statement
from leverarm.notation.reading.program_lines import is_program
from leverarm.notation.tree import Call, Name, Node, Span
from leverarm.scalars.exact import free_symbol, partial, symbol
from leverarm.verify.equations.algebra import (
    Family,
    Meaning,
    Value,
    column,
    entries,
    every,
    inverted,
    is_table,
    mapped,
    multiplied,
    pattern,
    shown,
    spelled,
    table,
    transposed,
)
from leverarm.verify.equations.arm_names import (
    ANY,
    INERTIAS,
    Use,
    coordinate_meanings,
    cosine_meanings,
    only_angle,
    symbol_meanings,
)
from leverarm.verify.equations.arm_values import ArmValues, Body
from leverarm.verify.equations.force_quantities import (
    CORIOLIS,
    CORIOLIS_MATRIX,
    INPUTS,
    MASS_MATRIX,
    MOMENTUM,
    ONLY_FORCE,
    TORQUES,
    force_meanings,
    in_common,
)
from leverarm.verify.equations.indices import depth_of
from leverarm.verify.equations.motion_quantities import (
    ALONG,
    AXES,
    BY_MASS,
    ENERGIES,
    RATE,
    in_link_axes,
    motion_meanings,
)
from leverarm.verify.equations.verdict import WrittenError, where_of

LETTERS_OF_THE_ARM = ("symbol", "coordinate", "coordinates", "cosine", "given")
"""Kinds of meaning that are no functions: M(q) is a function, but m_1 (q) a product."""
BY_MASSES = tuple((kind, f"{kind}{BY_MASS}") for kind in ("com", "end", "tool", *ENERGIES))
COUNTED = (MASS_MATRIX, CORIOLIS_MATRIX, CORIOLIS, TORQUES, "gravity", "row first", "row last", *ENERGIES)
"""Kinds of quantities that the arm has one of for each joint or link, pair or triple of joints."""
RIVALS = (("row first", "row last"), ("com", "end"), (MOMENTUM, "tool"), ("last com", "tool"), INPUTS, *BY_MASSES)
"""Kinds of which a letter has one and the same throughout a text."""
MAX_DEFINITIONS = 40
"""Definitions that need each other, one in the other, at most."""
POSITIONS, SPEEDS, ACCELERATIONS = 1, 2, 3
UNKNOWN = " is not known: "

_MARKED = (
    re.compile(r"(?P<mark>d{1,2})(?P<stem>[A-Za-z]+?)(?P<index>\d*)"),
    re.compile(r"(?P<stem>[A-Za-z]+?)(?P<mark>ddot|dot|d{1,2})(?P<index>\d*)"),
    re.compile(r"(?P<stem>[A-Za-z]+?)(?P<index>\d+)(?P<mark>ddot|dot|d{1,2})"),
)
"""Words with d's or dots in them: dq1, qdd1, qdot1, theta1d."""


@dataclass(frozen=True, slots=True, eq=False)
class Scope:
    """The names of one document about one arm. Scopes are equal when they are of the same document and arm.

    `given` are meanings that the user stated, `definitions` the formulas that the document itself gives to names, both
    by the plain spelling of the name. `uses` says of a name's place whether it stands alone or before its arguments.
    `chosen` settles names with several readings; names in `free` are taken as letters of their own.
    """

    values: ArmValues
    text: str
    statements: tuple[Statement, ...]
    given: Mapping[str, Value]
    definitions: Mapping[str, Node]
    uses: Mapping[Span, Use]
    evaluate: Callable[[Node, Scope], Value]
    """Gives a formula its value: `evaluation.value_of`, which itself asks the scope what names mean."""
    chosen: Mapping[Family, str] = field(default_factory=dict)
    free: frozenset[str] = frozenset()
    defining: frozenset[str] = frozenset()
    """Names whose definitions are being evaluated."""
    names: Mapping[str, str] = field(default_factory=dict)
    fitted: frozenset[str] = frozenset()
    """Names whose meanings nobody gave: with them most equations hold."""
    coordinates: frozenset[str] = frozenset()
    """Names that the document defines as coordinates of its own: they are no other names of the arm's."""
    ruled_out: frozenset[tuple[str, str]] = frozenset()
    """Letters with kinds that they do not have in this document, where they have another reading."""
    cache: dict[Any, Any] = field(default_factory=dict, repr=False)
    """What was found out already; shared by scopes that differ in their choices only."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scope) and self.cache is other.cache

    def __hash__(self) -> int:
        return id(self.cache)

    @property
    def equations(self) -> Equations:
        return self.values.eq

    @property
    def arm(self) -> Arm:
        return self.values.eq.arm

    def family(self, name: Name) -> Family:
        """The names that are read as this one is."""
        return name.letter, name.style, pattern(name.lower), self.uses.get(name.span, "part")

    def once(self, key: str, make: Callable[[], Any]) -> Any:
        """What is found out once for the whole document."""
        if key not in self.cache:
            self.cache[key] = make()
        return self.cache[key]

    def written(self, node: Node) -> str:
        """The text of a part, on one line."""
        return " ".join(self.text[slice(*node.span)].split())

    def value(self, name: Name) -> Value:
        """What a name stands for, exactly. Raises WrittenError for a name that stands for nothing."""
        meaning = self.meaning(name)
        choices = frozenset(self.chosen.items()) if meaning.kind == "definition" else None
        key = ("value", spelled(name), name.style, name.dots, meaning.kind, choices)
        if meaning.kind == "unknown" or key not in self.cache:
            self.cache[key] = meaning.find() if meaning.defined is None else self._moved(meaning.defined)
        return self.cache[key]

    def meaning(self, name: Name) -> Meaning:
        """The meaning of a name, as chosen where there are several."""
        meanings = self.meanings(name)
        if not meanings:
            raise self.nothing(name)
        wanted = self.chosen.get(self.family(name))
        return next((each for each in meanings if each.kind == wanted), meanings[0])

    def meanings(self, name: Name) -> tuple[Meaning, ...]:
        """Everything that a name can stand for, the likeliest first."""
        use = self.uses.get(name.span, "part")
        key = ("meanings", spelled(name), name.style, name.dots, name.upper, use)
        if key not in self.cache:
            self.cache[key] = (
                tuple(self._in_order(name, use)) or tuple(self._marked(name, use)) or tuple(self._last(name, use))
            )
        found: tuple[Meaning, ...] = self.cache[key]
        if spelled(name) in self.free:
            letter = free_symbol(symbol(spelled(name)))
            return (Meaning("unknown", shown(name), lambda: 0 if name.dots else letter),)
        return tuple(each for each in found if (one_of(name.letter), base(each.kind)) not in self.ruled_out) or found

    def nothing(self, name: Name) -> WrittenError:
        """The error of a name that stands for nothing, with the nearest ones that do."""
        if (lacking := self.lacking(name)) is not None:
            return WrittenError(name.span, lacking)
        return WrittenError(name.span, unknown_name("symbol or quantity", shown(name), self._listed()))

    def defining_also(self, name: Name, formula: Node) -> Scope:
        """The scope with another name that the document defines; the first definition of a name stays."""
        return replace(self, definitions={spelled(name): formula, **self.definitions}, cache={})

    def lacking(self, name: Name) -> str | None:
        """What to say of a name whose index the arm lacks, M_33 of two joints; None of any other name.

        The letter must be one of the arm's with other indices, and not have a meaning of the document's own there.
        """
        known = replace(self, free=frozenset())
        n, numbers = self.values.n, [int(digit) for digit in name.lower if digit.isdigit()]
        if max(numbers, default=0) <= max(n, self.values.links) or known.meanings(name):
            return None
        first, last = (replace(name, lower=re.sub(r"\d", str(k), name.lower), dots=0) for k in (1, n))
        likeliest = [each.kind for each in known.meanings(first)[:1] if not each.is_loose or name.letter in ANY]
        if not {*likeliest} & {"symbol", "coordinate", "cosine", *COUNTED}:
            return None
        valid = list(dict.fromkeys((shown(first), shown(last))))
        between = " ... " if n > 2 or len(numbers) > 1 else " and "
        what = "valid is" if len(valid) == 1 else "entries are" if len(numbers) > 1 else "valid are"
        joints = f"{n} joint{'s' * (n > 1)}"
        start = f"there is no symbol or quantity named '{shown(name)}'"
        return f"{start}: the arm {self.arm.name} has {joints}; {what} {between.join(valid)}."

    def rate(self, value: Value, dots: int, span: Span) -> Value:
        """The time derivative of a value."""
        for _ in range(dots):
            if depth_of(value, self.values.exact.coordinates) == ACCELERATIONS:
                raise WrittenError(
                    span, "the time derivative of an acceleration does not occur in equations of motion."
                )
            value = mapped(value, self.equations.time_derivative)
        return value

    def _in_order(self, name: Name, use: Use) -> Iterator[Meaning]:
        if name.letter == "pi" and not name.lower:
            if "pi" in self.definitions:  # the parameters beside a regressor
                yield Meaning("definition", shown(name), lambda: self._defined(name), defined=name)
            yield Meaning("number", "pi", lambda: free_symbol(symbol("pi", math.pi)))
            return
        still = replace(name, dots=0)
        if spelled(name) in self.given:
            read_as = self.names[spelled(name)] if spelled(name) in self.fitted else ""
            yield self._moving(name, Meaning("given", shown(still), lambda: self.given[spelled(name)], read_as))
            return
        if spelled(name) in self.definitions:
            yield self._moving(name, Meaning("definition", shown(still), lambda: self._defined(still), defined=name))
            if spelled(name) in self.coordinates:
                return
        if name.upper.isdigit() and name.lower:
            yield from in_link_axes(name, self.values)
        coordinates = tuple(coordinate_meanings(name, self.values))
        if not coordinates and spelled(name) not in self.definitions and spelled(name) in self._angles():
            coordinates = tuple(only_angle(name, self.values))
        symbols = tuple(self._moving(name, each) for each in symbol_meanings(still, self.values))
        cosines = tuple(self._moving(name, each) for each in cosine_meanings(still, self.values))
        excluded = (
            (*INPUTS, *(() if self.once("program", lambda: is_program(self.text)) else (ONLY_FORCE,)))
            if name.letter == "tau"
            else ()
        )
        excluded = excluded if use == "part" else (RATE,)
        quantities = tuple(
            self._moving(name, each) for each in self._quantities(still, use) if each.kind not in excluded
        )
        plain = [each for each in (*coordinates, *symbols) if not each.is_loose]
        if plain:
            quantities = tuple(each for each in quantities if _is_no_rival(each, plain, use))
        surely = [each for each in quantities if not each.is_loose]
        perhaps = [each for each in quantities if each.is_loose]
        is_sure = any(each.kind != "coordinates" for each in plain)
        guessed = [] if is_sure else [each for each in (*coordinates, *symbols) if each.is_loose]
        if use == "part" and not name.style and any(each.kind == "coordinate" for each in plain):
            order = tuple(plain)
        elif use == "part":
            order = (*plain, *cosines, *guessed, *surely, *perhaps)
        else:
            order = (*surely, *plain, *cosines, *guessed, *perhaps)
        if is_sure and not quantities:
            order = tuple(plain)
        yield from order

    def _angles(self) -> set[str]:
        """The letters of which the text takes sines and cosines, where it has none of the arm's coordinates there."""
        return self.once("angles", lambda: {*map(spelled, self._in_cosines())})  # type: ignore[no-any-return]

    def _in_cosines(self) -> list[Name]:
        calls = [call for line in self.statements for call in every(Call, *line.sides)]
        names = [*every(Name, *(call.argument for call in calls if call.function in ("sin", "cos", "tan")))]
        return [] if any(any(coordinate_meanings(name, self.values)) for name in names) else names

    def _quantities(self, name: Name, use: Use) -> tuple[Meaning, ...]:
        motions, forces = tuple(motion_meanings(name, self.values)), tuple(force_meanings(name, self.values))
        common = tuple(self._common(name))
        if common and all(each.is_loose for each in common):
            return (*common, *forces, *motions)
        if common:
            return (*(each for each in forces if each.kind == MOMENTUM), *common)
        of_speeds = name.letter == "V" and use == "called with speeds"
        if self.coordinates and name.letter in ("Q", "F", "f") and (own := self._own_force(name)) is not None:
            forces = (*forces, own)
        if name.letter in INERTIAS and spelled(name) not in self._written():
            motions = (*self._moment_of_inertia(name), *motions)
        first_forces = name.letter in ("f", "F", "u", "h", "tau") or of_speeds
        return (*forces, *motions) if first_forces else (*motions, *forces)

    def _written(self) -> set[str]:
        """The names that the text itself writes, beside those that its open indices stand for."""
        return self.once("written", lambda: {*map(spelled, every(Name, *self.statements))})  # type: ignore[no-any-return]

    def _moment_of_inertia(self, name: Name) -> Iterator[Meaning]:
        """I_i of each body of an arm in a plane, about its centre of mass."""
        values = self.values
        link = int(name.lower) - 1 if name.lower in map(str, range(1, values.links + 1)) else None
        body = values.body(name.lower) or (None if link is None else Body(f"link {name.lower}", link))
        if body is not None and len(axes := values.turning_axes) == 1:
            about = f"{shown(name)}, the moment of inertia of {body.name} about its centre of mass"
            yield Meaning("moment of inertia", about, lambda: values.inertia_about(axes[0], body))

    def _own_force(self, name: Name) -> Meaning | None:
        """Q_1 as the generalised force of the first coordinate that the document defines: the powers are the same."""
        n, letters = self.values.n, dict.fromkeys(word.rstrip("0123456789") for word in self.coordinates)
        own = [[f"{letter}{k}" for k in range(1, n + 1)] for letter in letters]
        words = next((words for words in own if self.coordinates.issuperset(words)), None)
        if words is None or not name.lower.isdigit() or not 1 <= int(name.lower) <= n:
            return None

        def force() -> Value:
            angles = column([self.evaluate(self.definitions[word], self) for word in words])
            slopes = table([[partial(x, q) for q in self.values.exact.coordinates] for x in entries(angles)])
            forces = multiplied(inverted(transposed(slopes)), column(self.equations.tau.values))
            return [*entries(forces)][int(name.lower) - 1]

        about = f"{shown(name)}, the generalised force of {words[int(name.lower) - 1]}"
        return Meaning("own force", about, force, about, True)

    def _common(self, name: Name) -> Iterator[Meaning]:
        """The meanings of the name that this one is a common spelling of."""
        for other in in_common(name, self.text):
            still, rest = replace(other, dots=0), shown(name)
            forces = tuple(islice(force_meanings(still, self.values), 1))
            for each in forces or motion_meanings(still, self.values):
                meant = self._moving(replace(other, dots=other.dots - name.dots), each)
                words = meant.about.removeprefix(f"{shown(still)}, ")
                yield replace(meant, about=f"{rest}, {words}", read_as=words, is_loose=name.letter in "ku")

    def _moving(self, name: Name, meaning: Meaning) -> Meaning:
        """The meaning of a name with its dots."""
        if not name.dots:
            return meaning
        about = f"d/dt of {meaning.about}" if name.dots == 1 else f"d2/dt2 of {meaning.about}"
        return replace(meaning, about=about, find=lambda: self.rate(meaning.find(), name.dots, name.span))

    def _moved(self, name: Name) -> Value:
        """A name that the document defines, with its dots, as this scope reads the definition."""
        return self.rate(self._defined(replace(name, dots=0)), name.dots, name.span)

    def _marked(self, name: Name, use: Use) -> Iterator[Meaning]:
        """The meanings of a word whose letters say that it is a time derivative."""
        word = f"{name.letter}{name.lower}".replace("_", "")
        for form in _MARKED:
            match = form.fullmatch(word)
            is_index = name.lower[:1].isdigit() or name.lower in ("", "d", "dd")
            if match is None or name.style or not is_index:
                continue
            dots = 2 if match["mark"] in ("dd", "ddot") else 1
            still = replace(name, letter=match["stem"], lower=match["index"], dots=name.dots + dots)
            found = [each for each in self._in_order(still, use) if each.kind != "symbol"]
            if name.lower in ("d", "dd"):  # theta_d; F_d is no rate
                found = [each for each in found if each.kind.startswith("coordinate")]
            if found:
                is_guess = form is _MARKED[0]  # dL may be anything, dq1 is a speed
                for each in found:
                    is_coordinate = each.kind == "coordinate"
                    taken = with_dots(each.read_as, still.dots) if is_coordinate and each.read_as else each.read_as
                    yield replace(
                        each, read_as=taken, is_loose=each.is_loose or (is_guess and each.kind != "coordinate")
                    )
                return

    def _last(self, name: Name, use: Use) -> Iterator[Meaning]:
        """The meanings of a name whose index n stands for the last link."""
        if name.lower == "n":
            yield from self._in_order(replace(name, lower=str(self.values.n)), use)

    def _defined(self, name: Name) -> Value:
        """The value of a name that the document defines; the definition must not need the name itself."""
        if spelled(name) in self.defining:
            raise WrittenError(name.span, f"{shown(name)} is defined in terms of itself.")
        if len(self.defining) >= MAX_DEFINITIONS:
            raise WrittenError(name.span, f"more than {MAX_DEFINITIONS} definitions depend on each other in a chain.")
        key = ("no value", spelled(name), frozenset(self.chosen.items()))
        scope = replace(self, defining=self.defining | {spelled(name)})
        try:
            if key not in self.cache:
                return self.evaluate(self.definitions[spelled(name)], scope)
        except WrittenError as problem:
            reason = f"{where_of(self.text, problem.span[0])}: {problem.message}"
            self.cache[key] = reason if UNKNOWN not in reason else reason.partition(UNKNOWN)[2]
        raise WrittenError(name.span, f"{shown(name)}{UNKNOWN}{self.cache[key]}")

    def _listed(self) -> list[str]:
        printed = [self.values.printed(i) for i in range(self.values.n)]
        speeds = [with_dots(name, 1) for name in printed]
        return [*self.arm.defaults, *printed, *speeds, *self.values.forces, "M", "C", "c", "g", "K", "P", "L", "J"]


def one_of(letter: str) -> str:
    """A letter, the same one for all coordinates of a point."""
    return "x" if letter in AXES else letter


def base(kind: str) -> str:
    """What a kind is of, whichever parts of it are meant: "com" of a centre of mass, its height or its Jacobian."""
    return kind.partition(",")[0].removesuffix(ALONG).removesuffix(" in the plane")


def _is_no_rival(quantity: Meaning, plain: Sequence[Meaning], use: Use) -> bool:
    """Whether a name that the arm itself has can be this quantity as well.

    A symbol can where that is no coordinate of a point; a coordinate where it stands alone for a vector or a matrix.
    """
    if all(each.kind == "symbol" for each in plain):
        return not quantity.kind.endswith(ALONG)
    return any(each.kind == "coordinates" for each in plain) or (use != "part" and is_table(quantity.find()))
