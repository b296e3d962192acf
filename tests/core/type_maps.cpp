// Datatypes built at random against a naive reference: the type map as the standard writes it, a list of basic elements
// and markers. Sizes, bounds, basic elements, and packing from any byte to any other.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <random>
#include <vector>

#include "mpi_impl/core/datatypes/datatype.hpp"
#include "mpi_impl/core/datatypes/layout_runs.hpp"
#include "mpi_impl/core/datatypes/type_map.hpp"
#include "mpi_impl/core/error.hpp"
#include "tests/support/seeds.hpp"

namespace hindcast::mpi {
namespace {

struct Entry {
  enum class What { element, lower_marker, upper_marker };
  What what;
  std::ptrdiff_t offset;
  int bytes;
  int alignment;
};
using Entries = std::vector<Entry>;

// A datatype, and what it should be.
struct Built {
  TypeMapPointer map;
  Entries entries;
};

std::optional<std::ptrdiff_t> least(const Entries& entries, Entry::What what) {
  std::optional<std::ptrdiff_t> found;
  for (const Entry& entry : entries)
    if (entry.what == what) found = std::min(found.value_or(entry.offset), entry.offset);
  return found;
}
std::optional<std::ptrdiff_t> most(const Entries& entries, Entry::What what) {
  std::optional<std::ptrdiff_t> found;
  for (const Entry& entry : entries)
    if (entry.what == what) found = std::max(found.value_or(entry.offset + entry.bytes), entry.offset + entry.bytes);
  return found;
}

// Each element begins where the one before ends.
bool lies_together(const Entries& entries) {
  std::optional<std::ptrdiff_t> end;
  for (const Entry& entry : entries) {
    if (entry.what != Entry::What::element) continue;
    if (end.value_or(entry.offset) != entry.offset) return false;
    end = entry.offset + entry.bytes;
  }
  return true;
}

std::ptrdiff_t lower_bound(const Entries& entries) {
  if (const auto marker = least(entries, Entry::What::lower_marker)) return *marker;
  return least(entries, Entry::What::element).value_or(0);
}
std::ptrdiff_t upper_bound(const Entries& entries) {
  if (const auto marker = most(entries, Entry::What::upper_marker)) return *marker;
  std::ptrdiff_t end = most(entries, Entry::What::element).value_or(lower_bound(entries));
  int alignment = 1;
  for (const Entry& entry : entries) alignment = std::max(alignment, entry.alignment);
  while ((end - lower_bound(entries)) % alignment != 0) ++end;
  return end;
}
std::ptrdiff_t extent(const Entries& entries) { return upper_bound(entries) - lower_bound(entries); }

void append(Entries& to, const Entries& entries, std::ptrdiff_t at) {
  for (Entry entry : entries) {
    entry.offset += at;
    to.push_back(entry);
  }
}
void append_block(Entries& to, const Entries& entries, std::ptrdiff_t at, int length) {
  for (int i = 0; i < length; ++i) append(to, entries, at + i * extent(entries));
}

class Builder {
 public:
  explicit Builder(unsigned seed) : random_(seed) {}

  Built build(int depth) {
    if (depth == 0) return basic();
    const Built old = build(depth - 1);
    switch (number(0, 8)) {
      case 0:
        return contiguous(old);
      case 1:
        return vector(old);
      case 2:
        return hvector(old);
      case 3:
        return indexed(old);
      case 4:
        return hindexed(old);
      case 5:
        return indexed_block(old);
      case 6:
        return resized(old);
      case 7:
        return subarray(old);
      default:
        return structure(old, build(number(0, depth - 1)));
    }
  }
  int number(int from, int to) { return std::uniform_int_distribution(from, to)(random_); }

 private:
  Built basic() {
    static constexpr struct {
      MPI_Datatype handle;
      int bytes, alignment;
    } types[] = {{MPI_CHAR, 1, 1}, {MPI_SHORT, 2, 2}, {MPI_INT, 4, 4}, {MPI_DOUBLE, 8, 8}, {MPI_LONG_DOUBLE, 16, 16}};
    const auto& type = types[number(0, 4)];
    return {map_of(*predefined_datatype(type.handle)), {{Entry::What::element, 0, type.bytes, type.alignment}}};
  }
  Built contiguous(const Built& old) {
    const int count = number(0, 3);
    Entries entries;
    append_block(entries, old.entries, 0, count);
    return {contiguous_type(count, old.map), entries};
  }
  Built vector(const Built& old) {
    const int count = number(0, 3), length = number(0, 3), stride = number(-4, 4);
    Entries entries;
    for (int i = 0; i < count; ++i) append_block(entries, old.entries, i * stride * extent(old.entries), length);
    return {vector_type(count, length, stride, old.map), entries};
  }
  Built hvector(const Built& old) {
    const int count = number(0, 4), length = number(0, 2), stride = number(-40, 40);
    Entries entries;
    for (int i = 0; i < count; ++i) append_block(entries, old.entries, i * stride, length);
    return {hvector_type(count, length, stride, old.map), entries};
  }
  std::vector<int> numbers(int count, int from, int to) {
    std::vector<int> all;
    for (int i = 0; i < count; ++i) all.push_back(number(from, to));
    return all;
  }
  Built indexed(const Built& old) {
    const int count = number(0, 4);
    const auto lengths = numbers(count, 0, 3), places = numbers(count, -5, 5);
    Entries entries;
    for (std::size_t i = 0; i < lengths.size(); ++i)
      append_block(entries, old.entries, places[i] * extent(old.entries), lengths[i]);
    return {indexed_type(lengths, places, old.map), entries};
  }
  Built hindexed(const Built& old) {
    const int count = number(0, 4);
    const auto lengths = numbers(count, 0, 2), places = numbers(count, -50, 50);
    Entries entries;
    for (std::size_t i = 0; i < lengths.size(); ++i) append_block(entries, old.entries, places[i], lengths[i]);
    return {hindexed_type(lengths, std::vector<MPI_Aint>(places.begin(), places.end()), old.map), entries};
  }
  Built indexed_block(const Built& old) {
    const int count = number(0, 4), length = number(0, 3);
    const auto places = numbers(count, -5, 5);
    Entries entries;
    for (const int place : places) append_block(entries, old.entries, place * extent(old.entries), length);
    return {indexed_block_type(length, places, old.map), entries};
  }
  Built resized(const Built& old) {
    const int from = number(-20, 20), length = number(0, 60);
    Entries entries;
    for (const Entry& entry : old.entries)
      if (entry.what == Entry::What::element) entries.push_back(entry);
    entries.push_back({Entry::What::lower_marker, from, 0, 1});
    entries.push_back({Entry::What::upper_marker, from + length, 0, 1});
    return {resized_type(from, length, old.map), entries};
  }
  Built subarray(const Built& old) {
    const auto sizes = numbers(2, 1, 4);
    const std::vector<int> subsizes{number(1, sizes[0]), number(1, sizes[1])};
    const std::vector<int> starts{number(0, sizes[0] - subsizes[0]), number(0, sizes[1] - subsizes[1])};
    Entries entries;
    const std::ptrdiff_t step = extent(old.entries);
    for (int row = starts[0]; row < starts[0] + subsizes[0]; ++row)
      append_block(entries, old.entries, (row * sizes[1] + starts[1]) * step, subsizes[1]);
    std::erase_if(entries, [](const Entry& entry) { return entry.what != Entry::What::element; });
    entries.push_back({Entry::What::lower_marker, 0, 0, 1});
    entries.push_back({Entry::What::upper_marker, sizes[0] * sizes[1] * step, 0, 1});
    return {subarray_type(sizes, subsizes, starts, MPI_ORDER_C, old.map), entries};
  }
  Built structure(const Built& a, const Built& b) {
    const int count = number(0, 4);
    const auto lengths = numbers(count, 0, 2), places = numbers(count, -60, 60), which = numbers(count, 0, 1);
    Entries entries;
    Contents::Types types;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      const Built& old = which[i] == 0 ? a : b;
      types.push_back(old.map);
      append_block(entries, old.entries, places[i], lengths[i]);
    }
    return {struct_type(lengths, std::vector<MPI_Aint>(places.begin(), places.end()), types), entries};
  }

  std::mt19937 random_;
};

// Where every byte of data lies, in order.
std::vector<std::ptrdiff_t> bytes_of(const Entries& entries, int count) {
  std::vector<std::ptrdiff_t> places;
  for (int i = 0; i < count; ++i)
    for (const Entry& entry : entries)
      for (int byte = 0; byte < entry.bytes; ++byte) places.push_back(i * extent(entries) + entry.offset + byte);
  return places;
}

// The memory around an address at which elements may lie in either direction.
class Memory {
 public:
  explicit Memory(const std::vector<std::ptrdiff_t>& places) {
    const auto [first, last] = std::minmax_element(places.begin(), places.end());
    begin_ = *first;
    bytes_.resize(static_cast<std::size_t>(*last - *first) + 1);
  }
  unsigned char* address() { return bytes_.data() - begin_; }
  unsigned char& at(std::ptrdiff_t place) { return bytes_[static_cast<std::size_t>(place - begin_)]; }
  std::vector<unsigned char>& all() { return bytes_; }

 private:
  std::ptrdiff_t begin_ = 0;
  std::vector<unsigned char> bytes_;
};

void check_bounds(const Built& pair) {
  const TypeMap& map = *pair.map;
  EXPECT_EQ(map.lower_bound, lower_bound(pair.entries));
  EXPECT_EQ(map.upper_bound, upper_bound(pair.entries));
  EXPECT_EQ(map.true_lower_bound, least(pair.entries, Entry::What::element).value_or(0));
  EXPECT_EQ(map.true_upper_bound, most(pair.entries, Entry::What::element).value_or(0));
  EXPECT_EQ(map.size, bytes_of(pair.entries, 1).size());
  EXPECT_EQ(map.is_one_run, lies_together(pair.entries));
  EXPECT_EQ(map.layout()->size, map.size);
  EXPECT_EQ(map.signature()->bytes, map.size);
}

void check_elements(const Built& pair) {
  std::size_t bytes = 0;
  std::ptrdiff_t elements = 0;
  for (const Entry& entry : pair.entries) {
    if (entry.what != Entry::What::element) continue;
    EXPECT_EQ(elements_in(*pair.map->signature(), bytes), elements);
    EXPECT_EQ(bytes_in(*pair.map->signature(), static_cast<std::size_t>(elements)), bytes);
    for (int byte = 1; byte < entry.bytes; ++byte)
      EXPECT_EQ(elements_in(*pair.map->signature(), bytes + static_cast<std::size_t>(byte)), -1);
    bytes += static_cast<std::size_t>(entry.bytes);
    ++elements;
  }
  EXPECT_EQ(elements_in(*pair.map->signature(), bytes), elements);
}

void check_pack(const Built& pair, const std::vector<std::ptrdiff_t>& places, std::size_t first, std::size_t bytes) {
  Memory memory(places);
  for (std::size_t i = 0; i < memory.all().size(); ++i) memory.all()[i] = static_cast<unsigned char>(i * 37 + i / 251);
  std::vector<unsigned char> packed(bytes + 1, 0xee);
  pack(*pair.map->layout(), pair.map->extent(), memory.address(), first, bytes, packed.data());
  for (std::size_t i = 0; i < bytes; ++i) ASSERT_EQ(packed[i], memory.at(places[first + i])) << first << "+" << i;
  ASSERT_EQ(packed[bytes], 0xee);
  auto place = places.begin() + static_cast<std::ptrdiff_t>(first);
  visit_runs(*pair.map->layout(), pair.map->extent(), first, bytes, [&](const Run& run) {
    for (std::size_t i = 0; i < run.bytes; ++i) EXPECT_EQ(run.offset + static_cast<std::ptrdiff_t>(i), *place++);
    return true;
  });
  ASSERT_EQ(place, places.begin() + static_cast<std::ptrdiff_t>(first + bytes));
}

void check_unpack(const Built& pair, const std::vector<std::ptrdiff_t>& places, std::size_t first, std::size_t bytes) {
  Memory found(places), expected(places);
  std::vector<unsigned char> packed(bytes);
  for (std::size_t i = 0; i < bytes; ++i) packed[i] = static_cast<unsigned char>(i * 29 + 1);
  for (std::size_t i = 0; i < bytes; ++i) expected.at(places[first + i]) = packed[i];
  unpack(*pair.map->layout(), pair.map->extent(), packed.data(), first, bytes, found.address());
  ASSERT_EQ(found.all(), expected.all()) << first << " to " << first + bytes;
}

TEST(TypeMaps, AtRandomAreAsTheReferenceSays) {
  constexpr std::size_t most_bytes = 1500;
  int with_data = 0;
  test::for_each_seed(1000, [&](std::uint32_t seed) {
    Builder builder(seed);
    const Built pair = builder.build(builder.number(1, 4));
    if (pair.entries.size() > 2000) return;
    check_bounds(pair);
    check_elements(pair);
    const int count = builder.number(1, 3);
    const auto places = bytes_of(pair.entries, count);
    if (places.empty() || places.size() > most_bytes) return;
    ++with_data;
    check_pack(pair, places, 0, places.size());
    check_unpack(pair, places, 0, places.size());
    // Split at every byte, and some pieces within.
    for (std::size_t split = 0; split <= places.size(); ++split) {
      check_pack(pair, places, 0, split);
      check_pack(pair, places, split, places.size() - split);
      check_unpack(pair, places, split, places.size() - split);
      const auto length = static_cast<std::size_t>(builder.number(0, static_cast<int>(places.size() - split)));
      check_pack(pair, places, split, length);
      check_unpack(pair, places, split, length);
    }
  });
  if (test::only_seed()) return;
  EXPECT_GT(with_data, 300);
}

TypeMapPointer map_of_handle(MPI_Datatype handle) { return map_of(*predefined_datatype(handle)); }

TEST(TypeMaps, RegularLayoutsAreLoopsHoweverLong) {
  const TypeMapPointer vector = vector_type(1000000, 1, 2, map_of_handle(MPI_DOUBLE));
  const auto* loop = std::get_if<Loop>(&vector->layout()->what);
  ASSERT_NE(loop, nullptr);
  EXPECT_EQ(loop->count, 1000000U);
  EXPECT_TRUE(std::holds_alternative<OneRun>(loop->body->what));

  std::vector<int> places;
  for (int i = 0; i < 1000; ++i) places.push_back(3 * i);
  EXPECT_TRUE(std::holds_alternative<Loop>(indexed_block_type(2, places, map_of_handle(MPI_INT))->layout()->what));
}

TEST(TypeMaps, WhatLiesTogetherIsOneRun) {
  const TypeMapPointer integer = map_of_handle(MPI_INT);
  EXPECT_TRUE(std::holds_alternative<OneRun>(vector_type(10, 3, 3, integer)->layout()->what));
  EXPECT_TRUE(std::holds_alternative<OneRun>(contiguous_type(7, contiguous_type(5, integer))->layout()->what));
  const std::vector<int> lengths{2, 1, 3}, places{4, 6, 7};
  EXPECT_TRUE(std::holds_alternative<OneRun>(indexed_type(lengths, places, integer)->layout()->what));
  const std::vector<int> one_each{1, 1};
  const std::vector<MPI_Aint> side_by_side{0, 8};
  const TypeMapPointer both = struct_type(one_each, side_by_side, {map_of_handle(MPI_DOUBLE), integer});
  EXPECT_TRUE(std::holds_alternative<OneRun>(both->layout()->what));
  EXPECT_EQ(both->extent(), 16);
}

// A stack of 8 MiB is enough for all.
TEST(TypeMaps, OfAHundredThousandOneUponTheOtherTheLastHasItsData) {
  TypeMapPointer map = vector_type(2, 1, 2, map_of_handle(MPI_INT));
  const std::vector<int> length{1};
  const std::vector<MPI_Aint> place{4};
  for (int i = 0; i < 50000; ++i) map = resized_type(0, 16, struct_type(length, place, {map}));
  EXPECT_EQ(map->layout()->size, 8U);
  EXPECT_EQ(map->layout()->offset, 200000);
  EXPECT_EQ(map->signature()->elements, 2U);
}

TEST(TypeMaps, SizesBeyondWhatIntsHold) {
  const TypeMapPointer large = contiguous_type(2000000000, contiguous_type(1000, map_of_handle(MPI_DOUBLE)));
  EXPECT_EQ(large->size, 16000000000000U);
  EXPECT_EQ(large->extent(), 16000000000000);
  EXPECT_EQ(large->signature()->elements, 2000000000000U);
  EXPECT_THROW(contiguous_type(2000000000, contiguous_type(2000000000, large)), Error);
  EXPECT_THROW(hvector_type(1000, 1, PTRDIFF_MAX / 10, large), Error);
}

}  // namespace
}  // namespace hindcast::mpi
