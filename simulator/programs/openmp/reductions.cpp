#include "simulator/programs/openmp/reductions.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <cstring>

#include "simulator/programs/launcher.hpp"
#include "simulator/programs/process/running_program.hpp"

namespace hindcast::programs::openmp {

namespace {

enum Word : std::size_t { items, bytes_each, memory, allocator, next_array, is_first, memory_end, first_item };
enum ItemWord : std::size_t { address, offset, words_an_item = 3 };

std::uintptr_t* next_of(const std::uintptr_t* array) { return reinterpret_cast<std::uintptr_t*>(array[next_array]); }

// All that is registered: arrays up to the last one before which nothing was.
const std::uintptr_t* item_at(const std::uintptr_t* array, std::uintptr_t original, std::size_t& offset_found) {
  for (; array != nullptr; array = next_of(array))
    for (std::size_t i = 0; i < array[items]; ++i) {
      const std::uintptr_t* item = array + first_item + i * words_an_item;
      if (item[address] != original) continue;
      offset_found = item[offset];
      return array;
    }
  return nullptr;
}

// A copy that some thread has of an item.
const std::uintptr_t* copy_at(const std::uintptr_t* array, std::uintptr_t copy, std::size_t& offset_found) {
  for (; array != nullptr; array = next_of(array))
    if (copy >= array[memory] && copy < array[memory_end]) {
      offset_found = (copy - array[memory]) % array[bytes_each];
      return array;
    }
  return nullptr;
}

std::uintptr_t original_of(const std::uintptr_t* array, std::size_t offset_wanted) {
  for (std::size_t i = 0; i < array[items]; ++i) {
    const std::uintptr_t* item = array + first_item + i * words_an_item;
    if (item[offset] == offset_wanted) return item[address];
  }
  return 0;
}

[[noreturn]] void refuse(std::uintptr_t wanted) {
  RunningProgram::calling("a reduction of tasks")
      .launch()
      .abort_run(1, fmt::format("a task reduces {:#x}, which no taskgroup or region around it reduces", wanted));
}

}  // namespace

void register_reductions(std::uintptr_t* arrays, std::uintptr_t* before, const std::uintptr_t* first,
                         unsigned threads) {
  for (std::uintptr_t* array = arrays;; array = next_of(array)) {
    if (first != nullptr) {
      array[memory] = first[memory];
      array[memory_end] = first[memory_end];
      first = next_of(first);
    } else {
      const std::size_t bytes = array[bytes_each] * threads;
      void* const allocated = take_aligned(array[memory], bytes);
      std::memset(allocated, 0, bytes);
      array[memory] = reinterpret_cast<std::uintptr_t>(allocated);
      array[memory_end] = array[memory] + bytes;
    }
    array[is_first] = 0;
    if (array[next_array] == 0) {
      array[next_array] = reinterpret_cast<std::uintptr_t>(before);
      break;
    }
  }
  arrays[is_first] = 1;
}

void forget_reductions(std::uintptr_t* arrays) {
  std::uintptr_t* array = arrays;
  do {
    std::free(reinterpret_cast<void*>(array[memory]));
    array = next_of(array);
  } while (array != nullptr && array[is_first] == 0);
}

void begin_group(Member& member) {
  auto* group = new TaskGroup();
  group->outer = member.task->group;
  if (group->outer != nullptr) group->reductions = group->outer->reductions;
  member.task->group = group;
}

void end_group(Member& member) {
  const std::shared_ptr<Task> own = member.task;
  const std::unique_ptr<TaskGroup> group(own->group);
  Runtime::wait_for_tasks(member, group->ready, group->unfinished, "the end of a taskgroup");
  own->group = group->outer;
}

void begin_share_group(Member& member) {
  begin_group(member);
  member.task->group->is_of_share = true;
}

void register_for_share(Member& member, WorkShare& share, std::uintptr_t* arrays) {
  TaskGroup& group = *member.task->group;
  register_reductions(arrays, group.reductions, share.reductions, member.team->size);
  group.reductions = arrays;
  if (share.reductions == nullptr) share.reductions = arrays;
}

}  // namespace hindcast::programs::openmp

using namespace hindcast::programs::openmp;

extern "C" {

unsigned hindcast_GOMP_parallel_reductions(Function function, void* data, unsigned threads, unsigned) {
  Runtime& runtime = Runtime::calling("a parallel region");
  const unsigned size = runtime.team_size(threads);
  std::uintptr_t* const arrays = *static_cast<std::uintptr_t**>(data);
  register_reductions(arrays, nullptr, nullptr, size);
  runtime.run_in_parallel(function, data, size, nullptr, arrays);
  return size;
}

void hindcast_GOMP_taskgroup_reduction_register(std::uintptr_t* arrays) {
  Member& member = Runtime::member("taskgroup");
  TaskGroup& group = *member.task->group;
  register_reductions(arrays, group.reductions, nullptr, member.team->size);
  group.reductions = arrays;
}
void hindcast_GOMP_taskgroup_reduction_unregister(std::uintptr_t* arrays) { forget_reductions(arrays); }

void hindcast_GOMP_workshare_task_reduction_unregister(bool is_cancelled) {
  Member& member = Runtime::member("a reduction of tasks");
  std::uintptr_t* const arrays = member.task->group->reductions;
  end_group(member);
  if (member.number == 0) forget_reductions(arrays);
  if (!is_cancelled) Runtime::barrier(member);
}

// Each pointer is to an item or to some thread's copy of it, and becomes one to the calling thread's copy; of the first
// ones the items themselves are given too, behind the others.
void hindcast_GOMP_task_reduction_remap(std::size_t count, std::size_t count_of_items, void** pointers) {
  const Member& member = Runtime::member("a reduction of tasks");
  const TaskGroup* group = member.task->group;
  for (std::size_t i = 0; i < count; ++i) {
    const auto wanted = reinterpret_cast<std::uintptr_t>(pointers[i]);
    const std::uintptr_t* registered = group != nullptr ? group->reductions : nullptr;
    std::size_t at = 0;
    const std::uintptr_t* array = item_at(registered, wanted, at);
    std::uintptr_t item = wanted;
    if (array == nullptr) {
      array = copy_at(registered, wanted, at);
      if (array == nullptr) refuse(wanted);
      item = original_of(array, at);
    }
    pointers[i] = reinterpret_cast<void*>(array[memory] + member.number * array[bytes_each] + at);
    if (i < count_of_items) pointers[count + i] = reinterpret_cast<void*>(item);
  }
}

}  // extern "C"
