// The domains in which a cell receives. Messages of others are discarded when they arrive.
#pragma once

#include <boost/container/flat_set.hpp>
#include <cstdint>

#include "simulator/engine/thread.hpp"

namespace hindcast::cellos {

class Domains final : private EventSink {
 public:
  explicit Domains(int most) : most_(static_cast<std::size_t>(most)) {}

  // By the thread. False: it receives in as many as it can already.
  bool add(std::uint32_t domain) {
    if (!named_.contains(domain)) {
      if (named_.size() == most_) return false;
      named_.insert(domain);
    }
    Thread::current()->act(*this, static_cast<std::uint64_t>(domain) << 1 | 1);
    return true;
  }
  // False: it does not receive in that one.
  bool remove(std::uint32_t domain) {
    if (named_.erase(domain) == 0) return false;
    Thread::current()->act(*this, static_cast<std::uint64_t>(domain) << 1);
    return true;
  }

  // By a handler.
  bool has(std::uint32_t domain) const { return in_force_.contains(domain); }

 private:
  void fire(const Event& event) override {
    const auto domain = static_cast<std::uint32_t>(event.data >> 1);
    if ((event.data & 1) != 0)
      in_force_.insert(domain);
    else
      in_force_.erase(domain);
  }

  std::size_t most_;
  boost::container::flat_set<std::uint32_t> named_;     // as the thread, which may be ahead of the clock, knows
  boost::container::flat_set<std::uint32_t> in_force_;  // by the clock
};

}  // namespace hindcast::cellos
