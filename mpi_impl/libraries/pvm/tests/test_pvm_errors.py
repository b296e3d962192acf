"""What PVM programs are told of their mistakes, and of what never comes."""

import pytest

from tests.support.machine_files import machines_with_another_library

HEAD = "#include <pvm3.h>\n#include <stdio.h>\n"


@pytest.fixture
def run_task(run_program):
    """A task's body, as the only task."""

    def run_it(body, *, machine="ap3000", launcher=()):
        text = HEAD + f"int main(int argc, char** argv) {{\n  (void)argc, (void)argv;\n{body}\n  return 0;\n}}\n"
        return run_program(text, 1, machine=machine, launcher=launcher)

    return run_it


def test_errors_are_printed_unless_the_task_says_no(run_task):
    done = run_task('pvm_kill(-1); pvm_perror("me"); pvm_setopt(PvmAutoErr, 0); pvm_kill(-1);')
    assert done.returncode == 0
    assert done.stderr == "libpvm [t40001]: pvm_kill(): Bad parameter\nlibpvm [t40001]: me: Bad parameter\n"


def test_an_error_ends_the_task_if_it_says_so(run_task):
    done = run_task('pvm_setopt(PvmAutoErr, 2); pvm_kill(-1); printf("not reached\\n");')
    assert done.returncode == 1
    assert done.stdout == ""


def test_an_error_ends_the_run_if_the_task_says_so(run_task):
    done = run_task("pvm_setopt(PvmAutoErr, 3); pvm_kill(-1);")
    assert done.returncode == 1
    assert "rank 0: pvm_kill: Bad parameter (PvmAutoErr is 3)" in done.stderr


@pytest.mark.parametrize("code", [0, -2, -5, -31, -36])
def test_every_error_has_words(run_task, code):
    assert run_task(f'pvm_errno = {code}; pvm_perror("x");').stderr.strip().split(": ")[2]


TOO_LONG = {
    "pvm_initsend(0); pvm_pkdouble(&item, INT_MAX, 1)": "pvm_pkdouble: the count is 2147483647, of items of 8 bytes; a "
    "message can have 2147483647 bytes at most, so send them in several",
    "pvm_initsend(2); pvm_pkdouble(&item, INT_MAX, 1)": "pvm_pkdouble: the count is 2147483647, of items of 8 bytes",
    "pvm_psend(pvm_mytid(), 1, &item, 1 << 28, PVM_DOUBLE)": "pvm_psend: the count is 268435456, of items of 8 bytes",
    'pvm_joingroup("g"); pvm_gather(&item, &item, INT_MAX, PVM_INT, 1, "g", 0)': "pvm_gather: the count is 2147483647",
    'pvm_joingroup("g"); pvm_reduce(PvmSum, &item, INT_MAX, PVM_INT, 1, "g", 0)': "pvm_reduce: the count is 2147483647",
}


@pytest.mark.parametrize("calls", TOO_LONG)
def test_a_message_of_2_gib_ends_the_run(calls, run_task):
    done = run_task(f"double item = 1; {calls};".replace("INT_MAX", "0x7fffffff"))
    assert done.returncode == 1
    assert done.stderr.startswith(f"hindcast: rank 0: {TOO_LONG[calls]}")
    assert done.stderr.count("\n") == 1


WAITS = {
    "pvm_recv(-1, 5)": "pvm_recv: from any task, tag 5",
    "pvm_recv(pvm_mytid(), -1)": "pvm_recv: from task t40001, any tag",
    'pvm_joingroup("g"); pvm_barrier("g", 2)': "pvm_barrier: for the others of group g",
    'pvm_recvinfo("box", 0, PvmMboxWaitForInfo)': "pvm_recvinfo: for something in mailbox box",
}


@pytest.mark.parametrize("call", WAITS)
def test_who_waits_for_ever_is_named(call, run_task):
    done = run_task(f"{call};")
    assert done.returncode == 1
    call_name, _, what_for = WAITS[call].partition(": ")
    assert f"rank 0: waits in {call_name} {what_for}" in done.stderr


@pytest.mark.parametrize("machine", machines_with_another_library("ap3000"))
def test_other_machines_say_that_they_have_no_pvm(machine, run_task):
    done = run_task("pvm_mytid();", machine=machine)
    assert done.returncode == 1
    assert "rank 0: pvm_mytid: this machine has no PVM" in done.stderr


def test_halt_ends_all_other_tasks(run_program):
    text = (
        HEAD
        + """#include <unistd.h>
int main(int argc, char** argv) {
  int tids[3];
  (void)argc;
  if (pvm_parent() != PvmNoParent) {
    sleep(1000);
    printf("not reached\\n");
    return 0;
  }
  printf("%d tasks\\n", pvm_spawn(argv[0], 0, PvmTaskDefault, 0, 3, tids));
  pvm_halt();
  printf("halted\\n");
  return 0;
}
"""
    )
    done = run_program(text, 1, machine="ap3000")
    assert (done.stdout, done.stderr, done.returncode) == ("3 tasks\nhalted\n", "", 0)


CRASH = (
    HEAD
    + """#include <stdlib.h>
int main(int argc, char** argv) {
  int child, gone;
  char* dies[] = {"dies", 0};
  if (argc > 1) {
    pvm_mytid();
    abort();
  }
  pvm_spawn(argv[0], dies, PvmTaskDefault, 0, 1, &child);
  pvm_notify(PvmTaskExit, 5, 1, &child);
  pvm_recv(-1, 5);
  pvm_upkint(&gone, 1, 1);
  printf("%d\\n", gone == child);
  return 0;
}
"""
)


def test_a_task_that_crashes_ends_alone_and_the_run_tells_of_it(run_program):
    done = run_program(CRASH, 1, machine="ap3000")
    assert (done.stdout, done.returncode) == ("1\n", 128 + 6)
    assert "rank 1 on ap3000-1: Aborted at" in done.stderr
    assert done.stderr.endswith("hindcast: rank 1 exited with status 134\n")


def test_a_run_ends_with_a_task_of_its_beginning_that_crashes(run_program):
    done = run_program(CRASH, 2, "dies", machine="ap3000")
    assert (done.stdout, done.returncode) == ("", 128 + 6)
    assert "rank 0 on ap3000-0: Aborted at" in done.stderr
    assert "rank 1" not in done.stderr


REDUCE = (
    HEAD
    + """#include <stdlib.h>
int main(int argc, char** argv) {
  int tids[16], one = 1, n = atoi(argv[1]);
  (void)argc;
  pvm_setopt(PvmAutoErr, 0);
  if (pvm_parent() == PvmNoParent) pvm_spawn(argv[0], argv + 1, PvmTaskDefault, 0, n - 1, tids);
  const int instance = pvm_joingroup("all");
  pvm_barrier("all", n);
  const int result = pvm_reduce(PvmSum, &one, 1, PVM_INT, 5, "all", 0);
  if (instance == 0) printf("%d %d\\n", result, one);
  pvm_barrier("all", n);
  return 0;
}
"""
)


@pytest.mark.parametrize(
    ("tasks", "settings", "printed"),
    [
        (6, (), "0 6\n"),
        (7, (), "-14 1\n"),
        (7, ("--set", "pvm.reduce_members_max=0"), "0 7\n"),
    ],
)
def test_reductions_of_more_than_six_fail_as_the_machines_did(tasks, settings, printed, run_program):
    done = run_program(REDUCE, 1, tasks, machine="ap3000", launcher=settings)
    assert (done.stdout, done.stderr, done.returncode) == (printed, "", 0)


GATHER = (
    HEAD
    + """int main(int argc, char** argv) {
  int tids[2], all[3] = {0}, own;
  (void)argc;
  const int is_first = pvm_parent() == PvmNoParent;
  if (is_first) pvm_spawn(argv[0], 0, PvmTaskDefault, 0, 2, tids);
  const int instance = own = pvm_joingroup("all");
  pvm_barrier("all", 3);
  pvm_initsend(PvmDataDefault);
  if (is_first) /* goes on only after the others have given their data */
    for (int i = 0; i < 2; ++i) pvm_recv(-1, 6);
  pvm_gather(all, &own, 1, PVM_INT, 5, "all", 0);
  if (!is_first) pvm_send(pvm_parent(), 6);
  pvm_barrier("all", 3);
  if (instance == 0) printf("%d %d %d\\n", all[0], all[1], all[2]);
  return 0;
}
"""
)


@pytest.mark.parametrize("data", ["asked", "sent"])
def test_members_go_on_before_the_root_has_come(run_program, data):
    done = run_program(GATHER, 1, machine="ap3000", launcher=["--set", f"pvm.group_data={data}"])
    assert (done.stdout, done.stderr, done.returncode) == ("0 1 2\n", "", 0)


ENDS_FIRST = (
    HEAD
    + """#include <unistd.h>
int main(int argc, char** argv) {
  int tid, mine = 7, theirs[2][2] = {{0}};
  (void)argc;
  const int is_first = pvm_parent() == PvmNoParent;
  if (is_first) pvm_spawn(argv[0], 0, PvmTaskDefault, 0, 1, &tid);
  pvm_joingroup("left");
  pvm_joingroup("right");
  pvm_barrier("left", 2);
  if (!is_first) {
    for (mine = 1; mine <= 2; ++mine) pvm_gather(0, &mine, 1, PVM_INT, 5, mine == 1 ? "left" : "right", 0);
    mine = 9;
    return 0;
  }
  sleep(1);
  pvm_gather(theirs[1], &mine, 1, PVM_INT, 5, "right", 0);
  if (argv[1] == 0) pvm_gather(theirs[0], &mine, 1, PVM_INT, 5, "left", 0);
  printf("%d %d\\n", theirs[0][1], theirs[1][1]);
  return 0;
}
"""
)


def test_a_member_that_has_ended_keeps_its_data_for_the_root_of_each_group(run_program):
    done = run_program(ENDS_FIRST, 1, machine="ap3000")
    assert (done.stdout, done.stderr, done.returncode) == ("1 2\n", "", 0)


def test_data_that_no_root_asks_for_is_told(run_program):
    done = run_program(ENDS_FIRST, 1, "one", machine="ap3000")
    assert (done.stdout, done.returncode) == ("0 2\n", 1)
    assert "rank 1: waits in exit for the root of a group to ask for the task's data" in done.stderr


BESIDE_MPI = (
    HEAD
    + """#include <mpi.h>
int main(int argc, char** argv) {
  int rank, all[2] = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 1) MPI_Barrier(MPI_COMM_WORLD);
  pvm_joingroup("all");
  if (rank == 0) MPI_Barrier(MPI_COMM_WORLD);
  pvm_barrier("all", 2);
  int own = 5 + rank;
  pvm_gather(all, &own, 1, PVM_INT, 5, "all", 0);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) printf("%d %d\\n", all[0], all[1]);
  MPI_Finalize();
  return 0;
}
"""
)


def test_a_member_that_uses_mpi_waits_for_the_root_as_its_barrier_does_not_look_for_it(run_program):
    done = run_program(BESIDE_MPI, 2, machine="ap3000")
    assert (done.stdout, done.stderr, done.returncode) == ("5 6\n", "", 0)


LONG = (
    HEAD
    + """static char bytes[100000];
int main(int argc, char** argv) {
  int child, count;
  (void)argc;
  if (pvm_parent() == PvmNoParent) {
    pvm_spawn(argv[0], 0, PvmTaskDefault, 0, 1, &child);
    bytes[99999] = 7;
    pvm_psend(child, 1, bytes, 100000, PVM_BYTE);
    pvm_psend(child, 2, bytes, 1, PVM_BYTE);
  } else {
    pvm_precv(pvm_parent(), -1, bytes, 100000, PVM_BYTE, 0, 0, &count);
    printf("%d %d\\n", count, bytes[99999]);
  }
  return 0;
}
"""
)


@pytest.mark.parametrize("room", ["64KiB", "4MiB"])
def test_a_message_that_no_buffer_has_room_for_arrives_too(room, run_program):
    done = run_program(LONG, 1, machine="ap3000", launcher=["--set", f"ap3000.system_buffer={room}"])
    assert (done.stdout, done.stderr, done.returncode) == ("100000 7\n", "", 0)


@pytest.mark.parametrize("setting", ["pvm.fragment_bytes=0", "pvm.fragment_header=0", "pvm.route=sideways"])
def test_a_number_that_cannot_be_is_refused(setting, run_task):
    done = run_task("pvm_mytid();", launcher=["--set", setting])
    assert done.returncode != 0
    assert setting.partition("=")[0] in done.stderr


UNDECLARED = (
    HEAD
    + """#include <sys/time.h>
void pvmsleep(int seconds);
void pvmgetclock(struct timeval* clock);
int lpvmerr(const char* function, int code);
int main(void) {
  struct timeval before, now, after;
  pvm_mytid();
  pvmgetclock(&before);
  pvmsleep(2);
  gettimeofday(&now, 0);
  pvmgetclock(&after);
  printf("%ld s, %d\\n", (long)(after.tv_sec - before.tv_sec), lpvmerr("mine", PvmNoData));
  return now.tv_sec - after.tv_sec;
}
"""
)


def test_functions_that_the_header_does_not_declare(run_program):
    done = run_program(UNDECLARED, 1, machine="ap3000")
    assert (done.stdout, done.returncode) == ("2 s, -5\n", 0)
    assert done.stderr == "libpvm [t40001]: mine(): End of buffer\n"


RING = (
    HEAD
    + """int main(void) {
  int* tids;
  const int own = pvm_mytid(); /* from the first one's on, all are known */
  const int count = pvm_siblings(&tids);
  int me = 0, token = 0;
  while (tids[me] != own) ++me;
  if (me > 0) {
    pvm_precv(tids[me - 1], 4, &token, 1, PVM_INT, 0, 0, 0);
    ++token;
  }
  pvm_psend(tids[(me + 1) % count], 4, &token, 1, PVM_INT);
  if (me > 0) return 0;
  pvm_precv(tids[count - 1], 4, &token, 1, PVM_INT, 0, 0, 0);
  printf("%d of %d, parent %d\\n", token + 1, count, pvm_parent() == PvmNoParent);
  return 0;
}
"""
)


@pytest.mark.parametrize("mode", [[], ["--lockstep"], ["--map", "cyclic:2"]])
def test_tasks_of_the_beginning_are_siblings(run_program, mode):
    done = run_program(RING, 4, machine="ap3000", launcher=mode)
    assert (done.stdout, done.returncode) == ("4 of 4, parent 1\n", 0)
