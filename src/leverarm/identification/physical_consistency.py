"""Bodies to start from where the description has none that can exist: guessed from the geometry of the arm.

Parameters that a machine can have: bodies that exist, friction that brakes, near the given arm where that helps.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from leverarm.arrays import Array
from leverarm.findings import Finding, listed
from leverarm.identification.choosing.regularisation_choice import PhysicalProblem, left_out_values, pull_choice
from leverarm.identification.estimation.pseudo_inertia import consistency, inertial_numbers, pseudo_inertias
from leverarm.identification.fitting.methods import BaseFit
from leverarm.identification.fitting.weighted_fit import normal_equations
from leverarm.model import WORLD, Arm, Mechanism, bind

MASS_PER_CUBED_REACH = 10.0
"""[kg/m^3]: an arm whose links are 0.5 m long in all weighs about 1 kg, with 1.3 m 20 kg, with 4 m 600 kg."""
UNKNOWN_REACH = 0.5
"""[m], of an arm in whose description all lengths are zero."""
THIN = 0.002
"""Of a link's size: what spreads less than this about its centre of mass in some direction has no thickness there."""
THICKNESS = 0.1
"""Of a link's size: the radius given to what has none."""
STUB = 0.01
"""Of the reach: a link shorter than this that has no mass where others have is there for its frame only."""
STUB_MASS = 0.01
"""Of what a link of its size would have."""
REMEDY = (
    "What the log tells does not depend on it, what it does not tell stays at it. Give the links the mass, centre of "
    "mass and inertia of the maker's data sheet or of a CAD model to do better."
)


@dataclass(frozen=True, slots=True)
class PhysicalPrior:
    """Ten numbers per link (10 links,), all of them bodies that can exist, and which were guessed."""

    values: Array
    findings: tuple[Finding, ...]


def physical_prior(arm: Arm) -> PhysicalPrior:
    """The links' inertial numbers [kg, kg m, kg m^2] to pull a fit to: the arm's own, or a plausible guess.

    A link without mass becomes a solid cylinder from its joint to the farthest joint or frame on it. Its mass is that
    of the other links, per length and number of links carried, or where no link has one a share of
    MASS_PER_CUBED_REACH reach^3. If it has moments of inertia all the same, it keeps them and only gets the mass. A
    link that has no thickness in some direction (a point, a rod, a rounded or wrong tensor) keeps its mass, its centre
    of mass and the other directions.
    """
    mechanism = bind(arm)
    drawn = np.array([[float(x) for x in link.inertia.numbers()] for link in mechanism.links])
    ends = _ends(mechanism)
    sizes = _sizes(mechanism, ends)
    is_bare = ~(drawn[:, 0] > 0)
    masses = _masses(mechanism, drawn, sizes, ends)
    values, thin = drawn.copy(), []
    for i, link in enumerate(mechanism.links):
        if is_bare[i] and not drawn[i, 4:].any():
            axis = np.array([float(part) for part in link.axis])
            values[i] = _cylinder(masses[i], ends[i], sizes[i], axis)
        elif is_bare[i]:
            values[i], _ = _thickened(np.array([masses[i], 0.0, 0.0, 0.0, *drawn[i, 4:]]), sizes[i])
        else:
            values[i], was_thin = _thickened(drawn[i], sizes[i])
            if was_thin:
                thin.append(link.name)
    bare = [link.name for link, is_one in zip(mechanism.links, is_bare, strict=True) if is_one]
    return PhysicalPrior(values.ravel(), tuple(_findings(bare, float(masses[is_bare].sum()), thin)))


def link_consistency(arm: Arm) -> dict[str, float]:
    """Of each link: the smallest eigenvalue of its pseudo-inertia over its trace, above zero if it can exist."""
    links = bind(arm).links
    numbers = np.array([[float(x) for x in link.inertia.numbers()] for link in links])
    return {link.name: float(least) for link, least in zip(links, consistency(numbers), strict=True)}


def _findings(bare: list[str], mass: float, thin: list[str]) -> list[Finding]:
    findings = []
    if bare:
        findings.append(
            Finding(
                "note",
                listed("link", bare),
                f"no mass is given; {mass:.3g} kg in all, spread along the links, was guessed from the arm's lengths "
                "as what the fit starts from.",
                REMEDY,
            )
        )
    if thin:
        findings.append(
            Finding(
                "note",
                listed("link", thin),
                "no body has this inertia, or only one without thickness; it was given one, a tenth of the link's "
                "size, as what the fit starts from.",
                REMEDY,
            )
        )
    return findings


def _ends(mechanism: Mechanism) -> Array:
    """For each link the farthest joint or frame on it, in its own frame [m]; zero where nothing is away from it."""
    ends = np.zeros((len(mechanism.links), 3))
    places = [(link.parent, link.placement.position) for link in mechanism.links]
    places += [(frame.link, frame.pose.position) for frame in mechanism.attachments.values()]
    for i, position in places:
        there = np.array([float(part) for part in position])
        if i != WORLD and np.linalg.norm(there) > np.linalg.norm(ends[i]):
            ends[i] = there
    return ends


def _sizes(mechanism: Mechanism, ends: Array) -> Array:
    """The length of each link, at least half of the longest in the arm: a short link may carry a long motor [m]."""
    lengths = np.linalg.norm(ends, axis=1)
    floor = lengths.max() / 2 if lengths.any() else UNKNOWN_REACH / len(mechanism.links)
    sizes: Array = np.maximum(lengths, floor)
    return sizes


def _reach(mechanism: Mechanism, ends: Array) -> float:
    """The longest chain of links from the world outwards [m]."""
    lengths = np.linalg.norm(ends, axis=1)
    reach = np.zeros(len(mechanism.links))
    for i, link in enumerate(mechanism.links):
        reach[i] = lengths[i] + (0.0 if link.parent == WORLD else reach[link.parent])
    return float(reach.max()) or UNKNOWN_REACH


def _masses(mechanism: Mechanism, drawn: Array, sizes: Array, ends: Array) -> Array:
    """The mass a link of its size and place would have, by the links that have one or else by the reach [kg]."""
    carried = np.ones(len(mechanism.links))
    for i, link in reversed(list(enumerate(mechanism.links))):
        if link.parent != WORLD:
            carried[link.parent] += carried[i]
    shares = sizes * carried
    reach = _reach(mechanism, ends)
    known = drawn[:, 0] > 0
    if not known.any():
        per_share = MASS_PER_CUBED_REACH * reach**3 / float(shares.sum())
        return shares * per_share
    per_share = float(drawn[known, 0].sum()) / float(shares[known].sum())
    is_stub = ~drawn.any(axis=1) & (np.linalg.norm(ends, axis=1) < STUB * reach)
    masses: Array = shares * per_share * np.where(is_stub, STUB_MASS, 1.0)
    return masses


def _cylinder(mass: float, end: Array, size: float, axis: Array) -> Array:
    """The ten numbers of a solid cylinder from the origin to the end, or around the origin where that is too near."""
    length = float(np.linalg.norm(end))
    is_short = length < THICKNESS * size
    along = axis if is_short else end / length
    centre = np.zeros(3) if is_short else end / 2
    length = max(length, size / 2)
    across = (THICKNESS * size) ** 2 / 4
    spread = across * np.eye(3) + (length**2 / 12 - across) * np.outer(along, along)
    return _from_spread(mass, centre, spread)


def _thickened(numbers: Array, size: float) -> tuple[Array, bool]:
    """The body with its missing thickness: second moments about the centre of mass made positive in every direction."""
    mass, centre = numbers[0], numbers[1:4] / numbers[0]
    spread = pseudo_inertias(numbers)[:3, :3] / mass - np.outer(centre, centre)
    squares, axes = np.linalg.eigh(spread)
    thin = squares < (THIN * size) ** 2
    if not thin.any():
        return numbers, False
    squares = np.where(thin, (THICKNESS * size) ** 2 / 4, squares)
    return _from_spread(mass, centre, (axes * squares) @ axes.T), True


def _from_spread(mass: float, centre: Array, spread: Array) -> Array:
    """The ten numbers from mass, centre of mass and second moments about it per mass."""
    whole = np.empty((4, 4))
    whole[:3, :3] = spread + np.outer(centre, centre)
    whole[:3, 3] = whole[3, :3] = centre
    whole[3, 3] = 1.0
    return inertial_numbers(mass * whole)


@dataclass(frozen=True, slots=True)
class PossibleBodies:
    """Values of all columns (p,), the pull to the given bodies, and values (blocks, p) fitted to all blocks but one."""

    values: Array
    pull: float
    left_out: Array


def possible_bodies(based: BaseFit, block: NDArray[np.int64], drawn: Array) -> PossibleBodies:
    """The best possible machine, and one without each block (k,) of time; `drawn` (p,) are the given arm's numbers."""
    kinds = based.columns.kinds
    problem = PhysicalProblem(
        equations=normal_equations(based.columns.W, based.motion.tau, based.motion.raw, based.used, block),
        weights=1 / based.fit.noise**2,
        drawn=drawn,
        links=tuple(slice(i, i + 10) for i in range(0, kinds.count("inertial"), 10)),
        nonnegative=tuple(i for i, kind in enumerate(kinds) if kind in ("rotor", "viscous", "coulomb")),
    )
    pull, _ = pull_choice(problem)
    values = problem.fitted(np.ones(problem.equations.blocks, dtype=bool), pull)
    return PossibleBodies(values, pull, left_out_values(problem, pull))
