// Functions that Fortran calls with other things than C does: attributes are integers, callbacks take addresses of all
// their arguments, and MPI_Init has none.
#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "mpi_impl/api/fortran/entry.hpp"
#include "mpi_impl/core/windows/windows.hpp"

using namespace hindcast;
using namespace hindcast::mpi;
using namespace hindcast::mpi::fortran;

namespace {

// --- keys of attributes ---

template <typename Integer>
using CopyInFortran = void(int* object, int* keyval, Integer* extra_state, Integer* value, Integer* copy, int* flag,
                           int* ierror);
template <typename Integer>
using DeleteInFortran = void(int* object, int* keyval, Integer* value, Integer* extra_state, int* ierror);

template <typename Integer>
struct KeyOfFortran {
  CopyInFortran<Integer>* copy;
  DeleteInFortran<Integer>* remove;
  Integer extra_state;
};

template <typename Integer>
int copy_attribute(int object, int keyval, void* key, void* value, void* copy, int* flag) {
  auto& of_fortran = *static_cast<KeyOfFortran<Integer>*>(key);
  auto given = static_cast<Integer>(reinterpret_cast<MPI_Aint>(value));
  Integer copied = 0;
  int code = MPI_SUCCESS;
  of_fortran.copy(&object, &keyval, &of_fortran.extra_state, &given, &copied, flag, &code);
  const MPI_Aint result = copied;
  std::memcpy(copy, &result, sizeof result);
  return code;
}

template <typename Integer>
int delete_attribute(int object, int keyval, void* value, void* key) {
  auto& of_fortran = *static_cast<KeyOfFortran<Integer>*>(key);
  auto given = static_cast<Integer>(reinterpret_cast<MPI_Aint>(value));
  int code = MPI_SUCCESS;
  of_fortran.remove(&object, &keyval, &given, &of_fortran.extra_state, &code);
  return code;
}

template <typename Integer, typename Create>
void create_key(Create create, CopyInFortran<Integer>* copy, DeleteInFortran<Integer>* remove, int* keyval,
                const Integer* extra_state, int* ierror) {
  auto key = std::make_shared<KeyOfFortran<Integer>>(KeyOfFortran<Integer>{copy, remove, *extra_state});
  const int code = create(copy_attribute<Integer>, delete_attribute<Integer>, keyval, key.get());
  if (code == MPI_SUCCESS) {
    Keyval& made = *calling_process()->keyvals.find(*keyval);
    made.is_of_fortran = true;
    made.owned_extra_state = std::move(key);
  }
  give(ierror, code);
}

// --- values of attributes ---

void set_integer(Attributes& attributes, int keyval, MPI_Aint value) {
  attributes.make_integer(*calling_process()->keyvals.find(keyval), value);
}

// C has a pointer to a predefined one, and what its programs set is the pointer itself.
MPI_Aint as_integer(const Attributes& attributes, int keyval, void* value) {
  const Keyval* key = calling_process()->keyvals.find(keyval);
  if (key == nullptr) return *static_cast<const int*>(value);
  const MPI_Aint* integer = attributes.find_integer(*key);
  return integer != nullptr ? *integer : reinterpret_cast<MPI_Aint>(value);
}

template <typename Integer>
void set_comm_attribute(const int* comm, const int* keyval, const Integer* value, int* ierror) {
  const int code = PMPI_Comm_set_attr(*comm, *keyval, nullptr);
  if (code == MPI_SUCCESS) set_integer(calling_process()->comms.find(*comm)->attributes, *keyval, *value);
  give(ierror, code);
}

template <typename Integer>
void get_comm_attribute(const int* comm, const int* keyval, Integer* value, int* flag, int* ierror) {
  void* found = nullptr;
  const int code = PMPI_Comm_get_attr(*comm, *keyval, static_cast<void*>(&found), flag);
  if (code == MPI_SUCCESS && *flag != 0)
    *value = static_cast<Integer>(as_integer(calling_process()->comms.find(*comm)->attributes, *keyval, found));
  give(ierror, code);
}

Attributes& attributes_of_type(int datatype) {
  Process& process = *calling_process();
  return process.datatypes.attributes_of(*process.datatypes.find(datatype));
}

// --- generalized requests ---

struct RequestOfFortran {
  void (*query)(MPI_Aint* extra_state, MPI_Status* status, int* ierror);
  void (*free)(MPI_Aint* extra_state, int* ierror);
  void (*cancel)(MPI_Aint* extra_state, int* complete, int* ierror);
  MPI_Aint extra_state;
};

int query_request(void* request, MPI_Status* status) {
  auto& of_fortran = *static_cast<RequestOfFortran*>(request);
  int code = MPI_SUCCESS;
  of_fortran.query(&of_fortran.extra_state, status, &code);
  return code;
}

int free_request(void* request) {
  const std::unique_ptr<RequestOfFortran> of_fortran(static_cast<RequestOfFortran*>(request));
  int code = MPI_SUCCESS;
  of_fortran->free(&of_fortran->extra_state, &code);
  return code;
}

int cancel_request(void* request, int complete) {
  auto& of_fortran = *static_cast<RequestOfFortran*>(request);
  int code = MPI_SUCCESS;
  of_fortran.cancel(&of_fortran.extra_state, &complete, &code);
  return code;
}

}  // namespace

// Fortran's name, and the profiling interface's.
#define FORTRAN_ENTRY(name, parameters)                       \
  MPI_ENTRY void pmpi_##name##_ parameters;                   \
  MPI_ALIAS("pmpi_" #name "_") void mpi_##name##_ parameters; \
  MPI_ENTRY void pmpi_##name##_ parameters

FORTRAN_ENTRY(init, (int* ierror)) { give(ierror, PMPI_Init(nullptr, nullptr)); }
FORTRAN_ENTRY(init_thread, (const int* required, int* provided, int* ierror)) {
  give(ierror, PMPI_Init_thread(nullptr, nullptr, *required, provided));
}
FORTRAN_ENTRY(pcontrol, (const int* level)) { PMPI_Pcontrol(*level); }

// By another name where the module mpi has a pointer of C's instead of an address.
FORTRAN_ENTRY(alloc_mem_cptr, (const MPI_Aint* size, const int* info, void* place, int* ierror)) {
  give(ierror, PMPI_Alloc_mem(*size, *info, place));
}
FORTRAN_ENTRY(win_allocate_cptr, (const MPI_Aint* size, const int* disp_unit, const int* info, const int* comm,
                                  void* place, int* win, int* ierror)) {
  give(ierror, PMPI_Win_allocate(*size, *disp_unit, *info, *comm, place, win));
}
FORTRAN_ENTRY(win_allocate_shared_cptr, (const MPI_Aint* size, const int* disp_unit, const int* info, const int* comm,
                                         void* place, int* win, int* ierror)) {
  give(ierror, PMPI_Win_allocate_shared(*size, *disp_unit, *info, *comm, place, win));
}
FORTRAN_ENTRY(win_shared_query_cptr,
              (const int* win, const int* rank, MPI_Aint* size, int* disp_unit, void* place, int* ierror)) {
  give(ierror, PMPI_Win_shared_query(*win, *rank, size, disp_unit, place));
}

// Where the buffer is Fortran only learns by mpi_f08.
FORTRAN_ENTRY(buffer_detach, (void*, int* size, int* ierror)) {
  void* buffer = nullptr;
  give(ierror, PMPI_Buffer_detach(static_cast<void*>(&buffer), size));
}
FORTRAN_ENTRY(buffer_detach_f08ts, (void** buffer, int* size, int* ierror)) {
  give(ierror, PMPI_Buffer_detach(static_cast<void*>(buffer), size));
}

FORTRAN_ENTRY(comm_create_keyval, (CopyInFortran<MPI_Aint> * copy, DeleteInFortran<MPI_Aint>* remove, int* keyval,
                                   const MPI_Aint* extra_state, int* ierror)) {
  create_key(PMPI_Comm_create_keyval, copy, remove, keyval, extra_state, ierror);
}
FORTRAN_ENTRY(type_create_keyval, (CopyInFortran<MPI_Aint> * copy, DeleteInFortran<MPI_Aint>* remove, int* keyval,
                                   const MPI_Aint* extra_state, int* ierror)) {
  create_key(PMPI_Type_create_keyval, copy, remove, keyval, extra_state, ierror);
}
FORTRAN_ENTRY(win_create_keyval, (CopyInFortran<MPI_Aint> * copy, DeleteInFortran<MPI_Aint>* remove, int* keyval,
                                  const MPI_Aint* extra_state, int* ierror)) {
  create_key(PMPI_Win_create_keyval, copy, remove, keyval, extra_state, ierror);
}
FORTRAN_ENTRY(keyval_create, (CopyInFortran<int> * copy, DeleteInFortran<int>* remove, int* keyval,
                              const int* extra_state, int* ierror)) {
  create_key(PMPI_Keyval_create, copy, remove, keyval, extra_state, ierror);
}

FORTRAN_ENTRY(comm_set_attr, (const int* comm, const int* keyval, const MPI_Aint* value, int* ierror)) {
  set_comm_attribute(comm, keyval, value, ierror);
}
FORTRAN_ENTRY(attr_put, (const int* comm, const int* keyval, const int* value, int* ierror)) {
  set_comm_attribute(comm, keyval, value, ierror);
}
FORTRAN_ENTRY(comm_get_attr, (const int* comm, const int* keyval, MPI_Aint* value, int* flag, int* ierror)) {
  get_comm_attribute(comm, keyval, value, flag, ierror);
}
FORTRAN_ENTRY(attr_get, (const int* comm, const int* keyval, int* value, int* flag, int* ierror)) {
  get_comm_attribute(comm, keyval, value, flag, ierror);
}
FORTRAN_ENTRY(type_set_attr, (const int* datatype, const int* keyval, const MPI_Aint* value, int* ierror)) {
  const int code = PMPI_Type_set_attr(*datatype, *keyval, nullptr);
  if (code == MPI_SUCCESS) set_integer(attributes_of_type(*datatype), *keyval, *value);
  give(ierror, code);
}
FORTRAN_ENTRY(type_get_attr, (const int* datatype, const int* keyval, MPI_Aint* value, int* flag, int* ierror)) {
  void* found = nullptr;
  const int code = PMPI_Type_get_attr(*datatype, *keyval, static_cast<void*>(&found), flag);
  if (code == MPI_SUCCESS && *flag != 0) *value = as_integer(attributes_of_type(*datatype), *keyval, found);
  give(ierror, code);
}

FORTRAN_ENTRY(win_set_attr, (const int* win, const int* keyval, const MPI_Aint* value, int* ierror)) {
  const int code = PMPI_Win_set_attr(*win, *keyval, nullptr);
  if (code == MPI_SUCCESS) set_integer(calling_process()->windows().find(*win)->attributes, *keyval, *value);
  give(ierror, code);
}
// The base is an address here too; the others are pointers to integers in C.
FORTRAN_ENTRY(win_get_attr, (const int* win, const int* keyval, MPI_Aint* value, int* flag, int* ierror)) {
  void* found = nullptr;
  const int code = PMPI_Win_get_attr(*win, *keyval, static_cast<void*>(&found), flag);
  if (code == MPI_SUCCESS && *flag != 0) {
    if (*keyval == MPI_WIN_BASE)
      *value = reinterpret_cast<MPI_Aint>(found);
    else if (*keyval == MPI_WIN_SIZE)
      *value = *static_cast<const MPI_Aint*>(found);
    else
      *value = as_integer(calling_process()->windows().find(*win)->attributes, *keyval, found);
  }
  give(ierror, code);
}

FORTRAN_ENTRY(grequest_start,
              (void (*query)(MPI_Aint*, MPI_Status*, int*), void (*free)(MPI_Aint*, int*),
               void (*cancel)(MPI_Aint*, int*, int*), const MPI_Aint* extra_state, int* request, int* ierror)) {
  auto of_fortran = std::make_unique<RequestOfFortran>(RequestOfFortran{query, free, cancel, *extra_state});
  const int code = PMPI_Grequest_start(query_request, free_request, cancel_request, of_fortran.get(), request);
  if (code == MPI_SUCCESS) [[maybe_unused]]
    auto* owned_by_request = of_fortran.release();
  give(ierror, code);
}

// --- processes: what stands in arrays of texts matters at the root ---

FORTRAN_ENTRY(comm_spawn, (const char* command, const char* arguments, const int* ranks, const int* info,
                           const int* root, const int* comm, int* children, int* codes, int* ierror,
                           std::size_t command_length, std::size_t argument_length)) {
  int rank = MPI_PROC_NULL;
  if (const int code = PMPI_Comm_rank(*comm, &rank); code != MPI_SUCCESS) return give(ierror, code);
  const bool has_arguments = rank == *root && static_cast<const void*>(arguments) != MPI_ARGV_NULL;
  Texts list = has_arguments ? Texts::until_blank(arguments, argument_length) : Texts(nullptr, 0, 0);
  const Text name(command, rank == *root ? command_length : 0);
  give(ierror, PMPI_Comm_spawn(name.c_str(), list.data(), *ranks, *info, *root, *comm, children, codes));
}

FORTRAN_ENTRY(comm_spawn_multiple, (const int* count, const char* commands, const char* arguments, const int* ranks,
                                    const int* infos, const int* root, const int* comm, int* children, int* codes,
                                    int* ierror, std::size_t command_length, std::size_t argument_length)) {
  int rank = MPI_PROC_NULL;
  if (const int code = PMPI_Comm_rank(*comm, &rank); code != MPI_SUCCESS) return give(ierror, code);
  const int programs = rank == *root ? std::max(*count, 0) : 0;
  Texts names(commands, command_length, programs);
  std::vector<Texts> lists;
  std::vector<char**> pointers;
  const bool has_arguments = static_cast<const void*>(arguments) != MPI_ARGVS_NULL;
  for (int i = 0; i < programs && has_arguments; ++i)
    lists.push_back(
        Texts::until_blank(arguments + static_cast<std::size_t>(i) * argument_length, argument_length, programs));
  for (Texts& list : lists) pointers.push_back(list.data());
  give(ierror, PMPI_Comm_spawn_multiple(*count, names.data(), has_arguments ? pointers.data() : MPI_ARGVS_NULL, ranks,
                                        infos, *root, *comm, children, codes));
}

// --- callbacks that Fortran may name: MPI_COMM_DUP_FN and its kin ---

namespace {

template <typename Integer>
void null_copy(int*, int*, Integer*, Integer*, Integer*, int* flag, int* ierror) {
  *flag = 0;
  *ierror = MPI_SUCCESS;
}
template <typename Integer>
void dup_copy(int*, int*, Integer*, Integer* value, Integer* copy, int* flag, int* ierror) {
  *copy = *value;
  *flag = 1;
  *ierror = MPI_SUCCESS;
}
template <typename Integer>
void null_delete(int*, int*, Integer*, Integer*, int* ierror) {
  *ierror = MPI_SUCCESS;
}

}  // namespace

#define PREDEFINED_CALLBACKS(of, Integer)                                                                         \
  MPI_ENTRY void mpi_##of##null_copy_fn_(int* object, int* keyval, Integer* extra_state, Integer* value,          \
                                         Integer* copy, int* flag, int* ierror) {                                 \
    null_copy(object, keyval, extra_state, value, copy, flag, ierror);                                            \
  }                                                                                                               \
  MPI_ENTRY void mpi_##of##dup_fn_(int* object, int* keyval, Integer* extra_state, Integer* value, Integer* copy, \
                                   int* flag, int* ierror) {                                                      \
    dup_copy(object, keyval, extra_state, value, copy, flag, ierror);                                             \
  }                                                                                                               \
  MPI_ENTRY void mpi_##of##null_delete_fn_(int* object, int* keyval, Integer* value, Integer* extra_state,        \
                                           int* ierror) {                                                         \
    null_delete(object, keyval, value, extra_state, ierror);                                                      \
  }
PREDEFINED_CALLBACKS(comm_, MPI_Aint)
PREDEFINED_CALLBACKS(type_, MPI_Aint)
PREDEFINED_CALLBACKS(win_, MPI_Aint)
PREDEFINED_CALLBACKS(, int)

// --- for the compiler only ---

// Fortran counts no end of a text.
FORTRAN_ENTRY(info_get_string, (const int* info, char* key, int* buflen, char* value, int* flag, int* ierror,
                                std::size_t key_length, std::size_t value_length)) {
  const Text key_text(key, key_length);
  char text[longest_text + 1] = {};
  int space = std::min(*buflen, static_cast<int>(longest_text)) + (*buflen > 0 ? 1 : 0);
  const int room = space;
  const int code = PMPI_Info_get_string(*info, key_text.c_str(), &space, text, flag);
  if (code == MPI_SUCCESS && *flag != 0) {
    *buflen = space - 1;
    if (room > 0) give_text(value, value_length, text);
  }
  give(ierror, code);
}

// A call of something unknown to it is enough.
MPI_ENTRY void pmpi_f_sync_reg_(void*) {}
MPI_ALIAS("pmpi_f_sync_reg_") void mpi_f_sync_reg_(void*);
MPI_ENTRY void pmpi_f_sync_reg_f08ts_(void*) {}
MPI_ALIAS("pmpi_f_sync_reg_f08ts_") void mpi_f_sync_reg_f08ts_(void*);
