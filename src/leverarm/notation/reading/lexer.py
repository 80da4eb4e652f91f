"""From characters to tokens.

In LaTeX, adjacent letters are factors, `mgr` is three of them; in plain text a word is one name (tau1, qdd1, theta1dd,
thetadot1, np.cos). Digits right behind a letter are its subscript in both.
"""

from __future__ import annotations

import re
from functools import lru_cache

from leverarm.notation.reading import keywords
from leverarm.notation.reading.characters import HALVES, MARKS, SIGNS, UNSEEN, letter_of, lost_command, script_of
from leverarm.notation.reading.commands import bracket, command, environment, escaped, sized_bracket
from leverarm.notation.reading.tokens import MAX_DECIMAL_EXPONENT, Refusal, Script, Tape, Token

_MODULE = re.compile(
    r"(?:(?:np|numpy|math|sp|sympy|jnp|cas|casadi|torch|scipy|linalg|LA)\.(?:linalg\.)?"
    r"|(?:self|obj|robot|params?|parameters|model|arm)\.)(?=[A-Za-z])"
)
"""What a program has before the names of functions and of an object's parts."""
_OVER_A_NAME = re.compile(r"[ \t]*[({]?[ \t]*[^\W\d_]")
_JOINED = re.compile(r"(sin|cos|tan)(q|th|theta|phi)$")
_DOTTED = re.compile(r"(?!ddot$)([A-Za-z]+?)(d?dot)$")
_RATE = re.compile(r"_?(d{1,2}|d?dot)(?![A-Za-z0-9])")
_MOVING = re.compile(r"(?:q|th|theta|phi|psi|alpha|beta|gamma|x|y|z|r|d|s)$")


_INDEX = re.compile(r"\((?P<round>[1-9](?: ?, ?[1-9])?)\)|\[(?P<square>\d(?: ?, ?\d|\]\[\d)?)\]")
_SQUARE = re.compile(r"_?(?:sq|squared)(?![A-Za-z0-9])")
"""What makes the square of a speed of a word: v1sq."""
_OTHER_INDEX = re.compile(r"\[ ?-\d ?\]|\[[\d-]{0,3}:[\d-]{0,3}(?:, ?[\d:-]{1,5})?\]|\[-?\d, ?:\]")
"""The last entry of a list, or a part of it: q[-1], q[:2], J[0, :]."""
_FROM_ZERO = re.compile(
    r"(?<=\w)\[(?:0[\],]|(?:\d|:)(?: ?, ?|\]\[)0\])|^[ \t]{0,20}(?:def \w{1,60}\(.*:|import \w)"
    r"|^from [\w.]{1,60} import |\b(?:np|numpy|sp|sympy)\.[A-Za-z]|[\w)\]]\*\*\d",
    re.MULTILINE,
)
"""An index 0, or the syntax of Python."""


def plain_word(tape: Tape, run: str, at: int) -> int:
    """One word with the digits behind it; gives the place behind them."""
    module = _MODULE.match(tape.text, at, tape.end)
    if module is not None and tape.text.startswith("dot(", module.end()):
        return tape.add("name", "matmul", at, module.end() + 3)
    if module is not None:
        return module.end()
    end = at + len(run)
    if run in keywords.FUNCTIONS:
        return tape.add("function", keywords.FUNCTIONS[run], at, end)
    if run == "sum" and tape.text[end : end + 1] == "_":
        return tape.add("sum", run, at, end)
    if run in keywords.DOTS and _OVER_A_NAME.match(tape.text, end, tape.end):
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
    if behind == end:
        return _index(tape, end)
    if (square := _SQUARE.match(tape.text, behind)) is not None:
        return tape.add("raised", "2", behind, square.end())
    return _entry(tape, _rate_after_index(tape, here, letter, behind))


def _entry(tape: Tape, at: int) -> int:
    """The index of an entry behind a number, r2[1] of a program: the name is r_2[2], which is no other one."""
    found = _INDEX.match(tape.text, at, tape.end)
    if found is None or found["square"] is None:
        return at
    numbers = [int(digit) + counts_from_zero(tape.text) for digit in found.group() if digit.isdigit()]
    return tape.add("lower", f"[{','.join(map(str, numbers))}]", at, found.end())


def _index(tape: Tape, at: int) -> int:
    """The index of a program behind a name: q(2) and M(1,2) of Matlab, q[1] and M[0, 1] of Python, counted from 1."""
    found = _INDEX.match(tape.text, at, tape.end)
    if found is None:
        other = _OTHER_INDEX.match(tape.text, at, tape.end)
        return at if other is None else tape.add("unknown", other.group(), *other.span())
    from_zero = found["square"] is not None and counts_from_zero(tape.text)
    numbers = [int(digit) + from_zero for digit in found.group() if digit.isdigit()]
    if min(numbers) < 1 or max(numbers) > 9:
        return at
    return tape.add("lower", "".join(map(str, numbers)), at, found.end())


@lru_cache(maxsize=8)
def counts_from_zero(text: str) -> bool:
    """Whether indices in square brackets count from zero: a text has an index 0, or is Python."""
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


LONG_WORD = 5
"""From this length on, letters side by side are one word in LaTeX too."""
_PATTERN = re.compile(
    r"(?P<space>\s+)"
    r"|(?P<letters>[A-Za-z]{1,64})"
    r"|(?P<number>[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,4}(?![A-Za-z0-9_]))?|\.[0-9]+)"
    r"|(?P<comment>%[^\n]*)"
    r"|(?P<sized>\\(?:left|right|middle|[bB]igg?[lrm]?)(?![A-Za-z])\s*"
    r"(?P<bracket>\\[{}|]|\\[lr](?:vert|Vert|brace|brack|angle)(?![A-Za-z])|[()\[\]|./<>]))"
    r"|(?P<environment>\\(?P<side>begin|end)\s*\{\s*(?P<kind>[A-Za-z]{1,30})\*?\s*\})"
    r"|(?P<command>\\(?P<name>[A-Za-z]+)\*?)"
    r"|(?P<escaped>\\.)"
    r"|(?P<pair>\*\*|:=|=:|==|<=|>=|->|=>|<-|!=|\|\|)"
    r"|(?P<character>.)",
    re.DOTALL,
)
_TRANSPOSE = re.compile(r"\.T(?![A-Za-z0-9_])|\.transpose\(\)")
_METHOD = re.compile(
    r"\.(?:(?P<times>dot(?=\())|(?P<inverse>inv\(\)|I(?![A-Za-z0-9_]))"
    r"|(?P<call>(?:diff|jacobian|det)(?=\())"
    r"|(?P<same>(?:simplify|expand|factor|trigsimp|doit|copy|flatten|ravel|squeeze|evalf|reshape|astype|tolist)"
    r"\([^()\n]{0,40}\)))"
)
"""Methods of arrays and formulas: a.dot(b), M.inv(), x.diff(t), M.simplify()."""
_TRIGONOMETRY = re.compile(r"(sin|cos|tan)(?!h)")
_PAIRS = {"**": "^", ":=": "=", "=:": "=", "==": "=", "=>": "implies", "||": "norm"}


def tokens_of(text: str, start: int, end: int, script: Script, damaged: bool) -> list[Token]:
    """The signs of one piece of a text, spaces and comments left out. Raises Refusal for a number that is too long."""
    tape = Tape(text, end, script, damaged)
    at = start
    while at < end:
        found = _PATTERN.match(text, at, end)
        if found is None:
            break
        at = _token(tape, found, at)
    return tape.found


def _token(tape: Tape, found: re.Match[str], at: int) -> int:
    kind = found.lastgroup
    if kind == "letters":
        return plain_word(tape, found.group(), at) if tape.script == "plain" else _letters(tape, found.group(), at)
    if kind == "character":
        return _character(tape, found.group(), at)
    if kind == "number":
        return _number(tape, found.group(), at)
    if kind == "space":
        if tape.script == "plain" and "\n" in found.group():
            tape.add("row", "\n", at, found.end())
        return found.end()
    if kind == "command":
        return command(tape, found["name"], at, found.end())
    if kind == "sized":
        return sized_bracket(tape, found.group(), found["bracket"], at)
    if kind == "environment":
        return environment(tape, found["side"], found["kind"], at, found.end())
    if kind == "escaped":
        return escaped(tape, found.group()[1], at)
    if kind == "pair":
        return tape.add(_PAIRS.get(found.group(), "relation"), found.group(), at, found.end())
    return found.end()


def _number(tape: Tape, digits: str, at: int) -> int:
    tape.refuse_long(digits, at)
    if abs(int(digits.lower().partition("e")[2] or 0)) > MAX_DECIMAL_EXPONENT:
        raise Refusal(at, f"the power of ten of {digits} is too large; at most {MAX_DECIMAL_EXPONENT} is read")
    return tape.add("number", digits, at, at + len(digits))


def _letters(tape: Tape, run: str, at: int) -> int:
    """Letters in LaTeX: the remains of a command, a function without its backslash, a word, or factors."""
    lost = lost_command(tape.text, at, tape.damaged)
    if lost is not None:
        name, end = lost
        return command(tape, name, at, end, f"'{tape.text[at:end]}' as \\{name}")
    end = at + len(run)
    if run in keywords.FUNCTIONS:
        return tape.add("function", keywords.FUNCTIONS[run], at, end, f"'{run}' as \\{run}")
    if run in keywords.OTHER_FUNCTIONS and len(run) > 2:
        return tape.add("unknown", run, at, end)
    inside = _TRIGONOMETRY.search(run)
    if inside is not None:
        _factors(tape, run[: inside.start()], at)
        name, start = inside.group(1), at + inside.start()
        return tape.add("function", name, start, start + 3, f"'{name}' as \\{name}")
    whole = run in keywords.WHOLE_WORDS or run == "pi" or (run in keywords.GREEK and len(run) > 2)
    if whole or len(run) >= LONG_WORD:
        return tape.digits(tape.add("name", run, at, end))
    _factors(tape, run, at)
    return tape.digits(end)


def _factors(tape: Tape, letters: str, at: int) -> None:
    for offset, letter in enumerate(letters):
        tape.add("name", letter, at + offset, at + offset + 1)


def _character(tape: Tape, sign: str, at: int) -> int:
    end = at + 1
    if sign == "[" and tape.text.startswith("[t]", at) and tape.found and _is_name(tape.found[-1], at):
        return at + 3  # Mathematica's q1[t]
    if sign in "()[]":
        return bracket(tape, sign, at, end)
    if sign == "." and tape.script == "plain":
        transpose = _TRANSPOSE.match(tape.text, at, tape.end)
        if transpose is not None:
            return tape.add("raised", "T", at, transpose.end())
        if (method := _METHOD.match(tape.text, at, tape.end)) is not None:
            return _method(tape, method)
    if sign in SIGNS:
        return tape.add(SIGNS[sign], sign, at, end)
    if sign in HALVES:
        return tape.add("number", HALVES[sign], at, end)
    if sign in MARKS:
        return tape.digits(tape.add("mark", MARKS[sign], at, end))
    if sign in '\u2033\u201d"':
        return tape.add("'", "''", at, end)
    return end if sign in UNSEEN else _small_or_letter(tape, sign, at)


def _method(tape: Tape, found: re.Match[str]) -> int:
    if found["times"]:
        return tape.add("*", found.group(), *found.span())
    if found["call"]:
        return tape.add("method", found["call"], *found.span())
    return tape.add("raised", "-1", *found.span()) if found["inverse"] else found.end()


def _is_name(token: Token, end: int) -> bool:
    """Whether a name with its marks ends at this place."""
    return token.end == end and token.kind in ("name", "lower", "'", "mark")


def _small_or_letter(tape: Tape, sign: str, at: int) -> int:
    side, text = script_of(sign)
    if side == "raised" and tape.found and tape.found[-1].kind == "raised" and tape.found[-1].end == at:
        before = tape.found.pop()
        return tape.add("raised", before.text + text, before.start, at + 1)
    if side:
        return tape.add(side, text, at, at + 1)
    letter, marks = letter_of(sign)
    end = tape.add("name" if letter else "unknown", letter or sign, at, at + 1)
    for mark in marks:
        tape.add("mark", mark, at, end)
    return tape.digits(end) if letter else end
