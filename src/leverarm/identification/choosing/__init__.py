"""What the data decide: filter, friction, couplings, pull."""
