"""leverarm's own format, TOML."""
