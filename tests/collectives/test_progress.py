"""A nonblocking collective of several steps goes on only where the library gets the processor: in calls that make
progress, not while the program computes or makes calls that only look something up."""

from pathlib import Path

import pytest

PROGRAM = Path(__file__).parent / "progress.c"
# Each in three rounds on eight ranks, of which the first is begun by the call itself.
STEPS = ["bcast=binomial", "allreduce=recursive_doubling", "alltoall=bruck"]
MACHINES = [
    ("ideal", []),
    ("ideal", ["--set", "messages.progress=interrupt"]),
    ("ideal", ["--set", "messages.progress=polling"]),
    ("ideal", ["--set", "messages.eager_limit=0 B"]),
    ("ap1000", []),
]
PROGRESS = ["probing", "testing", "messages", "barriers"]
NONE = ["silent", "local"]


def seconds_left(run_program, machine, settings, choice):
    launcher = [*settings, "--coll", f"{choice},barrier=tree"]  # one of messages, on all machines
    done = run_program(PROGRAM, 8, choice.split("=")[0], machine=machine, launcher=launcher)
    assert (done.returncode, done.stderr) == (0, "")
    return {way: float(seconds) for way, seconds in (line.split() for line in done.stdout.splitlines())}


@pytest.mark.parametrize(("machine", "settings"), MACHINES)
@pytest.mark.parametrize("choice", STEPS)
def test_steps_wait_for_calls_that_make_progress(choice, machine, settings, run_program):
    left = seconds_left(run_program, machine, settings, choice)
    for way in NONE:
        assert left[way] > 0.5 * left["nothing"], way
    for way in PROGRESS:
        assert left[way] < 0.1 * left["nothing"], way


def test_one_step_of_messages_goes_on_by_hardware(run_program):
    """All that a linear broadcast needs of the processor is in the call that begins it."""
    left = seconds_left(run_program, "ideal", [], "bcast=linear")
    assert left["silent"] < 0.2 * left["nothing"]  # what ends a receive
