// How MPI's context travels with a message of CellOS, and what that takes its sender and its receiver:
//
//   header         the domains package: CellOS matches by context
//   type           in bits of the type, above the tag. CellOS matches, but not a receive with any tag
//   packed         in the message's first word: one copy more on either side, and nothing that CellOS matches by
//   extra message  in a message of its own before each: CellOS matches by nothing either
//
// Where CellOS cannot match, the library looks through the queue, a probe for each message that it passes and one for
// the one that it takes. No call can wait in the kernel then.
//
// With bits of the type there are no numbers for communicators of one process. They need none to tell their messages
// from others', of which there are none: theirs are packed.
#pragma once

#include "mpi_impl/libraries/cellos/native/cell.hpp"
#include "mpi_impl/libraries/cellos/native/steps.hpp"
#include "mpi_impl/transport/endpoint.hpp"

namespace hindcast::mpi {

enum class ContextIn : std::uint8_t { header, type, packed, extra_message };

class CellosCarrier {
 public:
  // The purpose of a notice that says the context of the message after it.
  static constexpr std::uint8_t tells_context = 255;
  // Of communicators of one process, MPI_COMM_SELF's among them.
  static constexpr std::uint32_t first_own_context = 1U << 31;

  CellosCarrier(cellos::Cell& cell, ContextIn where, int type_bits, Rate copy);

  ContextIn where() const { return where_; }
  cellos::Space space() const { return space_; }
  int tag_upper_bound() const;
  Bytes longest_message() const;
  // In the sender's buffer.
  Bytes room_for(Bytes bytes) const { return native().header + beside_message() + bytes; }

  // Whether CellOS finds what this pattern takes.
  bool kernel_matches(const Pattern& pattern) const {
    return where_ == ContextIn::header || (way_of(pattern.context) == ContextIn::type && pattern.tag != Pattern::any);
  }
  // How many probes it takes to find a message in the queue, or to see that there is none.
  int looks(const Pattern& pattern, const cellos::Message* found) const;

  // --- on the rank's threads ---

  // The number of the message that the next send is about.
  MessageId upcoming_message() const { return cell_.upcoming_message() + (where_ == ContextIn::extra_message ? 1 : 0); }
  // `outgoing` needs no call and no space.
  void send(cellos::Outgoing outgoing) {
    if (where_ != ContextIn::header) [[unlikely]]
      return send_without_domains(outgoing);
    outgoing.call = "dl_asend";
    outgoing.space = space_;
    cell_.send(outgoing);
  }
  void broadcast(cellos::Outgoing outgoing);

  // --- by whoever spends the time: a thread, or a handler for it ---

  template <typename Spender>
  void spend_receive(Spender& by, const cellos::Message& message, Bytes copied) const {
    const bool misaligned = message.is_misaligned(native());
    if (where_ == ContextIn::header) [[likely]]
      return cellos::spend_receive(by, native(), misaligned, copied, message.message);
    switch (way_of(message.key.context)) {
      case ContextIn::header:
      case ContextIn::type:
        return cellos::spend_receive(by, native(), misaligned, copied, message.message);
      case ContextIn::packed:
        cellos::spend_receive(by, native(), misaligned, message.payload_bytes + word, message.message);
        return by.spend(unpacking_, copied.count(), message.message);
      case ContextIn::extra_message:
        cellos::spend_receive(by, native(), misaligned, word, message.message - 1);
        return cellos::spend_receive(by, native(), misaligned, copied, message.message);
    }
  }
  template <typename Spender>
  void spend_receive_of_context(Spender& by) const {
    cellos::spend_receive(by, native(), false, word, 0);
  }
  template <typename Spender>
  void spend_looks(Spender& by, int looks, MessageId message = 0) const {
    for (int look = 0; look < looks; ++look) by.spend(native().probe, message);
  }

  Bytes context_message_bytes() const { return native().header + word; }

 private:
  static constexpr Bytes word = Bytes(4);
  static constexpr std::uint32_t context_of_self = 4;  // and three more

  const cellos::Costs& native() const { return cell_.costs(); }
  Bytes beside_message() const;
  ContextIn way_of(std::uint32_t context) const {
    if (where_ != ContextIn::type) [[likely]]
      return where_;
    const bool is_of_one_process = context >= first_own_context || (context & ~3U) == context_of_self;
    return is_of_one_process ? ContextIn::packed : ContextIn::type;
  }
  void send_without_domains(cellos::Outgoing& outgoing);
  void prepare(cellos::Outgoing& outgoing) const;
  cellos::Outgoing context_of(const cellos::Outgoing& outgoing) const;

  cellos::Cell& cell_;
  const ContextIn where_;
  const int type_bits_;
  const cellos::Space space_;
  const RatedStep packing_;
  const RatedStep unpacking_;
};

}  // namespace hindcast::mpi
