"""`la.derive`: the equations of motion of an arm by one route, as a document."""

from __future__ import annotations

from collections.abc import Callable

from leverarm._version import __version__
from leverarm.closed_form import Angles, CoordinateNames, equations
from leverarm.derivation.derivation import Derivation
from leverarm.derivation.force_balance import force_balance
from leverarm.derivation.lagrange import lagrange
from leverarm.derivation.newton_euler import newton_euler
from leverarm.derivation.setting import Setting
from leverarm.documents.document import Document, Paragraph, Section
from leverarm.errors import InputError, unknown_name
from leverarm.formats import catalog_names, load
from leverarm.formats.native import toml_from_arm
from leverarm.model import Arm

ROUTES: dict[str, Callable[[Setting], tuple[Section, ...]]] = {
    "lagrange": lagrange,
    "newton-euler": newton_euler,
    "force-balance": force_balance,
}
LETTERS = {
    "K": "the kinetic energy",
    "P": "the potential energy",
    "L": "the Lagrangian",
    "H": "the total energy",
    "M": "the mass matrix",
    "C": "the Coriolis matrix",
    "J": "the Jacobian",
    "tau": "the generalised forces",
}
"""The letters of the document's own quantities."""

IMPORTS = ("import leverarm as la", "from leverarm.derivation import together")
"""What the cells of a notebook import."""

TITLES = {
    "lagrange": "Euler-Lagrange",
    "newton-euler": "Newton-Euler",
    "force-balance": "force balance",
}


def derive(
    arm: Arm, route: str = "lagrange", coordinates: CoordinateNames = "own", angles: Angles = "short"
) -> Derivation:
    """The derivation of an arm's equations of motion: chapters, steps, sentences and equations.

    `route` is "lagrange", "newton-euler" or "force-balance" (point masses only). Iterating gives the steps;
    `save` writes it as a document, `text` prints it. Raises InputError.
    """
    if not isinstance(arm, Arm):
        raise InputError(f"derive: {arm!r} was given; an arm is needed, as from la.load('elbow').")
    if not isinstance(route, str) or route not in ROUTES:
        raise InputError(unknown_name("route", route, ROUTES))
    setting = Setting(equations(arm, coordinates, angles))
    summary = f"By the {TITLES[route]} route, with exact arithmetic: decimals are fractions. leverarm {__version__}."
    document = Document(
        title=f"{arm.title or arm.name}: equations of motion",
        summary=(Paragraph((summary + _shared_letters(arm),)),),
        sections=tuple(ROUTES[route](setting)),
        writing=setting.eq.notation.writing,
        code=_setup(arm, coordinates, angles),
    )
    return Derivation(arm.name, TITLES[route], document)


def _shared_letters(arm: Arm) -> str:
    """A warning where a symbol of the arm is also the letter of one of the document's own quantities."""
    shared = [name for name in LETTERS if name in arm.defaults]
    if not shared:
        return ""
    also = ", ".join(LETTERS[name] for name in shared)
    return f" Note: {', '.join(shared)} is both a symbol of the arm and the letter of {also}."


def _setup(arm: Arm, coordinates: CoordinateNames, angles: Angles) -> str:
    """Python that builds the arm and its closed forms again: from the catalog, else from TOML inside it."""
    chosen = "" if (coordinates, angles) == ("own", "short") else f", coordinates={coordinates!r}, angles={angles!r}"
    if arm.name in catalog_names() and load(arm.name) == arm:
        made = (*IMPORTS, "", f"arm = la.load({arm.name!r})")
    else:
        made = (*IMPORTS, "from leverarm.formats.native import arm_from_toml", "", _from_toml(toml_from_arm(arm)))
    return "\n".join((*made, f"eq = la.equations(arm{chosen})"))


def _from_toml(text: str) -> str:
    """The TOML line by line, where nothing in it could end the string."""
    is_plain = '"""' not in text and "\\" not in text
    return f'arm = arm_from_toml("""\n{text}""")' if is_plain else f"arm = arm_from_toml({text!r})"
