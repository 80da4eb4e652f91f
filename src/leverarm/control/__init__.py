"""Control laws that compile with the arm: joint forces from a reference and the state."""

from leverarm.control.by_name import LAWS, by_name
from leverarm.control.control import Control, fitted
from leverarm.control.joint_space import (
    PD,
    ComputedTorque,
    PDGravity,
    SlotineLi,
    computed_torque,
    pd,
    pd_gravity,
    slotine_li,
)
from leverarm.control.law import Law, Saturated
from leverarm.control.operational_space import OperationalSpace, operational_space
