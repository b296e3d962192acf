"""Programs that check their own answers, run on machines with different libraries and in their several modes, ahead of
the clock and in lockstep. The head of each says on how many ranks it runs, and on which machine if not on all."""

import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent
SOURCES = {file.stem: file for file in sorted(FOLDER.glob("*.c"))}


def rank_counts(source):
    line = re.search(r"ranks: ([\d ]+)", source.read_text())
    return [int(n) for n in line[1].split()] if line else []


def machines(source):
    """Those that a program runs on: all unless its head names one."""
    line = re.search(r"machine: (\w+)", source.read_text())
    return {line[1]} if line else {"ideal", "ap1000"}


PROGRESS = ["hardware", "interrupt", "polling"]
EAGER_LIMITS = ["0 B", "100 B", "1 KiB", "1024 KiB"]
SETTINGS = {
    "ideal": [
        {"messages.progress": progress, "messages.eager_limit": limit}
        for progress in PROGRESS
        for limit in EAGER_LIMITS
    ],
    "ap1000": [
        {},
        {"cellos.line_sending": "on"},
        {"network": "fluid"},
        {"cellos.ring_buffer": "1 MiB", "cellos.send_buffer": "1 MiB"},
    ],
}
CASES = [
    pytest.param(name, ranks, machine, settings, id="-".join([name, str(ranks), machine, *settings.values()]))
    for name, source in SOURCES.items()
    for ranks in rank_counts(source)
    for machine in sorted(machines(source))
    for settings in SETTINGS[machine]
]


@pytest.mark.parametrize(("name", "ranks", "machine", "settings"), CASES)
def test_program_finds_nothing_wrong(name, ranks, machine, settings, run_program):
    launcher = [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]
    flags = ["-std=c99", "-Wall", "-Wextra", "-Werror"]
    ahead = run_program(SOURCES[name], ranks, machine=machine, launcher=launcher, flags=flags)
    assert ahead.returncode == 0, ahead.stderr
    assert "ok\n" in ahead.stdout
    assert ahead.stderr == ""
    lockstep = run_program(SOURCES[name], ranks, machine=machine, launcher=[*launcher, "--lockstep"], flags=flags)
    assert (lockstep.returncode, lockstep.stdout, lockstep.stderr) == (0, ahead.stdout, "")


RUN_BY_OTHER_TESTS = {"fatal", "foreign_thread", "large_messages", "starts"}


def test_every_program_is_run_here_or_by_another_test():
    assert {name for name in SOURCES if not rank_counts(SOURCES[name])} == RUN_BY_OTHER_TESTS
