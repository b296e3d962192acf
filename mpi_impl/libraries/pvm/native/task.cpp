#include "mpi_impl/libraries/pvm/native/task.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>

#include "simulator/programs/launcher.hpp"

namespace hindcast::pvm {

Task::Task(VirtualMachine& machine, Rank& rank, ap3000::Node& node, std::uint32_t context_in_layer)
    : machine_(machine),
      rank_(rank),
      node_(node),
      context_in_layer_(context_in_layer),
      host_(machine.host_of_node(node.place())) {
  attach(rank, *this);
  node.tell(*this, context_in_layer);
  options_.set(PvmFragSize, static_cast<int>(machine.costs().fragment.count()));
  if (machine.costs().is_direct_by_itself) options_.set(PvmRoute, PvmRouteDirect);
  const Wish* wish = machine.wish_of_born();
  if (wish == nullptr) {
    machine.add_unspawned(*this);
    return;
  }
  name_ = wish->program;
  parent_ = (wish->flags & PvmNoSpawnParent) != 0 ? PvmNoParent : wish->parent;
  context = wish->context;
  for (const auto& [what, own] : Options::inherited) {
    options_.set(what, wish->options.get(what));
    options_.set(own, wish->options.get(what));
  }
  own_trace_mask_ = childrens_trace_mask_ = wish->trace_mask;
  programs::RunningProgram& program = programs::RunningProgram::of(rank);
  program.survive_it_in(*this);
  program.give_output_to(*this);
  for (const std::string& variable : wish->variables) program.set_variable(variable);
  tid_ = spawned_as_ = machine.begin(*this, host_);
  machine.is_born(tid_);
  rank.stop_running_ahead();
}

Task::~Task() {
  machine_.remove_unspawned(*this);
  detach(rank_, *this);
}

// --- being in the virtual machine ---

void Task::enter(const char* call) {
  if (!is_in_) enrol(call);
  act_on_signals();
  answer_roots();
}

// Its daemon is told, and answers.
void Task::enrol(const char* call) {
  Thread::current()->settle();
  rank_.stop_running_ahead();
  is_in_ = true;
  ask_daemon(call, [&] {
    machine_.begin_unspawned();
    become_known();
  });
}

bool Task::become_known() {
  if (tid_ == 0 && !is_over_) tid_ = machine_.begin(*this, host_);
  return tid_ != 0;
}

void Task::leave(const char* call) {
  wait_for_roots(call);
  print_caught_output();
  while (is_output_expected()) {
    wait(CallWait(call, "for the end of what its children print"));
    print_caught_output();
  }
  ask_daemon(call, [&] { machine_.end(*this); });
  is_in_ = false;
  parent_ = PvmNoParent;
}

void Task::ends() {
  if (tid_ != 0) wait_for_roots("exit");
  machine_.agenda().act(*Thread::current(), [this] {
    is_over_ = true;
    machine_.end(*this);
    end_output();
  });
}

void Task::wait(const Wait& why) {
  if (make_room()) return;
  waiting_.push_back(Thread::current());
  Thread::current()->wait(why);
  std::erase(waiting_, Thread::current());
}

void Task::has_ended() {
  tid_ = 0;
  sent_.clear();
  instances.clear();
  frozen_groups.clear();
  inbox.forget_senders();
}

// --- signals ---

void Task::signal(int number) {
  signals_.push_back(number);
  for (Thread* thread : waiting_) thread->wake();
}

void Task::act_on_signals() {
  while (!signals_.empty()) {
    const int number = signals_.front();
    signals_.erase(signals_.begin());
    const auto& program = programs::RunningProgram::of(rank_).entry_points();
    if (program.deliver_signal(number, nullptr) != 0) continue;
    const bool is_harmless = number == SIGCHLD || number == SIGURG || number == SIGWINCH || number == SIGCONT;
    if (is_harmless) continue;
    end_by_signal();
  }
}

// Its daemon tells those who want to know, as if it had been killed.
void Task::end_by_signal() {
  machine_.agenda().act(*Thread::current(), [this] { machine_.kill(*this); });
  Thread::current()->wait(CallWait("a signal", "that ends the task"));
}

// --- questions ---

namespace {

struct Question {
  bool is_answered = false;
  Thread& asking;
};

}  // namespace

void Task::ask(const CallWait& why, int host, const std::function<void(Reply reply)>& what) {
  Thread& thread = *Thread::current();
  Question question{false, thread};
  const Bytes only_header;
  ++open_questions_;
  thread.spend(costs().daemon_call);
  machine_.agenda().act(thread, [this, &question, &what, host, only_header] {
    machine_.daemons().carry(host_, host, only_header, [this, &question, &what, host, only_header] {
      what([this, &question, host, only_header] {
        machine_.daemons().carry(host, host_, only_header, [this, &question] {
          --open_questions_;
          question.is_answered = true;
          question.asking.wake();
        });
      });
    });
  });
  // Signals and messages for the program's handlers come meanwhile as well.
  for (;;) {
    act_on_signals();
    call_handlers();
    if (question.is_answered) break;
    wait(why);
  }
  thread.spend(costs().daemon_call);
}

GroupAnswer Task::ask_about_groups(const CallWait& why,
                                   const std::function<void(Groups& groups, GroupReply reply)>& what) {
  GroupAnswer given;
  ask(why, 0, [&](const Reply& reply) {
    GroupServer& server = machine_.group_server();
    server.serve([&, reply] {
      what(server.groups(), [&given, reply](const GroupAnswer& answer) {
        given = answer;
        reply();
      });
    });
  });
  return given;
}

void Task::ask_daemon(const char* call, const std::function<void()>& what) {
  ask(CallWait(call, "for its daemon to answer"), host_, [&](const Reply& reply) {
    what();
    reply();
  });
}

// --- messages ---

bool Task::goes_directly(Task& to) {
  if (linked_.contains(to.tid())) return true;
  const bool is_asked_for = options_.get(PvmRoute) == PvmRouteDirect;
  if (!is_asked_for || to.options_.get(PvmRoute) == PvmDontRoute) return false;
  linked_.insert(to.tid());
  to.linked_.insert(tid_);
  return true;
}

void Task::send(const char* call, const FixedStep& step, Task& to, Message message) {
  message.place = sent_[to.tid()]++;
  const CallWait why(call, fmt::format("until {} bytes have left for task t{:x}", message.contents->size(), to.tid()),
                     {to.rank().id});
  // What no receiver's buffer has room for goes in the daemons' fragments.
  const bool fits = Bytes(message.contents->size()) <= node_.system().longest_message();
  if (fits && goes_directly(to))
    send_directly(why, step, to, std::move(message));
  else
    send_by_daemons(why, step, to, std::move(message));
}

void Task::send_directly(const CallWait& why, const FixedStep& step, Task& to, Message message) {
  const Bytes bytes(message.contents->size());
  message.number = node_.upcoming_message();
  Thread::current()->mark(marks_of_messages.sent, message.number, bytes.count(), to.rank().id);
  const Contents contents = message.contents;
  machine_.under_way().emplace(message.number, std::move(message));
  Completion sent;
  node_.send({.to = to.rank().id,
              .key = {context_in_layer_, rank_.id, 0},
              .data = contents->data(),
              .bytes = bytes,
              .call = &step,
              .sent = &sent});
  Thread& thread = *Thread::current();
  Gate gate(thread);
  gate.add(sent);
  while (!gate.is_open()) wait(why);
  thread.idle_until(sent.at(), why);
}

void Task::send_by_daemons(const CallWait& why, const FixedStep& step, Task& to, Message message) {
  Thread& thread = *Thread::current();
  const Bytes bytes(message.contents->size());
  constexpr std::uint64_t above_those_of_the_layer = std::uint64_t{1} << (message_count_bits - 1);
  message.number = message_id(rank_.id, above_those_of_the_layer + ++messages_by_daemons_);
  thread.mark(marks_of_messages.sent, message.number, bytes.count(), to.rank().id);
  thread.spend(step, message.number);
  thread.spend(costs().daemon_call, message.number);
  thread.spend(costs().copy_to_daemon, bytes.count(), message.number);
  const int host = to.host();
  machine_.agenda().act(thread, [this, host, bytes, message = std::move(message)] {
    machine_.daemons().carry(
        host_, host, bytes,
        [machine = &machine_, message] {
          if (Task* there = machine->find(message.envelope.destination)) there->has_come(message);
        },
        Bytes(static_cast<std::uint64_t>(options_.get(PvmFragSize))));
  });
  thread.settle(&why);
}

void Task::came_before_its_receive(const layer::Message& in_layer) {
  auto found = machine_.under_way().extract(in_layer.message);
  Message message = std::move(found.mapped());
  message.in_layer = const_cast<layer::Message*>(&in_layer);
  has_come(std::move(message));
}

void Task::room_is_short() {
  for (Thread* thread : waiting_) thread->wake();
}

// While it waits, the library takes out of the layer's buffer what others' messages want the room of: the one that the
// task waits for may be among them, or its receiver may itself be waiting to send. Whether it has taken any.
bool Task::make_room() {
  Message* message = node_.is_room_short() ? inbox.in_layer() : nullptr;
  if (message == nullptr) return false;
  take_from_layer(*message);
  Thread::current()->settle();
  return true;
}

void Task::has_come(Message message) {
  const MessageId number = message.number;
  const bool is_for_earlier_id = message.envelope.destination != tid_;
  if (is_for_earlier_id) message.place.reset();
  inbox.add(std::move(message));
  for (Thread* thread : waiting_) thread->wake(number);
}

// Of messages that a program's function wants, each is given to it once; what else there is waits meanwhile.
void Task::call_handlers() {
  answer_roots();
  if (is_in_handler_) return;
  print_caught_output();
  while (auto handled = inbox.take_handled()) {
    copy_out(handled->message);
    const int sending = buffers.set_sending(Buffers::none), receiving = buffers.set_receiving(Buffers::none);
    const int id = keep(handled->message);
    is_in_handler_ = true;
    handled->handler.function(id);
    is_in_handler_ = false;
    buffers.remove(id);
    buffers.set_sending(sending);
    buffers.set_receiving(receiving);
  }
}

const Message* Task::choose(int tid, int tag, int& error) {
  return inbox.find_best(
      context,
      [this, tid, tag](const Message& message) {
        const int id = buffers.add(Buffer(message.encoding, message.contents, message.envelope, message.number));
        const int rank = chooser(id, tid, tag);
        buffers.remove(id);
        return rank;
      },
      error);
}

const Message* Task::find_present(int tid, int tag, int& error) {
  call_handlers();
  return chooser != nullptr ? choose(tid, tag, error) : inbox.find(tid, tag, context);
}

std::optional<Message> Task::receive_present(int tid, int tag, int& error) {
  const Message* found = find_present(tid, tag, error);
  return found != nullptr ? std::optional(inbox.take(*found)) : std::nullopt;
}

std::optional<Message> Task::receive(const char* call, int tid, int tag, int& error, Time until) {
  const std::string from = tid == Inbox::any ? "from any task" : fmt::format("from task t{:x}", tid);
  Task* sender = machine_.find(tid);
  const CallWait why(call, fmt::format("{}, {}", from, tag == Inbox::any ? "any tag" : fmt::format("tag {}", tag)),
                     sender != nullptr ? std::vector<int>{sender->rank().id} : std::vector<int>{});
  Thread& thread = *Thread::current();
  const bool may_wait = thread.clock() < until;
  if (may_wait && until != Time::never()) wake_at(until);
  for (;;) {
    act_on_signals();
    if (auto message = receive_present(tid, tag, error); message || error < 0) return message;
    if (thread.clock() >= until) break;
    wait(why);
  }
  if (may_wait) return std::nullopt;
  // Without a time to wait it is a look, and takes one: a loop around it would else never be left.
  look(call);
  return receive_present(tid, tag, error);
}

// The task is remembered until then, even if it is gone.
void Task::wake_at(Time time) {
  Thread& thread = *Thread::current();
  ++open_questions_;
  machine_.agenda().act(thread, [this, &thread, time] {
    machine_.agenda().at(time, [this, &thread] {
      --open_questions_;
      thread.wake();
    });
  });
}

// The message may be moved while the call takes its time.
void Task::take_from_layer(Message& message) {
  layer::Message& in_layer = *std::exchange(message.in_layer, nullptr);
  message.is_in_library = true;
  const Bytes bytes(message.contents->size());
  const MessageId number = message.number;
  layer::BufferReceive receive(nullptr, Bytes());
  node_.set_aside(in_layer);
  node_.receive_set_aside(in_layer, receive);
  node_.end_receive(&costs().receive, bytes, bytes, number);
}

void Task::copy_out(Message& message) {
  Thread& thread = *Thread::current();
  const Bytes bytes(message.contents->size());
  if (message.in_layer != nullptr) {
    take_from_layer(message);
  } else if (!message.is_in_library) {
    thread.spend(costs().daemon_call, message.number);
    thread.spend(costs().receive, message.number);
    thread.spend(costs().copy_from_daemon, bytes.count(), message.number);
  }
  if (message.number != 0)
    thread.mark(marks_of_messages.received, message.number, bytes.count(), sender_of(message.number));
}

int Task::keep(const Message& message) {
  const int id = buffers.add(Buffer(message.encoding, message.contents, message.envelope, message.number));
  buffers.remove(buffers.receiving());
  buffers.set_receiving(id);
  return id;
}

void Task::look(const char* call) {
  node_.look(CallWait(call, "for a message that has come"));
  act_on_signals();
}

}  // namespace hindcast::pvm
