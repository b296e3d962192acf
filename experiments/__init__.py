"""Experiments as data: TOML files in the folders here say what to run; these modules read, run and score them."""
