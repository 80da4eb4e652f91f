"""What an arm is, with symbols or numbers, and the mechanism it becomes over one number system."""

from leverarm.model.arm import (
    Arm,
    Place,
    has_friction,
    has_springs,
    quantities,
    with_values,
    without_friction,
    without_springs,
)
from leverarm.model.binding import bind
from leverarm.model.expression import PI, Expression, Quantity, format_quantity, symbol, symbols_of, to_float
from leverarm.model.expression_parser import parse_quantity
from leverarm.model.friction import (
    DRY_LAWS,
    FRICTION_NUMBERS,
    FRICTIONLESS,
    LAWS,
    LOADED_LAWS,
    SHAFT_LAWS,
    UNLOADED_LAWS,
    VISCOUS_LAWS,
    Coefficient,
    Friction,
    FrictionLaw,
    FrictionTerm,
    Sliding,
    shares,
)
from leverarm.model.joint_kinds import JointKind
from leverarm.model.locking import lock
from leverarm.model.mechanism import WORLD, Attachment, Link, Mechanism, RotorTerm, Row, SpringTerm
from leverarm.model.parts import (
    Body,
    Frame,
    Joint,
    Limits,
    MassProperties,
    Motor,
    Placement,
    Spring,
    as_quantity,
)
from leverarm.model.points import with_centre_of_mass, with_point
from leverarm.model.reframing import coordinate_of, reframed
from leverarm.model.regrouping import regrouped
from leverarm.model.renaming import force_letters, rename
from leverarm.model.symbolic import symbolic
from leverarm.model.tree import free_joints
from leverarm.model.valuation import Valuation

__all__ = [
    "DRY_LAWS",
    "FRICTIONLESS",
    "FRICTION_NUMBERS",
    "LAWS",
    "LOADED_LAWS",
    "PI",
    "SHAFT_LAWS",
    "UNLOADED_LAWS",
    "VISCOUS_LAWS",
    "WORLD",
    "Arm",
    "Attachment",
    "Body",
    "Coefficient",
    "Expression",
    "Frame",
    "Friction",
    "FrictionLaw",
    "FrictionTerm",
    "Joint",
    "JointKind",
    "Limits",
    "Link",
    "MassProperties",
    "Mechanism",
    "Motor",
    "Place",
    "Placement",
    "Quantity",
    "RotorTerm",
    "Row",
    "Sliding",
    "Spring",
    "SpringTerm",
    "Valuation",
    "as_quantity",
    "bind",
    "coordinate_of",
    "force_letters",
    "format_quantity",
    "free_joints",
    "has_friction",
    "has_springs",
    "lock",
    "parse_quantity",
    "quantities",
    "reframed",
    "regrouped",
    "rename",
    "shares",
    "symbol",
    "symbolic",
    "symbols_of",
    "to_float",
    "with_centre_of_mass",
    "with_point",
    "with_values",
    "without_friction",
    "without_springs",
]
