"""Four simplification passes: folding, dead code, reciprocals and negations.

Folding collects like terms, drops what cancels, and merges sums that are equal in any order. Dead code removal drops
values that no result depends on. A reciprocal used by a single product becomes a quotient. Signs are flipped so that as
few results as possible need a negation.
"""

from __future__ import annotations

from collections import Counter

from leverarm.compiler.passes.polynomials import Polynomials
from leverarm.compiler.passes.reading import polynomials_of
from leverarm.compiler.passes.writing import program_from
from leverarm.compiler.program import Instruction, Program
from leverarm.scalars.operations import Op


def folded(program: Program) -> Program:
    """The same results as plain sums of products."""
    return program_from(polynomials_of(program), program)


def without_dead_code(program: Program) -> Program:
    """The same program without values that no result depends on."""
    needed = [False] * len(program.code)
    for r in program.results:
        needed[r] = True
    for k in reversed(range(len(program.code))):
        if needed[k]:
            for a in program.code[k].args:
                needed[a] = True
    if all(needed):
        return program
    number: dict[int, int] = {}
    code: list[Instruction] = []
    for k, (op, args, value) in enumerate(program.code):
        if needed[k]:
            number[k] = len(code)
            code.append(Instruction(op, tuple(number[a] for a in args), value))
    return program.with_code(code, [number[r] for r in program.results])


def without_lone_reciprocals(program: Program) -> Program:
    """a (1/b) becomes a/b where nothing else needs 1/b."""
    if not program.counts[Op.DIV]:
        return program
    uses = Counter(a for instruction in program.code for a in instruction.args) + Counter(program.results)
    code = list(program.code)

    def is_lone_reciprocal(k: int) -> bool:
        op, args, _ = program.code[k]
        return op is Op.DIV and uses[k] == 1 and program.code[args[0]] == Instruction(Op.CONST, (), 1.0)

    for k, (op, args, _) in enumerate(program.code):
        if op is Op.MUL:
            for reciprocal, other in (args, args[::-1]):
                if is_lone_reciprocal(reciprocal):
                    code[k] = Instruction(Op.DIV, (other, program.code[reciprocal].args[1]))
                    break
    return without_dead_code(program.with_code(code, program.results))


def with_few_negations(program: Program) -> Program:
    """The same sums with the signs arranged so that they absorb negations: -(a (b - c)) is a (c - b)."""
    polynomials = polynomials_of(program)
    _Orientations(polynomials).choose()
    return program_from(polynomials, program)


class _Orientations:
    __slots__ = ("polynomials", "users", "wanted")

    def __init__(self, polynomials: Polynomials) -> None:
        self.polynomials = polynomials
        self.users: dict[int, list[int]] = {}
        """Symbol -> sums that hold it, as often as they do."""
        for symbol, terms in polynomials.sums.items():
            for product in terms:
                for x in product:
                    self.users.setdefault(x, []).append(symbol)
        self.wanted = Counter[int]()
        """Symbol -> how many results want it as it is, less those that want its negative."""
        for symbol, sign in polynomials.results:
            self.wanted[symbol] += sign
        for leaf in polynomials.leaves.values():
            for x in leaf.args:
                self.users.setdefault(x, []).append(-1)

    def choose(self) -> None:
        """Turns round what more results want negated than not, where it can be written so without a negation."""
        for symbol, balance in self.wanted.items():
            terms = self.polynomials.sums.get(symbol, {})
            if -1 in self.users.get(symbol, ()):
                continue
            if balance < 0 and (-1 in terms.values() or self.turn_a_factor(symbol)):
                self.turn(symbol)
            elif balance > 0 and terms and 1 not in terms.values():
                self.turn_a_factor(symbol)

    def turn_a_factor(self, symbol: int) -> bool:
        """Turns the sign of some term round by one of its factors, which no other sum needs; whether there is one."""
        sums = self.polynomials.sums
        for product in sums.get(symbol, {}):
            for x in product:
                is_mixed = x in sums and len(set(sums[x].values())) == 2
                if is_mixed and self.users[x] == [symbol] and x not in self.wanted:
                    self.turn(x)
                    return True
        return False

    def turn(self, x: int) -> None:
        """Defines a symbol as its negative, and takes it so wherever it stands."""
        polynomials = self.polynomials
        polynomials.sums[x] = {product: -sign for product, sign in polynomials.sums[x].items()}
        for user in dict.fromkeys(self.users.get(x, ())):
            terms = polynomials.sums[user]
            for product in terms:
                if product.count(x) % 2:
                    terms[product] = -terms[product]
        polynomials.results = [(r, -sign if r == x else sign) for r, sign in polynomials.results]
