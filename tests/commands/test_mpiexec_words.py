"""Options of other MPIs' mpiexec, and words with one dash that CLI11 would take apart."""

import pytest

RANKS = """
#include <mpi.h>
#include <stdio.h>
int main(int argc, char** argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (rank == 0) printf("%d ranks\\n", ranks);
  return MPI_Finalize();
}
"""
BY_MAP = "--map says which nodes ranks run on"


@pytest.fixture
def mpiexec(build, run_command, compile_program):
    """mpiexec("-n", "2"): the wrapper, with these words before a program."""

    def start(*words):
        return run_command([build / "bin" / "hindcast-mpiexec", *words, compile_program(RANKS)])

    return start


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["-host", "a,b"], BY_MAP),
        (["-hosts", "a,b"], BY_MAP),
        (["-hostfile", "f"], BY_MAP),
        (["--hostfile=f"], BY_MAP),
        (["-machinefile", "f"], BY_MAP),
        (["-arch", "sparc"], "-m says which machine ranks run on"),
        (["-soft", "1:4"], "as many ranks run as -n says"),
    ],
)
def test_what_means_nothing_here_is_ignored_with_a_word(mpiexec, words, why):
    for order in ([*words, "-n", "2"], ["-n", "2", *words]):
        done = mpiexec(*order)
        assert (done.returncode, done.stdout) == (0, "2 ranks\n")
        assert done.stderr == f"hindcast: {' '.join(words)} is ignored: {why}\n"


def test_so_it_is_of_each_program_of_a_run(mpiexec, compile_program):
    done = mpiexec("-n", "1", "-host", "a", compile_program(RANKS), ":", "-n", "2", "-host", "b")
    assert (done.returncode, done.stdout) == (0, "3 ranks\n")
    assert done.stderr == f"hindcast: -host a is ignored: {BY_MAP}\nhindcast: -host b is ignored: {BY_MAP}\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["-path", "/x"], "-path: no such option here; give the program with its folder, or add that to PATH"),
        (["-configfile", "f"], "-configfile: no such option here; give its lines here, with ' : ' between them"),
        (["-file", "f"], "-file: no such option here; give its options here"),
        (["-ppn", "2"], "-ppn: no such option here; --map block:K puts K ranks on each node"),
        (["-hello"], "-hello: no such option, did you mean '--help'? (hindcast run --help)"),
        (["-machine", "ideal"], "-machine: no such option, did you mean '--machine'? (hindcast run --help)"),
        (["-zzzzzzz"], "-zzzzzzz: no such option (hindcast run --help)"),
    ],
)
def test_what_would_change_the_run_is_refused(mpiexec, words, said):
    done = mpiexec("-n", "2", *words)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"hindcast: {said}\n")


def test_a_value_that_is_missing_is_missed(build, run_command):
    done = run_command([build / "bin" / "hindcast-mpiexec", "-host"])
    assert (done.returncode, done.stderr) == (1, "hindcast: -host: its value is missing\n")


def test_values_may_be_joined_and_help_is_still_help(mpiexec, hindcast):
    assert mpiexec("-n2", "-mideal").stdout == "2 ranks\n"
    assert "Usage:" in hindcast("run", "-h").stdout
    done = hindcast("check", "-hello")
    assert (done.returncode, done.stdout) == (1, "")


@pytest.mark.parametrize("word", ["--version", "-version", "-V"])
def test_a_build_system_may_ask_what_it_is(build, run_command, word):
    done = run_command([build / "bin" / "hindcast-mpiexec", word])
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == run_command([build / "bin" / "hindcast", "--version"]).stdout
