// What CellOS matches MPI's messages by: the domain is the context, the type the tag, the source the sender's rank.
//
// A communicator has four contexts, but two domains. What the library does aside goes in the domain of the collectives,
// by types from 2^14 on, which collectives do not have.
#pragma once

#include "mpi_impl/matching/key.hpp"
#include "mpi_impl/transport/endpoint.hpp"

namespace hindcast::mpi {

constexpr matching::Key cellos_key(std::uint32_t context, std::int32_t source, std::int32_t tag) {
  constexpr int bits = 14;
  if ((context & 2) == 0) [[likely]]
    return {context, source, tag};
  const auto kind = static_cast<std::int32_t>(2 | (context & 1));
  return {(context & ~3U) | 1, source, (tag & ((1 << bits) - 1)) | kind << bits};
}
constexpr matching::Key cellos_key(const Envelope& envelope) {
  return cellos_key(envelope.context, envelope.source, envelope.tag);
}
constexpr matching::Key cellos_key(const Pattern& pattern) {
  return cellos_key(pattern.context, pattern.source, pattern.tag);
}

// The messages that a program sends and receives itself, and those of its collective operations.
constexpr bool is_of_program(std::uint32_t context) { return (context & 3) == 0; }
constexpr bool is_of_collective(std::uint32_t context) { return (context & 3) == 1; }

}  // namespace hindcast::mpi
