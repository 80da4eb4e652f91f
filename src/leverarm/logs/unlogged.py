"""Joints of an arm that a log does not name, while it names the others."""

from __future__ import annotations

from leverarm.logs.column_words import Role
from leverarm.logs.gathering import Source, gathered
from leverarm.logs.joint_names import named_by_words
from leverarm.logs.names import meaning
from leverarm.model import Arm


def unlogged_joints(source: Source, arm: Arm) -> tuple[str, ...]:
    """The joints without a column, where positions and torques of all others are named after them; else none.

    Such as the fingers of a gripper, or the head of a robot whose arm was logged. Raises what reading the file raises.
    """
    joints = arm.coordinates
    table = named_by_words(gathered(source, joints))
    read = [found for name in table.columns if (found := meaning(name, joints))]
    roles: tuple[Role, ...] = ("q", "tau")
    named = [{found.joint for found in read if found.role == role and found.joint is not None} for role in roles]
    if not named[0] or named[0] != named[1]:
        return ()
    return tuple(joint for i, joint in enumerate(joints) if i not in named[0])
