"""Results as documents: what was identified, a payload, drive gains, an exciting motion."""
