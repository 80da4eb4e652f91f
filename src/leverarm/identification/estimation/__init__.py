"""Numbers from a linear model: arrays in, arrays out; nothing here knows of logs."""
