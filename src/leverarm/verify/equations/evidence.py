"""Whether a wrong equation is evidence of a convention, or could as well be a slip of the pen."""

from __future__ import annotations

import re
from collections.abc import Iterator

from leverarm.notation.tree import Call, Name, Node, parts
from leverarm.verify.equations.algebra import equal, fits, is_table, negated, size, subtracted
from leverarm.verify.equations.alternatives import Alternative
from leverarm.verify.equations.conventions import ANY, NONE
from leverarm.verify.equations.corrections import slip_of
from leverarm.verify.equations.definitions import is_torque
from leverarm.verify.equations.evaluation import value_of
from leverarm.verify.equations.indices import depth_of, letters_of
from leverarm.verify.equations.readings import Case
from leverarm.verify.equations.scope import ACCELERATIONS, LETTERS_OF_THE_ARM, POSITIONS, SPEEDS, Scope
from leverarm.verify.equations.verdict import WrittenError

OF_THIS_ARM = {"symbol", "cosine", "definition", "given", "number"}
"""Kinds of names that an equation about one arm has."""


def turned_energy(case: Case) -> str | None:
    """What to say of K + P for the Lagrangian, and of K - P for the total energy; None of other equations."""
    eq, coordinates = case.scope.equations, case.scope.values.exact.coordinates
    if is_table(case.value) or is_table(case.wanted) or depth_of(case.value, coordinates) != SPEEDS:
        return None
    if depth_of(case.value - case.wanted, coordinates) != POSITIONS:
        return None
    if case.wanted == eq.L.value and not depth_of(case.value - eq.H.value, coordinates):
        return "This is K + P; the Lagrangian is K - P."
    if case.wanted == eq.H.value and not depth_of(case.value - eq.L.value, coordinates):
        return "This is K - P; the total energy is K + P."
    return None


def could_be_a_slip(case: Case, alternative: Alternative) -> bool:
    """Whether a single mistake gives the same equation: then it is no evidence of a convention.

    So it is where what the convention changes is written only once, or where a single term is off. An equation of
    gravity alone with the other sign is one by convention: gravity, or g on the other side of the equation. In the
    equation of a generalised force with right inertia, an angle from the vertical is one unless one mark undoes it.
    """
    if turned_energy(case) is not None:
        return True
    if equal(case.value, negated(case.wanted)):
        return alternative.about != "gravity's sign"
    if alternative.alone in (ANY, NONE):
        return alternative.alone == NONE  # what is left out may have been forgotten
    if is_plumb(alternative) and is_equation_of_motion(case):
        return slip_of(case) is not None
    if sum(1 for _ in _places(case, alternative)) < 2:
        return True
    return size(subtracted(case.value, case.wanted)) < 2 or slip_of(case) is not None


def is_plumb(alternative: Alternative) -> bool:
    """Whether another description measures the first angle of a chain from the vertical, or no longer does."""
    return alternative.about == "an angle's zero" and re.search("vertical|horizontal", alternative.words) is not None


def is_equation_of_motion(case: Case) -> bool:
    """Whether an equation gives a generalised force with accelerations, all of whose terms are right."""
    coordinates = case.scope.values.exact.coordinates
    if depth_of(case.value, coordinates) != ACCELERATIONS or not fits(case.value, case.wanted):
        return False
    return depth_of(subtracted(case.value, case.wanted), coordinates) < ACCELERATIONS and is_torque(case)


def _places(case: Case, alternative: Alternative) -> Iterator[Node]:
    """The places of the written formula where something stands that the convention gives another meaning."""
    waiting = [case.written]
    while waiting:
        match node := waiting.pop():
            case Name() | Call():
                if _letters(case, node) & alternative.touches and not _is_quantity(node, case.scope):
                    yield node
            case _:
                waiting += parts(node)


def _is_quantity(node: Node, scope: Scope) -> bool:
    """Whether a name is a quantity of the arm, v_2, which every description of it has: none shows in it."""
    match node:
        case Name() if scope.meanings(node):
            return scope.meaning(node).kind not in {*OF_THIS_ARM, *LETTERS_OF_THE_ARM}
    return False


def _letters(case: Case, node: Node) -> set[str]:
    try:
        return letters_of(value_of(node, case.scope))
    except WrittenError:
        return set()
