// Communicators: a group, and a context that keeps its messages apart from all others'. An intercommunicator has a
// second group, the remote one, which all its messages go to and come from.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <string>

#include "mpi_impl/core/attributes.hpp"
#include "mpi_impl/core/communicators/group.hpp"
#include "mpi_impl/core/error.hpp"
#include "mpi_impl/core/handle.hpp"
#include "mpi_impl/core/info.hpp"
#include "mpi_impl/core/topologies/topology.hpp"

namespace hindcast::mpi {

class Levels;

struct Comm : Handled {
  // Each communicator has so many contexts: point to point, the collectives', and two for what the library does aside.
  static constexpr std::uint32_t contexts = 4;

  std::uint32_t context = 0;
  int rank = 0;
  int size = 0;
  std::uint32_t collectives_begun = 0;
  std::uint32_t persistents_made = 0;
  int uses = 0;                  // by operations in progress
  const Group* peers = nullptr;  // whom messages go to: the remote group, or the only one
  int peer_count = 0;
  bool freed = false;           // by the program, while there are uses
  bool comes_first = false;     // of two groups, this one decides; the other is told
  bool has_own_context = true;  // and not a part of an intercommunicator's, nor one that could not be had
  GroupPointer group;
  Errhandler* errhandler = nullptr;
  GroupPointer remote;  // null unless this is an intercommunicator
  TopologyPointer topology;
  std::shared_ptr<const Levels> levels;  // null until somebody has asked, and where there are none (World::levels_of)
  Comm* group_comm = nullptr;            // of an intercommunicator: the group's own, which the program does not see
  std::unique_ptr<std::string> given_name;
  std::unique_ptr<Hints> hints;
  Attributes attributes;

  bool is_inter() const { return remote != nullptr; }
  static std::uint32_t collective_context_of(std::uint32_t context) { return context + 1; }
  std::uint32_t collective_context() const { return collective_context_of(context); }
  std::uint32_t aside_context() const { return context + 2; }
  static bool is_collective(std::uint32_t context) { return (context & 1) != 0; }
  // All members begin the same collectives in the same order, so each has the same tag everywhere. Every endpoint has
  // these tags.
  int next_collective_tag() { return static_cast<int>(collectives_begun++ & 0x3fff); }
  // A persistent one keeps its tag, so that members may start theirs in different orders.
  int next_persistent_tag() { return static_cast<int>(0x4000 | (persistents_made++ & 0x3fff)); }
  // Of a rank that messages go to.
  int world_rank(int of_rank) const { return peers->world_rank(of_rank); }
  // What the members of the group do among themselves.
  Comm& within_group();

  std::string name() const;  // for messages
};

class Process;
struct Info;

// Null takes them away.
void set_hints(Comm& comm, const Info* info);

Comm& make_comm(Process& process, std::uint32_t context, GroupPointer group, Errhandler& errhandler);
Comm& make_intercomm(Process& process, std::uint32_t context, GroupPointer group, GroupPointer remote,
                     Errhandler& errhandler);
// With the groups, error handler, topology, hints and attributes of another. Throws what a callback's failure throws.
// A duplicate that is given context 0 has none yet.
Comm& make_duplicate(Process& process, std::uint32_t context, Comm& of);
// To be made in the order of the constants, before any other.
Comm& make_predefined_comm(Process& process, std::uint32_t context, GroupPointer group, Errhandler& errhandler);
// What the program can no longer name goes when nothing uses it any more.
void free_comm(Process& process, Comm& comm);
inline void stop_using(Process& process, Comm& comm) {
  if (--comm.uses == 0 && comm.freed) [[unlikely]]
    free_comm(process, comm);
}
// Keeps a communicator that the program has freed for the error of an operation which may be the last use of it.
std::shared_ptr<const Comm> hold(Process& process, Comm& comm);

// The one that an object has, by another.
void replace_errhandler(Process& process, Errhandler*& of_object, Errhandler& errhandler);
// Called when a handle is given back, or a use ends.
void free_errhandler_if_unused(Process& process, Errhandler& errhandler);

}  // namespace hindcast::mpi
