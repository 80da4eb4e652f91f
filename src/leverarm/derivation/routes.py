"""`la.derive`: an arm's equations of motion by one route, as a document."""

from __future__ import annotations

import re
from collections.abc import Callable

from leverarm._version import __version__
from leverarm.closed_form import Angles, CoordinateNames, equations
from leverarm.derivation.document import Derivation, Part
from leverarm.derivation.force_balance import force_balance
from leverarm.derivation.lagrange import lagrange
from leverarm.derivation.newton_euler import newton_euler
from leverarm.derivation.setting import Setting
from leverarm.errors import InputError, unknown_name
from leverarm.formats import catalog_names, load
from leverarm.formats.native.writer import toml_from_arm
from leverarm.model import Arm

ROUTES: dict[str, Callable[[Setting], tuple[Part, ...]]] = {
    "lagrange": lagrange,
    "newton-euler": newton_euler,
    "force-balance": force_balance,
}
IMPORTS = ("import leverarm as la", "from leverarm.derivation.together import together")
"""What the cells of a notebook need."""

TITLES = {
    "lagrange": "Euler-Lagrange",
    "newton-euler": "Newton-Euler",
    "force-balance": "force balance",
}


def derive(
    arm: Arm, route: str = "lagrange", coordinates: CoordinateNames = "own", angles: Angles = "short"
) -> Derivation:
    """The shown derivation of an arm's equations of motion: parts, steps, sentences and equations.

    `route` is "lagrange", "newton-euler" or "force-balance" (point masses only). Iterating gives the steps; `save` and
    `to_html` and so on turn it into a document.
    """
    if route not in ROUTES:
        raise InputError(unknown_name("route", route, ROUTES))
    setting = Setting(equations(arm, coordinates, angles))
    return Derivation(
        arm=arm.name,
        title=f"{arm.title or arm.name}: equations of motion",
        route=TITLES[route],
        summary=(f"By the {TITLES[route]} route; every formula was computed exactly. leverarm {__version__}.",),
        parts=ROUTES[route](setting),
        writing=setting.eq.notation.writing,
        code=_setup(arm, coordinates, angles),
    )


def _setup(arm: Arm, coordinates: CoordinateNames, angles: Angles) -> str:
    """Python that makes the arm and its closed forms again: from the catalog, or from the arm itself as TOML."""
    if arm.name in catalog_names() and load(arm.name) == arm:
        lines = [*IMPORTS, "", f"arm = la.load({arm.name!r})"]
    else:
        file, text = f"{re.sub(r'[^A-Za-z0-9_-]+', '-', arm.name) or 'arm'}.toml", toml_from_arm(arm)
        lines = ["from pathlib import Path", "", *IMPORTS, ""]
        lines += [f"Path({file!r}).write_text({text!r})", f"arm = la.load({file!r})"]
    chosen = ""
    if (coordinates, angles) != ("own", "short"):
        chosen = f", coordinates={coordinates!r}, angles={angles!r}"
    return "\n".join([*lines, f"eq = la.equations(arm{chosen})"])
