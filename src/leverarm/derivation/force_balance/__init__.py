"""The force-balance route for arms of point masses: f = m a, and the joint forces that balance it."""

from leverarm.derivation.force_balance.masses import forces_by_balance, point_masses
from leverarm.derivation.force_balance.route import force_balance

__all__ = ["force_balance", "forces_by_balance", "point_masses"]
