"""Kinematics of the centres of mass: positions, velocities, screws and Jacobians."""

from __future__ import annotations

from itertools import combinations

from leverarm import mechanics as me
from leverarm.derivation.formulas import J, brief, equation, every_line, full, plus, times
from leverarm.derivation.setting import AXES, LinkSetting, Setting
from leverarm.derivation.steps import chapter, step
from leverarm.documents.document import Level, Section, Shown, Words, sentence
from leverarm.model import Attachment
from leverarm.notation.elements import element_of
from leverarm.notation.tree import ZERO, Bracketed, Call, Exponential, Indexed, Node, Power, Sum, Symbol, Trig, column
from leverarm.scalars import Scalar
from leverarm.scalars.exact import partial
from leverarm.spatial import AT_REST, HERE, IDENTITY, Motion, Pose

MULTIPLIED_OUT = 3
"""Sums of at most this many terms are squared term by term."""


def kinematics(setting: Setting) -> Section:
    """Positions, velocities, rotations, home poses and screws, and the Jacobians in two ways."""
    steps = [_positions(setting), _velocities(setting)]
    if any(link.turns for link in setting.mechanism.links):
        steps.append(_rotations(setting))
    steps += [_screws(setting), _jacobians(setting)]
    return chapter("Positions and velocities", tuple(steps))


def _positions(setting: Setting) -> Section:
    words = "Forward kinematics gives each centre of mass in the world frame."
    if len(setting.live_axes) < 3:
        words += f" Only {' and '.join(AXES[a] for a in setting.live_axes)} can change."
    shown = [
        brief(link.symbol(AXES[a]), setting.tree(tuple(link.com)[a]))
        for link in setting.heavy_links
        for a in setting.live_axes
    ]
    return step(
        "Positions of the centres of mass", (words,), tuple(shown), code=_per_link(setting, "eq.centre_of_mass({})")
    )


def _velocities(setting: Setting) -> Section:
    shown = []
    for link in setting.heavy_links:
        for a in setting.live_axes:
            rate = setting.eq.time_derivative(tuple(link.com)[a])
            shown.append(full(link.symbol(AXES[a], 1), setting.tree(rate)))
        shown += [line for a in setting.live_axes if (line := _square(setting, link, a)) is not None]
        squares = plus(*(Power(link.symbol(AXES[a], 1), 2) for a in setting.live_axes))
        shown.append(full(Power(link.symbol("v"), 2), squares, setting.tree(speed_squared(setting, link))))
    return step(
        "Velocities",
        (
            "Differentiate the positions with respect to time. The kinetic energy needs the squared speeds.",
            *_addition_theorem(setting),
        ),
        tuple(shown),
        level=Level.FULL,
        code=_per_link(setting, "[eq.time_derivative(x) for x in eq.centre_of_mass({}).values]"),
    )


def _addition_theorem(setting: Setting) -> Words:
    """s1 s12 + c1 c12 = c2, where joints turn about parallel axes."""
    printed = setting.eq.notation.vocabulary.printed
    for group in setting.eq.notation.vocabulary.chains:
        if len(group) > 1 and group[1][1] == 1:
            a, b = (printed[name] for name, _ in group[:2])
            whole, first = ((a, 1), (b, 1)), ((a, 1),)
            products = [times(Trig("sin", first), Trig("sin", whole)), times(Trig("cos", first), Trig("cos", whole))]
            return sentence(" Here {theorem}.", theorem=equation(plus(*products), Trig("cos", ((b, 1),))))
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
    left = Power(link.symbol(AXES[axis], 1), 2)
    return every_line(left, written[0]) if len(written) == 1 else every_line(left, Power(rate, 2), plus(*written))


def speed_squared(setting: Setting, link: LinkSetting) -> Scalar:
    """v . v of a centre of mass."""
    rates = [setting.eq.time_derivative(part) for part in link.com]
    return sum((rate * rate for rate in rates), start=0)


def _rotations(setting: Setting) -> Section:
    omegas = me.angular_velocities(setting.mechanism, setting.eq.exact.q, setting.eq.exact.qd)
    shown = []
    for link in setting.links:
        rows = [list(row) for row in link.pose.rotation.rows()]
        shown.append(full(link.symbol("R"), setting.matrix(rows)))
        shown.append(full(link.symbol("omega"), setting.column(list(omegas[link.i]))))
    return step(
        "Rotations and angular velocities",
        ("Each revolute joint adds its own rate about its axis, expressed in the world frame.",),
        tuple(shown),
        level=Level.FULL,
        code=_per_link(setting, "eq.rotation({})"),
    )


def _screws(setting: Setting) -> Section:
    """Home poses of the centres of mass, and the joints' screws in the world frame."""
    chain = me.screw_chain(setting.mechanism)
    shown = []
    for link in setting.links:
        screw = chain.screws[link.i]
        shown.append(full(link.symbol("S"), setting.column([*screw.angular, *screw.linear])))
    for link in setting.heavy_links:
        home = chain.home[link.i] * Pose(IDENTITY, link.com_in_link)
        rows = [[*row, p] for row, p in zip(home.rotation.rows(), home.position, strict=True)]
        shown.append(full(Indexed(Symbol("M"), f"0,c{link.number}"), setting.matrix([*rows, [0, 0, 0, 1]])))
    return step(
        "Home poses and screws",
        (
            "In the home position: the screw of each joint in the world frame (angular part first), and the pose of a "
            "frame at each centre of mass. Joints beyond a link do not move it: in its Jacobian their columns are 0.",
        ),
        tuple(shown),
        level=Level.FULL,
        code="together(eq, *la.mechanics.screw_chain(eq.exact.mechanism).screws)",
    )


def _jacobians(setting: Setting) -> Section:
    """From the screws, column by column, and once more by differentiating the positions."""
    shown = _rule(setting)
    are_equal = True
    for link in setting.heavy_links:
        values = jacobian_from_screws(setting, link)
        by_differentiating = [[partial(part, name) for name in setting.eq.exact.coordinates] for part in link.com]
        are_equal = are_equal and by_differentiating == values[3:] and com_jacobian(setting, link) == values
        shown.append(full(J_omega(link), setting.matrix(values[:3])))
        shown.append(full(J_v(link), setting.matrix(values[3:])))
    verdict = "the same matrices (verified)" if are_equal else "NOT the same matrices"
    return step(
        "Jacobians of the centres of mass",
        sentence(
            "Column j is the motion of link i due to unit velocity of joint j, in world axes: the angular velocity of "
            "the link, and the velocity of its centre of mass {p}. The joints before joint j move its screw along. "
            f"Differentiating the positions with respect to the coordinates gives {verdict}.",
            p=Indexed(Symbol("p"), "i"),
        ),
        tuple(shown),
        level=Level.FULL,
        code=_per_link(setting, "[[x.diff(n).value for n in arm.joint_names] for x in eq.centre_of_mass({})]"),
    )


def _rule(setting: Setting) -> list[Shown]:
    """(w_j, v_j) = Ad(e^[S_1] q_1 ... e^[S_j-1] q_j-1) S_j; the columns w_j and v_j + w_j x p_i."""
    w, v, p = (Indexed(Symbol(letter), index) for letter, index in (("omega", "j"), ("v", "j"), ("p", "i")))
    first, last = (
        Exponential(times(Bracketed(Indexed(Symbol("S"), k)), Indexed(Symbol(setting.vector), k))) for k in ("1", "j-1")
    )
    carried = times(Call("Ad", times(first, Symbol("cdots"), last)), Indexed(Symbol("S"), "j"))
    columns = column([Indexed(J, "omega,j"), Indexed(J, "v,j")])
    return [full(column([w, v]), carried), full(columns, column([w, plus(v, times(Bracketed(w), p))]))]


def jacobian_from_screws(setting: Setting, link: LinkSetting) -> me.Matrix:
    """The 6 x n Jacobian of a centre of mass: the joints' home screws, moved along by the joints before them."""
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


def J_v(link: LinkSetting) -> Node:
    """The symbol of the linear rows of a link's Jacobian."""
    return Indexed(J, f"v{link.number}")


def J_omega(link: LinkSetting) -> Node:
    """The symbol of the angular rows of a link's Jacobian."""
    return Indexed(J, f"omega{link.number}")


def _per_link(setting: Setting, call: str) -> str:
    """A cell with one formula for each link that has mass."""
    names = [link.name for link in setting.heavy_links]
    return f"together(eq, *({call.format('name')} for name in {names!r}))" if names else ""
