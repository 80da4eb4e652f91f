"""Others that compute the dynamics of an arm, on the same arms. Each module yields its ways of doing a task."""

RIVALS = {
    "pinocchio_calls": ("Pinocchio", "pin"),
    "heyoka_cfunc": ("heyoka", "heyoka"),
    "casadi_function": ("CasADi", "casadi"),
    "mujoco_calls": ("MuJoCo", "mujoco"),
    "robotics_toolbox": ("Robotics Toolbox", "roboticstoolbox-python"),
    "jax_program": ("JAX", "jax"),
}
"""The module that holds `contenders(problem, task)`, the title, and the package it needs."""
