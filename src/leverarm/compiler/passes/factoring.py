"""Greedy extraction of common subexpressions and common factors of sums of products, largest saving first.

Two kinds of steps (Breuer 1969, "Generation of optimal code for expressions via factorization"; Hosangadi, Fallah and
Kastner 2006, "Optimizing polynomial expressions by algebraic factorization and common subexpression elimination"): two
factors that occur together in several products become a symbol; two terms of a sum, freed of their common factors,
become a symbol that all sums with such a pair share: a b + a c is a (b + c), and where another sum holds d b + d c,
that is d (b + c). Longer parts result from repeated steps. What is used elsewhere keeps its name and is computed once.
"""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import count

from leverarm.compiler.passes.polynomials import FactorPair, Key, Occurrences, Product, TermPair
from leverarm.compiler.passes.reading import polynomials_of
from leverarm.compiler.passes.writing import program_from
from leverarm.compiler.program import Program


def factored(program: Program) -> Program:
    """The same results with fewer operations."""
    polynomials = polynomials_of(program)
    take_out_common_parts(Occurrences(polynomials))
    return program_from(polynomials, program)


def take_out_common_parts(at: Occurrences) -> None:
    """Takes out what is worth it among the pairs that were touched, until nothing is."""
    waiting: list[tuple[int, int, Key]] = []
    order = count()
    write_out_loose(at)
    while True:
        for key in at.touched:
            saving = _saving(at, key)
            if saving > 0:
                heappush(waiting, (-saving, next(order), key))
        at.touched.clear()
        if not waiting:
            return
        promised, _, key = heappop(waiting)
        saving = _saving(at, key)
        if 0 < saving < -promised:
            at.touched[key] = None
        elif saving > 0:
            if len(key) == 2:
                _take_factors(at, key)
            else:
                _take_terms(at, key)
            write_out_loose(at)


def _saving(at: Occurrences, key: Key) -> int:
    """How many operations fewer there are if a pair is computed once.

    Of n places with g common factors each, all but one save the pair's own operations, and each saves g products. An
    empty product is the number one, which costs nothing to multiply with and cannot be saved.
    """
    if len(key) == 2:
        return len(at.factor_pairs.get(key, ())) - 1
    a, b, _ = key
    places = _places(at, key)
    each = (len(a) or 1) + (len(b) or 1) - 1
    absent = (not a) + (not b)
    return (len(places) - 1) * each + sum(common - absent for _, _, _, common in places)


def _places(at: Occurrences, key: TermPair) -> list[tuple[int, Product, Product, int]]:
    """Where two terms occur: the sum, its two terms, and how many factors those have in common."""
    a, b, same = key
    found = [(*place, common) for place, common in at.term_pairs.get(key, {}).items()]
    in_a, in_b = at.sums_with.get(a, {}), at.sums_with.get(b, {})
    alone = [s for s in in_a if s in in_b and at.sums[s][a] * at.sums[s][b] == same]
    return found + [(symbol, a, b, 0) for symbol in alone]


def _take_factors(at: Occurrences, pair: FactorPair) -> None:
    places = list(at.factor_pairs[pair])
    new = next((s for s, product in places if product == pair and len(at.sums[s]) == 1 and at.sums[s][pair] == 1), None)
    if new is None:
        new = at.polynomials.symbol()
        at.insert(new, pair, 1)
    for symbol, product in places:
        if symbol != new:
            at.add(symbol, _replaced(product, pair, new), at.remove(symbol, product))


def _take_terms(at: Occurrences, pair: TermPair) -> None:
    a, b, same = pair
    places = _places(at, pair)
    new = next((s for s, p, q, common in places if not common and len(at.sums[s]) == 2 and at.sums[s][a] == 1), None)
    if new is None:
        new = at.polynomials.symbol()
        at.insert(new, a, 1)
        at.insert(new, b, same)
    for symbol, p, q, _ in places:
        terms = at.sums.get(symbol, {})
        if symbol != new and p in terms and q in terms:
            sign = at.remove(symbol, p)
            at.remove(symbol, q)
            at.add(symbol, _replaced(p, a, new), sign)


def _replaced(product: Product, part: Product, symbol: int) -> Product:
    rest = [*product, symbol]
    for x in part:
        rest.remove(x)
    rest.sort()
    return tuple(rest)


def write_out_loose(at: Occurrences) -> None:
    """Writes out what one place alone needs, what is but another's name and what is zero; drops what none needs."""
    while at.loose:
        x = next(iter(at.loose))
        del at.loose[x]
        terms = at.sums.get(x)
        if terms is None or x in at.held:
            continue
        users = at.users.get(x, {})
        is_name = len(terms) == 1 and len(next(iter(terms))) == 1
        if not users:
            for product in list(terms):
                at.remove(x, product)
        elif not terms or is_name or (len(users) == 1 and _is_better_written_out(at, x, *next(iter(users.items())))):
            write_out(at, x)


def _is_better_written_out(at: Occurrences, x: int, user: int, times: int) -> bool:
    return times == 1 and (len(at.sums[x]) == 1 or (x,) in at.sums[user])


def write_out(at: Occurrences, x: int) -> None:
    """Puts the terms of a sum where its symbol stood."""
    terms = dict(at.sums[x])
    while at.users[x]:
        user = next(iter(at.users[x]))
        where = next(p for p in at.sums[user] if x in p)
        rest = list(where)
        rest.remove(x)
        sign = at.remove(user, where)
        for product, s in terms.items():
            at.add(user, at.polynomials.times(tuple(rest), product), sign * s)
    for product in terms:
        at.remove(x, product)
