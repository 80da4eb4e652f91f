"""MJCF compiled by MuJoCo (the extra `mjcf`), after a check that the text is safe to pass on."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from leverarm.errors import FormatError
from leverarm.formats.serial import unused_name
from leverarm.formats.xml_tree import XmlElement, parse_xml, read_xml_file, walk
from leverarm.late_import import installed
from leverarm.model.tree import MAX_BODIES

_MULTIPLIERS = ("replicate", "composite", "flexcomp")
_LINE = re.compile(r"[Ll]ine(?: number)?[ =](\d+)")


@dataclass(frozen=True, slots=True, eq=False)
class CompiledModel:
    """MuJoCo, the model it compiled, and names by its ids: all different, made up where bodies or joints have none."""

    mujoco: Any
    model: Any
    root: XmlElement
    bodies: tuple[str, ...]
    joints: tuple[str, ...]
    sites: tuple[str | None, ...]

    def is_on(self, feature: str) -> bool:
        """Whether <option><flag .../> leaves a feature of the physics on."""
        bit = getattr(self.mujoco.mjtDisableBit, f"mjDSBL_{feature}", 0)
        return not self.model.opt.disableflags & int(bit)

    def has(self, field: str, i: int) -> bool:
        """Whether a field of the model is not zero at i; a field that this MuJoCo does not have is zero."""
        values = getattr(self.model, field, None)
        return values is not None and bool((values[i] != 0).any())

    def rest(self, joint: int) -> float:
        """The position at which a joint does not displace its body (MuJoCo's qpos0)."""
        return float(self.model.qpos0[self.model.jnt_qposadr[joint]])

    def error(self, message: str, tag: str, name: str | None = None) -> FormatError:
        """An error at the element with this tag and name, where the text has one (it may be in an included file)."""
        for element in walk(self.root):
            if element.tag == tag and (name is None or element.attributes.get("name") == name):
                return element.error(message)
        return FormatError(message, self.root.file)


def compile_mjcf(source: str | Path) -> CompiledModel:
    """MJCF, as text or as the path of a file (a str with a "<" is text), compiled by MuJoCo."""
    is_text = isinstance(source, str) and "<" in source
    file = None if is_text else str(source)
    text = str(source) if file is None else read_xml_file(file)
    root = parse_xml(text, file)
    if root.tag != "mujoco":
        hint = "This is URDF: read it as such." if root.tag == "robot" else "Check the file."
        raise root.error(f"the outermost element is <{root.tag}>; MJCF has <mujoco>. {hint}")
    _check_numbers(root)
    _check_copies(root)
    mujoco = installed("mujoco", "MJCF files need", "Run: pip install 'leverarm[mjcf]'")
    try:
        model = mujoco.MjModel.from_xml_string(text) if file is None else mujoco.MjModel.from_xml_path(file)
    except (ValueError, mujoco.FatalError) as problem:
        raise _compiler_error(str(problem), file) from None
    name_of, kinds = mujoco.mj_id2name, mujoco.mjtObj
    bodies = _filled([name_of(model, kinds.mjOBJ_BODY, i) or f"body{i}" for i in range(model.nbody)])
    joints = [name_of(model, kinds.mjOBJ_JOINT, i) or f"{bodies[model.jnt_bodyid[i]]}_joint" for i in range(model.njnt)]
    sites = tuple(name_of(model, kinds.mjOBJ_SITE, i) or None for i in range(model.nsite))
    return CompiledModel(mujoco, model, root, bodies, _filled(joints), sites)


def _check_numbers(root: XmlElement) -> None:
    """Refuses NaN, about which MuJoCo would only write a warning to a file in the working directory."""
    for element in walk(root):
        for name, text in element.attributes.items():
            if name != "name" and "nan" in text.lower().split():
                raise element.error(f"attribute {name!r} of <{element.tag}> has a NaN; give a number.")


def _check_copies(root: XmlElement) -> None:
    """Refuses a short text that asks for more copies than an arm can have bodies."""
    waiting = [(root, 1.0)]
    while waiting:
        element, copies = waiting.pop()
        if element.tag in _MULTIPLIERS and "count" in element.attributes:
            words = element.attributes["count"].split()
            copies *= math.prod(max(float(word), 1.0) for word in words if word.isascii() and word.isdigit())
        if copies > MAX_BODIES:
            raise element.error(f"<{element.tag}> asks for {copies:g} copies; at most {MAX_BODIES} are read.")
        waiting.extend((child, copies) for child in element.children)


def _compiler_error(message: str, file: str | None) -> FormatError:
    line = _LINE.search(message)
    reason = "; ".join(part.strip() for part in message.splitlines() if part.strip())
    remedy = (
        " Mass may come from meshes, so their files must be where the model says."
        if "opening file" in message or "resource" in message
        else " Correct the model there."
    )
    return FormatError(f"MuJoCo cannot compile the model: {reason}.{remedy}", file, int(line[1]) if line else None)


def _filled(names: list[str]) -> tuple[str, ...]:
    """The names, with a number behind those made up that are taken."""
    taken: set[str] = set()
    for i, name in enumerate(names):
        names[i] = unused_name(name, taken)
        taken.add(names[i])
    return tuple(names)
