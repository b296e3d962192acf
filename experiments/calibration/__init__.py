"""Fits a machine's parameters to what was published or measured of it, and says how well each is determined."""
