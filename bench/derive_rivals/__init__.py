"""Others that derive equations of motion, on the same arms with the same parameters. Each is a generator of stages."""

RIVALS = {
    "lagrange": ("sympy_mechanics", "SymPy LagrangesMethod"),
    "kane": ("sympy_mechanics", "SymPy KanesMethod"),
    "textbook": ("textbook_script", "SymPy script with Matrix.jacobian"),
    "heyoka": ("heyoka_lagrangian", "heyoka lagrangian"),
    "newton_euler_code": ("newton_euler_code", "SymPy Newton-Euler with cse"),
}
"""The module that holds the function of that name, and the title."""
