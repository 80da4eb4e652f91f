"""Others that move an arm, on the same arm from the same start."""

RIVALS = {"mujoco_steps": ("MuJoCo", "mujoco"), "heyoka_taylor": ("heyoka", "heyoka")}
"""The module, the title, and the package it needs."""
