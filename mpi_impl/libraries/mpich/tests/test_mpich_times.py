"""MPICH on MPL: its times follow from those of MPL's calls, and its copies from how a message travels."""

import json
from functools import partial

import pytest

# The machine's numbers, in microseconds.
MPICH_SEND, MPICH_RECEIVE, MPICH_HEADER = 10.8665, 10.8665, 24
SEND, SET_UP, POST, RECEIVE, SHORT_MAX = 30.228, 15, 5, 30.228, 224
HEADER, WIRE_BYTE, COPIED_BYTE, SWITCH = 16, 1 / 36, 0.01, 0.5
IN_ONE_MAX = 1536


@pytest.fixture(scope="module")
def mpich_times(runs_on, same_ahead_and_in_lockstep, message_times):
    """mpich_times(bytes, "key=value"): what MPI's calls take."""
    return partial(message_times, same_ahead_and_in_lockstep(runs_on("argonne-sp")))


def sends(count):
    return SEND + (SET_UP if count > SHORT_MAX else 0)


def on_wire(count):
    return (HEADER + count) * WIRE_BYTE


@pytest.mark.parametrize("count", [0, 1, 200, 201, 1000, IN_ONE_MAX])
def test_a_message_in_one_piece_takes_what_is_reckoned_by_hand(mpich_times, count):
    took = mpich_times(count)
    whole = count + MPICH_HEADER
    call = MPICH_SEND + count * COPIED_BYTE + sends(whole)
    leaves = on_wire(whole) if whole > SHORT_MAX else 0
    ends = RECEIVE + count * COPIED_BYTE + MPICH_RECEIVE
    assert took["send"] == pytest.approx(call + leaves, abs=2e-3)
    assert took["received at"] - took["sent at"] == pytest.approx(call + SWITCH + on_wire(whole) + ends, abs=2e-3)
    # It lies in MPL's buffer, out of which MPL copies it.
    from_system = POST + RECEIVE + whole * COPIED_BYTE
    assert took["recv"] == pytest.approx(from_system + count * COPIED_BYTE + MPICH_RECEIVE, abs=2e-3)
    back = SEND + SWITCH + on_wire(MPICH_HEADER) + RECEIVE
    arrives = call + SWITCH + on_wire(whole) + RECEIVE + count * COPIED_BYTE
    assert took["ssend"] == pytest.approx(arrives + back, abs=2e-3)


@pytest.mark.parametrize("count", [IN_ONE_MAX + 1, 10_000, 200_000])
def test_a_message_in_two_takes_what_is_reckoned_by_hand(mpich_times, count):
    took = mpich_times(count)
    call = MPICH_SEND + SEND + SEND + SET_UP
    assert took["send"] == pytest.approx(call + on_wire(count), abs=2e-3)
    ends = RECEIVE + MPICH_RECEIVE
    assert took["received at"] - took["sent at"] == pytest.approx(call + SWITCH + on_wire(count) + ends, abs=2e-3)
    # Both wait in MPL's buffer.
    envelope, data = POST + RECEIVE + MPICH_HEADER * COPIED_BYTE, POST + RECEIVE + count * COPIED_BYTE
    assert took["recv"] == pytest.approx(envelope + data + MPICH_RECEIVE, abs=2e-3)


@pytest.mark.parametrize(
    ("setting", "moved"),
    [
        ("mpl.overhead=80.456us", {"send": 10, "recv": 10}),
        ("mpl.percent_at_sender=0", {"send": -30.228, "recv": 30.228}),
        ("mpi.overhead=25.733us", {"send": 2, "recv": 2}),
        ("mpi.percent_at_sender=100", {"send": 10.8665, "recv": -10.8665}),
        ("mpi.in_one_max=999B", {"send": SEND - (1000 + MPICH_HEADER) * WIRE_BYTE - 10 + 1000 * WIRE_BYTE}),
        ("network.injection_bandwidth=18MB/s", {"send": on_wire(1000 + MPICH_HEADER)}),
    ],
)
def test_a_number_of_the_file_moves_mpi(mpich_times, setting, moved):
    usual, changed = mpich_times(1000), mpich_times(1000, setting)
    for call, by in moved.items():
        assert changed[call] - usual[call] == pytest.approx(by, abs=4e-3), call


SOURCE = """
#include <mpi.h>
#include <stdlib.h>
int main(int argc, char** argv) {
  static char data[100000];
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int bytes = atoi(argv[1]), is_late = atoi(argv[2]);
  MPI_Request request;
  if (rank == 1 && !is_late) MPI_Irecv(data, bytes, MPI_BYTE, 0, 7, MPI_COMM_WORLD, &request);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    MPI_Send(data, bytes, MPI_BYTE, 1, 7, MPI_COMM_WORLD);
    MPI_Send(NULL, 0, MPI_BYTE, 1, 8, MPI_COMM_WORLD);
  } else {
    MPI_Recv(NULL, 0, MPI_BYTE, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (is_late) MPI_Irecv(data, bytes, MPI_BYTE, 0, 7, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
"""


@pytest.mark.parametrize(("count", "late", "copies"), [(1000, 0, 1), (1000, 1, 2), (50_000, 0, 0)])
def test_a_posted_receive_spares_a_copy_and_a_long_message_all(run_program, tmp_path, count, late, copies):
    source, counts = tmp_path / "copies.c", tmp_path / "counts.json"
    source.write_text(SOURCE)
    done = run_program(source, 2, count, late, machine="argonne-sp", launcher=["--count", str(counts)])
    assert (done.returncode, done.stderr) == (0, "")
    steps = [step for step in json.loads(counts.read_text()) if step["rank"] == 1 and step["name"].startswith("copy ")]
    assert sum(step["amount"] for step in steps if "system's buffer" not in step["name"]) == copies * count


def test_ranks_of_two_partitions_are_told(run_program, tmp_path):
    source = tmp_path / "meet.c"
    calls = "MPI_Init(&argc, &argv); MPI_Barrier(MPI_COMM_WORLD); return MPI_Finalize();"
    source.write_text(f"#include <mpi.h>\nint main(int argc, char** argv) {{ {calls} }}\n")
    done = run_program(source, 65, machine="argonne-sp")
    assert done.returncode != 0
    assert "mpi.channel: MPL reaches the nodes of one partition only, and these ranks are in 2" in done.stderr
    assert run_program(source, 65, machine="argonne-sp", launcher=["--set", "mpl.partition_nodes=65"]).returncode == 0
