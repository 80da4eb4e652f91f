"""What a letter or a word of a book is here: D is M, V is c or a twist, "forward dynamics" is qdd.

`books.py` has the list of symbols of each book; `OTHERS` names what is not one of the quantities of the table. A letter
with several meanings is answered with all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches

from leverarm.errors import InputError, require_known
from leverarm.quantities.books import BOOKS, Term
from leverarm.quantities.table import BY_NAME, TABLE, Quantity, find, quantity_named

NEWTON_EULER = ("leverarm derive ARM --route newton-euler", "leverarm eval ARM tau --steps")
DESCRIBED = ("leverarm show ARM",)
RIGID_BODY = ("leverarm theory rigid-body",)
OF_A_FRAME = ("leverarm eval ARM v --frame link1",)

OTHERS: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "equations_of_motion": ("M qdd + c + F + g = tau", "equations of motion",
                            ("leverarm equations ARM", "leverarm derive ARM",
                             "leverarm theory equations-of-motion")),
    "positions": ("q", "joint positions, the generalised coordinates",
                  ("leverarm show ARM", "leverarm eval ARM M --q ...")),
    "velocities": ("qd", "joint velocities", ("leverarm eval ARM c --qd ...",)),
    "free_fall": ("g", "free-fall acceleration", DESCRIBED),
    "mdot_minus_2c": ("Mdot - 2 C", "Mdot - 2 C, which is skew-symmetric",
                      ("leverarm properties ARM", 'leverarm check ARM --text "S = Mdot - 2C"')),
    "coriolis_coefficients": ("2 Gamma_ijk", "coefficients of the products qd_j qd_k in c",
                              ("leverarm equations ARM --what Gamma",)),
    "centrifugal_coefficients": ("Gamma_ijj", "coefficients of the squares qd_j^2 in c",
                                 ("leverarm equations ARM --what Gamma",)),
    "bounds": ("mu1, mu2, ...", "bounds of M, c, g and F over all positions", ("leverarm properties ARM",)),
    "link_inertia": ("I", "inertia tensor of a link, body axes", (*DESCRIBED, "leverarm inertia SHAPE", *RIGID_BODY)),
    "rigid_body": ("", "a rigid body: rotation, kinetic energy, parallel and principal axes", RIGID_BODY),
    "centre_of_mass": ("com", "centre of mass of a link", ("leverarm eval ARM J --frame BODY --at com",
                                                           "leverarm derive ARM")),
    "own_lagrangian": ("", "Lagrange's equations of any system", ("leverarm lagrange L --coordinates ...",
                                                                 "leverarm theory equations-of-motion")),
    "link_mass": ("m", "mass of a link", DESCRIBED),
    "rotor_inertia": ("rotor", "inertia of a motor's rotor", DESCRIBED),
    "gear": ("gear", "gear ratio of a motor", DESCRIBED),
    "dh": ("a, alpha, d, theta", "parameters of a DH table", ("leverarm convert ARM arm.csv",)),
    "angular_velocity": ("omega", "angular velocity of a frame, world axes: the rows wx, wy, wz of v",
                         (*OF_A_FRAME, *RIGID_BODY)),
    "linear_velocity": ("v", "linear velocity of a frame: the rows x, y, z of v", OF_A_FRAME),
    "twist": ("v", "angular and linear velocity of a frame, [w; v]", (*OF_A_FRAME, *NEWTON_EULER)),
    "wrench": ("w", "moment and force on a frame, w = (n, f), which adds J^T w to the torques",
               ("leverarm eval ARM tau --wrench tool=...", "leverarm equations ARM --what JTw")),
    "skew": ("S(w)", "skew-symmetric matrix of a vector, S(w) p = w x p",
             (*RIGID_BODY, r"leverarm check ARM --text '\dot R = S(\omega) R'")),
    "screw_axis": ("S_i, A_i", "screw axes of the joints", (*NEWTON_EULER, "leverarm convert ARM arm.screws.toml")),
    "home": ("M_{i,i-1}", "poses of the links at q = 0", NEWTON_EULER),
    "adjoint": ("Ad, ad", "change of frame of a twist, and its derivative", NEWTON_EULER),
    "exponential": ("exp", "motion of a joint as the exponential of its screw", NEWTON_EULER),
    "spatial_inertia": ("G_i", "spatial inertia of a link", NEWTON_EULER),
    "newton_euler_steps": ("V_i, Vd_i, F_i", "motions of the links and forces between them",
                           ("leverarm eval ARM tau --steps", *NEWTON_EULER)),
    "simulation": ("q(t)", "motion in time", ("leverarm simulate ARM",)),
    "identification": ("phi", "parameters from measured motions", ("leverarm identify ARM LOG",)),
    "analytical_jacobian": ("", "Jacobian of a minimal representation of orientation, not computed: J is geometric",
                            ("leverarm eval ARM J",)),
    "jacobian_inverse": ("J^-1", "inverse of the Jacobian, where it is square", ("leverarm derive ARM",)),
    "manipulability": ("", "manipulability, not computed: J and Lambda are", ("leverarm eval ARM J",)),
    "consistent_inverse": ("", "dynamically consistent inverse of J and its null space, not printed: in the law "
                           "operational-space", ("leverarm simulate ARM --help",)),
}  # fmt: skip
"""What books name and the table has not: how it is written here, what it is, and the commands that show it."""

WORDS = {
    "inertia matrix": ("mass_matrix", "link_inertia"),
    "inertia tensor": ("link_inertia",),
    "manipulator inertia": ("mass_matrix",),
    "joint space inertia matrix": ("mass_matrix",),
    "effective inertia": ("operational_inertia",),
    "effective mass": ("operational_inertia",),
    "coriolis term": ("coriolis_torques",),
    "coriolis force": ("coriolis_torques",),
    "coriolis and centripetal": ("coriolis_torques",),
    "coriolis and centrifugal": ("coriolis_torques",),
    "centripetal": ("coriolis_torques", "centrifugal_coefficients"),
    "centrifugal": ("coriolis_torques", "centrifugal_coefficients"),
    "centripetal force": ("coriolis_torques",),
    "centrifugal force": ("coriolis_torques",),
    "gravity": ("gravity", "free_fall"),
    "gravity term": ("gravity",),
    "gravitational torque": ("gravity",),
    "gravity compensation": ("gravity",),
    "nonlinear effects": ("bias",),
    "bias force": ("bias",),
    "forward dynamics": ("forward_dynamics",),
    "direct dynamics": ("forward_dynamics",),
    "inverse dynamics": ("inverse_dynamics",),
    "generalized force": ("inverse_dynamics",),
    "actuator torque": ("inverse_dynamics",),
    "generalized momentum": ("generalised_momentum",),
    "conjugate momentum": ("generalised_momentum",),
    "parallel axis": ("rigid_body",),
    "parallel axis theorem": ("rigid_body",),
    "steiner": ("rigid_body",),
    "principal axis": ("rigid_body",),
    "könig": ("rigid_body",),
    "rigid body": ("rigid_body",),
    "any system": ("own_lagrangian",),
    "bead on a wire": ("own_lagrangian",),
    "least action": ("own_lagrangian",),
    "momentum": ("generalised_momentum", "momentum"),
    "angular momentum": ("momentum",),
    "linear momentum": ("momentum",),
    "generalized coordinate": ("positions",),
    "configuration": ("positions",),
    "robot equation": ("equations_of_motion",),
    "manipulator equation": ("equations_of_motion",),
    "equation of motion": ("equations_of_motion",),
    "dynamics": ("equations_of_motion",),
    "euler-lagrange equation": ("equations_of_motion", "euler_lagrange"),
    "lagrange equation": ("equations_of_motion", "euler_lagrange"),
    "newton-euler": ("newton_euler_steps",),
    "recursive newton-euler": ("newton_euler_steps", "inverse_dynamics"),
    "total energy": ("hamiltonian",),
    "mechanical energy": ("hamiltonian",),
    "potential": ("potential_energy",),
    "forward kinematics": ("pose",),
    "homogeneous transformation": ("pose",),
    "orientation": ("rotation",),
    "end-effector position": ("position",),
    "end-effector velocity": ("velocity",),
    "linear velocity": ("linear_velocity",),
    "angular velocity": ("angular_velocity",),
    "twist": ("twist",),
    "wrench": ("wrench",),
    "external force": ("wrench",),
    "screw": ("screw_axis",),
    "operational space inertia": ("operational_inertia",),
    "skew-symmetry": ("mdot_minus_2c", "skew"),
    "passivity": ("mdot_minus_2c",),
    "linear in the parameters": ("regressor",),
    "regression matrix": ("regressor",),
    "dynamic parameter": ("parameters",),
    "inertial parameter": ("parameters",),
    "minimal parameter": ("base_parameters",),
    "viscous friction": ("viscous_friction",),
    "coulomb friction": ("dry_friction",),
    "static friction": ("dry_friction",),
    "moment of inertia": ("link_inertia",),
    "product of inertia": ("link_inertia",),
    "center of mass": ("centre_of_mass",),
    "denavit-hartenberg": ("dh",),
    "christoffel symbol": ("christoffel",),
    "disturbance": ("disturbance",),
    "simulation": ("simulation",),
    "identification": ("identification",),
}
"""Words of the field, in the singular."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a letter or word stands for: our letter, what it is, and the commands that show it."""

    key: str
    letter: str
    meaning: str
    commands: tuple[str, ...]

    @property
    def quantity(self) -> Quantity | None:
        return BY_NAME.get(self.key)

    @property
    def noun(self) -> str:
        return re.split("[,:]", self.meaning)[0]


@dataclass(frozen=True, slots=True)
class Use:
    """A meaning, and the books that have it under what was asked for: each with what it writes and how it calls it."""

    meaning: Meaning
    books: tuple[tuple[str, Term], ...]


def meaning_of(key: str) -> Meaning:
    """What a name of the table, or of `OTHERS`, means."""
    quantity = BY_NAME.get(key)
    if quantity is None:
        return Meaning(key, *OTHERS[key])
    commands = [f"leverarm eval ARM {quantity.letter}"] if quantity.is_evaluable else []
    commands += [f"leverarm equations ARM --what {quantity.letter}"] if quantity.closed_form else []
    commands = commands or [f"leverarm compile ARM --quantity {quantity.letter}"]
    return Meaning(key, quantity.letter, quantity.meaning, tuple(commands))


def book_names() -> tuple[str, ...]:
    return tuple(book.name for book in BOOKS)


def uses(given: str, book: str | None = None) -> tuple[Use, ...]:
    """All that a letter or word stands for, in one book or in all: what it is here first, then as most books mean it.

    A letter may be written as in LaTeX (`\\dot M`) or with what it depends on (`D(q)`); of words case, plural and
    spelling (-ize) do not matter. Empty where nobody uses it.
    """
    if book is not None:
        require_known("book", book, book_names())
    symbol, words = _symbol(given), _words(given)
    own = None if book is not None else find(given) or next((q for q in TABLE if _symbol(q.letter) == symbol), None)
    found: dict[str, list[tuple[str, Term]]] = {} if own is None else {own.name: []}
    terms = [(each.name, term) for each in BOOKS for term in each.terms if book in (None, each.name)]
    for key in _COMMON.get(words, ()) if book is None else ():
        found.setdefault(key, [])
    exact = [(name, term) for name, term in terms if symbol == _symbol(term.written)]
    is_exact = "#" in symbol or given.rstrip("$ ").endswith(")")
    alike = exact if is_exact and exact else [(n, term) for n, term in terms if _is_same(symbol, _symbol(term.written))]
    called = [(name, term) for name, term in terms if words in _called(term)]
    counted: dict[str, list[tuple[str, Term]]] = {}
    for name, term in terms:
        if (name, term) in alike or (name, term) in called:
            counted.setdefault(term.key, []).append((name, term))
    for key in sorted(counted, key=lambda key: -len({name for name, _ in counted[key]})):
        found.setdefault(key, []).extend(counted[key])
    if not found:
        found = {key: [] for key in _COMMON.get(words, ()) if key in {term.key for _, term in terms}}
    return tuple(Use(meaning_of(key), tuple(books)) for key, books in found.items())


def containing(given: str, book: str | None = None) -> tuple[Use, ...]:
    """What books call by several words, these among them: Coriolis is part of "matrix of Coriolis coefficients"."""
    asked = set(_words(given).split())
    found: dict[str, list[tuple[str, Term]]] = {}
    for each in BOOKS:
        for term in each.terms if book in (None, each.name) else ():
            if any(asked <= set(words.split()) for words in _called(term)):
                found.setdefault(term.key, []).append((each.name, term))
    return tuple(Use(meaning_of(key), tuple(books)) for key, books in found.items())


def in_books(given: str, among: Iterable[Quantity] = TABLE) -> Quantity:
    """The quantity of that letter or name, else the only one that books mean by it.

    Raises InputError where they mean several, or something that is no such quantity: what each is and what shows it.
    """
    known = tuple(among)
    found = find(given, known)
    if found is not None:
        return found
    dressed = next((quantity for quantity in known if _symbol(quantity.letter) == _symbol(given)), None)
    if dressed is not None:
        return dressed
    meanings = [use.meaning for use in uses(given)]
    if not meanings:
        return quantity_named(given, known)
    only = meanings[0]
    if len(meanings) == 1 and only.quantity in known:
        return only.quantity
    if len(meanings) == 1:
        raise InputError(f"{given!r} ({only.meaning}) is shown by another command: {' or '.join(only.commands)}.")
    choices = " or ".join(f"{each.letter} ({each.noun})" if each.letter else each.noun for each in meanings)
    raise InputError(f"{given!r} stands for {choices} in books. Give our letter, or see: leverarm words '{given}'.")


def nearest(given: str) -> list[str]:
    """Words that look like one that is in no book."""
    known = dict.fromkeys(
        [*WORDS, *(word.strip() for book in BOOKS for t in book.terms for word in t.words.split(";"))]
    )
    return get_close_matches(given.lower(), list(known), n=3, cutoff=0.5)


SMALL, CAPITAL = "α β γ δ ε ζ η θ ι κ λ μ ν ξ π ρ σ τ φ ψ ω", "Γ Δ Θ Λ Ξ Π Σ Φ Ψ Ω"
NAMES = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau phi psi omega"
_GREEK = dict(zip(SMALL.split(), NAMES.split(), strict=True))
_GREEK |= {letter: _GREEK[letter.lower()].capitalize() for letter in CAPITAL.split()} | {"ϑ": "theta", "ϕ": "phi"}
_DOTTED = re.compile(r"\\(d?d)ot\s*\{*\s*(\\[A-Za-z]+|\w)\s*\}*")
_STYLED = re.compile(r"\\(?:(?:math|bold|text|operatorname)\w*|hat|vec|tilde|underline)\s*")


_INDEX = re.compile(r"(?:_|(?<=[A-Za-z])(?=\d))[({]?([ijkln\d](?:,?[ijkln\d](?:-1)?)*)[)}]?$")
"""i, 12, i,i-1: a number that runs."""


def _symbol(text: str) -> str:
    """A letter without its dress: no LaTeX, no argument, dots as d behind it, an index that runs as #."""
    text = "".join(_GREEK.get(sign, sign) for sign in text.strip())
    text = _DOTTED.sub(lambda found: f"{found[2]}{found[1]}", _STYLED.sub("", text))
    text = re.sub(r"\\var|\bvar(?=theta|phi)|[\\\s$]", "", text)
    text = re.sub(r"(?<=[A-Za-z0-9}])\([^()]*\)$", "", text)
    text = _INDEX.sub(lambda found: "#" * len(found[1].replace("-1", "").replace(",", "")), text)
    return re.sub(r"(?<=\w)(d?)dot$", r"\1d", re.sub("[{}_]", "", text)).replace("inv", "^-1")


def _is_same(asked: str, written: str) -> bool:
    """Whether letters are the same; an index may be left out (phi of phi_k), or be given of a whole (M11 of M)."""
    if asked.rstrip("#") != written.rstrip("#"):
        return False
    return asked == written or "#" not in written or (written.count("#") == 1 and "#" not in asked)


def _words(text: str) -> str:
    """Words as they are compared: lower case, no hyphens, the singular, -ise for -ize, centre for center."""
    plain = re.sub(r"[-_/\s]+", " ", text.lower().replace("'s", "")).strip()
    plain = re.sub(r"\b(?:the|a|an)\s", "", plain).replace("center", "centre")
    plain = re.sub(r"(?<=\w)iz(?=e|a|ing)", "is", plain).replace("modelling", "modeling")
    return " ".join(re.sub(r"(?<=[a-z]{3})(?<!s)(?<!ic)s$", "", word) for word in plain.split())


def _called(term: Term) -> set[str]:
    """The words of a book for a symbol: each whole, and what stands before its comma."""
    return {_words(piece) for word in term.words.split(";") for piece in (word, word.partition(",")[0])}


_COMMON = {_words(word): keys for word, keys in WORDS.items()}
