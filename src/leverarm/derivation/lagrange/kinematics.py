"""Where the centres of mass are and how they move: positions, velocities, screws and Jacobians."""

from __future__ import annotations

from itertools import combinations

from leverarm import mechanics as me
from leverarm.derivation.document import Level, Part, Shown, Step
from leverarm.derivation.setting import AXES, LinkSetting, Setting, equation, times
from leverarm.model import Attachment
from leverarm.notation.elements import element_of
from leverarm.notation.tree import (
    ZERO,
    Bracketed,
    Call,
    Equation,
    Exponential,
    Indexed,
    Node,
    Power,
    Product,
    Sum,
    Symbol,
    Transposed,
    Trig,
    column,
)
from leverarm.scalars import Scalar
from leverarm.scalars.exact import partial
from leverarm.spatial import AT_REST, HERE, IDENTITY, Motion, Pose

MULTIPLIED_OUT = 3
"""Sums of at most this many terms are squared term by term."""


def kinematics(setting: Setting) -> Part:
    """Positions, velocities, rotations, home poses and screws, Jacobians both ways."""
    steps = [_positions(setting), _velocities(setting)]
    if any(link.turns for link in setting.mechanism.links):
        steps.append(_rotations(setting))
    steps += [_screws(setting), _jacobians(setting)]
    return Part("Positions and velocities", tuple(steps))


def _positions(setting: Setting) -> Step:
    words = "Forward kinematics gives each centre of mass in the world."
    if len(setting.live_axes) < 3:
        words += f" Only {' and '.join(AXES[a] for a in setting.live_axes)} can change."
    shown = [
        Shown(equation(link.symbol(AXES[a]), setting.tree(tuple(link.com)[a])))
        for link in setting.heavy_links
        for a in setting.live_axes
    ]
    return Step(
        "Positions of the centres of mass", (words,), tuple(shown), code=_per_link(setting, "eq.centre_of_mass({})")
    )


def _velocities(setting: Setting) -> Step:
    shown = []
    for link in setting.heavy_links:
        for a in setting.live_axes:
            rate = setting.eq.time_derivative(tuple(link.com)[a])
            shown.append(Shown(equation(link.symbol(AXES[a], 1), setting.tree(rate)), Level.FULL))
        shown += [line for a in setting.live_axes if (line := _square(setting, link, a)) is not None]
        squares = Sum(tuple(Power(link.symbol(AXES[a], 1), 2) for a in setting.live_axes))
        left: Node = Power(link.symbol("v"), 2)
        square = squares if len(setting.live_axes) > 1 else squares.terms[0]
        shown.append(Shown(equation(left, square, setting.tree(speed_squared(setting, link))), Level.FULL))
    return Step(
        "Velocities",
        (
            "Differentiate the positions in time; the squares of the speeds are what the kinetic energy needs.",
            *_addition_theorem(setting),
        ),
        tuple(shown),
        level=Level.FULL,
        code=_per_link(setting, "[eq.time_derivative(x) for x in eq.centre_of_mass({}).values]"),
    )


def _addition_theorem(setting: Setting) -> tuple[str | Node, ...]:
    """s1 s12 + c1 c12 = c2, where joints turn about parallel axes."""
    printed = setting.eq.notation.vocabulary.printed
    for group in setting.eq.notation.vocabulary.parallel:
        if len(group) > 1 and group[1][1] == 1:
            a, b = (printed[name] for name, _ in group[:2])
            whole, first = ((a, 1), (b, 1)), ((a, 1),)
            products = [Product((Trig(f, first), Trig(f, whole))) for f in ("sin", "cos")]
            return " In them ", equation(Sum(tuple(products)), Trig("cos", ((b, 1),))), "."
    return ()


def _square(setting: Setting, link: LinkSetting, axis: int) -> Shown | None:
    """The square of one velocity component, multiplied out term by term; None where it has many terms."""
    rate = setting.tree(setting.eq.time_derivative(tuple(link.com)[axis]))
    printed = rate.terms if isinstance(rate, Sum) else (rate,)
    if len(printed) > MULTIPLIED_OUT or rate == ZERO:
        return None
    vocabulary, ring = setting.eq.notation.vocabulary, setting.eq.exact.ring
    terms = [element_of(term, vocabulary, ring) for term in printed]
    products = [a * a for a in terms] + [2 * a * b for a, b in combinations(terms, 2)]
    written = [setting.tree(x) for x in products]
    sides: list[Node] = [Power(link.symbol(AXES[axis], 1), 2)]
    if len(written) == 1:
        return Shown(equation(*sides, written[0]), Level.EVERY_LINE)
    return Shown(equation(*sides, Power(rate, 2), Sum(tuple(written))), Level.EVERY_LINE)


def speed_squared(setting: Setting, link: LinkSetting) -> Scalar:
    """v . v of a centre of mass."""
    rates = [setting.eq.time_derivative(part) for part in link.com]
    return sum((rate * rate for rate in rates), start=0)


def _rotations(setting: Setting) -> Step:
    omegas = me.angular_velocities(setting.mechanism, setting.eq.exact.q, setting.eq.exact.qd)
    shown = []
    for link in setting.links:
        rows = [list(row) for row in link.pose.rotation.rows()]
        shown.append(Shown(equation(Symbol(f"R{link.number}"), setting.matrix(rows)), Level.FULL))
        shown.append(Shown(equation(Symbol(f"omega{link.number}"), setting.column(list(omegas[link.i]))), Level.FULL))
    return Step(
        "Rotations and angular velocities",
        ("Each joint that turns adds its own rate about its axis, turned into the world.",),
        tuple(shown),
        level=Level.FULL,
        code=_per_link(setting, "eq.rotation({})"),
    )


def _screws(setting: Setting) -> Step:
    """Home poses of the centres of mass and the joints' screws in the world, as the lectures start from."""
    chain = me.screw_chain(setting.mechanism)
    shown = []
    for link in setting.links:
        screw = chain.screws[link.i]
        shown.append(
            Shown(equation(Symbol(f"S{link.number}"), setting.column([*screw.angular, *screw.linear])), Level.FULL)
        )
    for link in setting.heavy_links:
        home = chain.home[link.i] * Pose(IDENTITY, link.com_in_link)
        rows = [[*row, p] for row, p in zip(home.rotation.rows(), home.position, strict=True)]
        shown.append(
            Shown(
                equation(Indexed(Symbol("M"), f"0,c{link.number}"), setting.matrix([*rows, [0, 0, 0, 1]])), Level.FULL
            )
        )
    return Step(
        "Home poses and screws",
        (
            "With all joints at zero: the screw of each joint in the world (angular part first), and the pose of a "
            "frame at each centre of mass. A joint farther out than a link does not move it, so its screw counts as "
            "zero there.",
        ),
        tuple(shown),
        level=Level.FULL,
        code="together(eq, *la.mechanics.screw_chain(eq.exact.mechanism).screws)",
    )


def _jacobians(setting: Setting) -> Step:
    """From the screws, column by column, and once more by differentiating the positions."""
    shown = [Shown(line, Level.FULL) for line in _rule(setting)]
    equal = True
    for link in setting.heavy_links:
        J = jacobian_from_screws(setting, link)
        equal = equal and _by_differentiating(setting, link) == J[3:] and com_jacobian(setting, link) == J
        shown.append(Shown(equation(J_omega(link), setting.matrix(J[:3])), Level.FULL))
        shown.append(Shown(equation(J_v(link), setting.matrix(J[3:])), Level.FULL))
    verdict = "the same, entry by entry" if equal else "NOT the same"
    return Step(
        "Jacobians of the centres of mass",
        (
            "Column j is what unit speed of joint j gives link i, in world axes: its angular velocity, and the "
            "velocity of its centre of mass ", Indexed(Symbol("p"), "i"), ". The screw of joint j is carried along by "
            f"the joints before it. Differentiating the positions by the coordinates gives {verdict} (computed).",
        ),
        tuple(shown),
        level=Level.FULL,
        code=_per_link(setting, "[[x.diff(n).value for n in arm.joint_names] for x in eq.centre_of_mass({})]"),
    )  # fmt: skip


def _rule(setting: Setting) -> list[Equation]:
    """(w_j, v_j) = Ad(e^[S_1] q_1 ... e^[S_j-1] q_j-1) S_j; the columns w_j and v_j + w_j x p_i."""
    w, v, p = (Indexed(Symbol(letter), index) for letter, index in (("omega", "j"), ("v", "j"), ("p", "i")))
    first, last = (
        Exponential(Product((Bracketed(Indexed(Symbol("S"), k)), Indexed(Symbol(setting.vector), k))))
        for k in ("1", "j-1")
    )
    carried = Product((Call("Ad", Product((first, Symbol("cdots"), last))), Indexed(Symbol("S"), "j")))
    linear = Sum((v, Product((Bracketed(w), p))))
    return [
        equation(column([w, v]), carried),
        equation(column([Indexed(Symbol("J"), "omega,j"), Indexed(Symbol("J"), "v,j")]), column([w, linear])),
    ]


def jacobian_from_screws(setting: Setting, link: LinkSetting) -> me.Matrix:
    """The 6 x n Jacobian of a centre of mass: screws of the joints at home, carried along by the joints before them."""
    chain, joints = me.screw_chain(setting.mechanism), setting.mechanism.joint_values(setting.eq.exact.q)
    moved = HERE
    columns = [AT_REST] * len(joints)
    for i in reversed(me.ancestors(setting.mechanism, link.i)):
        twist = moved.motion_into_parent(chain.screws[i])
        columns[i] = Motion(twist.angular, twist.linear + twist.angular.cross(link.com))
        moved = moved * me.exponential(chain.screws[i], joints[i])
    per_joint = zip(*((*c.angular, *c.linear) for c in columns), strict=True)
    return [setting.mechanism.generalised_forces(row) for row in per_joint]


def com_jacobian(setting: Setting, link: LinkSetting) -> me.Matrix:
    """The 6 x n Jacobian of a link's centre of mass, angular rows first, from the joints' axes."""
    return me.point_jacobian(
        setting.mechanism, setting.eq.exact.q, Attachment(link.i, Pose(IDENTITY, link.com_in_link))
    )


def _by_differentiating(setting: Setting, link: LinkSetting) -> me.Matrix:
    return [[partial(part, name) for name in setting.eq.exact.coordinates] for part in link.com]


def J_v(link: LinkSetting) -> Node:
    """The symbol of the linear rows of a link's Jacobian."""
    return Indexed(Symbol("J"), f"v{link.number}")


def J_omega(link: LinkSetting) -> Node:
    """The symbol of the angular rows of a link's Jacobian."""
    return Indexed(Symbol("J"), f"omega{link.number}")


def _per_link(setting: Setting, call: str) -> str:
    """A cell with one formula for each link that has mass."""
    names = [link.name for link in setting.heavy_links]
    return f"together(eq, *({call.format('name')} for name in {names!r}))" if names else ""


def quadratic(setting: Setting, inner: Node) -> Node:
    """thetad^T [inner] thetad."""
    return times(Transposed(setting.all(1)), inner, setting.all(1))
