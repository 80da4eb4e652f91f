"""The force-balance route, f = m a, for arms of point masses."""

from leverarm.derivation.force_balance.route import force_balance

__all__ = ["force_balance"]
