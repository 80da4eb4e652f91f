"""What torques are modelled by: columns, drives, base parameters."""
