"""Verdicts in words."""

from __future__ import annotations

from leverarm.reading.tree import Node, Statement
from leverarm.verify.equations.readings import said
from leverarm.verify.equations.scope import Scope
from leverarm.verify.equations.verdict import Status, Verdict, pointed, where_of


def verdict(
    statement: Statement, scope: Scope, status: Status, about: str, message: str, convention: str | None = None
) -> Verdict:
    """A verdict on an equation as it stands in the text; what the reader mended is said."""
    repairs = "".join(f" Read {repair}." for repair in statement.repairs[:3])
    text = message[:1].upper() + message[1:]
    return Verdict(
        status=status,
        where=where_of(scope.text, statement.span[0]),
        text=scope.text[slice(*statement.span)],
        about=about,
        message=f"{text if text.endswith('.') else text + '.'}{repairs}",
        convention=convention,
        span=statement.span,
        readings=said(statement, scope),
    )


def unreadable(node: Node, at: int, why: str, text: str) -> Verdict:
    """The verdict on what has no meaning: the line, a caret under the place, and why."""
    return Verdict(
        status="unreadable",
        where=where_of(text, at),
        text=text[slice(*node.span)],
        about="",
        message=f"{pointed(text, at)}\n{why}",
        span=node.span,
    )
