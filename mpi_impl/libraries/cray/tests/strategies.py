"""The old library and the new one, and mixtures of both."""

from functools import partial

from tests.mpi.strategy import Strategy

strategy = partial(Strategy, offers=["processes that start others"])

STRATEGIES = {
    "t3d": [
        strategy("old"),
        strategy("old, buffered", {"mpi.buffer_max": "64 KiB"}),
        strategy("old, RAT for all", {"mpi.medium": "RAT", "mpi.longer": "RAT", "mpi.short_max": "0 B"}),
    ],
    "t3e-900": [
        strategy("new", {"mpi.library": "new"}, runs_all=True),
        strategy("old", {"mpi.library": "old"}, runs_all=True),
        strategy("new, buffered", {"mpi.library": "new", "mpi.buffer_max": "64 KiB"}),
        strategy("old, buffered", {"mpi.library": "old", "mpi.buffer_max": "64 KiB"}),
        strategy("new, fluid", {"mpi.library": "new", "network": "fluid", "local_memory.sharing": "apart"}),
        strategy("new, queue of 2", {"mpi.library": "new", "message_queue.slots": "2"}),
        strategy("old, queue of 4", {"mpi.library": "old", "locked_queue.slots": "4", "mpi.medium_max": "96 B"}),
        strategy(
            "new, RAT and barriers by messages",
            {"mpi.medium": "RAT", "mpi.longer": "RAT", "mpi.short_max": "0 B", "mpi.barrier": "messages"},
        ),
        strategy(
            "old, RAT for all",
            {"mpi.library": "old", "mpi.medium": "RAT", "mpi.longer": "RAT", "mpi.short_max": "0 B"},
        ),
        strategy("old, RTA for synchronous sends", {"mpi.library": "old", "mpi.synchronous": "RTA"}),
    ],
}
