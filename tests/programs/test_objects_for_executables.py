"""Objects that a plain gcc has compiled for an executable, as where CC is gcc and only MPICC is the wrapper."""

import pytest

# Reads and writes by libc's streams, and looks at the environment and at getopt's variables.
STREAMS = r"""
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
extern char** environ;
int streams_are_right(int argc, char** argv) {
  int value = -1;
  if (getopt(argc, argv, "n:") != 'n' || fscanf(stdin, "%d", &value) == 0) return 0;
  fprintf(stdout, "%s read %d, ", optarg, value);
  printf("once\n");
  fprintf(stderr, "told\n");
  setenv("ONLY_OF", optarg, 1);
  return environ != NULL && fileno(stdin) == 0 && fileno(stdout) == 1 && fileno(stderr) == 2;
}
"""
# A constructor of the program's own that already writes.
MAIN = r"""
#include <mpi.h>
#include <stdio.h>
int streams_are_right(int argc, char** argv);
__attribute__((constructor(101))) static void begins(void) { fputs("begins\n", stdout); }
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int right = streams_are_right(argc, argv);
  FILE* again = freopen("/dev/null", "w", stdout);
  fprintf(stdout, "not seen\n");
  MPI_Finalize();
  return !right || again != stdout;
}
"""


@pytest.fixture
def compile_apart(build, succeeds, tmp_path):
    """Compiles both by gcc as it is, and links them by the wrapper as the words given say."""

    def compile_it(*words):
        for name, text in (("streams", STREAMS), ("main", MAIN)):
            (tmp_path / f"{name}.c").write_text(text)
            succeeds(["gcc", "-fPIE", "-O2", f"-I{build}/include", "-c", f"{name}.c"], cwd=tmp_path)
        succeeds(["ar", "rcs", "libstreams.a", "streams.o"], cwd=tmp_path)
        succeeds([build / "bin" / "hindcast-mpicc", "-o", "program", "main.o", *words], cwd=tmp_path)
        return tmp_path / "program"

    return compile_it


@pytest.mark.parametrize("launcher", [(), ("--separate-files",), ("--lockstep",)], ids=" ".join)
@pytest.mark.parametrize("words", [["streams.o"], ["libstreams.a"], ["-L.", "-lstreams"]], ids=" ".join)
def test_each_rank_has_its_streams(compile_apart, hindcast, words, launcher):
    program = compile_apart(*words)
    done = hindcast("run", "-n", "3", *launcher, program, "-n", "word", input="5\n")
    assert done.returncode == 0, done.stderr
    read = ["word read -1, once", "word read -1, once", "word read 5, once"]
    assert sorted(done.stdout.splitlines()) == ["begins"] * 3 + read
    assert done.stderr == "told\n" * 3


def test_a_program_that_needs_no_streams_of_its_own_gets_none(build, succeeds, tmp_path):
    (tmp_path / "main.c").write_text(MAIN.replace("return !right", "return streams_are_right == 0"))
    (tmp_path / "streams.c").write_text(STREAMS)
    succeeds([build / "bin" / "hindcast-mpicc", "-o", "program", "main.c", "streams.c"], cwd=tmp_path)
    assert "stdout" in succeeds(["nm", "-D", "--undefined-only", "program"], cwd=tmp_path).stdout
