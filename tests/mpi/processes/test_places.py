"""Where processes go that others start, what they are given, and what is said when there is no place for them."""

import re

import pytest

from tests.mpi.strategy import launchers_with_deaths

# Where short messages need no answer of their receiver.
MACHINES = {
    name: options for name, options in launchers_with_deaths().items() if "messages.eager_limit=0 B" not in options
}

CHILD = """
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm parent;
  char host[MPI_MAX_PROCESSOR_NAME], folder[1000];
  int length, rank;
  MPI_Comm_get_parent(&parent);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Get_processor_name(host, &length);
  printf("child %d on %s in %s\\n", rank, host, getcwd(folder, sizeof folder));
  if (parent != MPI_COMM_NULL) MPI_Comm_disconnect(&parent);
  MPI_Finalize();
  return 0;
}
"""
PARENT = """
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rounds = atoi(argv[2]), children = atoi(argv[3]);
  int *universe, flag;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_UNIVERSE_SIZE, &universe, &flag);
  MPI_Info info;
  MPI_Info_create(&info);
  for (int i = 4; i + 1 < argc; i += 2) MPI_Info_set(info, argv[i], argv[i + 1]);
  for (int round = 0; round < rounds; ++round) {
    MPI_Comm comm;
    MPI_Comm_spawn(argv[1], MPI_ARGV_NULL, children, info, 0, MPI_COMM_WORLD, &comm, MPI_ERRCODES_IGNORE);
    MPI_Comm_disconnect(&comm);
  }
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  char line[200] = "";
  FILE* status = fopen("/proc/self/status", "r");
  while (strncmp(line, "VmRSS:", 6) != 0 && fgets(line, sizeof line, status)) {}
  fclose(status);
  if (rank == 0) printf("universe %d, %d rounds, %s", *universe, rounds, line);
  MPI_Finalize();
  return 0;
}
"""


@pytest.fixture(scope="session")
def run_family(compile_program, hindcast):
    """run_family("--universe", "4", rounds=2, children=2, info={"wdir": "/"}): parents that start the child."""
    child, parent = compile_program(CHILD), compile_program(PARENT)

    def run(*options, n=1, rounds=1, children=1, info=None, program=child):
        words = [word for pair in (info or {}).items() for word in pair]
        return hindcast("run", *options, "-n", str(n), parent, program, str(rounds), str(children), *words)

    run.child = child
    return run


def lines(done):
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


def hosts(done):
    """Of the children, in the order of their ranks."""
    return [line.split()[3] for line in sorted(lines(done)) if line.startswith("child")]


def test_they_take_the_places_behind_their_parents(run_family):
    done = run_family("--universe", "5", n=2, children=3)
    assert hosts(done) == ["ideal-2", "ideal-3", "ideal-4"]
    assert lines(done)[-1].startswith("universe 5, 1 rounds")


def test_places_follow_the_map(run_family):
    done = run_family("--universe", "4", "--map", "5,7,2,3", n=2, children=2)
    assert hosts(done) == ["ideal-2", "ideal-3"]
    done = run_family("-m", "cluster", "--universe", "8", "--map", "node", n=2, children=2)
    assert len(set(hosts(done))) == 2


@pytest.mark.parametrize("machine", ["ideal", "t3e-900", "ap1000"])
def test_who_has_gone_leaves_a_place_to_others(machine, run_family):
    # The last children may not have come to their ends.
    done = run_family("-m", machine, "--universe", "5", rounds=6, children=2)
    assert sorted(set(hosts(done))) == [f"{machine}-{node}" for node in range(1, 5)]
    assert len(hosts(done)) == 12


@pytest.mark.parametrize("machine", MACHINES.values(), ids=MACHINES)
def test_the_last_place_is_waited_for_if_who_has_it_has_disconnected(machine, run_family):
    def run(*options):
        done = run_family(*machine, *options, "--universe", "3", rounds=6, children=2)
        assert len(hosts(done)) == 12
        return lines(done)[:-1]

    assert run("--lockstep") == run()


@pytest.mark.parametrize("machine", MACHINES.values(), ids=MACHINES)
def test_soft_waits_for_places_that_come_free_if_there_are_more_processes_with_them(machine, run_family):
    def run(children, soft):
        options = [*machine, "--universe", "4"]
        done = run_family(*options, rounds=4, children=children, info={"soft": soft})
        in_lockstep = run_family(*options, "--lockstep", rounds=4, children=children, info={"soft": soft})
        assert hosts(in_lockstep) == hosts(done)
        return len(hosts(done))

    assert run(2, "1:2") == 8  # there is one place, and the two before them leave theirs
    assert run(7, "2,3,7") == 12  # there is none, and seven will never do


STAYING = """
#include <mpi.h>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm parent, children;
  char port[MPI_MAX_PORT_NAME];
  MPI_Comm_get_parent(&parent);
  if (parent != MPI_COMM_NULL) {
    MPI_Open_port(MPI_INFO_NULL, port);
    MPI_Send(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, 0, parent);
    MPI_Comm_disconnect(&parent);
    MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &children);
    MPI_Comm_disconnect(&children);
    MPI_Finalize();
    return 0;
  }
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &children, MPI_ERRCODES_IGNORE);
  MPI_Recv(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, 0, children, MPI_STATUS_IGNORE);
  MPI_Comm_disconnect(&children);
  if (MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &children, MPI_ERRCODES_IGNORE) ==
      MPI_SUCCESS)
    return 1;
  MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &children);
  MPI_Comm_disconnect(&children);
  MPI_Finalize();
  return 0;
}
"""


@pytest.mark.parametrize("machine", MACHINES.values(), ids=MACHINES)
def test_who_waits_at_a_port_keeps_a_place_that_others_do_not_wait_for(machine, compile_program, hindcast):
    done = hindcast("run", *machine, "--universe", "2", "-n", "1", compile_program(STAYING))
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.no_sanitizer  # which keeps memory that is given back for a while
@pytest.mark.parametrize("machine", ["ideal", "t3e-900", "ap1000"])
def test_what_they_had_in_memory_is_used_again(machine, run_family):
    def memory_kb(rounds):
        done = run_family("-m", machine, "--universe", "17", rounds=rounds, children=8)
        return int(re.search(r"(\d+) kB", lines(done)[-1])[1])

    assert memory_kb(150) - memory_kb(3) < 8_000  # 1,176 more children; each had some 60 KB


def test_there_are_some_places_unless_somebody_says_how_many(run_family):
    assert lines(run_family(n=3, children=19))[-1].startswith("universe 38, 1 rounds")


def test_none_is_left(run_family):
    done = run_family("--universe", "3", n=2, children=2)
    assert done.returncode != 0
    assert "2 processes are asked for, and there are places for 1 more" in done.stderr
    assert "MPI_ERR_SPAWN" in done.stderr and "--universe" in done.stderr


INSISTENT = """
#include <mpi.h>
#include <stdio.h>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm parent, children;
  int tries = 0;
  MPI_Comm_get_parent(&parent);
  if (parent != MPI_COMM_NULL) {
    for (int i = 0; i < 1000; ++i) MPI_Wtime();
    MPI_Comm_free(&parent);
    MPI_Finalize();
    return 0;
  }
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  for (int round = 0; round < 2; ++round) {
    for (tries = 0; MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &children,
                                   MPI_ERRCODES_IGNORE) != MPI_SUCCESS;) ++tries;
    MPI_Comm_free(&children);
  }
  printf("%s\\n", tries > 0 ? "in the end" : "at once");
  MPI_Finalize();
  return 0;
}
"""


def test_who_asks_again_and_again_has_a_place_when_it_is_free(run_program):
    done = run_program(INSISTENT, 1, launcher=["--universe", "2"])
    assert (done.returncode, done.stdout, done.stderr) == (0, "in the end\n", "")


def test_a_program_that_is_not_there(run_family):
    done = run_family(program="/no/such/program")
    assert done.returncode != 0
    assert "/no/such/program: program not found" in done.stderr


def test_info_says_where_it_is_and_where_it_runs(run_family, tmp_path):
    child = run_family.child
    info = {"path": f"/nowhere:{child.parent}", "wdir": str(tmp_path)}
    assert lines(run_family(info=info, program=child.name))[0].endswith(f"in {tmp_path}")


def test_what_soft_means_is_told_of_where_it_cannot_be_read(run_family):
    done = run_family(info={"soft": "1:x"})
    assert "the info key soft is '1:x'" in done.stderr


def test_parents_wait_for_children_that_never_call_mpi_init(compile_program, run_family):
    done = run_family(program=compile_program("#include <mpi.h>\nint main(void) { return MPI_VERSION == 0; }\n"))
    assert done.returncode != 0
    assert "deadlock" in done.stderr and "MPI_Comm_spawn" in done.stderr


LATE_SENDER = """
#include <mpi.h>
#include <string.h>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm parent, children, more;
  int values[4] = {0};
  MPI_Comm_get_parent(&parent);
  if (parent == MPI_COMM_NULL) {
    MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &children, MPI_ERRCODES_IGNORE);
    MPI_Recv(values, 1, MPI_INT, 0, 1, children, MPI_STATUS_IGNORE);
    for (int i = 0; i < 100; ++i) MPI_Wtime();
    MPI_Send(values, 4, MPI_INT, 0, 2, children);
    MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &more, MPI_ERRCODES_IGNORE);
    MPI_Send(values, 4, MPI_INT, 0, 3, children);
    MPI_Recv(values, 1, MPI_INT, 0, 1, more, MPI_STATUS_IGNORE);
  } else {
    MPI_Send(values, 1, MPI_INT, 0, 1, parent);
    MPI_Comm_free(&parent);
  }
  MPI_Finalize();
  return 0;
}
"""


@pytest.mark.parametrize("machine", MACHINES.values(), ids=MACHINES)
def test_what_is_sent_to_who_has_gone_is_lost(machine, compile_program, hindcast):
    options = [*machine, "--universe", 2, "-n", 1]
    program = compile_program(LATE_SENDER)
    done = hindcast("run", *options, program)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert hindcast("run", *options, "--lockstep", program).returncode == 0
