#include "simulator/programs/process/call_marks.hpp"

#include <deque>
#include <unordered_map>

#include "simulator/engine/thread.hpp"

namespace hindcast::programs {

bool are_calls_marked = false;

namespace {

struct Kinds {
  std::deque<StepKind> all;
  std::unordered_map<const void*, const StepKind*> of_function;  // by its name's address
};
Kinds marks_of_calls;

const StepKind& kind_of(const char* function) {
  const StepKind*& kind = marks_of_calls.of_function[function];
  if (kind == nullptr) kind = &marks_of_calls.all.emplace_back(StepKind{function, ""});
  return *kind;
}

void mark(const char* function, std::uint64_t returns) {
  if (are_calls_marked) Thread::current()->mark(kind_of(function), 0, returns, -1);
}

}  // namespace

void mark_begin_of_call(const char* function) { mark(function, 0); }
void mark_return_of_call(const char* function) { mark(function, 1); }

const char* name_of_call(const StepKind& kind) {
  for (const StepKind& known : marks_of_calls.all)
    if (&known == &kind) return known.name;
  return nullptr;
}

}  // namespace hindcast::programs
