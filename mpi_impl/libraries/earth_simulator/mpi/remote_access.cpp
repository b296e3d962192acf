#include "mpi_impl/libraries/earth_simulator/mpi/remote_access.hpp"

#include <cstring>
#include <memory>

namespace hindcast::mpi {

namespace {

// A copy by the calling processor, which others see when it is over. Goes then.
class CopyInNode final : public EventSink {
 public:
  CopyInNode(void* to, const void* from, Bytes bytes, Completion& over)
      : to_(to), from_(from), bytes_(bytes), over_(over) {}

 private:
  void fire(const Event& event) override {
    const std::unique_ptr<CopyInNode> self(this);
    std::memmove(to_, from_, bytes_.count());
    over_.complete(event.at);
  }

  void* to_;
  const void* from_;
  Bytes bytes_;
  Completion& over_;
};

}  // namespace

bool EsRemoteAccess::reaches(int rank) const {
  const auto& clients = self_.units().clients;
  return static_cast<std::size_t>(rank) < clients.size() && clients[static_cast<std::size_t>(rank)] != nullptr;
}

bool EsRemoteAccess::moves(const void* here, const void* there, Bytes bytes) const {
  const earth_simulator::GlobalMemory& memory = self_.units().global_memory;
  return memory.is_global(here, bytes) && memory.is_global(there, bytes);
}

void EsRemoteAccess::put(int to, void* there, const void* here, Bytes bytes, Completion& over) {
  Thread::current()->spend(call_);
  earth_simulator::RcuClient& other = client_of(to);
  if (other.node() == self_.node()) return copy(there, here, bytes, over);
  self_.put(other, in_one_piece(here, bytes), in_one_piece(there, bytes), over);
}

void EsRemoteAccess::get(int from, void* here, const void* there, Bytes bytes, Completion& over) {
  Thread::current()->spend(call_);
  earth_simulator::RcuClient& other = client_of(from);
  if (other.node() == self_.node()) return copy(here, there, bytes, over);
  self_.get(other, in_one_piece(here, bytes), in_one_piece(there, bytes), over);
}

void EsRemoteAccess::copy(void* to, const void* from, Bytes bytes, Completion& over) {
  Thread& thread = *Thread::current();
  local_.spend_copy(bytes, 0);
  auto copied = std::make_unique<CopyInNode>(to, from, bytes, over);
  thread.act(*copied.release(), 0);
}

}  // namespace hindcast::mpi
