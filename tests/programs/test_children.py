"""Other programs that a rank starts on this computer, and the calls that would copy or replace all ranks."""

import pytest

STARTING = """
#include <mpi.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
extern char** environ;
static void say(const char* text) { puts(text); fflush(stdout); }
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  say("one");
  system("echo two");
  say("three");
  FILE* const child = popen("cat", "w");
  fputs("four\\n", child);
  pclose(child);
  say("five");
  char* words[] = {"echo", "six", NULL};
  pid_t spawned;
  if (posix_spawnp(&spawned, "echo", NULL, NULL, words, environ) == 0) waitpid(spawned, NULL, 0);
  say("seven");
  words[1] = "eight";
  if (posix_spawn(&spawned, "/bin/echo", NULL, NULL, words, environ) == 0) waitpid(spawned, NULL, 0);
  MPI_Finalize();
  return 0;
}
"""

REFUSED = """
#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>
static int start_one(void) {
  return CALL < 0;
}
int main(int argc, char** argv) {
  int rank, refused = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  usleep(3 - rank);
  puts("before");
  for (int i = 0; i < 3; ++i) refused += start_one();
  MPI_Finalize();
  return refused - 3;
}
"""


COPIES = "a child would be a copy of all of them"
REPLACES = "the other program would take the place of all of them"


@pytest.mark.parametrize("machine", ["ideal", "t3e-900"])
@pytest.mark.parametrize("way", [[], ["--lockstep"]])
def test_what_a_rank_has_printed_comes_before_the_output_of_what_it_starts(run_program, machine, way):
    done = run_program(STARTING, 1, machine=machine, launcher=way)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split() == ["one", "two", "three", "four", "five", "six", "seven", "eight"]


@pytest.mark.parametrize("way", [[], ["--lockstep"]])
@pytest.mark.parametrize(
    ("call", "name", "reason"),
    [
        ("fork()", "fork", COPIES),
        ("vfork()", "vfork", COPIES),
        ("_Fork()", "_Fork", COPIES),
        ("daemon(1, 1)", "daemon", COPIES),
        ('execl("/bin/true", "true", NULL)', "execl", REPLACES),
        ('execvp("true", NULL)', "execvp", REPLACES),
    ],
)
def test_the_first_refusal_is_told_with_its_place(run_program, call, name, reason, way):
    done = run_program(REFUSED.replace("CALL", call), 3, launcher=way, flags=["-w"])
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["before"] * 3
    # Rank 2's clock comes first, as it sleeps least.
    (said,) = done.stderr.splitlines()
    assert said.startswith(f"hindcast: rank 2: {name} in start_one ("), said
    assert ".c:7) is refused (ENOSYS)" in said and reason in said
    assert "system, popen and posix_spawn start other programs" in said
