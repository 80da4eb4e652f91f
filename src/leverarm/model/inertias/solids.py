"""Solids to integrate a density over: the coordinates, their bounds, the place they mean and the volume element.

Written once, over any scalar: exact integrals and cubature read the same description. Frames are those of `shapes.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from leverarm.errors import InputError, require_known, unknown_name
from leverarm.model.expression import Expression, Quantity, symbols_of
from leverarm.model.inertias.shapes import check_measure
from leverarm.model.parts import as_quantity
from leverarm.scalars import Scalar, cos_sin, divide, half
from leverarm.spatial import Vec3

Values = Mapping[str, Scalar]
Measure = Quantity | str | tuple[Quantity | str, Quantity | str]
"""A length; of an edge also where it begins and ends."""


@dataclass(frozen=True, slots=True)
class Variable:
    """A coordinate of integration: a length between bounds that measures and outer coordinates give, or an angle."""

    name: str
    kind: Literal["length", "turn", "half turn"]
    bounds: Callable[[Values], tuple[Scalar, Scalar]] = lambda at: (0, 0)


@dataclass(frozen=True, slots=True)
class Shape:
    """A kind of solid. `measures` are its lengths with the letters that stand for them where none are given."""

    measures: Mapping[str, str]
    variables: tuple[Variable, ...]
    """From the innermost integral outwards."""
    place: Callable[[Values], Vec3]
    element: Callable[[Values], Scalar]
    """What stands before the differentials: r of cylindrical coordinates."""
    density_of: tuple[str, ...]
    """What a density may be a function of."""
    unit: str
    frame: str


def _edge(axis: str) -> Variable:
    return Variable(axis, "length", lambda at: (at[f"{axis}_low"], at[f"{axis}_high"]))


def _one(at: Values) -> Scalar:
    return 1


def _around_z(at: Values) -> Vec3:
    c, s = cos_sin(at["phi"])
    return Vec3(at["r"] * c, at["r"] * s, at["z"])


def _on_a_sphere(at: Values) -> Vec3:
    (c, s), (up, out) = cos_sin(at["phi"]), cos_sin(at["theta"])
    return Vec3(at["r"] * out * c, at["r"] * out * s, at["r"] * up)


_RADIUS = Variable("r", "length", lambda at: (0, at["radius"]))
_TURN = Variable("phi", "turn")
_XYZ = ("x", "y", "z")
_AXIS = "r is the distance from the axis"

SHAPES = {
    "box": Shape({"x": "a", "y": "b", "z": "c"}, tuple(map(_edge, _XYZ)), lambda at: Vec3(at["x"], at["y"], at["z"]),
                 _one, _XYZ, "kg/m³", "the frame is at its centre, or where its edges are counted from"),
    "cylinder": Shape({"radius": "R", "length": "L"},
                      (_RADIUS, _TURN, Variable("z", "length", lambda at: (-half(at["length"]), half(at["length"])))),
                      _around_z, lambda at: at["r"], (*_XYZ, "r"), "kg/m³",
                      f"the frame is at its centre, z along its axis; {_AXIS}"),
    "sphere": Shape({"radius": "R"}, (_RADIUS, Variable("theta", "half turn"), _TURN), _on_a_sphere,
                    lambda at: at["r"] * at["r"] * cos_sin(at["theta"])[1], (*_XYZ, "r"), "kg/m³",
                    "the frame is at its centre; r is the distance from it"),
    "cone": Shape({"radius": "R", "height": "h"},
                  (Variable("r", "length", lambda at: (0, at["radius"] - divide(at["radius"] * at["z"], at["height"]))),
                   _TURN, Variable("z", "length", lambda at: (0, at["height"]))),
                  _around_z, lambda at: at["r"], (*_XYZ, "r"), "kg/m³",
                  f"the frame is at the centre of its base, the apex at z = height; {_AXIS}"),
    "rod": Shape({"z": "L"}, (_edge("z"),), lambda at: Vec3(0, 0, at["z"]), _one, ("z",), "kg/m",
                 "thin, along z, the frame at its middle, or where its length is counted from"),
    "plate": Shape({"x": "a", "y": "b"}, (_edge("x"), _edge("y")), lambda at: Vec3(at["x"], at["y"], 0), _one,
                   ("x", "y"), "kg/m²",
                   "thin, in the xy plane, the frame at its centre, or where its edges are counted from"),
}  # fmt: skip
"""The solids by name."""
LENGTH_OF_ROD = {"length": "z"}


@dataclass(frozen=True, slots=True)
class Solid:
    """A solid of one of the `SHAPES`; `bounds` are its measures by name, edges as where they begin and end."""

    shape: str
    bounds: Mapping[str, Quantity]

    @property
    def kind(self) -> Shape:
        return SHAPES[self.shape]

    @property
    def symbols(self) -> tuple[str, ...]:
        """The symbols in its measures."""
        return tuple(dict.fromkeys(name for value in self.bounds.values() for name in symbols_of(value)))


def solid(shape: str, **measures: Measure) -> Solid:
    """A box (x, y, z), plate (x, y), rod (length), cylinder (radius, length), cone (radius, height) or sphere (radius).

    Measures are lengths [m]: numbers, expressions or their texts; without one, a letter. An edge x, y, z, or the
    length of a rod, may be a pair, from where to where it runs: x=(0, "L"). Raises InputError.
    """
    require_known("shape", shape, SHAPES)
    kind = SHAPES[shape]
    given = {LENGTH_OF_ROD.get(name, name) if shape == "rod" else name: value for name, value in measures.items()}
    for name in given:
        if name not in kind.measures:
            raise InputError(f"{shape}: {unknown_name('measure', name, kind.measures)}")
    bounds: dict[str, Quantity] = {}
    for name, letter in kind.measures.items():
        bounds |= _bounds(shape, name, given.get(name, letter))
    found = Solid(shape, bounds)
    taken = {*_XYZ, "r", "phi", "theta"} & set(found.symbols)
    if taken:
        raise InputError(
            f"{shape}: {', '.join(sorted(taken))} is a coordinate, not a measure. Give the measure another letter, "
            f"such as {', '.join(kind.measures.values())}."
        )
    return found


def _bounds(shape: str, name: str, measure: Measure) -> dict[str, Quantity]:
    """A measure by its name; an edge by its two ends."""
    if isinstance(measure, tuple | list):
        if name not in _XYZ or len(measure) != 2:
            raise InputError(
                f"{shape}: {name} is {measure!r}; only an edge may be a pair, from where to where it runs."
            )
        low, high = (as_quantity(end) for end in measure)
        if not isinstance(low, Expression) and not isinstance(high, Expression) and not low < high:
            raise InputError(f"{shape}: {name} runs from {low} to {high}; its ends must be rising.")
        return {f"{name}_low": low, f"{name}_high": high}
    length = as_quantity(measure)
    check_measure(shape, name, length)
    if length == 0:
        raise InputError(f"{shape}: {name} is 0; it must be positive.")
    return {f"{name}_low": -half(length), f"{name}_high": half(length)} if name in _XYZ else {name: length}
