#include "simulator/programs/threads/sync_wait.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hindcast::programs {

namespace {

std::string where_taken(const ProgramThread& holder, const void* lock) {
  const auto held = std::find_if(holder.held.begin(), holder.held.end(),
                                 [&](const ProgramThread::Held& one) { return one.lock == lock; });
  const std::string place = held != holder.held.end() ? holder.threads.place_of(held->taken_at) : std::string();
  return place.empty() ? place : ", taken in " + place;
}

}  // namespace

BlockedOn SyncWait::describe() const {
  BlockedOn blocked{call_, "", {}};
  if (what_ == nullptr) return blocked;
  const std::string variable = object_ != nullptr ? threads_.variable_at(object_) : std::string();
  const char* article = object_ != nullptr && variable.empty() ? "a " : "";
  blocked.detail = fmt::format("for {}{}{}{}", article, what_, variable.empty() ? "" : " ", variable);
  const ProgramThread* has_it = holder();
  if (has_it == nullptr) return blocked;
  blocked.detail += fmt::format(" of thread {}{}{}", has_it->index, has_it->has_ended ? ", which has ended" : "",
                                where_taken(*has_it, object_));
  if (has_it->thread != nullptr) blocked.threads = {has_it->thread};
  return blocked;
}

}  // namespace hindcast::programs
