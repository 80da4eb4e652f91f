"""MJCF, in, through MuJoCo's compiler."""
