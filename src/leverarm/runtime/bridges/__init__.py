"""An arm's quantities as NumPy, JAX, Torch and CasADi functions."""

from leverarm.runtime.bridges.asking import Choosing
from leverarm.runtime.bridges.casadi import to_casadi
from leverarm.runtime.bridges.jax import to_jax
from leverarm.runtime.bridges.numpy import to_numpy
from leverarm.runtime.bridges.torch import to_torch
