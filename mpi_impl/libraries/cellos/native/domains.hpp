// The domains in which a cell receives. Messages of others are discarded when they arrive, and those that have arrived
// when their domain's registration ends.
#pragma once

#include <boost/container/flat_set.hpp>
#include <cstdint>

#include "mpi_impl/libraries/cellos/native/costs.hpp"
#include "simulator/engine/thread.hpp"

namespace hindcast::cellos {

class Cell;

class Domains final : private EventSink {
 public:
  Domains(Cell& cell, int most) : cell_(cell), most_(static_cast<std::size_t>(most)) {}

  // By whoever starts the cell's program, which adds it itself when it knows of it.
  void begin_with(std::uint32_t domain, Space space) { in_force_.insert(name_of(domain, space)); }
  // By the thread. False: it receives in as many as it can already.
  bool add(std::uint32_t domain, Space space = Space::domains) {
    const Name name = name_of(domain, space);
    if (!named_.contains(name)) {
      if (named_.size() == most_) return false;
      named_.insert(name);
    }
    Thread::current()->act(*this, name << 1 | 1);
    return true;
  }
  // False: it does not receive in that one.
  bool remove(std::uint32_t domain, Space space = Space::domains) {
    const Name name = name_of(domain, space);
    if (named_.erase(name) == 0) return false;
    Thread::current()->act(*this, name << 1);
    return true;
  }
  // In a handler: the program has gone.
  void clear() {
    named_.clear();
    in_force_.clear();
    asked_for_ = none;
  }
  bool is_named(std::uint32_t domain, Space space) const { return named_.contains(name_of(domain, space)); }

  // By a handler.
  bool has(std::uint32_t domain, Space space = Space::domains) const {
    const Name name = name_of(domain, space);
    if (name == asked_for_) return true;
    if (!in_force_.contains(name)) return false;
    asked_for_ = name;
    return true;
  }

 private:
  using Name = std::uint64_t;  // the space and the domain
  static Name name_of(std::uint32_t domain, Space space) { return static_cast<Name>(space) << 32 | domain; }

  void fire(const Event& event) override;

  static constexpr Name none = UINT64_MAX;

  mutable Name asked_for_ = none;  // of those in force, the last one: every message looks at it
  Cell& cell_;
  std::size_t most_;
  boost::container::flat_set<Name> named_;     // as the thread, which may be ahead of the clock, knows
  boost::container::flat_set<Name> in_force_;  // by the clock
};

}  // namespace hindcast::cellos
