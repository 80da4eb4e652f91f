"""Lagrange's equations of a Lagrangian of one's own."""

from leverarm.closed_form.lagrangian.equilibria import Equilibrium
from leverarm.closed_form.lagrangian.system import LagrangianSystem, lagrange

__all__ = ["Equilibrium", "LagrangianSystem", "lagrange"]
