// One call of a program's: whose it is, what its arguments mean, and the line that it is refused with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "mpi_impl/native/shmem_pe.hpp"

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

  const char* function() const { return function_; }
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

  [[noreturn]] void refuse(const std::string& what) const;
  [[noreturn]] void refuse(Argument argument, const std::string& what) const;

 private:
  const char* function_;
  Pe& self_;
};

}  // namespace hindcast::shmem
