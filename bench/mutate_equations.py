"""What `leverarm check` says of right equations with one token changed: python bench/mutate_equations.py.

Right equations of seven arms come from SymPy, are written in three hands, and lose, gain or change one token, picked
uniformly. Whether the outcome is still true is known from the tree that was changed, in floats at random states:
leverarm's reader has no part in it. A correction is right if leverarm calls the corrected line equal, the oracle does
not refute it, and the left side is as it was.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import leverarm as la
from mutate_arms import ARMS, Equation, Left, machine, right_equations
from mutate_conventions import convention
from mutate_tokens import Slip, slips
from mutate_tree import GENERIC, LATEX, PLAIN, TEXTBOOK, Hand, NotRead, read, written
from running import say

NUMBER = 2000


@dataclass(frozen=True, slots=True)
class Mutation:
    """A right equation, and the same with one token changed, in someone's hand; `is_true`: it is still right."""

    right: str
    text: str
    kind: str
    hand: str
    equation: Equation
    is_true: bool


@dataclass(frozen=True, slots=True)
class Answer:
    """What the checker said of a mutation, how long it took [s of processor time], and what its correction is worth.

    `convention` is under what the oracle finds a wrong equation right, if it was accepted by convention.
    """

    mutation: Mutation
    status: str
    said: str
    seconds: float
    corrected: str | None = None
    is_right: bool = False
    convention: str | None = None

    @property
    def is_found(self) -> bool:
        return self.status in ("different", "unreadable")

    @property
    def restores(self) -> bool:
        """Whether the correction gives back the text from before the change."""
        return self.corrected is not None and _bare(self.corrected) == _bare(self.mutation.right)


def _bare(text: str) -> str:
    return "".join(text.split())


def hands(arm: str) -> tuple[Hand, ...]:
    """Three hands for an arm: plain text writes q1 for theta1 where nothing else is a coordinate."""
    is_generic = all(each.startswith("theta") and each != "theta" for each in machine(arm).coordinates)
    return (GENERIC if is_generic else PLAIN), LATEX, TEXTBOOK


def left_side(left: Left, hand: Hand) -> str:
    """The quantity that an equation is about, in someone's hand."""
    letter = r"\tau" if (left.quantity, hand.title) == ("tau", "LaTeX") else left.quantity
    index = "".join(map(str, left.indices))
    match hand.title, index:
        case _, "":
            return letter
        case "LaTeX", _:
            return f"{letter}_{{{index}}}" if len(index) > 1 else f"{letter}_{index}"
        case _:
            return f"{letter}{'_' if left.quantity == 'c' else ''}{index}"


def line(equation: Equation, hand: Hand) -> str:
    return f"{left_side(equation.left, hand)} = {written(equation.right, hand)}"


@lru_cache
def _choices(arm: str) -> tuple[tuple[Equation, ...], ...]:
    """The equations of an arm by what they are about: tau, M, c, g, K, P, L, the tool's position."""
    found: dict[str, list[Equation]] = {}
    for left, equations in right_equations(arm).items():
        found.setdefault("tool" if left.quantity in ("x", "y", "z") else left.quantity, []).extend(equations)
    return tuple(tuple(each) for each in found.values())


def mutations(number: int, seed: int, arms: Sequence[str] = ARMS) -> Iterator[Mutation]:
    """Mutations in a repeatable order; arms, kinds of quantities, hands and tokens are equally frequent."""
    for i in range(number):
        chance = random.Random(f"{seed} {i}")
        arm = chance.choice(arms)
        equation = chance.choice(chance.choice(_choices(arm)))
        hand = chance.choice(hands(arm))
        slip: Slip = chance.choice(chance.choice(slips(equation, machine(arm))))
        is_true = machine(arm).holds(slip.equation.left, slip.equation.right)
        yield Mutation(line(equation, hand), line(slip.equation, hand), slip.kind, hand.title, slip.equation, is_true)


@lru_cache
def _arm(name: str) -> la.Arm:
    return la.load(name)


def answer(mutation: Mutation) -> Answer:
    """Lets leverarm check a mutation, and checks its correction twice: by leverarm and by the oracle."""
    arm, equation = _arm(mutation.equation.arm), mutation.equation
    start = time.process_time()
    try:
        verdicts = la.check(arm, mutation.text)
    except Exception as error:
        return Answer(mutation, "raised", f"{type(error).__name__}: {error}", time.process_time() - start)
    seconds = time.process_time() - start
    worst = next((each for each in verdicts if each.status == verdicts.status), None)
    if worst is None:
        return Answer(mutation, "no verdict", "", seconds)
    said = worst.convention or worst.message
    if worst.status == "equal by convention" and not mutation.is_true:
        known = convention(machine(equation.arm), equation.left, equation.right)
        return Answer(mutation, worst.status, said, seconds, convention=known)
    if worst.suggestion is None:
        return Answer(mutation, worst.status, said, seconds)
    first, last = worst.suggestion.span
    corrected = mutation.text[:first] + worst.suggestion.meant + mutation.text[last:]
    is_right = la.check(arm, corrected).status == "equal" and not refuted(equation, corrected)
    return Answer(mutation, worst.status, said, seconds, corrected, is_right)


def refuted(equation: Equation, text: str) -> bool:
    """Whether the oracle can read a text and finds it wrong, or another left side than was written."""
    arm = machine(equation.arm)
    left, _, right = text.partition("=")
    lefts = {_bare(left_side(equation.left, hand)) for hand in hands(equation.arm)}
    try:
        return _bare(left) not in lefts or not arm.holds(equation.left, read(right, arm.names))
    except NotRead:
        return False


def run(number: int, seed: int, arms: Sequence[str] = ARMS) -> list[Answer]:
    """Checks many mutations, with a word on progress."""
    answers = []
    for each in mutations(number, seed, arms):
        answers.append(answer(each))
        if len(answers) % 100 == 0:
            say(f"{len(answers)} of {number}")
    return answers


def wrongly_refused(arms: Sequence[str] = ARMS) -> list[str]:
    """The right equations, in all hands, that the checker does not call equal."""
    lines = [
        (arm, line(equation, hand))
        for arm in arms
        for equations in _choices(arm)
        for equation in equations
        for hand in hands(arm)
    ]
    say(f"{len(lines)} right equations")
    checked = ((arm, text, la.check(_arm(arm), text).status) for arm, text in lines)
    return [f"{status}: {arm}: {text}" for arm, text, status in checked if status != "equal"]


LISTS: tuple[tuple[str, Callable[[Answer], bool]], ...] = (
    ("CALLED EQUAL, BUT WRONG", lambda each: each.status == "equal" and not each.mutation.is_true),
    ("right, but not called equal", lambda each: each.status != "equal" and each.mutation.is_true),
    ("not judged", lambda each: each.status in ("raised", "no verdict", "defined, not checked")),
    (
        "accepted by a convention that the oracle does not know",
        lambda each: _is_accepted(each) and each.convention is None,
    ),
    ("accepted by convention", lambda each: _is_accepted(each) and each.convention is not None),
    ("corrected wrongly", lambda each: each.corrected is not None and not each.is_right),
)
"""What a person should look at."""


def _is_accepted(each: Answer) -> bool:
    return each.status == "equal by convention" and not each.mutation.is_true


COLUMNS: tuple[tuple[str, Callable[[Answer], bool]], ...] = (
    ("number", lambda each: True),
    ("still true", lambda each: each.mutation.is_true),
    ("called equal", lambda each: each.status == "equal" and each.mutation.is_true),
    ("wrong", lambda each: not each.mutation.is_true),
    ("found", lambda each: each.is_found and not each.mutation.is_true),
    ("CALLED EQUAL", lambda each: each.status == "equal" and not each.mutation.is_true),
    ("convention", _is_accepted),
    ("corrected", lambda each: each.corrected is not None and not each.mutation.is_true),
    ("rightly", lambda each: each.is_right and not each.mutation.is_true),
    ("restored", lambda each: each.is_right and each.restores and not each.mutation.is_true),
)


def table(answers: Sequence[Answer]) -> str:
    """Counts for each kind of change, hand and arm, and of all."""
    by: tuple[tuple[str, Callable[[Answer], str]], ...] = (
        ("change", lambda each: each.mutation.kind),
        ("hand", lambda each: each.mutation.hand),
        ("arm", lambda each: each.mutation.equation.arm),
        ("all", lambda _: "all"),
    )
    lines = []
    for title, key in by:
        lines += ["", f"{title:<24}" + "".join(f"{column:>14}" for column, _ in COLUMNS)]
        for group in sorted({key(each) for each in answers}):
            row = [each for each in answers if key(each) == group]
            lines.append(f"{group:<24}" + "".join(f"{sum(map(test, row)):>14}" for _, test in COLUMNS))
    return "\n".join(lines)


def summary(answers: Sequence[Answer]) -> str:
    """Shares, and times of a verdict."""
    counts = {title: sum(map(test, answers)) for title, test in COLUMNS}
    seconds = [each.seconds for each in answers]
    median, longest = statistics.median(seconds) * 1e3, max(answers, key=lambda each: each.seconds)

    def share(part: str, whole: str) -> str:
        return f"{counts[part]} of {counts[whole]} ({100 * counts[part] / max(1, counts[whole]):.1f} %)"

    return "\n".join(
        [
            f"wrong equations found          {share('found', 'wrong')}",
            f"wrong equations called equal   {share('CALLED EQUAL', 'wrong')}",
            f"accepted by convention         {share('convention', 'wrong')}",
            f"true ones called equal         {share('called equal', 'still true')}",
            f"corrections offered            {share('corrected', 'found')}",
            f"corrections right              {share('rightly', 'corrected')}",
            f"of these, the text from before {share('restored', 'rightly')}",
            f"processor time of a verdict    {median:.0f} ms (median), {longest.seconds:.2f} s (longest)",
            f"longest                        {longest.mutation.equation.arm}: {longest.mutation.text}",
        ]
    )


def listed(answers: Sequence[Answer]) -> str:
    """Every answer that a person should look at, with its text."""
    lines = []
    for title, test in LISTS:
        chosen = [each for each in answers if test(each)]
        lines += ["", f"{title}: {len(chosen)}"]
        for each in chosen:
            lines.append(f"  {each.mutation.equation.arm}, {each.mutation.kind}: {each.mutation.text}")
            lines.append(f"      from       {each.mutation.right}")
            lines += [f"      corrected  {each.corrected}"] if each.corrected is not None else []
            lines += [f"      oracle     {each.convention}"] if each.convention is not None else []
            lines.append(f"      {each.status}: {' '.join(each.said.split())[:300]}")
    return "\n".join(lines)


def main() -> None:
    """Prints tables, shares and everything that a person should look at. Ends with 1 if a wrong one is called equal."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--number", type=int, default=NUMBER, help=f"how many mutations ({NUMBER})")
    parser.add_argument("--seed", type=int, default=0, help="another seed gives other mutations (0)")
    parser.add_argument("--arm", choices=ARMS, action="append", help="only this arm; may be repeated")
    given = parser.parse_args()
    arms = given.arm or ARMS
    refused = wrongly_refused(arms)
    answers = run(given.number, given.seed, arms)
    print("\n".join([f"right equations not called equal: {len(refused)}", *refused]))
    print(table(answers), "", summary(answers), listed(answers), sep="\n")
    sys.exit(any(each.status == "equal" and not each.mutation.is_true for each in answers))


if __name__ == "__main__":
    main()
