"""The text of a name with another index, or with more or fewer dots."""

from __future__ import annotations

import re

LOWERED = dict(zip("0123456789", "₀₁₂₃₄₅₆₇₈₉", strict=True))
_DOTS = re.compile(r"\\d{0,3}dot(?![A-Za-z])\s*|['′]+|[\u0307\u0308]|^\s+")
_BRACES = re.compile(r"^\{([^{}]*)\}")
_HEAD = re.compile(r"(\\[A-Za-z]+|[A-Za-z]|[^\W\d_])")


def shows_index(text: str, index: str) -> bool:
    """Whether a name's text has its index in it; where the text has a letter for it, q_k for q_1, it has not."""
    raised = {low: digit for digit, low in LOWERED.items()}
    shown = "".join(raised.get(c, c) for c in text if c.isalnum())
    return "".join(c for c in index if c.isalnum()) in shown


def with_index(text: str, old: str, new: str) -> str | None:
    """A name's text with another index; None where the index is not seen in the text."""
    for shown, spell in ((old, str), ("".join(LOWERED.get(c, c) for c in old), _lowered)):
        at = text.rfind(shown)
        if at > 0:
            before, after = text[:at], text[at + len(shown) :]
            written = spell(new)
            if before.endswith("_") and len(new) > 1:
                written = f"{{{written}}}"
            elif before.endswith("_{") and after.startswith("}") and len(old) > 1 == len(new):
                before, after = before[:-1], after[1:]
            return before + written + after
    pieces = re.fullmatch(r"([A-Za-z]+)(\d+)", old)
    other = re.fullmatch(r"([A-Za-z]+)(\d+)", new)
    if pieces and other and pieces[1] == other[1] and (at := text.rfind(pieces[2])) > 0:
        return text[:at] + other[2] + text[at + len(pieces[2]) :]
    return None


def _lowered(index: str) -> str:
    return "".join(LOWERED.get(c, c) for c in index)


Around = tuple[str, str]
BRACED: Around = ("{", "}")
BARE: Around = (" ", "")
r"""What stands around a letter under dots: \dot{q} or \dot q."""


def around_dotted(text: str) -> Around:
    """How a document writes its dots; braced where it does not say."""
    braced = len(re.findall(r"\\d{1,3}ot\s*\{", text))
    bare = len(re.findall(r"\\d{1,3}ot(?![A-Za-z])", text)) - braced
    return BARE if bare > braced else BRACED


def with_dots(text: str, dots: int, around: Around) -> str:
    r"""A LaTeX name's text with so many dots: \theta_1 as \dot{\theta}_1, \dot\theta_1 as \ddot\theta_1."""
    mark = "\\" + "d" * dots + "ot" if dots else ""
    found = re.search(r"\\d{1,3}ot(?![A-Za-z])", text)
    if found and dots:
        return text[: found.start()] + mark + text[found.end() :]
    if found:
        bare = _DOTS.sub("", text).lstrip()
        return _BRACES.sub(r"\1", bare)
    bare = _DOTS.sub("", text)
    head = _HEAD.match(bare)
    if not dots or head is None:
        return bare
    left, right = around
    if head[0].startswith("\\"):
        left = left.strip()
    return f"{mark}{left}{head[0]}{right}{bare[head.end() :]}"
