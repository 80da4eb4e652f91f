"""Small changes of a written formula, tried and proven, and how they are written."""
