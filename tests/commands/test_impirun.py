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
    inside, shared, alone = (f"{own} tcp aal5" for own in ("mpl", "memory", "native"))
    assert entries == [
        f"rank argonne:0 {inside}",
        f"rank argonne:1 {inside}",
        *[f"rank ncsa-challenge:0 {shared}"] * 3,
        f"rank sdsc:0 {alone}",
    ]
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


PARENT = r"""
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm parent, other;
  MPI_Comm_get_parent(&parent);
  int rank, length;
  char name[MPI_MAX_PROCESSOR_NAME];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Get_processor_name(name, &length);
  if (parent == MPI_COMM_NULL)
    MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &other, MPI_ERRCODES_IGNORE);
  else
    other = parent;
  MPI_Barrier(other);
  printf("%s %d on %s\n", parent == MPI_COMM_NULL ? "parent" : "child", rank, name);
  MPI_Finalize();
  return 0;
}
"""


def test_processes_are_started_on_what_is_left_of_the_allocation(impirun, compile_program, tmp_path):
    lines_of(impirun("--allocate", "mine.db", "argonne:2", "ncsa-challenge:1", "sdsc:1"))
    program = compile_program(PARENT)
    places = ["argonne-0", "argonne-1", "ncsa-challenge-0", "sdsc-0"]
    roles = ["parent 0", "parent 1", "child 0", "child 1"]
    said = sorted(lines_of(impirun("mine.db", "-n", 2, program)))
    assert said == sorted(f"{role} on i-way-{place}" for role, place in zip(roles, places, strict=True))
    # What stands there of a place is so for whoever comes to it.
    database = tmp_path / "mine.db"
    database.write_text(database.read_text().replace("sdsc:0 native tcp aal5", "sdsc:0 pigeons"))
    done = impirun("mine.db", "-n", 2, program)
    assert done.returncode == 1
    assert "mine.db:6: 'pigeons' is none of the methods" in done.stderr


@pytest.mark.parametrize(
    ("ranks", "said"),
    [
        ("3", "mine.db allocates 2 ranks, and -n asks for 3"),
        ("0", "-n 0: give a number of ranks, from 1 to 2"),
        ("many", "-n many: give a number of ranks, from 1 to 2"),
    ],
)
def test_more_ranks_than_are_allocated_are_told(impirun, program, ranks, said):
    lines_of(impirun("--allocate", "mine.db", "argonne:2"))
    done = impirun("mine.db", "-n", ranks, program)
    assert (done.returncode, done.stdout) == (1, "")
    assert f"hindcast-impirun: {said}" in done.stderr


def test_a_stale_database_is_told(impirun, program, root, tmp_path):
    machine = tmp_path / "mine.toml"
    shutil.copy(root / "platforms" / "i-way.toml", machine)
    lines_of(impirun("--allocate", "mine.db", "-m", machine, "argonne:2"))
    assert len(lines_of(impirun("mine.db", program))) == 3
    machine.write_text(machine.read_text().replace("value = 22, unit", "value = 23, unit"))
    done = impirun("mine.db", program)
    assert done.returncode == 1
    assert "mine.db:2: stale: the machine of mine.toml is another one" in done.stderr
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


def test_a_database_that_cannot_be_written_is_told(impirun):
    done = impirun("--allocate", "nowhere/mine.db", "argonne:1")
    assert (done.returncode, done.stderr) == (1, "hindcast-impirun: nowhere/mine.db: cannot be written\n")


# What the scheduler says, the machine, two ranks and six links stand before it.
@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("link west sideways", "mine.db:11: 'link west sideways' is no entry"),
        ("rank", "mine.db:11:1: 'rank' is not a node"),
        ("rank argonne:128", "mine.db:11:1: node 128, but site 'argonne' has 128 nodes, counted from 0"),
        ("rank ncsa-challenge:0 mpl", "mine.db:11: contexts on ncsa-challenge:0 have no method 'mpl'"),
        ("rank sdsc:0 pigeons", "mine.db:11: 'pigeons' is none of the methods in nexus.methods, mpl, memory, native"),
    ],
)
def test_a_wrong_entry_is_told(impirun, program, tmp_path, entry, said):
    lines_of(impirun("--allocate", "mine.db", "argonne:2"))
    with (tmp_path / "mine.db").open("a") as database:
        database.write(entry + "\n")
    done = impirun("mine.db", program)
    assert (done.returncode, done.stdout) == (1, "")
    assert said in done.stderr


@pytest.mark.parametrize(
    ("entries", "said"),
    [("# nothing", "mine.db: it names no machine"), ("machine i-way 1", "mine.db: it allocates no rank")],
)
def test_half_a_database_is_told(impirun, program, tmp_path, entries, said):
    (tmp_path / "mine.db").write_text(entries + "\n")
    done = impirun("mine.db", program)
    assert (done.returncode, done.stdout) == (1, "")
    assert f"hindcast-impirun: {said}" in done.stderr


def test_methods_entered_by_hand_are_those_that_messages_go_by(impirun, program, tmp_path):
    lines_of(impirun("--allocate", "mine.db", "argonne:2"))
    by_mpl = barrier_ms(lines_of(impirun("mine.db", program)))
    database = tmp_path / "mine.db"
    database.write_text(database.read_text().replace("argonne:1 mpl", "argonne:1"))
    assert by_mpl < 0.4 < 0.6 < barrier_ms(lines_of(impirun("mine.db", program)))


def test_a_program_begins_when_the_farthest_site_has_answered(impirun, compile_program, tmp_path):
    """Two round trips, a look at the credentials, and the creation of processes."""
    source = tmp_path / "when.c"
    source.write_text(PROGRAM.replace("const double start = MPI_Wtime();", 'printf("%.3f\\n", MPI_Wtime());'))
    source.write_text(source.read_text().replace(" - start", ""))
    program = compile_program(source)
    lines_of(impirun("--allocate", "mine.db", "argonne:1", "ncsa-challenge:1", "sdsc:1"))
    assert [line for line in lines_of(impirun("mine.db", program)) if line[0] == "3" and " " not in line] == [
        "3.088"
    ] * 3
    lines_of(impirun("--allocate", "near.db", "argonne:1", "ncsa-challenge:1"))
    quicker = impirun("near.db", "--set=start.authentication=0.5s", program)
    assert [line for line in lines_of(quicker) if " " not in line] == ["2.508"] * 2


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("start.credentials=missing", "the credentials of whoever starts the program are missing: argonne would not"),
        ("site.sdsc.ipop=down", "the I-POP of sdsc does not answer, and nothing has been started"),
        (
            "site.sdsc.ipop=refuses",
            "the I-POP of sdsc refuses whoever starts the program, and nothing has been",
        ),
        ("site.goddard.ipop=down", ""),  # where nothing has been allocated
    ],
)
def test_a_site_that_does_not_start_the_program_is_told_before_anything_runs(impirun, program, setting, said):
    lines_of(impirun("--allocate", "mine.db", "argonne:1", "sdsc:1"))
    done = impirun("mine.db", f"--set={setting}", program)
    assert (done.returncode, said in done.stderr) == (1 if said else 0, True)
    assert bool(done.stdout) is not bool(said)


def test_a_machine_that_is_started_otherwise_is_told(impirun, tmp_path):
    done = impirun("--allocate", "mine.db", "-m", "grid", "a:1")
    assert done.returncode == 1
    assert "'grid' is not started by resource databases: its file has no machine.resources" in done.stderr
    assert not (tmp_path / "mine.db").exists()


def test_no_database_is_told(impirun, program):
    done = impirun("none.db", program)
    assert done.returncode == 1
    assert "there is no resource database 'none.db'" in done.stderr


def test_it_says_how_it_is_used(impirun):
    assert lines_of(impirun("--help"))[0].startswith("usage: hindcast-impirun")
    assert os.linesep in impirun().stdout
