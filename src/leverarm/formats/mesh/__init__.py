"""Closed surfaces from STL and OBJ files, and the inertia of what they enclose."""
