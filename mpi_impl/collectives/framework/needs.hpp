// What an algorithm needs, to serve in a situation. Those that many need are here; one that only a library's own
// algorithms know of is a constant beside them.
#pragma once

#include <array>
#include <string>

#include "mpi_impl/collectives/framework/situation.hpp"

namespace hindcast::mpi {

struct Need {
  const char* text;                    // "a power of two of ranks"
  bool (*holds)(const Situation& in);  // as far as the situation is known
  bool is_of_machine = false;          // it is the machine that offers it (group_operations.hpp), or does not
};

// Any number of them, up to four.
class Needs {
 public:
  constexpr Needs() = default;
  constexpr Needs(const Need& need) : needs_{&need} {}
  constexpr Needs operator|(const Need& more) const {
    Needs all = *this;
    std::size_t place = 0;
    while (all.needs_.at(place) != nullptr) ++place;
    all.needs_.at(place) = &more;
    return all;
  }
  bool hold(const Situation& in) const;
  bool are_none() const { return needs_.front() == nullptr; }
  bool are_offered(const Offers& offers) const;  // those that are the machine's to meet
  std::string text() const;

 private:
  std::array<const Need*, 4> needs_{};
};
constexpr Needs operator|(const Need& a, const Need& b) { return Needs(a) | b; }

namespace need {

inline constexpr Need power_of_two{"a power of two of ranks",
                                   [](const Situation& in) { return (in.ranks & (in.ranks - 1)) == 0; }};
inline constexpr Need even{"an even number of ranks", [](const Situation& in) { return in.ranks % 2 == 0; }};
inline constexpr Need commutative{"a commutative operation", [](const Situation& in) { return in.is_commutative; }};
inline constexpr Need grid{"a Cartesian topology", [](const Situation& in) { return in.is_on_grid; }};
// Some ranks are on one node, or at one site, and some elsewhere.
inline constexpr Need levels{"several levels", [](const Situation& in) { return in.division() != nullptr; }};
inline constexpr Need levels_in_order{
    "a commutative operation or groups of consecutive ranks", [](const Situation& in) {
      return in.is_commutative || (in.division() != nullptr && in.division()->are_in_order());
    }};
inline constexpr Need broadcast{"the machine's broadcast", [](const Situation& in) { return in.offers.broadcast; },
                                true};
inline constexpr Need barrier{"the machine's barrier", [](const Situation& in) { return in.offers.barrier; }, true};
inline constexpr Need reduction{"the machine's reduction of an element",
                                [](const Situation& in) { return in.offers.reduction; }, true};

}  // namespace need

}  // namespace hindcast::mpi
