"""Certified bounds of what an arm's equations can be over a box of joint positions."""

from leverarm.verify.enclosures.enclosing import Enclosure, enclosures

__all__ = ["Enclosure", "enclosures"]
