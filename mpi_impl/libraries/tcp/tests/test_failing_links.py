"""Links that fail in mid-run: what is under way is lost, and both sides are told when TCP gives up."""

import re
from pathlib import Path

import pytest

PROGRAM = Path(__file__).parent / "programs" / "failing.c"
MACHINE = Path(__file__).parent / "failing_link.toml"
FAILS, GIVES_UP, LATENCY = 0.05, 3, 0.002
EVERY = 0.01  # a byte is sent so often


@pytest.fixture
def lines(run_on_tcp):
    def run_it(*settings):
        runs = [
            run_on_tcp(PROGRAM, 2, settings=settings, machine=MACHINE, launcher=["--map", "0,4", *more])
            for more in ([], ["--lockstep"])
        ]
        assert [(run.returncode, run.stderr) for run in runs] == [(0, "")] * 2
        assert runs[0].stdout == runs[1].stdout
        return runs[0].stdout

    return run_it


def numbers(pattern, text):
    return [float(number) for number in re.search(pattern, text).groups()]


def test_both_sides_are_told_when_tcp_gives_up(lines):
    output = lines()
    received, result, told = numbers(r"received (\d+), then (-\d) at ([\d.]+)", output)
    sent, broken = numbers(r"sent (\d+), broken at ([\d.]+)", output)
    assert result == -1
    assert received == pytest.approx(FAILS / EVERY, abs=2)
    assert sent > received
    assert FAILS + GIVES_UP < told < FAILS + GIVES_UP + EVERY + 2 * LATENCY
    assert told - 1e-3 < broken < told + EVERY


def test_nobody_answers_who_connects_after_that(lines):
    result, took = numbers(r"connect (-\d) after ([\d.]+)", lines())
    assert result == -1
    assert GIVES_UP < took < GIVES_UP + 2 * LATENCY


def test_how_long_tcp_waits_is_the_machines(lines):
    longer, usual = (numbers(r"then -1 at ([\d.]+)", lines(*settings))[0] for settings in (["tcp.gives_up=5s"], []))
    assert longer - usual == pytest.approx(2, abs=1e-6)


def test_who_sends_before_the_link_fails_is_not_touched(run_on_tcp):
    settings = ["link.between.fails_at=100s"]
    times = PROGRAM.parent / "times.c"
    outputs = [
        run_on_tcp(times, 2, 5000, machine=MACHINE, settings=at, launcher=["--map", "0,4"]).stdout
        for at in (settings, ["link.between.fails_at=90s"])
    ]
    assert outputs[0] == outputs[1]
    assert "connect" in outputs[0]
