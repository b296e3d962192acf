"""MPICH's device for channels on MPL."""

from tests.mpi.strategy import Strategy

OFFERS = ["long messages", "sends that go on while the program computes"]
STRATEGIES = {
    "argonne-sp": [
        Strategy("published", offers=OFFERS, runs_all=True),
        Strategy("all in two messages", {"mpi.in_one_max": "0"}, offers=OFFERS),
        Strategy("all in one message", {"mpi.in_one_max": "1 GB"}, offers=OFFERS),
    ],
}
