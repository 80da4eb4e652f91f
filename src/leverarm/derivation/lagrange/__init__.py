"""The Euler-Lagrange route: energies, their derivatives, and the equations of motion collected from them."""

from leverarm.derivation.lagrange.route import lagrange

__all__ = ["lagrange"]
