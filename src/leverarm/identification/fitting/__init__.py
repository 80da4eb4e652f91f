"""Estimation of base parameters, with their covariance."""
