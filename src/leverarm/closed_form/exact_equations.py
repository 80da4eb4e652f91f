"""The closed forms of an arm: every quantity of the equations of motion as exact formulas, computed when asked for."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from leverarm import mechanics as me
from leverarm.closed_form.arm_letters import (
    Angles,
    CoordinateNames,
    ExactArm,
    check_names,
    exact_arm,
    vocabulary_of,
    writing_of,
)
from leverarm.closed_form.base_parameters import BaseParameters, base_parameters
from leverarm.closed_form.formula import Formula, Formulas, Notation
from leverarm.closed_form.size import MAX_TERMS, check_inverse, check_size
from leverarm.errors import InputError, SingularError, unknown_name
from leverarm.late_import import late
from leverarm.mechanics.matrices import apply
from leverarm.model import DRY_LAWS, VISCOUS_LAWS, Arm, force_letters, to_float
from leverarm.scalars import Scalar
from leverarm.scalars.exact import Polynomial, free_symbol, is_exactly_zero, partial, quotient, symbol, time_derivative
from leverarm.spatial import Force, Vec3

if TYPE_CHECKING:
    import sympy


def equations(
    arm: Arm, coordinates: CoordinateNames = "own", angles: Angles = "short", max_terms: int = MAX_TERMS
) -> Equations:
    """The closed forms of an arm.

    `coordinates` are printed by their "own" names where these are letters, or as "theta" or "q" with numbers; `angles`
    are "short" (c1, s12) or "expanded" (cos(theta1)). Every symbol of the arm stays a symbol, every number is exact.

    >>> import leverarm as la
    >>> eq = la.equations(la.load("elbow"))
    >>> eq.M[0, 1].text()
    'm2 a2 (a2 + a1 c2)'
    """
    if not isinstance(arm, Arm):
        raise InputError(f"equations: {arm!r} was given; an arm is needed, as from la.load('elbow').")
    check_names(arm, coordinates, angles)
    check_size(arm, max_terms)
    return Equations(exact_arm(arm), coordinates, angles)


class Equations:
    """M(q) qdd + C(q, qd) qd + F(qd) + g(q) + tau_d = tau + J^T w, term by term, in closed form.

    Indices start at 0. Everything is computed once, when it is first asked for.
    """

    def __init__(self, exact: ExactArm, coordinates: CoordinateNames = "own", angles: Angles = "short") -> None:
        vocabulary = vocabulary_of(exact, coordinates)
        self.exact = exact
        self.arm = exact.arm
        defaults = {name: to_float(value, {}) for name, value in exact.arm.defaults.items()}
        self.notation = Notation(vocabulary, writing_of(exact, vocabulary, angles), defaults)
        self._mechanism, self._q, self._qd, self._qdd = exact.mechanism, exact.q, exact.qd, exact.qdd

    def formula(self, value: Scalar) -> Formula:
        """An exact value in this arm's notation."""
        return Formula(value, self.notation)

    def formulas(self, values: Sequence[Any]) -> Formulas:
        """Exact values, nested as a vector or matrix, in this arm's notation."""
        return Formulas(values, self.notation)

    def text(
        self,
        what: Sequence[str] = ("M", "c", "g"),
        form: str = "text",
        frame: str | None = None,
        longest: int | None = None,
    ) -> str:
        """Closed forms written out: `what` by letter or name, as "text", "latex", "python", "sympy" or "json".

        `frame` is the one that J, Lambda and so on are of, the tool unless given; in text, entries of more than
        `longest` terms are counted, not written.

        >>> import leverarm as la
        >>> print(la.equations(la.load("elbow")).text(["g"]).splitlines()[-1])
        g2 = m2 g a2 c12
        """
        written: str = late("closed_form.sheet:write_equations")(self, what, form, frame, longest)
        return written

    def save(
        self,
        path: str | os.PathLike[str],
        what: Sequence[str] = ("M", "c", "g"),
        form: str | None = None,
        frame: str | None = None,
    ) -> None:
        """Writes closed forms as .txt, .tex, .py or .json; "sympy" has to be named as the form of a .py file."""
        late("closed_form.sheet:save_equations")(self, path, what, form, frame)

    def _repr_markdown_(self) -> str:
        return f"```\n{self.text(longest=40)}\n```"

    def parse(self, text: str) -> Formula:
        """The formula that a text in this arm's notation means, as `Formula.text` prints it: "m2 a2 (a2 + a1 c2)"."""
        from leverarm.notation.parsing import parse_text

        return self.formula(parse_text(text, self.notation.vocabulary, self.notation.writing, self.exact.ring))

    def from_sympy(self, expression: sympy.Expr) -> Formula:
        """The formula of a SymPy expression in the names that `Formula.sympy` gives; speeds may be derivatives too."""
        from leverarm.notation.sympy_bridge import from_sympy

        return self.formula(from_sympy(expression, self.notation.vocabulary, self.exact.ring))

    @cached_property
    def M(self) -> Formulas:
        """The mass matrix, rotors included."""
        return self.formulas(me.mass_matrix(self._mechanism, self._q))

    @cached_property
    def christoffel(self) -> Formulas:
        """Gamma_ijk = (dM_ij/dq_k + dM_ik/dq_j - dM_jk/dq_i)/2."""
        partials = [self.M.diff(name).values for name in self.exact.coordinates]
        return self.formulas(me.christoffel_of(partials))

    @cached_property
    def C(self) -> Formulas:
        """The Coriolis matrix from the Christoffel symbols, for which Mdot - 2 C is skew-symmetric."""
        return self.formulas([apply(plane, self._qd) for plane in self.christoffel.values])

    @cached_property
    def c(self) -> Formulas:
        """Coriolis and centrifugal torques, C qd."""
        return self.formulas(apply(self.C.values, self._qd))

    @cached_property
    def g(self) -> Formulas:
        """g = dP/dq: the torques that hold the arm against its weight and its springs."""
        return self.formulas([partial(self.P.value, name) for name in self.exact.coordinates])

    @cached_property
    def K(self) -> Formula:
        """Kinetic energy of links and rotors."""
        return self.formula(me.kinetic_energy(self._mechanism, self._q, self._qd))

    @cached_property
    def P(self) -> Formula:
        """Potential energy of weight, zero at the world's origin, and of springs, zero at rest."""
        return self.formula(me.potential_energy(self._mechanism, self._q))

    @property
    def L(self) -> Formula:
        """The Lagrangian K - P."""
        return self.formula(self.K.value - self.P.value)

    @property
    def H(self) -> Formula:
        """The Hamiltonian K + P, the total energy."""
        return self.formula(self.K.value + self.P.value)

    @cached_property
    def link_kinetic_energies(self) -> Formulas:
        """K_i of each moving link."""
        return self.formulas(me.link_kinetic_energies(self._mechanism, self._q, self._qd))

    @cached_property
    def link_potential_energies(self) -> Formulas:
        """P_i of each moving link."""
        return self.formulas(me.link_potential_energies(self._mechanism, self._q))

    @cached_property
    def spring_energies(self) -> Formulas:
        """k (q - q0)^2 / 2 of the spring of each moving joint; zero where there is none."""
        return self.formulas(me.spring_energies(self._mechanism, self._q))

    @cached_property
    def springs(self) -> Formulas:
        """The forces that hold the joints against their springs, part of g."""
        return self.formulas(me.spring_forces(self._mechanism, self._q))

    @cached_property
    def momentum(self) -> Formulas:
        """p = dL/dqd = M qd."""
        return self.formulas([partial(self.K.value, f"{name}.d") for name in self.exact.coordinates])

    @cached_property
    def M_dot(self) -> Formulas:
        """dM/dt along the motion."""
        return self.formulas([[self.time_derivative(x) for x in row] for row in self.M.values])

    @cached_property
    def friction(self) -> Formulas:
        """F: viscous, Coulomb and constant friction, and what of it grows with the load of each joint."""
        return self.formulas(self.exact.friction)

    @cached_property
    def viscous_friction(self) -> Formulas:
        """F_v qd, the part of F that grows with the speeds."""
        return self.formulas(me.friction(self._mechanism, self._qd, laws=VISCOUS_LAWS))

    @cached_property
    def dry_friction(self) -> Formulas:
        """F_d(qd), the other part of F: Coulomb friction, what grows with the load, and constant offsets."""
        return self.formulas(me.friction(self._mechanism, self._qd, load=self.exact.load, laws=DRY_LAWS))

    @cached_property
    def bias(self) -> Formulas:
        """N = C qd + F(qd) + g: all of tau that is there without acceleration."""
        return self._sum(self.c.values, self.friction.values, self.g.values)

    @cached_property
    def rotors(self) -> Formulas:
        """The forces that accelerate the motors' rotors, part of M qdd."""
        return self.formulas(me.rotor_forces(self._mechanism, self._qdd))

    @cached_property
    def disturbance(self) -> Formulas:
        """tau_d: an unknown torque along each coordinate."""
        return self.formulas(self._fresh(*(f"tau_d{i + 1}" for i in range(len(self._q)))))

    @cached_property
    def tau(self) -> Formulas:
        """The joint torques of a motion by the Newton-Euler algorithm: M qdd + C qd + F(qd) + g."""
        return self.formulas(me.inverse_dynamics(self._mechanism, self._q, self._qd, self._qdd))

    @cached_property
    def forces(self) -> Formulas:
        """Letters for given joint torques: the arm's own letters for them, else tau1, tau2."""
        return self.formulas(self._fresh(*force_letters(self.arm)))

    @cached_property
    def residual(self) -> Formulas:
        """What a motion leaves of given joint torques, tau - M qdd - C qd - F(qd) - g: the disturbance tau_d."""
        return self.formulas([a - b for a, b in zip(self.forces.values, self.tau.values, strict=True)])

    @cached_property
    def M_determinant(self) -> Formula:
        """det(M). Raises InputError where it is too large, SingularError where it is zero at every pose."""
        check_inverse(self.arm, [[self.M[i, j].terms for j in range(len(self._q))] for i in range(len(self._q))])
        d = me.determinant(self.M.values)
        if is_exactly_zero(d):
            raise SingularError(
                f"arm {self.arm.name!r}: its mass matrix has no inverse at any pose. Give every moving link a mass or "
                "a moment of inertia."
            )
        return self.formula(d)

    @cached_property
    def M_inverse(self) -> Formulas:
        """M^-1 = adj(M) / det(M), each entry in lowest terms."""
        d = self.M_determinant.value
        return self.formulas([[quotient(x, d) for x in row] for row in me.adjugate(self.M.values)])

    @cached_property
    def qdd(self) -> Formulas:
        """The joint accelerations of given `forces`: M^-1 (tau - C qd - F(qd) - g), in lowest terms."""
        d = self.M_determinant.value
        free = [a - b for a, b in zip(self.forces.values, self.bias.values, strict=True)]
        return self.formulas([quotient(x, d) for x in apply(me.adjugate(self.M.values), free)])

    @cached_property
    def euler_lagrange(self) -> Formulas:
        """d/dt dL/dqd - dL/dq of the Lagrangian itself: the conservative part of tau by the other route."""
        L = self.L.value
        names = self.exact.coordinates
        return self.formulas([self.time_derivative(partial(L, f"{n}.d")) - partial(L, n) for n in names])

    @cached_property
    def routes(self) -> dict[str, Formulas]:
        """The joint torques of a motion, without friction, by four routes: equal, entry by entry."""
        state = (self._mechanism, self._q, self._qd, self._qdd)
        rotors = me.rotor_forces(self._mechanism, self._qdd)
        inertial, springs = apply(self.M.values, self._qdd), me.spring_forces(self._mechanism, self._q)
        return {
            "Lagrange": self.euler_lagrange,
            "Newton-Euler": self._sum(me.rigid_body_forces(*state), rotors, springs),
            "Newton-Euler in screw form": self._sum(me.screw_inverse_dynamics(*state), rotors, springs),
            "robot equation": self._sum(inertial, self.c.values, self.g.values),
        }

    def _sum(self, *vectors: Sequence[Scalar]) -> Formulas:
        return self.formulas([sum(parts, start=0) for parts in zip(*vectors, strict=True)])

    @cached_property
    def regressor(self) -> Formulas:
        """W(q, qd, qdd) with W phi = tau; where friction grows with the load, at the load of these parameters."""
        load = self.exact.load
        return self.formulas(me.regressor(self._mechanism, self._q, self._qd, self._qdd, load=load))

    @cached_property
    def parameters(self) -> dict[str, Formula]:
        """phi: the parameters that tau is linear in, by name, in the order of the regressor's columns."""
        return {entry.name: self.formula(entry.value) for entry in me.parameters(self._mechanism)}

    @cached_property
    def base_parameters(self) -> BaseParameters:
        """The base (minimal) inertial parameters, with their regrouping."""
        return base_parameters(self.exact)

    def centre_of_mass(self, body: str) -> Formulas:
        """Where the centre of mass of a moving body, and of all that is welded to it, is in the world."""
        links = [link.name for link in self._mechanism.links]
        if body not in links:
            raise InputError(unknown_name("moving body", body, links))
        i = links.index(body)
        inertia, pose = self._mechanism.links[i].inertia, me.world_from_links(self._mechanism, self._q)[i]
        if is_exactly_zero(inertia.m):
            raise InputError(f"body {body!r} has no mass and so no centre of mass.")
        return self.formulas(list(pose @ Vec3(*(quotient(part, inertia.m) for part in inertia.h))))

    def position(self, frame: str | None = None) -> Formulas:
        """Where a frame's origin is in the world."""
        return self.formulas(list(me.forward_kinematics(self._mechanism, self._q)[self._frame(frame)].position))

    def rotation(self, frame: str | None = None) -> Formulas:
        """The rotation of a frame, world_from_frame."""
        pose = me.forward_kinematics(self._mechanism, self._q)[self._frame(frame)]
        return self.formulas([list(row) for row in pose.rotation.rows()])

    def jacobian(self, frame: str | None = None) -> Formulas:
        """The geometric Jacobian, 6 x n: angular velocity first, then the velocity of the frame's origin."""
        return self.formulas(me.jacobian(self._mechanism, self._q, self._frame(frame)))

    def jacobian_dot(self, frame: str | None = None) -> Formulas:
        """The time derivative of the Jacobian along the motion."""
        return self.formulas([[self.time_derivative(x) for x in row] for row in self.jacobian(frame).values])

    @cached_property
    def wrench(self) -> Formulas:
        """Letters for a wrench: moment n_x n_y n_z and force f_x f_y f_z."""
        return self.formulas(self._fresh("n_x", "n_y", "n_z", "f_x", "f_y", "f_z"))

    def wrench_forces(self, frame: str | None = None) -> Formulas:
        """J^T w: the joint torques of an outside wrench (n_x n_y n_z f_x f_y f_z) on a frame, in world axes."""
        letters = self.wrench.values
        wrench = {self._frame(frame): Force(Vec3(*letters[:3]), Vec3(*letters[3:]))}
        held = me.static_forces(self._mechanism, self._q, wrench)
        return self.formulas([weight - total for weight, total in zip(self.g.values, held, strict=True)])

    def operational_inertia(self, frame: str | None = None, rows: Sequence[str] | None = None) -> Formulas:
        """Lambda = (J M^-1 J^T)^-1, the effective mass at a frame, as quotients. `rows` of J such as ("x", "y").

        By default the directions in which the frame's origin can move. Its size grows fast with the joints.
        """
        name, chosen = self._frame(frame), self._rows(frame, rows)
        if not chosen:
            raise SingularError(
                f"frame {name!r} does not move in any direction that was asked for, so it has no effective mass there. "
                "Choose another frame or other rows."
            )
        numerators, denominator = me.operational_inertia_as_quotient(self._mechanism, self._q, name, chosen)
        if is_exactly_zero(denominator):
            axes = ", ".join(me.ROWS[r] for r in chosen)
            raise SingularError(
                f"frame {name!r} cannot move independently along {axes} at any pose. Ask for fewer rows."
            )
        return self.formulas([[quotient(x, denominator) for x in row] for row in numerators])

    def _fresh(self, *names: str) -> list[Polynomial]:
        """Letters by these names; where the arm has a symbol of one of them, by others."""
        taken = self.arm.defaults
        suffix = ""
        while any(f"{name}{suffix}" in taken for name in names):
            suffix = f"{suffix or '_'}o"
        return [free_symbol(symbol(f"{name}{suffix}")) for name in names]

    def time_derivative(self, value: Scalar) -> Scalar:
        """d/dt of an exact value along the motion."""
        return time_derivative(value, self.exact.rates)

    def _frame(self, frame: str | None) -> str:
        name = self.arm.tool if frame is None else frame
        if name not in self.arm.frames:
            raise InputError(unknown_name("frame", name, self.arm.frames))
        return name

    def _rows(self, frame: str | None, rows: Sequence[str] | None) -> list[int]:
        if rows is None:
            J = self.jacobian(frame).values
            return [r for r in (3, 4, 5) if any(not is_exactly_zero(x) for x in J[r])][: len(self._q)]
        for name in rows:
            if name not in me.ROWS:
                raise InputError(unknown_name("row", name, me.ROWS))
        return [me.ROWS.index(name) for name in rows]
