"""`la.derive`: the equations of motion of an arm by one route, as a document."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import get_args

from leverarm._version import __version__
from leverarm.closed_form import Angles, CoordinateNames, equations
from leverarm.derivation.derivation import Derivation
from leverarm.derivation.force_balance import force_balance
from leverarm.derivation.force_balance.route import SETUP as MASSES
from leverarm.derivation.lagrange import lagrange
from leverarm.derivation.newton_euler import newton_euler
from leverarm.derivation.newton_euler.route import setup
from leverarm.derivation.setting import Setting, Tip
from leverarm.documents.document import Block, Code, Document, Paragraph, Section
from leverarm.errors import InputError, unknown_name
from leverarm.formats.loading import python_of_arm
from leverarm.model import Arm


@dataclass(frozen=True, slots=True)
class Route:
    """A way to the equations of motion; `setup` is Python for what the cells of a notebook compute with."""

    title: str
    chapters: Callable[[Setting], tuple[Section, ...]]
    setup: Callable[[Setting], str]


ROUTES = {
    "lagrange": Route("Euler-Lagrange", lagrange, lambda setting: ""),
    "newton-euler": Route("Newton-Euler", newton_euler, setup),
    "force-balance": Route("force balance", force_balance, lambda setting: MASSES),
}
LETTERS = {
    "K": "the kinetic energy",
    "P": "the potential energy",
    "L": "the Lagrangian",
    "H": "the total energy",
    "M": "the mass matrix",
    "N": "the forces without acceleration",
    "C": "the Coriolis matrix",
    "J": "the Jacobian",
    "tau": "the generalised forces",
}
"""The letters of the document's own quantities."""

TOGETHER = "from leverarm.derivation import together"
"""What every notebook imports beside leverarm."""


def derive(
    arm: Arm,
    route: str = "lagrange",
    coordinates: CoordinateNames = "own",
    angles: Angles = "short",
    tip: Tip = "free",
) -> Derivation:
    """The derivation of an arm's equations of motion: chapters, steps, sentences and equations.

    `route` is "lagrange", "newton-euler" or "force-balance" (point masses only). By Newton-Euler the tip may push on
    its surroundings with a "wrench" F_{n+1}. Iterating gives the steps; `save` writes it as a document, `text` prints
    it. Raises InputError.
    """
    if not isinstance(arm, Arm):
        raise InputError(f"derive: {arm!r} was given; an arm is needed, as from la.load('elbow').")
    if not isinstance(route, str) or route not in ROUTES:
        raise InputError(unknown_name("route", route, ROUTES))
    _check_tip(tip, route)
    setting, chosen = Setting(equations(arm, coordinates, angles), tip), ROUTES[route]
    summary = f"By the {chosen.title} route, with exact arithmetic: decimals are fractions. leverarm {__version__}."
    sections, imports = _without_imports(tuple(chosen.chapters(setting)))
    made = (python_of_arm(arm), f"eq = la.equations(arm{_chosen(coordinates, angles)})", chosen.setup(setting))
    document = Document(
        title=f"{arm.title or arm.name}: equations of motion",
        summary=(Paragraph((summary + _shared_letters(arm),)),),
        sections=sections,
        writing=setting.eq.notation.writing,
        code=_first_cell(made, imports),
    )
    return Derivation(arm.name, chosen.title, document)


def _check_tip(tip: str, route: str) -> None:
    if tip not in get_args(Tip):
        raise InputError(unknown_name("tip", str(tip), get_args(Tip)))
    if tip == "wrench" and route != "newton-euler":
        raise InputError(
            f"a wrench at the tip is part of the Newton-Euler route; the route is {route!r}. Choose newton-euler, or "
            "write J^T w with `equations --what JTw`."
        )


def _shared_letters(arm: Arm) -> str:
    """A warning where a symbol of the arm is also the letter of one of the document's own quantities."""
    shared = [name for name in LETTERS if name in arm.defaults]
    if not shared:
        return ""
    also = ", ".join(LETTERS[name] for name in shared)
    return f" Note: {', '.join(shared)} is both a symbol of the arm and the letter of {also}."


def _chosen(coordinates: CoordinateNames, angles: Angles) -> str:
    return "" if (coordinates, angles) == ("own", "short") else f", coordinates={coordinates!r}, angles={angles!r}"


def _without_imports(sections: tuple[Section, ...]) -> tuple[tuple[Section, ...], set[str]]:
    """The sections with the imports taken out of their Python, and these imports: they belong into the first cell."""
    found: set[str] = set()

    def without(block: Block) -> Block:
        if not isinstance(block, Code):
            return block
        imports, rest = _split(block.text)
        found.update(imports)
        return Code("\n".join(rest))

    def within(section: Section) -> Section:
        blocks = tuple(map(without, section.blocks))
        return replace(section, blocks=blocks, sections=tuple(map(within, section.sections)))

    return tuple(map(within, sections)), found


def _split(code: str) -> tuple[list[str], list[str]]:
    """The lines that import from leverarm, and the others."""
    lines = code.splitlines()
    imports = [line for line in lines if line.startswith("from leverarm")]
    return imports, "\n".join(line for line in lines if line not in imports).strip("\n").splitlines()


def _first_cell(made: Iterable[str], imports: set[str]) -> str:
    """All imports, one line for each module, and below them what the cells compute with."""
    found = [_split(code) for code in made]
    names: dict[str, set[str]] = {}
    for line in (TOGETHER, *imports, *(line for own, _ in found for line in own)):
        module, _, given = line.removeprefix("from ").partition(" import ")
        names.setdefault(module, set()).update(given.split(", "))
    lines = [f"from {module} import {', '.join(sorted(those))}" for module, those in sorted(names.items())]
    return "\n".join(("import leverarm as la", *lines, "", *(line for _, rest in found for line in rest)))
