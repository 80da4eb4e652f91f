"""One equation that does not hold as it stands: what is written, what should be, and the names they are written in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from leverarm.reading.tree import Node, Statement
from leverarm.verify.equations.values import Value

if TYPE_CHECKING:
    from leverarm.verify.equations.scope import Scope


@dataclass(frozen=True, slots=True)
class Case:
    """A side of an equation that differs from what it should be.

    `written` is the user's formula with the exact `value`, `wanted` what it should be; `about` says of what it speaks.
    """

    statement: Statement
    scope: Scope
    written: Node
    wanted: Value
    value: Value
    about: str
