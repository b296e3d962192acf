"""What wrong SHMEM calls, and PEs that wait for ever, are told."""

import pytest

from tests.support.machine_files import machines_with_another_library

PES = 4
WRONG = {
    "shmem_put64(longs, local, 1, 4)": "shmem_put64: argument 4 (pe) is 4, but there are PEs 0 to 3; give one of them",
    "shmem_long_get(local, longs, 1, -1)": "shmem_long_get: argument 4 (pe) is -1, but there are PEs 0 to 3",
    "shmem_int_p(ints, 1, 9)": "shmem_int_p: argument 3 (pe) is 9",
    "shmem_double_g(doubles, 4)": "shmem_double_g: argument 2 (pe) is 4",
    "shmem_iput32(ints, local, 1, 1, 2, 4)": "shmem_iput32: argument 6 (pe) is 4",
    "shmem_ixget(local, longs, index, 2, 4)": "shmem_ixget: argument 5 (pe) is 4",
    "shmem_long_finc(longs, 4)": "shmem_long_finc: argument 2 (pe) is 4",
    "shmem_long_cswap(longs, 0, 1, 4)": "shmem_long_cswap: argument 4 (pe) is 4",
    "shmem_put64(local, longs, 1, 1)": "shmem_put64: argument 1 (target) is not symmetric",
    "shmem_put64(mallocked, longs, 1, 1)": "shmem_put64: argument 1 (target) is not symmetric",
    "shmem_put64(0, longs, 1, 1)": "shmem_put64: argument 1 (target) is not symmetric",
    "shmem_get64(longs, local, 1, 1)": "shmem_get64: argument 2 (source) is not symmetric",
    "shmem_put64(longs, longs, 1L << 30, 1)": "shmem_put64: argument 1 (target) is not symmetric",
    "shmem_put64(heap, longs, 1L << 30, 1)": "shmem_put64: argument 1 (target) is not symmetric",
    "shmem_long_iput(longs, longs, 1L << 30, 1, 3, 1)": "shmem_long_iput: argument 1 (target) is not symmetric",
    "shmem_ixput(longs, longs, index, 3, 1)": "shmem_ixput: argument 1 (target) is not symmetric",
    "shmem_long_fadd(local, 1, 1)": "shmem_long_fadd: argument 1 (target) is not symmetric",
    "shmem_long_fadd((long*)(ints + 1), 1, 1)": "shmem_long_fadd: argument 1 (target) is not aligned",
    "shmem_wait(local, 0)": "shmem_wait: argument 1 (variable) is not symmetric",
    "shmem_wait_until(longs, 6, 0)": "shmem_wait_until: argument 2 (condition) is 6; it must be one of _SHMEM_CMP_EQ",
    "shmem_put64(longs, 0, 1, 1)": "shmem_put64: argument 2 (source) is a null pointer",
    "shmem_get64(0, longs, 1, 1)": "shmem_get64: argument 1 (target) is a null pointer",
    "shmem_put64(longs, local, -1, 1)": "shmem_put64: argument 3 (length) is -1; it must not be negative",
    "shmem_iput(longs, local, 1, 1, -2, 1)": "shmem_iput: argument 5 (length) is -2; it must not be negative",
    "shmem_ptr(longs, 4)": "shmem_ptr: argument 2 (pe) is 4, but there are PEs 0 to 3",
    "shmem_barrier(-1, 0, 2, sync)": "shmem_barrier: argument 1 (PE_start) is -1, but there are PEs 0 to 3",
    "shmem_barrier(0, -1, 2, sync)": "shmem_barrier: argument 2 (logPE_stride) is -1; it is the logarithm of a stride",
    "shmem_barrier(0, 0, 0, sync)": "shmem_barrier: argument 3 (PE_size) is 0; an active set has 1 PE or more",
    "shmem_barrier(0, 1, 3, sync)": "shmem_barrier: argument 3 (PE_size) is 3: from PE 0 on with stride 2 the last PE "
    "would be 4, but there are PEs 0 to 3",
    "shmem_barrier(1, 0, 3, sync)": "shmem_barrier: PE 0 has called it, but is not of the active set: 3 PEs from PE 1 "
    "on with stride 1",
    "shmem_barrier(0, 0, 2, local)": "shmem_barrier: argument 4 (pSync) is not symmetric",
    "shmem_barrier(0, 0, 2, unset)": "shmem_barrier: argument 4 (pSync) has the value 0 in element 0; before a pSync "
    "array is used, all of its elements must be _SHMEM_SYNC_VALUE (-1) on all PEs",
    "shmem_broadcast64(longs, longs, 1, 2, 0, 0, 2, sync)": "shmem_broadcast64: argument 4 (PE_root) is 2; it is "
    "counted within the active set, from 0 to 1",
    "shmem_broadcast(longs, longs, 1, 0, 0, 0, 5, sync)": "shmem_broadcast: argument 7 (PE_size) is 5",
    "shmem_broadcast32(local, longs, 1, 0, 0, 0, 2, sync)": "shmem_broadcast32: argument 1 (target) is not symmetric",
    "shmem_collect64(longs, longs, -1, 0, 0, 2, sync)": "shmem_collect64: argument 3 (length) is -1",
    "shmem_collect(longs, local, 1, 0, 0, 1, sync)": "shmem_collect: argument 2 (source) is not symmetric",
    "sync[3] = 7; shmem_barrier(0, 0, 2, sync)": "shmem_barrier: argument 4 (pSync) has the value 7 in element 3; be",
    "sync[35] = 9; shmem_broadcast64(longs, longs, 1, 0, 0, 0, 2, sync)": "shmem_broadcast64: argument 8 (pSync) has "
    "the value 9 in element 35; before a pSync array is used, all of its elements must be _SHMEM_SYNC_VALUE (-1)",
    "sync[3] = 7; shmem_collect64(longs, longs, 1, 0, 0, 4, sync)": "shmem_collect64: argument 7 (pSync) has the value "
    "7 in element 3",
    "sync[3] = 7; shmem_fcollect64(longs, longs, 1, 0, 0, 1, sync)": "shmem_fcollect64: argument 7 (pSync) has the "
    "value 7 in element 3",
    "sync[20] = 7; shmem_long_sum_to_all(longs, longs, 1, 0, 0, 4, work, sync)": "shmem_long_sum_to_all: argument 8 "
    "(pSync) has the value 7 in element 20",
    "shmem_fcollect64(longs, longs, 1, 0, 0, 2, unset)": "shmem_fcollect64: argument 7 (pSync) has the value 0",
    "shmem_long_sum_to_all(longs, longs, -1, 0, 0, 2, work, sync)": "shmem_long_sum_to_all: argument 3 (count) is -1; "
    "it must not be negative",
    "shmem_long_sum_to_all(longs, longs, 1, 0, 0, 2, local, sync)": "shmem_long_sum_to_all: argument 7 (pWrk) is not "
    "symmetric",
    "shmem_int_max_to_all(ints, ints, 1, 4, 0, 2, ints, sync)": "shmem_int_max_to_all: argument 4 (PE_start) is 4",
    "shmem_set_lock(local)": "shmem_set_lock: argument 1 (lock) is not symmetric",
    "shmem_set_lock(sync)": "shmem_set_lock: argument 1 (lock) has a value that no lock has; it must be 0 on all PEs",
    "shmem_set_lock(longs); shmem_set_lock(longs)": "shmem_set_lock: argument 1 (lock) has been set by this PE already",
    "shmem_clear_lock(longs)": "shmem_clear_lock: argument 1 (lock) has not been set by this PE",
    "shmem_test_lock((long*)(ints + 1))": "shmem_test_lock: argument 1 (lock) is not aligned as a long is",
    "shmem_set_event(local)": "shmem_set_event: argument 1 (event) is not symmetric",
    "shmem_wait_event(sync)": "shmem_wait_event: argument 1 (event) has a value that no event has",
    "shfree(longs)": "shfree: argument 1 (block)",
    "shfree(heap + 1)": "shfree: argument 1 (block)",
    "shrealloc(local, 8)": "shrealloc: argument 1 (block)",
    "shmemalign(24, 8)": "shmemalign: argument 1 (alignment) is 24; it must be a power of two",
}


def program(statement):
    return f"""#include <mpp/shmem.h>
#include <stdlib.h>
static long longs[16], sync[36], unset[36], work[16];
static int ints[16];
static double doubles[16];
int main(void) {{
  long local[36] = {{0}}, index[3] = {{0, 1, 1L << 30}}, *mallocked = malloc(80), *heap = shmalloc(1024);
  for (int i = 0; i < 36; ++i) sync[i] = -1;
  (void)longs, (void)unset, (void)work, (void)ints, (void)doubles, (void)local, (void)index, (void)heap;
  (void)mallocked;
  shmem_barrier_all();
  if (shmem_my_pe() == 0) {{ {statement}; }}
  shmem_barrier_all();
  return 0;
}}
"""


@pytest.mark.parametrize("call", WRONG)
def test_wrong_calls_end_the_run_with_one_line(call, run_program):
    done = run_program(program(call), PES, machine="t3e-900", flags=["-w"])
    assert done.returncode == 1
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert f"rank 0: {WRONG[call]}" in done.stderr


@pytest.mark.parametrize("machine", machines_with_another_library("t3e"))
def test_other_machines_say_that_they_have_no_shmem(machine, run_program):
    source = "#include <mpp/shmem.h>\nint main(void) { return _my_pe(); }\n"
    done = run_program(source, 2, machine=machine)
    assert done.returncode == 1
    assert "rank 0: _my_pe: this machine has no SHMEM" in done.stderr
    assert "such as -m t3e-900" in done.stderr


HANGS = {
    "shmem_wait(longs, 0)": "rank 0: waits in shmem_wait for a variable to be different from 0; it is 0",
    "shmem_long_wait_until(longs, _SHMEM_CMP_GE, 7)": "rank 0: waits in shmem_long_wait_until for a variable to be at "
    "least 7; it is 0",
    "shmem_barrier(0, 0, 2, sync)": "rank 0: waits in shmem_barrier for PE 1 to write pSync[0]",
    "shmem_wait_event(longs)": "rank 0: waits in shmem_wait_event for an event that nobody has set",
}


@pytest.mark.parametrize("call", HANGS)
def test_a_wait_that_nobody_ends_is_told(call, run_program):
    done = run_program(program(call), PES, machine="t3e-900", flags=["-w"])
    assert done.returncode == 1
    assert HANGS[call] in done.stderr
    assert "rank 3: waits in shmem_barrier_all" in done.stderr


def test_locks_in_two_orders_are_told(run_program):
    text = """#include <mpp/shmem.h>
static long one, other;
int main(void) {
  const int me = shmem_my_pe();
  shmem_set_lock(me == 0 ? &one : &other);
  shmem_barrier_all();
  shmem_set_lock(me == 0 ? &other : &one);
  return 0;
}
"""
    done = run_program(text, 2, machine="t3e-900")
    assert done.returncode == 1
    for rank in range(2):
        assert f"rank {rank}: waits in shmem_set_lock for a lock that others have" in done.stderr


@pytest.mark.parametrize(
    ("holds", "told"),
    [(0, "is waited for by another thread of this PE already"), (1, "has been set by this PE already")],
)
def test_two_threads_of_a_pe_at_one_lock_are_told_that_it_is_between_pes(holds, told, run_program):
    text = f"""#include <mpp/shmem.h>
#include <pthread.h>
static long lock;
static void* take(void* nothing) {{
  shmem_set_lock(&lock);
  return nothing;
}}
int main(void) {{
  pthread_t other;
  if (shmem_my_pe() == {1 - holds}) shmem_set_lock(&lock);
  shmem_barrier_all();
  if (shmem_my_pe() == 0) {{
    pthread_create(&other, 0, take, 0);
    if ({1 - holds}) take(0);
    pthread_join(other, 0);
  }}
  shmem_barrier_all();
  return 0;
}}
"""
    done = run_program(text, 2, machine="t3e-900", flags=["-pthread"])
    assert done.returncode == 1
    assert (
        f"rank 0: shmem_set_lock: argument 1 (lock) {told}; a lock is between PEs: threads of one PE need a "
        in done.stderr
    )
