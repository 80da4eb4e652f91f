"""Physically consistent parameters: positive definite pseudo-inertias, friction that dissipates.

`physical_prior` is the nominal model that the fit is regularised towards, with bodies guessed from the geometry where
the description has none that can exist. `regularisation_choice` finds the strength that predicts left-out blocks best.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import compress

import numpy as np

from leverarm.arrays import Array, BoolArray, IntArray
from leverarm.findings import Finding, listed
from leverarm.identification.estimation.consistent_fit import consistent_fit
from leverarm.identification.estimation.pseudo_inertia import inertial_numbers, pseudo_inertias
from leverarm.identification.fitting.methods import BaseFit
from leverarm.identification.fitting.weighted_fit import NormalEquations, normal_equations
from leverarm.model import WORLD, Arm, Mechanism, bind

STRENGTHS = (1e4, 1e3, 1e2, 1e1, 1.0, 1e-1, 1e-2, 1e-4)
FOLDS = 5
AS_GOOD = 1.005
"""An error within this ratio of the least is as good; the strongest regularisation of those is taken."""


@dataclass(frozen=True, slots=True)
class PhysicalProblem:
    """Normal equations, joint weights, nominal parameters, which are bodies and which must not be negative."""

    equations: NormalEquations
    weights: Array
    nominal: Array
    links: tuple[slice, ...]
    nonnegative: tuple[int, ...]

    def fitted(self, blocks: BoolArray, regularisation: float) -> Array:
        """The best physically consistent parameters, from some of the blocks."""
        H, b = self.equations.weighted(self.weights, blocks)
        return consistent_fit(H, b, self.nominal, self.links, self.nonnegative, regularisation).values


def regularisation_choice(problem: PhysicalProblem) -> tuple[float, dict[float, float]]:
    """The regularisation to use, and the left-out error (root mean square, relative to noise) of each one tried."""
    count = problem.equations.blocks
    fold = np.arange(count) * min(FOLDS, count) // count
    errors = {}
    for regularisation in STRENGTHS:
        squares = 0.0
        for left_out in range(int(fold.max()) + 1):
            values = problem.fitted(fold != left_out, regularisation)
            for block in np.flatnonzero(fold == left_out):
                squares += float(problem.weights @ problem.equations.squares(values, int(block))[0])
        errors[regularisation] = (squares / max(1.0, float(problem.equations.count.sum()))) ** 0.5
    least = min(errors.values())
    return max(regularisation for regularisation, error in errors.items() if error <= AS_GOOD * least), errors


def left_out_values(problem: PhysicalProblem, regularisation: float) -> Array:
    """Parameters (blocks, p) fitted to all blocks but one, for each."""
    blocks = np.arange(problem.equations.blocks)
    return np.stack([problem.fitted(blocks != b, regularisation) for b in blocks])


MASS_PER_CUBED_REACH = 10.0
"""[kg/m^3]: an arm whose links are 0.5 m long in all weighs about 1 kg, with 1.3 m 20 kg, with 4 m 600 kg."""
UNKNOWN_REACH = 0.5
"""[m], of an arm in whose description all lengths are zero."""
THIN = 0.002
"""Of a link's size: a smaller radius of gyration in some direction counts as no thickness."""
THICKNESS = 0.1
"""Of a link's size: the radius given to a link without thickness."""
STUB = 0.01
"""Of the reach: a shorter link without mass, where others have one, only carries a frame."""
STUB_MASS = 0.01
"""Of the mass that a link of its size would have."""
REMEDY = (
    "Identifiable parameters do not depend on it; the others stay at it. For better values give the links the mass, "
    "centre of mass and inertia from the manufacturer's data sheet or a CAD model."
)


@dataclass(frozen=True, slots=True)
class PhysicalPrior:
    """Ten inertial parameters per link (10 links,), all physically consistent, and which were guessed."""

    values: Array
    findings: tuple[Finding, ...]


def physical_prior(arm: Arm) -> PhysicalPrior:
    """The links' inertial parameters [kg, kg m, kg m^2] that a fit is regularised towards: the arm's own, or a guess.

    A link without mass becomes a solid cylinder from its joint to the farthest joint or frame on it. Its mass is that
    of the other links, per length and number of links carried, or where no link has one a share of
    MASS_PER_CUBED_REACH reach^3. If it has moments of inertia all the same, it keeps them and only gets the mass. A
    link that has no thickness in some direction (a point, a rod, a rounded or wrong tensor) keeps its mass, its centre
    of mass and the other directions.
    """
    mechanism = bind(arm)
    nominal = np.array([[float(x) for x in link.inertia.numbers()] for link in mechanism.links])
    ends = _ends(mechanism)
    sizes = _sizes(mechanism, ends)
    is_bare = ~(nominal[:, 0] > 0)
    masses = _masses(mechanism, nominal, sizes, ends)
    values, thin = nominal.copy(), []
    for i, link in enumerate(mechanism.links):
        if is_bare[i] and not nominal[i, 4:].any():
            axis = np.array([float(part) for part in link.axis])
            values[i] = _cylinder(masses[i], ends[i], sizes[i], axis)
        elif is_bare[i]:
            values[i], _ = _thickened(np.array([masses[i], 0.0, 0.0, 0.0, *nominal[i, 4:]]), sizes[i])
        else:
            values[i], was_thin = _thickened(nominal[i], sizes[i])
            if was_thin:
                thin.append(link.name)
    findings = []
    if is_bare.any():
        start = f"{float(masses[is_bare].sum()):.3g} kg in all, spread along the links, guessed from the arm's lengths"
        message = f"no mass is given; the fit starts from {start}."
        bare = [link.name for link in compress(mechanism.links, is_bare)]
        findings.append(Finding("note", listed("link", bare), message, REMEDY))
    if thin:
        start = "the fit starts from a thickness of a tenth of the link's size"
        message = f"no body has this inertia, or only one without thickness; {start}."
        findings.append(Finding("note", listed("link", thin), message, REMEDY))
    return PhysicalPrior(values.ravel(), tuple(findings))


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
    return np.asarray(np.maximum(lengths, floor))


def _reach(mechanism: Mechanism, ends: Array) -> float:
    """The longest chain of links from the world outwards [m]."""
    lengths = np.linalg.norm(ends, axis=1)
    reach = np.zeros(len(mechanism.links))
    for i, link in enumerate(mechanism.links):
        reach[i] = lengths[i] + (0.0 if link.parent == WORLD else reach[link.parent])
    return float(reach.max()) or UNKNOWN_REACH


def _masses(mechanism: Mechanism, nominal: Array, sizes: Array, ends: Array) -> Array:
    """The mass a link of its size and place would have, by the links that have one or else by the reach [kg]."""
    carried = np.ones(len(mechanism.links))
    for i, link in reversed(list(enumerate(mechanism.links))):
        if link.parent != WORLD:
            carried[link.parent] += carried[i]
    shares = sizes * carried
    reach = _reach(mechanism, ends)
    known = nominal[:, 0] > 0
    if not known.any():
        per_share = MASS_PER_CUBED_REACH * reach**3 / float(shares.sum())
        return shares * per_share
    per_share = float(nominal[known, 0].sum()) / float(shares[known].sum())
    is_stub = ~nominal.any(axis=1) & (np.linalg.norm(ends, axis=1) < STUB * reach)
    return np.asarray(shares * per_share * np.where(is_stub, STUB_MASS, 1.0))


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
    """The body with second moments about the centre of mass made positive in every direction."""
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


def consistent_parameters(based: BaseFit, block: IntArray, nominal: Array) -> tuple[Array, float, Array]:
    """The best physically consistent values of all columns (p,); `nominal` (p,) is the prior.

    Also the regularisation, and values (blocks, p) fitted to all blocks (k,) of time but one.
    """
    equations = normal_equations(based.columns.W, based.motion.tau, based.motion.raw, based.used, block)
    links = tuple(slice(i, i + 10) for i in range(0, based.columns.kinds.count("inertial"), 10))
    kinds = enumerate(based.columns.kinds)
    nonnegative = tuple(i for i, kind in kinds if kind in ("rotor", "viscous", "coulomb"))
    problem = PhysicalProblem(equations, 1 / based.fit.noise**2, nominal, links, nonnegative)
    regularisation, _ = regularisation_choice(problem)
    values = problem.fitted(np.ones(problem.equations.blocks, dtype=bool), regularisation)
    return values, regularisation, left_out_values(problem, regularisation)
