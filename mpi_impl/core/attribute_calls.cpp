// Keys of attributes, and the attributes of communicators and datatypes.
#include <cstring>

#include "mpi_impl/core/process.hpp"

// MPI_COMM_NULL_COPY_FN, MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN and the like for other objects.
#define PREDEFINED_CALLBACK extern "C" __attribute__((visibility("default")))

PREDEFINED_CALLBACK int hindcast_null_copy(int, int, void*, void*, void*, int* flag) {
  *flag = 0;
  return MPI_SUCCESS;
}

PREDEFINED_CALLBACK int hindcast_dup_copy(int, int, void*, void* value, void* copy, int* flag) {
  std::memcpy(copy, &value, sizeof value);
  *flag = 1;
  return MPI_SUCCESS;
}

PREDEFINED_CALLBACK int hindcast_null_delete(int, int, void*, void*) { return MPI_SUCCESS; }

namespace hindcast::mpi::body {

namespace {

// Programs get a pointer to the value. Every communicator has them.
const int* predefined_attribute(Process& process, int keyval) {
  static constexpr int host = MPI_PROC_NULL;
  static constexpr int io = MPI_ANY_SOURCE;  // any rank can
  static constexpr int clock_is_global = 1;  // one simulated clock
  switch (keyval) {
    case MPI_TAG_UB:
      return &process.tag_upper_bound;
    case MPI_HOST:
      return &host;
    case MPI_IO:
      return &io;
    case MPI_WTIME_IS_GLOBAL:
      return &clock_is_global;
    case MPI_UNIVERSE_SIZE:
      return &process.world().universe_size();
    case MPI_APPNUM:
      return &process.application;
    case MPI_LASTUSEDCODE:
      return &process.added_errors().last_used();
    default:
      return nullptr;
  }
}

}  // namespace

void Comm_create_keyval(Process& process, CopyAttribute* copy, DeleteAttribute* remove, int& handle,
                        void* extra_state) {
  handle = make_keyval(process, Keyval::Of::comm, copy, remove, extra_state).handle;
}
void Type_create_keyval(Process& process, CopyAttribute* copy, DeleteAttribute* remove, int& handle,
                        void* extra_state) {
  handle = make_keyval(process, Keyval::Of::type, copy, remove, extra_state).handle;
}
void Win_create_keyval(Process& process, CopyAttribute* copy, DeleteAttribute* remove, int& handle, void* extra_state) {
  handle = make_keyval(process, Keyval::Of::win, copy, remove, extra_state).handle;
}

namespace {

void free_key(Process& process, int& handle, Keyval& key) {
  handle = MPI_KEYVAL_INVALID;
  free_keyval(process, key);
}

}  // namespace

void Comm_free_keyval(Process& process, int& handle, Keyval& key) { free_key(process, handle, key); }
void Type_free_keyval(Process& process, int& handle, Keyval& key) { free_key(process, handle, key); }
void Win_free_keyval(Process& process, int& handle, Keyval& key) { free_key(process, handle, key); }

void Comm_set_attr(Process& process, Comm& comm, Keyval& key, void* value) {
  comm.attributes.set(process, comm.handle, key, value);
}

void Comm_get_attr(Process& process, Comm& comm, int keyval, void* place, int& flag) {
  const void* value = predefined_attribute(process, keyval);
  flag = value != nullptr;
  if (const Keyval* key = find_keyval(process, keyval, Keyval::Of::comm)) {
    void* const* found = comm.attributes.find(*key);
    flag = found != nullptr;
    if (flag) value = *found;
  }
  if (flag) std::memcpy(place, &value, sizeof value);
}

void Comm_delete_attr(Process& process, Comm& comm, Keyval& key) { comm.attributes.remove(process, comm.handle, key); }

void Type_set_attr(Process& process, const Datatype& type, Keyval& key, void* value) {
  process.datatypes.attributes_of(type).set(process, type.handle, key, value);
}

void Type_get_attr(Process& process, const Datatype& type, Keyval& key, void* place, int& flag) {
  void* const* found = process.datatypes.attributes_of(type).find(key);
  flag = found != nullptr;
  if (flag) std::memcpy(place, found, sizeof *found);
}

void Type_delete_attr(Process& process, const Datatype& type, Keyval& key) {
  process.datatypes.attributes_of(type).remove(process, type.handle, key);
}

}  // namespace hindcast::mpi::body
