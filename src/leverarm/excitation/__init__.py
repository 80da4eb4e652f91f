"""Motions that tell the most about an arm's parameters."""

from leverarm.excitation.designing import excite
from leverarm.excitation.excitation import Excitation
from leverarm.excitation.information import Quality
from leverarm.excitation.verification import JointUse

__all__ = ["Excitation", "JointUse", "Quality", "excite"]
