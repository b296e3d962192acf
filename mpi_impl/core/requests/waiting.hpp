// What a thread waits for in a call of MPI's, for the deadlock report. Made on the stack of the call; texts are made
// only if somebody asks.
#pragma once

#include <mpi.h>

#include <string>

#include "mpi_impl/core/call.hpp"
#include "mpi_impl/transport/endpoint.hpp"
#include "simulator/engine/thread.hpp"

namespace hindcast::mpi {

class Process;
struct Comm;
struct Request;

// Which one it is, to a user.
std::string describe(const Request& request);

// For the other side of one send or receive, or for a message to probe.
class PeerWait final : public Wait {
 public:
  enum class What : std::uint8_t { send, receive, probe };
  PeerWait(const Call* call, const Comm& comm, What what, std::uint32_t context, int peer, int tag)
      : call_(call), comm_(comm), what_(what), context_(context), peer_(peer), tag_(tag) {}
  BlockedOn describe() const override;

 private:
  const Call* call_;
  const Comm& comm_;
  What what_;
  std::uint32_t context_;
  int peer_;
  int tag_;
};

// For a send and a receive at once.
class ExchangeWait final : public Wait {
 public:
  ExchangeWait(const PeerWait& send, const PeerWait& receive) : send_(send), receive_(receive) {}
  BlockedOn describe() const override;

 private:
  const PeerWait& send_;
  const PeerWait& receive_;
};

// For all, or any, of some requests.
class RequestsWait final : public Wait {
 public:
  enum class What : std::uint8_t { all, any };
  RequestsWait(const Process& process, What what, int count, const MPI_Request* handles);
  BlockedOn describe() const override;
  void fetch(FetchLevel level) const override;

 private:
  const Process& process_;
  const Call* call_;
  What what_;
  int count_;
  const MPI_Request* handles_;
};

// For room in, or the end of, buffered sends.
class BufferWait final : public Wait {
 public:
  explicit BufferWait(const Process& process);
  BlockedOn describe() const override;

 private:
  const Call* call_;
};

// For a receive that the program has freed the request of.
class FreedWait final : public Wait {
 public:
  FreedWait(const Process& process, const Request& request);
  BlockedOn describe() const override;

 private:
  const Call* call_;
  const Request& request_;
};

}  // namespace hindcast::mpi
