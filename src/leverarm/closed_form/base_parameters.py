"""The base (minimal) inertial parameters of an arm: the fewest combinations that its equations of motion depend on.

Two sets of parameters give the same equations of motion exactly when they give the same kinetic energy and the same
weights and friction. These are linear in the parameters, so the base parameters follow from the linear dependence of
functions (Gautier and Khalil 1990, here without their case distinctions).

Some of it is known beforehand: an inertia J that the joint's motion leaves unchanged (the same body at every angle)
and that has no momentum in it (J S = 0) can be counted to the link that carries it (Mayeda, Yoshida and Osuka 1990).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from leverarm import mechanics as me
from leverarm.closed_form.arm_letters import ExactArm, speed
from leverarm.closed_form.dependence import Row, dependence, simplest, substituted
from leverarm.errors import InputError, unknown_name
from leverarm.mechanics.kinematics import still
from leverarm.mechanics.regressor import INERTIAL_NAMES, KINDS
from leverarm.model import LAWS, WORLD, Link, Mechanism
from leverarm.scalars import Scalar, half, is_zero
from leverarm.scalars.exact import Application, Polynomial, Quotient, element, is_exactly_zero, letter
from leverarm.spatial import NO_INERTIA, NO_SYMMETRIC3, ORIGIN, Inertia, Symmetric3

COUNT = len(INERTIAL_NAMES)
SECOND_MOMENTS = INERTIAL_NAMES[4:]


def moved_inward(arm: Mechanism) -> dict[int, Row]:
    """Columns of the inertial regressor as sums of others that belong to links nearer to the base. Ring."""
    known: dict[int, Row] = {}
    for i, link in enumerate(arm.links):
        for name, shared in _shared(link):
            seen = shared.into_parent(link.placement) if link.parent != WORLD else NO_INERTIA
            row = {COUNT * link.parent + k: x for k, x in enumerate(seen.numbers()) if not is_exactly_zero(x)}
            row |= {COUNT * i + k: -x for k, x in enumerate(shared.numbers()) if not is_exactly_zero(x)}
            moved = COUNT * i + INERTIAL_NAMES.index(name)
            scale = -1 / simplest(row.pop(moved))
            known[moved] = substituted({j: x * scale for j, x in row.items()}, known)
    return known


def _shared(link: Link) -> Iterator[tuple[str, Inertia]]:
    """The inertias that link and carrier share, each with the number that is given up for it.

    On a revolute joint along z: m, hz and Ixx + Iyy, for which Iyy is given up. On a prismatic joint all second
    moments, because the links turn together. On a screw only Ixx + Iyy, because the others advance with it.
    """
    if not link.turns:
        for k, name in enumerate(SECOND_MOMENTS, COUNT - len(SECOND_MOMENTS)):
            yield name, Inertia.from_numbers(*(int(k == p) for p in range(COUNT)))
        return
    a = link.axis
    squares = [simplest(x * x) for x in a]
    along = max(range(3), key=lambda k: squares[k] if isinstance(squares[k], Fraction) else 0)
    if is_zero(link.slide):
        yield "m", Inertia(1, ORIGIN, NO_SYMMETRIC3)
        if isinstance(squares[along], Fraction) and squares[along]:
            yield f"h{'xyz'[along]}", Inertia(0, a * list(a)[along], NO_SYMMETRIC3)
    if all(isinstance(square, Fraction) for square in squares):
        across = "xyz"[along - 1]
        plane = Symmetric3(1 - squares[0], -(a.x * a.y), 1 - squares[1], -(a.x * a.z), -(a.y * a.z), 1 - squares[2])
        yield f"I{across}{across}", Inertia(0, ORIGIN, plane)


@dataclass(frozen=True, slots=True)
class BaseParameter:
    """A combination of parameters that the equations see as one, named after its first, whose coefficient is 1."""

    name: str
    regrouping: tuple[tuple[Scalar, str], ...]
    """(coefficient, parameter) pairs; the coefficients are exact, in the arm's lengths and angles."""


@dataclass(frozen=True, slots=True)
class BaseParameters:
    """The base parameters of an arm, for all but special values of its symbols."""

    entries: tuple[BaseParameter, ...]
    unidentifiable: tuple[str, ...]
    """The parameters that have no effect at all."""
    columns: tuple[int, ...]
    """Where the base parameters' columns stand in the regressor of `kinds`."""
    kinds: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(entry.name for entry in self.entries)

    def __len__(self) -> int:
        return len(self.entries)


def base_parameters(exact: ExactArm, kinds: Sequence[str] = ("inertial",)) -> BaseParameters:
    """The base parameters among the parameters of these kinds (those of the regressor), with their regrouping.

    Of each link on a revolute joint along z the mass, hz and Iyy are moved into the links that carry it, where they
    can be (Khalil's choice); for other axes accordingly. Proven for the arm: W phi = W_base phi_base identically.
    """
    for kind in kinds:
        if kind not in KINDS:
            raise InputError(unknown_name("kind of parameter", kind, KINDS))
    arm = exact.mechanism
    names = [entry.name for entry in me.parameters(arm, kinds)]
    columns = [column for kind in kinds for column in FUNCTIONS[kind](exact, kind)]
    if any(isinstance(x, Quotient) for column in columns for x in column):
        raise InputError(
            f"arm {exact.arm.name!r}: a number is a quotient of symbols; base parameters are found for polynomials. "
            "Give the quotient a name of its own."
        )
    known = _known(exact, kinds)
    found = dependence(exact.ring, columns, _moving(exact, columns), _order(exact, kinds), known)
    in_place = sorted(zip(found.independent, found.rows, strict=True))
    return BaseParameters(
        entries=tuple(
            BaseParameter(names[i], tuple((row[j], names[j]) for j in sorted(row, key=lambda j: (j != i, j))))
            for i, row in in_place
        ),
        unidentifiable=tuple(name for name, x in zip(names, columns, strict=True) if all(map(is_exactly_zero, x))),
        columns=tuple(i for i, _ in in_place),
        kinds=tuple(kinds),
    )


def base_values(base: BaseParameters, values: Mapping[str, Scalar]) -> list[Scalar]:
    """phi_base: the number of each base parameter, given those of the parameters. Ring."""
    return [sum((c * values[name] for c, name in entry.regrouping), start=0) for entry in base.entries]


def base_regressor(
    base: BaseParameters, arm: Mechanism, q: Sequence[Scalar], qd: Sequence[Scalar], qdd: Sequence[Scalar]
) -> list[list[Scalar]]:
    """W_base(q, qd, qdd), with W_base phi_base = W phi: some of the columns of the regressor. Ring."""
    return [[row[j] for j in base.columns] for row in me.regressor(arm, q, qd, qdd, base.kinds)]


def _inertial(exact: ExactArm, kind: str) -> Iterator[list[Scalar]]:
    arm = exact.mechanism
    energies = me.kinetic_energy_regressor(arm, exact.q, exact.qd)
    weights = KINDS[kind].columns(arm, (exact.q, still(arm), still(arm)))
    return ([energy, *weight] for energy, weight in zip(energies, weights, strict=True))


def _rotor(exact: ExactArm, kind: str) -> Iterator[list[Scalar]]:
    """Half the speed times the momentum, which is the force at an acceleration equal to the speed."""
    momenta = KINDS[kind].columns(exact.mechanism, (exact.q, exact.qd, exact.qd))
    for momentum in momenta:
        yield [half(sum((v * p for v, p in zip(exact.qd, momentum, strict=True)), start=0)), *still(exact.mechanism)]


def _applied(exact: ExactArm, kind: str) -> Iterator[list[Scalar]]:
    forces = KINDS[kind].columns(exact.mechanism, (exact.q, exact.qd, still(exact.mechanism)))
    return ([0, *(_while_moving(x) for x in force)] for force in forces)


FUNCTIONS = {"inertial": _inertial, "rotor": _rotor, **dict.fromkeys(("spring", *(law.name for law in LAWS)), _applied)}
"""Per kind of parameter, of each at unit size: its kinetic energy, and its forces apart from those of inertia."""


def _while_moving(x: Scalar) -> Scalar:
    """A force of friction at speeds that are not zero, where sgn^2 = 1."""
    if isinstance(x, Polynomial):
        for sign in x.generators():
            if isinstance(sign, Application) and sign.function == "sgn":
                s = letter(x.ring, sign.name).p
                x = element(x.ring, x.p % (s * s - 1), x.curbed)
    return x


def _moving(exact: ExactArm, columns: Sequence[Sequence[Scalar]]) -> set[str]:
    """The letters that change as the arm moves."""
    changing = {letter for name in exact.coordinates for letter in (name, f"cos({name})", f"sin({name})", speed(name))}
    rings = {id(x.ring): x.ring for column in columns for x in column if isinstance(x, Polynomial)}
    functions = {g.name for ring in rings.values() for g in ring.generators if isinstance(g, Application)}
    return changing | functions


def _known(exact: ExactArm, kinds: Sequence[str]) -> dict[int, Row]:
    """The columns that are moved inward, numbered among those of these kinds."""
    if "inertial" not in kinds:
        return {}
    before = sum(len(KINDS[kind].parameters(exact.mechanism)) for kind in kinds[: kinds.index("inertial")])
    moved = moved_inward(exact.mechanism)
    return {before + j: {before + k: x for k, x in row.items()} for j, row in moved.items()}


def _order(exact: ExactArm, kinds: Sequence[str]) -> list[int]:
    """Columns in the order in which they are kept, so that coefficients have no denominators where that is possible.

    Constant forces, the links' numbers from the base outwards with the masses last, then rotors and friction: a mass is
    counted to the moments of its link, and a rotor too, where they are seen as one.
    """
    ranks = []
    for kind in kinds:
        for parameter in KINDS[kind].parameters(exact.mechanism):
            is_mass = kind == "inertial" and parameter.name.endswith(".m")
            ranks.append(2 if is_mass else {"offset": 0, "inertial": 1}.get(kind, 3))
    return sorted(range(len(ranks)), key=ranks.__getitem__)
