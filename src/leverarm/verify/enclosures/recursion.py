"""Bounds of a quantity's form over boxes of joint positions, link by link from the tips to the base.

The form of what a joint carries, as a form of the link's motion and the outer speeds, is bounded for the whole range of
the joint before it is handed on; so each step has one parameter, whatever the number of joints. How much a step adds in
which direction is free to choose: it is chosen so that it costs least at the base, by a metric from the middle of the
box.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from leverarm.verify.enclosures.loewner import UNIT, Form, Metric, added, congruent, metric_of, norm
from leverarm.verify.enclosures.motions import shifted_within, turn_nodes, turned_within
from leverarm.verify.enclosures.rigid_chain import Array, LinkNumbers, RigidChain, cross
from leverarm.verify.enclosures.spaces import Space

SPREAD, LEAST_SPREAD, MOST_SPREAD = 0.3, 1e-8, 0.1
"""Times the square of a joint's half range: the part of its own share that the metric adds to each direction.

Directions that nothing at the base needs are free to be loose, but not so free that others lose their digits.
"""
DATA = 64 * UNIT
"""What an arm's numbers, placements and sines are off, relative to the form they make."""


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
    turns: Array | None
    """The turns of the link's variables at the nodes."""


@dataclass(frozen=True, slots=True, eq=False)
class FormRecursion:
    """A quantity of an arm, ready to be bounded."""

    space: Space
    chain: RigidChain
    steps: tuple[_Step, ...]
    base: Array
    constant: Array
    """What is added to the form at the base: rotors."""

    @staticmethod
    def of(chain: RigidChain, space: Space) -> FormRecursion:
        """For the quantity of a space."""
        steps = []
        everything = tuple(range(len(chain.links)))
        for i, link in enumerate(chain.links):
            more = (i, *link.outer)
            place = space.turned(link.rotation, more) @ space.shifted(link.position, more)
            around = chain.links[link.parent].outer if link.parent >= 0 else everything
            turns = space.turned(rotations(link.axis, turn_nodes(space.degree)), link.outer) if link.turns else None
            steps.append(
                _Step(
                    link, space.joined(link, i) @ place, space.chosen(around, more), space.chosen(link.outer, ()),
                    space.form(link), turns,
                )
            )  # fmt: skip
        base = space.base(chain)
        return FormRecursion(space, chain, tuple(steps), base, np.zeros((base.shape[1],) * 2))


class Bounded(NamedTuple):
    """A form at the base that all forms of each box stay below or above, and what each joint's range adds to it."""

    form: Form
    widths: list[tuple[int, Array]]
    """For each joint that moves: its number, and its width as a form at the base in the middle of the box."""


def in_the_middle(recursion: FormRecursion, middles: Array) -> Array:
    """The form at the base at given joint positions (boxes, joints)."""
    forms = _own_forms(recursion, len(middles))
    root = forms[-1]
    for i in reversed(range(len(recursion.steps))):
        step = recursion.steps[i]
        form = congruent(forms[i], _moved(recursion.space, step.link, middles[:, i]))
        form = congruent(form, step.entry)
        if step.link.parent >= 0:
            forms[step.link.parent] = added(forms[step.link.parent], step.chosen, form)
        else:
            root = added(root, step.chosen, form)
    return congruent(root, recursion.base).matrix + recursion.constant


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
    forms = _own_forms(recursion, len(middles))
    root = forms[-1]
    widths: list[tuple[int, Array]] = []
    for i in reversed(range(len(recursion.steps))):
        step, link = recursion.steps[i], recursion.steps[i].link
        form, metric = forms[i], None
        if halves[:, i].any():
            metric = _metric(variables[i], inverse_budget, halves[:, i], floor)
        if step.turns is not None:
            form = congruent(form, space.turned(rotations(link.axis, middles[:, i]), link.outer))
            if metric is not None:
                form, width = turned_within(form, step.turns, halves[:, i], metric, sign)
                widths.append((i, _seen(width, variables[i])))
        if link.slide:
            form, slope, curve = _shifted(space, link, form, middles[:, i])
            if metric is not None:
                form, width = shifted_within(form, slope, curve, halves[:, i], metric, sign)
                widths.append((i, _seen(width, variables[i])))
        form = congruent(form, step.entry)
        if link.parent >= 0:
            forms[link.parent] = added(forms[link.parent], step.chosen, form)
        else:
            root = added(root, step.chosen, form)
    at_base = congruent(root, recursion.base)
    total = at_base.matrix + recursion.constant
    return Bounded(Form(total, at_base.error + DATA * norm(total)), widths)


def rotations(axis: Array, angles: Array) -> Array:
    """Rotations about an axis, by Rodrigues' formula."""
    along = np.outer(axis, axis)
    c, s = np.cos(angles)[..., None, None], np.sin(angles)[..., None, None]
    return np.asarray(along + c * (np.eye(3) - along) + s * cross(axis))


def _own_forms(recursion: FormRecursion, count: int) -> list[Form]:
    """The form of each link alone, and an empty one for the base, for each box."""
    forms = []
    for step in recursion.steps:
        matrix = np.zeros((count, *(recursion.space.size(step.link.outer),) * 2))
        matrix[:, step.own[:, None], step.own] = step.form
        forms.append(Form(matrix, DATA * norm(matrix)))
    size = recursion.space.size(tuple(range(len(recursion.steps))))
    return [*forms, Form(np.zeros((count, size, size)), np.zeros(count))]


def _moved(space: Space, link: LinkNumbers, x: Array) -> Array:
    """The link's variables of those before its joint moves, at joint positions x."""
    moved = space.shifted(link.axis * (link.slide * x)[:, None], link.outer)
    return space.turned(rotations(link.axis, x), link.outer) @ moved if link.turns else moved


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


def _shifted(space: Space, link: LinkNumbers, form: Form, middle: Array) -> tuple[Form, Array, Array]:
    """A form after its link has slid to the middle, and how it changes from there: by d slope + d^2 curve."""
    here = congruent(form, space.shifted(link.axis * (link.slide * middle)[:, None], link.outer))
    along = space.shifted(link.axis * link.slide, link.outer)
    step = along - np.eye(len(along))
    slope = here.matrix @ step + step.T @ here.matrix
    curve = step.T @ here.matrix @ step
    rounding = 8 * len(along) * UNIT * norm(here.matrix) * (1 + norm(step)) ** 2
    return Form(here.matrix, here.error + rounding), slope, curve
