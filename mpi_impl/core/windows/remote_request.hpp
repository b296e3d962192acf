// The requests of MPI_Rput and its kin.
#pragma once

#include <fmt/format.h>

#include "mpi_impl/core/process.hpp"
#include "mpi_impl/core/requests/background.hpp"
#include "mpi_impl/core/windows/window.hpp"

namespace hindcast::mpi {

class RemoteRequest final : public Activity {
 public:
  RemoteRequest(Thread& thread, std::string what, int world_rank)
      : Activity(thread), what_(std::move(what)), world_rank_(world_rank) {}

  void end_at(Time at) { end_.complete(at); }
  Time round_is_over_at() const override { return Time::never(); }
  void go_on() override {}
  const char* name() const override { return "a one-sided operation"; }
  bool has_hidden_communicator() const override { return true; }
  BlockedOn describe() const override { return {what_, fmt::format("at rank {}", world_rank_), {world_rank_}}; }

 private:
  const std::string what_;
  const int world_rank_;
};

// Ends when whoever is given the activity says so, without being worked on in between.
inline RemoteRequest& make_remote_request(Process& process, Window& window, int target, MPI_Request& handle) {
  const int world_rank = target == MPI_PROC_NULL ? process.world_rank() : window.comm->world_rank(target);
  auto activity = std::make_unique<RemoteRequest>(
      *Thread::current(), fmt::format("{} on {}", name_of(process.call()), window.name()), world_rank);
  RemoteRequest& remote = *activity;
  Request& request = make_request(process, *window.comm, Request::Kind::activity, *predefined_datatype(MPI_BYTE), {});
  request.active = true;
  request.activity = std::move(activity);
  keep_place(process, request);
  handle = request.handle;
  return remote;
}

}  // namespace hindcast::mpi
