"""The Newton-Euler route in screw form: outward motion, inward forces, and the equations of motion read off them."""

from leverarm.derivation.newton_euler.route import newton_euler

__all__ = ["newton_euler"]
