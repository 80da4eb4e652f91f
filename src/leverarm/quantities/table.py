"""The one table of quantities: what M, C, c, g, tau, K, P, J, Lambda, W, ... are, and what computes them.

`leverarm eval`, `la.compile`, `la.export`, `Equations.text`, `la.check` and every `--help` read names, letters,
meanings, units and shapes here. A new quantity is one entry below and one function of mechanics: a route serves
floats, the compiler and closed forms alike, because mechanics runs over any scalar.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from leverarm import mechanics as me
from leverarm.errors import InputError, unknown_name
from leverarm.late_import import late
from leverarm.mechanics import ROWS
from leverarm.model import Arm, Mechanism, has_springs
from leverarm.model.units import Units
from leverarm.quantities import dynamics, operational_space
from leverarm.scalars import Scalar
from leverarm.spatial import Force, Vec3

BY_ROUTE = "by route"
"""The closed form is the first route, run over exact scalars."""
COMPILED_CHOICES = ("frame", "axes", "kinds", "method")
"""Options that are fixed when a quantity is compiled."""
EXTRA_ARGUMENTS = ("wrench", "disturbance", "load")
"""Options that become arguments of a compiled function where they are asked for."""
TORQUES = ("N m", "N")


@dataclass(frozen=True, slots=True)
class Choices:
    """What is fixed when a quantity is computed: a frame, rows of its Jacobian, kinds of parameters, a method."""

    frame: str
    axes: tuple[str, ...] = ROWS
    kinds: tuple[str, ...] = ()
    method: str = "semi-implicit"


@dataclass(frozen=True, slots=True)
class Result:
    """An array: its letter, what it is, its axes (see `AXES`), and its unit.

    The unit is one text, or a pair: that of turning rows (joints that turn, angular directions) and of sliding ones.
    """

    letter: str
    meaning: str
    shape: str = ""
    unit: str | tuple[str, str] = ""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A quantity of the equations of motion: how it is called, what it depends on, and what computes it.

    `meaning` begins with a noun phrase that can stand alone, up to its first comma. `options` are taken besides the
    arguments. `former` are names of the version before.
    """

    name: str
    letter: str
    meaning: str
    arguments: tuple[str, ...]
    shape: str = ""
    unit: str | tuple[str, str] = ""
    options: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    former: tuple[str, ...] = ()
    function: Callable[..., Any] | None = None
    """The typed function over floats. Without one, the first route is run over floats."""
    routes: tuple[Callable[..., Any] | str, ...] = ()
    """Algorithms over any scalar, called with a mechanism, the arguments and the options; the compiler takes the one
    with the fewest operations. The first is the reference. A text names a function of a higher room."""
    closed_form: str = ""
    """An attribute of `Equations`, a method where the quantity is of a frame; or BY_ROUTE."""
    several: tuple[Result, ...] = ()
    """The results, where a route gives more than one."""
    groupings: tuple[bool, ...] = (True,)
    """Which forms of the arm may be traced: as it is (False), or with regrouped inertias (True), which give the same
    torques and accelerations."""

    @property
    def spelled(self) -> str:
        """The name as it is written on the command line."""
        return self.name.replace("_", "-")

    @property
    def noun(self) -> str:
        return self.meaning.partition(",")[0]

    @property
    def title(self) -> str:
        """M(q): mass matrix, rotors included."""
        return f"{self.letter}{_of(self.arguments).strip()}: {self.meaning}"

    def of_arm(self, arm: Arm) -> Quantity:
        """The same, in words that are true of an arm with springs too."""
        return replace(self, meaning=WITH_SPRINGS.get(self.name, self.meaning)) if has_springs(arm) else self

    @property
    def results(self) -> tuple[Result, ...]:
        return self.several or (Result(self.letter, self.noun, self.shape, self.unit),)

    @property
    def choices(self) -> tuple[str, ...]:
        """Options that are fixed when it is compiled. A wrench acts on a frame."""
        chosen = tuple(name for name in COMPILED_CHOICES if name in self.options)
        return ("frame", *chosen) if "wrench" in self.options else chosen

    @property
    def optional(self) -> tuple[str, ...]:
        """Options that a compiled function may take as arguments."""
        return tuple(name for name in EXTRA_ARGUMENTS if name in self.options)

    @property
    def is_evaluable(self) -> bool:
        return self.function is not None or (bool(self.routes) and not self.several)

    def computed(
        self, route: int, mechanism: Mechanism, choices: Choices, given: Mapping[str, Sequence[Scalar]]
    ) -> Sequence[Any]:
        """One (nested) list of scalars per result, by one of the routes, over the scalars of the arm and state."""
        algorithm: Any = self.routes[route]
        algorithm = late(algorithm) if isinstance(algorithm, str) else algorithm
        taken = {_KEYWORDS[name][0]: _KEYWORDS[name][1](choices, given) for name in self.options if name in _KEYWORDS}
        state = [given[name][0] if name == "dt" else given[name] for name in self.arguments]
        found = algorithm(mechanism, *state, **taken)
        return found if self.several else [found]


def _wrenches(choices: Choices, given: Mapping[str, Sequence[Scalar]]) -> dict[str, Force] | None:
    if "wrench" not in given:
        return None
    w = given["wrench"]
    return {choices.frame: Force(Vec3(*w[:3]), Vec3(*w[3:]))}


_KEYWORDS: dict[str, tuple[str, Callable[[Choices, Mapping[str, Sequence[Scalar]]], Any]]] = {
    "frame": ("frame", lambda c, _: c.frame),
    "axes": ("rows", lambda c, _: [ROWS.index(axis) for axis in c.axes]),
    "kinds": ("kinds", lambda c, _: c.kinds or None),
    "method": ("method", lambda c, _: c.method),
    "wrench": ("wrenches", _wrenches),
    "disturbance": ("disturbance", lambda _, a: a.get("disturbance")),
    "load": ("load", lambda _, a: a.get("load")),
}
"""How mechanics takes each option."""


# Shapes and units -----------------------------------------------------------------------------------------------------

AXES: dict[str, Callable[[Arm, Mechanism, Choices], tuple[str, ...]]] = {
    "n": lambda arm, m, c: arm.joint_names,
    "links": lambda arm, m, c: tuple(link.name for link in m.links),
    "k": lambda arm, m, c: c.axes,
    "p": lambda arm, m, c: tuple(p.name for p in me.parameters(m, c.kinds or None)),
    "10 links": lambda arm, m, c: tuple(p.name for p in me.parameters(m, ["inertial"])),
    "6": lambda arm, m, c: ROWS,
    "3": lambda arm, m, c: ("x", "y", "z"),
    "4": lambda arm, m, c: ("x", "y", "z", ""),
    "4'": lambda arm, m, c: ("x-axis", "y-axis", "z-axis", "origin"),
    "causes": lambda arm, m, c: ("joint", "centripetal", "Coriolis", "total"),
    "energies": lambda arm, m, c: ("kinetic", "potential"),
}
"""The names along an axis of a shape such as "n x p": n coordinates, k chosen directions of a frame, p parameters."""


def labels(shape: str, arm: Arm, mechanism: Mechanism, choices: Choices) -> tuple[tuple[str, ...], ...]:
    """Names of the entries along each axis."""
    return tuple(AXES[axis](arm, mechanism, choices) for axis in shape.split(" x ") if axis)


def units(result: Result, arm: Arm, rows: Sequence[str]) -> str | tuple[str, ...]:
    """One unit for all entries, or one per row; of matrices over the coordinates, those that occur."""
    if isinstance(result.unit, tuple):
        angular, linear = result.unit
        turns = Units.of(arm).is_angle if result.shape.startswith("n") else [name.startswith("w") for name in rows]
        return tuple(angular if turn else linear for turn in turns)
    if result.shape == "k x k":
        powers = sorted({row.startswith("w") + column.startswith("w") for row in rows for column in rows})
        return ", ".join(result.unit.replace(" or ", ", ").split(", ")[k] for k in powers)
    head, _, rest = result.unit.partition("kg m^2")
    count = result.shape.split(" x ").count("n")
    if head or count < 2 or result.unit == rest:
        return result.unit
    lengths = {0}
    for _ in range(count):
        lengths = {so_far + (not turns) for so_far in lengths for turns in Units.of(arm).is_angle}
    return ", ".join(("kg m^2", "kg m", "kg", "kg/m")[k] + rest for k in sorted(lengths))


# The table ------------------------------------------------------------------------------------------------------------


def _pose(m: Mechanism, q: Sequence[Scalar], frame: str) -> list[list[Scalar]]:
    pose = me.forward_kinematics(m, q)[frame]
    rows = [[*row, p] for row, p in zip(pose.rotation.rows(), pose.position, strict=True)]
    return [*rows, [0, 0, 0, 1]]


_LOADS = ("wrench", "disturbance")
_POLICY = ("frame", "axes", "singular", "damping")
_EITHER = (True, False)
_Q, _QD, _QDD, _TAU = ("q",), ("q", "qd"), ("q", "qd", "qdd"), ("q", "qd", "tau")

WITH_SPRINGS = {
    "gravity": "torques of gravity and springs, which hold the arm against its weight and its springs",
    "potential_energy": "potential energy, of weight (zero at the world's origin) and springs (zero at rest)",
}
"""What the potential energy and its slope are where joints have springs."""

FACTORISED = {
    "upper": "Coriolis matrix, each product of velocities in the column of the later one; Mdot - 2 C need not be skew",
    "lagrange": "Coriolis matrix, as the terms come out of Lagrange's equations; Mdot - 2 C need not be skew",
}
"""What C is in factorisations for which Mdot - 2 C is not skew-symmetric in general."""

TABLE = (
    Quantity("mass_matrix", "M", "mass matrix, rotors included", _Q, "n x n", "kg m^2",
             function=dynamics.mass_matrix, routes=(me.mass_matrix, me.classical_mass_matrix), closed_form="M"),
    Quantity("coriolis_matrix", "C", "Coriolis matrix, with Mdot - 2 C skew-symmetric", _QD, "n x n", "kg m^2/s",
             ("factorisation",), function=dynamics.coriolis_matrix,
             routes=(me.coriolis_matrix, me.classical_coriolis_matrix), closed_form="C"),
    Quantity("christoffel", "Gamma", "Christoffel symbols of the first kind, with C = Gamma qd", _Q, "n x n x n",
             "kg m^2", function=dynamics.christoffel, closed_form="christoffel"),
    Quantity("coriolis_torques", "c", "Coriolis and centrifugal torques, c = C qd", _QD, "n", TORQUES,
             former=("velocity_forces",), function=dynamics.coriolis_torques, closed_form="c"),
    Quantity("gravity", "g", "gravity torques, which hold the arm against its weight", _Q, "n", TORQUES,
             function=dynamics.gravity, routes=(me.gravity_forces,), closed_form="g"),
    Quantity("friction", "F", "friction torques", ("qd",), "n", TORQUES, ("load",),
             function=dynamics.friction, closed_form="friction"),
    Quantity("viscous_friction", "Fv", "viscous friction torques, F_v qd", ("qd",), "n", TORQUES,
             function=dynamics.viscous_friction, closed_form="viscous_friction"),
    Quantity("dry_friction", "Fd", "dry friction torques, K_d sgn(qd), and constant offsets", ("qd",), "n", TORQUES,
             ("load",), function=dynamics.dry_friction, closed_form="dry_friction"),
    Quantity("joint_loads", "load", "torques that the joints transmit, without acceleration", _QD, "links",
             "N m or N", ("wrench",), function=dynamics.joint_loads, routes=(me.joint_loads, me.classical_joint_loads)),
    Quantity("rotors", "tau_r", "torques that accelerate the rotors, part of M qdd", ("qdd",), "n", TORQUES,
             closed_form="rotors"),
    Quantity("bias", "N", "bias torques, C qd + F(qd) + g, less J^T w where given", _QD, "n", TORQUES, ("wrench",),
             function=dynamics.bias, routes=(me.bias, me.classical_bias), closed_form="bias"),
    Quantity("inverse_dynamics", "tau", "joint torques, M qdd + C qd + F(qd) + g, plus tau_d - J^T w where given", _QDD,
             "n", TORQUES, _LOADS, function=dynamics.inverse_dynamics,
             routes=(me.inverse_dynamics, me.classical_inverse_dynamics), closed_form="tau"),
    Quantity("forward_dynamics", "qdd",
             "joint accelerations, M^-1 (tau - C qd - F(qd) - g), plus M^-1 (J^T w - tau_d) where given", _TAU, "n",
             ("rad/s^2", "m/s^2"), _LOADS, function=dynamics.forward_dynamics,
             routes=(me.forward_dynamics, me.classical_forward_dynamics, me.forward_dynamics_from_rest),
             closed_form="qdd"),
    Quantity("disturbance", "tau_d", "disturbance torques, tau - M qdd - C qd - F(qd) - g", (*_QDD, "tau"), "n",
             TORQUES, closed_form="residual"),
    Quantity("static_torque", "hold", "holding torques, which balance weight and wrenches: g - J^T w", _Q, "n", TORQUES,
             ("wrench",), function=dynamics.static_torque),
    Quantity("wrench_forces", "JTw", "joint torques of a wrench (n, f) on a frame, J^T w", _Q, "n", TORQUES, ("frame",),
             closed_form="wrench_forces"),
    Quantity("euler_lagrange", "EL", "Euler-Lagrange terms, d/dt dL/dqd - dL/dq", _QDD, "n", TORQUES,
             closed_form="euler_lagrange"),
    Quantity("mass_matrix_inverse", "M_inverse", "inverse of the mass matrix", _Q, "n x n",
             "1/(kg m^2), 1/(kg m) or 1/kg", aliases=("minv",), routes=(me.mass_matrix_inverse,),
             closed_form="M_inverse"),
    Quantity("translational_mass_matrix", "M_trans", "translational part of M, the sum of m Jv^T Jv", _Q, "n x n",
             "kg m^2", aliases=("d_trans",), routes=(me.translational_mass_matrix,), closed_form=BY_ROUTE,
             groupings=(False,)),
    Quantity("rotational_mass_matrix", "M_rot", "rotational part of M, the sum of Jw^T R I R^T Jw and the rotors", _Q,
             "n x n", "kg m^2", aliases=("d_rot",), routes=(me.rotational_mass_matrix,), closed_form=BY_ROUTE,
             groupings=(False,)),
    Quantity("mass_matrix_dot", "Mdot", "time derivative of the mass matrix", _QD, "n x n", "kg m^2/s",
             closed_form="M_dot"),
    Quantity("inverse_dynamics_derivatives", "dtau", "derivatives of the joint torques, by q, qd and qdd", _QDD,
             options=("wrench",), routes=(me.inverse_dynamics_derivatives,),
             several=(Result("dtau_dq", "d tau_i/d q_j", "n x n"), Result("dtau_dqd", "d tau_i/d qd_j", "n x n"),
                      Result("M", "d tau_i/d qdd_j, the mass matrix", "n x n"))),
    Quantity("forward_dynamics_derivatives", "dqdd", "derivatives of the joint accelerations, by q, qd and tau", _TAU,
             options=("wrench",), routes=(me.forward_dynamics_derivatives,),
             several=(Result("dqdd_dq", "d qdd_i/d q_j", "n x n"), Result("dqdd_dqd", "d qdd_i/d qd_j", "n x n"),
                      Result("M_inverse", "d qdd_i/d tau_j, the inverse of the mass matrix", "n x n"))),
    Quantity("step", "step", "state one time step later, the torques held constant", (*_TAU, "dt"),
             options=(*_LOADS, "method"),
             routes=("runtime.quantities:step", "runtime.quantities:classical_step",
                     "runtime.quantities:step_from_rest"),
             several=(Result("q", "positions", "n", ("rad", "m")), Result("qd", "velocities", "n", ("rad/s", "m/s")))),
    Quantity("kinetic_energy", "K", "kinetic energy, of links and rotors", _QD, unit="J",
             function=dynamics.kinetic_energy, routes=(me.kinetic_energy,), closed_form="K"),
    Quantity("translational_kinetic_energy", "K_trans", "kinetic energy of translation, of the centres of mass", _QD,
             unit="J", routes=(me.translational_kinetic_energy,), closed_form=BY_ROUTE, groupings=(False,)),
    Quantity("rotational_kinetic_energy", "K_rot", "kinetic energy of rotation, of links about their centres of mass "
             "and of rotors", _QD, unit="J", routes=(me.rotational_kinetic_energy,), closed_form=BY_ROUTE,
             groupings=(False,)),
    Quantity("potential_energy", "P", "potential energy, zero at the world's origin", _Q, unit="J",
             function=dynamics.potential_energy, routes=(me.potential_energy,), closed_form="P", groupings=(False,)),
    Quantity("lagrangian", "L", "Lagrangian, K - P", _QD, unit="J", function=dynamics.lagrangian, closed_form="L"),
    Quantity("hamiltonian", "H", "Hamiltonian, the total energy K + P", _QD, unit="J",
             function=dynamics.hamiltonian, closed_form="H"),
    Quantity("link_energies", "KP", "kinetic and potential energy of each link", _QD, "links x energies", "J",
             function=dynamics.link_energies),
    Quantity("link_kinetic_energies", "Ki", "kinetic energy of each link", _QD, "links", "J",
             closed_form="link_kinetic_energies"),
    Quantity("link_potential_energies", "Pi", "potential energy of each link", _Q, "links", "J",
             closed_form="link_potential_energies"),
    Quantity("momentum", "h", "momentum of the arm, about the world's origin", _QD, "6", ("N m s", "N s"),
             function=dynamics.momentum),
    Quantity("generalised_momentum", "p", "generalised momentum, dL/dqd = M qd", _QD, "n", ("N m s", "N s"),
             aliases=("generalized_momentum",), routes=(me.generalised_momentum,), closed_form="momentum"),
    Quantity("pose", "pose", "pose of a frame in the world", _Q, "4 x 4'", "m", ("frame",), ("forward_kinematics",),
             function=dynamics.forward_kinematics, routes=(_pose,), groupings=_EITHER),
    Quantity("position", "x", "position of a frame", _Q, "3", "m", ("frame",), closed_form="position"),
    Quantity("rotation", "R", "rotation of a frame", _Q, "3 x 3", "", ("frame",), closed_form="rotation"),
    Quantity("jacobian", "J", "Jacobian of a frame, angular rows first: [w; v] = J qd", _Q, "6 x n",
             "rad, m per unit of each joint", ("frame",), function=dynamics.jacobian, routes=(me.jacobian,),
             closed_form="jacobian", groupings=_EITHER),
    Quantity("jacobian_dot", "Jdot", "time derivative of the Jacobian of a frame", _QD, "6 x n",
             "rad, m per unit of each joint and second", ("frame",), function=dynamics.jacobian_dot,
             routes=(me.jacobian_dot,), closed_form="jacobian_dot", groupings=_EITHER),
    Quantity("velocity", "v", "velocity of a frame, world axes", _QD, "6", ("rad/s", "m/s"), ("frame",),
             function=dynamics.velocity),
    Quantity("acceleration", "a", "acceleration of a frame, split by cause", _QDD, "6 x causes", ("rad/s^2", "m/s^2"),
             ("frame",), function=dynamics.acceleration),
    Quantity("operational_inertia", "Lambda", "effective mass at a frame, (J M^-1 J^T)^-1", _Q, "k x k",
             "kg, kg m or kg m^2", _POLICY, function=operational_space.operational_inertia,
             routes=(me.operational_inertia,), closed_form="operational_inertia", groupings=_EITHER),
    Quantity("mobility", "Lambda^-1", "mobility of a frame, J M^-1 J^T: its acceleration per force on it", _Q, "k x k",
             "1/kg, 1/(kg m) or 1/(kg m^2)", ("frame", "axes"), function=operational_space.mobility),
    Quantity("operational_bias", "mu", "Coriolis and centrifugal forces at a frame", _QD, "k", TORQUES, _POLICY,
             function=operational_space.operational_bias),
    Quantity("operational_gravity", "g_x", "gravity forces at a frame", _Q, "k", TORQUES, _POLICY,
             function=operational_space.operational_gravity),
    Quantity("regressor", "W", "regressor, with W phi = tau", _QDD, "n x p", "force per unit of each parameter",
             ("kinds", "load"), function=dynamics.regressor, routes=(me.regressor,), closed_form="regressor",
             groupings=(False,)),
    Quantity("parameters", "phi", "inertial and friction parameters, in which the equations of motion are linear", (),
             "p", "SI", ("kinds",), function=dynamics.parameters, closed_form="parameters"),
    Quantity("base_parameters", "base", "base (minimal) inertial parameters", (), "base", "SI",
             closed_form="base_parameters"),
    Quantity("kinetic_energy_regressor", "wK", "kinetic energy regressor, the row w with w phi = K of the links", _QD,
             "10 links", "J per unit of each parameter", function=dynamics.kinetic_energy_regressor),
    Quantity("potential_energy_regressor", "wP", "potential energy regressor, the row w with w phi = P", _Q,
             "10 links", "J per unit of each parameter", function=dynamics.potential_energy_regressor),
)  # fmt: skip

BOOK_LETTERS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("M", "D", "H", "B", "A"), ("mass_matrix",)),
    **dict.fromkeys(("Vm", "Cm"), ("coriolis_matrix",)),
    "C": ("coriolis_matrix", "coriolis_torques"),
    **dict.fromkeys(("c", "v"), ("coriolis_torques",)),
    **dict.fromkeys(("b", "mu"), ("coriolis_torques", "bias")),
    "V": ("coriolis_torques", "bias", "potential_energy"),
    "h": ("bias", "coriolis_torques"),
    "n": ("bias", "coriolis_torques", "inverse_dynamics"),
    "N": ("bias", "coriolis_torques", "gravity"),
    **dict.fromkeys(("g", "G", "phi", "varphi"), ("gravity",)),
    **dict.fromkeys(("tau", "u", "Q", "f", "Gamma"), ("inverse_dynamics",)),
    "T": ("inverse_dynamics", "kinetic_energy"),
    "F": ("friction", "inverse_dynamics"),
    "p": ("generalised_momentum",),
    **dict.fromkeys(("K", "Ek", "KE", "Ekin"), ("kinetic_energy",)),
    **dict.fromkeys(("P", "U", "Ep", "PE", "Epot"), ("potential_energy",)),
}  # fmt: skip
"""What a letter stands for in books, most likely first: `la.check` tries them all. Elsewhere each quantity has one
letter, and another is answered with what it may mean."""

BY_NAME = {quantity.name: quantity for quantity in TABLE}


def find(given: str, among: Iterable[Quantity] = TABLE) -> Quantity | None:
    """A quantity by letter (C and c differ) or by name, with - or _ between words."""
    name = str(given).lower().replace("-", "_")
    for quantity in among:
        if given == quantity.letter or name in (quantity.name, *quantity.aliases, *quantity.former):
            return quantity
    return None


def also_meant(given: str, among: Iterable[Quantity] = TABLE) -> Quantity | None:
    """What books write with a letter that is another quantity's here: h is c + g, phi the slope of P."""
    found = find(given, among)
    if found is None or given != found.letter or found.name in BOOK_LETTERS.get(given, (found.name,)):
        return None
    return BY_NAME[BOOK_LETTERS[given][0]]


def quantity_named(given: str, among: Iterable[Quantity] = TABLE) -> Quantity:
    """The same. Raises InputError with what a letter of books may mean, or with the nearest and all valid names."""
    known = tuple(among)
    found = find(given, known)
    if found is not None:
        return found
    letters = ", ".join(quantity.letter for quantity in known)
    meant = [f"{q.letter} ({q.noun})" for q in map(BY_NAME.__getitem__, BOOK_LETTERS.get(given, ())) if q in known]
    if meant:
        raise InputError(f"{given!r} stands for {' or '.join(meant)} in books. Say which, by letter: {letters}.")
    message = unknown_name("quantity", str(given), [quantity.spelled for quantity in known])
    raise InputError(f"{message} Or by letter: {letters}.")


def listing(quantities: Iterable[Quantity]) -> str:
    """Lines for `--help`: letter, name, meaning, and what it depends on."""
    return "\n".join(f"{q.letter:<10} {q.spelled:<29} {q.noun}{_of(q.arguments)}" for q in quantities)


def _of(arguments: Sequence[str]) -> str:
    return f" ({', '.join(arguments)})" if arguments else ""
