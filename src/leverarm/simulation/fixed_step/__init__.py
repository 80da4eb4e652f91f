"""Explicit Runge-Kutta methods with a fixed step."""
