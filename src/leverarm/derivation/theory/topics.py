"""`la.theory`: what holds for every rigid body and every arm, as documents."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from leverarm._version import __version__
from leverarm.derivation.derivation import Derivation
from leverarm.derivation.theory.body_energy import body_energy
from leverarm.derivation.theory.inertia_tensor import inertia_of_a_body
from leverarm.derivation.theory.rotations import rotations
from leverarm.documents.document import Document, Paragraph, Section
from leverarm.errors import require_known

SETUP = """import numpy as np

import leverarm as la

box = la.inertia.box(0.1, 0.2, 0.3, mass=2)"""
"""What the cells of a notebook compute with."""


@dataclass(frozen=True, slots=True)
class Topic:
    """A document of the theory: its title, what is in it, and its chapters."""

    title: str
    summary: str
    chapters: tuple[Callable[[], Section], ...]


TOPICS = {
    "rigid-body": Topic(
        "The rigid body",
        "Rotation and angular velocity, kinetic energy from the integral over the mass, and the inertia tensor.",
        (rotations, body_energy, inertia_of_a_body),
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
    sections = tuple(chapter() for chapter in chosen.chapters)
    return Derivation("any", topic, Document(chosen.title, (Paragraph((summary,)),), sections, code=SETUP))
