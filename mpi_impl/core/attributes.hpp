// Attributes: what a program keeps with a communicator, datatype or window under a key of its own, and the callbacks
// that copy and delete it.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "mpi_impl/core/handle.hpp"

namespace hindcast::mpi {

class Process;

// The same C types for all kinds of objects, because all handles are ints.
using CopyAttribute = MPI_Comm_copy_attr_function;
using DeleteAttribute = MPI_Comm_delete_attr_function;

struct Keyval : Handled {
  enum class Of : std::uint8_t { comm, type, win };
  Of of = Of::comm;
  bool freed = false;  // by the program: it goes when no attribute has it any more
  int uses = 0;        // by attributes
  CopyAttribute* copy = nullptr;
  DeleteAttribute* remove = nullptr;
  void* extra_state = nullptr;
  // In Fortran a value is an integer, and the callbacks of a key made there are given that: as a pointer.
  bool is_of_fortran = false;
  std::shared_ptr<void> owned_extra_state;  // null if it is the program's
};

Keyval& make_keyval(Process& process, Keyval::Of of, CopyAttribute* copy, DeleteAttribute* remove, void* extra_state);
void free_keyval(Process& process, Keyval& key);

// Null unless the handle is that of a key of the program's for such objects. One that was freed can still be asked for
// and deleted while attributes have it; no attribute can be set with it.
Keyval* find_keyval(Process& process, int handle, Keyval::Of of);
Keyval* find_settable_keyval(Process& process, int handle, Keyval::Of of);

// The attributes of one object, whose handle the callbacks are given. A callback that fails ends the call with an
// Error; it may itself set and delete attributes.
class Attributes {
 public:
  // Null if there is none with this key.
  void* const* find(const Keyval& key) const;
  // Deletes one that was set before.
  void set(Process& process, int object, Keyval& key, void* value);
  // Of one just set, which Fortran has: C sees a pointer to it.
  void make_integer(const Keyval& key, MPI_Aint value);
  // Null unless the value is such an integer.
  const MPI_Aint* find_integer(const Keyval& key) const;
  void remove(Process& process, int object, Keyval& key);  // if there is one
  // The last one set goes first.
  void remove_all(Process& process, int object);
  // Without their callbacks, one of which has failed.
  void forget_all(Process& process);
  // Into those of an object just made. If a callback fails, what was copied is deleted again.
  void copy_to(Process& process, int object, Attributes& copies, int copy_object) const;

 private:
  struct Attribute {
    Keyval* key;
    void* value;
    std::shared_ptr<MPI_Aint> integer;  // to which the value then points
  };
  static void* as_seen_by_callback(const Attribute& attribute);
  static Attribute copied(const Attribute& original, void* copy);

  std::vector<Attribute> attributes_;  // in the order of setting
};

}  // namespace hindcast::mpi
