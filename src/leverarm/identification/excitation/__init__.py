"""Exciting trajectories: motions that make the parameters of an arm as identifiable as possible."""

from leverarm.identification.excitation.designing import excite
from leverarm.identification.excitation.information import Quality
from leverarm.identification.excitation.result import Excitation
from leverarm.identification.excitation.search import JointUse

__all__ = ["Excitation", "JointUse", "Quality", "excite"]
