"""Standard output that cannot be written: a disk that is full, here a device that always is."""

import subprocess
from pathlib import Path

import pytest

SAYS = """
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  puts("said");
  if (argc > 1) MPI_Abort(MPI_COMM_WORLD, atoi(argv[1]));
  return MPI_Finalize();
}
"""


@pytest.fixture
def into(build):
    """into("/dev/full", "machines"): status and standard error of the launcher, whose output goes there."""

    def start(device, *words):
        with Path(device).open("w") as output:
            done = subprocess.run(
                [build / "bin" / "hindcast", *words], stdout=output, stderr=subprocess.PIPE, text=True, check=False
            )
        return done.returncode, done.stderr

    return start


@pytest.mark.parametrize(
    "words",
    [
        "machines",
        "platform --xml ideal",
        "show ideal",
        "check ideal",
        "check ideal --json",
        "collectives",
        "--version",
        "cc -show",
        "fc --showme:incdirs",
    ],
)
def test_a_command_whose_output_is_lost_has_failed(into, words):
    status, said = into("/dev/full", *words.split())
    assert status == 1
    assert len(said.splitlines()) == 1
    assert said.startswith("hindcast: standard output cannot be written")
    assert into("/dev/null", *words.split()) == (0, "")


def test_so_has_a_run_unless_it_has_another_status(into, compile_program):
    program = compile_program(SAYS)
    lost = "hindcast: standard output cannot be written: No space left on device\n"
    assert into("/dev/full", "run", "-n", "2", program) == (1, lost)
    status, said = into("/dev/full", "run", "-n", "2", program, "3")
    assert status == 3
    assert said.endswith(lost)


@pytest.mark.parametrize("words", ["collectives", "machines"])
def test_a_reader_who_has_had_enough_is_no_failure_of_ours(build, words):
    command = f"{build}/bin/hindcast {words}"
    done = subprocess.run(["sh", "-c", f"{command} | :"], capture_output=True, text=True, check=False)
    assert "standard output" not in done.stderr
    ignoring = ["sh", "-c", f"trap '' PIPE; {command} | :"]
    assert "standard output" not in subprocess.run(ignoring, capture_output=True, text=True, check=False).stderr


@pytest.mark.parametrize("words", ["runn", "show", "explain -m ideal", "run -n 2 -- missing"])
def test_what_is_wrong_is_no_crash_where_it_cannot_be_told(build, words):
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([build / "bin" / "hindcast", *words.split()], stderr=full, check=False)
    assert done.returncode == 1
