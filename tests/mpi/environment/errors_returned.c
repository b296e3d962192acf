/* ranks: 2
 * Wrong arguments under MPI_ERRORS_RETURN: the right error class, and nothing done. */
#include "check.h"

static void point_to_point(MPI_Comm comm) {
  int data[4] = {0, 0, 0, 0}, flag, index, count;
  MPI_Request request = MPI_REQUEST_NULL, requests[2];
  MPI_Message message = MPI_MESSAGE_NULL;
  MPI_Status status;
  FAILS(MPI_Send(data, -1, MPI_INT, 0, 0, comm), MPI_ERR_COUNT);
  FAILS(MPI_Send(NULL, 1, MPI_INT, 0, 0, comm), MPI_ERR_BUFFER);
  FAILS(MPI_Send(MPI_IN_PLACE, 1, MPI_INT, 0, 0, comm), MPI_ERR_BUFFER);
  FAILS(MPI_Send(data, 1, MPI_DATATYPE_NULL, 0, 0, comm), MPI_ERR_TYPE);
  FAILS(MPI_Send(data, 1, (MPI_Datatype)MPI_COMM_WORLD, 0, 0, comm), MPI_ERR_TYPE);
  FAILS(MPI_Send(data, 1, 12345, 0, 0, comm), MPI_ERR_TYPE);
  FAILS(MPI_Send(data, 1, MPI_INT, 2, 0, comm), MPI_ERR_RANK);
  FAILS(MPI_Send(data, 1, MPI_INT, -5, 0, comm), MPI_ERR_RANK);
  FAILS(MPI_Send(data, 1, MPI_INT, MPI_ANY_SOURCE, 0, comm), MPI_ERR_RANK);
  FAILS(MPI_Send(data, 1, MPI_INT, 0, -1, comm), MPI_ERR_TAG);
  FAILS(MPI_Send(data, 1, MPI_INT, 0, 0, MPI_COMM_NULL), MPI_ERR_COMM);
  FAILS(MPI_Send(data, 1, MPI_INT, 0, 0, (MPI_Comm)MPI_INT), MPI_ERR_COMM);
  FAILS(MPI_Recv(data, 1, MPI_INT, 7, 0, comm, &status), MPI_ERR_RANK);
  FAILS(MPI_Recv(data, 1, MPI_INT, 0, -2, comm, &status), MPI_ERR_TAG);
  FAILS(MPI_Recv(data, 1, MPI_INT, 0, 0, comm, NULL), MPI_ERR_ARG);
  FAILS(MPI_Isend(data, 1, MPI_INT, 0, 0, comm, NULL), MPI_ERR_ARG);
  FAILS(MPI_Irecv(NULL, 3, MPI_INT, 0, 0, comm, &request), MPI_ERR_BUFFER);
  FAILS(MPI_Sendrecv(data, 1, MPI_INT, 0, 0, data, -1, MPI_INT, 0, 0, comm, &status), MPI_ERR_COUNT);
  FAILS(MPI_Probe(9, 0, comm, &status), MPI_ERR_RANK);
  FAILS(MPI_Iprobe(0, 0, comm, NULL, &status), MPI_ERR_ARG);
  FAILS(MPI_Mrecv(data, 1, MPI_INT, &message, &status), MPI_ERR_REQUEST);
  FAILS(MPI_Wait(NULL, &status), MPI_ERR_ARG);
  FAILS(MPI_Cancel(&request), MPI_ERR_REQUEST);
  FAILS(MPI_Request_free(&request), MPI_ERR_REQUEST);
  FAILS(MPI_Start(&request), MPI_ERR_REQUEST);
  FAILS(MPI_Waitany(-1, requests, &index, &status), MPI_ERR_COUNT);
  FAILS(MPI_Waitall(2, NULL, MPI_STATUSES_IGNORE), MPI_ERR_ARG);
  FAILS(MPI_Get_count(MPI_STATUS_IGNORE, MPI_INT, &count), MPI_ERR_ARG);

  /* A freed request, and one that never was. */
  MPI_Request_free((MPI_Irecv(data, 1, MPI_INT, MPI_PROC_NULL, 0, comm, &request), requests[0] = request, &request));
  FAILS(MPI_Wait(&requests[0], &status), MPI_ERR_REQUEST);
  FAILS(MPI_Test(&requests[0], &flag, &status), MPI_ERR_REQUEST);
  requests[0] = 0;
  FAILS(MPI_Wait(&requests[0], &status), MPI_ERR_REQUEST);
  FAILS(MPI_Comm_rank((MPI_Comm)0, &flag), MPI_ERR_COMM);
  requests[1] = 77;
  FAILS(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE), MPI_ERR_REQUEST);

  /* Started twice. */
  MPI_Recv_init(data, 1, MPI_INT, world_rank(), 3, comm, &request);
  MPI_Start(&request);
  FAILS(MPI_Start(&request), MPI_ERR_REQUEST);
  MPI_Send(data, 1, MPI_INT, world_rank(), 3, comm);
  MPI_Wait(&request, &status);
  FAILS(MPI_Cancel(&request), MPI_ERR_REQUEST); /* inactive */
  MPI_Request_free(&request);
}

/* Every way to send and receive, and what tests and waits for it. */
static void all_modes(MPI_Comm comm) {
  int data[4] = {0, 0, 0, 0}, flag, count, indices[2];
  MPI_Request request, bad = 77;
  MPI_Message message;
  MPI_Status status;
  FAILS(MPI_Bsend(data, 1, MPI_INT, 0, 0, comm), MPI_ERR_BUFFER); /* none is attached */
  FAILS(MPI_Ssend(data, 1, MPI_INT, 5, 0, comm), MPI_ERR_RANK);
  FAILS(MPI_Rsend(data, 1, MPI_INT, 0, -3, comm), MPI_ERR_TAG);
  FAILS(MPI_Ibsend(data, 1, MPI_INT, 0, 0, comm, &request), MPI_ERR_BUFFER);
  FAILS(MPI_Issend(data, -1, MPI_INT, 0, 0, comm, &request), MPI_ERR_COUNT);
  FAILS(MPI_Irsend(data, 1, MPI_INT, 2, 0, comm, &request), MPI_ERR_RANK);
  FAILS(MPI_Send_init(data, 1, MPI_INT, 2, 0, comm, &request), MPI_ERR_RANK);
  FAILS(MPI_Bsend_init(data, 1, MPI_INT, 0, -9, comm, &request), MPI_ERR_TAG);
  FAILS(MPI_Ssend_init(data, 1, MPI_DATATYPE_NULL, 0, 0, comm, &request), MPI_ERR_TYPE);
  FAILS(MPI_Rsend_init(NULL, 1, MPI_INT, 0, 0, comm, &request), MPI_ERR_BUFFER);
  FAILS(MPI_Recv_init(data, 1, MPI_INT, 2, 0, comm, &request), MPI_ERR_RANK);
  FAILS(MPI_Startall(1, &bad), MPI_ERR_REQUEST);
  FAILS(MPI_Waitsome(1, &bad, &count, indices, &status), MPI_ERR_REQUEST);
  FAILS(MPI_Testall(1, &bad, &flag, &status), MPI_ERR_REQUEST);
  FAILS(MPI_Testany(1, &bad, indices, &flag, &status), MPI_ERR_REQUEST);
  FAILS(MPI_Testsome(-1, &bad, &count, indices, &status), MPI_ERR_COUNT);
  FAILS(MPI_Request_get_status(bad, &flag, &status), MPI_ERR_REQUEST);
  FAILS(MPI_Test_cancelled(MPI_STATUS_IGNORE, &flag), MPI_ERR_ARG);
  FAILS(MPI_Mprobe(2, 0, comm, &message, &status), MPI_ERR_RANK);
  FAILS(MPI_Improbe(0, -7, comm, &flag, &message, &status), MPI_ERR_TAG);
  message = MPI_MESSAGE_NULL;
  FAILS(MPI_Imrecv(data, 1, MPI_INT, &message, &request), MPI_ERR_REQUEST);
  FAILS(MPI_Sendrecv_replace(data, 1, MPI_INT, 0, 0, 2, 0, comm, &status), MPI_ERR_RANK);
  FAILS(MPI_Isendrecv(data, 1, MPI_INT, 0, 0, data, -1, MPI_INT, 0, 0, comm, &request), MPI_ERR_COUNT);
  FAILS(MPI_Isendrecv(data, 1, MPI_INT, 5, 0, data, 1, MPI_INT, 0, 0, comm, &request), MPI_ERR_RANK);
  FAILS(MPI_Isendrecv_replace(data, 1, MPI_INT, 0, -4, 0, 0, comm, &request), MPI_ERR_TAG);
  FAILS(MPI_Buffer_detach(NULL, &count), MPI_ERR_ARG);
}

static void datatypes(void) {
  int value;
  MPI_Aint bound, extent;
  MPI_Count large;
  MPI_Status status;
  FAILS(MPI_Type_size(MPI_DATATYPE_NULL, &value), MPI_ERR_TYPE);
  FAILS(MPI_Type_get_extent(MPI_DATATYPE_NULL, &bound, &extent), MPI_ERR_TYPE);
  FAILS(MPI_Type_extent((MPI_Datatype)MPI_SUM, &extent), MPI_ERR_TYPE);
  FAILS(MPI_Get_elements(MPI_STATUS_IGNORE, MPI_INT, &value), MPI_ERR_ARG);
  FAILS(MPI_Get_elements_x(&status, MPI_DATATYPE_NULL, &large), MPI_ERR_TYPE);
  FAILS(MPI_Status_set_elements(&status, MPI_INT, -1), MPI_ERR_COUNT);
  FAILS(MPI_Status_set_elements_x(&status, MPI_DATATYPE_NULL, 1), MPI_ERR_TYPE);
  FAILS(MPI_Status_set_cancelled(MPI_STATUS_IGNORE, 1), MPI_ERR_ARG);
  FAILS(MPI_Get_address(&value, NULL), MPI_ERR_ARG);
  FAILS(MPI_Address(&value, NULL), MPI_ERR_ARG);
}

static void communicators(MPI_Comm comm) {
  MPI_Comm copy, world = MPI_COMM_WORLD, self = MPI_COMM_SELF;
  MPI_Group group, freed, none = MPI_GROUP_EMPTY;
  const int outside[] = {5}, twice[] = {0, 0};
  int rank, result;
  FAILS(MPI_Comm_rank(comm, NULL), MPI_ERR_ARG);
  FAILS(MPI_Comm_free(&world), MPI_ERR_COMM);
  FAILS(MPI_Comm_free(&self), MPI_ERR_COMM);
  MPI_Comm_dup(comm, &copy);
  MPI_Comm stale = copy;
  MPI_Comm_free(&copy);
  FAILS(MPI_Comm_rank(stale, &rank), MPI_ERR_COMM);
  FAILS(MPI_Barrier(stale), MPI_ERR_COMM);
  FAILS(MPI_Comm_split(comm, -7, 0, &copy), MPI_ERR_ARG);
  MPI_Comm_group(comm, &group);
  freed = group;
  FAILS(MPI_Group_incl(group, 1, outside, &none), MPI_ERR_RANK);
  FAILS(MPI_Group_incl(group, 2, twice, &none), MPI_ERR_RANK);
  FAILS(MPI_Group_translate_ranks(group, 1, outside, group, &result), MPI_ERR_RANK);
  MPI_Group_free(&group);
  FAILS(MPI_Group_size(freed, &result), MPI_ERR_GROUP);
  FAILS(MPI_Group_size(MPI_GROUP_NULL, &result), MPI_ERR_GROUP);
  FAILS(MPI_Group_free(&freed), MPI_ERR_GROUP);
  void* value;
  int flag;
  FAILS(MPI_Comm_get_attr(comm, MPI_KEYVAL_INVALID, &value, &flag), MPI_ERR_KEYVAL);
  FAILS(MPI_Comm_size(MPI_COMM_NULL, &rank), MPI_ERR_COMM);
  FAILS(MPI_Comm_compare(comm, stale, &result), MPI_ERR_COMM);
  FAILS(MPI_Comm_dup(stale, &copy), MPI_ERR_COMM);
  FAILS(MPI_Comm_test_inter(MPI_COMM_NULL, &flag), MPI_ERR_COMM);
  FAILS(MPI_Comm_group(MPI_COMM_NULL, &group), MPI_ERR_COMM);
  FAILS(MPI_Comm_set_name(MPI_COMM_NULL, "none"), MPI_ERR_COMM);
  FAILS(MPI_Comm_get_name(comm, NULL, &result), MPI_ERR_ARG);
  FAILS(MPI_Group_rank(freed, &result), MPI_ERR_GROUP);
  FAILS(MPI_Group_compare(freed, MPI_GROUP_EMPTY, &result), MPI_ERR_GROUP);
  FAILS(MPI_Group_excl(MPI_GROUP_EMPTY, 1, outside, &group), MPI_ERR_RANK);
}

static void collectives(MPI_Comm comm) {
  int in[2] = {0, 0}, out[4], counts[2] = {1, -1}, displacements[2] = {0, 1};
  double real = 0;
  MPI_Op op = MPI_SUM;
  FAILS(MPI_Bcast(in, 1, MPI_INT, 2, comm), MPI_ERR_ROOT);
  FAILS(MPI_Bcast(in, 1, MPI_INT, -1, comm), MPI_ERR_ROOT);
  FAILS(MPI_Bcast(NULL, 1, MPI_INT, 0, comm), MPI_ERR_BUFFER);
  FAILS(MPI_Reduce(in, out, 1, MPI_INT, MPI_OP_NULL, 0, comm), MPI_ERR_OP);
  FAILS(MPI_Allreduce(&real, &real, 1, MPI_DOUBLE, MPI_BAND, comm), MPI_ERR_OP);
  FAILS(MPI_Allreduce(in, out, 1, MPI_WCHAR, MPI_SUM, comm), MPI_ERR_OP);
  FAILS(MPI_Allreduce(in, out, 1, MPI_INT, MPI_MAXLOC, comm), MPI_ERR_OP);
  FAILS(MPI_Allgatherv(in, 1, MPI_INT, out, counts, displacements, MPI_INT, comm), MPI_ERR_COUNT);
  FAILS(MPI_Alltoall(in, -1, MPI_INT, out, 1, MPI_INT, comm), MPI_ERR_COUNT);
  FAILS(MPI_Op_free(&op), MPI_ERR_OP);
  FAILS(MPI_Op_create(NULL, 1, &op), MPI_ERR_ARG);
  FAILS(MPI_Gather(in, -1, MPI_INT, out, 1, MPI_INT, 0, comm), MPI_ERR_COUNT);
  FAILS(MPI_Gatherv(in, 1, MPI_INT, out, counts, displacements, MPI_INT, 2, comm), MPI_ERR_ROOT);
  FAILS(MPI_Scatter(in, 1, MPI_INT, NULL, 1, MPI_INT, 0, comm), MPI_ERR_BUFFER);
  FAILS(MPI_Scatterv(in, displacements, displacements, MPI_INT, out, 1, MPI_DATATYPE_NULL, 0, comm), MPI_ERR_TYPE);
  FAILS(MPI_Allgather(NULL, 1, MPI_INT, out, 1, MPI_INT, comm), MPI_ERR_BUFFER);
  FAILS(MPI_Alltoallv(in, counts, displacements, MPI_INT, out, counts, displacements, MPI_INT, comm), MPI_ERR_COUNT);
  FAILS(MPI_Op_commutative(MPI_OP_NULL, out), MPI_ERR_OP);
  if (world_rank() == 1) FAILS(MPI_Gather(MPI_IN_PLACE, 1, MPI_INT, out, 1, MPI_INT, 0, comm), MPI_ERR_BUFFER);
}

static void environment(MPI_Comm comm) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  int value;
  void* memory;
  FAILS(MPI_Comm_set_errhandler(comm, handler), MPI_ERR_ARG);
  FAILS(MPI_Error_class(MPI_ERR_LASTCODE + 1, &value), MPI_ERR_ARG);
  FAILS(MPI_Error_class(-1, &value), MPI_ERR_ARG);
  FAILS(MPI_Add_error_string(MPI_ERR_RANK, "mine"), MPI_ERR_ARG);
  FAILS(MPI_Alloc_mem(-1, MPI_INFO_NULL, &memory), MPI_ERR_ARG);
  FAILS(MPI_Init(NULL, NULL), MPI_ERR_OTHER);
  FAILS(MPI_Init_thread(NULL, NULL, MPI_THREAD_SINGLE, &value), MPI_ERR_OTHER);
  FAILS(MPI_Initialized(NULL), MPI_ERR_ARG);
  FAILS(MPI_Finalized(NULL), MPI_ERR_ARG);
  FAILS(MPI_Query_thread(NULL), MPI_ERR_ARG);
  FAILS(MPI_Is_thread_main(NULL), MPI_ERR_ARG);
  FAILS(MPI_Get_version(&value, NULL), MPI_ERR_ARG);
  FAILS(MPI_Get_library_version(NULL, &value), MPI_ERR_ARG);
  FAILS(MPI_Get_processor_name(NULL, &value), MPI_ERR_ARG);
  FAILS(MPI_Comm_create_errhandler(NULL, &handler), MPI_ERR_ARG);
  FAILS(MPI_Errhandler_create(NULL, &handler), MPI_ERR_ARG);
  FAILS(MPI_Comm_get_errhandler(MPI_COMM_NULL, &handler), MPI_ERR_COMM);
  FAILS(MPI_Errhandler_get(MPI_COMM_NULL, &handler), MPI_ERR_COMM);
  FAILS(MPI_Errhandler_set(comm, MPI_ERRHANDLER_NULL), MPI_ERR_ARG);
  FAILS(MPI_Comm_call_errhandler(comm, -3), MPI_ERR_ARG);
  FAILS((handler = MPI_ERRHANDLER_NULL, MPI_Errhandler_free(&handler)), MPI_ERR_ARG);
  FAILS(MPI_Error_string(-1, NULL, &value), MPI_ERR_ARG);
  FAILS(MPI_Add_error_class(NULL), MPI_ERR_ARG);
  FAILS(MPI_Add_error_code(-1, &value), MPI_ERR_ARG);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  point_to_point(MPI_COMM_WORLD);
  all_modes(MPI_COMM_WORLD);
  datatypes();
  communicators(MPI_COMM_WORLD);
  collectives(MPI_COMM_WORLD);
  environment(MPI_COMM_WORLD);
  return finish();
}
