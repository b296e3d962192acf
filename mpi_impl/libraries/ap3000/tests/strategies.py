"""MPI/AP on the message layer of the AP3000."""

from tests.mpi.strategy import Strategy

OFFERS = ["buffers of a few megabytes", "sends that go on while the program computes", "processes that start others"]
STRATEGIES = {
    "ap3000": [
        Strategy("published", offers=OFFERS, runs_all=True),
        Strategy(
            "directions in turn",
            {"sbus.sharing": "turns"},
            must_fail={
                "first_to_end": "wants an empty message within a millisecond; the SBus, one way after the other, "
                "takes it in when 4 MB have gone out, which is 44 ms"
            },
            offers=OFFERS,
        ),
    ],
}
