// The data of a packet's target: where they lie, how they are read, and how an origin's are combined with them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "mpi_impl/core/windows/packets/packet.hpp"
#include "mpi_impl/transport/arithmetic.hpp"

namespace hindcast::mpi {

struct Datatype;

// The datatype that all data of a type are of, which has no name if it is one of MPI_Type_create_f90_...; null if they
// are of several, or there are none.
const TypeMap* basic_type_of(const TypeMap& map);
// Of two such: whether they are one predefined datatype, and its name.
bool are_same_predefined(const TypeMap& a, const TypeMap& b);
std::string name_of_predefined(const TypeMap& basic);

// What a packet says of so many elements at an address.
void describe_target(Packet& packet, std::byte* address, int count, const Datatype& type, bool is_combined);
// When it has been worked on.
void forget_target(const Packet& packet);

void read_target(const Packet& packet, std::byte* data);
void write_target(const Packet& packet, const std::byte* data);
// target = target op data, element by element.
void combine_with_target(const Packet& packet, const std::byte* data);
// So many elements of their basic type.
std::size_t target_elements(const Packet& packet);
// And so many take arithmetic: none that are only read or written.
std::size_t elements_combined(const Packet& packet);
Arithmetic arithmetic_of(const Packet& packet);

}  // namespace hindcast::mpi
