"""Inertias from shapes, densities and polyhedra; how to weld, move and turn them; whether they are physical."""

from leverarm.model.inertias.algebra import (
    about_com,
    about_point,
    centre_of_mass,
    inertia_from_moments,
    inertia_from_pseudo,
    moved,
    placed,
    pseudo_inertia,
    rotated,
    second_moments,
    welded,
)
from leverarm.model.inertias.density import inertia_of_density
from leverarm.model.inertias.physical import PrincipalAxes, is_physical, physical_defects, principal_axes
from leverarm.model.inertias.polyhedron import inertia_of_polyhedron
from leverarm.model.inertias.shapes import (
    inertia_of_box,
    inertia_of_capsule,
    inertia_of_cone,
    inertia_of_cylinder,
    inertia_of_hollow_cylinder,
    inertia_of_hollow_sphere,
    inertia_of_point,
    inertia_of_rod,
    inertia_of_sphere,
)
from leverarm.model.inertias.solids import Solid, solid
