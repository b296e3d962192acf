// A wormhole torus flit by flit, to compare the path reservation with. It shares nothing with the code under test but
// the routes.
//
// Time goes in cycles. A link carries one flit a cycle, for one of two virtual channels, each with a buffer of its own
// at the far end. A worm holds a virtual channel of a link from its head to its tail. Rings are kept free of deadlock
// by a dateline: worms that will cross the ring's end use channel 0 before and channel 1 from there on; others use
// either, but never go back to 0. A node puts one flit a cycle into the network and takes one out, of one worm at a
// time.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "simulator/hardware/network/torus_routes.hpp"

namespace hindcast::test {

class FlitSimulator {
 public:
  struct Message {
    int from;
    int to;
    int flits;
    std::int64_t arrival = -1;  // the cycle at whose start its tail has been taken out
  };

  FlitSimulator(const TorusRoutes& routes, int buffer_flits);

  // Messages of one sender enter in their order here, all as soon as they can. Returns the last arrival.
  std::int64_t run(std::vector<Message>& messages);

 private:
  static constexpr int channels = 2;
  static constexpr int none = -1;

  struct Flit {
    int message;
    bool is_head;
    bool is_tail;
    std::int64_t ready;  // the first cycle in which it can move on
  };
  // Where flits wait: behind each virtual channel of each link, and at each node's entrance.
  struct Buffer {
    std::deque<Flit> flits;
    int output = none;  // the virtual channel or exit that the worm in front holds
  };
  // A link's virtual channel, or a node's exit: who holds it.
  struct Output {
    int holder = none;  // a buffer
  };

  int entrance(int node) const { return links_ * channels + node; }
  int exit(int node) const { return links_ * channels + node; }
  bool is_exit(int output) const { return output >= links_ * channels; }
  bool is_at_the_end(int link) const;
  bool will_cross(const std::vector<int>& route, std::size_t hop) const;

  void inject(std::vector<Message>& messages);
  void allocate(const std::vector<Message>& messages, int buffer);
  void move_over_link(int link, std::vector<Message>& messages);
  bool can_move(int output) const;
  void move(int output, std::vector<Message>& messages);

  const TorusRoutes& routes_;
  int links_;
  int capacity_;
  std::int64_t cycle_ = 0;
  int arrived_ = 0;
  std::vector<Buffer> buffers_;
  std::vector<Output> outputs_;
  std::vector<std::deque<int>> waiting_;    // messages by sender
  std::vector<int> flits_sent_;             // of each sender's first message
  std::vector<std::vector<int>> route_of_;  // links, by message
  std::vector<int> turn_;                   // by link: whose turn it is
};

}  // namespace hindcast::test
