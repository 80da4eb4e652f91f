"""The table of base parameters: value, standard error, interval, nominal value, and whether it is identifiable.

Each interval is also drawn, on an axis of its own that includes zero. Names are written as mathematics: link2.Ixx as I
with index xx,2, joint3.viscous as F with index v,3.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from html import escape
from itertools import takewhile

from leverarm.documents import Figure, Mark, Table, Words
from leverarm.identification.report.numbers import percent, short, unit_text, value_and_error
from leverarm.identification.result import Estimate
from leverarm.mechanics.regressor import INERTIAL_NAMES
from leverarm.model import LAWS, SHAFT_LAWS
from leverarm.notation.tree import Indexed, Node, Number, Product, Symbol

WIDTH, MARGIN = 130, 8
"""Of a bar, and the free space at both of its ends."""
MARKS = {
    "origin": '<path style="stroke:var(--soft,#667085)" d="M{x} 0v20"/>',
    "given": '<path style="stroke:var(--purple,#7a5195);stroke-width:2.5" d="M{x} 3v14"/>',
    "consistent": '<circle style="fill:var(--green,#009e73);opacity:.55" cx="{x}" cy="10" r="5.5"/>',
    "estimate": '<circle style="fill:var(--blue,#0072b2)" cx="{x}" cy="10" r="3.5"/>',
}
INTERVAL = '<path style="stroke:var(--blue,#0072b2);stroke-width:3;opacity:.55" d="M{x} 10H{end}"/>'


def interval_bar(estimate: Estimate) -> Figure:
    """Estimate, interval, the value given and the consistent one: short and far from zero is well identified."""
    low, high = estimate.interval
    places = {"origin": 0.0, "given": estimate.cad, "consistent": estimate.consistent, "estimate": estimate.value}
    marks = [x for x in (*places.values(), low, high) if math.isfinite(x)]
    begin, end = min(marks), max(marks)

    def at(x: float) -> float:
        """Position along the bar; an end that is not finite is at its edge."""
        if not math.isfinite(x):
            return 0.0 if x < 0 else WIDTH
        return round(MARGIN + (x - begin) / (end - begin or 1.0) * (WIDTH - 2 * MARGIN), 1)

    drawn = [mark.format(x=at(places[name])) for name, mark in MARKS.items() if math.isfinite(places[name])]
    if not math.isnan(low) and not math.isnan(high):
        drawn.insert(1, INTERVAL.format(x=at(low), end=at(high)))
    text = f"{short(low)} to {short(high)}"
    title = f"<title>{escape(estimate.name)}: {short(estimate.value)}, 95 % interval {text}</title>"
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="20" viewBox="0 0 {WIDTH} 20" role="img">'
    return Figure(f"{head}{title}{''.join(drawn)}</svg>", text=text)


LETTERS = {
    **{name: (name[0], name[1:]) for name in INERTIAL_NAMES},
    **{name: (law.letter[0], law.letter[1:] + "-" * (name != law.name)) for law in LAWS for name in law.fields},
    **{f"motor_{law.name}": (law.letter[0], f"{law.letter[1:]}m") for law in SHAFT_LAWS}, "rotor": ("J", ""),
}  # fmt: skip
"""The letter and index of each kind of parameter; that of its link or joint follows."""
DIGITS = 4
"""Significant digits of a coefficient."""
NO_BREAK = "\u00a0"
_NUMBERED = re.compile(r".*?(\d+)")

Combination = Sequence[tuple[float, str]]
Letters = Callable[[str], Node]
"""The parameter of a name as a letter with an index."""


def letters_of(names: Iterable[str]) -> Letters:
    """The letters of these parameters; a link or joint is its number where that is unique, else its name."""
    owners: dict[bool, dict[str, None]] = {True: {}, False: {}}
    for name in names:
        owner, dot, what = name.rpartition(".")
        if dot:
            owners[what in INERTIAL_NAMES][owner] = None
    found: dict[str, str] = {}
    for group in owners.values():
        numbers = {owner: match[1] for owner in group if (match := _NUMBERED.fullmatch(owner))}
        for owner, shown in zip(group, shortened(tuple(group)), strict=True):
            is_unique = list(numbers.values()).count(numbers.get(owner, "")) == 1
            found[owner] = numbers[owner] if is_unique else shown

    def symbol(name: str) -> Node:
        owner, _, what = name.rpartition(".")
        if what not in LETTERS or owner not in found:
            return Symbol(name)
        letter, index = LETTERS[what]
        behind = found[owner].replace("_", NO_BREAK)
        return Indexed(Symbol(letter), lower=",".join(part for part in (index, behind) if part))

    return symbol


def combination_words(combination: Combination, letters: Letters) -> Words:
    """A sum of parameters, each term a formula of its own, so that a long sum goes over several lines."""
    words: list[str | Node] = []
    for k, (factor, name) in enumerate(combination):
        sign = f"−{NO_BREAK}" if factor < 0 else f"+{NO_BREAK}" if k else ""
        number = Fraction(f"{abs(factor):.{DIGITS}g}")
        term = letters(name) if number == 1 else Product((Number(number), letters(name)))
        words += [f" {sign}" if k else sign, term]
    return tuple(word for word in words if word != "")


def shortened(names: Sequence[str]) -> tuple[str, ...]:
    """Names without the words that all of them begin or end with: shoulder_pan for shoulder_pan_joint."""
    words = [name.split("_") for name in names]
    before, behind = _shared(words), _shared([each[::-1] for each in words])
    shown = tuple("_".join(each[before : len(each) - behind]) for each in words)
    return shown if all(shown) and len(set(shown)) == len(shown) else tuple(names)


def _shared(words: list[list[str]]) -> int:
    """The number of words that all lists begin with."""
    return sum(1 for _ in takewhile(lambda column: len(set(column)) == 1, zip(*words, strict=False)))


HEADS = ("parameter", "value ± standard error", "95 % interval", "nominal", "consistent", "± in %", "identifiable")


def parameter_table(estimates: Sequence[Estimate]) -> Table:
    """A row per base parameter, inertial ones first, then those of friction and drives."""
    letters = letters_of(name for each in estimates for name in (each.name, *(n for _, n in each.combination)))
    groups: dict[str, list[Estimate]] = {"Links": [], "Joints and drives": []}
    for each in estimates:
        groups["Links" if each.name.rpartition(".")[2] in INERTIAL_NAMES else "Joints and drives"].append(each)
    rows = [
        row for title, group in groups.items() if group for row in ((title,), *(_row(each, letters) for each in group))
    ]
    return Table(HEADS, tuple(rows), numeric=(1, 3, 4, 5))


def reason_not_identifiable(estimate: Estimate) -> str:
    """Why a parameter is not identifiable; "" where it is."""
    if estimate.identifiable:
        return ""
    low, high = estimate.interval
    if not math.isfinite(estimate.standard_error):
        return "the motion does not excite it"
    if low <= 0 <= high:
        return "the interval holds zero"
    return f"standard error {percent(estimate.percent)} % of the value"


def _row(estimate: Estimate, letters: Letters) -> tuple[Words | Figure | str, ...]:
    value, error, power = value_and_error(estimate.value, estimate.standard_error)
    number = f"{value} ± {error}" if not power else f"({value} ± {error}){power}"
    combination = estimate.combination
    sum_: Words = (" = ", *combination_words(combination, letters)) if len(combination) > 1 else ()
    reason = reason_not_identifiable(estimate)
    return (
        (letters(estimate.name), f" `{estimate.name}`", *sum_),
        f"{number} {unit_text(estimate.unit)}".rstrip(),
        interval_bar(estimate),
        short(estimate.cad),
        short(estimate.consistent),
        percent(estimate.percent),
        (Mark("no", "fair"), f" {reason}") if reason else (Mark("yes", "good"),),
    )
