"""How much of a result's variance each parameter is behind, alone and together with others: Sobol's total effect."""

import math
import warnings
from dataclasses import dataclass

from experiments.uncertainty.design import Design

RESAMPLES = 200


@dataclass(frozen=True)
class Effect:
    result: str  # a claim's or a line's
    parameter: str
    total: float
    error: float  # half the width of its 95 % interval, by resampling


def total_effects(design: Design, results: dict[str, list[float | None]]) -> list[Effect]:
    """`results` has a value for each draw, None where a run failed: what belongs to such a draw is left out. A result
    that does not vary among independent draws has no effects; if it does not in a resample, that does not count."""
    import numpy as np
    from SALib.analyze import sobol

    if design.method != "sobol" or not design.names:
        return []
    block = len(design.names) + 2
    found = []
    for name, values in results.items():
        independent = [values[index] for index in design.independent() if values[index] is not None]
        blocks = [values[at : at + block] for at in range(0, len(values), block)]
        whole = [value for one in blocks if None not in one for value in one]
        if len(whole) < 2 * block or max(independent) == min(independent):
            continue
        with warnings.catch_warnings(action="ignore"):
            analysis = sobol.analyze(
                design.problem(), np.array(whole), calc_second_order=False, num_resamples=RESAMPLES, seed=design.seed
            )
        for parameter, total, error in zip(design.names, analysis["ST"], analysis["ST_conf"], strict=True):
            if math.isfinite(total):
                found.append(Effect(name, parameter, float(total), float(error)))
    return found
