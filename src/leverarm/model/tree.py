"""The bodies of an arm in an order in which parents come first, or an error that says why there is none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from leverarm.errors import ArmError, unknown_name
from leverarm.model.parts import Body

MAX_BODIES = 10_000


def free_joints(bodies: Sequence[Body]) -> tuple[str, ...]:
    """The joints that are coordinates of their own: what q holds, in this order, unless an arm says otherwise."""
    return tuple(body.joint.name for body in bodies if not body.joint.is_fixed and body.joint.coupling is None)


def in_tree_order(base: str, bodies: Sequence[Body]) -> tuple[Body, ...]:
    """The bodies with parents before children; the given order is kept where it already is one."""
    if not bodies:
        raise ArmError("an arm needs at least one body besides its base; none was given.")
    if len(bodies) > MAX_BODIES:
        raise ArmError(f"{len(bodies)} bodies were given; at most {MAX_BODIES} are read.")
    for name, count in Counter([base, *(body.name for body in bodies)]).items():
        if count > 1:
            raise ArmError(f"{count} times the body name {name!r}; each needs one of its own.", ("body", name))
    children: dict[str, list[Body]] = {name: [] for name in (base, *(body.name for body in bodies))}
    for body in bodies:
        if body.parent not in children:
            raise ArmError(
                f"body {body.name!r} has an unknown parent: " + unknown_name("body", body.parent, children),
                ("body", body.name),
            )
        children[body.parent].append(body)
    position = {base: -1} | {body.name: i for i, body in enumerate(bodies)}
    if all(position[body.parent] < i for i, body in enumerate(bodies)):
        return tuple(bodies)
    ordered: list[Body] = []
    waiting = list(reversed(children[base]))
    while waiting:  # depth first, so that each branch stays together
        body = waiting.pop()
        ordered.append(body)
        if len(ordered) > len(bodies):
            break
        waiting.extend(reversed(children[body.name]))
    if len(ordered) != len(bodies):
        reached = {body.name for body in ordered}
        stray = [body.name for body in bodies if body.name not in reached] or [bodies[0].name]
        raise ArmError(
            f"the bodies {', '.join(stray[:10])} form a cycle and never reach the base {base!r}. "
            "Each body needs a parent that leads to the base.",
            ("body", stray[0]),
        )
    return tuple(ordered)
