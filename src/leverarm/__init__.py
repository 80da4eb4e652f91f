"""leverarm: equations of motion of robot arms that you can read, trust and run.

An arm comes from the catalog, a file or a builder; every quantity of the robot equation

    M(q) qdd + C(q, qd) qd + F(qd) + g(q) + tau_d = tau + J^T w

is one plain function of it.

>>> import leverarm as la
>>> arm = la.load("elbow")
>>> la.mass_matrix(arm, [0, 0])
array([[5., 2.],
       [2., 1.]])
"""

from typing import TYPE_CHECKING, Any

from leverarm import mechanics
from leverarm._version import __version__
from leverarm.errors import LeverarmError
from leverarm.evaluate import (
    acceleration,
    bias,
    christoffel,
    coriolis_matrix,
    forward_dynamics,
    forward_kinematics,
    friction,
    gravity,
    hamiltonian,
    inverse_dynamics,
    jacobian,
    jacobian_dot,
    kinetic_energy,
    kinetic_energy_regressor,
    lagrangian,
    link_energies,
    mass_matrix,
    mobility,
    momentum,
    operational_bias,
    operational_gravity,
    operational_inertia,
    parameter_names,
    parameters,
    potential_energy,
    potential_energy_regressor,
    regressor,
    static_torque,
    task_axes,
    velocity,
    velocity_forces,
)
from leverarm.formats import (
    catalog_names,
    from_dh,
    from_screws,
    inertia_of_mesh,
    load,
    planar,
    save,
    to_dh,
    to_screws,
)
from leverarm.lint import Finding, lint
from leverarm.model import (
    Arm,
    Body,
    Frame,
    Friction,
    Joint,
    JointKind,
    Limits,
    MassProperties,
    Motor,
    Placement,
    Quantity,
    bind,
    format_quantity,
    inertias,
    lock,
    parse_quantity,
    symbol,
    symbols_of,
    to_float,
    with_values,
)
from leverarm.model.inertias import (
    inertia_of_box,
    inertia_of_capsule,
    inertia_of_cone,
    inertia_of_cylinder,
    inertia_of_density,
    inertia_of_hollow_cylinder,
    inertia_of_hollow_sphere,
    inertia_of_point,
    inertia_of_rod,
    inertia_of_sphere,
)
from leverarm.model.symbolic import symbolic
from leverarm.spatial import Inertia, Symmetric3, Vec3

if TYPE_CHECKING:
    from leverarm.closed_form import Equations, Formula, Formulas, equations
    from leverarm.closed_form.sheet import closed_forms, save_equations, write_equations
    from leverarm.derivation import Derivation, derive
    from leverarm.derivation.documents import save_derivation, terminal_derivation
    from leverarm.runtime.bridges import to_casadi, to_jax, to_numpy, to_torch
    from leverarm.runtime.cache import (
        CacheEntry,
        CacheStatus,
        CacheWarning,
        cache_entries,
        cache_folder,
        cache_status,
        clear_cache,
    )
    from leverarm.runtime.calls.threads import set_threads
    from leverarm.runtime.compiled import CompiledArm, compile
    from leverarm.runtime.export import Bundle, compilable, export, export_targets, export_text, save_export

__all__ = [
    "Arm",
    "Body",
    "Bundle",
    "CacheEntry",
    "CacheStatus",
    "CacheWarning",
    "CompiledArm",
    "Derivation",
    "Equations",
    "Finding",
    "Formula",
    "Formulas",
    "Frame",
    "Friction",
    "Inertia",
    "Joint",
    "JointKind",
    "LeverarmError",
    "Limits",
    "MassProperties",
    "Motor",
    "Placement",
    "Quantity",
    "Symmetric3",
    "Vec3",
    "__version__",
    "acceleration",
    "bias",
    "bind",
    "cache_entries",
    "cache_folder",
    "cache_status",
    "catalog_names",
    "christoffel",
    "clear_cache",
    "closed_forms",
    "compilable",
    "compile",
    "coriolis_matrix",
    "derive",
    "equations",
    "export",
    "export_targets",
    "export_text",
    "format_quantity",
    "forward_dynamics",
    "forward_kinematics",
    "friction",
    "from_dh",
    "from_screws",
    "gravity",
    "hamiltonian",
    "inertia_of_box",
    "inertia_of_capsule",
    "inertia_of_cone",
    "inertia_of_cylinder",
    "inertia_of_density",
    "inertia_of_hollow_cylinder",
    "inertia_of_hollow_sphere",
    "inertia_of_mesh",
    "inertia_of_point",
    "inertia_of_rod",
    "inertia_of_sphere",
    "inertias",
    "inverse_dynamics",
    "jacobian",
    "jacobian_dot",
    "kinetic_energy",
    "kinetic_energy_regressor",
    "lagrangian",
    "link_energies",
    "lint",
    "load",
    "lock",
    "mass_matrix",
    "mechanics",
    "mobility",
    "momentum",
    "operational_bias",
    "operational_gravity",
    "operational_inertia",
    "parameter_names",
    "parameters",
    "parse_quantity",
    "planar",
    "potential_energy",
    "potential_energy_regressor",
    "regressor",
    "save",
    "save_derivation",
    "save_equations",
    "save_export",
    "set_threads",
    "static_torque",
    "symbol",
    "symbolic",
    "symbols_of",
    "task_axes",
    "terminal_derivation",
    "to_casadi",
    "to_dh",
    "to_float",
    "to_jax",
    "to_numpy",
    "to_screws",
    "to_torch",
    "velocity",
    "velocity_forces",
    "with_values",
    "write_equations",
]

_LOADED_WHEN_ASKED_FOR = {
    "Equations": "closed_form",
    "Formula": "closed_form",
    "Formulas": "closed_form",
    "equations": "closed_form",
    "closed_forms": "closed_form.sheet",
    "save_equations": "closed_form.sheet",
    "write_equations": "closed_form.sheet",
    "Derivation": "derivation",
    "derive": "derivation",
    "save_derivation": "derivation.documents",
    "terminal_derivation": "derivation.documents",
    "CompiledArm": "runtime.compiled",
    "compile": "runtime.compiled",
    "set_threads": "runtime.calls.threads",
    "to_torch": "runtime.bridges",
    "to_numpy": "runtime.bridges",
    "to_jax": "runtime.bridges",
    "to_casadi": "runtime.bridges",
    "save_export": "runtime.export",
    "export_text": "runtime.export",
    "export_targets": "runtime.export",
    "export": "runtime.export",
    "compilable": "runtime.export",
    "Bundle": "runtime.export",
    "CacheEntry": "runtime.cache",
    "CacheStatus": "runtime.cache",
    "CacheWarning": "runtime.cache",
    "cache_entries": "runtime.cache",
    "cache_folder": "runtime.cache",
    "cache_status": "runtime.cache",
    "clear_cache": "runtime.cache",
}


def __getattr__(name: str) -> Any:
    """Closed forms, derivations and the compiler, with what they need, are loaded when they are first asked for."""
    if name not in _LOADED_WHEN_ASKED_FOR:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"{__name__}.{_LOADED_WHEN_ASKED_FOR[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
