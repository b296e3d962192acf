"""The old library and the new one, and mixtures of both."""

from tests.mpi.strategy import Strategy

STRATEGIES = {
    "t3d": [
        Strategy("old"),
        Strategy("old, buffered", {"mpi.buffer_max": "64 KiB"}),
        Strategy("old, RAT for all", {"mpi.medium": "RAT", "mpi.longer": "RAT", "mpi.short_max": "0 B"}),
    ],
    "t3e-900": [
        Strategy("new", {"mpi.library": "new"}, runs_all=True),
        Strategy("old", {"mpi.library": "old"}, runs_all=True),
        Strategy("new, buffered", {"mpi.library": "new", "mpi.buffer_max": "64 KiB"}),
        Strategy("old, buffered", {"mpi.library": "old", "mpi.buffer_max": "64 KiB"}),
        Strategy("new, fluid", {"mpi.library": "new", "network": "fluid"}),
        Strategy("new, queue of 2", {"mpi.library": "new", "message_queue.slots": "2"}),
        Strategy("old, queue of 4", {"mpi.library": "old", "locked_queue.slots": "4", "mpi.medium_max": "96 B"}),
        Strategy(
            "new, RAT and barriers by messages",
            {"mpi.medium": "RAT", "mpi.longer": "RAT", "mpi.short_max": "0 B", "mpi.barrier": "messages"},
        ),
        Strategy(
            "old, RAT for all",
            {"mpi.library": "old", "mpi.medium": "RAT", "mpi.longer": "RAT", "mpi.short_max": "0 B"},
        ),
        Strategy("old, RTA for synchronous sends", {"mpi.library": "old", "mpi.synchronous": "RTA"}),
    ],
}
