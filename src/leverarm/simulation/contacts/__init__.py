"""Coulomb friction with true sticking, and joint stops with restitution, over any scalar."""

from leverarm.simulation.contacts.contact_modes import guard, held_accelerations
from leverarm.simulation.contacts.impacts import Jump, swept
from leverarm.simulation.contacts.joints import (
    DIRECTION,
    HELD,
    NO_STOP,
    RESTING,
    Contact,
    Stop,
    contacts_at,
    dry_joints,
    mark_arrays,
    stop_arrays,
    stops_of,
)
