"""Motions that tell the most about an arm's parameters."""

from leverarm.identification.excitation.designing import excite
from leverarm.identification.excitation.information import Quality
from leverarm.identification.excitation.result import Excitation
from leverarm.identification.excitation.verification import JointUse

__all__ = ["Excitation", "JointUse", "Quality", "excite"]
