// A context: the address space of one rank, as Nexus has it, with its handlers and the methods that it has opened.
//
// A remote service request takes its sender the header's set-up and the call, and then what the method takes. At its
// target it is found by a poll, or by a receive that waits where there is but one method and no threads; then the
// handler is looked up and runs, on the thread that has polled or on one of its own.
//
// One thread of a rank polls, for all that wait. Only one at a time is inside the methods. In the threaded version a
// lock sees to that, which takes its time and which a poll in progress has until it is over.
#pragma once

#include <deque>
#include <functional>

#include "mpi_impl/libraries/common/native.hpp"
#include "mpi_impl/libraries/nexus/native/poller.hpp"
#include "mpi_impl/libraries/nexus/native/system.hpp"

namespace hindcast::nexus {

// What a send is told.
struct Outgoing {
  int to;  // a context
  std::size_t handler;
  void* address = nullptr;
  const void* data = nullptr;
  Bytes bytes;
  Attachment attachment = {};
  MessageId number = 0;      // if given, that of the message which the request is a part of
  Method* method = nullptr;  // if given, the one that it goes by
  Bytes buffer = {};         // if given, of the connection that it goes by, where the method has such
};

class Context final : public NativePart<Context> {
 public:
  // On the rank's thread that has taken the request. It may move the message's data away: the rest is freed when it
  // returns.
  using Handler = std::function<void(Message& message)>;

  Context(System& system, Rank& rank);
  ~Context() { detach(rank_, *this); }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  static Context* of(const Rank& rank) { return native_part<Context>(rank); }

  System& system() { return system_; }
  const Costs& costs() const { return system_.costs(); }
  Rank& rank() { return rank_; }
  const Rank& rank() const { return rank_; }
  int number() const { return rank_.id; }

  // --- methods ---

  void open(std::unique_ptr<Method> method) { methods_.push_back(std::move(method)); }
  const Methods& methods() const { return methods_; }
  // Null: it has none of this name.
  Method* method(const std::string& name) const;
  bool has(const std::string& name) const { return method(name) != nullptr; }
  // The first that leads there; null: none does, or it is the context itself.
  Method* method_to(const Context& other) const;

  // --- on the rank's threads ---

  // Its number is that of requests which name it.
  std::size_t add_handler(Handler handler);
  std::size_t handlers() const { return handlers_.size(); }

  MessageId upcoming_message() const { return message_id(rank_.id, messages_sent_ + 1); }
  MessageId take_message_number() { return message_id(rank_.id, ++messages_sent_); }

  void send(const Outgoing& outgoing, const Wait& why);
  // One pass. Whether something has been handled.
  bool poll(const Wait& why);
  // Handles what comes until `is_over`, which is asked again after each request, and when the thread has been woken.
  void wait(const std::function<bool()>& is_over, const Wait& why);
  // Handles a request, or returns because it is over, or the thread has been woken for something else.
  void wait_once(const std::function<bool()>& is_over, const Wait& why);
  // Another thread of the rank polls for all, while it waits.
  bool is_polled_by_another() const { return polling_ != nullptr && polling_ != Thread::current(); }
  // What a thread takes that finds this, so that it can go on looking without the time standing still.
  void look_beside(const Wait& why);
  // Whoever waits asks again whether it is over.
  void look_again();
  // A request that a method has taken while it was about something else, or that the context has sent to itself: it is
  // handled by the next thread that waits or polls.
  void keep(Message& message);

  // --- by methods, in handlers or on the rank's threads ---

  // There is something to be taken.
  void has_come();
  // Until something has come, or the thread is woken.
  void wait_idle(const Wait& why);

 private:
  Message* next_message(const Wait& why);
  Message* poll_until_found(const Wait& why);
  Message* take_found(const Poller::Found& found, const Wait& why);
  void dispatch(Message& message);
  bool poll_method(Method& method, const Wait& why);
  void finish_pass(const Wait& why);
  void enter_methods(const Wait& why);
  void leave_methods();
  void wake_waiting();

  System& system_;
  Rank& rank_;
  Methods methods_;
  Poller poller_{methods_};
  std::vector<Handler> handlers_;
  std::uint64_t messages_sent_ = 0;
  std::deque<Message*> kept_;
  Thread* polling_ = nullptr;
  const std::function<bool()>* is_over_ = nullptr;  // what that one waits for
  Thread* idle_ = nullptr;                          // the one that polls, while nothing is found
  std::vector<Thread*> waiting_;                    // for the one that polls
  Thread* inside_ = nullptr;                        // the methods
  std::deque<Thread*> for_a_turn_;                  // in the order in which they have come
};

}  // namespace hindcast::nexus
