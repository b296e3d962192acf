"""The plain library's kinds of progress, its two protocols, and its methods on machines of several."""

from tests.mpi.strategy import Strategy

PROGRESS = ["hardware", "interrupt", "polling"]
EAGER_LIMITS = ["0 B", "100 B", "1 KiB", "1024 KiB"]
OFFERS = ["long messages", "sends that go on while the program computes"]
WITH_PLACES_LEFT = [*OFFERS, "processes that start others"]  # no map says how many there are
# Rank 0 is at the first site, 1 and 2 on the two nodes of the second, and all others on one node of the third.
SMALL_SITES = {
    "site.east.nodes": "1",
    "network.mesh.dimensions": "1x1",
    "node.smp.processors": "1",
    "site.midland.nodes": "2",
    "node.large.processors": "128",
}
MEMORY_TAKEN = {
    "first_to_end": "wants an empty message within a millisecond; the node's memory, one copy after the other, has the "
    "first half of that of 4 MB to do for 8"
}
STRATEGIES = {
    "ideal": [
        Strategy(
            f"{progress}-{limit}",
            {"messages.progress": progress, "messages.eager_limit": limit},
            offers=WITH_PLACES_LEFT,
            runs_all=True,
        )
        for progress in PROGRESS
        for limit in EAGER_LIMITS
    ],
    "cluster": [
        *(
            Strategy(
                f"{progress}-{sharing}",
                {"messages.progress": progress, "node.smp.memory_sharing": sharing},
                must_fail=MEMORY_TAKEN if sharing == "turns" else {},
                offers=WITH_PLACES_LEFT,
                runs_all=progress == "hardware" and sharing == "fair",
            )
            for progress in PROGRESS
            for sharing in ["fair", "turns"]
        ),
        *(
            Strategy(
                f"{topology}-{placement}",
                {"network.san.topology": topology},
                options=["--map", placement],
                offers=OFFERS,
            )
            for topology in ["crossbar", "fat tree"]
            for placement in ["node", "block:3"]
        ),
        *(
            Strategy(
                f"{progress}-three_on_two",
                {"messages.progress": progress, "node.smp.processors": "2", "node.smp.time_slice": "3 us"},
                options=["--map", "block:3"],
                offers=OFFERS,
            )
            for progress in PROGRESS
        ),
        Strategy(
            "asking",
            {"method.memory.eager_limit": "0 B", "method.network.eager_limit": "100 B"},
            offers=WITH_PLACES_LEFT,
        ),
    ],
    "grid": [
        Strategy(
            progress,
            {"messages.progress": progress, **SMALL_SITES},
            must_fail={"first_to_end": "its messages have to come within milliseconds, and the sites are 10 ms apart"},
            offers=WITH_PLACES_LEFT,
            runs_all=progress == "hardware",
        )
        for progress in PROGRESS
    ],
}
