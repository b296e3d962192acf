"""Student's distribution: how many standard errors a coefficient may be off, with so much confidence."""

from math import atan, cos, pi, sin, sqrt


def probability_within(t: float, freedom: int) -> float:
    """That a value is no further from 0 than t, for whole degrees of freedom: the finite series in the cosine."""
    angle = atan(t / sqrt(freedom))
    square = cos(angle) ** 2
    is_odd = freedom % 2 == 1
    term = sin(angle) * cos(angle) if is_odd else sin(angle)
    total = 0.0
    for index in range(3 if is_odd else 2, freedom + 1, 2):
        total += term
        term *= square * (index - 1) / index
    return 2 / pi * (angle + total) if is_odd else total


def quantile(confidence: float, freedom: int) -> float:
    """The t within which a value lies with this probability."""
    low, high = 0.0, 1.0
    while probability_within(high, freedom) < confidence:
        high *= 2
    for _ in range(100):  # halves the interval to the last bit
        middle = (low + high) / 2
        low, high = (middle, high) if probability_within(middle, freedom) < confidence else (low, middle)
    return (low + high) / 2
