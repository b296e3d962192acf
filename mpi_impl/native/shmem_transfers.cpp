// Put and get, of elements next to each other, at regular distances, or anywhere.
#include <algorithm>
#include <vector>

#include "mpi_impl/native/shmem_bodies.hpp"

namespace hindcast::shmem::bodies {

namespace {

constexpr Argument target_argument{1, "target"};
constexpr Argument source_argument{2, "source"};

// False: there is nothing to do.
bool check(const Call& call, const void* here, Argument here_argument, const Elements& elements, Argument length,
           int pe) {
  call.check_pe(pe, {length.number + 1, "pe"});
  call.check_length(elements, length);
  if (elements.length == 0) return false;
  call.check_here(here, here_argument);
  return true;
}

Strided strided(const void* first, const Elements& elements, std::ptrdiff_t stride) {
  if (stride == 1) return in_one_piece(first, elements.bytes());
  return {const_cast<void*>(first), elements.length, elements.bytes_each,
          stride * static_cast<std::ptrdiff_t>(elements.bytes_each)};
}

// Where elements lie, in bytes from the first address on.
struct Offsets {
  std::int64_t lowest;
  std::int64_t highest;
};

// The same elements on another PE.
Strided there(const Call& call, int pe, Strided elements, Offsets offsets, Argument argument) {
  const std::byte* lowest = static_cast<std::byte*>(elements.first) + offsets.lowest;
  const Bytes extent(static_cast<std::uint64_t>(offsets.highest - offsets.lowest) + elements.item_bytes);
  elements.first = static_cast<std::byte*>(call.there(pe, lowest, extent, argument)) - offsets.lowest;
  return elements;
}
Strided there(const Call& call, int pe, const Strided& elements, Argument argument) {
  const std::int64_t last = elements.stride * static_cast<std::int64_t>(elements.items - 1);
  return there(call, pe, elements, {std::min<std::int64_t>(last, 0), std::max<std::int64_t>(last, 0)}, argument);
}

// Elements of another PE's that an index names.
class Indexed {
 public:
  Indexed(const Call& call, const Index& index, std::size_t length) {
    call.check_here(index.numbers, {3, "index"});
    offsets_.reserve(length);
    for (std::size_t i = 0; i < length; ++i)
      offsets_.push_back(index.number(i) * static_cast<std::int64_t>(index.bytes_each));
  }
  Strided there(const Call& call, int pe, const void* first, std::size_t bytes_each, Argument argument) const {
    const auto [lowest, highest] = std::minmax_element(offsets_.begin(), offsets_.end());
    const Strided elements{const_cast<void*>(first), offsets_.size(), bytes_each, 0, offsets_.data()};
    return bodies::there(call, pe, elements, {*lowest, *highest}, argument);
  }

 private:
  std::vector<std::int64_t> offsets_;
};

}  // namespace

void put(const Call& call, void* target, const void* source, Elements elements, int pe) {
  if (!check(call, source, source_argument, elements, {3, "length"}, pe)) return;
  const Bytes bytes = elements.bytes();
  call.self().put(call.function(), pe, call.there(pe, target, bytes, target_argument), source, bytes);
}

void put_one(const Call& call, void* target, const void* value, std::size_t bytes, int pe) {
  call.check_pe(pe, {3, "pe"});
  call.self().put(call.function(), pe, call.there(pe, target, Bytes(bytes), target_argument), value, Bytes(bytes));
}

void get(const Call& call, void* target, const void* source, Elements elements, int pe) {
  if (!check(call, target, target_argument, elements, {3, "length"}, pe)) return;
  const Bytes bytes = elements.bytes();
  call.self().get(call.function(), pe, target, call.there(pe, source, bytes, source_argument), bytes);
}

void get_one(const Call& call, void* value, const void* source, std::size_t bytes, int pe) {
  call.check_pe(pe, {2, "pe"});
  call.self().get(call.function(), pe, value, call.there(pe, source, Bytes(bytes), {1, "source"}), Bytes(bytes));
}

void iput(const Call& call, void* target, const void* source, Strides strides, Elements elements, int pe) {
  if (!check(call, source, source_argument, elements, {5, "length"}, pe)) return;
  call.self().put(call.function(), pe, there(call, pe, strided(target, elements, strides.target), target_argument),
                  strided(source, elements, strides.source));
}

void iget(const Call& call, void* target, const void* source, Strides strides, Elements elements, int pe) {
  if (!check(call, target, target_argument, elements, {5, "length"}, pe)) return;
  call.self().get(call.function(), pe, strided(target, elements, strides.target),
                  there(call, pe, strided(source, elements, strides.source), source_argument));
}

void ixput(const Call& call, void* target, const void* source, Index index, std::size_t length, int pe) {
  const Elements elements{index.bytes_each, length};
  if (!check(call, source, source_argument, elements, {4, "length"}, pe)) return;
  const Indexed indexed(call, index, length);
  call.self().put(call.function(), pe, indexed.there(call, pe, target, elements.bytes_each, target_argument),
                  in_one_piece(source, elements.bytes()));
}

void ixget(const Call& call, void* target, const void* source, Index index, std::size_t length, int pe) {
  const Elements elements{index.bytes_each, length};
  if (!check(call, target, target_argument, elements, {4, "length"}, pe)) return;
  const Indexed indexed(call, index, length);
  call.self().get(call.function(), pe, in_one_piece(target, elements.bytes()),
                  indexed.there(call, pe, source, elements.bytes_each, source_argument));
}

}  // namespace hindcast::shmem::bodies
