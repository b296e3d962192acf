"""In which share of the draws a claim holds, and where its value lies."""

import math
from dataclasses import dataclass
from statistics import NormalDist

from experiments.score import Score
from experiments.uncertainty.quantiles import quantile_errors, quantiles

CONFIDENCE = 0.95


@dataclass(frozen=True)
class ClaimShare:
    claim: str
    kind: str
    unit: str
    published: float | str
    share: float
    share_low: float  # what so few draws leave open
    share_high: float
    quantiles: tuple[float, ...] | None  # of what was simulated; a shape has none
    errors: tuple[float, ...] | None  # what so few draws leave open of these


def claim_shares(drawn: list[list[Score]]) -> list[ClaimShare]:
    """Of the scores of each draw, all of the same claims."""
    import numpy as np

    shares = []
    for scores in zip(*drawn, strict=True):
        held = sum(score.holds is True for score in scores)
        low, high = wilson(held, len(scores))
        first = scores[0]
        values = [score.simulated for score in scores if isinstance(score.simulated, float)]
        found = quantiles(values) if values else None
        errors = tuple(quantile_errors(np.array(values)).tolist()) if values else None
        share = held / len(scores)
        shares.append(ClaimShare(first.id, first.kind, first.unit, first.published, share, low, high, found, errors))
    return shares


def wilson(held: int, draws: int) -> tuple[float, float]:
    """The interval of a share in which, of so many draws, it lies with 95 % confidence."""
    z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
    share = held / draws
    middle = share + z * z / (2 * draws)
    spread = z * math.sqrt(share * (1 - share) / draws + z * z / (4 * draws * draws))
    scale = 1 + z * z / draws
    return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)
