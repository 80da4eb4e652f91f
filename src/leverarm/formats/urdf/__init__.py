"""URDF, in and out."""
