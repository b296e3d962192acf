"""Which share of the draws lies below a band's low end, its middle and its high end."""

QUANTILES = (0.05, 0.5, 0.95)


def quantiles(values: list[float]) -> tuple[float, ...]:
    import numpy as np

    return tuple(float(value) for value in np.quantile(np.array(values), QUANTILES))


def column_of(quantile: float) -> str:
    """Of a table."""
    return f"p{100 * quantile:02.0f}"
