"""The cache file of one compiled function, and the checks that it is intact and the one requested.

    leverarm compiled function 1 <sha256 of everything below, in hex>\\n
    {"parts": {...}, "about": {...}, "created": "...", "size": <bytes of machine code>}\\n
    <machine code>

`parts` is everything the machine code depends on. Its hash names the file, and a file is used only if its own parts
equal the caller's, so neither a hash collision nor a renamed file is ever run.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

VERSION = 1
MAGIC = f"leverarm compiled function {VERSION} ".encode()
BODY = len(MAGIC) + sha256().digest_size * 2 + 1
"""Where the header begins."""


class Damaged(Exception):
    """A file is not as the cache wrote it; the message completes "FILE ..."."""


@dataclass(frozen=True, slots=True)
class About:
    """Description of a compiled function for cache listings."""

    arm: str
    quantity: str
    dtype: str
    machine: str


@dataclass(frozen=True, slots=True)
class Contents:
    """The content of an intact file."""

    parts: Mapping[str, str]
    about: About
    created: datetime
    payload: bytes


def key_of(parts: Mapping[str, str]) -> str:
    """The file name for this key: 64 hex digits (SHA-256)."""
    return sha256(MAGIC + _json(dict(parts))).hexdigest()


def packed(contents: Contents) -> bytes:
    """The file's bytes."""
    header = {
        "parts": dict(contents.parts),
        "about": asdict(contents.about),
        "created": contents.created.isoformat(timespec="seconds"),
        "size": len(contents.payload),
    }
    body = _json(header) + b"\n" + contents.payload
    return MAGIC + sha256(body).hexdigest().encode() + b"\n" + body


def unpacked(content: bytes) -> Contents:
    """The inverse of `packed`; raises Damaged unless every byte is as it was written."""
    if not content:
        raise Damaged("is empty")
    if not content.startswith(MAGIC):
        raise Damaged("was not written by this cache")
    body = memoryview(content)[BODY:]
    if content[len(MAGIC) : BODY] != sha256(body).hexdigest().encode() + b"\n":
        raise Damaged("is damaged (its checksum is wrong)")
    try:
        end = content.index(b"\n", BODY)
        header = json.loads(content[BODY:end])
        parts, about = header["parts"], About(**header["about"])
        created = datetime.fromisoformat(header["created"]).astimezone(UTC)
        is_complete = header["size"] == len(content) - end - 1
        is_typed = all(isinstance(text, str) for text in (*parts.values(), *asdict(about).values()))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        is_complete = is_typed = False
    if not (is_complete and is_typed):
        raise Damaged("has a header that was not written by this cache")
    return Contents(parts, about, created, content[end + 1 :])


def code_packed(notes: Mapping[str, object], code: bytes) -> bytes:
    """Machine code and its notes as one payload for `packed`."""
    return _json({"notes": dict(notes), "size": len(code)}) + b"\n" + code


def code_unpacked(payload: bytes) -> tuple[dict[str, Any], bytes]:
    """The inverse of `code_packed`. Raises Damaged: running incomplete machine code would crash the process."""
    text, _, code = payload.partition(b"\n")
    try:
        header = json.loads(text)
        notes, size = dict(header["notes"]), header["size"]
    except (ValueError, TypeError, KeyError, RecursionError):
        raise Damaged("holds no machine code") from None
    if not code or len(code) != size:
        raise Damaged("holds incomplete machine code")
    return notes, code


def _json(data: Mapping[str, object]) -> bytes:
    return json.dumps(data, sort_keys=True, separators=(",", ":")).encode("ascii")
