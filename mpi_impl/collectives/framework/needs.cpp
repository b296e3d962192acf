#include "mpi_impl/collectives/framework/needs.hpp"

#include <algorithm>

namespace hindcast::mpi {

bool Needs::hold(const Situation& in) const {
  return std::all_of(needs_.begin(), needs_.end(),
                     [&](const Need* need) { return need == nullptr || need->holds(in); });
}

bool Needs::are_offered(const Offers& offers) const {
  Situation in{};
  in.offers = offers;
  return std::all_of(needs_.begin(), needs_.end(),
                     [&](const Need* need) { return need == nullptr || !need->is_of_machine || need->holds(in); });
}

std::string Needs::text() const {
  std::string all;
  for (const Need* need : needs_)
    if (need != nullptr) all += (all.empty() ? "" : " and ") + std::string(need->text);
  return all.empty() ? "nothing" : all;
}

}  // namespace hindcast::mpi
