"""Numbers and sentences as the report shows them: significant digits, a real minus sign, code between backticks."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from leverarm.notation.unicode_names import MINUS, superscripted

PLAIN = range(-4, 6)
"""Decimal exponents that are written without a power of ten."""
MOST_DECIMALS = 6
MOST_DIGITS = 9
MOST_PERCENT = 999.0
NOT_KNOWN = "–"
_POWER = re.compile(r"\^(-?\d+)")


def short(x: float | None, digits: int = 4) -> str:
    """A number with significant digits, without trailing zeros."""
    if x is None or not math.isfinite(x):
        return NOT_KNOWN if x is None or math.isnan(x) else ("∞" if x > 0 else f"{MINUS}∞")
    if not x:
        return "0"
    power = math.floor(math.log10(abs(float(f"{x:.{digits - 1}e}"))))
    if power not in PLAIN:
        mantissa = _trimmed(f"{x / 10.0**power:.{digits - 1}f}")
        return f"{mantissa}·10{superscripted(str(power))}".replace("-", MINUS)
    return _trimmed(f"{x:.{max(0, digits - 1 - power)}f}").replace("-", MINUS)


def percent(x: float | None) -> str:
    """Percents with three digits at most: 0.42, 6.81, 14.2, 230, > 999."""
    if x is None or math.isnan(x):
        return NOT_KNOWN
    if abs(x) > MOST_PERCENT:
        return f"> {MOST_PERCENT:.0f}"
    return f"{x:.{2 if abs(x) < 9.995 else 1 if abs(x) < 99.95 else 0}f}".replace("-", MINUS)


def value_and_error(value: float, error: float) -> tuple[str, str, str]:
    """A value and its standard error, rounded to the second digit of the error, and a common power of ten."""
    if not math.isfinite(value) or not math.isfinite(error) or error < 0:
        return short(value), short(error), ""
    if not error:
        return short(value, 6), "0", ""
    first = math.floor(math.log10(max(abs(value), error)))
    last = math.floor(math.log10(float(f"{error:.1e}"))) - 1
    if first - last > MOST_DIGITS:
        return short(value, MOST_DIGITS), short(error, 2), ""
    shared = first if first not in PLAIN or -last > MOST_DECIMALS else 0
    decimals, scale = max(0, shared - last), 10.0**shared
    if last > 0:
        value, error = round(value, -last), round(error, -last)
    power = f"·10{superscripted(str(shared))}" if shared else ""
    return f"{value / scale:z.{decimals}f}".replace("-", MINUS), f"{error / scale:.{decimals}f}", power


def unit_text(unit: str) -> str:
    """A unit with its powers raised: kg m² for kg m^2."""
    return _POWER.sub(lambda power: superscripted(power[1]), unit)


def _trimmed(text: str) -> str:
    return text.rstrip("0").rstrip(".") if "." in text else text


def setting_text(value: object) -> str:
    """A setting as words or as a number."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    return short(float(value), 5)


def plain(value: Any) -> Any:
    """Data for JSON: mappings, lists, arrays, texts and numbers; a number that is not finite is null."""
    if isinstance(value, Mapping):
        return {name: plain(entry) for name, entry in value.items()}
    if isinstance(value, list | tuple | np.ndarray):
        return [plain(entry) for entry in (value.tolist() if isinstance(value, np.ndarray) else value)]
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    return value
