"""One kind of document for everything that is shown, and its renderers."""

from leverarm.documents.document import (
    LEVELS,
    Block,
    Cell,
    Code,
    Document,
    Equations,
    Facts,
    Figure,
    Items,
    Level,
    Mark,
    Paragraph,
    Piece,
    Section,
    Shown,
    Table,
    Tone,
    Verdict,
    Words,
    sentence,
)

__all__ = [
    "LEVELS", "Block", "Cell", "Code", "Document", "Equations", "Facts", "Figure", "Items", "Level", "Mark",
    "Paragraph", "Piece", "Section", "Shown", "Table", "Tone", "Verdict", "Words", "sentence",
]  # fmt: skip
