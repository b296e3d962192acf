#include "mpi_impl/core/processes/ports.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hindcast::mpi {

std::string Ports::open() {
  const std::string name = fmt::format("hindcast-port-{}", ++opened_);
  ports_[name];
  return name;
}

bool Ports::close(const std::string& name, Time now) {
  const auto found = ports_.find(name);
  if (found == ports_.end()) return false;
  for (Waiting& waiting : found->second.waiting)
    for (Caller* caller : waiting) caller->met.complete(now);
  ports_.erase(found);
  return true;
}

void Ports::call(const std::string& name, Side side, Caller& caller, std::uint32_t context, Time now) {
  Port& port = ports_.at(name);
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

void Ports::leave(const std::string& name, Side side, Caller& caller) {
  const auto found = ports_.find(name);
  if (found != ports_.end()) std::erase(found->second.of(side), &caller);
}

}  // namespace hindcast::mpi
