// The channels of a network's links, by index. What a message's way changes, when each link is free, lies together: of
// a thousand links in few lines of the cache. Most links are alike, so what they are like is kept once for all of a
// kind.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

#include "simulator/engine/fetching.hpp"
#include "simulator/hardware/network/channel.hpp"

namespace hindcast {

class LinkChannels {
 public:
  struct Figures {
    Time latency;
    Bandwidth bandwidth;
    friend bool operator==(const Figures&, const Figures&) = default;
  };

  explicit LinkChannels(int count) : free_(zeros<Time>(count)), kinds_(zeros<std::uint32_t>(count)), figures_(1) {}

  bool is_built(int link) const { return kinds_[static_cast<std::size_t>(link)] != 0; }
  void build(int link, const Channel& channel) {
    kinds_[static_cast<std::size_t>(link)] = kind_of(Figures{channel.latency, channel.bandwidth});
  }

  // This one and those that follow it are reserved soon (simulator/engine/fetching.hpp).
  void fetch(int link) const {
    fetch_lines(&free_[static_cast<std::size_t>(link)], 0, 1);
    fetch_lines(&kinds_[static_cast<std::size_t>(link)], 0, 1);
  }

  bool has_any() const { return figures_.size() > 1; }
  const Figures& last_built() const { return figures_.back(); }  // of those unlike the ones before
  // Of a link that is built.
  const Figures& figures(int link) const { return figures_[kinds_[static_cast<std::size_t>(link)]]; }
  Channel at(int link) const {
    return Channel{free_[static_cast<std::size_t>(link)], figures(link).latency, figures(link).bandwidth};
  }
  // As Channel::reserve.
  Time reserve(int link, Time head, Time body) { return reserve(link, figures(link).latency, head, body); }
  // Of one that has this latency, built or not.
  Time reserve(int link, Time latency, Time head, Time body) {
    Time& free = free_[static_cast<std::size_t>(link)];
    const Time through = later_of(head + latency, free);
    free = through + body;
    return through;
  }

 private:
  struct Free {
    void operator()(void* memory) const { std::free(memory); }
  };
  template <typename T>
  using Array = std::unique_ptr<T[], Free>;

  // Unused pages stay untouched.
  template <typename T>
  static Array<T> zeros(int count) {
    void* memory = std::calloc(static_cast<std::size_t>(count > 0 ? count : 1), sizeof(T));
    if (memory == nullptr) throw std::bad_alloc();
    return Array<T>(static_cast<T*>(memory));
  }

  // Links are built one after the other, and the next one is mostly like the one before.
  std::uint32_t kind_of(const Figures& figures) {
    for (std::size_t kind = figures_.size() - 1; kind > 0 && figures_.size() - kind <= kinds_compared; --kind)
      if (figures_[kind] == figures) return static_cast<std::uint32_t>(kind);
    figures_.push_back(figures);
    return static_cast<std::uint32_t>(figures_.size() - 1);
  }
  static constexpr std::size_t kinds_compared = 16;

  Array<Time> free_;
  Array<std::uint32_t> kinds_;  // 0 until built
  std::vector<Figures> figures_;
};

}  // namespace hindcast
