"""The inertia tensor: its integrals, other axes, other points, principal axes, and which tensors a body can have."""

from __future__ import annotations

from fractions import Fraction

from leverarm import mechanics as me
from leverarm.derivation.formulas import HALF, brief, full, plus, times
from leverarm.derivation.steps import chapter, step
from leverarm.derivation.theory.body_energy import I_c, I_o, c, m, quadratic, r, squared
from leverarm.derivation.theory.integrals import MASS, POINT, SECOND, integral, integrated_over_mass
from leverarm.derivation.theory.proofs import at, letter, matrix, proven, rotation, tensor, vector
from leverarm.derivation.theory.rotations import E, R, skew_of
from leverarm.documents.document import Section, Shown, sentence
from leverarm.notation.tree import (
    ZERO,
    Between,
    Bracketed,
    Call,
    Differential,
    Equation,
    Indexed,
    Matrix,
    Node,
    Number,
    Of,
    Power,
    Ratio,
    Sum,
    Symbol,
    Transposed,
    Trig,
    negated,
)
from leverarm.scalars import half
from leverarm.scalars.exact import substitute, unknown_angle
from leverarm.spatial import Inertia, Symmetric3, Vec3, inertia_tensor, point_inertia, rotation_about, skew

I, alpha, rho, u = map(Symbol, ("I", "alpha", "rho", "u"))  # noqa: E741 - the letter of the books
x, y, z = map(Symbol, "xyz")
TWO = Number(Fraction(2))
TURN = unknown_angle("alpha")


def inertia_of_a_body() -> Section:
    """The six integrals, R I R^T, parallel axes, principal axes, and the triangle inequality."""
    return chapter("The inertia tensor", (_integrals(), _other_axes(), _other_point(), _principal(), _possible()))


def _integrals() -> Section:
    pairs = (("xx", plus(_square(y), _square(z))), ("yy", plus(_square(x), _square(z))),
             ("zz", plus(_square(x), _square(y))))  # fmt: skip
    products = (("xy", times(x, y)), ("xz", times(x, z)), ("yz", times(y, z)))
    by_mass = [integrated_over_mass(value) for value in point_inertia(POINT).full().rows()[0]]
    of_second = inertia_tensor(SECOND)
    volume = times(Of(rho, (x, y, z)), *map(Differential, (x, y, z)))
    return step(
        "Six integrals",
        sentence(
            "The moments of inertia stand on the diagonal, the products of inertia, with a minus sign, beside it. "
            "With a density {rho}, the mass element is {dm}. Some books write the products without the sign and put "
            "it into the matrix.",
            rho=rho, dm=volume,
        ),
        (
            brief(I, integral(plus(times(Transposed(r), r, E), negated(times(r, Transposed(r))))),
                  negated(integral(times(skew_of(r), skew_of(r)))), matrix(tensor("I"))),
            *(brief(Symbol(f"I{axes}"), integral(arm)) for axes, arm in pairs),
            *(brief(Symbol(f"I{axes}"), Symbol(f"I{axes[::-1]}"), negated(integral(product)))
              for axes, product in products),
        ),
        proven=proven(
            "Verified for every body: both forms of the integrand are equal, and the entries are these integrals.",
            point_inertia(POINT).full() + skew(POINT) * skew(POINT),
            [value - part for value, part in zip(by_mass, of_second.full().rows()[0], strict=True)],
        ),
        code="box = la.inertia.box(0.1, 0.2, 0.3, mass=2)\nnp.array(box.I.full().rows())",
    )  # fmt: skip


def _other_axes() -> Section:
    A = rotation()
    turned = _tensor_of(A @ POINT)
    return step(
        "Other axes",
        sentence(
            "If {R} takes the body's axes to the base's, a mass point at {r} in the body's axes is at {Rr} in the "
            "base's. Put it into the integral: {R} does not depend on the mass point and goes in front.",
            R=R, r=r, Rr=times(R, r),
        ),
        (
            brief(
                at("I", "base"),
                integral(plus(times(Transposed(r), r, E), negated(times(R, r, Transposed(r), Transposed(R))))),
                times(R, at("I", "body"), Transposed(R)),
            ),
        ),
        proven=proven(
            "Verified for every rotation and every body, from the integrals of the turned mass points.",
            turned - inertia_tensor(SECOND).rotated(A),
        ),
        code="turned = la.inertia.rotated(box, la.types.Matrix3(la.types.Vec3(0, -1, 0), la.types.Vec3(1, 0, 0), "
        "la.types.Vec3(0, 0, 1)))\nnp.array(turned.I.full().rows())",
    )  # fmt: skip


def _other_point() -> Section:
    mass, com, of_com = letter("m"), vector("c"), tensor("I")
    moved = _tensor_of(POINT + com)
    bracket = plus(times(Transposed(c), c, E), negated(times(c, Transposed(c))))
    return step(
        "Another point: parallel axes",
        sentence(
            "A mass point at {r} from the centre of mass is at {sum} from a point o. The terms with {r} alone to the "
            "first power integrate to zero, because {r} is counted from the centre of mass. Steiner's theorem: no "
            "parallel axis has a smaller moment than the one through the centre of mass.",
            r=r, sum=plus(r, c),
        ),
        (
            brief(I_o, plus(I_c, times(m, bracket)), plus(I_c, negated(times(m, skew_of(c), skew_of(c))))),
            full(at("I", "o,zz"), plus(at("I", "c,zz"), times(m, plus(_square(Symbol("cx")), _square(Symbol("cy")))))),
            full(at("I", "o,xy"), plus(at("I", "c,xy"), negated(times(m, Symbol("cx"), Symbol("cy"))))),
        ),
        proven=proven(
            "Verified for every body and every point.",
            _centred(moved) - inertia_tensor(SECOND) - point_inertia(com) * MASS,
            Inertia.from_com(mass, com, of_com).I - of_com - point_inertia(com) * mass,
            point_inertia(com).full() + skew(com) * skew(com),
        ),
        code="la.inertia.about_point(box, la.types.Vec3(0, 0, 0.15))",
    )  # fmt: skip


def _principal() -> Section:
    of_body = tensor("I")
    turn = rotation_about(Vec3(0, 0, 1), TURN.cos, TURN.sin)
    seen = of_body.rotated(turn.transposed())
    A, moments = rotation(), Symmetric3(letter("I1"), 0, letter("I2"), 0, 0, letter("I3"))
    turned = moments.rotated(A)
    double = TURN + TURN
    mixed = of_body.xy * double.cos - half((of_body.xx - of_body.yy) * double.sin)
    twice: Node = Trig("cos", (("alpha", 2),))
    sine: Node = Trig("sin", (("alpha", 2),))
    shown = plus(times(Symbol("Ixy"), twice),
                 negated(times(HALF, Sum((Symbol("Ixx"), negated(Symbol("Iyy")))), sine)))  # fmt: skip
    return step(
        "Principal axes",
        sentence(
            "A symmetric matrix has three eigenvectors at right angles. With them as axes the products of inertia are "
            "zero, and the eigenvalues are the principal moments. About one axis, z, the angle {alpha} of the "
            "principal axes makes the product vanish.",
            alpha=alpha,
        ),
        (
            brief(times(Transposed(R), I, R), _diagonal("I1", "I2", "I3")),
            full(_entry(times(Transposed(R), I, R), "xy"), shown),
            brief(Call("tan", times(TWO, alpha)),
                  Ratio(times(TWO, Symbol("Ixy")), Sum((Symbol("Ixx"), negated(Symbol("Iyy")))))),
            full(plus(*map(Symbol, ("Ixx", "Iyy", "Izz"))), plus(*map(Symbol, ("I1", "I2", "I3")))),
            full(Call("det", I), times(*map(Symbol, ("I1", "I2", "I3")))),
        ),
        proven=proven(
            "Verified for every rotation: the product of inertia in turned axes, the sum of the moments and the "
            "determinant.",
            seen.xy - mixed,
            turned.xx + turned.yy + turned.zz - moments.xx - moments.yy - moments.zz,
            me.determinant([list(row) for row in turned.full().rows()]) - moments.xx * moments.yy * moments.zz,
        ),
        code="la.inertia.principal_axes(la.inertia.welded(box, la.inertia.point(1, la.types.Vec3(0.2, 0.1, 0))))",
    )  # fmt: skip


def _possible() -> Section:
    free = vector("u")
    of_body = inertia_tensor(SECOND)
    spin = free.cross(POINT)
    turned = Between(u, "cross", r)
    return step(
        "Which tensors a body can have",
        sentence(
            "The energy of rotation is never negative, so the tensor is positive semidefinite. More is true: no moment "
            "of inertia exceeds the sum of the other two. A tensor that breaks this belongs to no body; "
            "la.inertia.physical_defects names what is wrong with it."
        ),
        (
            brief(quadratic(u, I), integral(squared(turned))),
            brief(plus(Symbol("Ixx"), Symbol("Iyy"), negated(Symbol("Izz"))), times(TWO, integral(_square(z)))),
            Shown(Equation((plus(*map(Symbol, ("Ixx", "Iyy"))), Symbol("Izz")), ">=")),
        ),
        proven=proven(
            "Verified for every body: both left sides are the integrals of squares.",
            integrated_over_mass(spin @ spin) - free @ (of_body @ free),
            of_body.xx + of_body.yy - of_body.zz - 2 * integrated_over_mass(POINT.z * POINT.z),
        ),
        code="la.inertia.physical_defects(box)",
    )  # fmt: skip


def _tensor_of(place: Vec3) -> Symmetric3:
    """The inertia tensor of a body whose mass points are at this place, a function of x, y and z."""
    t = point_inertia(place)
    return Symmetric3(*map(integrated_over_mass, (t.xx, t.xy, t.yy, t.xz, t.yz, t.zz)))


def _centred(t: Symmetric3) -> Symmetric3:
    """The tensor where the first moments are zero."""
    none = dict.fromkeys(("hx", "hy", "hz"), 0)
    return Symmetric3(*(substitute(x, none) for x in (t.xx, t.xy, t.yy, t.xz, t.yz, t.zz)))


def _square(a: Node) -> Node:
    return Power(a, 2)


def _entry(A: Node, axes: str) -> Node:
    return Indexed(Bracketed(A), axes)


def _diagonal(*names: str) -> Matrix:
    return Matrix(tuple(tuple(Symbol(name) if i == j else ZERO for j in range(3)) for i, name in enumerate(names)))
