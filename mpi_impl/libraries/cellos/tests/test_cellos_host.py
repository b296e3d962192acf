"""The AP1000's host as a rank: --host, cellos.h on it and on the cells beside it, and what wrong calls are told."""

import pytest

from mpi_impl.libraries.cellos.tests.numbers import HEADER, HOP, OF_FILE

HOSTED = ["--host"]
WRONG = {
    "if (l_cellid() == L_HOST) sync()": "rank 0: sync: the host has called it, but it is for the cells; hsync has the "
    "host too",
    "if (l_cellid() == L_HOST) xy_isum(1)": "rank 0: xy_isum: the host has called it, but it is for the cells",
    "if (l_cellid() == 0) l_asend(2, 1, 0, 0)": "rank 1: l_asend: argument 1 (cell) is 2, but there are cells 0 to 1 "
    "and the host (L_HOST); give one of them",
    "h_sscatter(data, ITEMS(1, l_cellid() == L_HOST ? 8 : 4), 8)": "h_sscatter: argument 2 (block_as) is 8 bytes, and "
    "4 on a cell; they must be as many",
    "h_rgather(0, ITEMS(1, 4), 8)": "rank 0: h_rgather: argument 1 (block) is a null pointer; give the address of the "
    "data",
    "h_rgather(data, ITEMS(-1, 4), 8)": "rank 0: h_rgather: argument 2 (block_as) is -1 items of 4 bytes; neither may "
    "be negative",
}


def program(statement):
    return f"""#include <cellos.h>
#include <stdio.h>
#define ITEMS(items, bytes) ((l_items){{items, bytes, bytes}})
static char data[64];
int main(void) {{ (void)data; {statement}; return 0; }}
"""


@pytest.mark.parametrize("call", WRONG)
def test_wrong_calls_end_the_run_with_one_line(call, run_program):
    done = run_program(program(call), 3, machine="ap1000", launcher=HOSTED)
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert WRONG[call] in done.stderr


@pytest.mark.parametrize("call", ["hsync()", "h_sscatter(data, ITEMS(1, 8), 8)", "h_rgather(data, ITEMS(1, 8), 8)"])
def test_what_needs_the_host_says_so_in_a_run_without(call, run_program):
    done = run_program(program(call), 2, machine="ap1000")
    assert done.returncode == 1
    name = call.partition("(")[0]
    assert f"rank 0: {name}: this run has no host; start it with --host (rank 0 is the host then)" in done.stderr


def test_a_message_to_the_host_needs_one(run_program):
    done = run_program(program("l_asend(L_HOST, 1, 0, 0)"), 2, machine="ap1000")
    assert "rank 0: l_asend: argument 1 (cell) is 4096, but there are cells 0 to 1; give one of them" in done.stderr


@pytest.mark.parametrize(
    ("machine", "ranks", "more", "said"),
    [
        (
            "ideal",
            2,
            [],
            "--host: ideal has no host; a machine that has one, such as ap1000, says so by the key mpi.host",
        ),
        ("ap1000", 1, [], "-n 1: the host alone is no run; with it, -n 2 or more"),
        ("ap1000", 1026, [], "-n 1026: the host and 1025 others, but the machine has at most 1024 nodes beside it"),
        ("ap1000", 3, ["--map", "4,4"], "--map: ranks 1 and 2 are both on node 4, but a cell of this machine runs one"),
        ("ap1000", 3, ["--map", "1,2,3"], "--map 1,2,3: 3 nodes for 2 ranks; give one for each"),
    ],
)
def test_hosts_that_cannot_be(machine, ranks, more, said, run_program):
    done = run_program(program(""), ranks, machine=machine, launcher=[*HOSTED, *more])
    assert done.returncode != 0
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert said in done.stderr


def test_the_flag_is_short_for_the_key(run_program):
    text = program('printf("%#x of %d\\n", l_cellid(), l_ncells())')
    by_flag = run_program(text, 3, machine="ap1000", launcher=HOSTED)
    by_key = run_program(text, 3, machine="ap1000", launcher=["--set", "mpi.host=yes"])
    assert by_flag.returncode == 0
    assert sorted(by_flag.stdout.splitlines()) == ["0 of 2", "0x1 of 2", "0x1000 of 2"]
    assert by_key.stdout == by_flag.stdout


def test_the_map_is_that_of_the_cells(run_program):
    """A message of cell 0 on node 8 to cell 1 on node 0 takes one hop more than between neighbours' nodes 0 and 1."""
    text = program(
        "if (l_cellid() == 0) l_asend(1, 1, 0, 0);"
        'if (l_cellid() == 1) { l_arecv(0, 1, 0, 0, 0); printf("%.3f\\n", l_clock() * 1e6); }'
    )

    def time(places):
        return float(run_program(text, 3, machine="ap1000", launcher=[*HOSTED, "--map", places]).stdout)

    assert time("9,0") - time("1,0") == pytest.approx(HOP, abs=1e-6)


SCATTERED = """#include <cellos.h>
#include <stdio.h>
/* Columns of a matrix of the host's go to the cells, and come back in reverse. */
enum { ROWS = 5, CELLS = 3 };
int main(void) {
  int matrix[ROWS][CELLS], column[ROWS], back[CELLS][ROWS], right = 1;
  const int me = l_cellid();
  for (int i = 0; i < ROWS; ++i)
    for (int j = 0; j < CELLS; ++j) matrix[i][j] = 10 * i + j;
  if (me == L_HOST) {
    h_sscatter(matrix, (l_items){ROWS, sizeof(int), sizeof matrix[0]}, sizeof(int));
    h_rgather(back, (l_items){1, sizeof back[0], 0}, sizeof back[0]);
    for (int j = 0; j < CELLS; ++j)
      for (int i = 0; i < ROWS; ++i) right &= back[j][i] == 10 * (ROWS - 1 - i) + j;
  } else {
    h_sscatter(column, (l_items){1, sizeof column, 0}, 0);
    for (int i = 0; i < ROWS; ++i) right &= column[i] == 10 * i + me;
    h_rgather(column + ROWS - 1, (l_items){ROWS, sizeof(int), -(int)sizeof(int)}, 0);
  }
  hsync();
  printf("%s\\n", right ? "right" : "WRONG");
  return 0;
}
"""


@pytest.mark.parametrize("lockstep", [[], ["--lockstep"]])
def test_the_host_scatters_and_gathers_strided_data(lockstep, run_program):
    done = run_program(SCATTERED, 4, machine="ap1000", launcher=[*HOSTED, *lockstep])
    assert (done.returncode, done.stdout, done.stderr) == (0, "right\n" * 4, "")


def test_deadlock_names_the_host(run_program):
    source = (
        "#include <cellos.h>\nint main(void) { l_arecv(l_cellid() == L_HOST ? 0 : L_HOST, 4, 0, 0, 0); return 0; }\n"
    )
    done = run_program(source, 2, machine="ap1000", launcher=HOSTED)
    assert done.returncode == 1
    assert "rank 1: waits in l_arecv of type 4 from the host" in done.stderr
    assert "rank 0: waits in l_arecv of type 4 from cell 0" in done.stderr
    assert "the cycle: rank 0 waits for rank 1 waits for rank 0" in done.stderr


def test_explain_shows_the_hosts_line(hindcast):
    done = hindcast("explain", "-m", "ap1000", "--host", "--bytes", "1000")
    assert done.returncode == 0
    # Between a cell's send and the host's receive.
    size = 1000 + HEADER
    assert f"bytes on the host's line ({size} B)" in done.stdout
    assert f"{size * OF_FILE['host.line_bandwidth']:.6f}" in done.stdout
    assert f"host.receive_overhead = {OF_FILE['host.receive_overhead']:g} us" in done.stdout
