#include "mpi_impl/libraries/mpich/mpi/nexus_channel.hpp"

#include <fmt/format.h>

#include <utility>

namespace hindcast::mpi {

namespace {

class RequestWait final : public Wait {
 public:
  RequestWait(const char* call, int to) : call_(call), to_(to) {}
  BlockedOn describe() const override {
    return {call_, fmt::format("until the request has left for rank {}", to_), {to_}};
  }

 private:
  const char* call_;
  int to_;
};

}  // namespace

NexusChannel::NexusChannel(nexus::Context& context, const NexusChannelCosts& costs)
    : context_(context),
      costs_(costs),
      of_control_(context.add_handler([this](nexus::Message& message) { control_has_come(message); })),
      of_data_(context.add_handler([this](nexus::Message& message) { data_has_come(message); })) {}

// --- what the program chooses ---

// Skip counts are the rank's: those of the communicator hold which it has used last.
void NexusChannel::choose(const ChannelChoice& choice) {
  choice_ = choice;
  for (const auto& [method, every] : usual_every_) method->every = every;
  usual_every_.clear();
  const auto poll_every = [&](const char* name, int every) {
    nexus::Method* const method = context_.method(name);
    if (every == 0 || method == nullptr) return;
    usual_every_[method] = method->every;
    method->every = every;
  };
  poll_every("tcp", choice.tcp_every);
  poll_every("mpl", choice.mpl_every);
}

// --- sending ---

// A fully connected set.
void NexusChannel::make_pointers() {
  nexus::System& system = context_.system();
  for (int to = static_cast<int>(pointers_.size()); to < system.contexts(); ++to) {
    nexus::Context& other = system.context(to);
    pointers_.push_back({context_.method_to(other)});
    if (&other != &context_) Thread::current()->spend(costs_.pointer);
  }
}

// The one that the program has chosen, where it leads.
nexus::Method* NexusChannel::method_for(int to) const {
  nexus::Method* const usual = pointers_[static_cast<std::size_t>(to)].method;
  nexus::Context& other = context_.system().context(to);
  if (choice_.method == nullptr || &other == &context_) return usual;
  nexus::Method* const chosen = context_.method(choice_.method);
  return chosen != nullptr && other.has(choice_.method) && chosen->reaches(other) ? chosen : usual;
}

void NexusChannel::request(nexus::Outgoing& outgoing, const Wait& why) {
  make_pointers();
  outgoing.method = method_for(outgoing.to);
  outgoing.buffer = choice_.buffer;
  context_.send(outgoing, why);
}

void NexusChannel::send_control(int to, const ControlPacket& packet, const void* data, Bytes bytes) {
  Thread::current()->spend(costs_.rest, packet.message);
  nexus::Outgoing outgoing{to, of_control_, nullptr, data, bytes};
  outgoing.attachment.set(packet, costs_.header);
  outgoing.number = packet.message;
  request(outgoing, RequestWait("MPID_SendControl", to));
}

void NexusChannel::send_channel(int to, MessageId message, const void* data, Bytes bytes, Completion& sent) {
  nexus::Outgoing outgoing{to, of_data_, nullptr, data, bytes};
  outgoing.number = message;
  request(outgoing, RequestWait("MPID_SendChannel", to));
  sent.message = message;
  sent.complete(Thread::current()->clock());
}

// --- receiving ---

bool NexusChannel::is_control_available(const Wait& why) {
  if (queue_.empty()) context_.poll(why);
  return !queue_.empty();
}

ControlMessage* NexusChannel::receive_any_control(const Gate& gate, const Wait& why) {
  if (queue_.empty() && !gate.is_open()) context_.wait_once([&] { return gate.is_open(); }, why);
  if (queue_.empty()) return nullptr;
  Control* const first = queue_.front();
  queue_.pop_front();
  return first;
}

void NexusChannel::free_control(ControlMessage& message) {
  auto& control = static_cast<Control&>(message);
  control.payload.clear();
  free_controls_.push_back(&control);
}

void NexusChannel::control_has_come(nexus::Message& message) {
  if (free_controls_.empty()) free_controls_.push_back(&controls_.emplace_back());
  Control& control = *free_controls_.back();
  free_controls_.pop_back();
  control.packet = message.attachment.get<ControlPacket>();
  control.payload = std::move(message.data);
  control.data = control.payload.data();
  queue_.push_back(&control);
}

void NexusChannel::data_has_come(nexus::Message& message) {
  const auto expected = expected_.find(message.number);
  if (expected == expected_.end()) {
    early_.emplace(message.number, std::move(message.data));
    return;
  }
  ChannelReceive* const receive = expected->second;
  expected_.erase(expected);
  if (receive == nullptr) return;
  receive->left_to_copy = Bytes();
  receive->land(message.data.data(), Bytes(message.data.size()), Thread::current()->clock());
}

void NexusChannel::receive_from_channel(int, MessageId message, ChannelReceive& receive) {
  const auto early = early_.find(message);
  if (early == early_.end()) {
    expected_[message] = &receive;
    return;
  }
  const std::vector<std::byte> data = std::move(early->second);
  early_.erase(early);
  receive.left_to_copy = Bytes(data.size());
  receive.land(data.data(), Bytes(data.size()), Thread::current()->clock());
}

void NexusChannel::end_receive(ChannelReceive& receive, MessageId message) {
  if (receive.left_to_copy > Bytes()) Thread::current()->spend(costs_.copy, receive.left_to_copy.count(), message);
}

void NexusChannel::drop_from_channel(int, MessageId message) {
  if (early_.erase(message) == 0) expected_[message] = nullptr;
}

}  // namespace hindcast::mpi
