"""How compiled functions are called: a native fast path for one state or a plain batch, a general path for the rest."""
