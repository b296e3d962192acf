// CellOS's numbers: the cells have 0 and on, the host 0x1000. Of a run with the host rank 0 is the host and rank n + 1
// cell n; else rank n is cell n.
#pragma once

#include <fmt/format.h>

#include <string>

namespace hindcast::cellos {

constexpr int host_number = 0x1000;

// For people.
inline std::string name_of(int number) { return number == host_number ? "the host" : fmt::format("cell {}", number); }

class Numbers {
 public:
  explicit Numbers(bool with_host) : has_host_(with_host) {}

  bool has_host() const { return has_host_; }
  int number_of_rank(int rank) const {
    if (!has_host_) return rank;
    return rank == 0 ? host_number : rank - 1;
  }
  int rank_of(int number) const {
    if (!has_host_) return number;
    return number == host_number ? 0 : number + 1;
  }

 private:
  bool has_host_;
};

}  // namespace hindcast::cellos
