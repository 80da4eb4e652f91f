"""Any quantity of the table at one state, over floats: its value with names for its rows and columns, and units."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from leverarm.errors import SingularError
from leverarm.model import Arm
from leverarm.quantities.arrays import array, coordinates, frame_name, over_floats
from leverarm.quantities.dynamics import FrameAcceleration
from leverarm.quantities.operational_space import task_axes
from leverarm.quantities.table import Choices, Quantity, labels, units


@dataclass(frozen=True, slots=True)
class Answer:
    """A number, vector, matrix or stack of matrices as nested lists, with labels and units.

    `unit` is one text, or one per row. `layers` names the matrices of a stack, or the entries of a mapping.
    """

    value: Any
    unit: str | tuple[str, ...] = ""
    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    layers: tuple[str, ...] = ()

    @property
    def labels(self) -> dict[str, list[str]]:
        named = {"layers": self.layers, "rows": self.rows, "columns": self.columns}
        return {axis: list(names) for axis, names in named.items() if names}


def evaluate(
    arm: Arm, quantity: Quantity, state: Mapping[str, Sequence[float]], options: Mapping[str, Any] | None = None
) -> Answer:
    """A quantity at a state (q, qd, qdd, tau), by its typed function or by its first route.

    Options that are None are left out; `wrench` maps frames to six numbers.
    """
    given = {name: value for name, value in (options or {}).items() if value is not None and name in quantity.options}
    choices = _choices(arm, quantity, given)
    value = _value(arm, quantity, state, given, choices)
    names = labels(quantity.shape, arm, over_floats(arm), choices)
    layers = names[0] if len(names) > 2 else tuple(value) if isinstance(value, dict) else ()
    rows, columns = (*names[-2:], (), ())[:2]
    return Answer(value, units(quantity.results[0], arm, rows), rows, columns, layers)


def _choices(arm: Arm, quantity: Quantity, given: Mapping[str, Any]) -> Choices:
    frame = frame_name(arm, given.get("frame"))
    if "axes" not in quantity.options:
        return Choices(frame)
    return Choices(frame, tuple(given["axes"]) if "axes" in given else task_axes(arm, frame))


def _value(
    arm: Arm, quantity: Quantity, state: Mapping[str, Sequence[float]], given: Mapping[str, Any], choices: Choices
) -> Any:
    if quantity.function is None:
        at = {name: coordinates(arm, name, state[name]) for name in quantity.arguments}
        try:
            (found,) = quantity.computed(0, over_floats(arm), choices, at)
        except ZeroDivisionError:
            raise SingularError(
                f"{quantity.spelled} of arm {arm.name!r} divides by zero here: the mass matrix has no inverse, or the "
                "frame cannot move along an axis. Give every moving link a mass, or choose another pose."
            ) from None
        return array(found).tolist()
    keywords = {"wrenches" if name == "wrench" else name: value for name, value in given.items()}
    if "wrench" in quantity.options:
        keywords.setdefault("wrenches", {})
    return _nested(quantity.function(arm, *(state[name] for name in quantity.arguments), **keywords))


def _nested(found: Any) -> Any:
    """As lists: the causes of an acceleration are columns, the energies of links rows; poses stay by name."""
    if isinstance(found, FrameAcceleration):
        columns = (found.joint, found.centripetal, found.coriolis, found.total)
        return [[float(column[i]) for column in columns] for i in range(len(found.joint))]
    if isinstance(found, dict):
        if all(isinstance(value, tuple) for value in found.values()):
            return [list(pair) for pair in found.values()]
        return {name: pose.tolist() for name, pose in found.items()}
    return found if isinstance(found, float) else found.tolist()
