// A rank as a client of the remote access control unit (RCU) of its node: what it has moved between global memories by
// INA instructions, without a processor at the other end.
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "mpi_impl/libraries/common/native.hpp"
#include "mpi_impl/libraries/earth_simulator/native/global_memory.hpp"
#include "mpi_impl/libraries/earth_simulator/native/own_global_memory.hpp"
#include "simulator/engine/completion.hpp"
#include "simulator/engine/memory/freed_memory.hpp"
#include "simulator/engine/rank.hpp"
#include "simulator/hardware/node/remote_memory.hpp"

namespace hindcast::earth_simulator {

class RcuClient;

// Ends the global addresses of memory that the calling process gives back, whatever it has got it by.
class EndOfGlobalAddresses final : public FreedMemoryListener {
 public:
  void is_free(const void* memory, std::size_t bytes) override;
};

// What all clients of a run share.
struct Units {
  Units(Engine& engine, Network& network, const RemoteMemory::Numbers& numbers, const FixedStep& of_instruction,
        GlobalMemory& of_run)
      : memory(engine, network, numbers), instruction(of_instruction), global_memory(of_run) {}

  RemoteMemory memory;
  const FixedStep instruction;  // what it takes the processor to give one to its unit
  GlobalMemory& global_memory;
  std::vector<RcuClient*> clients;                       // by rank; null: it has gone
  std::optional<EndOfGlobalAddresses> end_of_addresses;  // from the first one on, as each free has to tell it
};

class RcuClient : public NativePart<RcuClient> {
 public:
  RcuClient(Units& units, Rank& rank, int node);
  ~RcuClient();
  RcuClient(const RcuClient&) = delete;
  RcuClient& operator=(const RcuClient&) = delete;
  static RcuClient* of(const Rank& rank) { return native_part<RcuClient>(rank); }

  Units& units() { return units_; }
  const Rank& rank() const { return rank_; }
  int node() const { return unit_.node(); }

  // By a thread of the rank: both ends in global memory. `over` completes when the data is there, and this side
  // knows.
  void put(RcuClient& other, const Strided& here, const Strided& there, Completion& over);
  void get(RcuClient& other, const Strided& here, const Strided& there, Completion& over);

  // By a thread of the rank: others reach this memory from now on, until it is given back.
  void tell(const void* memory, Bytes bytes);

  // The memory that the program has got, and what it has told global addresses of.
  OwnGlobalMemory& own_memory() { return own_memory_; }

  // What the program has started and not waited for.
  Completion& new_started() { return started_.emplace_back(); }
  std::deque<Completion>& started() { return started_; }

 private:
  MessageId next_message();

  Units& units_;
  Rank& rank_;
  RemoteMemoryUnit unit_;
  std::uint64_t transfers_ = 0;
  OwnGlobalMemory own_memory_;
  std::deque<Completion> started_;
};

}  // namespace hindcast::earth_simulator
