"""Which values are tried: a design is a list of draws, each a place in the range of every parameter.

A Sobol design (arranged after Saltelli) tells shares, bands and the total effect of each parameter; a Latin hypercube
of as many draws tells shares and bands more finely, and no effects. Both are the same for the same seed.

Total effects compare draws of one Sobol sequence with draws of another. SALib takes both from a single sequence of
twice as many dimensions, whose halves are so alike in its first points that of 16 a total effect of 1 may come out as
0.1, and resampling does not notice. So these are two sequences, and the second is in random order.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from experiments.problems import Problem

if TYPE_CHECKING:
    import numpy as np

METHODS = ("sobol", "latin")


@dataclass(frozen=True)
class Design:
    method: str
    names: tuple[str, ...]
    draws: "np.ndarray"  # a row a draw, a column a parameter, from 0 to 1
    seed: int

    def problem(self) -> dict:
        """As SALib has it."""
        return {"num_vars": len(self.names), "names": list(self.names), "bounds": [[0.0, 1.0]] * len(self.names)}

    def independent(self) -> list[int]:
        """The draws that are so of all parameters. The others differ from one of these in one parameter only."""
        if self.method == "latin" or not self.names:
            return list(range(len(self.draws)))
        block = len(self.names) + 2
        return [index for index in range(len(self.draws)) if index % block in (0, block - 1)]


def make_design(method: str, names: list[str], samples: int, seed: int) -> Design:
    """With at most so many draws. Of nothing that could be otherwise there is one."""
    import numpy as np

    if not names:
        return Design(method, (), np.zeros((1, 0)), seed)
    if method == "latin":
        from scipy.stats import qmc

        return Design(method, tuple(names), qmc.LatinHypercube(len(names), rng=seed).random(samples), seed)
    block = len(names) + 2
    if samples < 2 * block:
        raise Problem(
            f"--samples {samples}: the effects of {len(names)} parameters need {2 * block} or more "
            "(or --method latin, which tells none)"
        )
    base = 1 << ((samples // block).bit_length() - 1)
    return Design(method, tuple(names), _arranged(len(names), base, seed), seed)


def _arranged(parameters: int, base: int, seed: int) -> "np.ndarray":
    """Of each pair of points: the first, the first with each coordinate in turn from the second, and the second."""
    import numpy as np
    from scipy.stats import qmc

    random = np.random.default_rng(seed)
    first, second = (qmc.Sobol(parameters, rng=random).random(base) for _ in range(2))
    rows = []
    for one, other in zip(first, random.permutation(second), strict=True):
        mixed = np.where(np.eye(parameters, dtype=bool), other, one)
        rows.append(np.vstack([one, mixed, other]))
    return np.vstack(rows)
