// Walks a layout and copies. Whole nodes are loops.
#include "mpi_impl/core/datatypes/layout_copy.hpp"

#include "mpi_impl/core/datatypes/layout.hpp"
#include "mpi_impl/core/datatypes/layout_pieces.hpp"

namespace hindcast::mpi {

namespace {

template <Direction direction>
class Copier : public PiecesOfLayout<Copier<direction>, std::byte*> {
 public:
  explicit Copier(std::byte* packed) : packed_(packed) {}

 private:
  using Pieces = PiecesOfLayout<Copier<direction>, std::byte*>;
  friend Pieces;
  using Pieces::whole;

  void one(std::byte* memory, std::size_t bytes) {
    copy_short_run<direction>(memory, packed_, bytes);
    packed_ += bytes;
  }
  void grid(const ItemGrid& of, std::size_t bytes, std::byte* memory) {
    packed_ = copy_grid<direction>(of, bytes, memory, packed_);
  }

  // --- so many times the whole of a node ---

  void all(std::monostate, std::byte*, Times) {}
  void all(const OneRun& run, std::byte* memory, Times times) {
    grid({1, 0, times.count, times.step}, run.bytes, memory);
  }

  void all(const Loop& loop, std::byte* memory, Times times) {
    if (const auto* run = std::get_if<OneRun>(&loop.body->what))
      return grid({times.count, times.step, loop.count, loop.stride}, run->bytes, memory + loop.body->offset);
    for (std::size_t i = 0; i < times.count; ++i, memory += times.step)
      whole(*loop.body, memory, {loop.count, loop.stride});
  }

  void all(const Runs& runs, std::byte* memory, Times times) {
    for (std::size_t i = 0; i < times.count; ++i, memory += times.step)
      for (const Run& run : runs.list->runs) one(memory + run.offset, run.bytes);
  }

  void all(const EqualRuns& runs, std::byte* memory, Times times) {
    for (std::size_t i = 0; i < times.count; ++i, memory += times.step) equal(runs.bytes, *runs.offsets, memory);
  }

  void all(const ScatteredLoops& blocks, std::byte* memory, Times times) {
    for (std::size_t i = 0; i < times.count; ++i, memory += times.step)
      for (const ScatteredLoops::Block& block : blocks.list->blocks)
        whole(*blocks.body, memory + block.offset, {block.count, blocks.stride});
  }

  void all(const Parts& parts, std::byte* memory, Times times) {
    for (std::size_t i = 0; i < times.count; ++i, memory += times.step)
      for (const LayoutPointer& part : parts.parts) whole(*part, memory, {1, 0});
  }

  template <std::size_t bytes>
  void equal_fixed(const std::vector<std::ptrdiff_t>& offsets, std::byte* memory) {
    std::byte* packed = packed_;
    for (const std::ptrdiff_t offset : offsets) {
      copy_run<direction>(memory + offset, packed, bytes);
      packed += bytes;
    }
    packed_ = packed;
  }
  void equal(std::size_t bytes, const std::vector<std::ptrdiff_t>& offsets, std::byte* memory) {
    switch (bytes) {
      case 4:
        return equal_fixed<4>(offsets, memory);
      case 8:
        return equal_fixed<8>(offsets, memory);
      case 16:
        return equal_fixed<16>(offsets, memory);
      default:
        for (const std::ptrdiff_t offset : offsets) one(memory + offset, bytes);
    }
  }

  std::byte* packed_;
};

}  // namespace

void pack(const Layout& layout, std::ptrdiff_t extent, const void* elements, std::size_t first, std::size_t bytes,
          void* packed) {
  if (bytes == 0) return;
  auto* memory = static_cast<std::byte*>(const_cast<void*>(elements));  // only read
  Copier<Direction::packing>(static_cast<std::byte*>(packed)).repeated(layout, memory, extent, first, first + bytes);
}

void unpack(const Layout& layout, std::ptrdiff_t extent, const void* packed, std::size_t first, std::size_t bytes,
            void* elements) {
  if (bytes == 0) return;
  auto* from = static_cast<std::byte*>(const_cast<void*>(packed));  // only read
  Copier<Direction::unpacking>(from).repeated(layout, static_cast<std::byte*>(elements), extent, first, first + bytes);
}

}  // namespace hindcast::mpi
