"""The model of the torques: regressor columns, drives, base parameters."""
