/* Nexus's requests inside an MPI program, on the contexts that MPI's own messages go by: each rank asks the next for
 * its number while all are in MPI's calls. */
#include <mpi.h>
#include <nexus.h>
#include <stdio.h>

enum { ASK, ANSWER };

static nexus_mutex_t mutex;
static nexus_cond_t condition;
static int answer = -1;

static void asked(void* address, nexus_buffer_t buffer) {
  (void)address;
  nexus_global_pointer_t back;
  nexus_get_global_pointer(&buffer, &back, 1);
  nexus_buffer_t reply;
  int self;
  MPI_Comm_rank(MPI_COMM_WORLD, &self);
  nexus_init_remote_service_request(&reply, &back, ANSWER);
  nexus_put_int(&reply, &self, 1);
  nexus_send_remote_service_request(&reply);
}

static void answered(void* address, nexus_buffer_t buffer) {
  nexus_mutex_lock(&mutex);
  nexus_get_int(&buffer, address, 1);
  nexus_cond_broadcast(&condition);
  nexus_mutex_unlock(&mutex);
}

int main(int argc, char** argv) {
  const nexus_handler_t handlers[] = {{asked, NEXUS_NONTHREADED_HANDLER}, {answered, NEXUS_NONTHREADED_HANDLER}};
  nexus_register_handlers(handlers, 2);
  nexus_mutex_init(&mutex);
  nexus_cond_init(&condition);
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  nexus_global_pointer_t next, own;
  nexus_context_pointer(&next, (rank + 1) % size);
  nexus_global_pointer(&own, &answer);
  nexus_buffer_t question;
  nexus_init_remote_service_request(&question, &next, ASK);
  nexus_put_global_pointer(&question, &own, 1);
  nexus_send_remote_service_request(&question);
  int sum = 0;
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* requests are handled in here, or below */
  nexus_mutex_lock(&mutex);
  while (answer < 0) nexus_cond_wait(&condition, &mutex);
  nexus_mutex_unlock(&mutex);
  MPI_Barrier(MPI_COMM_WORLD); /* who is in it still answers */
  const int is_right = answer == (rank + 1) % size && sum == size * (size - 1) / 2;
  int all = 0;
  MPI_Reduce(&is_right, &all, 1, MPI_INT, MPI_LAND, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%s\n", all ? "right" : "wrong");
  MPI_Finalize();
  return 0;
}
