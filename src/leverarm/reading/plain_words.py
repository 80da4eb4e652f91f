"""Words of plain text as tokens: tau1, qdd1, theta1dd, thetadot1, np.cos, m2a2."""

from __future__ import annotations

import re
from functools import lru_cache

from leverarm.reading import vocabulary as words
from leverarm.reading.tokens import Tape

_MODULE = re.compile(r"(?:np|numpy|math|sp|sympy|jnp|cas|casadi|torch)\.(?=[A-Za-z])")
_OVER_A_NAME = re.compile(r"[ \t]*[({]?[ \t]*[^\W\d_]")
_JOINED = re.compile(r"(sin|cos|tan)(q|th|theta|phi)$")
_DOTTED = re.compile(r"([A-Za-z]+?)(d?dot)$")
_RATE = re.compile(r"_?(d{1,2}|d?dot)(?![A-Za-z0-9])")
_MOVING = re.compile(r"(?:q|th|theta|phi|psi|alpha|beta|gamma|x|y|z|r)$")


_INDEX = re.compile(r"\((?P<round>[1-9](?: ?, ?[1-9])?)\)|\[(?P<square>\d(?: ?, ?\d|\]\[\d)?)\]")
_FROM_ZERO = re.compile(r"[A-Za-z]\w*\[(?:0[\],]|\d(?: ?, ?|\]\[)0\])")


def plain_word(tape: Tape, run: str, at: int) -> int:
    """One word with the digits behind it; gives the place behind them."""
    module = _MODULE.match(tape.text, at, tape.end)
    if module is not None:
        return module.end()
    end = at + len(run)
    if run in words.FUNCTIONS:
        return tape.add("function", words.FUNCTIONS[run], at, end)
    if run == "sum" and tape.text[end : end + 1] == "_":
        return tape.add("sum", run, at, end)
    if run in words.DOTS and _OVER_A_NAME.match(tape.text, end, tape.end):
        return tape.add("accent", run, at, end)
    if _JOINED.match(run) is not None:
        tape.add("function", run[:3], at, at + 3)
        run, at = run[3:], at + 3
    return _name(tape, run, at, end)


def _name(tape: Tape, run: str, at: int, end: int) -> int:
    dotted = _DOTTED.match(run)
    letter, rate = (dotted.group(1), dotted.group(2)) if dotted else (run, "")
    here = len(tape.found)
    tape.add("name", letter, at, end)
    if rate:
        tape.add("mark", rate, end - len(rate), end)
    behind = tape.digits(end)
    return _rate_after_index(tape, here, letter, behind) if behind > end else _index(tape, end)


def _index(tape: Tape, at: int) -> int:
    """The index of a program behind a name: q(2) and M(1,2) of Matlab, q[1] and M[0, 1] of Python, counted from 1."""
    found = _INDEX.match(tape.text, at, tape.end)
    if found is None:
        return at
    from_zero = found["square"] is not None and _counts_from_zero(tape.text)
    numbers = [int(digit) + from_zero for digit in found.group() if digit.isdigit()]
    if min(numbers) < 1 or max(numbers) > 9:
        return at
    return tape.add("lower", "".join(map(str, numbers)), at, found.end())


@lru_cache(maxsize=8)
def _counts_from_zero(text: str) -> bool:
    """Whether a text has an index 0: then its indices in square brackets count from there."""
    return _FROM_ZERO.search(text) is not None


def _rate_after_index(tape: Tape, here: int, letter: str, end: int) -> int:
    """theta1dd is thetadd1; q1dot is q1 with a dot."""
    rate = _RATE.match(tape.text, end, tape.end)
    if rate is None or (_MOVING.match(letter) is None and "dot" not in rate.group()):
        return end
    if "dot" in rate.group(1):
        return tape.add("mark", rate.group(1), end, rate.end())
    tape.found[here] = tape.found[here]._replace(text=letter + rate.group(1), end=rate.end())
    return rate.end()
