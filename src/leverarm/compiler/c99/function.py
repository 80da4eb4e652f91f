"""The emitter: a program as the definition of a C function."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from leverarm.compiler.c99.expression import Expression, Real, literal, written
from leverarm.compiler.c99.identifiers import RESERVED
from leverarm.compiler.c99.signature import WIDTH, Signature, filled
from leverarm.compiler.program import Instruction, Program
from leverarm.scalars.operations import Op

LONGEST = 36
"""Characters of an expression that is written inside another: a few operations on a line can be read, more cannot."""
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
    """Lines in the making, and for each value so far the expression that stands for it where it is used."""

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
        """The name, with underscores behind it where it is taken; taken from now on."""
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
    """The expression for a value, or the name it is assigned to where that would be too long."""
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
