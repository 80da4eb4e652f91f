"""Where the centres of mass are and how they move: positions, velocities, screws and Jacobians."""

from __future__ import annotations

from itertools import combinations

from leverarm import mechanics as me
from leverarm.derivation.document import Level, Part, Shown, Step
from leverarm.derivation.setting import AXES, LinkSetting, Setting, equation, times
from leverarm.model import Attachment
from leverarm.notation.tree import Indexed, Node, Power, Sum, Symbol, Transposed
from leverarm.scalars import Scalar
from leverarm.scalars.exact import is_exactly_zero, monomials, partial
from leverarm.spatial import IDENTITY, Pose

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
    planar = len(setting.live_axes) < 3
    still = [AXES[a] for a in range(3) if a not in setting.live_axes]
    words = "Forward kinematics gives each centre of mass in the world."
    if planar:
        words += f" Nothing leaves the plane: {' and '.join(still)} stay{'s' if len(still) == 1 else ''} zero."
    shown = [
        Shown(equation(link.symbol(AXES[a]), setting.tree(tuple(link.com)[a])))
        for link in setting.heavy_links
        for a in setting.live_axes
    ]
    return Step("Positions of the centres of mass", (words,), tuple(shown), code=_per_link(setting, "eq.position({})"))


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
        ("Differentiate the positions in time; the squares of the speeds are what the kinetic energy needs.",),
        tuple(shown),
        level=Level.FULL,
        code="eq.position().diff(eq.arm.joint_names[0])",
    )


def _square(setting: Setting, link: LinkSetting, axis: int) -> Shown | None:
    """The square of one velocity component, multiplied out; None where it has many terms."""
    rate = setting.eq.time_derivative(tuple(link.com)[axis])
    terms = monomials(rate)
    if len(terms) > MULTIPLIED_OUT:
        return None
    products = [a * a for a in terms] + [2 * a * b for a, b in combinations(terms, 2)]
    sides: list[Node] = [Power(link.symbol(AXES[axis], 1), 2)]
    if len(terms) > 1:
        sides.append(Power(Sum(tuple(setting.tree(term) for term in terms)), 2))
    written = [setting.tree(x) for x in products]
    sides.append(written[0] if len(written) == 1 else Sum(tuple(written)) if written else setting.tree(0))
    return Shown(equation(*sides), Level.EVERY_LINE)


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
        code="la.to_screws(arm)",
    )


def _jacobians(setting: Setting) -> Step:
    shown = []
    equal = True
    for link in setting.heavy_links:
        J = com_jacobian(setting, link)
        equal = equal and _by_differentiating(setting, link) == J[3:]
        if link.has_rotation_inertia or any(not is_exactly_zero(x) for row in J[:3] for x in row):
            shown.append(Shown(equation(J_omega(link), setting.matrix(J[:3])), Level.FULL))
        shown.append(Shown(equation(J_v(link), setting.matrix(J[3:])), Level.FULL))
    verdict = "equal, entry by entry" if equal else "different: this arm's Jacobians are wrong"
    return Step(
        "Jacobians of the centres of mass",
        (
            "Column j is the twist that joint j gives link i: its screw carried along by the joints before it. "
            "Differentiating the positions by the coordinates gives the linear rows once more; computed both ways they "
            f"are {verdict}.",
        ),
        tuple(shown),
        level=Level.FULL,
        code="eq.jacobian()",
    )


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
    return call.format(repr(setting.heavy_links[-1].name) if setting.heavy_links else "")


def quadratic(setting: Setting, inner: Node) -> Node:
    """thetad^T [inner] thetad."""
    return times(Transposed(setting.all(1)), inner, setting.all(1))
