"""MPICH's device for channels on MPL."""

from tests.mpi.strategy import Strategy

OFFERS = ["long messages", "sends that go on while the program computes"]
BIRTHS = [*OFFERS, "processes that start others"]
STRATEGIES = {
    "argonne-sp": [
        Strategy("published", offers=BIRTHS, runs_all=True),
        Strategy("all in two messages", {"mpi.in_one_max": "0"}, offers=OFFERS),
        Strategy("all in one message", {"mpi.in_one_max": "1 GB"}, offers=OFFERS),
        Strategy("on Nexus", {"mpi.channel": "nexus"}, offers=BIRTHS),
        Strategy("on Nexus by MPL alone", {"mpi.channel": "nexus", "nexus.methods": "mpl"}, offers=OFFERS),
        Strategy("on threaded Nexus", {"mpi.channel": "nexus", "nexus.version": "threaded"}, offers=OFFERS),
        Strategy("across partitions", {"mpi.channel": "nexus", "mpl.partition_nodes": "2"}, offers=OFFERS),
    ],
}
