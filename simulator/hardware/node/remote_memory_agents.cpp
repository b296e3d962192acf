#include "simulator/hardware/node/remote_memory_agents.hpp"

#include <utility>

namespace hindcast {

void InterruptedAgent::serve(RemoteMemory& memory, RemoteMemory::Operation& operation) {
  Thread& thread = rank_.attendant();
  const FixedStep& step = service_.of(RemoteMemory::kind_of(operation));
  const Time start = thread.interrupt(step.cost);
  thread.record_service(step.kind, start, step.cost, RemoteMemory::message_of(operation));
  memory.perform_at(operation, start + step.cost);
}

void PollingAgent::serve(RemoteMemory& memory, RemoteMemory::Operation& operation) {
  Thread& thread = rank_.attendant();
  const std::optional<Time> start = thread.service_start();
  if (!start) return waiting_.push_back(&operation);
  const FixedStep& step = service_.of(RemoteMemory::kind_of(operation));
  const Time end = thread.serve(*start, step.cost);
  thread.record_service(step.kind, *start, step.cost, RemoteMemory::message_of(operation));
  memory.perform_at(operation, end);
}

void PollingAgent::work_on_what_waits(Thread& thread) {
  if (waiting_.empty()) return;
  Time at = thread.start_of_work_in_poll();
  for (RemoteMemory::Operation* operation : std::exchange(waiting_, {})) {
    const FixedStep& step = service_.of(RemoteMemory::kind_of(*operation));
    thread.record_service(step.kind, at, step.cost, RemoteMemory::message_of(*operation));
    at += step.cost;
    memory_.perform_by(thread, *operation, at);
  }
  thread.work_in_poll_until(at);
}

}  // namespace hindcast
