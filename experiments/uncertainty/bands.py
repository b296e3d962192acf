"""Between which values a figure's lines lie in most draws."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from experiments.uncertainty.quantiles import QUANTILES, column_of

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


def bands(drawn: list[Mapping[Place, Line]]) -> dict[Place, Band]:
    """Of the lines of each draw."""
    import numpy as np

    found = {}
    for place, (x, _) in drawn[0].items():
        low, middle, high = np.quantile(np.stack([lines[place][1] for lines in drawn]), QUANTILES, axis=0)
        found[place] = Band(x, low, middle, high)
    return found


def bands_csv(found: dict[Place, Band], head: list[str]) -> bytes:
    rows = [*head, "panel,line,x," + ",".join(map(column_of, QUANTILES))]
    for (panel, line), band in found.items():
        rows += [
            f'{panel},"{line}",{x:.9g},{low:.9g},{middle:.9g},{high:.9g}'
            for x, low, middle, high in zip(band.x, band.low, band.middle, band.high, strict=True)
        ]
    return ("\n".join(rows) + "\n").encode()
