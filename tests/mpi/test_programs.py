"""Programs that check their own answers, run on the machines of all libraries in their several modes, ahead of the
clock and in lockstep. The head of each says on how many ranks it runs, and what it needs that not all libraries
offer."""

import re
from pathlib import Path

import pytest

from tests.mpi.strategy import NEEDS, strategies_by_machine

FOLDER = Path(__file__).parent
SOURCES = {file.stem: file for file in sorted(FOLDER.rglob("*.c"), key=lambda file: file.stem)}
STRATEGIES = strategies_by_machine()


def rank_counts(source):
    line = re.search(r"ranks: ([\d ]+)", source.read_text())
    return [int(n) for n in line[1].split()] if line else []


def needs_of(source):
    line = re.search(r"needs: (.+)", source.read_text().partition("*/")[0])
    return line[1].split(", ") if line else []


def can_run(source, strategy):
    return set(needs_of(source)) <= set(strategy.offers)


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
    for machine in sorted(STRATEGIES)
    for strategy in STRATEGIES[machine]
    if can_run(source, strategy)
    for ranks in rank_counts_of(source, strategy)
]


@pytest.mark.parametrize(("name", "ranks", "machine", "strategy"), CASES)
def test_program_finds_nothing_wrong(name, ranks, machine, strategy, run_program):
    flags = ["-std=c99", "-Wall", "-Wextra", "-Werror"]

    def run(*more):
        return run_program(SOURCES[name], ranks, machine=machine, launcher=[*strategy.launcher(), *more], flags=flags)

    ahead = run()
    if name in strategy.must_fail and (ranks >= strategy.fails_from or name in strategy.fails_alone):
        assert ahead.returncode != 0, f"passes, though it cannot: {strategy.must_fail[name]}"
        return
    assert ahead.returncode == 0, ahead.stderr
    assert "ok\n" in ahead.stdout
    assert ahead.stderr == ""
    lockstep = run("--lockstep")
    assert (lockstep.returncode, lockstep.stderr) == (0, "")
    assert lockstep.stdout == ahead.stdout


def test_programs_that_are_named_exist():
    named = SAMPLE.union(*(strategy.must_fail for rows in STRATEGIES.values() for strategy in rows))
    assert named <= set(SOURCES)


def test_what_is_needed_is_offered_and_what_is_offered_is_needed():
    needed = {need for source in SOURCES.values() for need in needs_of(source)}
    offered = {offer for rows in STRATEGIES.values() for strategy in rows for offer in strategy.offers}
    assert needed == offered == NEEDS


def test_every_program_has_a_name_of_its_own():
    assert len(SOURCES) == len(list(FOLDER.rglob("*.c")))


RUN_BY_OTHER_TESTS = {"fatal", "foreign_thread", "large_messages", "starts"}


def test_every_program_is_run_here_or_by_another_test():
    assert {name for name in SOURCES if not rank_counts(SOURCES[name])} == RUN_BY_OTHER_TESTS
