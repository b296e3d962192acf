// Communicators made, freed and asked.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <span>

#include "mpi_impl/core/agreement.hpp"
#include "mpi_impl/core/process.hpp"

namespace hindcast::mpi::body {

namespace {

// What a rank brings to MPI_Comm_split, and what rank 0 answers.
struct Choice {
  int color;
  int key;
};
struct Part {
  std::uint32_t context;
  int group;  // as World::hand_over numbers it; -1 for MPI_COMM_NULL
};

template <typename Record>
std::span<const std::byte> bytes_of(const Record& record) {
  return std::as_bytes(std::span(&record, 1));
}
template <typename Record>
std::span<std::byte> writable_bytes_of(Record& record) {
  return std::as_writable_bytes(std::span(&record, 1));
}

// The ranks that chose a colour, sorted by colour, key and rank.
std::vector<int> sorted_by_choice(const std::vector<Choice>& choices) {
  std::vector<int> ranks;
  for (std::size_t rank = 0; rank < choices.size(); ++rank)
    if (choices[rank].color != MPI_UNDEFINED) ranks.push_back(static_cast<int>(rank));
  std::stable_sort(ranks.begin(), ranks.end(), [&](int a, int b) {
    const Choice& of_a = choices[static_cast<std::size_t>(a)];
    const Choice& of_b = choices[static_cast<std::size_t>(b)];
    return of_a.color != of_b.color ? of_a.color < of_b.color : of_a.key < of_b.key;
  });
  return ranks;
}

// On rank 0: a new context and group for every colour.
std::vector<Part> divide(World& world, const Comm& comm, const std::vector<Choice>& choices) {
  std::vector<Part> parts(choices.size(), Part{0, -1});
  const std::vector<int> ranks = sorted_by_choice(choices);
  for (std::size_t begin = 0; begin < ranks.size();) {
    const int color = choices[static_cast<std::size_t>(ranks[begin])].color;
    std::vector<int> members;
    std::size_t end = begin;
    for (; end < ranks.size() && choices[static_cast<std::size_t>(ranks[end])].color == color; ++end)
      members.push_back(comm.world_rank(ranks[end]));
    const Part part{world.new_context(), world.hand_over(world.groups().get(std::move(members)))};
    for (; begin < end; ++begin) parts[static_cast<std::size_t>(ranks[begin])] = part;
  }
  return parts;
}

}  // namespace

void Comm_size(Process&, Comm& comm, int& size) { size = comm.size; }
void Comm_rank(Process&, Comm& comm, int& rank) { rank = comm.rank; }
void Comm_test_inter(Process&, Comm&, int& flag) { flag = 0; }

void Comm_compare(Process&, Comm& a, Comm& b, int& result) {
  if (a.handle == b.handle) {
    result = MPI_IDENT;
    return;
  }
  const int groups = Group::compare(*a.group, *b.group);
  result = groups == MPI_IDENT ? MPI_CONGRUENT : groups;
}

void Comm_dup(Process& process, Comm& comm, MPI_Comm& handle) {
  std::uint32_t context = comm.rank == 0 ? process.world().new_context() : 0;
  broadcast_from_first(process, comm, writable_bytes_of(context));
  Comm& copy = make_comm(process, context, comm.group, *comm.errhandler);
  try {
    comm.attributes.copy_to(process, comm.handle, copy.attributes, copy.handle);
  } catch (const Error&) {
    free_comm(process, copy);
    handle = MPI_COMM_NULL;
    throw;
  }
  handle = copy.handle;
}

void Comm_split(Process& process, Comm& comm, int color, int key, MPI_Comm& handle) {
  const Choice mine{color, key};
  const std::vector<std::byte> gathered = gather_at_first(process, comm, bytes_of(mine));
  std::vector<Part> parts;
  if (comm.rank == 0) {
    std::vector<Choice> choices(static_cast<std::size_t>(comm.size));
    std::memcpy(choices.data(), gathered.data(), gathered.size());
    parts = divide(process.world(), comm, choices);
  }
  Part part{};
  scatter_from_first(process, comm, std::as_bytes(std::span(parts)), writable_bytes_of(part));
  handle = part.group < 0
               ? MPI_COMM_NULL
               : make_comm(process, part.context, process.world().take_over(part.group), *comm.errhandler).handle;
}

void Comm_free(Process& process, MPI_Comm& handle, Comm& comm) {
  comm.attributes.remove_all(process, comm.handle);
  handle = MPI_COMM_NULL;
  free_comm(process, comm);
}

void Comm_group(Process& process, Comm& comm, MPI_Group& handle) {
  GroupObject& group = process.groups.create();
  group.group = comm.group;
  handle = group.handle;
}

void Comm_set_name(Process&, Comm& comm, const char* name) {
  comm.given_name = std::make_unique<std::string>(name, strnlen(name, MPI_MAX_OBJECT_NAME - 1));
}

void Comm_get_name(Process&, Comm& comm, char* name, int& length) {
  std::string text;
  if (comm.given_name != nullptr)
    text = *comm.given_name;
  else if (is_predefined(HandleKind::comm, comm.handle))
    text = comm.name();
  std::memcpy(name, text.c_str(), text.size() + 1);
  length = static_cast<int>(text.size());
}

}  // namespace hindcast::mpi::body
