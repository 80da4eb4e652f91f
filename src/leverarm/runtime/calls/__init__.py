"""How compiled functions are called: natively for one state or a plain batch, in general for the rest."""
