"""The kinetic energy of one rigid body: from the integral over its mass to König's two terms, and to an arm's D(q)."""

from __future__ import annotations

from leverarm import mechanics as me
from leverarm.closed_form import equations
from leverarm.derivation.formulas import HALF, K, brief, full, plus, times
from leverarm.derivation.setting import Setting
from leverarm.derivation.steps import chapter, step
from leverarm.derivation.theory.integrals import MASS, MOMENTS, POINT, SECOND, integral, integrated_over_mass, over_mass
from leverarm.derivation.theory.proofs import (
    ANGLES,
    at,
    letter,
    proven,
    rate_of_matrix,
    rate_of_vector,
    rotation,
    tensor,
    tree,
    vector,
)
from leverarm.derivation.theory.rotations import E, Omega, R, o, omega, skew_of, v
from leverarm.documents.document import Section, sentence
from leverarm.formats import load
from leverarm.notation.tree import (
    ZERO,
    Between,
    Indexed,
    Matrix,
    Node,
    PartialDerivative,
    Power,
    Symbol,
    TimeDerivative,
    Transposed,
    column,
    negated,
)
from leverarm.scalars import half
from leverarm.scalars.exact import partial
from leverarm.spatial import ORIGIN, Inertia, Motion, Vec3, inertia_tensor, point_inertia, skew

m, r, h, c, I = map(Symbol, ("m", "r", "h", "c", "I"))  # noqa: E741 - the letter of the books
v_o, v_c, I_o, I_c = (at("v", "o"), at("v", "c"), at("I", "o"), at("I", "c"))
EXAMPLE = "rr"


def body_energy() -> Section:
    """The integral, König's theorem, the block form, moving axes, momentum, and the sum over an arm."""
    steps = (_integral(), _koenig(), _blocks(), _in_body_axes(), _momentum(), _of_an_arm())
    return chapter("Kinetic energy", steps)


def squared(a: Node) -> Node:
    """a^T a."""
    return times(Transposed(a), a)


def quadratic(a: Node, A: Node) -> Node:
    """a^T A a."""
    return times(Transposed(a), A, a)


def _integral() -> Section:
    origin, w = vector("v"), vector("omega")
    speed = me.point_velocity(origin, w, POINT)
    tensor_o = inertia_tensor(SECOND)
    spin = w.cross(POINT)
    turned = Between(omega, "cross", r)
    K_o = half(MASS * (origin @ origin)) + origin @ w.cross(MOMENTS) + half(w @ (tensor_o @ w))
    return step(
        "From the integral over the mass to ten numbers",
        sentence(
            "Every mass point {dm} of the body, at {r} from a point {o} of it, has the velocity {v}. In the integral "
            "of its energy the velocities stand in front; what is left to integrate are ten numbers of the body: its "
            "mass {m}, its first moments {h}, and the six of its inertia tensor about {o}.",
            dm=over_mass(), r=r, o=o, v=plus(v_o, turned), m=m, h=h,
        ),
        (
            brief(K, times(HALF, integral(times(Transposed(v), v)))),
            full(times(Transposed(v), v),
                 plus(squared(v_o), times(_number(2), Transposed(v_o), turned), times(Transposed(turned), turned))),
            full(times(Transposed(turned), turned),
                 quadratic(omega, plus(times(Transposed(r), r, E), negated(times(r, Transposed(r)))))),
            brief(m, integral()), brief(h, integral(r), times(m, c)),
            brief(I_o, integral(plus(times(Transposed(r), r, E), negated(times(r, Transposed(r)))))),
            brief(K, plus(times(HALF, m, squared(v_o)), times(Transposed(v_o), Between(omega, "cross", h)),
                          times(HALF, quadratic(omega, I_o)))),
        ),
        proven=proven(
            "Verified for all velocities and all ten numbers: the integrand is expanded, its coefficients of "
            "1, x, y, z, x², ... are integrated one by one, and the result is this K, term by term.",
            half(integrated_over_mass(speed @ speed)) - K_o,
            spin @ spin - w @ (point_inertia(POINT) @ w),
        ),
    )  # fmt: skip


def _koenig() -> Section:
    mass, com, of_com, origin, w = letter("m"), vector("c"), tensor("I"), vector("v"), vector("omega")
    body = Inertia.from_com(mass, com, of_com)
    translation, spin = me.kinetic_energy_of_body(body, origin, w)
    at_com = me.point_velocity(origin, w, com)
    about_o = half(mass * (origin @ origin)) + origin @ w.cross(body.h) + half(w @ (body.I @ w))
    return step(
        "König: translation of the centre of mass, rotation about it",
        sentence(
            "Take the centre of mass {c} as the point: about it the first moments vanish, and with them the term that "
            "mixes {v} and {omega}. Half the mass times its speed squared is the energy of translation; the rest, "
            "with the tensor about the centre of mass, is the energy of rotation.",
            c=c, v=v, omega=omega,
        ),
        (
            brief(v_c, plus(v_o, Between(omega, "cross", c))),
            full(I_o, plus(I_c, times(m, plus(times(Transposed(c), c, E), negated(times(c, Transposed(c))))))),
            brief(K, plus(times(HALF, m, squared(v_c)), times(HALF, quadratic(omega, I_c)))),
        ),
        proven=proven(
            "Verified: taken about any other point of the body, the energy is the same, term by term.",
            translation + spin - about_o,
            translation - half(mass * (at_com @ at_com)),
            spin - half(w @ (of_com @ w)),
        ),
        code="body = la.inertia.placed(la.inertia.box(0.1, 0.2, 0.3, mass=2), "
        "la.Placement(la.types.Vec3(0.5, 0, 0), la.types.Vec3(0, 0, 0)))\n"
        "la.rigid_body.kinetic_energy(body, [1, 0, 0], [0, 0, 2])",
    )  # fmt: skip


def _blocks() -> Section:
    mass, first, about_o, origin, w = letter("m"), vector("h"), tensor("I"), vector("v"), vector("omega")
    body = Inertia(mass, first, about_o)
    pushed = body @ Motion(w, origin)
    energy = half(mass * (origin @ origin)) + origin @ w.cross(first) + half(w @ (about_o @ w))
    apart = Inertia(mass, ORIGIN, about_o)
    planar = Vec3(0, 0, letter("omega"))
    x, y = Symbol("x", 1), Symbol("y", 1)
    in_plane = half(mass * (origin.x * origin.x + origin.y * origin.y)) + half(about_o.zz * planar.z * planar.z)
    return step(
        "As one matrix",
        sentence(
            "With both velocities in one column, the energy is half a quadratic form. About the centre of mass its "
            "matrix has two blocks and nothing between them; about another point the first moments couple them. A "
            "body that moves in the xy plane needs one moment of inertia."
        ),
        (
            brief(K, times(HALF, Transposed(column([v_c, omega])),
                           Matrix(((times(m, E), ZERO), (ZERO, I_c))), column([v_c, omega]))),
            full(K, times(HALF, Transposed(column([v_o, omega])),
                          Matrix(((times(m, E), negated(skew_of(h))), (skew_of(h), I_o))), column([v_o, omega]))),
            brief(K, plus(times(HALF, m, plus(Power(x, 2), Power(y, 2))), times(HALF, Symbol("Izz"), Power(omega, 2)))),
        ),
        proven=proven(
            "Verified for all velocities and all ten numbers, and for the plane.",
            half(origin @ pushed.force + w @ pushed.moment) - energy,
            pushed.force - (origin * mass - skew(first) @ w),
            pushed.moment - (skew(first) @ origin + about_o @ w),
            (apart @ Motion(w, origin)).force - origin * mass,
            sum(me.kinetic_energy_of_body(apart, Vec3(origin.x, origin.y, 0), planar)) - in_plane,
        ),
        code="la.rigid_body.block_inertia(la.inertia.box(0.1, 0.2, 0.3, mass=2))",
    )  # fmt: skip


def _in_body_axes() -> Section:
    A, of_body, w = rotation(), tensor("I"), vector("omega")
    seen = A.transposed() @ w
    return step(
        "In axes that move with the body",
        sentence(
            "In axes fixed to the body its tensor {I} is constant; in base axes it is {turned}, which changes as the "
            "body turns. The energy is the same number.",
            I=I, turned=times(R, I, Transposed(R)),
        ),
        (
            brief(times(HALF, Transposed(omega), R, I, Transposed(R), omega), times(HALF, quadratic(Omega, I))),
            full(Omega, times(Transposed(R), omega)),
        ),
        proven=proven(
            "Verified for every rotation and every tensor.",
            w @ (of_body.rotated(A) @ w) - seen @ (of_body @ seen),
        ),
    )  # fmt: skip


def _momentum() -> Section:
    A, of_body = rotation(), tensor("I")
    A_dot = rate_of_matrix(A, ANGLES)
    w = me.angular_velocity(A, A_dot)
    seen = of_body.rotated(A).full()
    free, about, speed = vector("omega"), tensor("I"), vector("v")
    energy = half(letter("m") * (speed @ speed)) + half(free @ (about @ free))
    slopes = [Vec3(*(partial(energy, name + axis) for axis in "xyz")) for name in ("v", "omega")]
    moving = [*ANGLES, *(f"{name}.d" for name in ANGLES)]
    total = rate_of_vector(seen @ w, moving)
    I_dot = Symbol("I", 1)
    return step(
        "Momentum, and the laws of Newton and Euler",
        sentence(
            "The slopes of the energy are the momentum {p} and the angular momentum {l}. Their rates are the force and "
            "the moment about the centre of mass. In base axes {I} changes too: this gives the gyroscopic moment.",
            p=Symbol("p"), l=Symbol("l"), I=I,
        ),
        (
            full(Symbol("p"), PartialDerivative(K, v_c), times(m, v_c)),
            full(Symbol("l"), PartialDerivative(K, omega), times(I, omega)),
            full(I_dot, plus(times(skew_of(omega), I), negated(times(I, skew_of(omega))))),
            brief(Symbol("f"), times(m, Indexed(Symbol("v", 1), "c"))),
            brief(Symbol("n"), TimeDerivative(times(I, omega)),
                  plus(times(I, Symbol("omega", 1)), Between(omega, "cross", times(I, omega)))),
        ),
        proven=proven(
            "Verified for every rotation, with angles, rates and accelerations free.",
            rate_of_matrix(seen, ANGLES) - (skew(w) * seen - seen * skew(w)),
            total - (seen @ rate_of_vector(w, moving) + w.cross(seen @ w)),
            slopes[0] - speed * letter("m"),
            slopes[1] - about @ free,
        ),
    )  # fmt: skip


def _of_an_arm() -> Section:
    setting = Setting(equations(load(EXAMPLE)))
    mechanism, q = setting.eq.exact.mechanism, setting.eq.exact.q
    parts = me.translational_mass_matrix(mechanism, q), me.rotational_mass_matrix(mechanism, q)
    rest = [
        [a + b - c_ for a, b, c_ in zip(*rows, strict=True)] for rows in zip(*parts, setting.eq.M.values, strict=True)
    ]
    D = [at("D", "trans"), at("D", "rot")]
    i, q_dot = "i", Symbol("q", 1)
    Jv, Jw, m_i, total = at("J", "vi"), at("J", "omegai"), at("m", i), Indexed(Symbol("sum"), i)
    R_i, I_i = at("R", i), at("I", i)
    return step(
        "The bodies of an arm",
        sentence(
            "In an arm both velocities of each body are linear in those of the joints. The energies add up to half a "
            "quadratic form in {qd}; its matrix {D}, the mass matrix, has a part of translation and a part of "
            "rotation. Here are both of the catalog's arm rr, whose links have a moment of inertia about their centres "
            "of mass.",
            qd=q_dot, D=Symbol("D"),
        ),
        (
            full(at("v", i), times(Jv, q_dot)),
            full(at("omega", i), times(Jw, q_dot)),
            brief(K, times(HALF, Transposed(q_dot), plus(*D), q_dot)),
            brief(D[0], times(total, m_i, Transposed(Jv), Jv)),
            brief(D[1], times(total, Transposed(Jw), R_i, I_i, Transposed(R_i), Jw)),
            *(full(letter_, setting.matrix(values)) for letter_, values in zip(D, parts, strict=True)),
        ),
        proven=proven("Verified for rr: the two parts add up to its mass matrix exactly.", rest),
        code=f"print(la.equations(la.load({EXAMPLE!r})).text(['D_trans', 'D_rot', 'K_trans', 'K_rot']))",
    )  # fmt: skip


def _number(value: int) -> Node:
    return tree(value)
