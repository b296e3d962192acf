"""What wrong calls of es_ina.h are told."""

import pytest

WRONG = {
    "es_ina_put(there, mine, (size_t)-8)": "es_ina_put: argument 3 (bytes) is -8; it must not be negative, and at most "
    "281474976710656",
    "es_ina_start_get(mine, there, (size_t)-1)": "es_ina_start_get: argument 3 (bytes) is -1",
    "es_ina_put_items(there, mine, ITEMS((size_t)1 << 62, 8, 8, 8))": "es_ina_put_items: argument 3 (items) is "
    "4611686018427387904 items of 8 bytes, 8 bytes apart here and 8 there; neither number may be negative, and all "
    "must be within 281474976710656 bytes",
    "es_ina_get_items(mine, there, ITEMS(2, 8, 8, (size_t)1 << 62))": "es_ina_get_items: argument 3 (items) is 2 items",
    "es_ina_put(there, mine, 1600)": "es_ina_put: 1600 bytes of memory that is not global",
    "es_ina_put(there, NULL, 8)": "es_ina_put: argument 'here' is a null pointer; give the address of the data",
    "there.address = NULL; es_ina_put(there, mine, 8)": "es_ina_put: the 8 bytes there are not in what process 1 has "
    "told a global address of; give what es_global_address_of has given there",
    "there.address = mine; es_ina_get(mine, there, 8)": "es_ina_get: the 8 bytes there are not in what process 1",
    "there.process = 0; es_ina_put(there, mine, 8)": "es_ina_put: the 8 bytes there are not in what process 0",
    "there.process = 99; es_ina_put(there, mine, 8)": "es_ina_put: there is no process 99",
    "there.address = (char*)there.address + 800; es_ina_put(there, mine, 8)": "es_ina_put: the 8 bytes there are not",
    "es_global_free(local)": "es_global_free: argument 1 (memory) is not what es_global_alloc has given to this "
    "process, or has been freed already; give that, once",
    "es_global_free(mine); es_global_free(mine)": "es_global_free: argument 1 (memory) is not what",
    "es_global_free(mine + 1)": "es_global_free: argument 1 (memory) is not what",
    "es_global_address_of(NULL, 8)": "es_global_address_of: argument 1 (memory) is a null pointer",
    "es_global_address_of(local, (size_t)-8)": "es_global_address_of: argument 2 (bytes) is -8",
}


def program(statement):
    return f"""#include <es_ina.h>
#include <mpi.h>
#define ITEMS(...) ((es_ina_items){{__VA_ARGS__}})
int main(int argc, char** argv) {{
  int rank;
  double local[2], *mine = es_global_alloc(800);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  es_global_address there = es_global_address_of(mine, 800);
  MPI_Bcast(&there, sizeof there, MPI_BYTE, 1, MPI_COMM_WORLD);
  (void)local;
  if (rank == 0) {{ {statement}; }}
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1) es_global_free(mine);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}}
"""


@pytest.mark.parametrize("call", WRONG)
def test_wrong_calls_end_the_run_with_one_line(call, run_program):
    done = run_program(program(call), 2, machine="earth-simulator", flags=["-w"])
    assert done.returncode == 1
    assert done.stderr.startswith(f"hindcast: rank 0: {WRONG[call]}"), done.stderr
    assert done.stderr.count("\n") == 1


def test_what_is_right_is_not_refused(run_program):
    calls = "there.address = (char*)there.address + 792; es_ina_put(there, mine, 8); es_ina_get(mine, there, 8); "
    calls += "es_ina_put_items(there, mine, ITEMS(3, 8, 0, -16)); es_ina_put(there, NULL, 0); es_global_free(NULL)"
    done = run_program(program(calls), 2, machine="earth-simulator")
    assert (done.stderr, done.returncode) == ("", 0)


def test_memory_that_has_been_freed_is_not_reached(run_program):
    calls = "MPI_Barrier(MPI_COMM_WORLD); MPI_Barrier(MPI_COMM_WORLD); es_ina_put(there, mine, 8)"
    done = run_program(program(calls), 2, machine="earth-simulator")
    assert done.returncode == 1
    assert "rank 0: es_ina_put: the 8 bytes there are not in what process 1 has told" in done.stderr


@pytest.mark.no_sanitizer  # which has a free of its own, that tells nobody
@pytest.mark.parametrize(
    ("get", "give_back"),
    [
        ("mine = malloc(800)", "free(mine)"),
        ("mine = malloc(800)", "mine = realloc(mine, 900)"),
        ("MPI_Alloc_mem(800, MPI_INFO_NULL, &mine)", "MPI_Free_mem(mine)"),
        ("MPI_Alloc_mem(800, info, &mine)", "MPI_Free_mem(mine)"),
        ("MPI_Win_allocate(800, 1, info, MPI_COMM_SELF, &mine, &window)", "MPI_Win_free(&window)"),
    ],
)
def test_memory_is_not_reached_when_it_has_been_given_back(run_program, get, give_back):
    source = f"""#include <es_ina.h>
#include <mpi.h>
#include <stdlib.h>
int main(int argc, char** argv) {{
  int rank;
  double *mine, *local;
  MPI_Info info;
  MPI_Win window;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Info_create(&info);
  MPI_Info_set(info, "memory", "GMEM");
  local = es_global_alloc(800);
  {get};
  es_global_address of_all = es_global_address_of(mine, 800), there = es_global_address_of(mine + 10, 80);
  MPI_Bcast(&of_all, sizeof of_all, MPI_BYTE, 1, MPI_COMM_WORLD);
  MPI_Bcast(&there, sizeof there, MPI_BYTE, 1, MPI_COMM_WORLD);
  if (rank == 0) es_ina_put(there, local, 80);
  if (rank == 0) es_ina_put(of_all, local, 800);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1) {give_back};
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) es_ina_put(argc > 1 ? of_all : there, local, 8);
  MPI_Finalize();
  return 0;
}}
"""
    for words in ([], ["all"]):
        done = run_program(source, 2, *words, machine="earth-simulator", flags=["-w"])
        assert done.returncode == 1
        assert "rank 0: es_ina_put: the 8 bytes there are not in what process 1 has told" in done.stderr
