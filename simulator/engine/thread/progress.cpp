// How the threads of a rank share in their library's progress.
#include "simulator/engine/rank.hpp"

#include <algorithm>

namespace hindcast {

void Rank::set_progress(Progress how, Time period) {
  progress = how;
  poll_period = period;
  for (auto& thread : threads) thread->set_progress(how, period);
}

void Rank::set_may_be_interrupted() {
  may_be_interrupted = true;
  for (auto& thread : threads) thread->set_may_be_interrupted();
}

void Rank::add(std::unique_ptr<Thread> thread) {
  threads.push_back(std::move(thread));
  only_thread = threads.size() == 1 ? threads.front().get() : nullptr;
}

std::unique_ptr<Thread> Rank::remove(const Thread& thread) {
  const auto found =
      std::find_if(threads.begin(), threads.end(), [&](const auto& own) { return own.get() == &thread; });
  std::unique_ptr<Thread> removed = std::move(*found);
  threads.erase(found);
  only_thread = threads.size() == 1 ? threads.front().get() : nullptr;
  return removed;
}

Thread& Rank::attendant_of_several() {
  const auto waits = std::find_if(threads.begin(), threads.end(), [](const auto& thread) { return thread->attends(); });
  return waits != threads.end() ? **waits : main_thread();
}

}  // namespace hindcast
