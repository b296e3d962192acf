"""Draws figures from results of experiments."""

import logging

logging.getLogger("matplotlib").setLevel(logging.ERROR)  # it tells of caches that it makes, as soon as it is imported
