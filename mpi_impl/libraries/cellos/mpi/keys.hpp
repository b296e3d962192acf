// What CellOS matches MPI's messages by: the domain is the context, the type the tag, the source the sender's rank.
//
// A communicator has four contexts, but two domains. What the library does aside goes in the domain of the collectives,
// by types from 2^15 on, which collectives do not have: an eighth of all types for the first context aside, a quarter
// for the second, and the last eighth for the parts of long messages, which their sender numbers. In the second are the
// collectives within the groups of an intercommunicator: the bit of their tags that tells persistent ones from others
// is kept.
#pragma once

#include "mpi_impl/matching/key.hpp"
#include "mpi_impl/transport/endpoint.hpp"

namespace hindcast::mpi {

constexpr std::int32_t types_of_parts = 7 << 13;
constexpr std::int32_t parts_types = 1 << 13;

constexpr matching::Key cellos_key(std::uint32_t context, std::int32_t source, std::int32_t tag) {
  if ((context & 2) == 0) [[likely]]
    return {context, source, tag};
  const bool is_second = (context & 1) != 0;
  return {(context & ~3U) | 1, source,
          is_second ? 2 << 14 | (tag >> 14 & 1) << 13 | (tag & ((1 << 13) - 1)) : 6 << 13 | (tag & ((1 << 13) - 1))};
}
constexpr Pattern parts_of(const Envelope& announced, std::uint32_t number) {
  return {(announced.context & ~3U) | 1, announced.source,
          types_of_parts | static_cast<std::int32_t>(number % parts_types)};
}
constexpr bool is_of_parts(std::uint32_t context, std::int32_t tag) {
  return (context & 3) == 1 && tag >= types_of_parts;
}

constexpr matching::Key cellos_key(const Envelope& envelope) {
  return cellos_key(envelope.context, envelope.source, envelope.tag);
}
constexpr matching::Key cellos_key(const Pattern& pattern) {
  return cellos_key(pattern.context, pattern.source, pattern.tag);
}

// The messages that a program sends and receives itself, and those of its collective operations.
constexpr bool is_of_program(std::uint32_t context) { return (context & 3) == 0; }
// What MPI promises to go on whether or not it is received yet: all but a standard send of the program's.
constexpr bool must_enter(const SendOperation& send) {
  return send.is_nonblocking || send.is_buffered || !is_of_program(send.envelope.context);
}
constexpr bool is_of_collective(const Pattern& pattern) {
  return (pattern.context & 3) == 1 && !is_of_parts(pattern.context, pattern.tag);
}

}  // namespace hindcast::mpi
