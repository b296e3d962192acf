#include "mpi_impl/libraries/earth_simulator/native/rcu_client.hpp"

#include <memory>

namespace hindcast::earth_simulator {

namespace {

// What a unit may have been given that has not left yet is no limit of its.
constexpr Bytes any_number{UINT64_MAX / 2};

// A rank's messages of other sorts are counted from 1 on.
constexpr std::uint64_t first_transfer = std::uint64_t{1} << (message_count_bits - 1);

// Goes when it has been told.
class TransferDone final : public DoneSink {
 public:
  TransferDone(Engine& engine, MessageId message, Completion& over) : engine_(engine), over_(over) {
    over.message = message;
  }

 private:
  void done() override {
    const std::unique_ptr<TransferDone> self(this);
    over_.complete(engine_.now());
  }

  Engine& engine_;
  Completion& over_;
};

}  // namespace

void EndOfGlobalAddresses::is_free(const void* memory, std::size_t bytes) {
  const Thread* const thread = Thread::current();
  if (thread == nullptr) return;  // the simulator's own memory
  if (RcuClient* const owner = RcuClient::of(thread->rank())) owner->own_memory().forget(memory, Bytes(bytes));
}

RcuClient::RcuClient(Units& units, Rank& rank, int node) : units_(units), rank_(rank), unit_(node, any_number) {
  rank.native = static_cast<Native*>(this);
  const auto number = static_cast<std::size_t>(rank.id);
  if (units.clients.size() <= number) units.clients.resize(number + 1);
  units.clients[number] = this;
}

RcuClient::~RcuClient() {
  rank_.native = nullptr;
  units_.clients[static_cast<std::size_t>(rank_.id)] = nullptr;
}

MessageId RcuClient::next_message() { return message_id(rank_.id, first_transfer + transfers_++); }

void RcuClient::tell(const void* memory, Bytes bytes) {
  if (!units_.end_of_addresses) units_.end_of_addresses.emplace();
  own_memory_.tell(memory, bytes);
}

void RcuClient::put(RcuClient& other, const Strided& here, const Strided& there, Completion& over) {
  Thread& thread = *Thread::current();
  const MessageId message = next_message();
  thread.spend(units_.instruction, message);
  auto done = std::make_unique<TransferDone>(thread.engine(), message, over);
  auto& put = units_.memory.new_put(unit_, other.unit_, here, there, message, done.release());
  thread.act(units_.memory, RemoteMemory::request_of(put), here.bytes());
}

void RcuClient::get(RcuClient& other, const Strided& here, const Strided& there, Completion& over) {
  Thread& thread = *Thread::current();
  const MessageId message = next_message();
  thread.spend(units_.instruction, message);
  auto done = std::make_unique<TransferDone>(thread.engine(), message, over);
  auto& get = units_.memory.new_get(unit_, other.unit_, here, there, message, *done.release());
  thread.act(units_.memory, RemoteMemory::request_of(get));
}

}  // namespace hindcast::earth_simulator
