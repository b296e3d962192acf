"""Programs that check their own answers, run on machines with different libraries and in their several modes, ahead of
the clock and in lockstep. The head of each says on how many ranks it runs, and on which machine if not on all."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent
SOURCES = {file.stem: file for file in sorted(FOLDER.glob("*.c"))}


def rank_counts(source):
    line = re.search(r"ranks: ([\d ]+)", source.read_text())
    return [int(n) for n in line[1].split()] if line else []


def machines(source):
    """Those that a program runs on: all unless its head names one."""
    line = re.search(r"machine: ([\w-]+)", source.read_text())
    return {line[1]} if line else {"ideal", "ap1000", "t3e-900", "t3d"}


@dataclass(frozen=True)
class Strategy:
    """A way for a machine's library to go about it: what --set, --coll and other options say, and the programs that
    cannot pass by its nature, with the reason. These are run, and must fail."""

    id: str
    settings: Mapping[str, str] = field(default_factory=dict)
    algorithms: Mapping[str, str] = field(default_factory=dict)
    must_fail: Mapping[str, str] = field(default_factory=dict)
    fails_from: int = 1  # so many ranks; on fewer they pass
    options: Sequence[str] = ()
    ranks_min: int = 1  # not on fewer; programs that name no more are run on so many
    runs_all: bool = False  # all programs among the ordinary tests too, and not only the sample

    def launcher(self):
        of_settings = [word for key, value in self.settings.items() for word in ("--set", f"{key}={value}")]
        of_algorithms = [word for call, name in self.algorithms.items() for word in ("--coll", f"{call}={name}")]
        return [*self.options, *of_settings, *of_algorithms]


# With two contexts, which are the world's, no communicator of several processes can be made.
MAKE_COMMUNICATORS = [
    "across",
    "attributes",
    "callbacks",
    "communicators",
    "completion",
    "error_handlers",
    "graphs",
    "grids",
    "intercommunicators",
    "languages",
    "making_communicators",
    "many_communicators",
    "neighbours",
    "nonblocking_collectives",
    "outstanding",
    "persistent",
    "random_graphs",
    "requests_failing",
]
# Where a message takes as long as it happens to wait for others' turns on the cell.
EXACT_TIMES = {"full_buffers": "wants a message to take to the microsecond what one took before"}
LARGE_TAGS = {
    "attributes": "wants an MPI_TAG_UB of 32767, as MPI demands",
    "environment": "wants an MPI_TAG_UB of 32767, as MPI demands",
    "freed_requests": "has a tag of 999",
}

PROGRESS = ["hardware", "interrupt", "polling"]
EAGER_LIMITS = ["0 B", "100 B", "1 KiB", "1024 KiB"]
STRATEGIES = {
    "ideal": [
        Strategy(f"{progress}-{limit}", {"messages.progress": progress, "messages.eager_limit": limit}, runs_all=True)
        for progress in PROGRESS
        for limit in EAGER_LIMITS
    ],
    "ap1000": [
        Strategy("published", runs_all=True),
        Strategy("line sending", {"cellos.line_sending": "on"}),
        Strategy("fluid", {"network": "fluid"}),
        Strategy(
            "two processes on each cell",
            {"cellos.multitasking": "on"},
            options=["--map", "block:2"],
            must_fail=EXACT_TIMES,
        ),
        Strategy(
            "all processes on one cell",
            {"cellos.multitasking": "on"},
            options=["--map", "cyclic:1"],
            must_fail=EXACT_TIMES,
        ),
        Strategy("striding", {"mpi.nonblocking": "striding"}),
        Strategy("put", {"mpi.synchronous": "put"}),
        Strategy("striding and put", {"mpi.nonblocking": "striding", "mpi.synchronous": "put"}),
        Strategy("small buffers", {"cellos.ring_buffer": "1 MiB", "cellos.send_buffer": "1 MiB"}),
        Strategy(
            "context in the type",
            {"mpi.context": "type"},
            must_fail=dict.fromkeys(MAKE_COMMUNICATORS, "makes a communicator of several processes"),
            fails_from=2,
        ),
        Strategy("context in 8 bits", {"mpi.context": "type", "mpi.context_bits": "8"}, must_fail=LARGE_TAGS),
        Strategy("context packed", {"mpi.context": "packed"}),
        Strategy("context in an extra message", {"mpi.context": "extra message"}),
        Strategy("hosted", {"mpi.host": "yes"}, ranks_min=2),
        Strategy(
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
# What the ordinary tests run of strategies that do not run all, each on the most ranks that it names: matching, modes,
# cancelling, many requests, collectives, communicators of both kinds.
SAMPLE = {
    "wildcards",
    "probes",
    "modes",
    "cancel",
    "outstanding",
    "collectives",
    "across",
    "making_communicators",
    "strided",
}


def marks(strategy, name, ranks):
    is_sampled = name in SAMPLE and ranks == max(rank_counts(SOURCES[name]))
    return [] if strategy.runs_all or is_sampled else [pytest.mark.long]


def rank_counts_of(source, strategy):
    counts = rank_counts(source)
    enough = [ranks for ranks in counts if ranks >= strategy.ranks_min]
    return enough if enough or not counts else [strategy.ranks_min]


CASES = [
    pytest.param(
        name, ranks, machine, strategy, marks=marks(strategy, name, ranks), id=f"{name}-{ranks}-{machine}-{strategy.id}"
    )
    for name, source in SOURCES.items()
    for machine in sorted(machines(source))
    for strategy in STRATEGIES[machine]
    for ranks in rank_counts_of(source, strategy)
]


@pytest.mark.parametrize(("name", "ranks", "machine", "strategy"), CASES)
def test_program_finds_nothing_wrong(name, ranks, machine, strategy, run_program):
    flags = ["-std=c99", "-Wall", "-Wextra", "-Werror"]

    def run(*more):
        return run_program(SOURCES[name], ranks, machine=machine, launcher=[*strategy.launcher(), *more], flags=flags)

    ahead = run()
    if name in strategy.must_fail and ranks >= strategy.fails_from:
        assert ahead.returncode != 0, f"passes, though it cannot: {strategy.must_fail[name]}"
        return
    assert ahead.returncode == 0, ahead.stderr
    assert "ok\n" in ahead.stdout
    assert ahead.stderr == ""
    lockstep = run("--lockstep")
    assert (lockstep.returncode, lockstep.stdout, lockstep.stderr) == (0, ahead.stdout, "")


def test_programs_that_are_named_exist():
    named = SAMPLE.union(*(strategy.must_fail for rows in STRATEGIES.values() for strategy in rows))
    assert named <= set(SOURCES)


RUN_BY_OTHER_TESTS = {"communicators_run_out", "fatal", "foreign_thread", "large_messages", "starts"}


def test_every_program_is_run_here_or_by_another_test():
    assert {name for name in SOURCES if not rank_counts(SOURCES[name])} == RUN_BY_OTHER_TESTS
