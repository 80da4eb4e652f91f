"""A sheet as JSON: each entry as text and as an exact list of terms."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from leverarm._version import __version__
from leverarm.closed_form.exact_equations import Equations
from leverarm.closed_form.formula import Formula
from leverarm.closed_form.sheet.entries import Entry, Item
from leverarm.notation.elements import letter_node
from leverarm.notation.names import dotted
from leverarm.notation.text import to_text
from leverarm.notation.vocabulary import Vocabulary, Writing
from leverarm.scalars import Scalar
from leverarm.scalars.exact import Polynomial, Quotient, is_exactly_zero

EXPANDED = Writing("expanded")
CONVENTIONS = {
    "equation": "M(q) qdd + C(q, qd) qd + F(qd) + g(q) + tau_d = tau + J^T w",
    "units": "SI",
    "spatial_vectors": "angular part first, world axes",
    "coriolis": "C from the Christoffel symbols: Mdot - 2 C is skew-symmetric",
    "terms": "a value is the sum of its terms; a term is its coefficient times its letters to their powers",
    "speeds": "thetad1 is the speed of theta1, thetadd1 its acceleration; c12 is cos(theta1 + theta2)",
}


def to_json_sheet(eq: Equations, items: Sequence[Item]) -> str:
    """One JSON object; coefficients are exact, as "1/2"."""
    vocabulary = eq.notation.vocabulary
    data = {
        "arm": eq.arm.name,
        "leverarm": __version__,
        "conventions": CONVENTIONS,
        "coordinates": [
            {"joint": name, "q": vocabulary.printed[name], **_rates(vocabulary.printed[name])}
            for name in vocabulary.coordinates
        ],
        "symbols": dict(eq.notation.defaults),
        "quantities": {found.quantity.letter: _quantity(found, vocabulary) for found in items},
    }
    return "\n".join(_lines(data, 4)) + "\n"


def _lines(data: Any, depth: int) -> list[str]:
    """JSON with the outer levels indented; what lies deeper stays on one line."""
    if depth == 0 or not _holds_objects(data):
        return [json.dumps(data, ensure_ascii=False, allow_nan=False)]
    keys = [f"{json.dumps(key, ensure_ascii=False)}: " for key in data] if isinstance(data, dict) else [""] * len(data)
    lines = []
    for i, (key, value) in enumerate(zip(keys, _values(data), strict=True)):
        first, *rest = _lines(value, depth - 1)
        lines += [f"  {key}{first}", *(f"  {line}" for line in rest)]
        lines[-1] += "," if i + 1 < len(keys) else ""
    start, end = "{}" if isinstance(data, dict) else "[]"
    return [start, *lines, end]


def _holds_objects(data: Any) -> bool:
    if not isinstance(data, dict | list):
        return False
    return any(isinstance(x, dict) or _holds_objects(x) for x in _values(data))


def _values(data: dict[str, Any] | list[Any]) -> list[Any]:
    return list(data.values()) if isinstance(data, dict) else data


def _rates(name: str) -> dict[str, str]:
    return {"qd": dotted(name, 1), "qdd": dotted(name, 2)}


def _quantity(found: Item, vocabulary: Vocabulary) -> dict[str, Any]:
    quantity = found.quantity
    data: dict[str, Any] = {"name": quantity.spelled, "meaning": quantity.meaning, "needs": list(quantity.arguments)}
    if found.frame:
        data["frame"] = found.frame
    if found.names:
        data["names"] = list(found.names)
    data |= {"shape": list(found.shape), "terms": sum(entry.formula.terms for entry in found.entries)}
    return data | {"entries": [_entry(entry, vocabulary) for entry in found.entries]}


def _entry(entry: Entry, vocabulary: Vocabulary) -> dict[str, Any]:
    formula: Formula = entry.formula
    data = {"label": entry.label, "index": list(entry.index), "text": formula.text(), "term_count": formula.terms}
    if isinstance(formula.value, Quotient):
        data["numerator"] = _terms(formula.value.numerator, vocabulary)
        data["denominator"] = _terms(formula.value.denominator, vocabulary)
    else:
        data["terms"] = _terms(formula.value, vocabulary)
    return data


def _terms(value: Scalar, vocabulary: Vocabulary) -> list[dict[str, Any]]:
    if not isinstance(value, Polynomial):
        return [] if is_exactly_zero(value) else [{"coefficient": str(value), "letters": {}}]
    names = {letter: to_text(letter_node(letter, vocabulary), EXPANDED) for letter in value.generators()}
    return [
        {"coefficient": str(coefficient), "letters": {names[letter]: power for letter, power in letters}}
        for letters, coefficient in value.terms()
    ]
