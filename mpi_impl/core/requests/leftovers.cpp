#include "mpi_impl/core/requests/leftovers.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <map>
#include <tuple>
#include <utility>

#include "mpi_impl/core/process.hpp"
#include "mpi_impl/core/requests/request.hpp"
#include "mpi_impl/core/requests/waiting.hpp"

namespace hindcast::mpi {

namespace {

constexpr std::size_t lines_max = 8;

void add_lines(std::vector<std::string>& lines, const std::vector<std::string>& more, const char* of_the_rest) {
  for (std::size_t i = 0; i < more.size() && i < lines_max; ++i) lines.push_back(more[i]);
  if (more.size() > lines_max) lines.push_back(fmt::format("{} {}", more.size() - lines_max, of_the_rest));
}

// A request that has ended need not know any more which peer and tag it had.
std::string text_of(const Request& request) {
  if (request.finished && request.kind == Request::Kind::send) return "a send that has ended";
  if (request.finished && request.kind == Request::Kind::receive) return "a receive that has ended";
  return describe(request);
}

std::string begun_in(const programs::ProgramPlace& place) {
  return place ? fmt::format(", begun in {}", place.text()) : "";
}

bool is_freed(const Request& request) {
  return request.kind == Request::Kind::generalized && request.generalized->is_freed;
}

std::string text_of(const SentElements::Sent& sent) {
  return fmt::format("{} byte{} to rank {}, tag {}, {}", sent.bytes, sent.bytes == 1 ? "" : "s", sent.receiver,
                     sent.envelope.tag, sent.comm);
}

// By rank and place in the program, in the order in which each rank has sent.
std::vector<std::string> lines_on_messages(const SentElements& elements) {
  struct Together {
    std::size_t messages = 0;
    std::string first;
  };
  std::map<MessageId, const SentElements::Sent*> in_order;
  for (const auto& [message, sent] : elements.not_received()) in_order.emplace(message, &sent);
  std::map<std::pair<int, std::string>, Together> places;
  for (const auto& [message, sent] : in_order) {
    Together& together = places[{sender_of(message), sent->place.text()}];
    if (together.messages++ == 0) together.first = text_of(*sent);
  }
  std::vector<std::string> lines;
  for (const auto& [place, together] : places) {
    const std::string where = place.second.empty() ? "" : fmt::format(", sent in {}", place.second);
    if (together.messages == 1)
      lines.push_back(
          fmt::format("rank {}: no receive has taken the message of {}{}", place.first, together.first, where));
    else
      lines.push_back(fmt::format("rank {}: no receive has taken {} messages{}, the first of them of {}", place.first,
                                  together.messages, where, together.first));
  }
  return lines;
}

}  // namespace

void Leftovers::keep_place(const Request& request) { places_.insert_or_assign(&request, programs::place_of_caller()); }

// A message that was taken by a receive which the rank has not completed is told of with that receive, and not once
// more by itself.
void Leftovers::look_at_requests(Process& process) {
  SentElements& sent = *process.world().sent_elements();
  std::size_t requests = 0;
  std::string first;
  process.requests.for_each([&](const Request& request) {
    if (!request.active || is_freed(request)) return;
    if (requests++ == 0) first = text_of(request) + begun_in(place_of(request));
    if (request.kind == Request::Kind::receive && !request.finished && request.operation_is_known())
      sent.forget(request.operations.receive.message);
  });
  if (requests == 0) return;
  const std::string which = requests == 1 ? fmt::format("a request ({})", first)
                                          : fmt::format("{} requests (the first of them: {})", requests, first);
  lines_on_requests_[process.world_rank()] = fmt::format(
      "rank {}: MPI_Finalize: {} had not been completed by MPI_Wait, MPI_Test or "
      "their kin",
      process.world_rank(), which);
}

// Where several threads of a rank send at a time, it is not known for certain which message is which.
std::vector<std::string> Leftovers::lines(World& world) const {
  std::vector<std::string> lines;
  std::vector<std::string> on_requests;
  for (const auto& [rank, line] : lines_on_requests_) on_requests.push_back(line);
  add_lines(lines, on_requests, "more ranks had not completed requests by MPI_Finalize");
  if (world.has_several_threads()) return lines;
  add_lines(lines, lines_on_messages(*world.sent_elements()),
            "more places in ranks sent messages that no receive has taken");
  return lines;
}

}  // namespace hindcast::mpi
