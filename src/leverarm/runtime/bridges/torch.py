"""Quantities as functions of Torch tensors, with derivatives by autograd."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Unpack

from leverarm.compiler.array_code import array_function
from leverarm.model import Arm
from leverarm.runtime.bridges.asking import Choosing, asked_for
from leverarm.runtime.bridges.extras import extra


def to_torch(arm: Arm, quantity: str, **choosing: Unpack[Choosing]) -> Callable[..., Any]:
    """A quantity of an arm as a function of tensors (..., n) that broadcast; several results come as a tuple.

    Precision and device are those of the tensors given; what is no tensor becomes one like the first. Derivatives are
    autograd's and torch.func's own; that of sign (dry friction) is 0. `choosing` may hold inputs, extras, frame, axes,
    kinds and method, see `Choosing`. Raises MissingExtraError without Torch.
    """
    torch = extra("torch", "PyTorch")
    asked = asked_for(arm, quantity, choosing)
    compute = array_function(asked.program, "torch")

    def function(*given: Any, **named: Any) -> Any:
        values = asked.ordered(given, named)
        first = next((x for x in values if torch.is_tensor(x) and x.is_floating_point()), torch.empty(0))
        tensors = [x if torch.is_tensor(x) and x.is_floating_point() else torch.as_tensor(x).to(first) for x in values]
        asked.check_shapes(tensors)
        return compute(*tensors)

    return asked.named(function)
