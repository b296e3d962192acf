// What a rank waits for that a target of a window answers: data, or that something has been done. Several threads may
// wait for the same answer.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "mpi_impl/core/datatypes/type_map.hpp"
#include "simulator/engine/completion.hpp"

namespace hindcast::mpi {

class Process;
class RemoteRequest;

struct Answer {
  Completion come;
  int target = 0;  // a rank of the window's
  bool grants_lock = false;
  void* data = nullptr;
  TypeMapPointer type;               // of the elements at `data`; null if they lie together
  RemoteRequest* request = nullptr;  // that ends with it
  int users = 0;                     // threads that are going to wait for it, or do
  bool is_awaited = false;           // by a thread that will tell the others
  std::vector<Completion*> others;   // what these wait for

  void begin_again() {
    come.reset();
    grants_lock = false;
    data = nullptr;
    type.reset();
    request = nullptr;
  }
};

// Those that a rank has not waited for yet, by window.
class Answers {
 public:
  static constexpr int all_targets = -1;

  // What operations end with.
  Answer& expect(int target);
  // Of a target, or of all targets, until all have come. Locks that other threads wait for are not among them: who has
  // them may in turn wait for this thread.
  void wait_for(Process& process, int target, const Wait& why) { wait_for(process, {target, false}, why); }
  bool are_awaited_from(int target) const;

  Answer& expect_lock(int target);
  void wait_for_lock(Process& process, int target, const Wait& why) { wait_for(process, {target, true}, why); }

 private:
  static constexpr std::size_t first_limit = 64;
  struct Wanted {
    int target;
    bool is_lock;
    bool takes(const Answer& answer) const {
      return answer.grants_lock == is_lock && (target == all_targets || answer.target == target);
    }
  };

  void forget_come();
  void wait_for(Process& process, const Wanted& wanted, const Wait& why);
  void wait_at_once(Process& process, const Wanted& wanted, const Wait& why);
  void wait_among_threads(Process& process, const Wanted& wanted, const Wait& why);

  template <typename IsOver>
  void forget_if(IsOver is_over);

  std::vector<std::unique_ptr<Answer>> answers_;
  std::vector<std::unique_ptr<Answer>> spare_;  // to be used again
  std::size_t limit_ = first_limit;
};

// The data of an answer go where they belong.
void land(Answer& answer, const std::byte* data, std::size_t bytes, Time at);

}  // namespace hindcast::mpi
