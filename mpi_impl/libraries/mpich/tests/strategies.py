"""MPICH's device for channels on MPL."""

from tests.mpi.strategy import Strategy

OFFERS = ["long messages", "sends that go on while the program computes"]
BIRTHS = [*OFFERS, "processes that start others"]
COPIED_AT_ONCE = {
    "first_to_end": "wants a send to go on by itself; 4 MB in one message are copied before MPI_Isend returns"
}
SENT_AT_ONCE = {"first_to_end": "wants a send to go on by itself; a request of Nexus has left before MPI_Isend returns"}
STRATEGIES = {
    "argonne-sp": [
        Strategy("published", offers=BIRTHS, runs_all=True),
        Strategy("all in two messages", {"mpi.in_one_max": "0"}, offers=OFFERS),
        Strategy("all in one message", {"mpi.in_one_max": "1 GB"}, must_fail=COPIED_AT_ONCE, offers=OFFERS),
        Strategy("on Nexus", {"mpi.channel": "nexus"}, must_fail=SENT_AT_ONCE, offers=BIRTHS),
        Strategy(
            "on Nexus by MPL alone",
            {"mpi.channel": "nexus", "nexus.methods": "mpl"},
            must_fail=SENT_AT_ONCE,
            offers=OFFERS,
        ),
        Strategy(
            "on threaded Nexus",
            {"mpi.channel": "nexus", "nexus.version": "threaded"},
            must_fail=SENT_AT_ONCE,
            offers=OFFERS,
        ),
        Strategy(
            "across partitions",
            {"mpi.channel": "nexus", "mpl.partition_nodes": "2"},
            must_fail=SENT_AT_ONCE,
            offers=OFFERS,
        ),
    ],
}
