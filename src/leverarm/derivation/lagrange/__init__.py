"""The Euler-Lagrange route: energies, their derivatives, and the robot equation collected from them."""

from leverarm.derivation.lagrange.route import lagrange

__all__ = ["lagrange"]
