"""Certified bounds of what an arm's equations can be over a box of joint positions."""

from leverarm.verify.enclosures.enclosing import enclosures
from leverarm.verify.enclosures.enclosure import Enclosure

__all__ = ["Enclosure", "enclosures"]
