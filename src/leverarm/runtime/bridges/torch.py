"""Quantities as functions of Torch tensors, differentiable by autograd."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Unpack

import numpy as np

from leverarm.compiler import Array
from leverarm.compiler.array_code import array_function
from leverarm.model import Arm
from leverarm.runtime.bridges.asking import Asked, Choosing, asked_for, extra


def to_torch(arm: Arm, quantity: str, **choosing: Unpack[Choosing]) -> Callable[..., Any]:
    """A quantity of an arm as a function of tensors (..., n) that broadcast; several results come as a tuple.

    Precision and device follow the tensors given; other arguments are converted to match the first. Derivatives are
    autograd's and torch.func's own; that of sign (dry friction) is 0. `choosing` may hold inputs, extras, frame, axes,
    kinds and method, see `Choosing`. Raises MissingExtraError without Torch.
    """
    torch = extra("torch", "PyTorch")
    asked = asked_for(arm, quantity, choosing)
    compute = array_function(asked.program, "torch")

    def function(*given: Any, **named: Any) -> Any:
        values = asked.ordered(given, named)
        tensors = [_tensor(asked, array, x) for array, x in zip(asked.program.inputs, values, strict=True)]
        # a list has no precision of its own; a tensor's takes precedence over a NumPy array's
        pairs = list(zip(tensors, values, strict=True))
        typed = [t for kind in (torch.Tensor, np.ndarray) for t, x in pairs if isinstance(x, kind)]
        like = next((t for t in typed if t.is_floating_point()), torch.empty(0))
        tensors = [t if torch.is_tensor(x) and t.is_floating_point() else t.to(like) for t, x in pairs]
        asked.check_shapes(tensors)
        return compute(*tensors)

    return asked.named(function)


def _tensor(asked: Asked, array: Array, given: Any) -> Any:
    """A tensor of real numbers."""
    import torch

    try:
        tensor = torch.as_tensor(given)
    except (TypeError, ValueError, RuntimeError) as problem:
        raise asked.not_real(array, problem) from None
    if tensor.is_complex():
        raise asked.not_real(array, "they are complex")
    return tensor
