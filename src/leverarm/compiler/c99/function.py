"""The C99 emitter: a program as the definition of a C function, with its signature, names and expressions.

Expressions round exactly as the program does. Names of any script become identifiers valid in C and C++.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Container, Sequence
from dataclasses import dataclass, field
from typing import Literal

from leverarm.compiler.lowering import nearest_float
from leverarm.compiler.program import Array, Instruction, Program
from leverarm.scalars.operations import Op

Real = Literal["double", "float"]

SUM, PRODUCT, SIGNED, ATOM = range(4)
"""Precedence of an expression; sums and products associate to the left, as in C."""


@dataclass(frozen=True, slots=True)
class Expression:
    """The text of an expression and its precedence."""

    text: str
    binding: int = ATOM

    def inside(self, binding: int) -> str:
        """The text, parenthesised if its precedence is lower than this."""
        return self.text if self.binding >= binding else f"({self.text})"


def literal(value: float, real: Real) -> Expression:
    """The shortest literal that reads back as the same number."""
    text = repr(value) if real == "double" else _float_text(value)
    return Expression(text, SIGNED if text.startswith("-") else ATOM)


def _float_text(value: float) -> str:
    rounded = nearest_float(value)
    for digits in range(6, 10):
        text = f"{rounded:.{digits}g}"
        if nearest_float(float(text)) == rounded:
            break
    return f"{text}f" if any(c in text for c in ".e") else f"{text}.0f"


def written(op: Op, args: list[Expression]) -> Expression:
    """The operation on these expressions."""
    if op is Op.NEG:
        return Expression(f"-{args[0].inside(ATOM)}", SIGNED)
    if op is Op.FNMA:
        factor, other, start = args
        return Expression(f"SUB_MUL({start.text}, {factor.text}, {other.text})")
    if op in _CALLS:
        return Expression(f"{_CALLS[op]}({', '.join(a.text for a in args)})")
    a, b = args
    if op in (Op.ADD, Op.SUB):
        return Expression(f"{a.text} {_SIGNS[op]} {_bracketed(b, PRODUCT)}", SUM)
    return Expression(f"{a.inside(PRODUCT)}{_SIGNS[op]}{_bracketed(b, ATOM)}", PRODUCT)


def _bracketed(right: Expression, binding: int) -> str:
    """A right operand; a leading sign is parenthesised."""
    return f"({right.text})" if right.binding < binding or right.text.startswith("-") else right.text


_SIGNS = {Op.ADD: "+", Op.SUB: "-", Op.MUL: "*", Op.DIV: "/"}
_CALLS = {Op.FMA: "MUL_ADD", Op.FMS: "MUL_SUB", Op.SIGN: "sign_of", Op.TANH: "tanh_of"}


_KEYWORDS = """
    auto break case char const continue default do double else enum extern float for goto if inline int long register
    restrict return short signed sizeof static struct switch typedef union unsigned void volatile while
    alignas alignof and and_eq asm bitand bitor bool catch class compl concept const_cast consteval constexpr constinit
    decltype delete dynamic_cast explicit export false friend module mutable namespace new noexcept not not_eq nullptr
    operator or or_eq private protected public reinterpret_cast requires static_assert static_cast template this
    thread_local throw true try typeid typename typeof using virtual wchar_t xor xor_eq complex imaginary main linux
    unix"""
_MATH = """
    acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh div erf erfc exp exp2 expm1 fabs fdim
    floor fma fmax fmin fmod frexp gamma hypot ilogb index isfinite isinf isnan isnormal j0 j1 jn ldexp lgamma
    log log10 log1p log2 logb lrint lround modf nan nearbyint nextafter pow remainder remquo rint round scalbn
    signbit signgam significand sin sincos sinh sqrt tan tanh tgamma time trunc y0 y1 yn drem gammaf exp10
    pow10 scalb abs labs signal remove"""
_OWN = """
    MUL_ADD MUL_SUB SUB_MUL WIDE_MUL_ADD WIDE_MUL_SUB WIDE_SUB_MUL bits_of of_bits sin_cos sign_of tanh_of uint32_t
    uint64_t UINT32_C UINT64_C HUGE_VAL HUGE_VALF INFINITY NAN FP_FAST_FMA FP_FAST_FMAF NULL EOF"""
RESERVED = frozenset((_KEYWORDS + _MATH + _OWN).split())
"""Keywords of C and C++, functions that may be declared where generated code is compiled, what `support` defines."""


def identifier(wanted: str, taken: Container[str] = ()) -> str:
    """The name in ASCII letters, digits and underscores: theta for its Greek letter, u6a5f for a letter with no other.

    Underscores are appended until it is neither reserved nor taken.
    """
    name = re.sub(r"_+", "_", "".join(_ascii(character) for character in wanted)).strip("_") or "x"
    name = f"n{name}" if name[0].isdigit() else name
    while name in RESERVED or name in taken:
        name += "_"
    return name


def _ascii(character: str) -> str:
    if character.isascii():
        return character if character.isalnum() else "_"
    described = unicodedata.name(character, "")
    if described.startswith("GREEK") and " LETTER " in described:
        word = described.split(" LETTER ")[1].split(" WITH ")[0].lower().split()[-1]
        return word.capitalize() if "CAPITAL" in described else word
    plain = "".join(c for c in unicodedata.normalize("NFKD", character) if c.isascii() and c.isalnum())
    if plain:
        return plain
    return f"u{ord(character):x}" if character.isalpha() else "_"


WIDTH = 100


@dataclass(frozen=True, slots=True)
class Parameter:
    """An argument or a result of the program under its C name. A scalar is passed by value."""

    array: Array
    name: str
    is_result: bool

    @property
    def is_number(self) -> bool:
        return not self.is_result and self.array.shape == ()


@dataclass(frozen=True, slots=True)
class Signature:
    """A function's name, its parameters, and what it returns: nothing, or its only result if that is a number."""

    name: str
    real: Real
    parameters: tuple[Parameter, ...]
    returned: Parameter | None

    @property
    def arguments(self) -> tuple[Parameter, ...]:
        return tuple(p for p in self.parameters if not p.is_result)

    @property
    def results(self) -> tuple[Parameter, ...]:
        return tuple(p for p in self.parameters if p.is_result)

    @property
    def prototype(self) -> str:
        """The declaration, without a semicolon, wrapped if long."""
        start = f"{self.real if self.returned else 'void'} {self.name}("
        return filled(start, [self._declared(p) for p in self.parameters] or ["void"], ")", " " * 4)

    def _declared(self, p: Parameter) -> str:
        if p.is_number:
            return f"{self.real} {p.name}"
        return f"{'' if p.is_result else 'const '}{self.real} {p.name}[{max(p.array.size, 1)}]"


def signature_of(program: Program, name: str, real: Real) -> Signature:
    """Arguments in the program's order, then results; one that replaces an argument is its next value."""
    taken: set[str] = set()
    arguments = [_parameter(a, a.name, False, taken) for a in program.inputs]
    returns = len(program.outputs) == 1 and program.outputs[0].shape == ()
    results = [_parameter(a, a.name if a.name not in taken else f"{a.name}_next", True, taken) for a in program.outputs]
    parameters = tuple(arguments if returns else arguments + results)
    return Signature(name, real, parameters, results[0] if returns else None)


def _parameter(array: Array, wanted: str, is_result: bool, taken: set[str]) -> Parameter:
    name = identifier(wanted, taken)
    taken.add(name)
    return Parameter(array, name, is_result)


def filled(start: str, items: Sequence[str], end: str, indent: str) -> str:
    """`start item, item, ... end`, wrapped to several lines."""
    lines = [start]
    for k, item in enumerate(items):
        text = item + ("," if k + 1 < len(items) else end)
        if len(lines[-1]) + 1 + len(text) > WIDTH and lines[-1].strip():
            lines.append(indent + text)
        else:
            lines[-1] += text if lines[-1] == start and start.endswith("(") else f" {text}"
    return "\n".join(lines)


LONGEST = 36
"""Longest expression written inline [characters], for readability."""
INDENT = " " * 4


def definition(program: Program, signature: Signature) -> str:
    """The function's definition. Arguments are read before the first result is written, so arrays may overlap."""
    code = program.code
    uses = Counter(a for instruction in code for a in instruction.args) + Counter(program.results)
    final = set(program.results)
    body = _Statements(signature.real, {*RESERVED, *(p.name for p in signature.parameters)})
    entries = _read_arguments(body, signature, {int(i.value) for i in code if i.op is Op.INPUT})
    for k, instruction in enumerate(code):
        longest = 0 if uses[k] > 1 else WIDTH if k in final else LONGEST
        body.values.append(_value(body, instruction, entries, longest))
    _write_results(body, signature, program.results)
    return "\n".join([signature.prototype, "{", *body.lines, "}"])


@dataclass(slots=True)
class _Statements:
    """The lines so far, and the expression that stands for each value."""

    real: Real
    taken: set[str]
    lines: list[str] = field(default_factory=list)
    values: list[Expression] = field(default_factory=list)
    turns: dict[str, dict[Op, str]] = field(default_factory=dict)
    """For each angle: the names of its cosine and sine."""
    temporaries: int = 0

    def say(self, statement: str) -> None:
        self.lines.append(INDENT + statement)

    def free_name(self, wanted: str) -> str:
        """Reserves the name, with underscores appended if it is taken."""
        while wanted in self.taken:
            wanted += "_"
        self.taken.add(wanted)
        return wanted


def _read_arguments(body: _Statements, signature: Signature, used: set[int]) -> dict[int, str]:
    """Reads the entries of the arguments that the program uses. Returns their names, by position."""
    names: dict[int, str] = {}
    first = 0
    for p in signature.arguments:
        mine = [j for j in range(p.array.size) if first + j in used]
        if not mine:
            body.say(f"(void){p.name};")
        elif p.is_number:
            names[first] = p.name
        else:
            names |= {first + j: body.free_name(f"{p.name}{j + 1}") for j in mine}
            loads = [f"{names[first + j]} = {p.name}[{j}]" for j in mine]
            body.lines.append(filled(f"{INDENT}const {body.real}", loads, ";", INDENT * 2))
        first += p.array.size
    return names


def _value(body: _Statements, instruction: Instruction, entries: dict[int, str], longest: int) -> Expression:
    """The expression for a value, or the name it is assigned to if that is too long."""
    op, args, value = instruction
    if op is Op.CONST:
        return literal(value, body.real)
    if op is Op.INPUT:
        return Expression(entries[int(value)])
    if op in (Op.COS, Op.SIN):
        return Expression(_turn(body, body.values[args[0]].text)[op])
    found = written(op, [body.values[a] for a in args])
    if len(found.text) <= longest:
        return found
    body.temporaries += 1
    name = body.free_name(f"t{body.temporaries}")
    body.say(f"const {body.real} {name} = {found.text};")
    return Expression(name)


def _turn(body: _Statements, angle: str) -> dict[Op, str]:
    """The names of an angle's cosine and sine, computed together: c1 and s1 for q1."""
    if angle not in body.turns:
        digits = angle.removeprefix("q")
        suffix = digits if digits.isdigit() else f"_{len(body.turns) + 1}"
        names = {op: body.free_name(f"{letter}{suffix}") for op, letter in ((Op.COS, "c"), (Op.SIN, "s"))}
        body.say(f"{body.real} {names[Op.COS]}, {names[Op.SIN]};")
        body.say(f"sin_cos({angle}, &{names[Op.SIN]}, &{names[Op.COS]});")
        body.turns[angle] = names
    return body.turns[angle]


def _write_results(body: _Statements, signature: Signature, results: tuple[int, ...]) -> None:
    if signature.returned is not None:
        body.say(f"return {body.values[results[0]].text};")
        return
    remaining = iter(results)
    for p in signature.results:
        for j in range(p.array.size):
            body.say(f"{p.name}[{j}] = {body.values[next(remaining)].text};")
