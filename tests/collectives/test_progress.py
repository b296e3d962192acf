"""A nonblocking collective of several steps goes on only where the library gets the processor: in calls that make
progress, not while the program computes or makes calls that only look something up."""

from pathlib import Path

import pytest

PROGRAM = Path(__file__).parent / "progress.c"
WAITED_FOR = Path(__file__).parent / "waited_for.c"
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


@pytest.mark.parametrize("longest", [20, 5000])  # of 20 ints no message asks for leave, of 5,000 most do
@pytest.mark.parametrize(("machine", "ranks"), [("ideal", 7), ("ideal", 16), ("grid", 12)])
def test_it_is_over_at_the_same_picosecond_where_its_ranks_do_not_wake_at_each_round(
    run_program, machine, ranks, longest
):
    for seed in range(1, 7):
        ahead = run_program(WAITED_FOR, ranks, seed, longest, machine=machine)
        lockstep = run_program(WAITED_FOR, ranks, seed, longest, machine=machine, launcher=["--lockstep"])
        assert (ahead.returncode, ahead.stderr) == (0, "")
        assert ahead.stdout.count("\n") == 16 * ranks
        assert ahead.stdout == lockstep.stdout, seed
