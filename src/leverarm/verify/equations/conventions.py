"""The table of conventions: other descriptions of an arm, and other definitions of its quantities.

An entry says what it is about, for which arms or equations it is tried (its pattern), the change, its cost (the
likelier one has the smaller) and its sentence. There are two kinds of change: another description of the arm
(`DESCRIPTIONS`, made in `alternatives.py`), which a document must keep to in all of its equations, and another
definition of the quantity on the left (`DEFINITIONS`, made in `definitions.py`). A change also gives the words for the
braces in the sentence. What prose says of the first kind is in `PROSE`.

To add a convention, write one entry and its test; where no change fits, one function beside those that are there.
`consistency.py` tries all of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Generic, TypeVar

from leverarm.closed_form import Equations, equations
from leverarm.model import Arm, has_friction, has_springs, to_float
from leverarm.scalars.exact import partial as partial_derivative
from leverarm.verify.equations import alternatives, definitions
from leverarm.verify.equations.algebra import is_table, number_of
from leverarm.verify.equations.alternatives import Alternative, Change, both, one_by_one, together
from leverarm.verify.equations.definitions import Meant
from leverarm.verify.equations.indices import depth_of
from leverarm.verify.equations.readings import Case
from leverarm.verify.equations.scope import ACCELERATIONS

Subject = TypeVar("Subject", Equations, Case)
Found = TypeVar("Found", Change, Meant)


@dataclass(frozen=True, slots=True)
class Convention(Generic[Subject, Found]):
    """One convention. `pattern` says where it is tried, `change` what is different with it."""

    about: str
    pattern: Callable[[Subject], bool]
    change: Callable[[Subject], Iterable[Found]]
    cost: int
    sentence: str
    alone: str = "several places"
    """What makes one equation evidence of it: `SEVERAL` places that it changes, `ANY` equation, or `NONE`."""


SEVERAL, ANY, NONE = "several places", "any", "none"


def falls(eq: Equations) -> bool:
    """Whether gravity acts on the arm."""
    return any(part != 0 for part in eq.arm.gravity)


def turns(eq: Equations) -> bool:
    """Whether the arm has an angle."""
    return bool(eq.notation.vocabulary.chains)


def has_chain(eq: Equations) -> bool:
    """Whether several angles of the arm are about parallel axes."""
    return any(len(group) > 1 for group in eq.notation.vocabulary.chains)


def has_links(eq: Equations) -> bool:
    """Whether the arm has bodies at all."""
    return bool(eq.arm.bodies)


def _has_rotors(eq: Equations) -> bool:
    return any(body.joint.motor is not None for body in eq.arm.bodies)


ZERO = "{angle} is measured from {line} ({rules})"
SENSE = "{angles} {are} measured in the opposite sense{zero} ({rules})"
ABSOLUTE = "{angles} {are} measured from {line}, not from the previous link ({rules})"
MOMENTS = "{moments} of inertia about {point}"
A = alternatives

DESCRIPTIONS: tuple[Convention[Equations, Change], ...] = (
    Convention("gravity's sign", falls, A.gravity_turned, 1,
               "gravity acts in the opposite direction (or heights are measured downwards)"),
    Convention("an angle's zero", turns, partial(A.first_angles_shifted, quarters=(-1, 1)), 2, ZERO),
    Convention("an inner angle", has_chain, A.inner_angles_shifted, 3, ZERO),
    Convention("absolute angles", has_chain, partial(A.angles_absolute, ways=((1, 0), (1, -1), (1, 1))), 4, ABSOLUTE),
    Convention("an inner angle", has_chain, A.one_angle_reversed, 5, SENSE),
    Convention("an angle's sense", turns, partial(A.angles_reversed, single=(0,), several=(0, -1, 1)), 6, SENSE),
    Convention("absolute angles", has_chain, partial(A.angles_absolute, ways=((-1, 0), (-1, -1), (-1, 1), (1, 2))), 7,
               ABSOLUTE),
    Convention("the opposite zero", turns, partial(A.first_angles_shifted, quarters=(2,)), 8, ZERO),
    Convention("an angle's sense", turns, partial(A.angles_reversed, single=(-1, 1, 2), several=(2,)), 8, SENSE),
    Convention("inertia", has_links, partial(A.inertias_about_others, grouped=together), 9, MOMENTS),
    Convention("the inertia of one link", has_links, partial(A.inertias_about_others, grouped=one_by_one), 9, MOMENTS),
    Convention("centres of mass", has_links, partial(A.centres_from_far_ends, grouped=together), 9, "{centres}"),
    Convention("the centre of mass of one link", has_links, partial(A.centres_from_far_ends, grouped=one_by_one), 9,
               "{centres}"),
    Convention("friction", lambda eq: has_friction(eq.arm), A.friction_removed, 10, "friction is neglected", ANY),
    Convention("springs", lambda eq: has_springs(eq.arm), A.springs_removed, 10, "springs are neglected", ANY),
    Convention("rotors", _has_rotors, A.rotors_removed, 10, "the rotors' inertia is neglected", ANY),
    Convention("no gravity", falls, A.gravity_removed, 11,
               "gravity is neglected (the arm moves in a horizontal plane)", NONE),
    Convention("gravity's axis", falls, A.gravity_along_others, 12, "gravity acts along the {axis} axis"),
)  # fmt: skip
"""Other descriptions of an arm; the sentence follows "equal if"."""


def always(case: Case) -> bool:
    """Any equation."""
    return True


def _is_entry_of_coriolis_matrix(case: Case) -> bool:
    return definitions.coriolis_entry(case) is not None


def _has_accelerations(case: Case) -> bool:
    return depth_of(case.value, case.scope.values.exact.coordinates) == ACCELERATIONS


def _joint_torques(case: Case) -> Iterator[Meant]:
    absolute = [each for each in single_alternatives(case.scope.arm) if each.about == "absolute angles"]
    return definitions.torques_of_joints(case, absolute)


D = definitions
DEFINITIONS: tuple[Convention[Case, Meant], ...] = (
    Convention("the arm's own numbers", always, D.at_own_numbers, 1, "equal with {numbers}, the arm's own values"),
    Convention("digits", always, D.rounded, 2, "{off}"),
    Convention("free motion", always, D.freely_moving, 3, "equal {free}"),
    Convention("a factorisation", D.is_coriolis_matrix, D.factorised, 4, "equal as {factorisation}"),
    Convention("rows of a factorisation", _is_entry_of_coriolis_matrix, D.by_rows, 5, "equal as {factorisation}"),
    Convention("the level of P", lambda case: not is_table(case.wanted), D.from_other_level, 6, "equal {level}"),
    Convention("the sign of tau", D.is_turned, D.reaction, 7,
               "equal if tau is the torque of the arm on its drives (action = reaction), with the opposite sign"),
    Convention("what V includes", D.is_about_speeds, D.with_more_terms, 8, "equal if {terms}"),
    Convention("rows of a Jacobian", D.is_jacobian, D.other_jacobians, 9, "equal as {rows}"),
    Convention("joint torques", _has_accelerations, _joint_torques, 20,
               "equal if {angles}, while tau_i is still the torque in joint i"),
)  # fmt: skip
"""Other definitions of a quantity. Those that cost less than `AFTER` are tried before other descriptions."""
AFTER = 20

WITH_ANGLES = ("gravity's sign", "no gravity", "inertia", "centres of mass", "friction", "springs", "rotors")
"""What conventions are about that go together with one about angles, or with each other."""
ANGLES = ("an angle's zero", "the opposite zero", "an angle's sense", "absolute angles")
"""What conventions are about that measure the angles of a whole arm otherwise, not an inner one alone."""


@lru_cache(maxsize=32)
def single_alternatives(arm: Arm) -> tuple[Alternative, ...]:
    """The other descriptions of an arm by one convention, the likeliest first."""
    eq = equations(arm)
    return tuple(
        Alternative(each.sentence.format(**change.words), each.about, change.touches, change.of, each.cost, each.alone)
        for each in sorted(DESCRIPTIONS, key=lambda each: each.cost)
        if each.pattern(eq)
        for change in each.change(eq)
    )


@lru_cache(maxsize=32)
def paired_alternatives(arm: Arm) -> tuple[Alternative, ...]:
    """The other descriptions of an arm by two conventions at once."""
    alone = single_alternatives(arm)
    angles = [each for each in alone if each.about in ANGLES]
    others = [each for each in alone if each.about in WITH_ANGLES]
    pairs = [(angle, other) for angle in angles for other in others]
    pairs += [(a, b) for k, a in enumerate(others) for b in others[k + 1 :] if a.about != b.about]
    return tuple(both(*pair) for pair in pairs)


ANGLE = r"\b(?:angles?|measured?|counted|taken|reckoned|theta\w*|phi\w*|q_?\d?)\b[^.;:]{0,60}?"
MEASURED = rf"{ANGLE}\b(?:from|against|with respect to|relative to|to|off) (?:the |an? )?"
DOWN = r"(?:downwards?|downward[- ]pointing|hanging|straight[- ]down|lower|negative)"
UP = r"(?:upwards?|upward[- ]pointing|upright|straight[- ]up|upper|positive)"
HANGING, STANDING = r"(?:straight[- ]down|hanging|downwards?)\b", r"(?:straight[- ]up|upright|inverted|upwards?)\b"
SIGN = r"(?P<sign>positive |negative |\+ ?|- ?)?"
DIRECTION = rf"\bgravit\w*[^.;:]{{0,40}}?\b(?:along|in|towards?) (?:the )?{SIGN}(?P<axis>[xyz])\b"
WAY = r"\bgravity (?:points|acts|is directed|pulls) (?:straight |vertically )?(?:(?P<up>up)|down)(?:wards?)?\b"
DOWNWARDS = r"\b(?:heights?|[yz])\b[^.;:]{0,20}? (?:measured|counted|points?|pointing|positive) down(?:wards?)?\b" \
            r"|\bpositive downwards?\b(?! vertical)"  # fmt: skip
CLOCKWISE = r"\b(?:counter|anti)?[- ]?clockwise\b"
TURNING = rf"{ANGLE}{CLOCKWISE}|{CLOCKWISE} (?:is |as )?(?:positive|angles?)|positive {CLOCKWISE}"
LINES = r"(?:[\w-]+ )?(?:vertical|horizontal|upright|[xyz][- ]*axis|same (?:line|axis|direction))\b"
ABSOLUTE_ANGLES = r"\babsolute (?:joint |link )?(?:angles?|orientations?)\b" \
                  rf"|\bangles? (?:is|are) (?:both |all )?absolute|\b(?:both|all) {MEASURED}{LINES}"  # fmt: skip
WITHOUT = r"\b(?:no|without|neglect\w*|ignor\w*)(?: (?:gravity|the|any|joint|viscous|dry|gravity and|gravity or))?"
IGNORED = r"(?:is|are|may be) (?:neglected|ignored|left out|absent)\b"
Speaks = Callable[[Alternative, re.Match[str], Arm], bool | None]


def _line_in(alternative: Alternative, arm: Arm) -> str:
    """The line that the first angle is measured from by another description; the arm's own where that stays."""
    named = re.search(r"(?:down|up)ward vertical|\bhorizontal|perpendicular|opposite direction", alternative.words)
    chains = equations(arm).notation.vocabulary.chains
    return named[0] if named else alternatives.line_of_zero(equations(arm), chains[0][0][0]) if chains else ""


def _from_line(line: str) -> Speaks:
    return lambda alternative, match, arm: _line_in(alternative, arm) == line


def _named(line: str, other: str) -> Speaks:
    return lambda alternative, match, arm: {line: True, other: False}.get(
        next((each for each in (line, other) if each in alternative.words), "")
    )


_is_plumb, _is_level = _named("vertical", "horizontal"), _named("horizontal", "vertical")


def _from_axis(alternative: Alternative, match: re.Match[str], arm: Arm) -> bool | None:
    fall = to_float(tuple(arm.gravity)["xyz".index(match["axis"])], arm.defaults) * _sign(match)
    line = f"{'down' if fall > 0 else 'up'}ward vertical"
    return _from_line(line)(alternative, match, arm) if fall else _is_level(alternative, match, arm)


def _sign(match: re.Match[str]) -> int:
    return -1 if (match["sign"] or "").strip() in ("-", "negative") else 1


def _turns_otherwise(alternative: Alternative, match: re.Match[str], arm: Arm) -> bool | None:
    """False where angles grow otherwise than is said, seen with gravity downwards, and x or else y to the right."""
    values, fall = alternatives.values_of(alternative, arm), [to_float(part, arm.defaults) for part in arm.gravity]
    along = [k for k in range(3) if fall[k]]
    if values is None or len(along) != 1 or not (chains := values.eq.notation.vocabulary.chains):
        return None
    out = {0: 2, 1: 2, 2: 1}[along[0]]
    turns = [number_of(partial_derivative(omega[out], f"{chains[0][0][0]}.d")) for omega in values.omegas]
    growing = next((turn for turn in turns if turn), 0) * fall[along[0]] * (-1 if along[0] == 1 else 1)
    is_clockwise = re.search("(?:counter|anti)[- ]?clockwise", match[0]) is None
    return False if growing and (growing < 0) is not is_clockwise else None


def _turns_alone(alternative: Alternative, match: re.Match[str], arm: Arm) -> bool | None:
    return True if " and " not in alternative.words.partition(" (")[0].partition("opposite")[2] else None


def _acts_so(alternative: Alternative, match: re.Match[str], arm: Arm) -> bool:
    other = tuple(alternative.change(arm).gravity)
    along = [(k, part) for k, part in enumerate(other) if part != 0]
    return [("xyz"[k], to_float(part, arm.defaults) * _sign(match) > 0) for k, part in along] == [(match["axis"], True)]


def _is_so(alternative: Alternative, match: re.Match[str], arm: Arm) -> bool:
    return True


PROSE: tuple[tuple[str, tuple[str, ...], Speaks], ...] = (
    (TURNING, ANGLES, _turns_otherwise),
    (rf"{MEASURED}{DOWN} vertical|{MEASURED}vertical[^.;:]{{0,20}} {DOWN}\b", ANGLES, _from_line("downward vertical")),
    (rf"{MEASURED}{UP} vertical|{MEASURED}vertical[^.;:]{{0,20}} {UP}\b", ANGLES, _from_line("upward vertical")),
    (rf"{MEASURED}{HANGING}", ANGLES, _from_line("downward vertical")),
    (rf"{MEASURED}{STANDING}", ANGLES, _from_line("upward vertical")),
    (rf"{MEASURED}vertical\b", ANGLES, _is_plumb),
    (rf"{MEASURED}(?:positive |\+ ?)?horizontal\b", ANGLES, _is_level),
    (rf"{MEASURED}{SIGN}(?P<axis>[xyz])[- ]*axis\b", ANGLES, _from_axis),
    (ABSOLUTE_ANGLES, ("absolute angles",), _is_so),
    (TURNING, ("an angle's sense",), _turns_alone),
    (DOWNWARDS, ("gravity's sign",), _is_so),
    (DIRECTION, ("gravity's sign", "gravity's axis"), _acts_so),
    (WAY, ("gravity's sign",), lambda alternative, match, arm: match["up"] is not None),
    (r"\b(?:gravity (?:is|may be) (?:neglected|ignored)|(?:no|without|neglect\w*|ignor\w*) gravity|horizontal plane)\b",
     ("no gravity",), _is_so),
    (rf"{WITHOUT} friction\b|\bfrictionless\b|\bfriction {IGNORED}", ("friction",), _is_so),
    (rf"{WITHOUT} springs?\b|\bsprings? {IGNORED}", ("springs",), _is_so),
)  # fmt: skip
"""What words of a text say of conventions: a pattern, what it is about, and whether it speaks for or against one."""


def said_in(prose: str, alternative: Alternative, arm: Arm) -> bool | None:
    """Whether the words of a text speak for another description, or against it; None where they say nothing of it."""
    if alternative.parts:
        each = [said_in(prose, part, arm) for part in alternative.parts]
        return False if False in each else True if True in each else None
    for pattern, about, speaks in PROSE:
        match = re.search(pattern, prose) if alternative.about in about else None
        if match is not None and (found := speaks(alternative, match, arm)) is not None:
            return found
    return None
