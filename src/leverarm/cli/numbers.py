"""Reading numbers from the command line: 0.1,-pi/2 or "0.1 -90deg" or joint2=0.3; the arm's symbols may be used."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

import leverarm as la
from leverarm.errors import InputError, require_known, unknown_name


def quantity(text: str, arm: la.Arm, option: str) -> la.types.Quantity:
    """A number or an expression in the arm's symbols."""
    if text.strip().lower().lstrip("+-") in ("nan", "inf", "infinity"):
        raise InputError(f"{option}: {text.strip()} is not a finite number.")
    try:
        value = la.model.parse_quantity(text)
    except la.LeverarmError as problem:
        raise InputError(f"{option}: {problem} Numbers look like 0.1, -pi/2 or 30deg.") from None
    for name in la.model.symbols_of(value):
        if name not in arm.defaults:
            raise InputError(f"{option}: " + unknown_name("symbol", name, arm.defaults) + " Or give a number.")
    return value


def number(text: str, arm: la.Arm, option: str) -> float:
    """The value of a number or expression, symbols at their defaults."""
    try:
        return la.model.to_float(quantity(text, arm, option), arm.defaults)
    except la.LeverarmError as problem:
        raise InputError(str(problem) if str(problem).startswith(option) else f"{option}: {problem}") from None


def coordinates(text: str, arm: la.Arm, option: str) -> list[float]:
    """One number per joint: all in order, or some as joint=value and the others zero."""
    parts = _parts(text)
    if not any("=" in part for part in parts):
        return [number(part, arm, option) for part in parts]
    values = dict.fromkeys(arm.joint_names, 0.0)
    for name, value in named(parts, option, "joint=value"):
        require_known("joint", name, values, option)
        values[name] = number(value, arm, option)
    return list(values.values())


def numbers(text: str, arm: la.Arm, option: str) -> list[float]:
    """Numbers separated by commas or spaces."""
    return [number(part, arm, option) for part in _parts(text)]


def one_or_each(values: list[Any]) -> Any:
    """One for all joints, or one each."""
    return values[0] if len(values) == 1 else values


def whole(text: str, option: str) -> int:
    """A whole number."""
    try:
        return int(text)
    except ValueError:
        raise InputError(f"{option}: {text!r} is not a whole number.") from None


def named(texts: Iterable[str], option: str, form: str) -> list[tuple[str, str]]:
    """Pairs from name=value; each name once."""
    pairs: list[tuple[str, str]] = []
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.strip() or not value.strip():
            raise InputError(f"{option} {text!r}: give {form}.")
        if name.strip() in (other for other, _ in pairs):
            raise InputError(f"{option}: {name.strip()!r} is given twice. Give it once.")
        pairs.append((name.strip(), value.strip()))
    return pairs


def with_settings(arm: la.Arm, settings: Sequence[str]) -> la.Arm:
    """The arm with symbols set by `--set name=value`."""
    pairs = named(settings, "--set", "symbol=value")
    return la.with_values(arm, **{name: number(value, arm, f"--set {name}") for name, value in pairs}) if pairs else arm


def _parts(text: str) -> list[str]:
    bare = text.strip().removeprefix("[").removesuffix("]")
    joined = re.sub(r"\s+(deg\b|°)", r"\1", bare)
    return joined.removesuffix(",").split(",") if "," in joined else joined.split()
