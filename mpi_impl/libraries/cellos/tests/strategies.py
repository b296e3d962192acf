"""MPI on CellOS, as published and in other ways."""

from functools import partial

from tests.mpi.strategy import Strategy

strategy = partial(Strategy, offers=["buffers of a few megabytes", "processes that start others"])

# With two contexts, which are the world's, no communicator of several processes can be made.
MAKE_COMMUNICATORS = [
    "accumulates",
    "across",
    "across_in_order",
    "across_in_progress",
    "arguments_used",
    "attributes",
    "callbacks",
    "calls_of_threads",
    "communicators",
    "completion",
    "conflicts",
    "data_access",
    "epochs",
    "epochs_in_turn",
    "error_handlers",
    "every_operation",
    "families",
    "families_of_threads",
    "file_errors",
    "file_objects",
    "file_views",
    "first_collective_to_end",
    "graphs",
    "grids",
    "groups_asked_for",
    "intercommunicators",
    "languages",
    "making_communicators",
    "many_communicators",
    "multiple",
    "neighbours",
    "nonblocking_collectives",
    "outstanding",
    "own_memory",
    "packing",
    "persistent",
    "persistent_collectives",
    "ports",
    "puts_and_gets",
    "random_graphs",
    "reductions",
    "representations",
    "requests_failing",
    "shapes",
    "sockets",
    "spawn",
    "thread_that_waits",
    "tools",
    "window_errors",
    "window_objects",
    "with_threads",
]
# Who starts others has a communicator with them, on one rank too.
MAKE_THEM_ALONE = ["families", "families_of_threads", "spawn"]
# Where a message takes as long as it happens to wait for others' turns on the cell.
EXACT_TIMES = {"full_buffers": "wants a message to take to the microsecond what one took before"}
LARGE_TAGS = {
    "attributes": "wants an MPI_TAG_UB of 32767, as MPI demands",
    "buffers_used_again": "has a tag of 264",
    "calls_of_threads": "has a tag of 300",
    "environment": "wants an MPI_TAG_UB of 32767, as MPI demands",
    "freed_requests": "has a tag of 999",
}

STRATEGIES = {
    "ap1000": [
        strategy("published", runs_all=True),
        strategy("line sending", {"cellos.line_sending": "on"}),
        strategy("fluid", {"network": "fluid"}),
        strategy(
            "two processes on each cell",
            {"cellos.multitasking": "on"},
            options=["--map", "block:2", "--universe", "40"],
            must_fail=EXACT_TIMES,
        ),
        strategy(
            "all processes on one cell",
            {"cellos.multitasking": "on"},
            options=["--map", "cyclic:1", "--universe", "40"],
            must_fail=EXACT_TIMES,
        ),
        strategy("striding", {"mpi.nonblocking": "striding"}),
        strategy("put", {"mpi.synchronous": "put"}),
        strategy("striding and put", {"mpi.nonblocking": "striding", "mpi.synchronous": "put"}),
        strategy("small buffers", {"cellos.ring_buffer": "1 MiB", "cellos.send_buffer": "1 MiB"}),
        strategy(
            "context in the type",
            {"mpi.context": "type"},
            must_fail=dict.fromkeys(MAKE_COMMUNICATORS, "makes a communicator of several processes"),
            fails_from=2,
            fails_alone=MAKE_THEM_ALONE,
        ),
        strategy("context in 8 bits", {"mpi.context": "type", "mpi.context_bits": "8"}, must_fail=LARGE_TAGS),
        strategy("context packed", {"mpi.context": "packed"}),
        strategy("context in an extra message", {"mpi.context": "extra message"}),
        strategy("hosted", {"mpi.host": "yes"}, ranks_min=2),
        strategy(
            "by the host",
            {
                "mpi.host": "yes",
                "collectives.scatter": "host, broadcast, linear",
                "collectives.gather": "host, linear",
                "collectives.allgather": "host, gather_broadcast, linear",
                "collectives.alltoall": "host, broadcasts, linear",
            },
            ranks_min=2,
        ),
    ],
}
