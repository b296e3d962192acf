"""Error handlers that a callback has called while its thread is in another call, which goes on: no other thread is let
in meanwhile."""

import pytest

CALLED = r"""
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static MPI_Win window;
static MPI_File file;
static const char* of;
static int times_called, has_copied;
static void of_comm(MPI_Comm* comm, int* code, ...) { (void)comm, times_called += *code == MPI_ERR_OTHER; }
static void of_window(MPI_Win* win, int* code, ...) { (void)win, times_called += *code == MPI_ERR_OTHER; }
static void of_file(MPI_File* opened, int* code, ...) { (void)opened, times_called += *code == MPI_ERR_OTHER; }
static int copies(MPI_Comm comm, int keyval, void* state, void* value, void* copied, int* flag) {
  int wrong = 0;
  (void)comm, (void)keyval, (void)state, (void)value, (void)copied;
  if (of[0] == 'c') wrong = MPI_Comm_call_errhandler(MPI_COMM_SELF, MPI_ERR_OTHER);
  if (of[0] == 'w') wrong = MPI_Win_call_errhandler(window, MPI_ERR_OTHER);
  if (of[0] == 'f') wrong = MPI_File_call_errhandler(file, MPI_ERR_OTHER);
  if (wrong || times_called != (of[0] != 'n')) abort();
  usleep(100);
  has_copied = 1;
  *flag = 0;
  return MPI_SUCCESS;
}
static void* receives(void* unused) {
  usleep(50);
  MPI_Recv(NULL, 0, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  puts(has_copied ? "after the copy" : "during the copy");
  return unused;
}
int main(int argc, char** argv) {
  int level, keyval, memory;
  pthread_t thread;
  MPI_Comm copy;
  MPI_Errhandler handlers[3];
  MPI_Init_thread(&argc, &argv, atoi(argv[1]), &level);
  of = argv[2];
  MPI_Comm_create_errhandler(of_comm, &handlers[0]);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, handlers[0]);
  MPI_Win_create(&memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_SELF, &window);
  MPI_Win_create_errhandler(of_window, &handlers[1]);
  MPI_Win_set_errhandler(window, handlers[1]);
  MPI_File_open(MPI_COMM_SELF, "/dev/null", MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  MPI_File_create_errhandler(of_file, &handlers[2]);
  MPI_File_set_errhandler(file, handlers[2]);
  MPI_Comm_create_keyval(copies, MPI_COMM_NULL_DELETE_FN, &keyval, NULL);
  MPI_Comm_set_attr(MPI_COMM_SELF, keyval, NULL);
  pthread_create(&thread, NULL, receives, NULL);
  MPI_Comm_dup(MPI_COMM_SELF, &copy);
  pthread_join(thread, NULL);
  MPI_File_close(&file);
  MPI_Win_free(&window);
  MPI_Finalize();
  return 0;
}
"""
HANDLERS = ["none", "comm", "win", "file"]


@pytest.mark.parametrize("of", HANDLERS)
@pytest.mark.parametrize("machine", ["ideal", "t3e-900"])
def test_a_thread_that_calls_beside_the_call_around_is_refused_at_the_level_of_one_at_a_time(machine, of, run_program):
    done = run_program(CALLED, 1, 2, of, machine=machine)
    assert done.stderr.startswith(
        "hindcast: rank 0: MPI_Recv: called on thread 1 while thread 0 is in a call, but MPI_Init_thread has granted "
        "MPI_THREAD_SERIALIZED"
    )
    assert (done.returncode == 0, done.stdout) == (False, "")


@pytest.mark.parametrize("of", HANDLERS)
@pytest.mark.parametrize("machine", ["t3e-900", "ap1000"])
def test_where_threads_take_turns_one_waits_for_the_end_of_the_call_around(machine, of, run_program):
    done = run_program(CALLED, 1, 3, of, machine=machine)
    assert (done.returncode, done.stdout, done.stderr) == (0, "after the copy\n", "")
