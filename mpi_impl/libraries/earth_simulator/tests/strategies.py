"""MPI/ES with its buffers in global or in local memory, inside a node and between nodes."""

from tests.mpi.strategy import Strategy

OFFERS = ["long messages", "sends that go on while the program computes"]
QUICK = {"first_to_end": "wants 4 MB to take more than a millisecond; here they take a third of one"}

STRATEGIES = {
    "earth-simulator": [
        Strategy("nodes filled", offers=[*OFFERS, "processes that start others"], must_fail=QUICK, runs_all=True),
        Strategy(
            "two a node",
            {"mpi.default_memory": "LMEM", "mpi.accumulate_by": "origin"},
            options=["--map", "block:2"],
            must_fail=QUICK,
            offers=OFFERS,
        ),
        Strategy(
            "all asking",
            {"mpi.short_max": "0 B", "mpi.buffered_max": "256 B", "mpi.accumulate_by": "origin"},
            options=["--map", "block:2"],
            must_fail=QUICK,
            offers=OFFERS,
        ),
        Strategy(
            "a rank a node",
            {"messages.progress": "hardware", "mpi.accumulate_by": "rcu"},
            options=["--map", "block"],
            must_fail=QUICK,
            offers=OFFERS,
        ),
    ],
}
