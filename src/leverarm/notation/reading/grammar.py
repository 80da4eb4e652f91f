r"""The grammar of a formula, read by recursive descent with one token of foresight. Nothing is evaluated.

sum      = sign* product (("+" | "-") sign* product)*
product  = factor (["*" | "\cdot" | "\times"] sign* factor | "/" sign* factor)*    from the left: 1/2 m is half of m
factor   = [scripts] primary scripts                                                 {}^0 J is J^0
primary  = number | name [arguments] | function | accent argument | fraction | derivative | total | group | bracket
         | matrix
scripts  = ("_" argument | "^" argument | "'" | combining mark)*
function = ("sin" | ...) ["^" number] (bracket | group | sign* number* (name | fraction | bracket))
total    = "\sum" "_" index ["^" last] sign* product                            the rest of the product is inside
A derivative sign without its formula, d/dt, has what follows inside: one bracket, or else the rest of the product.
"""

from __future__ import annotations

from dataclasses import replace

from leverarm.notation.reading.brackets import shown
from leverarm.notation.reading.cursor import Cursor
from leverarm.notation.reading.derivatives import derivative_of, is_derivative
from leverarm.notation.reading.functions import function_of, reaching, total_of
from leverarm.notation.reading.keywords import COMMANDS, OTHER_FUNCTIONS, nearest
from leverarm.notation.reading.matrices import CALLED, absolute, bracket, call, entries, environment
from leverarm.notation.reading.scripts import accented, number, scripts, with_scripts
from leverarm.notation.reading.tokens import MAX_CHAIN, Refusal, Script, Token
from leverarm.notation.tree import (
    Between,
    Call,
    Inverse,
    Matrix,
    Name,
    Negative,
    Node,
    Number,
    PartialDerivative,
    Power,
    Product,
    Ratio,
    Span,
    Sum,
)

_NO_FACTOR = frozenset(
    ["+", "-", "=", ",", ";", "&", "row", "gap", "relation", "implies", ".", ":", "close", "}", "end"]
)


def formula_of(tokens: list[Token], script: Script, end: int) -> tuple[Node, list[str]]:
    """The formula that tokens write, and what had to be mended. Raises Refusal, with the place."""
    cursor = Cursor(tokens, script, end, _formula)
    if not cursor.tokens:
        raise Refusal(end, "the line ends where a formula was expected")
    return cursor.formula(len(cursor.tokens)), cursor.notes


def _formula(cursor: Cursor, stop: int) -> Node:
    start = cursor.place()
    terms = [_term(cursor, stop)]
    while cursor.here < stop and (cursor.kind() in ("+", "-") or _is_signed_group(cursor)):
        terms.append(_term(cursor, stop))
    if cursor.here < stop:
        cursor.unexpected(stop)
    terms = reaching(terms)
    return Sum(tuple(terms), span=cursor.span(start)) if len(terms) > 1 else terms[0]


def _is_signed_group(cursor: Cursor) -> bool:
    r"""Whether a labelled group here has its sign inside: A \underbrace{- B}_{gravity} is A - B."""
    return cursor.kind() == "under" and cursor.kind(1) == "{" and cursor.kind(2) in ("+", "-")


def _term(cursor: Cursor, stop: int) -> Node:
    start = cursor.place()
    negative = _signs(cursor, stop)
    result = _product(cursor, stop)
    return Negative(result, span=cursor.span(start)) if negative else result


def _signs(cursor: Cursor, stop: int) -> bool:
    negative = False
    while cursor.here < stop and cursor.kind() in ("+", "-"):
        negative ^= cursor.take().kind == "-"
    return negative


def _product(cursor: Cursor, stop: int) -> Node:
    """Factors with their spans, brackets included; a cross product has all factors before it on its left."""
    factors = [_spanned_factor(cursor, stop)]
    crossed: list[tuple[Node, Span]] = []
    chain = 0
    while cursor.here < stop and cursor.kind() not in _NO_FACTOR and not _is_signed_group(cursor):
        sign = cursor.kind()
        if sign not in ("*", "cdot", "/", "times", "solve"):
            factors.append(_spanned_factor(cursor, stop))
            continue
        cursor.take()
        right, behind = _spanned_factor(cursor, stop)
        left, before = factors[-1]
        span = (before[0], behind[1])
        match sign, left, right:
            case "/", _, _:
                factors[-1] = Ratio(left, right, span=span), span
                chain += 1
            case "solve", _, _:
                factors[-1] = Product((Inverse(left, span=before), right), span=span), span
                chain += 1
            case "cdot", _, _ if _are_vectors(left, right):
                factors[-1] = Between(left, "dot", right, span=span), span
                chain += 1
            case (_, Number(), _) | (_, _, Number()) | ("*" | "cdot", _, _):
                factors.append((right, behind))
                chain += sign == "times"
            case _:
                crossed.append(_together(factors))
                factors = [(right, behind)]
                chain += 1
        if chain > MAX_CHAIN:
            cursor.fail(f"more than {MAX_CHAIN} divisions or cross products in a row; use brackets")
    result, (_, end) = _together(factors)
    for left, (begun, _) in reversed(crossed):
        result = Between(left, "cross", result, span=(begun, end))
    return result


def _together(factors: list[tuple[Node, Span]]) -> tuple[Node, Span]:
    if len(factors) == 1:
        return factors[0]
    span = (factors[0][1][0], factors[-1][1][1])
    return Product(tuple(factor for factor, _ in factors), span=span), span


def _are_vectors(left: Node, right: Node) -> bool:
    """Whether a dot between two formulas is one of vectors: v . v, where a number would be squared."""
    match left, right:
        case Name(letter=a, lower=i), Name(letter=b, lower=j) if (a, i) == (b, j):
            return True
        case ((Matrix() | Name(style="vec")), (Matrix() | Name(style="vec"))):
            return True
        case _:
            return False


def _spanned_factor(cursor: Cursor, stop: int) -> tuple[Node, Span]:
    start = cursor.place()
    negative = _signs(cursor, stop)
    result = _factor(cursor, stop)
    span = cursor.span(start)
    return (Negative(result, span=span) if negative else result), span


def _factor(cursor: Cursor, stop: int) -> Node:
    if cursor.here >= stop:
        cursor.unexpected(stop)
    cursor.enter()
    start, kind = cursor.place(), cursor.kind()
    node = _with_scripts_before(cursor, stop) if kind in ("before", "^") else _primary(cursor, stop)
    match node:
        case Name() if kind != "open":
            node = _named(cursor, node, start, stop)
        case _:
            node = _hung(cursor, node, start, stop)
    while cursor.here < stop and cursor.kind() == "method" and cursor.kind(1) == "open":  # x.diff(t)
        word = cursor.take()
        close = cursor.close()
        arguments = entries(cursor, cursor.here + 1, close)
        cursor.here = close + 1
        node = call(Name(word.text, span=(word.start, word.end)), (node, *arguments), cursor.span(start))
        node = _hung(cursor, node, start, stop)
    cursor.depth -= 1
    return node


def _with_scripts_before(cursor: Cursor, stop: int) -> Node:
    """A name whose scripts stand before it: {}^0 J is J^0."""
    if cursor.kind() == "before":
        cursor.take()
    hung = scripts(cursor, stop)
    upper = "".join(str(value) for _, value, _ in hung.raised)
    if cursor.here >= stop or cursor.kind() not in ("name", "accent", "style") or not (upper or hung.lower):
        cursor.unexpected(stop)
    match _primary(cursor, stop):
        case Name() as name:
            return replace(name, lower=hung.lower + name.lower, upper=upper + name.upper)
        case _:
            return cursor.fail("scripts before a formula are read of a name only")


def _hung(cursor: Cursor, node: Node, start: int, stop: int) -> Node:
    match node:
        case PartialDerivative() if cursor.here < stop and cursor.opens("("):
            close = cursor.close()
            if cursor.lists_names(cursor.here, close):
                node = call(node, entries(cursor, cursor.here + 1, close), (start, cursor.tokens[close].end))
                cursor.here = close + 1
    hung = scripts(cursor, stop)
    return node if hung.is_nothing() else with_scripts(node, hung, start)


def _named(cursor: Cursor, name: Name, start: int, stop: int) -> Node:
    """A name with its scripts, and the parenthesis behind it: what it depends on, or a factor."""
    whole = cursor.span(start)
    node = _hung(cursor, name if name.span == whole else replace(name, span=whole), start, stop)
    braces = int(_has_braced_argument(cursor, stop))
    opened = cursor.here + braces
    is_open = opened < stop and cursor.kind(braces) == "open" and cursor.text(braces) == "("
    if not is_open:
        return node
    close = cursor.partner[opened]
    behind = cursor.tokens[close + braces + 1].kind if close + braces + 1 < stop else ""
    match node:
        case Power() | Call():
            return node
        case Name(letter=word):
            is_word = word in CALLED or behind not in ("^", "raised", "'")
        case _:
            is_word = False
    if is_word or cursor.lists_names(opened, close):
        applied = call(node, entries(cursor, opened + 1, close), (start, cursor.tokens[close + braces].end))
        cursor.here = close + braces + 1
        return _hung(cursor, applied, start, stop)
    return node


def _has_braced_argument(cursor: Cursor, stop: int) -> bool:
    r"""Whether a parenthesis alone in braces stands here, as in \theta_1{\left(t\right)}."""
    if cursor.here + 1 >= stop or cursor.kind() != "{" or cursor.kind(1) != "open" or cursor.text(1) != "(":
        return False
    return cursor.partner[cursor.here + 1] == cursor.close() - 1


def _primary(cursor: Cursor, stop: int) -> Node:
    token = cursor.tokens[cursor.here]
    kind = token.kind
    if kind in ("name", "frac", "partial") and is_derivative(cursor, stop):
        return derivative_of(cursor, stop, _acted_on)
    if kind == "name":
        cursor.take()
        return Name(token.text, span=(token.start, max(token.end, token.start)))
    if kind == "number":
        return number(cursor.take())
    if token.value is not None:
        cursor.take()
        return token.value
    if kind in ("accent", "style"):
        cursor.take()
        return accented(_argument(cursor, token, stop), token, cursor.span(token.start))
    if kind == "frac":
        cursor.take()
        above = _argument(cursor, token, stop)
        below = _argument(cursor, token, stop)
        return Ratio(above, below, span=cursor.span(token.start))
    if kind == "function":
        return function_of(cursor, stop, _argument)
    if kind == "{":
        return cursor.inside()
    if kind == "open":
        return bracket(cursor)
    if kind == "begin":
        return environment(cursor)
    if kind == "sum":
        return total_of(cursor, stop, _term)
    return _rarer(cursor, token, stop)


def _rarer(cursor: Cursor, token: Token, stop: int) -> Node:
    kind = token.kind
    if kind == "root":
        cursor.take()
        inner = _factor(cursor, stop)
        return Call("sqrt", inner, span=cursor.span(token.start))
    if kind in ("under", "box"):
        return _without_label(cursor, token, stop)
    if kind == "word" and token.text.isascii() and token.text.isalpha():
        cursor.take()
        return Name(token.text, span=(token.start, token.end))
    if kind in ("bar", "norm"):
        return absolute(cursor, stop)
    if kind == "unknown":
        raise Refusal(token.start, _unknown(token))
    if kind == "word":
        raise Refusal(token.start, f"the words '{token.text[:40]}' stand inside a formula")
    if kind == "partial":
        raise Refusal(token.start, "'\\partial' needs a derivative: \\frac{\\partial L}{\\partial q_1} or dL/dq1")
    return cursor.unexpected(stop)


def _unknown(token: Token) -> str:
    word = token.text.removeprefix("\\")
    if word in ("int", "iint", "iiint", "oint", "prod", "nabla", "pm", "mp"):
        return f"'\\{word}' is not read; write the formula out"
    if word in OTHER_FUNCTIONS:
        return f"the function '{word}' is not read; valid are sin, cos, tan, tanh, sqrt, sgn, abs, det"
    if not token.text.startswith("\\"):
        return f"the sign {token.text!r} is not read in a formula"
    close = nearest(word, COMMANDS)
    return f"the command '\\{word[:40]}' is not known" + (f"; nearest is '\\{close}'" if close else "")


def _argument(cursor: Cursor, of: Token, stop: int) -> Node:
    """What a command acts on: a group in braces, or the one sign behind it, as TeX takes it."""
    kind = cursor.kind() if cursor.here < stop else ""
    cursor.enter()
    if kind == "{":
        result = cursor.inside()
    elif kind == "open":
        result = bracket(cursor)
    elif kind == "number" or (kind == "lower" and of.kind == "frac"):
        result = _digit(cursor)
    elif kind == "name":
        token = cursor.take()
        result = Name(token.text, span=(token.start, token.end))
    elif kind in ("accent", "style", "frac", "function", "under", "box", "begin"):
        result = _primary(cursor, stop)
    else:
        cursor.fail(f"{shown(of)} needs {'two groups' if of.kind == 'frac' else 'a group'} in braces")
    cursor.depth -= 1
    return result


def _digit(cursor: Cursor) -> Number:
    r"""The first digit of the number here: \frac12 is one half."""
    token = cursor.tokens[cursor.here]
    if cursor.script == "plain" or len(token.text) == 1 or not token.text.isdecimal():
        return number(cursor.take())
    cursor.tokens[cursor.here] = token._replace(text=token.text[1:], start=token.start + 1)
    return number(token._replace(text=token.text[0], end=token.start + 1))


def _without_label(cursor: Cursor, token: Token, stop: int) -> Node:
    r"""\underbrace{formula}_{label} is the formula."""
    cursor.take()
    result = _argument(cursor, token, stop)
    if token.kind == "under" and cursor.here < stop and cursor.kind() in ("_", "^"):
        cursor.take()
        if cursor.here >= stop:
            cursor.fail(f"{shown(token)} needs its label in braces")
        cursor.here = cursor.close() + 1 if cursor.kind() == "{" else cursor.here + 1
    return result


def _acted_on(cursor: Cursor, stop: int) -> Node:
    """What a derivative sign acts on: one bracket or function of time, or else the rest of the product."""
    if cursor.here < stop and cursor.kind() in ("*", "cdot"):
        cursor.take()
    cursor.enter()
    is_one = cursor.here < stop and (cursor.kind() == "open" or _is_function_of_time(cursor))
    result = _factor(cursor, stop) if is_one else _term(cursor, stop)
    cursor.depth -= 1
    return result


def _is_function_of_time(cursor: Cursor) -> bool:
    r"""Whether a name with its index and (t) stands here: \theta_{1}{\left(t\right)}."""
    texts = [cursor.text(ahead) for ahead in range(9)] if cursor.kind() == "name" else []
    opened = texts.index("(") if "(" in texts else 0
    between = {cursor.kind(ahead) for ahead in range(1, opened)}
    return opened > 0 and texts[opened + 1 : opened + 3] == ["t", ")"] and between <= {"lower", "_", "number", "{", "}"}
