"""Programs that check their own answers, run on every kind of progress and with several eager limits, ahead of the
clock and in lockstep. The head of each says on how many ranks it runs."""

import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent
SOURCES = {file.stem: file for file in sorted(FOLDER.glob("*.c"))}


def rank_counts(source):
    line = re.search(r"ranks: ([\d ]+)", source.read_text())
    return [int(n) for n in line[1].split()] if line else []


CASES = [(name, n) for name, source in SOURCES.items() for n in rank_counts(source)]
PROGRESS = ["hardware", "interrupt", "polling"]
EAGER_LIMITS = ["0 B", "100 B", "1 KiB", "1024 KiB"]


@pytest.mark.parametrize("eager_limit", EAGER_LIMITS)
@pytest.mark.parametrize("progress", PROGRESS)
@pytest.mark.parametrize(("name", "ranks"), CASES)
def test_program_finds_nothing_wrong(name, ranks, progress, eager_limit, run_program):
    settings = [f"messages.progress={progress}", f"messages.eager_limit={eager_limit}"]
    finds_nothing_wrong(name, ranks, settings, run_program)


@pytest.mark.parametrize("progress", PROGRESS)
@pytest.mark.parametrize(("name", "ranks"), CASES)
def test_program_finds_nothing_wrong_on_the_fluid_network(name, ranks, progress, run_program):
    settings = ["network=fluid", f"messages.progress={progress}", "messages.eager_limit=1 KiB"]
    finds_nothing_wrong(name, ranks, settings, run_program)


def finds_nothing_wrong(name, ranks, settings, run_program):
    settings = [word for setting in settings for word in ("--set", setting)]
    flags = ["-std=c99", "-Wall", "-Wextra", "-Werror"]
    ahead = run_program(SOURCES[name], ranks, launcher=settings, flags=flags)
    assert ahead.returncode == 0, ahead.stderr
    assert "ok\n" in ahead.stdout
    assert ahead.stderr == ""
    lockstep = run_program(SOURCES[name], ranks, launcher=[*settings, "--lockstep"], flags=flags)
    assert (lockstep.returncode, lockstep.stdout, lockstep.stderr) == (0, ahead.stdout, "")


def test_every_program_is_run_or_is_about_errors():
    assert {name for name in SOURCES if not rank_counts(SOURCES[name])} == {"fatal", "foreign_thread"}
