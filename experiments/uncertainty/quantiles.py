"""Which share of the draws lies below a band's low end, its middle and its high end, and what so few draws leave open
of these."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

QUANTILES = (0.05, 0.5, 0.95)
RESAMPLES = 200


def quantiles(values: list[float]) -> tuple[float, ...]:
    import numpy as np

    return tuple(float(value) for value in np.quantile(np.array(values), QUANTILES))


def quantile_errors(values: "np.ndarray") -> "np.ndarray":
    """Half the width of the 95 % interval of each quantile, by resampling. Draws are rows; what they tell, columns."""
    import numpy as np

    rows = np.random.default_rng(1).integers(0, len(values), (RESAMPLES, len(values)))
    resampled = np.quantile(values[rows], QUANTILES, axis=1)
    low, high = np.quantile(resampled, (0.025, 0.975), axis=1)
    return (high - low) / 2


def column_of(quantile: float) -> str:
    """Of a table."""
    return f"p{100 * quantile:02.0f}"


def error_column_of(quantile: float) -> str:
    return f"{column_of(quantile)}_error"
