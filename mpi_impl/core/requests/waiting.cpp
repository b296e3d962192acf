#include "mpi_impl/core/requests/waiting.hpp"

#include <fmt/format.h>

#include "mpi_impl/core/process.hpp"

namespace hindcast::mpi {

namespace {

std::string peer_text(PeerWait::What what, const Comm& comm, std::uint32_t context, int peer, int tag) {
  const bool to = what == PeerWait::What::send;
  std::string text = to ? "to " : "from ";
  text += peer == MPI_ANY_SOURCE ? "any rank" : fmt::format("rank {}", peer);
  if (Comm::is_collective(context))
    text += ", inside the collective";
  else
    text += tag == MPI_ANY_TAG ? ", any tag" : fmt::format(", tag {}", tag);
  text += fmt::format(", {}", comm.name());
  if (peer != MPI_ANY_SOURCE && comm.world_rank(peer) != peer)
    text += fmt::format(" (rank {} of MPI_COMM_WORLD)", comm.world_rank(peer));
  return text;
}

void add_peer(std::vector<int>& ranks, bool& anybody, const Comm& comm, int peer) {
  if (peer == MPI_ANY_SOURCE)
    anybody = true;
  else
    ranks.push_back(comm.world_rank(peer));
}

// Of an activity: what its current round is at, and who could end that.
std::string activity_text(const Request& request, std::vector<int>& ranks, bool& anybody) {
  const BlockedOn inner = request.activity->describe();
  ranks.insert(ranks.end(), inner.ranks.begin(), inner.ranks.end());
  anybody = anybody || inner.ranks.empty();
  return fmt::format("{} ({})", inner.call, inner.detail);
}

}  // namespace

std::string describe(const Request& request) {
  if (request.kind == Request::Kind::activity) return request.activity->name();
  if (request.kind == Request::Kind::generalized) return "a generalized request, which the program has to complete";
  const bool is_send = request.kind == Request::Kind::send;
  return fmt::format("{} {}", is_send ? "send" : "receive",
                     peer_text(is_send ? PeerWait::What::send : PeerWait::What::receive, *request.comm,
                               request.comm->context, peer_of(request), tag_of(request)));
}

BlockedOn PeerWait::describe() const {
  BlockedOn blocked{call_->name, peer_text(what_, comm_, context_, peer_, tag_), {}};
  bool anybody = false;
  add_peer(blocked.ranks, anybody, comm_, peer_);
  return blocked;
}

BlockedOn ExchangeWait::describe() const {
  BlockedOn blocked = send_.describe();
  const BlockedOn receive = receive_.describe();
  blocked.detail += "; " + receive.detail;
  if (receive.ranks.empty())
    blocked.ranks.clear();
  else
    blocked.ranks.insert(blocked.ranks.end(), receive.ranks.begin(), receive.ranks.end());
  return blocked;
}

RequestsWait::RequestsWait(const Process& process, What what, int count, const MPI_Request* handles)
    : process_(process), call_(process.call()), what_(what), count_(count), handles_(handles) {}

// All at once, rather than one after the other when each is looked at. As many as are on their way together in a
// processor.
void RequestsWait::fetch(FetchLevel level) const {
  if (level > 0) return;
  constexpr int fetched_max = 16;
  for (int i = 0; i < std::min(count_, fetched_max); ++i) process_.requests.fetch(handles_[i]);
}

BlockedOn RequestsWait::describe() const {
  constexpr int named_max = 4;
  BlockedOn blocked{call_->name, "", {}};
  bool anybody = false;
  int open = 0;
  for (int i = 0; i < count_; ++i) {
    const Request* request = process_.requests.find(handles_[i]);
    if (request == nullptr || !request->active || request->finished || request->operation_is_known()) continue;
    const bool is_activity = request->kind == Request::Kind::activity;
    const std::string text = is_activity ? activity_text(*request, blocked.ranks, anybody) : mpi::describe(*request);
    if (open++ < named_max) blocked.detail += (blocked.detail.empty() ? "" : "; ") + text;
    if (request->kind == Request::Kind::generalized)
      anybody = true;
    else if (!is_activity)
      add_peer(blocked.ranks, anybody, *request->comm, peer_of(*request));
  }
  if (open > named_max) blocked.detail += fmt::format("; and {} more", open - named_max);
  if (what_ == What::any && open > 1) blocked.detail = fmt::format("any of: {}", blocked.detail);
  if (open == 0) blocked.detail = "no request in progress";
  if (anybody) blocked.ranks.clear();
  return blocked;
}

BufferWait::BufferWait(const Process& process) : call_(process.call()) {}
BlockedOn BufferWait::describe() const { return {call_->name, "for buffered sends to end", {}}; }

FreedWait::FreedWait(const Process& process, const Request& request) : call_(process.call()), request_(request) {}
BlockedOn FreedWait::describe() const {
  BlockedOn blocked{call_->name, "for a request that was freed: ", {}};
  bool anybody = false;
  if (request_.kind == Request::Kind::activity) {
    blocked.detail += activity_text(request_, blocked.ranks, anybody);
  } else {
    blocked.detail += mpi::describe(request_);
    add_peer(blocked.ranks, anybody, *request_.comm, peer_of(request_));
  }
  return blocked;
}

}  // namespace hindcast::mpi
