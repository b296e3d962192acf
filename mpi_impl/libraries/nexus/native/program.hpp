// What Nexus keeps for a program beside its context: buffers, handlers by the program's numbers, pointers left for
// others.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "mpi_impl/libraries/nexus/include/nexus.h"
#include "mpi_impl/libraries/nexus/native/context.hpp"

struct nexus_buffer {
  enum class Use { to_be_sent, of_handler, kept };
  Use use = Use::to_be_sent;
  std::vector<std::byte> bytes;
  std::size_t got = 0;  // of them
  // Of a request that is to be sent.
  nexus_global_pointer_t pointer{};
  int handler = 0;
  hindcast::MessageId number = 0;
};

namespace hindcast::nexus {

// What a program's processor takes for data, by the byte.
struct BufferCosts {
  RatedStep put;
  RatedStep get;
};

class Program final : public NativePart<Program> {
 public:
  Program(Context& context, const BufferCosts& costs);
  ~Program() { detach(context_.rank(), *this); }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  static Program* of(const Rank& rank) { return native_part<Program>(rank); }

  Context& context() { return context_; }
  const BufferCosts& costs() const { return costs_; }

  // --- on the rank's threads ---

  void register_handlers(const nexus_handler_t* handlers, int count);
  int handlers() const { return static_cast<int>(handlers_.size()); }

  nexus_buffer& new_buffer();
  nexus_buffer* find(nexus_buffer_t buffer);  // null: it is none, or has been freed
  void free(nexus_buffer& buffer) { buffers_.erase(&buffer); }

  // A method that a global pointer names is the choice of one context: elsewhere there are others.
  void choose(nexus_global_pointer_t& pointer, const Method& method) const;
  bool names_a_method_or_none(const nexus_global_pointer_t& pointer) const;
  // The method that requests go by; null: the context itself.
  Method* method_of(const nexus_global_pointer_t& pointer) const;
  void send(nexus_buffer& buffer, const Wait& why);

  void allow_attach(int number, const nexus_global_pointer_t& pointer) { left_[number] = pointer; }
  bool disallow_attach(int number) { return left_.erase(number) > 0; }
  // Whether there is one.
  bool attach(int context, int number, nexus_global_pointer_t& pointer, const Wait& why);

 private:
  // Lies in the call that waits.
  struct Question {
    int number;
    bool is_answered = false;
    bool is_there = false;
    nexus_global_pointer_t pointer{};
  };
  struct Asked {
    Question* by;
    int number;
    bool is_there;
    nexus_global_pointer_t pointer;
  };

  void handle(Message& message);
  void answer(const Message& question);
  static void take_answer(const Message& answer);
  static void* run_threaded(void* job);
  void run(const nexus_handler_t& handler, void* address, nexus_buffer& buffer);

  Context& context_;
  const BufferCosts costs_;
  std::vector<nexus_handler_t> handlers_;
  const std::size_t of_programs_, of_questions_, of_answers_;  // handlers of the context
  std::map<nexus_buffer*, std::unique_ptr<nexus_buffer>> buffers_;
  std::map<int, nexus_global_pointer_t> left_;  // for whoever attaches
};

}  // namespace hindcast::nexus
