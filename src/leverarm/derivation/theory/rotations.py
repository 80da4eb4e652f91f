"""How a rotation changes: S(omega) = Rdot R^T, both frames, angular velocities of a chain, velocities of points."""

from __future__ import annotations

from leverarm import mechanics as me
from leverarm.derivation.formulas import brief, full, plus, times
from leverarm.derivation.steps import chapter, step
from leverarm.derivation.theory.proofs import (
    ANGLES,
    at,
    at_rate,
    column_of,
    matrix,
    proven,
    rate_of_matrix,
    rate_of_vector,
    rotation,
    vector,
)
from leverarm.documents.document import Section, sentence
from leverarm.notation.tree import ZERO, Between, Node, Of, Symbol, TimeDerivative, Transposed
from leverarm.scalars.exact import partial
from leverarm.spatial import IDENTITY, skew

R, S, E, omega, Omega, o, p, v = map(Symbol, ("R", "S", "E", "omega", "Omega", "o", "p", "v"))
R_DOT = Symbol("R", 1)


def rotations() -> Section:
    """From R R^T = E to the velocity of every point."""
    steps = (_skew(), _two_frames(), _turned_skew(), _of_angles(), _chain(), _points())
    return chapter("Rotation and angular velocity", steps)


def skew_of(a: Node) -> Node:
    """S(a)."""
    return Of(S, (a,))


def _skew() -> Section:
    A = rotation()
    A_dot = rate_of_matrix(A, ANGLES)
    product = me.skew_of_rate(A, A_dot)
    w = vector("omega")
    return step(
        "The rate of a rotation is skew-symmetric",
        sentence(
            "The columns of {R} are the axes of the body, in base axes: they stay of length one and at right angles, "
            "so {R} times its transpose is the unit matrix {E} at all times. Differentiate. The matrix {S} and its "
            "transpose add up to zero, so {S} has three numbers only: the angular velocity {omega}.",
            R=R, E=E, S=S, omega=omega,
        ),
        (
            brief(times(R, Transposed(R)), E),
            full(TimeDerivative(times(R, Transposed(R))), plus(times(R_DOT, Transposed(R)),
                                                                times(R, Transposed(R_DOT))), ZERO),
            brief(S, times(R_DOT, Transposed(R)), skew_of(omega), matrix(skew(w))),
            brief(plus(S, Transposed(S)), ZERO),
        ),
        proven=proven(
            "Verified for every rotation: both sums are identically zero, and S has three numbers.",
            A * A.transposed() - IDENTITY,
            product + product.transposed(),
            skew(me.vector_of_skew(product)) - product,
        ),
        code="R, rate = np.eye(3), la.rigid_body.skew([0.1, 0.2, 0.3])\nla.rigid_body.angular_velocity(R, rate)",
    )  # fmt: skip


def _two_frames() -> Section:
    A = rotation()
    A_dot = rate_of_matrix(A, ANGLES)
    in_base, in_body = me.angular_velocity(A, A_dot), me.angular_velocity(A, A_dot, "body")
    return step(
        "One angular velocity in two frames",
        sentence(
            "The same vector has two sets of components: {omega} in base axes, whose matrix stands on the left of {R}, "
            "and {Omega} in the body's own axes, whose matrix stands on its right. Say which of them is meant.",
            omega=omega, Omega=Omega, R=R,
        ),
        (
            brief(R_DOT, times(skew_of(omega), R), times(R, skew_of(Omega))),
            brief(omega, times(R, Omega)),
            brief(skew_of(omega), times(R_DOT, Transposed(R))),
            brief(skew_of(Omega), times(Transposed(R), R_DOT)),
        ),
        proven=proven(
            "Verified for every rotation: the differences of both sides are identically zero.",
            A_dot - me.rotation_rate(A, in_base),
            A_dot - me.rotation_rate(A, in_body, "body"),
            in_base - A @ in_body,
        ),
        code="R, Omega = np.diag([1, -1, -1]), [0.1, 0.2, 0.3]\n"
        "la.rigid_body.rotation_rate(R, Omega, 'body') - la.rigid_body.rotation_rate(R, R @ Omega)",
    )  # fmt: skip


def _turned_skew() -> Section:
    A, a, b = rotation(), vector("a"), vector("b")
    one = Symbol("a")
    return step(
        "S of a turned vector",
        sentence(
            "Turning two vectors turns their vector product, so S goes with its vector from one frame to another."
        ),
        (
            brief(times(skew_of(one), Symbol("b")), Between(one, "cross", Symbol("b"))),
            brief(skew_of(times(R, one)), times(R, skew_of(one), Transposed(R))),
        ),
        proven=proven(
            "Verified for every rotation and all vectors.",
            skew(a) @ b - a.cross(b),
            skew(A @ a) - A * skew(a) * A.transposed(),
        ),
    )


def _of_angles() -> Section:
    A = rotation()
    A_dot = rate_of_matrix(A, ANGLES)
    in_base, in_body = me.angular_velocity(A, A_dot), me.angular_velocity(A, A_dot, "body")
    angles = [Symbol(name) for name in ANGLES]
    turned = times(*(at("R", axis) for axis in "zyx"))
    return step(
        "Roll, pitch and yaw",
        sentence(
            "Every rotation is a roll {phi} about x, then a pitch {theta} about y, then a yaw {psi} about z, all axes "
            "fixed. The rates of these angles are not the components of {omega}, which are read off {S}.",
            phi=angles[0], theta=angles[1], psi=angles[2], omega=omega, S=S,
        ),
        (
            brief(R, turned, matrix(A)),
            brief(omega, column_of(in_base)),
            full(Omega, column_of(in_body)),
        ),
        proven=proven(
            "Verified: with these components both forms of the rate of R hold. Yaw turns about z of the base, roll "
            "about x of the body.",
            A_dot - me.rotation_rate(A, in_base),
            A_dot - me.rotation_rate(A, in_body, "body"),
            [partial(in_base.z, "psi.d") - 1, partial(in_body.x, "phi.d") - 1],
        ),
    )  # fmt: skip


def _chain() -> Section:
    first, second = rotation("1"), rotation("2")
    names = [name + suffix for suffix in "12" for name in ANGLES]
    whole = first * second
    w1, w2 = (me.angular_velocity(A, rate_of_matrix(A, names)) for A in (first, second))
    shares = me.angular_velocity_shares([first, second], [w1, w2])
    R10, R21, R20 = at("R", "1", "0"), at("R", "2", "1"), at("R", "2", "0")
    n, before = at("R", "n", "0"), at("R", "n-1", "0")
    return step(
        "Angular velocities of a chain add up",
        sentence(
            "The rotation of a chain is a product. Differentiate it, and take S of the second factor through the "
            "first. Each body adds its angular velocity against the one before it, turned into base axes; for a "
            "revolute joint this is the axis times the joint's velocity, for a prismatic one it is zero."
        ),
        (
            brief(R20, times(R10, R21)),
            full(
                at_rate("R", "2", "0"),
                plus(times(skew_of(at("omega", "1", "0")), R10, R21), times(R10, skew_of(at("omega", "2", "1")), R21)),
                times(skew_of(plus(at("omega", "1", "0"), times(R10, at("omega", "2", "1")))), R20),
            ),
            brief(at("omega", "2", "0"), plus(at("omega", "1", "0"), times(R10, at("omega", "2", "1")))),
            full(n, times(R10, R21, Symbol("cdots"), at("R", "n", "n-1"))),
            brief(
                at("omega", "n", "0"),
                plus(
                    at("omega", "1", "0"), times(R10, at("omega", "2", "1")), times(R20, at("omega", "3", "2")),
                    Symbol("cdots"), times(before, at("omega", "n", "n-1")),
                ),
            ),
        ),
        proven=proven(
            "Verified for every two rotations, six angles and their rates; longer chains are these two, again and "
            "again.",
            me.angular_velocity(whole, rate_of_matrix(whole, names)) - shares[0] - shares[1],
        ),
        code="la.rigid_body.angular_velocity_shares([np.eye(3)] * 2, [[0, 0, 0.5], [0, 0, -0.2]])",
    )  # fmt: skip


def _points() -> Section:
    A = rotation()
    moving = [*ANGLES, *(f"o{axis}" for axis in "xyz"), *(f"s{axis}" for axis in "xyz")]
    origin, fixed, sliding = vector("o"), vector("p"), vector("s")
    w = me.angular_velocity(A, rate_of_matrix(A, ANGLES))
    v_o = rate_of_vector(origin, moving)
    p0, p1 = at("p", "", "0"), at("p", "", "1")
    p1_dot = at_rate("p", "", "1")
    return step(
        "The velocity of a point",
        sentence(
            "A point stands at {inside} in the body's frame, whose origin is at {o}. Fixed to the body, it moves with "
            "the origin and around it; one that also moves in the body, as on a prismatic joint, adds that velocity.",
            inside=p1, o=o,
        ),
        (
            brief(p0, plus(o, times(R, p1))),
            full(at_rate("p", "", "0"), plus(Symbol("o", 1), times(R_DOT, p1), times(R, p1_dot)),
                 plus(Symbol("o", 1), times(skew_of(omega), R, p1), times(R, p1_dot))),
            brief(v, plus(Symbol("v_o"), Between(omega, "cross", times(R, p1)))),
        ),
        proven=proven(
            "Verified for every rotation, origin and point.",
            rate_of_vector(origin + A @ fixed, moving) - me.point_velocity(v_o, w, A @ fixed),
            rate_of_vector(origin + A @ sliding, moving)
            - me.point_velocity(v_o, w, A @ sliding) - A @ rate_of_vector(sliding, moving),
        ),
        code="la.rigid_body.point_velocity([1, 0, 0], [0, 0, 2], [0, 0.5, 0])",
    )  # fmt: skip
