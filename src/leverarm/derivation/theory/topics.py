"""`la.theory`: what holds for every rigid body and every arm, as documents."""

from __future__ import annotations

from dataclasses import dataclass

from leverarm._version import __version__
from leverarm.derivation.derivation import Derivation
from leverarm.documents.document import Document, Paragraph, Section
from leverarm.errors import require_known
from leverarm.late_import import late

SETUP = """import numpy as np

import leverarm as la

box = la.inertia.box(0.1, 0.2, 0.3, mass=2)"""
"""What the cells of a notebook compute with."""


@dataclass(frozen=True, slots=True)
class Topic:
    """A document of the theory: its title, what is in it, and its chapters."""

    title: str
    summary: str
    chapters: tuple[str, ...]
    """"module:function" in this folder, loaded when they are asked for."""


TOPICS = {
    "rigid-body": Topic(
        "The rigid body",
        "Rotation and angular velocity, kinetic energy from the integral over the mass, and the inertia tensor.",
        ("rotations:rotations", "body_energy:body_energy", "inertia_tensor:inertia_of_a_body"),
    ),
    "equations-of-motion": Topic(
        "The equations of motion in general",
        "Lagrange's equations in indices, of any arm, and what their terms mean.",
        ("general_equations:general_equations", "meanings:meanings"),
    ),
}


def theory(topic: str) -> Derivation:
    """A chapter of the theory behind the equations of motion, such as "rigid-body"; see `TOPICS`.

    Each statement is verified with exact arithmetic when the document is made. Iterating gives the steps; `save` writes
    it as a document, `text` prints it. Raises InputError.
    """
    require_known("topic", topic, TOPICS)
    chosen = TOPICS[topic]
    summary = f"{chosen.summary} Each statement with a tick is verified with exact arithmetic. leverarm {__version__}."
    sections: tuple[Section, ...] = tuple(late(f"derivation.theory.{chapter}")() for chapter in chosen.chapters)
    return Derivation("any", topic, Document(chosen.title, (Paragraph((summary,)),), sections, code=SETUP))
