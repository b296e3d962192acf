#include "mpi_impl/core/windows/packets/target_data.hpp"

#include <algorithm>
#include <cstring>
#include <memory>

#include "mpi_impl/core/datatypes/datatype.hpp"
#include "mpi_impl/core/handle.hpp"
#include "mpi_impl/core/reduction.hpp"
#include "simulator/engine/memory/copy_bytes.hpp"

namespace hindcast::mpi {

namespace {

// As the type's constructors would be told again: their numbers, addresses and types, with a word for each.
std::size_t bytes_of_description(const TypeMap& map) {
  constexpr std::size_t word = 4;
  if (map.named != nullptr) return word;
  const Contents& contents = map.contents;
  std::size_t bytes = (4 + contents.integers.size()) * word + contents.addresses.size() * sizeof(MPI_Aint);
  for (const TypeMapPointer& type : contents.types) bytes += bytes_of_description(*type);
  return bytes;
}

const TypeMap* basic_of(const Packet& packet) { return packet.lies_together ? packet.basic : packet.type->basic; }

// Elements as the kernels of reductions take them, an extent apart. Of a pair there may be a gap between the two.
class KernelElements {
 public:
  KernelElements(const TypeMap& basic, const std::byte* data, std::size_t count)
      : elements_(count * static_cast<std::size_t>(basic.extent())) {
    unpack(*basic.layout(), basic.extent(), data, 0, count * basic.size, elements_.data());
  }
  std::byte* data() { return elements_.data(); }

 private:
  std::vector<std::byte> elements_;
};

bool is_good_for_kernels(const TypeMap& basic, const void* address) {
  constexpr std::uintptr_t largest_alignment = 16;
  return static_cast<std::ptrdiff_t>(basic.size) == basic.extent() &&
         reinterpret_cast<std::uintptr_t>(address) % largest_alignment == 0;
}

}  // namespace

const TypeMap* basic_type_of(const TypeMap& map) {
  if (map.named != nullptr || map.contents.types.empty()) return map.size > 0 ? &map : nullptr;
  const TypeMap* basic = nullptr;
  for (const TypeMapPointer& type : map.contents.types) {
    if (type->size == 0) continue;
    const TypeMap* found = basic_type_of(*type);
    if (found == nullptr || (basic != nullptr && found != basic)) return nullptr;
    basic = found;
  }
  return basic;
}

// Without a name they are known by the call that made them.
bool are_same_predefined(const TypeMap& a, const TypeMap& b) {
  if (a.named != nullptr || b.named != nullptr) return a.named == b.named;
  return a.contents.combiner == b.contents.combiner && a.contents.integers == b.contents.integers;
}

std::string name_of_predefined(const TypeMap& basic) {
  return basic.named != nullptr ? basic.named->name : "an MPI_Type_create_f90_... datatype";
}

// Of data of several kinds, how many they are only their datatype tells.
void describe_target(Packet& packet, std::byte* address, int count, const Datatype& type, bool is_combined) {
  packet.target_bytes = type.bytes_of(count);
  const TypeMap* const basic = is_combined ? basic_type_of(*map_of(type)) : nullptr;
  const bool is_needed = is_combined && basic == nullptr && packet.target_bytes > 0;
  packet.lies_together = type.lies_together(count) && !is_needed;
  if (packet.lies_together) {
    packet.address = static_cast<std::byte*>(type.data_at(static_cast<void*>(address)));
    packet.basic = basic;
    return;
  }
  constexpr std::size_t unit = alignof(std::max_align_t);
  const TypeMapPointer& map = map_of(type);
  packet.address = address;
  packet.described = static_cast<std::uint32_t>((bytes_of_description(*map) + unit - 1) / unit * unit);
  packet.type = std::make_unique<TargetType>(TargetType{map, basic, count}).release();
}

void forget_target(const Packet& packet) {
  if (!packet.lies_together) delete packet.type;
}

void read_target(const Packet& packet, std::byte* data) {
  if (packet.target_bytes == 0) return;
  if (packet.lies_together)
    copy_bytes(data, packet.address, packet.target_bytes);
  else
    pack(*packet.type->map->layout(), packet.type->map->extent(), packet.address, 0, packet.target_bytes, data);
}

void write_target(const Packet& packet, const std::byte* data) {
  if (packet.target_bytes == 0 || packet.address == data) return;
  if (packet.lies_together)
    copy_bytes(packet.address, data, packet.target_bytes);
  else
    unpack(*packet.type->map->layout(), packet.type->map->extent(), data, 0, packet.target_bytes, packet.address);
}

std::size_t target_elements(const Packet& packet) {
  if (packet.target_bytes == 0) return 0;
  if (const TypeMap* basic = basic_of(packet)) return packet.target_bytes / basic->size;
  return static_cast<std::size_t>(packet.type->count) * packet.type->map->signature()->elements;
}

// By the first element, as all of an operation's are of one kind.
Arithmetic arithmetic_of(const Packet& packet) {
  const TypeMap* const basic = basic_of(packet);
  if (basic == nullptr) return Arithmetic::floating;
  const Form form = basic->signature()->basic.form;
  const bool is_one_number = basic->signature()->parts.empty();
  return is_one_number && (form == Form::signed_integer || form == Form::unsigned_integer) ? Arithmetic::integer
                                                                                           : Arithmetic::floating;
}

std::size_t elements_combined(const Packet& packet) {
  const int handle = make_handle(HandleKind::op, 0, packet.operation);
  return handle == MPI_NO_OP || handle == MPI_REPLACE ? 0 : target_elements(packet);
}

// The origin may bring fewer elements than are given back.
void combine_with_target(const Packet& whole, const std::byte* data) {
  Packet packet = whole;
  packet.target_bytes = std::min(whole.target_bytes, whole.bytes);
  const int handle = make_handle(HandleKind::op, 0, packet.operation);
  if (handle == MPI_NO_OP || packet.target_bytes == 0) return;
  if (handle == MPI_REPLACE) return write_target(packet, data);
  const Reduction reduction = predefined_op(handle)->predefined;
  const TypeMap& basic = *basic_of(packet);
  const Kernel kernel = (*basic.reductions)[static_cast<std::size_t>(reduction)];
  const std::size_t count = target_elements(packet);
  if (packet.lies_together && is_good_for_kernels(basic, packet.address) && is_good_for_kernels(basic, data))
    return kernel(packet.address, data, packet.address, count);

  std::vector<std::byte> before(packet.target_bytes);
  read_target(packet, before.data());
  KernelElements theirs(basic, data, count), result(basic, before.data(), count);
  kernel(result.data(), theirs.data(), result.data(), count);
  pack(*basic.layout(), basic.extent(), result.data(), 0, packet.target_bytes, before.data());
  write_target(packet, before.data());
}

}  // namespace hindcast::mpi
