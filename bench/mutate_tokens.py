"""Slips of the pen: an equation with one token changed, as people change them.

`slips` gives every token of an equation with the ways in which it can go wrong. All are changes of the tree, so that
the truth of the outcome needs no reader.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from mutate_arms import Equation, Left, Machine
from mutate_tree import Factor, Name, Number, Power, Sum, Term, Trig


@dataclass(frozen=True, slots=True)
class Slip:
    """What was changed, and the equation after it."""

    kind: str
    equation: Equation


Changed = tuple[str, Sum]
Put = Callable[[Sum], Sum]
"""Puts a changed part back into the whole."""


def slips(equation: Equation, arm: Machine) -> list[tuple[Slip, ...]]:
    """For each token that can go wrong, the ways in which it can."""
    right = [
        tuple(Slip(kind, dataclasses.replace(equation, right=changed)) for kind, changed in ways if changed.terms)
        for ways in _of_sum(equation.right, lambda whole: whole, arm)
    ]
    left = [
        tuple(Slip("the left side's index", dataclasses.replace(equation, left=each)) for each in ways)
        for ways in _of_left(equation.left, arm)
    ]
    return [ways for ways in (*left, *right) if ways]


def _of_left(left: Left, arm: Machine) -> Iterator[list[Left]]:
    for at, index in enumerate(left.indices):
        others = [each for each in range(1, len(arm.coordinates) + 1) if each != index]
        yield [Left(left.quantity, (*left.indices[:at], each, *left.indices[at + 1 :])) for each in others]


def _of_sum(whole: Sum, put: Put, arm: Machine, argument: bool = False) -> Iterator[list[Changed]]:
    for at, term in enumerate(whole.terms):
        before, after = whole.terms[:at], whole.terms[at + 1 :]
        put_terms = partial(_with_terms, put, before, after)
        yield _of_sign(term, before, after, put)
        for place, factor in enumerate(term.factors):
            put_factors = partial(_with_factors, put_terms, term, place)
            yield from _of_factor(factor, put_factors, arm, alone=len(term.factors) == 1, argument=argument)
            yield _of_bracket(term, place, put_terms)
            yield _of_wider_bracket(term, place, partial(_with_terms, put, before, after[1:]), after[:1])


def _with_terms(put: Put, before: tuple[Term, ...], after: tuple[Term, ...], *terms: Term) -> Sum:
    return put(Sum((*before, *terms, *after)))


def _with_factors(put_terms: Callable[..., Sum], term: Term, at: int, *factors: Factor) -> Sum:
    return put_terms(Term(term.sign, (*term.factors[:at], *factors, *term.factors[at + 1 :])))


def _of_sign(term: Term, before: tuple[Term, ...], after: tuple[Term, ...], put: Put) -> list[Changed]:
    """The sign before a term, and the term as a whole."""
    put_terms = partial(_with_terms, put, before, after)
    ways = [("a sign", put_terms(Term(-term.sign, term.factors)))]
    if before or after:
        ways.append(("a term removed", put_terms()))
    match term.factors:
        case (Number(), *_):
            pass
        case factors:
            ways.append(("a coefficient added", put_terms(Term(term.sign, (Number(2), *factors)))))
    if before and term.sign > 0:
        joined = Term(before[-1].sign, (*before[-1].factors, *term.factors))
        ways.append(("+ to *", _with_terms(put, before[:-1], after, joined)))
    return ways


def _of_factor(
    factor: Factor, put: Callable[..., Sum], arm: Machine, alone: bool, argument: bool
) -> Iterator[list[Changed]]:
    """The tokens of a factor: names, digits, functions, exponents. `alone`: there is no other factor in its term."""
    whole = [] if argument else [("a factor duplicated", put(factor, factor))]
    whole += [] if alone else [("a factor removed", put())]
    match factor:
        case Number(top, bottom):
            dropped = "1/2 dropped" if bottom > 1 else "a coefficient dropped"
            yield [] if alone else [(dropped, put())]
            yield [("a number", put(Number(top + 1, bottom)))] if bottom == 1 else []
        case Name():
            raised = [] if argument else [("an exponent added", put(Power(factor, 2)))]
            yield [*_of_name(factor, put, arm), *raised, *whole]
            yield _of_index(factor, put, arm)
        case Power(base, exponent):
            yield [("an exponent changed", put(Power(base, exponent + 1))), ("an exponent dropped", put(base))]
            yield whole

            def put_base(each: Factor) -> Sum:
                return put(Power(each, exponent))

            match base:
                case Name():
                    yield _of_name(base, put_base, arm)
                    yield _of_index(base, put_base, arm)
                case Sum():
                    yield from _of_sum(base, put_base, arm)
                case Trig():
                    yield from _of_trig(base, put_base, arm)
        case Trig():
            yield from _of_trig(factor, put, arm)
            yield [("an exponent added", put(Power(factor, 2))), *whole]
        case Sum():
            yield from _of_sum(factor, put, arm)
            yield whole


def _of_name(name: Name, put: Callable[[Factor], Sum], arm: Machine) -> list[Changed]:
    """A dot more or less, where the name is a coordinate."""
    if name.letter + name.index not in arm.coordinates:
        return []
    dotted = dataclasses.replace
    more = [("a dot added", put(dotted(name, dots=name.dots + 1)))] if name.dots < 2 else []
    return more + ([("a dot removed", put(dotted(name, dots=name.dots - 1)))] if name.dots else [])


def _of_index(name: Name, put: Callable[[Factor], Sum], arm: Machine) -> list[Changed]:
    """The same letter with another index that the arm has."""
    alike = [
        each for each in dict.fromkeys(arm.names.values()) if each.letter == name.letter and each.dots == name.dots
    ]
    return [("an index", put(each)) for each in alike if each.index != name.index]


def _of_trig(node: Trig, put: Callable[[Factor], Sum], arm: Machine) -> Iterator[list[Changed]]:
    other = "cos" if node.function == "sin" else "sin"
    yield [("sin and cos", put(Trig(other, node.argument)))]
    yield from _of_sum(node.argument, lambda each: put(Trig(node.function, each)), arm, argument=True)


def _of_bracket(term: Term, at: int, put_terms: Callable[..., Sum]) -> list[Changed]:
    """One bracket moved inwards by one term: a (b + c) d as a (b) + c d, or as a b + (c) d."""
    head, tail = term.factors[:at], term.factors[at + 1 :]
    ways: list[tuple[Term, ...]] = []
    match term.factors[at]:
        case Sum((first, *_, last) as terms):
            ways.append((Term(term.sign, (*head, Sum(terms[:-1]))), Term(last.sign, (*last.factors, *tail))))
            rest = Sum((Term(1, terms[1].factors), *terms[2:]))
            if first.sign > 0:
                ways.append((Term(term.sign, (*head, *first.factors)), Term(terms[1].sign, (rest, *tail))))
        case Trig(function, Sum((_, *_, last) as terms)):
            short = Trig(function, Sum(terms[:-1]))
            ways.append((Term(term.sign, (*head, short)), Term(last.sign, (*last.factors, *tail))))
    return [("a bracket", put_terms(*each)) for each in ways]


def _of_wider_bracket(term: Term, at: int, put_terms: Callable[..., Sum], following: tuple[Term, ...]) -> list[Changed]:
    """A closing bracket moved outwards by one term: a (b) + c as a (b + c)."""
    match term.factors[at:], following:
        case (Sum(terms),), (swallowed,):
            wider = Sum((*terms, swallowed))
            return [("a bracket", put_terms(Term(term.sign, (*term.factors[:at], wider))))]
        case _:
            return []
