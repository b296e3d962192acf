// All that MPI or the C library may call of a program takes much stack, and finds itself on that of the thread that it
// belongs to: the rank's, or that of a thread which the rank has started.
#include <mpi.h>
#include <pthread.h>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>

namespace {

constexpr std::int64_t much = 512 << 10, stack_bytes = 8 << 20;
const char* bases[2];  // of the main thread and the other one
int rank = -1;

__attribute__((noinline)) void here(const char* what) {
  volatile char room[much];
  for (std::int64_t i = 0; i < much; i += 512) room[i] = static_cast<char>(i);
  bool is_own = false;
  for (const char* base : bases) is_own |= base != nullptr && base > &room[0] && base - &room[0] < stack_bytes;
  static const char* last = nullptr;
  if (last != what || !is_own) std::printf("%s %s\n", what, is_own ? "on its stack" : "ELSEWHERE");
  last = what;
}

__attribute__((constructor)) void begins(int, char** argv, char**) {
  bases[0] = reinterpret_cast<const char*>(argv);
  here("constructor");
}
struct Static {
  ~Static() { here("destructor"); }
} of_program;
struct OfThread {
  ~OfThread() { here(is_main ? "destructor of the main thread" : "destructor of a thread"); }
  bool is_main = false;
};
thread_local OfThread of_thread;

void sum(void* in, void* inout, int* count, MPI_Datatype*) {
  here("operation");
  for (int i = 0; i < *count; ++i) static_cast<int*>(inout)[i] += static_cast<int*>(in)[i];
}
void handle_of_comm(MPI_Comm*, int*, ...) { here("error handler of a communicator"); }
void handle_of_win(MPI_Win*, int*, ...) { here("error handler of a window"); }
int copy_of_comm(MPI_Comm, int, void*, void*, void* out, int* flag) {
  here("copy of a communicator's attribute");
  *static_cast<void**>(out) = nullptr;
  *flag = 1;
  return MPI_SUCCESS;
}
int delete_of_comm(MPI_Comm comm, int, void*, void*) {
  here(comm == MPI_COMM_SELF ? "deletion in MPI_Finalize" : "deletion of a communicator's attribute");
  return MPI_SUCCESS;
}
int delete_of_type(MPI_Datatype, int, void*, void*) {
  here("deletion of a type's attribute");
  return MPI_SUCCESS;
}
int delete_of_win(MPI_Win, int, void*, void*) {
  here("deletion of a window's attribute");
  return MPI_SUCCESS;
}
int query(void*, MPI_Status* status) {
  here("query of a request");
  MPI_Status_set_elements(status, MPI_INT, 0);
  MPI_Status_set_cancelled(status, 0);
  return MPI_SUCCESS;
}
int free_request(void*) {
  here("end of a request");
  return MPI_SUCCESS;
}
int cancel(void*, int) {
  here("cancellation of a request");
  return MPI_SUCCESS;
}

void reduce(int ranks) {
  constexpr int many = 3000;
  static int mine[many], result[64 * many];
  MPI_Op op, in_order;
  MPI_Op_create(sum, 1, &op);
  MPI_Op_create(sum, 0, &in_order);
  for (MPI_Op by : {op, in_order})
    for (int count : {1, many}) {
      MPI_Request requests[3];
      MPI_Reduce(mine, result, count, MPI_INT, by, 0, MPI_COMM_WORLD);
      MPI_Allreduce(mine, result, count, MPI_INT, by, MPI_COMM_WORLD);
      MPI_Reduce_scatter_block(result, mine, count, MPI_INT, by, MPI_COMM_WORLD);
      MPI_Scan(mine, result, count, MPI_INT, by, MPI_COMM_WORLD);
      MPI_Exscan(mine, result, count, MPI_INT, by, MPI_COMM_WORLD);
      MPI_Iallreduce(mine, result, count, MPI_INT, by, MPI_COMM_WORLD, &requests[0]);
      MPI_Iscan(mine, result + many, count, MPI_INT, by, MPI_COMM_WORLD, &requests[1]);
      MPI_Ireduce(mine, result + 2 * many, count, MPI_INT, by, ranks - 1, MPI_COMM_WORLD, &requests[2]);
      MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    }
  MPI_Op_free(&op);
  MPI_Op_free(&in_order);
}

void handle_errors() {
  MPI_Comm comm;
  MPI_Win win;
  MPI_Errhandler of_comm, of_win;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Win_create(nullptr, 0, 1, MPI_INFO_NULL, comm, &win);
  MPI_Comm_create_errhandler(handle_of_comm, &of_comm);
  MPI_Win_create_errhandler(handle_of_win, &of_win);
  MPI_Comm_set_errhandler(comm, of_comm);
  MPI_Win_set_errhandler(win, of_win);
  MPI_Send(nullptr, 0, MPI_INT, -7, 0, comm);
  MPI_Win_call_errhandler(win, MPI_ERR_OTHER);
  int key;
  MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, delete_of_win, &key, nullptr);
  MPI_Win_set_attr(win, key, nullptr);
  MPI_Win_free(&win);
  MPI_Errhandler_free(&of_comm);
  MPI_Errhandler_free(&of_win);
  MPI_Comm_free(&comm);
}

void keep_attributes() {
  int key, of_type;
  MPI_Comm comm, other;
  MPI_Datatype type;
  MPI_Comm_create_keyval(copy_of_comm, delete_of_comm, &key, nullptr);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_attr(comm, key, nullptr);
  MPI_Comm_dup(comm, &other);
  MPI_Comm_free(&other);
  MPI_Comm_free(&comm);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr);
  MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, delete_of_type, &of_type, nullptr);
  MPI_Type_dup(MPI_INT, &type);
  MPI_Type_set_attr(type, of_type, nullptr);
  MPI_Type_free(&type);
}

void request() {
  MPI_Request own;
  MPI_Grequest_start(query, free_request, cancel, nullptr, &own);
  MPI_Cancel(&own);
  MPI_Grequest_complete(own);
  MPI_Wait(&own, MPI_STATUS_IGNORE);
}

void* of_other_thread(void*) {
  const char base = 0;
  bases[1] = &base + 256;
  of_thread.is_main = false;
  pthread_key_t key;
  pthread_key_create(&key, [](void*) { here("destructor of a thread's value"); });
  pthread_setspecific(key, &key);
  here("thread");
  return nullptr;
}

}  // namespace

int main(int argc, char** argv) {
  int ranks;
  of_thread.is_main = true;
  std::atexit([] { here("function at exit"); });
  std::signal(SIGUSR1, [](int) { here("signal handler"); });
  std::raise(SIGUSR1);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  reduce(ranks);
  handle_errors();
  keep_attributes();
  request();
  MPI_Finalize();
  pthread_t other;
  pthread_create(&other, nullptr, of_other_thread, nullptr);
  pthread_join(other, nullptr);
  return 0;
}
