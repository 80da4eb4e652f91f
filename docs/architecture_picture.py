"""Draws docs/images/architecture.svg: the rooms of src/leverarm and who imports whom, as the files say it today.

python docs/architecture_picture.py

The sentence "May import: ..." in the README of each room is written too.

Every import counts: at the head of a file, inside functions, and for types only. Arrows that others imply are left out
(where simulation imports control and control imports quantities, simulation to quantities is not drawn), and so are
arrows to the small modules at the bottom. Names given as text, "module:name", to `late_import.late` are no imports;
where one leads into another room a line under the picture says so. `tests/test_layers.py` reads the same graph and
compares the picture with the tree. Standard library only; the same tree gives the same bytes.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from zlib import crc32

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "leverarm"
PICTURE = ROOT / "docs" / "images" / "architecture.svg"
COMMAND = "python docs/architecture_picture.py"

PUBLIC = "<public>"
"""`leverarm/__init__.py`, and modules beside it that only gather names of rooms for users."""

CORE = ("scalars", "spatial", "model", "mechanics")
"""Written over any scalar, without numpy."""

WORDS = {
    "scalars": "number systems: float, exact, tape ...",
    "spatial": "vectors, poses, motions, forces, inertias",
    "model": "what an arm is: joints, bodies, motors",
    "mechanics": "the algorithms, once, over any scalar",
    "compiler": "tape to machine code; knows no arm",
    "notation": "formulas, printed and read",
    "quantities": "the table of quantities; their values",
    "formats": "TOML, DH, screws, URDF, MJCF; catalog; lint",
    "closed_form": "exact equations of an arm",
    "derivation": "the equations of motion, every step shown",
    "documents": "one document: terminal, HTML, LaTeX, Markdown",
    "control": "signals, reference motions, control laws",
    "runtime": "compiled functions, cache, exports, bridges",
    "pictures": "drawings of arms, sheets of plots",
    "simulation": "runs, rollouts, trajectories",
    "verify": "certified bounds; checks of equations",
    "identification": "logs, excitation, fits, reports",
    "cli": "the leverarm command",
    PUBLIC: "import leverarm as la: a table of contents",
}

Graph = dict[str, set[str]]


# The graph


def modules(package: Path = PACKAGE) -> dict[str, Path]:
    """The files of the package by module name: "leverarm.model.arm"; a package is its `__init__.py`."""
    found = {}
    for path in sorted(package.rglob("*.py")):
        parts = ("leverarm", *path.relative_to(package).with_suffix("").parts)
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


class Imports:
    """What the files of the package import: `names` with their lines, `files` and `rooms` as graphs of modules.

    `small` are the modules beside the rooms that need no room: errors, arrays and the like.
    """

    def __init__(self, package: Path = PACKAGE) -> None:
        self.paths = modules(package)
        nodes = {name: [*ast.walk(parsed(path)), *stub_nodes(path)] for name, path in self.paths.items()}
        self.names = {name: list(imported_names(every)) for name, every in nodes.items()}
        self.files = {name: self._modules(name) for name in self.paths}
        self._folders = {name.split(".")[1] for name in self.paths if name.count(".") > 1}
        beside = {n for n in self.paths if n.count(".") == 1 and n.split(".")[1] not in self._folders}
        self.small = [n.split(".")[1] for n in sorted(beside) if self.files[n] <= beside]
        self.rooms: Graph = {self.room(name): set() for name in self.paths}
        for name, others in self.files.items():
            self.rooms[self.room(name)] |= {self.room(other) for other in others} - {self.room(name)}
        users = {name: every for name, every in nodes.items() if name != "leverarm.renamed"}
        self.late = sorted({(self.room(n), self.room(m)) for n, every in users.items() for m in self._named(every)})

    def room(self, name: str) -> str:
        """The room, or the small module, that a full name of leverarm is in."""
        first = ([*name.split("."), ""])[1]
        return first if first in self.small or first in self._folders else PUBLIC

    def _modules(self, name: str) -> set[str]:
        found = {full if full in self.paths else full.rpartition(".")[0] for _, full in self.names[name]}
        return {other for other in found if other in self.paths} - {name}

    def _named(self, nodes: Iterable[ast.AST]) -> Iterator[str]:
        """The modules that texts of the form "module:name" name."""
        for node in nodes:
            text = node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
            match = re.fullmatch(r"([a-z_]\w*(?:\.\w+)*):\w+(?:\.\w+)*", text)
            if match and f"leverarm.{match[1]}" in self.paths:
                yield f"leverarm.{match[1]}"


def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def stub_nodes(path: Path) -> Iterator[ast.AST]:
    """The lines of the stub beside a file, which list the public names that it imports when they are first used."""
    stub = path.with_suffix(".pyi")
    return ast.walk(parsed(stub)) if stub.exists() else iter(())


def imported_names(nodes: Iterable[ast.AST]) -> Iterator[tuple[int, str]]:
    """Line and full name of everything that a file imports, anywhere in it: `from a.b import c` is "a.b.c"."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((node.lineno, f"{'.' * node.level}{node.module}.{alias.name}") for alias in node.names)


def below(graph: Mapping[str, Iterable[str]], name: str) -> set[str]:
    """All that a module or room imports, directly or through others; itself, where there is a cycle."""
    found: set[str] = set()
    rest = list(graph[name])
    while rest:
        if (other := rest.pop()) not in found:
            found.add(other)
            rest += graph[other]
    return found


def without_implied(graph: Graph) -> Graph:
    """The arrows that no longer path implies."""
    return {
        room: {other for other in others if not any(other in below(graph, third) for third in others - {other})}
        for room, others in graph.items()
    }


# The layout: layers by longest path, few crossings, then x by averages of neighbours

WIDTH, MARGIN = 1000, 14
BOX, HEIGHT, PITCH, GAP = 180, 58, 92, 11
"""The greatest width of a box, its height, from one row to the next, and the space between boxes."""
PASSING = 8
"""The width that is kept free, between boxes, for an arrow that passes a layer."""

STARTS = 60
"""Orders of the rows to begin with."""

Node = tuple[str, ...]
"""(room,), or (room, other, layer) where the arrow between the two passes a layer."""


def layers_of(graph: Graph) -> dict[str, int]:
    """0 for what imports nothing, else one more than the highest import; then as high as shortens the arrows."""
    layer: dict[str, int] = {}
    while len(layer) < len(graph):
        for room in sorted(set(graph) - set(layer)):
            if all(other in layer for other in graph[room]):
                layer[room] = 1 + max((layer[other] for other in graph[room]), default=-1)
    for room in sorted(graph, key=lambda r: (-layer[r], r)):
        importers = [layer[other] for other in graph if room in graph[other]]
        if len(importers) > len(graph[room]):
            layer[room] = min(importers) - 1
    return layer


class Layout:
    """Rows of nodes, lowest first, the links between neighbouring rows, and an x for every node."""

    def __init__(self, graph: Graph) -> None:
        layer = layers_of(graph)
        self.rows: list[list[Node]] = [[] for _ in range(1 + max(layer.values()))]
        self.paths: list[list[Node]] = []
        self.up: dict[Node, list[Node]] = defaultdict(list)
        self.down: dict[Node, list[Node]] = defaultdict(list)
        for room in sorted(graph):
            self.rows[layer[room]].append((room,))
        for room in sorted(graph):
            for other in sorted(graph[room]):
                passed = [(room, other, str(i)) for i in range(layer[room] - 1, layer[other], -1)]
                for node in passed:
                    self.rows[int(node[2])].append(node)
                self.paths.append([(room,), *passed, (other,)])
        for path in self.paths:
            for high, low in pairwise(path):
                self.down[high].append(low)
                self.up[low].append(high)
        self._order()
        self.box = box_width(self.rows)
        self.x = self._positions()

    def _cost(self) -> tuple[int, float]:
        """Crossings, then how far arrows go sideways."""
        place = {node: i for row in self.rows for i, node in enumerate(row)}
        share = {node: (i + 1) / (len(row) + 1) for row in self.rows for i, node in enumerate(row)}
        crossings, sideways = 0, 0.0
        for row in self.rows:
            links = [(place[high], place[low]) for high in row for low in self.down[high]]
            crossings += sum((a - c) * (b - d) < 0 for i, (a, b) in enumerate(links) for c, d in links[:i])
            sideways += sum(abs(share[high] - share[low]) for high in row for low in self.down[high])
        return crossings, round(sideways, 9)

    def _order(self) -> None:
        """The best of several shuffled orders, each mended node by node."""
        begin, tried = self.rows, []
        for start in range(STARTS):
            self.rows = [sorted(row, key=lambda node: crc32(f"{start} {node}".encode())) for row in begin]
            tried.append((self._mend(), start, self.rows))
        self.rows = min(tried)[2]

    def _mend(self) -> tuple[int, float]:
        """Moves single nodes within their rows as long as that helps."""
        best, improved = self._cost(), True
        while improved:
            improved = False
            for k, row in enumerate(self.rows):
                for node in sorted(row):
                    others = [other for other in self.rows[k] if other != node]
                    kept = self.rows[k]
                    for i in range(len(row)):
                        self.rows[k] = [*others[:i], node, *others[i:]]
                        if (cost := self._cost()) < best:
                            best, kept, improved = cost, self.rows[k], True
                    self.rows[k] = kept
        return best

    def _positions(self) -> dict[Node, float]:
        """Every node near the mean of its neighbours, at its distance from the next in the row."""
        x = {node: WIDTH * (i + 1) / (len(row) + 1) for row in self.rows for i, node in enumerate(row)}
        for sweep in range(60):
            for row in self.rows if sweep % 2 else reversed(self.rows):
                wanted = []
                for node in row:
                    near = [x[other] for other in (*self.up[node], *self.down[node])]
                    wanted.append(sum(near) / len(near) if near else x[node])
                x.update(
                    zip(row, spaced(wanted, [self.box if len(node) == 1 else PASSING for node in row]), strict=True)
                )
        return x


def box_width(rows: Sequence[Sequence[Node]]) -> float:
    """The width of all boxes: as much as the fullest row leaves."""
    room = [WIDTH - 2 * MARGIN - GAP * (len(row) - 1) - PASSING * sum(len(node) > 1 for node in row) for row in rows]
    return min(BOX, *(left // sum(len(node) == 1 for node in row) for left, row in zip(room, rows, strict=True)))


def spaced(wanted: Sequence[float], widths: Sequence[float]) -> list[float]:
    """Centres nearest to those wanted (least squares) that keep order, widths, gaps and the margins of the page."""
    offsets = [0.0]
    for a, b in pairwise(widths):
        offsets.append(offsets[-1] + a / 2 + GAP + b / 2)
    pools: list[list[float]] = []  # sum and count; means rise from pool to pool
    for w, o in zip(wanted, offsets, strict=True):
        pools.append([w - o, 1])
        while len(pools) > 1 and pools[-2][0] / pools[-2][1] >= pools[-1][0] / pools[-1][1]:
            total, count = pools.pop()
            pools[-1][0] += total
            pools[-1][1] += count
    means = [total / count for total, count in pools for _ in range(int(count))]
    least, most = MARGIN + widths[0] / 2, WIDTH - MARGIN - widths[-1] / 2 - offsets[-1]
    return [min(max(m, least), max(most, least)) + o for m, o in zip(means, offsets, strict=True)]


# The picture

STYLE = """
text { font-family: system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; fill: #1c2733 }
.name { font-size: 14px; font-weight: 600 }
.words { font-size: 11.5px; fill: #3d4b5a }
.files { font-size: 11px; fill: #5c6b7a }
rect { fill: #f4f6f8; stroke: #8a98a8; stroke-width: 1 }
.page { fill: #ffffff; stroke: #d5dbe1 }
.core { fill: #e3effa; stroke: #3b7cb8 }
.small { fill: #fbf6e9; stroke: #b59a4c }
path { fill: none; stroke: #6b7a8a; stroke-width: 1.3 }
marker path { fill: #6b7a8a; stroke: none }
"""


def lines_of(words: str, most: int) -> list[str]:
    """Words in lines of at most so many characters."""
    lines = [""]
    for word in words.split():
        joined = f"{lines[-1]} {word}".strip()
        lines = [*lines[:-1], joined] if len(joined) <= most else [*lines, word]
    return lines


def escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def text_at(x: float, y: float, kind: str, text: str, anchor: str = "start") -> str:
    return f'<text class="{kind}" x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}">{escaped(text)}</text>'


def box(x: float, y: float, wide: float, name: str, words: str, files: int, kind: str) -> list[str]:
    """A box around x with its name, the number of its files, and two lines of words."""
    left = x - wide / 2
    lines = lines_of(words, int(wide / 6.3))
    assert len(lines) <= 2, f"too many words for the box of {name}: {words}"
    return [
        f'<rect class="{kind}" x="{left:.0f}" y="{y:.0f}" width="{wide:.0f}" height="{HEIGHT}" rx="6"/>',
        text_at(left + 9, y + 19, "name", name),
        text_at(left + wide - 9, y + 19, "files", str(files), "end"),
        *(text_at(left + 9, y + 35 + 15 * i, "words", line) for i, line in enumerate(lines)),
    ]


def curve(points: Sequence[tuple[float, float, float]]) -> str:
    """A line through points (x, top, bottom): straight down through each, bent between them."""
    text = f"M{points[0][0]:.0f} {points[0][2]:.0f}"
    for (x0, _, y0), (x1, y1, bottom) in pairwise(points):
        bend = (y1 - y0) / 2
        text += f" C{x0:.0f} {y0 + bend:.0f} {x1:.0f} {y1 - bend:.0f} {x1:.0f} {y1:.0f}"
        if bottom > y1:
            text += f" V{bottom:.0f}"
    return f'<path d="{text}" marker-end="url(#tip)"/>'


def picture(imports: Imports) -> str:
    """The SVG."""
    small = imports.small
    rooms = {room: others - set(small) for room, others in imports.rooms.items() if room not in small}
    if missing := sorted(set(rooms) - set(WORDS)):
        raise SystemExit(f"docs/architecture_picture.py has no words for the rooms {missing}: add them to WORDS.")
    counts = {room: sum(imports.room(name) == room for name in imports.paths) for room in rooms}
    layout = Layout(without_implied(rooms))
    rows = layout.rows
    top = {node: MARGIN + (len(rows) - 1 - k) * PITCH for k, row in enumerate(rows) for node in row}

    def at(x: float, node: Node, bottom: float) -> tuple[float, float, float]:
        return x, top[node], top[node] + bottom

    def landing(node: Node, others: Sequence[Node], other: Node) -> float:
        """Where at a box an arrow begins or ends: beside its neighbours, in their order."""
        order = sorted(others, key=lambda o: layout.x[o])
        return layout.x[node] + (order.index(other) - (len(order) - 1) / 2) * min(26, (layout.box - 40) / len(order))

    arrows = []
    for path in layout.paths:
        first, last = path[0], path[-1]
        points = [at(landing(first, layout.down[first], path[1]), first, HEIGHT)]
        points += [at(layout.x[node], node, HEIGHT) for node in path[1:-1]]
        points.append(at(landing(last, layout.up[last], path[-2]), last, -4))
        points[-1] = (points[-1][0], top[last] - 2, top[last] - 2)
        arrows.append(curve(points))
    boxes = []
    for row in rows:
        for node in row:
            if len(node) == 1:
                name = "leverarm" if node[0] == PUBLIC else node[0]
                kind = "core" if node[0] in CORE else "room"
                boxes += box(layout.x[node], top[node], layout.box, name, WORDS[node[0]], counts[node[0]], kind)
    y = MARGIN + (len(rows) - 1) * PITCH + HEIGHT + 18
    listed = ", ".join(name for name in small if name != "_version")
    boxes += box(WIDTH / 2, y, WIDTH - 2 * MARGIN, "small modules", f"for all rooms: {listed}", len(small), "small")
    y += HEIGHT + 20
    notes = [
        "An arrow points to what is imported; arrows that others imply, and those to the small modules, are left out.",
        "Numbers count files. Blue: written over any scalar, without numpy. Drawn from the imports of src/leverarm.",
    ]
    if late := [(a, b) for a, b in imports.late if a != b and a != PUBLIC]:
        notes.append("By name only, when asked for: " + ", ".join(f"{a} to {b}" for a, b in late) + ".")
    texts = []
    for note in notes:
        for line in lines_of(note, 140):
            texts.append(text_at(MARGIN, y, "words", line))
            y += 17
    height = y - 17 + MARGIN
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0f}" width="{WIDTH}" '
            f'height="{height:.0f}" role="img" aria-label="The rooms of leverarm and who imports whom">',
            f"<style>{STYLE}</style>",
            '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
            'orient="auto"><path d="M0 0.5 L8 4 L0 7.5 Z"/></marker></defs>',
            f'<rect class="page" x="0.5" y="0.5" width="{WIDTH - 1}" height="{height - 1:.0f}" rx="8"/>',
            *arrows,
            *boxes,
            *texts,
            "</svg>",
            "",
        ]
    )


def with_arrows(readme: str, room: str, imports: Imports) -> str:
    """A room's README with the sentence that says which rooms it may import."""
    others = [f"`{other}`" for other in ordered(imports) if other in imports.rooms[room]]
    others = [other.replace(f"`{PUBLIC}`", "the public API") for other in others]
    sentence = f"May import: {', '.join(others) or 'only the small modules'}."
    return re.sub(r"^May import: [^.]*\.$", "\n".join(lines_of(sentence, 118)), readme, count=1, flags=re.MULTILINE)


def ordered(imports: Imports) -> list[str]:
    """The rooms, lowest first, without the small modules."""
    rooms = {room: others - set(imports.small) for room, others in imports.rooms.items() if room not in imports.small}
    return sorted(rooms, key=lambda room: (len(below(rooms, room)), room))


if __name__ == "__main__":
    found = Imports()
    PICTURE.write_text(picture(found), encoding="utf-8")
    print(PICTURE.relative_to(ROOT))
    for room in ordered(found):
        page = PACKAGE / room / "README.md"
        if page.exists():
            page.write_text(with_arrows(page.read_text(encoding="utf-8"), room, found), encoding="utf-8")
