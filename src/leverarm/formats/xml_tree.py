"""XML text to a small immutable tree that knows its line numbers, or to one clear error; and back to text.

The text may come from anywhere: document types (the home of entity bombs) are refused, size, depth and the number of
elements are bounded, and nothing here recurses.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from xml.parsers import expat

from leverarm.errors import FormatError
from leverarm.formats.input_file import check_size, read_bytes

MAX_DEPTH = 200
MAX_ELEMENTS = 500_000

_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_DECLARED_ENCODING = re.compile(rb"""^<\?xml[^>]{0,100}encoding=["']([A-Za-z0-9._-]{1,40})["']""")
_UNFIT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_ENCODINGS = ("utf-8", "us-ascii", "iso-8859-1", "windows-1252")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class XmlElement:
    """One element: its tag, attributes and children, and where it was read. Text between tags is not kept."""

    tag: str
    attributes: Mapping[str, str]
    children: tuple[XmlElement, ...] = ()
    line: int | None = None
    file: str | None = None

    def all(self, tag: str) -> list[XmlElement]:
        """The children with this tag, in order."""
        return [child for child in self.children if child.tag == tag]

    def one(self, tag: str) -> XmlElement | None:
        """The child with this tag, or None. Two are an error, since only one of them could count."""
        found = self.all(tag)
        if len(found) > 1:
            raise found[1].error(
                f"a second <{tag}> in the <{self.tag}> of line {self.line}; the first is in line {found[0].line}. "
                "Keep one of them."
            )
        return found[0] if found else None

    def required_child(self, tag: str) -> XmlElement:
        """The child with this tag."""
        child = self.one(tag)
        if child is None:
            raise self.error(f"<{self.tag}> has no <{tag}>; add one.")
        return child

    def required(self, name: str) -> str:
        """An attribute that must be there and not be empty."""
        text = self.attributes.get(name, "")
        if not text:
            state = "is empty" if name in self.attributes else "is missing"
            raise self.error(f'attribute {name!r} of <{self.tag}> {state}; write <{self.tag} {name}="..." />.')
        return text

    def number(self, name: str, default: float | None = None) -> float:
        """An attribute as one finite number; required where no default is given."""
        if default is not None and name not in self.attributes:
            return default
        return self._float(name, self.required(name).strip())

    def magnitude(self, name: str, default: float | None = None) -> float:
        """An attribute as one finite number that is zero or positive."""
        value = self.number(name, default)
        if value < 0:
            raise self.error(f"attribute {name!r} of <{self.tag}> is {value!r}; it must be zero or positive.")
        return value

    def three_numbers(self, name: str, default: tuple[float, float, float]) -> tuple[float, float, float]:
        """An attribute as three finite numbers with blanks between them."""
        if name not in self.attributes:
            return default
        words = self.attributes[name].split()
        if len(words) != 3:
            raise self.error(
                f"attribute {name!r} of <{self.tag}> is {_short(self.attributes[name])}; "
                'it takes three numbers separated by spaces, such as "0 0 1".'
            )
        x, y, z = (self._float(name, word) for word in words)
        return x, y, z

    def _float(self, name: str, word: str) -> float:
        value = float(word) if _NUMBER.fullmatch(word) else math.nan
        if not math.isfinite(value):
            raise self.error(
                f"attribute {name!r} of <{self.tag}>: {_short(word)} is not a finite number; "
                "write a plain decimal such as 0.25 or 1e-3."
            )
        return value

    def error(self, message: str) -> FormatError:
        """An error at this element, to be raised."""
        return FormatError(message, self.file, self.line)


def walk(root: XmlElement) -> Iterator[XmlElement]:
    """The element and everything in it, in the order of the text."""
    waiting = [root]
    while waiting:
        element = waiting.pop()
        yield element
        waiting.extend(reversed(element.children))


def format_xml(root: XmlElement, remark: str = "") -> str:
    """The text of an element, one tag a line, below a remark for readers of the file."""
    from xml.sax.saxutils import quoteattr  # imports half of the network library, so only when writing

    lines = ['<?xml version="1.0" encoding="utf-8"?>']
    if remark:
        lines.append(f"<!-- {remark.replace('--', '- -')} -->")  # two hyphens would end the comment
    waiting: list[tuple[str, XmlElement | None]] = [("", root)]
    while waiting:
        indent, element = waiting.pop()
        if element is None:
            lines.append(indent)
            continue
        words = [element.tag, *(f"{name}={quoteattr(text)}" for name, text in element.attributes.items())]
        lines.append(f"{indent}<{' '.join(words)}{'>' if element.children else '/>'}")
        if element.children:
            waiting.append((f"{indent}</{element.tag}>", None))
            waiting.extend((indent + "  ", child) for child in reversed(element.children))
    text = "\n".join(lines) + "\n"
    if unfit := _UNFIT.search(text):
        raise FormatError(f"XML cannot hold the character {unfit[0]!r}; rename what has it in its name.")
    return text


def read_xml_file(path: str | Path) -> str:
    """The text of an XML file, in the encoding that it declares."""
    data = read_bytes(path)
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        encoding = "utf-16"
    else:
        declared = _DECLARED_ENCODING.match(data)
        encoding = declared[1].decode("ascii").lower() if declared else "utf-8"
        if encoding not in _ENCODINGS:
            raise FormatError(f"encoding {encoding!r} is not read; save the file as UTF-8.", str(path), 1)
    try:
        return data.decode("utf-8-sig" if encoding == "utf-8" else encoding)
    except UnicodeDecodeError as problem:
        line = data.count(b"\n", 0, problem.start) + 1
        raise FormatError(f"is not {encoding} text; save the file as UTF-8.", str(path), line) from None


def parse_xml(text: str, file: str | None = None) -> XmlElement:
    """The root element of an XML text."""
    check_size(len(text), file)
    builder = _Builder(file)
    try:
        builder.parser.Parse(text, True)
    except expat.ExpatError as problem:
        what = expat.ErrorString(problem.code)
        raise FormatError(
            f"not well-formed XML: {what} (column {problem.offset + 1}). Correct the text there.", file, problem.lineno
        ) from None
    except UnicodeEncodeError:
        raise FormatError("not text that XML can hold: it has a lone surrogate. Save it as UTF-8.", file) from None
    return builder.roots[0]


class _Builder:
    """Collects what expat reports into elements, innermost first."""

    def __init__(self, file: str | None) -> None:
        self.file = file
        self.parser = expat.ParserCreate()
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.StartDoctypeDeclHandler = self.doctype
        self.parser.EntityDeclHandler = self.doctype
        self.open: list[tuple[str, dict[str, str], int, list[XmlElement]]] = []
        self.roots: list[XmlElement] = []
        self.count = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        line = self.parser.CurrentLineNumber
        self.count += 1
        if len(self.open) >= MAX_DEPTH:
            raise FormatError(
                f"elements are nested more than {MAX_DEPTH} deep, as in no robot description. Check the file.",
                self.file,
                line,
            )
        if self.count > MAX_ELEMENTS:
            raise FormatError(
                f"has more than {MAX_ELEMENTS} elements, more than any robot description. Check the file.",
                self.file,
                line,
            )
        self.open.append((tag, attributes, line, []))

    def end(self, _: str) -> None:
        tag, attributes, line, children = self.open.pop()
        element = XmlElement(tag, MappingProxyType(attributes), tuple(children), line, self.file)
        (self.open[-1][3] if self.open else self.roots).append(element)

    def doctype(self, *_: object) -> None:
        raise FormatError(
            "a document type or entity declaration (<!DOCTYPE ...>) is not read, because it can make a small file "
            "endless. Remove it and write the values out.",
            self.file,
            self.parser.CurrentLineNumber,
        )


def _short(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:40] + "...")
