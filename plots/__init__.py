"""Draws figures from results of experiments."""
