"""Mass properties of bodies: `la.inertia.box(mass=2, size=(0.1, 0.1, 0.4))`, from shapes, meshes and density functions.

Also what can be done with them: moved, rotated, welded, checked for physical consistency.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from leverarm.formats.mesh import inertia_of_mesh as mesh
from leverarm.late_import import late
from leverarm.model.expression import Quantity
from leverarm.model.inertias import (
    PrincipalAxes,
    Solid,
    about_com,
    about_point,
    centre_of_mass,
    is_physical,
    moved,
    physical_defects,
    placed,
    principal_axes,
    pseudo_inertia,
    rotated,
    second_moments,
    solid,
    welded,
)
from leverarm.model.inertias import inertia_from_moments as from_moments
from leverarm.model.inertias import inertia_from_pseudo as from_pseudo_inertia
from leverarm.model.inertias import inertia_of_box as box
from leverarm.model.inertias import inertia_of_capsule as capsule
from leverarm.model.inertias import inertia_of_cone as cone
from leverarm.model.inertias import inertia_of_cylinder as cylinder
from leverarm.model.inertias import inertia_of_density as density
from leverarm.model.inertias import inertia_of_hollow_cylinder as hollow_cylinder
from leverarm.model.inertias import inertia_of_hollow_sphere as hollow_sphere
from leverarm.model.inertias import inertia_of_point as point
from leverarm.model.inertias import inertia_of_polyhedron as polyhedron
from leverarm.model.inertias import inertia_of_rod as rod
from leverarm.model.inertias import inertia_of_sphere as sphere

if TYPE_CHECKING:
    from leverarm.derivation import Derivation

__all__ = [
    "PrincipalAxes",
    "about_com",
    "about_point",
    "box",
    "capsule",
    "centre_of_mass",
    "cone",
    "cylinder",
    "density",
    "from_moments",
    "from_pseudo_inertia",
    "hollow_cylinder",
    "hollow_sphere",
    "integrals",
    "is_physical",
    "mesh",
    "moved",
    "physical_defects",
    "placed",
    "point",
    "polyhedron",
    "principal_axes",
    "pseudo_inertia",
    "rod",
    "rotated",
    "second_moments",
    "solid",
    "sphere",
    "welded",
]


def integrals(rho: str | Quantity, over: Solid, values: Mapping[str, float] | None = None) -> Derivation:
    """The integrals behind `density`, every step shown, as a document: m, h and the inertia tensor of a `solid`.

    `values` of all symbols give the ten numbers as well. `save` writes it, `text` prints it. Raises InputError.
    """
    shown: Derivation = late("derivation.mass_integrals:integrals")(rho, over, values)
    return shown
