"""What holds for every rigid body and every arm, derived and proven."""
