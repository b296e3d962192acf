"""Between which values a figure's lines lie in most draws."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from experiments.uncertainty.quantiles import QUANTILES, column_of, error_column_of, quantile_errors

if TYPE_CHECKING:
    import numpy as np

Place = tuple[int, str]  # which panel, from 0, and its line's label
Line = tuple["np.ndarray", "np.ndarray"]


@dataclass(frozen=True)
class Band:
    x: "np.ndarray"
    low: "np.ndarray"
    middle: "np.ndarray"
    high: "np.ndarray"
    errors: "np.ndarray"  # of low, middle and high: what so few draws leave open, at each x
    draws: int  # of which it is made

    def open_edges(self) -> float:
        """The most that so few draws leave open of an edge, as a share of that."""
        edges, errors = [*self.low, *self.high], [*self.errors[0], *self.errors[-1]]
        return max((abs(error / edge) for edge, error in zip(edges, errors, strict=True) if edge), default=0.0)


def bands(drawn: list[Mapping[Place, Line]]) -> dict[Place, Band]:
    """Of the lines of each draw."""
    import numpy as np

    found = {}
    for place, (x, _) in drawn[0].items():
        heights = np.stack([lines[place][1] for lines in drawn])
        low, middle, high = np.quantile(heights, QUANTILES, axis=0)
        found[place] = Band(x, low, middle, high, quantile_errors(heights), len(drawn))
    return found


def bands_csv(found: dict[Place, Band], head: list[str]) -> bytes:
    columns = [*map(column_of, QUANTILES), *map(error_column_of, QUANTILES)]
    rows = [*head, ",".join(["panel", "line", "draws", "x", *columns])]
    for (panel, line), band in found.items():
        for at in zip(band.x, band.low, band.middle, band.high, *band.errors, strict=True):
            rows.append(f'{panel},"{line}",{band.draws},' + ",".join(f"{value:.9g}" for value in at))
    return ("\n".join(rows) + "\n").encode()
