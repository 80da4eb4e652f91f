"""What `la.derive` returns: the document of a derivation, its steps one by one, and how it is saved and shown."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from leverarm.documents.document import Document, Section
from leverarm.late_import import late

if TYPE_CHECKING:
    from rich.text import Text


@dataclass(frozen=True, slots=True)
class Derivation:
    """An arm's equations of motion derived by one route. Iterating gives the steps."""

    arm: str
    route: str
    document: Document

    @property
    def title(self) -> str:
        """What the page is called."""
        return self.document.title

    @property
    def parts(self) -> tuple[Section, ...]:
        """The chapters; the steps of each are its `sections`."""
        return self.document.sections

    def __iter__(self) -> Iterator[Section]:
        return (step for part in self.parts for step in part.sections)

    def __len__(self) -> int:
        return sum(len(part.sections) for part in self.parts)

    def __getitem__(self, index: int) -> Section:
        return list(self)[index]

    def save(self, path: str | os.PathLike[str], level: str = "full") -> None:
        """Writes it as .html, .md, .tex, .ipynb or .txt; `level` is "brief" (results), "full" or "every-line"."""
        late("documents.saving:save")(self.document, path, level)

    def text(self, level: str = "full", width: int = 80) -> str:
        """Plain text in lines of at most `width` columns."""
        return self.terminal(level, width).plain

    def terminal(self, level: str = "full", width: int = 80) -> Text:
        """The same with colours, for `rich.print`."""
        shown: Text = late("documents.saving:terminal")(self.document, level, width)
        return shown

    def _repr_markdown_(self) -> str:
        written: str = late("documents.markdown:to_markdown")(self.document)
        return written


save_derivation, terminal_derivation = Derivation.save, Derivation.terminal
"""Their names before 0.2.0."""
