#include "simulator/programs/openmp/dependences.hpp"

#include <algorithm>

namespace hindcast::programs::openmp {

namespace {

struct Named {
  const void* variable;
  bool is_only_read;
};

// Two forms: [count, written, variables...], or [0, count, written, in any order, read, variables..., objects...],
// where an object is a pair of a variable and a kind.
std::vector<Named> read_list(void* const* list) {
  constexpr std::size_t kind_of_reading = 1;
  const auto number = [&](std::size_t at) { return reinterpret_cast<std::size_t>(list[at]); };
  std::vector<Named> named;
  if (number(0) != 0) {
    for (std::size_t i = 0; i < number(0); ++i) named.push_back({list[2 + i], i >= number(1)});
    return named;
  }
  const std::size_t written = number(2) + number(3), plain = written + number(4);
  for (std::size_t i = 0; i < number(1); ++i) {
    void* const entry = list[5 + i];
    if (i < plain) {
      named.push_back({entry, i >= written});
    } else {
      void* const* const object = static_cast<void**>(entry);
      named.push_back({object[0], reinterpret_cast<std::size_t>(object[1]) == kind_of_reading});
    }
  }
  return named;
}

void begin_after(const std::shared_ptr<Task>& task, const std::shared_ptr<Task>& earlier) {
  if (earlier == nullptr || earlier == task || earlier->is_over) return;
  earlier->successors.push_back(task);
  ++task->predecessors;
}

void begin_after(const std::shared_ptr<Task>& task, const Dependence& dependence, bool only_reads) {
  if (only_reads || dependence.readers.empty()) begin_after(task, dependence.writer);
  if (only_reads) return;
  for (const std::shared_ptr<Task>& reader : dependence.readers) begin_after(task, reader);
}

}  // namespace

void depend_on(Task& parent, const std::shared_ptr<Task>& task, void* const* list) {
  for (const Named& named : read_list(list)) {
    Dependence& dependence = parent.dependences[named.variable];
    begin_after(task, dependence, named.is_only_read);
    if (named.is_only_read) {
      auto& readers = dependence.readers;
      const auto is_over = [](const std::shared_ptr<Task>& reader) { return reader->is_over; };
      readers.erase(std::remove_if(readers.begin(), readers.end(), is_over), readers.end());
      readers.push_back(task);
    } else {
      dependence.writer = task;
      dependence.readers.clear();
    }
  }
}

void wait_behind(Task& parent, const std::shared_ptr<Task>& waiter, void* const* list) {
  for (const Named& named : read_list(list)) {
    const auto found = parent.dependences.find(named.variable);
    if (found != parent.dependences.end()) begin_after(waiter, found->second, named.is_only_read);
  }
}

}  // namespace hindcast::programs::openmp
