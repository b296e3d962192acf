// One call of a program's: whose it is, what its arguments mean, and the line that it is refused with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "mpi_impl/libraries/cray/native/pe.hpp"
#include "simulator/programs/process/library_call.hpp"

namespace hindcast::shmem {

// As a line that refuses it names it.
struct Argument {
  int number;
  const char* name;
};

// So many elements, each of so many bytes.
struct Elements {
  std::size_t bytes_each;
  std::size_t length;

  Bytes bytes() const { return Bytes(bytes_each * length); }
};

class Call {
 public:
  // By a rank's thread. Ends the run if there is no SHMEM here.
  explicit Call(const char* function);
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  const char* function() const { return call_.function(); }
  Pe& self() const { return self_; }
  int me() const { return self_.number(); }
  int pes() const { return self_.system().pes(); }

  // These end the run where an argument is wrong.
  void check_pe(int pe, Argument argument) const;
  void check_length(const Elements& elements, Argument argument) const;
  void check_here(const void* memory, Argument argument) const;
  // Memory of the caller's own that must be symmetric.
  void check_symmetric(const volatile void* memory, Bytes bytes, Argument argument) const;
  // The same memory on another PE.
  void* there(int pe, const volatile void* memory, Bytes bytes, Argument argument) const;
  // The PE that keeps what is true of a symmetric variable for all of them: the same wherever it is asked.
  int home_of(const volatile void* variable) const;

  // For a recorder: the caller's next operation is a message to another PE; this one has come.
  void mark_sent(Bytes bytes, int pe) const;
  void mark_received(MessageId message, Bytes bytes) const;

  [[noreturn]] void refuse(const std::string& what) const;
  [[noreturn]] void refuse(Argument argument, const std::string& what) const;

 private:
  const programs::LibraryCall call_;
  Pe& self_;
};

// For a recorder: the operation made meanwhile is a message of the caller's to itself, which ends with the answer.
class AnswerMarks {
 public:
  AnswerMarks(const Call& call, Bytes bytes) : call_(call), bytes_(bytes), message_(call.self().upcoming_message()) {
    call.mark_sent(bytes, call.me());
  }
  ~AnswerMarks() { call_.mark_received(message_, bytes_); }
  AnswerMarks(const AnswerMarks&) = delete;
  AnswerMarks& operator=(const AnswerMarks&) = delete;

 private:
  const Call& call_;
  const Bytes bytes_;
  const MessageId message_;
};

}  // namespace hindcast::shmem
