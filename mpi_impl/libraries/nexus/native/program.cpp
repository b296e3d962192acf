#include "mpi_impl/libraries/nexus/native/program.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "simulator/programs/launcher.hpp"
#include "simulator/programs/threads/program_threads.hpp"

namespace hindcast::nexus {

namespace {

class ReplyWait final : public Wait {
 public:
  explicit ReplyWait(int to) : to_(to) {}
  BlockedOn describe() const override { return {"nexus_attach", "until an answer has left", {to_}}; }

 private:
  int to_;
};

// A request for a handler that has a thread of its own.
struct Job {
  Program* program;
  nexus_handler_t handler;
  void* address;
  nexus_buffer* buffer;
};

// What stands in a global pointer for a method: whose choice it is, and its place among that context's methods.
struct Choice {
  static constexpr int methods_max = 32;  // of a context
  int context, place;

  static Choice of(int number) { return {(number - 1) / methods_max, (number - 1) % methods_max}; }
  int number() const { return context * methods_max + place + 1; }
};

}  // namespace

Program::Program(Context& context, const BufferCosts& costs)
    : context_(context),
      costs_(costs),
      of_programs_(context.add_handler([this](Message& message) { handle(message); })),
      of_questions_(context.add_handler([this](Message& message) { answer(message); })),
      of_answers_(context.add_handler([](Message& message) { take_answer(message); })) {
  hindcast::attach(context.rank(), *this);
}

void Program::register_handlers(const nexus_handler_t* handlers, int count) {
  handlers_.insert(handlers_.end(), handlers, handlers + count);
}

nexus_buffer& Program::new_buffer() {
  auto made = std::make_unique<nexus_buffer>();
  nexus_buffer& buffer = *made;
  buffers_[&buffer] = std::move(made);
  return buffer;
}

nexus_buffer* Program::find(nexus_buffer_t buffer) {
  const auto found = buffers_.find(buffer);
  return found != buffers_.end() ? found->second.get() : nullptr;
}

void Program::choose(nexus_global_pointer_t& pointer, const Method& method) const {
  const Methods& own = context_.methods();
  const auto found = std::ranges::find(own, &method, &std::unique_ptr<Method>::get);
  pointer.method = Choice{context_.number(), static_cast<int>(found - own.begin())}.number();
}

bool Program::names_a_method_or_none(const nexus_global_pointer_t& pointer) const {
  if (pointer.method <= 0) return pointer.method == 0;
  const Choice choice = Choice::of(pointer.method);
  System& system = context_.system();
  return choice.context < system.contexts() &&
         static_cast<std::size_t>(choice.place) < system.context(choice.context).methods().size();
}

Method* Program::method_of(const nexus_global_pointer_t& pointer) const {
  const Choice choice = Choice::of(pointer.method);
  if (pointer.method > 0 && choice.context == context_.number())
    return context_.methods()[static_cast<std::size_t>(choice.place)].get();
  return context_.method_to(context_.system().context(pointer.context));
}

void Program::send(nexus_buffer& buffer, const Wait& why) {
  Outgoing outgoing{buffer.pointer.context, of_programs_, buffer.pointer.address, buffer.bytes.data(),
                    Bytes(buffer.bytes.size())};
  outgoing.attachment.set(buffer.handler, Bytes());
  outgoing.number = buffer.number;
  outgoing.method = method_of(buffer.pointer);
  Thread::current()->mark(marks_of_messages.sent, buffer.number, buffer.bytes.size(), buffer.pointer.context);
  context_.send(outgoing, why);
  free(buffer);
}

// --- handlers ---

void Program::handle(Message& message) {
  const int number = message.attachment.get<int>();
  if (number < 0 || number >= handlers())
    context_.system().end_run(fmt::format(
        "rank {}: a remote service request from context {} is for handler {}, but {} are registered here; call "
        "nexus_register_handlers before requests come",
        context_.number(), message.from->number(), number, handlers()));
  nexus_buffer& buffer = new_buffer();
  buffer.bytes = std::move(message.data);
  buffer.use = nexus_buffer::Use::of_handler;
  buffer.number = message.number;
  Thread::current()->mark(marks_of_messages.received, message.number, buffer.bytes.size(), sender_of(message.number));
  const nexus_handler_t handler = handlers_[static_cast<std::size_t>(number)];
  if (handler.type == NEXUS_NONTHREADED_HANDLER) return run(handler, message.address, buffer);
  Thread::current()->spend(context_.costs().thread_create, message.number);
  programs::RunningProgram& program = programs::RunningProgram::of(context_.rank());
  programs::ProgramThread* created = nullptr;
  auto* job = new Job{this, handler, message.address, &buffer};
  const int error =
      program.threads().create(run_threaded, job, program.launch().options().stack_bytes, nullptr, true, created);
  if (error != 0)
    context_.system().end_run(
        fmt::format("rank {}: there is no room for a thread of handler {}", context_.number(), number));
}

void* Program::run_threaded(void* job) {
  const Job own = *static_cast<Job*>(job);
  delete static_cast<Job*>(job);
  own.program->run(own.handler, own.address, *own.buffer);
  return nullptr;
}

void Program::run(const nexus_handler_t& handler, void* address, nexus_buffer& buffer) {
  const MessageId number = buffer.number;
  handler.function(address, &buffer);
  // If the handler has freed it, there may be another one in its place.
  if (nexus_buffer* left = find(&buffer);
      left != nullptr && left->use == nexus_buffer::Use::of_handler && left->number == number)
    free(*left);
  context_.look_again();
}

// --- attaching ---

bool Program::attach(int context, int number, nexus_global_pointer_t& pointer, const Wait& why) {
  Question question{number};
  Outgoing outgoing{context, of_questions_};
  outgoing.attachment.set(Asked{&question, number, false, {}}, Bytes(sizeof(int)));
  context_.send(outgoing, why);
  context_.wait([&] { return question.is_answered; }, why);
  pointer = question.pointer;
  return question.is_there;
}

void Program::answer(const Message& question) {
  auto asked = question.attachment.get<Asked>();
  const auto found = left_.find(asked.number);
  asked.is_there = found != left_.end();
  if (asked.is_there) asked.pointer = found->second;
  Outgoing outgoing{question.from->number(), of_answers_};
  outgoing.attachment.set(asked, Bytes(sizeof(nexus_global_pointer_t)));
  context_.send(outgoing, ReplyWait(outgoing.to));
}

void Program::take_answer(const Message& answer) {
  const auto asked = answer.attachment.get<Asked>();
  asked.by->is_there = asked.is_there;
  asked.by->pointer = asked.pointer;
  asked.by->pointer.method = 0;
  asked.by->is_answered = true;
}

}  // namespace hindcast::nexus
