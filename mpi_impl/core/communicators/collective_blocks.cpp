#include "mpi_impl/core/communicators/collective_blocks.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "mpi_impl/core/communicators/communicator.hpp"
#include "mpi_impl/core/datatypes/signature_difference.hpp"

namespace hindcast::mpi {

namespace {

// What is said of one block at its two ends. One that is too long for its receive is told when it comes in, with or
// without --check.
struct Disagreement {
  std::string theirs, mine;
};
std::optional<Disagreement> disagreement(const BlockEnd& theirs, const BlockEnd& mine) {
  const auto amount = [](std::size_t bytes) { return fmt::format("{} byte{}", bytes, bytes == 1 ? "" : "s"); };
  const BlockEnd &sent = mine.is_sent ? mine : theirs, &received = mine.is_sent ? theirs : mine;
  if (sent.bytes > received.bytes) return std::nullopt;
  if (sent.bytes < received.bytes) return Disagreement{amount(theirs.bytes), amount(mine.bytes)};
  if (mine.bytes == 0) return std::nullopt;
  const auto found = difference(*theirs.elements, *mine.elements, mine.bytes);
  if (!found) return std::nullopt;
  const auto number = [&](const NumberKind& kind) { return fmt::format("{} at byte {}", describe(kind), found->at); };
  return Disagreement{number(found->first), number(found->second)};
}

Error disagreement_error(const Comm& comm, const BlockEnd& mine, const Disagreement& found,
                         programs::ProgramPlace where) {
  const std::string rule = "what one rank sends the other has to receive, as much and of the same datatype";
  if (!comm.is_inter() && mine.peer == comm.rank)
    return {MPI_ERR_TYPE,
            fmt::format("this rank sends itself {} and receives {}; {}", mine.is_sent ? found.mine : found.theirs,
                        mine.is_sent ? found.theirs : found.mine, rule),
            &comm};
  return {MPI_ERR_TYPE,
          fmt::format("rank {} of {}{}{} {} {} where this rank {} {}; {}", mine.peer,
                      comm.is_inter() ? "the other group of " : "", comm.name(),
                      where ? fmt::format(" (in {})", where.text()) : "",
                      mine.is_sent ? "receives from this rank" : "sends this rank", found.theirs,
                      mine.is_sent ? "sends it" : "receives", found.mine, rule),
          &comm};
}

}  // namespace

void CollectiveBlocks::look_at(const Comm& comm, const Call& call, const std::vector<BlockEnd>& ends) {
  if (ends.empty()) return;
  const int me = comm.group->world_rank(comm.rank);
  const programs::ProgramPlace where = programs::place_of_caller();
  std::map<std::pair<bool, int>, int> numbers;
  for (const BlockEnd& end : ends) {
    const int peer = comm.world_rank(end.peer), number = numbers[{end.is_sent, end.peer}]++;
    const Place place{call, end.is_sent ? me : peer, end.is_sent ? peer : me, number};
    const auto [entry, is_first] = said_.emplace(place, Said{end, where});
    if (is_first) continue;
    const Said theirs = std::move(entry->second);
    said_.erase(entry);
    if (const auto found = disagreement(theirs.end, end)) throw disagreement_error(comm, end, *found, theirs.where);
  }
}

}  // namespace hindcast::mpi
