"""The I-WAY: what messages between its sites take, by the numbers of the machine's file."""

import tomllib
from pathlib import Path

import pytest

PLATFORMS = Path(__file__).parents[2] / "platforms"
PROGRAM = r"""
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  char name[MPI_MAX_PROCESSOR_NAME];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Get_processor_name(name, &argc);
  const int bytes = atoi(argv[1]);
  char* data = calloc(bytes + 1, 1);
  const double start = MPI_Wtime();
  if (rank == 0) MPI_Send(data, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(data, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 1) printf("%s %.6f\n", name, (MPI_Wtime() - start) * 1e3);
  MPI_Finalize();
  return 0;
}
"""
# In ms. A connection takes a round trip before its first message.
WAYS, ENDS = 3, 0.6
# What a window takes besides the round trip: a segment on the link, and in the protocol at the other end.
SEGMENT = 9180 * 8 / 36.7e3 + 9140 / 8e3
WINDOW = 64 * 1024


@pytest.fixture
def took(run_program, tmp_path):
    def run_it(where, count, *settings):
        source = tmp_path / "message.c"
        source.write_text(PROGRAM)
        launcher = ["--map", where, *(word for setting in settings for word in ("--set", setting))]
        done = run_program(source, 2, count, machine="i-way", launcher=launcher)
        assert (done.returncode, done.stderr) == (0, "")
        name, time = done.stdout.split()
        return name, float(time)

    return run_it


@pytest.mark.parametrize(
    ("node", "name", "latency"),
    [(128, "ncsa-challenge", 2), (130, "psc-t3d", 8), (194, "psc-c90", 8.3), (195, "sdsc", 22), (259, "goddard", 11)],
)
def test_an_empty_message_takes_the_way_to_its_site(took, node, name, latency):
    where, time = took(f"0,{node}", 0)
    assert name in where
    assert time == pytest.approx(WAYS * latency + ENDS, abs=0.08)


def test_a_long_message_takes_a_round_trip_for_each_window(took):
    count = 32 * WINDOW
    _, near = took("0,1", count)
    assert near < 100
    _, far = took("0,195", count)
    assert far == pytest.approx(32 * (44 + SEGMENT) + WAYS * 22 + ENDS, rel=0.01)
    _, wide = took("0,195", count, "tcp.buffer_bytes=1024KiB")
    assert wide == pytest.approx(count * 8 / 36.7e3 + WAYS * 22 + ENDS, rel=0.01)


def test_machines_have_message_passing_of_their_own_inside(took):
    for where, name in (("128,128", "ncsa-challenge"), ("131,132", "psc-t3d"), ("0,1", "argonne")):
        on, time = took(where, 0)
        assert name in on
        assert time < 0.5


def test_what_was_measured_on_the_sp_is_what_it_is_there():
    """All numbers that are said to be argonne-sp's."""
    here, there = (tomllib.loads((PLATFORMS / f"{name}.toml").read_text()) for name in ("i-way", "argonne-sp"))
    said = {
        (table, key): entry
        for table, entries in here.items()
        if isinstance(entries, dict)
        for key, entry in entries.items()
        if isinstance(entry, dict) and entry["source"].startswith("as argonne-sp")
    }
    assert len(said) > 20
    for (table, key), entry in said.items():
        other = there[table][key]
        assert (entry["value"], entry.get("unit")) == (other["value"], other.get("unit")), f"{table}.{key}"


def test_the_t3d_is_the_one_that_stands_alone(hindcast, tmp_path):
    """What its nodes and torus have follows t3d's file."""
    text = (PLATFORMS / "t3d.toml").read_text()
    for old, new in (
        ("value = 150,", "value = 160,"),
        ("link_bandwidth = { value = 300", "link_bandwidth = { value = 290"),
    ):
        assert text.count(old) == 1
        text = text.replace(old, new)
    (tmp_path / "t3d.toml").write_text(text)
    shown = [
        hindcast("show", "i-way", env={"HINDCAST_PLATFORMS": folder}).stdout.splitlines()
        for folder in (str(PLATFORMS), str(tmp_path))
    ]
    changed = [" ".join(line.split()[:3]) for line in set(shown[1]) - set(shown[0])]
    assert sorted(changed) == ["network.t3d-torus.link_bandwidth 290 MB/s", "node.t3d.flop_rate 160 Mflop/s"]


def test_experiments_know_what_stands_in_the_other_file(tmp_path, monkeypatch):
    from experiments.machines import free_arithmetic, machine_sha256, machine_tables
    from experiments.uncertainty.parameters import numbers_of

    assert any(setting.startswith("node.t3d.combine_rate=") for setting in free_arithmetic("i-way"))
    numbers = {number.key: number for number in numbers_of("i-way")}
    assert "node.sp.memory_bandwidth" in [one.key for one in numbers["node.sp.copy_bandwidth"].followers]
    before = machine_sha256("i-way")
    (tmp_path / "t3d.toml").write_text((PLATFORMS / "t3d.toml").read_text().replace("value = 150,", "value = 160,"))
    monkeypatch.setenv("HINDCAST_PLATFORMS", str(tmp_path))
    t3d = next(node for node in machine_tables("i-way")["node"] if node["name"] == "t3d")
    assert (t3d["flop_rate"]["value"], t3d["processors"]["value"]) == (160, 1)
    assert machine_sha256("i-way") != before
