"""hindcast-impirun: a scheduler that writes resource databases, and a command that starts programs by them."""

import os
import shutil

import pytest

PROGRAM = r"""
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size, length;
  char name[MPI_MAX_PROCESSOR_NAME];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Get_processor_name(name, &length);
  const double start = MPI_Wtime();
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) printf("%d ranks, barrier %s %.3f\n", size, argc > 1 ? argv[1] : "", (MPI_Wtime() - start) * 1e3);
  printf("%d on %s\n", rank, name);
  MPI_Finalize();
  return 0;
}
"""


@pytest.fixture
def impirun(run_command, build, tmp_path):
    def run_it(*words):
        return run_command([str(build / "bin" / "hindcast-impirun"), *map(str, words)], cwd=tmp_path)

    return run_it


@pytest.fixture
def program(compile_program, tmp_path):
    source = tmp_path / "where.c"
    source.write_text(PROGRAM)
    return compile_program(source)


def lines_of(done):
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


def barrier_ms(lines):
    return next(float(line.split()[-1]) for line in lines if "barrier" in line)


def test_a_program_runs_where_the_scheduler_says(impirun, program, tmp_path):
    assert lines_of(impirun("--allocate", "mine.db", "argonne:2", "ncsa-challenge:3", "sdsc:1")) == []
    entries = [line for line in (tmp_path / "mine.db").read_text().splitlines() if line.startswith("rank")]
    assert entries == ["rank argonne:0", "rank argonne:1", *["rank ncsa-challenge:0"] * 3, "rank sdsc:0"]
    lines = lines_of(impirun("mine.db", program, "word"))
    assert any(line.startswith("6 ranks, barrier word") for line in lines)
    places = sorted(line for line in lines if " on " in line)
    assert [place.split(" on ")[1].rpartition("-")[0].removeprefix("i-way-") for place in places] == [
        "argonne",
        "argonne",
        *["ncsa-challenge"] * 3,
        "sdsc",
    ]


def test_the_interface_follows_from_the_status_entered_by_hand(impirun, program, tmp_path):
    lines_of(impirun("--allocate", "mine.db", "argonne:1", "sdsc:1"))
    by_atm = barrier_ms(lines_of(impirun("mine.db", program)))
    database = tmp_path / "mine.db"
    database.write_text(database.read_text().replace("link west up", "link west down"))
    by_internet = barrier_ms(lines_of(impirun("mine.db", program)))
    # A round trip for the connection, and the message's way.
    assert 66 < by_atm < 68
    assert 120 < by_internet < 122


def test_options_of_run_may_come_before_the_program(impirun, program):
    lines_of(impirun("--allocate", "mine.db", "argonne:1", "sdsc:1"))
    assert barrier_ms(lines_of(impirun("mine.db", "--set=link.west.latency=30ms", program))) > 30


def test_a_stale_database_is_told(impirun, program, root, tmp_path):
    machine = tmp_path / "mine.toml"
    shutil.copy(root / "platforms" / "i-way.toml", machine)
    lines_of(impirun("--allocate", "mine.db", "-m", machine, "argonne:2"))
    assert len(lines_of(impirun("mine.db", program))) == 3
    machine.write_text(machine.read_text().replace("value = 22, unit", "value = 23, unit"))
    done = impirun("mine.db", program)
    assert done.returncode == 1
    assert "hindcast-impirun: mine.db is stale: the machine" in done.stderr
    assert "allocate again" in done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["sheffield:2"], "'sheffield' is not a site of i-way; it has argonne ncsa-challenge"),
        (["goddard:9"], "goddard has 1 nodes of 8 processors, and no room for 9 ranks"),
        (["argonne"], "'argonne': give SITE:RANKS, such as argonne:8"),
        (["argonne:0"], "'argonne:0': give SITE:RANKS, such as argonne:8"),
        ([], "--allocate needs SITE:RANKS, such as argonne:8"),
    ],
)
def test_what_cannot_be_allocated_is_told(impirun, tmp_path, words, said):
    done = impirun("--allocate", "mine.db", *words)
    assert done.returncode == 1
    assert f"hindcast-impirun: {said}" in done.stderr
    assert not (tmp_path / "mine.db").exists()


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("link west sideways", "mine.db:1: 'link west sideways' is no entry"),
        ("rank", "mine.db:1: 'rank ' is no entry"),
        ("# nothing", "mine.db: it names no machine"),
    ],
)
def test_a_wrong_database_is_told(impirun, program, tmp_path, entry, said):
    (tmp_path / "mine.db").write_text(entry + "\n")
    done = impirun("mine.db", program)
    assert done.returncode == 1
    assert said in done.stderr


def test_no_database_is_told(impirun, program):
    done = impirun("none.db", program)
    assert done.returncode == 1
    assert "there is no resource database 'none.db'" in done.stderr


def test_it_says_how_it_is_used(impirun):
    assert lines_of(impirun("--help"))[0].startswith("usage: hindcast-impirun")
    assert os.linesep in impirun().stdout
