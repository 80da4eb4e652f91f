"""The adaptive Dormand-Prince method."""
