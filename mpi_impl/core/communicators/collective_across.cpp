#include "mpi_impl/core/communicators/collective_across.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "mpi_impl/core/communicators/collective_order.hpp"
#include "mpi_impl/core/communicators/communicator.hpp"

namespace hindcast::mpi {

namespace {

std::string described_root(int root) {
  if (root == MPI_ROOT) return "MPI_ROOT";
  if (root == MPI_PROC_NULL) return "MPI_PROC_NULL";
  return fmt::format("root {}", root);
}

}  // namespace

const CollectivesAcross::Speaker* CollectivesAcross::first_beside(const Said& said, int group) {
  const auto found = said.beside.lower_bound({group, 0});
  return found != said.beside.end() && found->second.group == group ? &found->second : nullptr;
}

// Who contradicts a member that gives MPI_ROOT; null: nobody so far.
const CollectivesAcross::Speaker* CollectivesAcross::against_root(const Said& said, const Speaker& me,
                                                                  int other_group) {
  if (said.root) return &*said.root;
  if (said.named && (said.named->group == me.group || said.named_root != me.rank)) return &*said.named;
  return first_beside(said, other_group);
}

// Who contradicts a member that names one of the other group as the root; null: nobody so far.
const CollectivesAcross::Speaker* CollectivesAcross::against_named(const Said& said, const Speaker& me, int root,
                                                                   int other_group) {
  if (said.named && (said.named->group != me.group || said.named_root != root)) return &*said.named;
  if (said.root && (said.root->group == me.group || said.root->rank != root)) return &*said.root;
  if (const auto found = said.beside.find({other_group, root}); found != said.beside.end()) return &found->second;
  return first_beside(said, me.group);
}

// Who contradicts a member that gives MPI_PROC_NULL; null: nobody so far.
const CollectivesAcross::Speaker* CollectivesAcross::against_beside(const Said& said, const Speaker& me) {
  if (said.root && said.root->group != me.group) return &*said.root;
  if (said.named && (said.named->group == me.group || said.named_root == me.rank)) return &*said.named;
  return nullptr;
}

Error CollectivesAcross::error(const Comm& comm, const Speaker& me, const Speaker& other, const Words& words) {
  return {MPI_ERR_OTHER,
          fmt::format("rank {} of {}{} has called {}{} where this rank calls {}; {}", other.rank,
                      other.group == me.group ? "" : "the other group of ", comm.name(), words.theirs,
                      other.where ? fmt::format(" (in {})", other.where.text()) : "", words.mine, words.rule),
          &comm};
}

void CollectivesAcross::look_at_root(Said& said, const Comm& comm, const Speaker& me, int root) {
  const int other_group = comm.remote->world_rank(0);
  const Speaker* const against = root == MPI_ROOT        ? against_root(said, me, other_group)
                                 : root == MPI_PROC_NULL ? against_beside(said, me)
                                                         : against_named(said, me, root, other_group);
  if (against != nullptr) {
    const int given = said.root && against == &*said.root     ? MPI_ROOT
                      : said.named && against == &*said.named ? said.named_root
                                                              : MPI_PROC_NULL;
    throw error(
        comm, me, *against,
        {fmt::format("{} with {}", said.call, described_root(given)), "it with " + described_root(root),
         "of one group the root must give MPI_ROOT and the others MPI_PROC_NULL, and all of the other group the "
         "root's rank"});
  }
  if (root == MPI_ROOT) {
    said.root = me;
  } else if (root == MPI_PROC_NULL) {
    said.beside.emplace(std::tuple(me.group, me.rank), me);
  } else if (!said.named) {
    said.named = me;
    said.named_root = root;
  }
}

void CollectivesAcross::look_at_reduction(Said& said, const Comm& comm, const Speaker& me,
                                          const CollectiveTerms& terms) {
  constexpr int both_groups = -1;
  const auto [first, is_new] =
      said.reductions.try_emplace(terms.root ? both_groups : me.group, Reduction{me, terms.reduction});
  if (!is_new && first->second.operation != terms.reduction)
    throw error(
        comm, me, first->second.speaker,
        {fmt::format("{} with {}", said.call, first->second.operation), "it with " + terms.reduction,
         terms.root ? "all ranks must name the same operation" : "all ranks of a group must name the same operation"});
}

void CollectivesAcross::look_at(const Comm& comm, Number number, const std::string& call,
                                const CollectiveTerms& terms) {
  const Speaker me{comm.group->world_rank(0), comm.rank, programs::place_of_caller()};
  const int first_group = std::min(me.group, comm.remote->world_rank(0));
  const Place place{comm.context, first_group, number.is_persistent, number.calls_before};
  auto entry = said_.find(place);
  if (entry == said_.end())
    entry = said_.emplace(place, Said{.call = call, .caller = me, .still_to_come = comm.size + comm.peer_count}).first;
  Said& said = entry->second;
  if (said.call != call)
    throw error(comm, me, said.caller,
                {said.call, call, "both groups must make the same collective calls in the same order"});
  if (terms.root) look_at_root(said, comm, me, *terms.root);
  if (!terms.reduction.empty()) look_at_reduction(said, comm, me, terms);
  if (--said.still_to_come == 0) said_.erase(entry);
}

}  // namespace hindcast::mpi
