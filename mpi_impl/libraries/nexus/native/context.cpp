#include "mpi_impl/libraries/nexus/native/context.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hindcast::nexus {

Context::Context(System& system, Rank& rank) : system_(system), rank_(rank) {
  attach(rank, *this);
  system.add(*this);
}

// --- methods ---

Method* Context::method(const std::string& name) const {
  const auto found =
      std::find_if(methods_.begin(), methods_.end(), [&](const auto& own) { return own->name() == name; });
  return found != methods_.end() ? found->get() : nullptr;
}

Method* Context::method_to(const Context& other) const {
  if (&other == this) return nullptr;
  for (const auto& method : methods_)
    if (other.has(method->name()) && method->reaches(other)) return method.get();
  return nullptr;
}

// --- sending ---

std::size_t Context::add_handler(Handler handler) {
  handlers_.push_back(std::move(handler));
  return handlers_.size() - 1;
}

void Context::send(const Outgoing& outgoing, const Wait& why) {
  Thread& thread = *Thread::current();
  Context& to = system_.context(outgoing.to);
  Method* const method = outgoing.method != nullptr ? outgoing.method : method_to(to);
  if (method == nullptr && &to != this)
    system_.end_run(
        fmt::format("rank {}: no method of Nexus leads from here to rank {}; see nexus.methods, or the "
                    "resource database",
                    rank_.id, to.rank_.id));
  Message& message = system_.new_message();
  message.from = this;
  message.to = &to;
  message.handler = outgoing.handler;
  message.address = outgoing.address;
  const auto* first = static_cast<const std::byte*>(outgoing.data);
  message.data.assign(first, first + outgoing.bytes.count());
  message.attachment = outgoing.attachment;
  message.number = outgoing.number != 0 ? outgoing.number : take_message_number();
  message.buffer = outgoing.buffer;
  message.on_wire = costs().header_bytes + outgoing.attachment.bytes() + outgoing.bytes;
  thread.spend(costs().header, message.number);
  thread.spend(costs().call, message.number);
  if (method == nullptr) return keep(message);
  enter_methods(why);
  method->send(message, why);
  leave_methods();
}

// --- receiving ---

void Context::dispatch(Message& message) {
  Thread::current()->spend(costs().lookup, message.number);
  if (message.handler >= handlers_.size())
    system_.end_run(fmt::format("rank {}: a request from rank {} is for handler {}, but there are {} handlers here",
                                rank_.id, message.from->rank_.id, message.handler, handlers_.size()));
  handlers_[message.handler](message);
  system_.free_message(message);
  look_again();
}

bool Context::poll(const Wait& why) {
  bool has_handled = !kept_.empty();
  while (!kept_.empty()) {
    Message& message = *kept_.front();
    kept_.pop_front();
    dispatch(message);
  }
  if (polling_ != nullptr) return has_handled;
  for (const auto& method : methods_) {
    if (++method->passes < method->every) continue;
    method->passes = 0;
    has_handled = poll_method(*method, why) || has_handled;
  }
  return has_handled;
}

bool Context::poll_method(Method& method, const Wait& why) {
  Thread& thread = *Thread::current();
  enter_methods(why);
  method.prepare();
  thread.spend(method.look());
  thread.settle(&why);
  Message* const message = method.waits_since() <= thread.clock() ? method.take(why) : nullptr;
  leave_methods();
  if (message != nullptr) dispatch(*message);
  return message != nullptr;
}

void Context::wait(const std::function<bool()>& is_over, const Wait& why) {
  while (!is_over()) wait_once(is_over, why);
}

void Context::wait_once(const std::function<bool()>& is_over, const Wait& why) {
  Thread& thread = *Thread::current();
  if (!kept_.empty()) {
    Message& message = *kept_.front();
    kept_.pop_front();
    return dispatch(message);
  }
  if (polling_ != nullptr) {
    waiting_.push_back(&thread);
    thread.wait(why);
    std::erase(waiting_, &thread);
    return;
  }
  polling_ = &thread;
  is_over_ = &is_over;
  Message* const message = next_message(why);
  polling_ = nullptr;
  wake_waiting();
  if (message == nullptr) return;
  dispatch(*message);
  if (costs().finishes_pass) finish_pass(why);
}

void Context::look_beside(const Wait& why) {
  Thread& thread = *Thread::current();
  thread.spend(costs().call.kind, later_of(costs().call.cost, Time::ps(1)));
  thread.settle(&why);
}

// One of them polls on; or what it waits for has been done.
void Context::wake_waiting() {
  for (Thread* thread : waiting_) thread->wake();
}

void Context::look_again() {
  wake_waiting();
  if (idle_ != nullptr && idle_ != Thread::current()) idle_->wake();
}

void Context::keep(Message& message) {
  kept_.push_back(&message);
  look_again();
}

void Context::has_come() {
  if (idle_ != nullptr) idle_->wake();
}

void Context::wait_idle(const Wait& why) {
  Thread& thread = *Thread::current();
  if ((*is_over_)() || !kept_.empty()) return;  // since the thread has been about to wait
  idle_ = &thread;
  thread.wait(why);
  idle_ = nullptr;
}

Message* Context::next_message(const Wait& why) {
  const bool blocks = methods_.size() == 1 && !costs().is_threaded && methods_.front()->can_block();
  return blocks ? methods_.front()->receive(why) : poll_until_found(why);
}

Message* Context::poll_until_found(const Wait& why) {
  Thread& thread = *Thread::current();
  for (const auto& method : methods_) method->prepare();
  thread.settle(&why);
  poller_.begin(thread.clock());
  for (;;) {
    const auto found = poller_.find();
    if (!found) wait_idle(why);
    // The wait is over, or another thread of the rank has kept a request.
    if (!kept_.empty() || (!found && !poller_.find())) {
      thread.idle_until(poller_.advance_past(thread.clock()), why);
      return nullptr;
    }
    if (!found) continue;
    // The poll that finds it is a step of its own.
    const Time begin = found->at - found->method->look().cost;
    if (begin > thread.clock()) {
      idle_ = &thread;
      thread.wait_without_polling_until(begin, why);
      idle_ = nullptr;
      continue;
    }
    if (inside_ != nullptr) {
      idle_ = &thread;
      thread.wait(why);
      idle_ = nullptr;
      continue;
    }
    if (Message* message = take_found(*found, why)) return message;
    for (const auto& method : methods_) method->prepare();
    thread.settle(&why);
    poller_.begin(thread.clock());
  }
}

Message* Context::take_found(const Poller::Found& found, const Wait& why) {
  Thread& thread = *Thread::current();
  poller_.advance_to(found);
  inside_ = &thread;
  if (found.at > thread.clock()) thread.spend(found.method->look().kind, found.at - thread.clock(), 0, 0, &why);
  thread.settle(&why);
  if (costs().is_threaded) {
    thread.spend(costs().locking);
    thread.settle(&why);  // what has come while it took the lock is there to be taken
  }
  Message* const message = found.method->take(why);
  leave_methods();
  return message;
}

// Another thread may poll by now: then it is its pass.
void Context::finish_pass(const Wait& why) {
  if (polling_ != nullptr || methods_.size() == 1) return;
  while (Method* method = poller_.next_in_pass()) poll_method(*method, why);
}

// --- turns in the methods ---

void Context::enter_methods(const Wait& why) {
  Thread& thread = *Thread::current();
  if (inside_ == &thread) return;
  if (costs().is_threaded) {
    thread.spend(costs().locking);
    thread.settle(&why);
  }
  for_a_turn_.push_back(&thread);
  for (;;) {
    if (inside_ != nullptr || for_a_turn_.front() != &thread) {
      thread.wait(why);
      continue;
    }
    const bool polls_with_lock = costs().is_threaded && idle_ != nullptr;
    const Time end = polls_with_lock ? poller_.end_of_poll_at(thread.clock()) : thread.clock();
    if (end <= thread.clock()) break;
    thread.idle_until(end, why);
    thread.settle(&why);
  }
  for_a_turn_.pop_front();
  inside_ = &thread;
}

// The one that polls goes on from here.
void Context::leave_methods() {
  Thread& thread = *Thread::current();
  if (inside_ != &thread) return;
  inside_ = nullptr;
  if (!for_a_turn_.empty()) for_a_turn_.front()->wake();
  if (idle_ == nullptr || idle_ == &thread) return;
  poller_.begin(thread.clock());
  idle_->wake();
}

}  // namespace hindcast::nexus
