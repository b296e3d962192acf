// Reads and writes. Those that a call begins and another ends are done in the first: a rank's own part of an access
// waits for nobody, and takes the processor's time.
#include <cstddef>
#include <cstring>
#include <string>

#include "mpi_impl/core/files/data_access.hpp"
#include "mpi_impl/core/process.hpp"

namespace hindcast::mpi::body {

namespace {

constexpr AccessWay reading = AccessWay::read, writing = AccessWay::write;

AccessArguments memory(const void* elements, int count, const Datatype& type) {
  return {const_cast<void*>(elements), count, type};  // only read by a write
}

void tell(MPI_Status* status, std::size_t bytes) {
  if (status == MPI_STATUS_IGNORE) return;
  const int error = status->MPI_ERROR;
  set_empty_status(status);
  status->MPI_ERROR = error;
  status->hindcast_bytes = static_cast<MPI_Count>(bytes);
}

class EndedAccess final : public Activity {
 public:
  explicit EndedAccess(std::size_t bytes) : Activity(*Thread::current()), bytes_(bytes) { end_now(); }
  Time round_is_over_at() const override { return Time::never(); }
  void go_on() override {}
  BlockedOn describe() const override { return {}; }
  void tell(MPI_Status& status) const override { status.hindcast_bytes = static_cast<MPI_Count>(bytes_); }
  bool may_be_freed() const override { return true; }
  const char* name() const override { return "an access to a file"; }

 private:
  const std::size_t bytes_;
};

void give_request(Process& process, File& file, std::size_t bytes, MPI_Request& handle) {
  handle = make_request(process, *file.comm, std::make_unique<EndedAccess>(bytes)).handle;
}

void require_no_split(const File& file) {
  if (file.split)
    throw Error{MPI_ERR_OTHER,
                "another access of two calls has begun on this file; end it first by " + file.split->ends_with};
}

// The call that begins an access, MPI_File_..._begin, gives the name of the one that ends it.
void begin_split(const Process& process, File& file, std::size_t bytes) {
  std::string name = process.call()->name;
  name.replace(name.rfind("begin"), std::string::npos, "end");
  file.split = SplitAccess{std::move(name), bytes};
}

}  // namespace

void File_read_at(Process& process, File& file, MPI_Offset offset, void* elements, int count, const Datatype& type,
                  MPI_Status* status) {
  tell(status, access_at(process, file, reading, offset, memory(elements, count, type)));
}
void File_write_at(Process& process, File& file, MPI_Offset offset, const void* elements, int count,
                   const Datatype& type, MPI_Status* status) {
  tell(status, access_at(process, file, writing, offset, memory(elements, count, type)));
}
void File_read(Process& process, File& file, void* elements, int count, const Datatype& type, MPI_Status* status) {
  tell(status, access_at_own_pointer(process, file, reading, memory(elements, count, type)));
}
void File_write(Process& process, File& file, const void* elements, int count, const Datatype& type,
                MPI_Status* status) {
  tell(status, access_at_own_pointer(process, file, writing, memory(elements, count, type)));
}
void File_read_shared(Process& process, File& file, void* elements, int count, const Datatype& type,
                      MPI_Status* status) {
  tell(status, access_at_shared_pointer(process, file, reading, memory(elements, count, type)));
}
void File_write_shared(Process& process, File& file, const void* elements, int count, const Datatype& type,
                       MPI_Status* status) {
  tell(status, access_at_shared_pointer(process, file, writing, memory(elements, count, type)));
}
void File_read_ordered(Process& process, File& file, void* elements, int count, const Datatype& type,
                       MPI_Status* status) {
  tell(status, access_in_order(process, file, reading, memory(elements, count, type)));
}
void File_write_ordered(Process& process, File& file, const void* elements, int count, const Datatype& type,
                        MPI_Status* status) {
  tell(status, access_in_order(process, file, writing, memory(elements, count, type)));
}

// --- with a request ---

void File_iread_at(Process& process, File& file, MPI_Offset offset, void* elements, int count, const Datatype& type,
                   MPI_Request& request) {
  give_request(process, file, access_at(process, file, reading, offset, memory(elements, count, type)), request);
}
void File_iwrite_at(Process& process, File& file, MPI_Offset offset, const void* elements, int count,
                    const Datatype& type, MPI_Request& request) {
  give_request(process, file, access_at(process, file, writing, offset, memory(elements, count, type)), request);
}
void File_iread(Process& process, File& file, void* elements, int count, const Datatype& type, MPI_Request& request) {
  give_request(process, file, access_at_own_pointer(process, file, reading, memory(elements, count, type)), request);
}
void File_iwrite(Process& process, File& file, const void* elements, int count, const Datatype& type,
                 MPI_Request& request) {
  give_request(process, file, access_at_own_pointer(process, file, writing, memory(elements, count, type)), request);
}
void File_iread_shared(Process& process, File& file, void* elements, int count, const Datatype& type,
                       MPI_Request& request) {
  give_request(process, file, access_at_shared_pointer(process, file, reading, memory(elements, count, type)), request);
}
void File_iwrite_shared(Process& process, File& file, const void* elements, int count, const Datatype& type,
                        MPI_Request& request) {
  give_request(process, file, access_at_shared_pointer(process, file, writing, memory(elements, count, type)), request);
}

// --- of two calls ---

void File_read_at_all_begin(Process& process, File& file, MPI_Offset offset, void* elements, int count,
                            const Datatype& type) {
  require_no_split(file);
  begin_split(process, file, access_at(process, file, reading, offset, memory(elements, count, type)));
}
void File_write_at_all_begin(Process& process, File& file, MPI_Offset offset, const void* elements, int count,
                             const Datatype& type) {
  require_no_split(file);
  begin_split(process, file, access_at(process, file, writing, offset, memory(elements, count, type)));
}
void File_read_all_begin(Process& process, File& file, void* elements, int count, const Datatype& type) {
  require_no_split(file);
  begin_split(process, file, access_at_own_pointer(process, file, reading, memory(elements, count, type)));
}
void File_write_all_begin(Process& process, File& file, const void* elements, int count, const Datatype& type) {
  require_no_split(file);
  begin_split(process, file, access_at_own_pointer(process, file, writing, memory(elements, count, type)));
}
void File_read_ordered_begin(Process& process, File& file, void* elements, int count, const Datatype& type) {
  require_no_split(file);
  begin_split(process, file, access_in_order(process, file, reading, memory(elements, count, type)));
}
void File_write_ordered_begin(Process& process, File& file, const void* elements, int count, const Datatype& type) {
  require_no_split(file);
  begin_split(process, file, access_in_order(process, file, writing, memory(elements, count, type)));
}

// All calls that end an access of two calls come here.
void File_end(Process& process, File& file, const void*, MPI_Status* status) {
  if (!file.split) throw Error{MPI_ERR_OTHER, "no access of two calls has begun on this file"};
  if (file.split->ends_with != process.call()->name)
    throw Error{MPI_ERR_OTHER, "the access that has begun on this file is ended by " + file.split->ends_with};
  tell(status, file.split->bytes);
  file.split.reset();
}

}  // namespace hindcast::mpi::body
