#include "tests/hardware/flit_simulator.hpp"

#include <stdexcept>

namespace hindcast::test {

FlitSimulator::FlitSimulator(const TorusRoutes& routes, int buffer_flits)
    : routes_(routes),
      links_(routes.link_count()),
      capacity_(buffer_flits),
      buffers_(static_cast<std::size_t>(links_ * channels + routes.nodes())),
      outputs_(buffers_.size()),
      waiting_(static_cast<std::size_t>(routes.nodes())),
      flits_sent_(waiting_.size()),
      turn_(static_cast<std::size_t>(links_)) {}

std::int64_t FlitSimulator::run(std::vector<Message>& messages) {
  for (std::size_t m = 0; m < messages.size(); ++m) {
    waiting_[static_cast<std::size_t>(messages[m].from)].push_back(static_cast<int>(m));
    route_of_.emplace_back();
    routes_.for_each_link(routes_.route(messages[m].from, messages[m].to),
                          [&](int link) { route_of_.back().push_back(link); });
  }
  const int count = static_cast<int>(buffers_.size());
  for (; arrived_ < static_cast<int>(messages.size()); ++cycle_) {
    if (cycle_ > 10'000'000) throw std::runtime_error("the network stands still");
    inject(messages);
    // Who asks first changes from cycle to cycle, so that nobody is always last.
    for (int i = 0; i < count; ++i) allocate(messages, static_cast<int>((i + cycle_ * 7) % count));
    for (int link = 0; link < links_; ++link) move_over_link(link, messages);
    for (int node = 0; node < routes_.nodes(); ++node)
      if (can_move(exit(node))) move(exit(node), messages);
  }
  return cycle_;
}

void FlitSimulator::inject(std::vector<Message>& messages) {
  for (std::size_t node = 0; node < waiting_.size(); ++node) {
    Buffer& buffer = buffers_[static_cast<std::size_t>(entrance(static_cast<int>(node)))];
    if (waiting_[node].empty() || static_cast<int>(buffer.flits.size()) >= capacity_) continue;
    const int message = waiting_[node].front();
    const int number = flits_sent_[node]++;
    const bool is_tail = number + 1 == messages[static_cast<std::size_t>(message)].flits;
    buffer.flits.push_back(Flit{message, number == 0, is_tail, cycle_ + 1});
    if (!is_tail) continue;
    flits_sent_[node] = 0;
    waiting_[node].pop_front();
  }
}

// The link between a ring's last node and its first.
bool FlitSimulator::is_at_the_end(int link) const {
  const TorusRoutes::Link at = routes_.link(link);
  return routes_.upper_neighbour(at.owner, at.dimension) < at.owner;
}

bool FlitSimulator::will_cross(const std::vector<int>& route, std::size_t hop) const {
  const int dimension = routes_.link(route[hop]).dimension;
  for (; hop < route.size() && routes_.link(route[hop]).dimension == dimension; ++hop)
    if (is_at_the_end(route[hop])) return true;
  return false;
}

void FlitSimulator::allocate(const std::vector<Message>& messages, int buffer_index) {
  Buffer& buffer = buffers_[static_cast<std::size_t>(buffer_index)];
  if (buffer.output != none || buffer.flits.empty()) return;
  const Flit& head = buffer.flits.front();
  if (!head.is_head || head.ready > cycle_) return;
  const auto& route = route_of_[static_cast<std::size_t>(head.message)];
  std::size_t hop = 0;  // which link of its route comes next
  if (buffer_index < links_ * channels)
    while (route[hop++] != buffer_index / channels) {
    }
  const auto take = [&](int output) {
    if (buffer.output != none || outputs_[static_cast<std::size_t>(output)].holder != none) return;
    outputs_[static_cast<std::size_t>(output)].holder = buffer_index;
    buffer.output = output;
  };
  if (hop == route.size()) return take(exit(messages[static_cast<std::size_t>(head.message)].to));
  const int link = route[hop];
  const bool is_in_channel_1 =
      hop > 0 && buffer_index % channels == 1 && routes_.link(route[hop - 1]).dimension == routes_.link(link).dimension;
  const bool crosses_now = is_at_the_end(link);
  // Nobody goes back from channel 1 to 0 within a ring, and what will cross stays in 0 until it does: so no cycle of
  // waits.
  if (is_in_channel_1 || crosses_now) return take(link * channels + 1);
  take(link * channels);
  if (!will_cross(route, hop)) take(link * channels + 1);
}

bool FlitSimulator::can_move(int output) const {
  const int holder = outputs_[static_cast<std::size_t>(output)].holder;
  if (holder == none) return false;
  const Buffer& from = buffers_[static_cast<std::size_t>(holder)];
  if (from.flits.empty() || from.flits.front().ready > cycle_) return false;
  return is_exit(output) || static_cast<int>(buffers_[static_cast<std::size_t>(output)].flits.size()) < capacity_;
}

void FlitSimulator::move_over_link(int link, std::vector<Message>& messages) {
  int& turn = turn_[static_cast<std::size_t>(link)];
  for (int i = 0; i < channels; ++i) {
    const int channel = (turn + i) % channels;
    if (!can_move(link * channels + channel)) continue;
    move(link * channels + channel, messages);
    turn = (channel + 1) % channels;
    return;
  }
}

void FlitSimulator::move(int output, std::vector<Message>& messages) {
  Buffer& from = buffers_[static_cast<std::size_t>(outputs_[static_cast<std::size_t>(output)].holder)];
  Flit flit = from.flits.front();
  from.flits.pop_front();
  if (flit.is_tail) {
    from.output = none;
    outputs_[static_cast<std::size_t>(output)].holder = none;
  }
  if (!is_exit(output)) {
    flit.ready = cycle_ + 1;
    buffers_[static_cast<std::size_t>(output)].flits.push_back(flit);
  } else if (flit.is_tail) {
    messages[static_cast<std::size_t>(flit.message)].arrival = cycle_ + 1;
    ++arrived_;
  }
}

}  // namespace hindcast::test
