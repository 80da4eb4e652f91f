"""Bounds of a quantity's form over boxes of joint positions, link by link from the tips to the base.

The form of what a joint carries, as a form of the link's motion and the outer speeds, is bounded for the whole range of
the joint before it is handed on; so each step has one parameter, whatever the number of joints. How much a step adds in
which direction is free to choose: it is chosen so that it costs least at the base, by a metric from the middle of the
box. What a rounding error at a link comes to at the base follows from the lengths of motions, which no turn changes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from leverarm.verify.enclosures import loewner
from leverarm.verify.enclosures.loewner import DATA, UNIT, Form, Metric, congruence, metric_of, norm
from leverarm.verify.enclosures.rigid_chain import Array, LinkNumbers, RigidChain, cross
from leverarm.verify.enclosures.spaces import Space

ROUNDED_UP = 1 + 1e-9


def lengths(X: Array, rows: list[int], columns: list[int]) -> Array:
    """The spectral norms of the blocks of a matrix: the lengths of the parts of X v, at most, by those of v."""
    found = np.zeros((len(rows), len(columns)))
    for i, band in enumerate(np.split(X, np.cumsum(rows)[:-1])):
        for j, block in enumerate(np.split(band, np.cumsum(columns)[:-1], axis=1)):
            if block.any():
                found[i, j] = np.linalg.norm(block, 2) * ROUNDED_UP
    return found


SPREAD, LEAST_SPREAD, MOST_SPREAD = 0.3, 1e-8, 0.1
"""Times the square of a joint's half range: the part of its own share that the metric adds to each direction.

Directions that nothing at the base needs are free to be loose, but not so free that others lose their digits.
"""


@dataclass(frozen=True, slots=True, eq=False)
class _Step:
    """A link as the recursion sees it: constant maps."""

    link: LinkNumbers
    entry: Array
    """The link's variables before its joint moves, of the parent's."""
    chosen: Array
    """Which of the parent's variables those are."""
    own: Array
    """Which of the link's variables its own form is of."""
    form: Array
    error: float
    """Of the form's numbers."""
    turns: Array | None
    """The turns of the link's variables at the nodes."""
    along: Array
    """How the link's variables change as it slides, per unit of its joint."""
    lengths: Array
    """Of the parts of the link's variables before its joint moves, by those of all the parent's."""
    lengths_along: Array

    @staticmethod
    def of(chain: RigidChain, space: Space, i: int) -> _Step:
        link = chain.links[i]
        more = (i, *link.outer)
        around = chain.links[link.parent].outer if link.parent >= 0 else tuple(range(len(chain.links)))
        entry = space.joined(link, i) @ space.turned(link.rotation, more) @ space.shifted(link.position, more)
        chosen, form, parts = space.chosen(around, more), space.form(link), space.parts(link.outer)
        of_all = np.zeros((len(entry), space.size(around)))
        of_all[:, chosen] = entry
        along = space.shifted(link.axis * link.slide, link.outer) - np.eye(len(entry))
        return _Step(
            link, entry, chosen, space.chosen(link.outer, ()), form, float(DATA * norm(form)),
            space.turned(rotations(link.axis, loewner.turn_nodes(space.degree)), link.outer) if link.turns else None,
            along, lengths(of_all, parts, space.parts(around)), lengths(along, parts, parts),
        )  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class FormRecursion:
    """A quantity of an arm, ready to be bounded."""

    space: Space
    chain: RigidChain
    steps: tuple[_Step, ...]
    base: Array
    lengths: Array
    """Of the parts of the variables at the base, by the arguments."""
    constant: Array
    """What is added to the form at the base: rotors."""

    @staticmethod
    def of(chain: RigidChain, space: Space) -> FormRecursion:
        """For the quantity of a space."""
        steps = tuple(_Step.of(chain, space, i) for i in range(len(chain.links)))
        base = space.base(chain)
        arguments = base.shape[1]
        parts = space.parts(tuple(range(len(chain.links))))
        return FormRecursion(
            space, chain, steps, base, lengths(base, parts, [1] * arguments), np.zeros((arguments, arguments))
        )


class Bounded(NamedTuple):
    """A form at the base that all forms of each box stay below or above, and what each joint's range adds to it."""

    form: Form
    widths: list[tuple[int, Array]]
    """For each joint that moves: its number, and its width as a form at the base in the middle of the box."""


def in_the_middle(recursion: FormRecursion, middles: Array) -> Array:
    """The form at the base at given joint positions (boxes, joints)."""
    forms = _own_forms(recursion, len(middles))
    for i in reversed(range(len(recursion.steps))):
        step = recursion.steps[i]
        moved = _moved(recursion.space, step.link, middles[:, i]) @ step.entry
        _add(forms[step.link.parent], step.chosen, np.swapaxes(moved, -1, -2) @ forms[i] @ moved)
    form = recursion.base.T @ forms[-1] @ recursion.base + recursion.constant
    return np.asarray(form + np.swapaxes(form, -1, -2)) / 2


def over_boxes(
    recursion: FormRecursion, middles: Array, halves: Array, budget: Array, sign: int, floor: float = 1e-2
) -> Bounded:
    """Bounds over boxes of joint positions, middle and half width: upper for sign 1, lower for -1.

    `budget` (boxes, arguments, arguments), positive definite, says where at the base the bound may be loose. No
    direction counts less than `floor` times the most important one, times how far the joint moves: that keeps metrics
    well conditioned.
    """
    space = recursion.space
    variables = _variables(recursion, middles)
    inverse_budget = np.linalg.inv(budget)
    reach = _reach(recursion, (np.abs(middles) + halves).max(0))
    forms = _own_forms(recursion, len(middles))
    # all that is off anywhere, as it counts at the base
    error = np.full(len(middles), sum(step.error * r for step, r in zip(recursion.steps, reach[:-1], strict=True)))
    widths: list[tuple[int, Array]] = []
    for i in reversed(range(len(recursion.steps))):
        step, link, form = recursion.steps[i], recursion.steps[i].link, forms[i]
        metric = _metric(variables[i], inverse_budget, halves[:, i], floor) if halves[:, i].any() else None
        if step.turns is not None:
            form, rounding = congruence(form, space.turned(rotations(link.axis, middles[:, i]), link.outer))
            error += reach[i] * rounding
            if metric is not None:
                form, width, rounding = loewner.turned_within(form, step.turns, halves[:, i], metric, sign)
                error += reach[i] * rounding
                widths.append((i, _seen(width, variables[i])))
        if link.slide:
            form, rounding = congruence(form, np.eye(len(step.along)) + middles[:, i, None, None] * step.along)
            error += reach[i] * rounding
            if metric is not None:
                form, width, rounding = loewner.shifted_within(form, step.along, halves[:, i], metric, sign)
                error += reach[i] * rounding
                widths.append((i, _seen(width, variables[i])))
        form, rounding = congruence(form, step.entry)
        _add(forms[link.parent], step.chosen, form)
        error += reach[link.parent] * (rounding + 2 * UNIT * norm(forms[link.parent]))
    form, rounding = congruence(forms[-1], recursion.base)
    form = form + recursion.constant
    error += rounding + DATA * (norm(recursion.constant) + norm(form))
    return Bounded(Form(form, error * (1 + 1e-9)), widths)


def rotations(axis: Array, angles: Array) -> Array:
    """Rotations about an axis, by Rodrigues' formula."""
    along = np.outer(axis, axis)
    c, s = np.cos(angles)[..., None, None], np.sin(angles)[..., None, None]
    return np.asarray(along + c * (np.eye(3) - along) + s * cross(axis))


def _own_forms(recursion: FormRecursion, count: int) -> list[Array]:
    """The form of each link alone for each box, and an empty one at the end for the base: there the parent is -1."""
    sizes = [recursion.space.size(step.link.outer) for step in recursion.steps]
    sizes.append(len(recursion.base))
    forms = [np.zeros((count, size, size)) for size in sizes]
    for form, step in zip(forms[:-1], recursion.steps, strict=True):
        form[:, step.own[:, None], step.own] = step.form
    return forms


def _add(form: Array, places: Array, other: Array) -> None:
    form[:, places[:, None], places] += other


def _moved(space: Space, link: LinkNumbers, x: Array) -> Array:
    """The link's variables of those before its joint moves, at joint positions x."""
    moved = space.shifted(link.axis * (link.slide * x)[:, None], link.outer)
    return space.turned(rotations(link.axis, x), link.outer) @ moved if link.turns else moved


def _reach(recursion: FormRecursion, furthest: Array) -> list[float]:
    """The greatest square length of each link's variables for unit arguments in any pose, and at the end of the base's.

    `furthest` is how far joints are from zero at most, which makes a difference where they slide.
    """
    found: list[Array] = []
    for step, x in zip(recursion.steps, furthest, strict=True):
        before = step.lengths @ (found[step.link.parent] if step.link.parent >= 0 else recursion.lengths)
        found.append(before + x * step.lengths_along @ before)
    return [float(loewner.spectral(each)) ** 2 * (1 + 1e-9) for each in (*found, recursion.lengths)]


def _variables(recursion: FormRecursion, middles: Array) -> list[Array]:
    """Each link's variables before its joint moves, of the arguments at the base, in the middle of the boxes."""
    before: list[Array] = []
    after: list[Array] = []
    base = np.broadcast_to(recursion.base, (len(middles), *recursion.base.shape))
    for i, step in enumerate(recursion.steps):
        parent = after[step.link.parent] if step.link.parent >= 0 else base
        before.append(step.entry @ parent[:, step.chosen])
        after.append(_moved(recursion.space, step.link, middles[:, i]) @ before[i])
    return before


def _metric(variables: Array, inverse_budget: Array, halves: Array, floor: float) -> Metric:
    """The form of a link's variables that allows what the budget at the base allows."""
    inverse = variables @ inverse_budget @ np.swapaxes(variables, -1, -2)
    share = np.einsum("...ii->...i", inverse)
    size = share.shape[-1]
    spread = np.clip(SPREAD * halves**2, LEAST_SPREAD, MOST_SPREAD)[:, None]
    inverse[..., range(size), range(size)] += spread * (share + floor * share.max(-1, keepdims=True))
    return metric_of(inverse)


def _seen(width: Array, variables: Array) -> Array:
    return np.asarray(np.swapaxes(variables, -1, -2) @ width @ variables)
