#include "mpi_impl/libraries/cray/native/local_memory.hpp"

namespace hindcast::shmem {

namespace {

const StepKind waits_for_memory{"wait for the PE's memory", "local_memory.bandwidth"};

}  // namespace

PeMemories::PeMemories(Engine& engine, Network& network, const std::optional<MemoryCosts>& costs)
    : network_(network), costs_(costs) {
  if (costs_)
    through_ = std::make_unique<NetworkThroughMemory>(engine, network, slower_of(costs_->unit, costs_->bandwidth),
                                                      waits_for_memory);
}

Network& PeMemories::network() { return through_ != nullptr ? *through_ : network_; }

MemoryPort* PeMemories::port(int node) {
  if (through_ == nullptr) return nullptr;
  const auto number = static_cast<std::size_t>(node);
  if (ports_.size() <= number) ports_.resize(number + 1);
  if (ports_[number] == nullptr) {
    constexpr std::uint8_t read_and_written = 2;
    ports_[number] =
        std::make_unique<MemoryPort>(costs_->bandwidth, costs_->sharing, costs_->waits_from, read_and_written);
    ports_[number]->belong_to_one_rank();
    through_->add(node, *ports_[number]);
  }
  return ports_[number].get();
}

}  // namespace hindcast::shmem
