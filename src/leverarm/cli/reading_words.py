"""Messages of the library about logs in terms of the command line: rate=... becomes --rate HZ, and so on."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, TypeVar

Result = TypeVar("Result")

PLACES = {
    "columns": "q=NAMES",
    "units": "q=UNIT",
    "rate": "HZ",
    "ratio": "NUMBERS",
    "motor_side": "q,tau",
    "gains": "NUMBERS",
    "zero": "NUMBERS",
}
"""What stands for a value that a message leaves open, as in the help."""
OPTIONS = "|".join(PLACES)
LIST = r"\[[^\[\]]*\]|\([^()]*\)|'[^']*'"
BY_QUANTITY = re.compile(r"\b(columns|units)=\{([^{}]*)\}")
"""As in columns={'t': 1, 'q': [2, 3, ...]}."""
ENTRY = re.compile(rf"'(\w+)': ({LIST}|[^,]+)")
ONE_QUANTITY = re.compile(rf"\b(columns|units)\[['\"](\w+)['\"]\](?: = ({LIST}|[^:]+?)(?=:))?")
"""As in columns['q'] = '2-8'."""
VALUE = re.compile(rf"\b({OPTIONS}) ?= ?({LIST}|\.\.\.|[\w.+-]*\w)?")
"""As in rate=... or motor_side = 'q'."""
SUBJECT = re.compile(
    rf"(?<![\w-])({OPTIONS})(?= (?:has shape|is singular|-1 ))|(?<=\()(columns)(?=\))|(?<![\w-])(motor_side)\b"
)
"""As in "ratio has shape", "(columns)", "with ratio -1"; motor_side is no word of its own."""


def in_reading_options(message: str) -> str:
    """A message with keywords of `la.read_log` and `la.identify` as options."""
    message = BY_QUANTITY.sub(_pairs, message)
    message = ONE_QUANTITY.sub(lambda m: f"--{m[1]} {m[2]}" + (f"={_typed(m[3])}" if m[3] else ""), message)
    message = VALUE.sub(lambda m: f"{_option(m[1])} {_place(m[1], m[2])}", message)
    message = SUBJECT.sub(lambda m: _option(m[0]), message)
    message = message.replace("HZ [Hz]", "HZ")
    return message.replace("`springs`", "`--spring`").replace("columns of your own", "columns of your own from Python")


def with_options(result: Result) -> Result:
    """A result whose findings have keywords as options."""
    found: Any = result
    findings = tuple(
        replace(each, message=in_reading_options(each.message), remedy=in_reading_options(each.remedy))
        for each in found.findings
    )
    changed: Result = replace(found, findings=findings)
    return changed


def _pairs(found: re.Match[str]) -> str:
    entries = ENTRY.findall(found[2])
    return f"--{found[1]} " + ",".join(f"{name}={'NAMES' if '...' in text else _typed(text)}" for name, text in entries)


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _place(name: str, value: str | None) -> str:
    return PLACES[name] if value is None or "..." in value else _typed(value)


def _typed(text: str) -> str:
    """Numbers and names as they are typed in a shell: no brackets, no quotes, no spaces."""
    return re.sub(r"[\[\]()'\"\s]", "", text)
