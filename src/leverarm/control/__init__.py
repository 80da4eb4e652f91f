"""Control laws that compile with the arm: joint forces from a reference and the state."""

from leverarm.control.by_name import LAWS, by_name
from leverarm.control.computed_torque import ComputedTorque, computed_torque
from leverarm.control.control import Control, fitted
from leverarm.control.law import Law, Saturated
from leverarm.control.operational_law import OperationalSpace
from leverarm.control.operational_space import operational_space
from leverarm.control.proportional_derivative import PD, PDGravity, pd, pd_gravity
from leverarm.control.slotine_li import SlotineLi, slotine_li

__all__ = [
    "LAWS",
    "PD",
    "ComputedTorque",
    "Control",
    "Law",
    "OperationalSpace",
    "PDGravity",
    "Saturated",
    "SlotineLi",
    "by_name",
    "computed_torque",
    "fitted",
    "operational_space",
    "pd",
    "pd_gravity",
    "slotine_li",
]
