"""Trajectories as files: NPZ, CSV, Parquet, and folders of parts that long runs stream to."""
