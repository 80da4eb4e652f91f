"""Symplectic methods: Gauss collocation."""
