"""Control laws that compile with the arm: joint forces from a reference and the state."""

from leverarm.control.by_name import LAWS as LAWS
from leverarm.control.by_name import by_name as by_name
from leverarm.control.control import Control as Control
from leverarm.control.control import fitted as fitted
from leverarm.control.joint_space import PD as PD
from leverarm.control.joint_space import ComputedTorque as ComputedTorque
from leverarm.control.joint_space import PDGravity as PDGravity
from leverarm.control.joint_space import SlotineLi as SlotineLi
from leverarm.control.joint_space import computed_torque as computed_torque
from leverarm.control.joint_space import pd as pd
from leverarm.control.joint_space import pd_gravity as pd_gravity
from leverarm.control.joint_space import slotine_li as slotine_li
from leverarm.control.law import Law as Law
from leverarm.control.law import Saturated as Saturated
from leverarm.control.operational_space import OperationalSpace as OperationalSpace
from leverarm.control.operational_space import operational_space as operational_space
