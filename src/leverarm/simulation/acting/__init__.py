"""What acts on the arm."""
