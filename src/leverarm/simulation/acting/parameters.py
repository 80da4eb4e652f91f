"""The numbers of an arm that are data of a run: masses, friction or lengths given anew, and what the tool carries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from leverarm.errors import InputError
from leverarm.model import Arm
from leverarm.runtime.parameters import parameter_inputs, present_values
from leverarm.signals.checked import number_array
from leverarm.simulation.acting.feeds import Constant, Source, Switched
from leverarm.simulation.acting.payloads import Payload, carried

PAYLOAD = "payload"


def parameter_sources(
    arm: Arm, given: Mapping[str, ArrayLike] | None, payload: Payload | Sequence[Payload] | None, begin: float
) -> tuple[dict[str, Source], tuple[float, ...]]:
    """The parameters of the arm that are data, by name, and when the payload changes."""
    sources: dict[str, Source] = {}
    given = {} if given is None else given
    if not isinstance(given, Mapping):
        raise InputError(f"parameters: {given!r} was given; it takes values by name, such as {{'masses': [...]}}.")
    inputs = parameter_inputs(arm, tuple(given))
    if several := [name for name in given if name not in inputs]:
        raise InputError(
            f"parameters: {several[0]} stands for more than one of them. Give each by its own name: "
            f"{', '.join(name for name in inputs if name not in given)}."
        )
    for name in inputs:
        size = len(present_values(arm, name))
        values = number_array(f"parameters: {name}", given[name], f"{size} finite numbers")
        if values.shape[-1:] != (size,):
            values = values[..., None] if size == 1 else values
        if values.shape[-1:] != (size,) or not np.isfinite(values).all():
            raise InputError(f"parameters: {name} takes {size} finite numbers, and {values!r} was given.")
        sources[name] = Constant.of(values.reshape(-1, size) if values.ndim > 2 else values)
    payloads = tuple(payload) if isinstance(payload, list | tuple) else () if payload is None else (payload,)
    if not payloads:
        return sources, ()
    if wrong := [p for p in payloads if not isinstance(p, Payload)]:
        raise InputError(f"payload: {wrong[0]!r} was given; it takes la.payload(mass, com=..., at=...), or several.")
    if PAYLOAD in sources:
        raise InputError("the payload is given twice: among the parameters and as payload. Leave one out.")
    begins, rows = carried(payloads, begin)
    sources[PAYLOAD] = Switched(begins, rows)
    return sources, tuple(begins[1:].tolist())
