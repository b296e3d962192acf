"""Experiments say where they are."""

import pytest

from experiments import runner


@pytest.fixture
def clock(monkeypatch):
    """A clock that goes on when it is told to: clock(seconds)."""
    now_s = runner._started_s

    def go_on(seconds):
        nonlocal now_s
        now_s += seconds

    monkeypatch.setattr(runner.time, "monotonic", lambda: now_s)
    monkeypatch.setattr(runner, "_last_line_s", now_s)
    return go_on


def test_in_a_pipe_progress_is_a_line_a_minute_at_most_where_it_is_wanted(clock, capsys, monkeypatch):
    monkeypatch.setenv("HINDCAST_PROGRESS", "lines")
    for title in ("1 of 2: fig3", "2 of 2: fig4"):
        with runner.progress(title) as show:
            for done in range(1, 8):
                clock(10)
                show(done, 7)
    assert capsys.readouterr().err.splitlines() == [
        "hindcast: 1 of 2: fig3: 6 of 7 runs, after 1 min",
        "hindcast: 2 of 2: fig4: 5 of 7 runs, after 2 min",
    ]


def test_of_what_may_take_any_number_of_runs_it_is_told_how_many_there_were(clock, capsys, monkeypatch):
    monkeypatch.setenv("HINDCAST_PROGRESS", "lines")
    with runner.progress("calibrate") as show:
        clock(60)
        show(3, None)
    assert capsys.readouterr().err == "hindcast: calibrate: 3 runs, after 1 min\n"


def test_in_a_pipe_nothing_is_said_unless_it_is_wanted(clock, capsys, monkeypatch):
    monkeypatch.delenv("HINDCAST_PROGRESS", raising=False)
    with runner.progress("fig3") as show:
        clock(600)
        show(1, 7)
    assert capsys.readouterr().err == ""


def test_in_a_pipe_what_is_quick_says_nothing(clock, capsys, monkeypatch):
    monkeypatch.setenv("HINDCAST_PROGRESS", "lines")
    with runner.progress("fig3") as show:
        clock(59)
        show(1, 7)
    assert capsys.readouterr().err == ""
