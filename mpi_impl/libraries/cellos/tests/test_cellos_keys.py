"""Which keys of the AP1000's file may be missing: those of what is not chosen."""

import pytest

from tests.support.machine_files import check_keys_are_wanted_only_where_chosen

HELLO = """#include <mpi.h>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Finalize();
  return 0;
}
"""
HOST = [
    "host.flop_rate",
    "host.copy_bandwidth",
    "host.memory_bandwidth",
    "host.combine_rate",
    "host.clock_read",
    "host.poll",
    "host.send_overhead",
    "host.receive_overhead",
    "host.line_latency",
    "host.line_bandwidth",
]
WITH_HOST = ["mpi.host=yes"]
WITH_TYPES = ["mpi.context=type"]
WITH_MULTITASKING = ["cellos.multitasking=on"]


@pytest.mark.parametrize(
    ("without", "runs_with", "fails_with", "complaint"),
    [
        *[([key], [], WITH_HOST, f"{key}: this key is missing") for key in HOST],
        (HOST, [], WITH_HOST, "host.flop_rate: this key is missing"),
        (["mpi.context_bits"], [], WITH_TYPES, "mpi.context_bits: this key is missing"),
        (["mpi.domain_stack"], WITH_TYPES, [], "mpi.domain_stack: this key is missing"),
        (["cellos.time_slice"], [], WITH_MULTITASKING, "cellos.time_slice: this key is missing"),
        (["cellos.task_switch"], [], WITH_MULTITASKING, "cellos.task_switch: this key is missing"),
        (["cellos.time_slice", "cellos.task_switch"], [], WITH_MULTITASKING, "cellos.time_slice: this key is missing"),
    ],
)
def test_keys_of_what_is_not_chosen_may_be_missing(
    without, runs_with, fails_with, complaint, machine_without, run_program
):
    machine = machine_without("ap1000", *without)

    def start(settings):
        return run_program(HELLO, 2, machine=machine, launcher=[f"--set={setting}" for setting in settings])

    check_keys_are_wanted_only_where_chosen(start, runs_with, fails_with, complaint)


def test_keys_of_what_is_not_chosen_are_checked_if_they_are_there(machine_without, run_program):
    machine = machine_without("ap1000", "cellos.task_switch")
    machine.write_text(
        machine.read_text().replace('time_slice = { value = 10, unit = "ms"', "time_slice = { value = 10")
    )
    done = run_program(HELLO, 2, machine=machine)
    assert "cellos.time_slice: the unit is missing: a time is in" in done.stderr


@pytest.mark.parametrize(
    ("setting", "complaint"),
    [
        ("cellos.cache=100 KiB", "must be a power of two"),
        ("cellos.cache_line=24 B", "must be a power of two"),
        ("cellos.cache_line=256 KiB", "must be a power of two, and no more than the cache"),
    ],
)
def test_a_cache_whose_places_no_bits_of_an_address_can_tell_is_refused(setting, complaint, run_program):
    done = run_program(HELLO, 2, machine="ap1000", launcher=[f"--set={setting}"])
    assert done.returncode != 0
    assert f"{setting}: {complaint}" in done.stderr
