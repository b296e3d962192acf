#include "mpi_impl/core/processes/ports.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hindcast::mpi {

std::string Ports::open() {
  const std::string name = fmt::format("hindcast-port-{}", ++opened_);
  ports_[name].is_open = true;
  return name;
}

bool Ports::close(const std::string& name, Time now) {
  const auto found = ports_.find(name);
  if (found == ports_.end() || !found->second.is_open) return false;
  for (Waiting& waiting : found->second.waiting)
    for (Caller* caller : waiting) caller->met.complete(now);
  ports_.erase(found);
  return true;
}

void Ports::call(const std::string& name, Side side, Caller& caller, std::uint32_t context, Time now) {
  Port& port = ports_[name];
  Waiting& others = port.of(side == Side::accepts ? Side::connects : Side::accepts);
  if (others.empty()) return port.of(side).push_back(&caller);
  Caller& other = *others.front();
  others.pop_front();
  meet(caller, other, context, now);
}

void Ports::meet(Caller& one, Caller& other, std::uint32_t context, Time now) {
  for (const auto& [caller, met] : {std::pair(&one, &other), std::pair(&other, &one)}) {
    caller->other_rank = met->rank;
    caller->other_group = met->group;
    caller->context = context;
  }
  one.met.complete(now);
  other.met.complete(now);
}

bool Ports::has_waiting(int rank) const {
  return std::ranges::any_of(ports_, [&](const auto& port) {
    return std::ranges::any_of(port.second.waiting, [&](const Waiting& waiting) {
      return std::ranges::any_of(waiting, [&](const Caller* caller) { return caller->rank == rank; });
    });
  });
}

void Ports::leave(const std::string& name, Side side, Caller& caller) {
  const auto found = ports_.find(name);
  if (found == ports_.end()) return;
  Port& port = found->second;
  std::erase(port.of(side), &caller);
  if (!port.is_open && port.waiting[0].empty() && port.waiting[1].empty()) ports_.erase(found);
}

}  // namespace hindcast::mpi
