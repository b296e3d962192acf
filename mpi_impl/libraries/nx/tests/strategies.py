"""MPI on NX, on both networks."""

import os
from pathlib import Path

from tests.mpi.strategy import Strategy

# As short as it can be: it is in the names of tests.
EXAMPLE = os.path.relpath(Path(__file__).parents[1] / "example.toml")
OFFERS = ["long messages", "sends that go on while the program computes", "processes that start others"]
STRATEGIES = {
    EXAMPLE: [
        Strategy("wormhole", offers=OFFERS, runs_all=True),
        Strategy("fluid", {"network": "fluid"}, offers=OFFERS),
    ],
}
