/* ranks: 2
 * Handles and statuses that go to Fortran and back: a handle that comes back is the same object, a null handle is a
 * null handle, a status says the same. */
#include "check.h"

#include <string.h>

static void handles(void) {
  MPI_Comm comm;
  MPI_Group group;
  MPI_Datatype type;
  MPI_Op op;
  MPI_Info info;
  MPI_Errhandler errhandler;
  int result = -1;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_compare(MPI_Comm_f2c(MPI_Comm_c2f(comm)), comm, &result);
  CHECK_INT(result, MPI_IDENT);
  CHECK(MPI_Comm_f2c(MPI_Comm_c2f(MPI_COMM_WORLD)) == MPI_COMM_WORLD);
  CHECK(MPI_Comm_f2c(MPI_Comm_c2f(MPI_COMM_NULL)) == MPI_COMM_NULL);
  MPI_Comm_group(comm, &group);
  MPI_Group_size(MPI_Group_f2c(MPI_Group_c2f(group)), &result);
  CHECK_INT(result, world_size());
  CHECK(MPI_Group_f2c(MPI_Group_c2f(MPI_GROUP_NULL)) == MPI_GROUP_NULL);
  MPI_Type_contiguous(3, MPI_INT, &type);
  MPI_Type_size(MPI_Type_f2c(MPI_Type_c2f(type)), &result);
  CHECK_INT(result, 3 * sizeof(int));
  CHECK(MPI_Type_f2c(MPI_Type_c2f(MPI_DATATYPE_NULL)) == MPI_DATATYPE_NULL);
  CHECK(MPI_Type_c2f(MPI_INT) != MPI_Type_c2f(MPI_FLOAT));
  op = MPI_Op_f2c(MPI_Op_c2f(MPI_SUM));
  CHECK(op == MPI_SUM && MPI_Op_f2c(MPI_Op_c2f(MPI_OP_NULL)) == MPI_OP_NULL);
  MPI_Info_create(&info);
  MPI_Info_set(MPI_Info_f2c(MPI_Info_c2f(info)), "key", "value");
  MPI_Info_get_nkeys(info, &result);
  CHECK_INT(result, 1);
  CHECK(MPI_Info_f2c(MPI_Info_c2f(MPI_INFO_NULL)) == MPI_INFO_NULL);
  MPI_Comm_get_errhandler(comm, &errhandler);
  CHECK(MPI_Errhandler_f2c(MPI_Errhandler_c2f(errhandler)) == errhandler);
  CHECK(MPI_Errhandler_f2c(MPI_Errhandler_c2f(MPI_ERRHANDLER_NULL)) == MPI_ERRHANDLER_NULL);
  CHECK(MPI_Win_f2c(MPI_Win_c2f(MPI_WIN_NULL)) == MPI_WIN_NULL);
  CHECK(MPI_File_f2c(MPI_File_c2f(MPI_FILE_NULL)) == MPI_FILE_NULL);
  MPI_Errhandler_free(&errhandler);
  MPI_Info_free(&info);
  MPI_Type_free(&type);
  MPI_Group_free(&group);
  MPI_Comm_free(&comm);
}

/* A message is received by handles that have been to Fortran, and the status goes there and back. */
static void messages(void) {
  const int from = world_size() - 1 - world_rank();
  int data[3], received[3];
  MPI_Request request;
  MPI_Message message;
  MPI_Status status, back;
  MPI_Fint foreign[MPI_F_STATUS_SIZE];
  MPI_F08_status modern;
  fill(data, 3, world_rank(), 7);
  MPI_Isend(data, 3, MPI_INT, from, 7, MPI_COMM_WORLD, &request);
  request = MPI_Request_f2c(MPI_Request_c2f(request));
  CHECK(MPI_Request_f2c(MPI_Request_c2f(MPI_REQUEST_NULL)) == MPI_REQUEST_NULL);
  MPI_Mprobe(from, 7, MPI_COMM_WORLD, &message, &status);
  message = MPI_Message_f2c(MPI_Message_c2f(message));
  CHECK(MPI_Message_f2c(MPI_Message_c2f(MPI_MESSAGE_NULL)) == MPI_MESSAGE_NULL);
  CHECK(MPI_Message_f2c(MPI_Message_c2f(MPI_MESSAGE_NO_PROC)) == MPI_MESSAGE_NO_PROC);
  status.MPI_ERROR = MPI_ERR_TYPE; /* goes with it */
  MPI_Mrecv(received, 3, MPI_INT, &message, &status);
  check_elements(received, 3, from, 7);
  MPI_Wait(&request, MPI_STATUS_IGNORE);

  MPI_Status_c2f(&status, foreign);
  CHECK_INT(foreign[MPI_F_SOURCE], from);
  CHECK_INT(foreign[MPI_F_TAG], 7);
  CHECK_INT(foreign[MPI_F_ERROR], MPI_ERR_TYPE);
  memset(&back, 0x55, sizeof back);
  MPI_Status_f2c(foreign, &back);
  check_status(&back, from, 7, 3);
  CHECK_INT(back.MPI_ERROR, MPI_ERR_TYPE);
  memset(&modern, 0x55, sizeof modern);
  MPI_Status_c2f08(&status, &modern);
  memset(foreign, 0x55, sizeof foreign);
  MPI_Status_f082f(&modern, foreign);
  memset(&modern, 0x55, sizeof modern);
  MPI_Status_f2f08(foreign, &modern);
  memset(&back, 0x55, sizeof back);
  MPI_Status_f082c(&modern, &back);
  check_status(&back, from, 7, 3);
}

static void errors(void) {
  MPI_Status status;
  MPI_F08_status modern;
  MPI_Fint foreign[MPI_F_STATUS_SIZE];
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  FAILS(MPI_Status_c2f(MPI_STATUS_IGNORE, foreign), MPI_ERR_ARG);
  FAILS(MPI_Status_c2f(&status, NULL), MPI_ERR_ARG);
  FAILS(MPI_Status_f2c(MPI_F_STATUS_IGNORE, &status), MPI_ERR_ARG);
  FAILS(MPI_Status_f2c(MPI_F_STATUSES_IGNORE, &status), MPI_ERR_ARG);
  FAILS(MPI_Status_c2f08(MPI_STATUSES_IGNORE, &modern), MPI_ERR_ARG);
  FAILS(MPI_Status_f082c(MPI_F08_STATUS_IGNORE, &status), MPI_ERR_ARG);
  FAILS(MPI_Status_f2f08(NULL, &modern), MPI_ERR_ARG);
  FAILS(MPI_Status_f082f(MPI_F08_STATUSES_IGNORE, foreign), MPI_ERR_ARG);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

int main(int argc, char** argv) {
  if (MPI_Comm_f2c(MPI_Comm_c2f(MPI_COMM_NULL)) != MPI_COMM_NULL) return 1; /* before MPI_Init too */
  MPI_Init(&argc, &argv);
  handles();
  messages();
  errors();
  return finish();
}
