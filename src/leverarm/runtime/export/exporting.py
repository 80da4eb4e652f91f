"""`la.export`: an arm's quantities as code for other programs, with the options checked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import DTypeLike

from leverarm.compiler.c99 import Real, identifier
from leverarm.compiler.llvm import machine_named
from leverarm.errors import InputError, SingularError, require_known
from leverarm.model import Arm
from leverarm.quantities.table import Quantity
from leverarm.runtime.calls.kernel import real_of
from leverarm.runtime.export.description import Bundle, Function
from leverarm.runtime.export.targets import TARGETS, Target
from leverarm.runtime.parameters import parameter_inputs
from leverarm.runtime.quantities import QUANTITIES
from leverarm.runtime.requests import listed_quantities, program_for, quantity_named, request_for


def export(
    arm: Arm,
    quantities: Sequence[str] | str | None = ("inverse_dynamics",),
    *,
    target: str = "c",
    dtype: DTypeLike = "float64",
    name: str | None = None,
    cpu: str | None = None,
    inputs: Sequence[str] | str = (),
    extras: Sequence[str] | str = (),
    **choices: Any,
) -> Bundle:
    """Quantities of an arm as code for other programs, to be written by `save` or `text`.

    `quantities` None means all that the arm has. `target` is c, llvm, object, numpy, jax, torch or casadi. Files and
    functions are named after the arm unless `name` is given. `inputs` are parameters of the arm that become
    arguments; `extras` are `wrench`, `disturbance` and `load`; `choices` (frame, axes, kinds, method) apply to those
    quantities that take them. `cpu` selects the target processor of machine code.
    """
    inputs = parameter_inputs(arm, inputs)
    extras = (extras,) if isinstance(extras, str) else extras
    kind = _target(target, cpu)
    real = _real(dtype, target)
    asked = [quantity_named(q) for q in (QUANTITIES if quantities is None else listed_quantities(quantities))]
    _require_use([*extras, *(choice for choice, value in choices.items() if value is not None)], asked)
    prefix = identifier(arm.name if name is None else _checked(name))
    functions = []
    for quantity in asked:
        chosen = {choice: value for choice, value in choices.items() if choice in quantity.choices}
        taken = [extra for extra in extras if extra in quantity.optional]
        request = request_for(arm, quantity.name, inputs=inputs, extras=taken, **chosen)
        symbol = kind.function_name.format(name=prefix, quantity=quantity.name)
        try:
            functions.append(Function(symbol, quantity.title, request, program_for(request)))
        except SingularError:
            if quantities is not None:
                raise
    files = kind.names(prefix, [function.request.quantity for function in functions])
    return Bundle(arm, prefix, target, real, tuple(functions), files, cpu)


def compilable() -> dict[str, str]:
    """Every quantity that can be compiled or exported, with its description."""
    return {name: quantity.title for name, quantity in QUANTITIES.items()}


def export_targets() -> dict[str, str]:
    """Every export target, with its description."""
    return {name: target.meaning for name, target in TARGETS.items()}


def _target(name: str, cpu: str | None) -> Target:
    require_known("target", name, TARGETS)
    if cpu is not None and not TARGETS[name].is_machine_code:
        machine = " and ".join(target for target, kind in TARGETS.items() if kind.is_machine_code)
        raise InputError(f"cpu={cpu!r} was given for target {name!r}; only {machine} are for a processor.")
    if cpu is not None:
        machine_named(cpu)
    return TARGETS[name]


def _real(dtype: DTypeLike, target: str) -> Real:
    real: Real = "double" if real_of(dtype) == "double" else "float"
    if real != "double" and not TARGETS[target].has_precision:
        raise InputError(f"dtype: target {target!r} computes in the precision of its arguments. Leave the dtype out.")
    return real


def _require_use(given: Sequence[str], asked: Sequence[Quantity]) -> None:
    """Each extra argument and choice must apply to a requested quantity."""
    for name in given:
        if not any(name in (*quantity.optional, *quantity.choices) for quantity in asked):
            users = [q.name for q in QUANTITIES.values() if name in (*q.optional, *q.choices)]
            advice = f"It is for {', '.join(users)}." if users else "There is no such argument or choice."
            raise InputError(f"{name!r} does not apply to {', '.join(q.name for q in asked)}. {advice}")


def _checked(name: str) -> str:
    """A valid prefix of file and C function names."""
    if not isinstance(name, str) or identifier(name) != name:
        raise InputError(
            f"name={name!r} cannot start a C function name. Use letters, digits and underscores, beginning with "
            f"a letter; {identifier(str(name))!r} would do."
        )
    return name
