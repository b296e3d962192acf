// Communicators: a group, and a context that keeps its messages apart from all others'.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <string>

#include "mpi_impl/core/attributes.hpp"
#include "mpi_impl/core/error.hpp"
#include "mpi_impl/core/group.hpp"
#include "mpi_impl/core/handle.hpp"

namespace hindcast::mpi {

struct Comm : Handled {
  std::uint32_t context = 0;  // point to point; the next one is the collectives'
  int rank = 0;
  int size = 0;
  std::uint32_t collectives_begun = 0;
  GroupPointer group;
  Errhandler* errhandler = nullptr;
  int uses = 0;        // by operations in progress
  bool freed = false;  // by the program, while there are uses
  std::unique_ptr<std::string> given_name;
  Attributes attributes;

  std::uint32_t collective_context() const { return context + 1; }
  static bool is_collective(std::uint32_t context) { return (context & 1) != 0; }
  // All members begin the same collectives in the same order, so each has the same tag everywhere. Every device has
  // these tags.
  int next_collective_tag() { return static_cast<int>(collectives_begun++ & 0x7fff); }
  int world_rank(int of_rank) const { return group->world_rank(of_rank); }

  std::string name() const;  // for messages
};

class Process;

Comm& make_comm(Process& process, std::uint32_t context, GroupPointer group, Errhandler& errhandler);
// To be made in the order of the constants, before any other.
Comm& make_predefined_comm(Process& process, std::uint32_t context, GroupPointer group, Errhandler& errhandler);
// What the program can no longer name goes when nothing uses it any more.
void free_comm(Process& process, Comm& comm);
void stop_using(Process& process, Comm& comm);

void set_errhandler(Process& process, Comm& comm, Errhandler& errhandler);
// Called when a handle is given back, or a use ends.
void free_errhandler_if_unused(Process& process, Errhandler& errhandler);

}  // namespace hindcast::mpi
