"""The plain library's kinds of progress and its two protocols."""

from tests.mpi.strategy import Strategy

PROGRESS = ["hardware", "interrupt", "polling"]
EAGER_LIMITS = ["0 B", "100 B", "1 KiB", "1024 KiB"]
STRATEGIES = {
    "ideal": [
        Strategy(
            f"{progress}-{limit}",
            {"messages.progress": progress, "messages.eager_limit": limit},
            offers=["long messages", "sends that go on while the program computes"],
            runs_all=True,
        )
        for progress in PROGRESS
        for limit in EAGER_LIMITS
    ],
}
