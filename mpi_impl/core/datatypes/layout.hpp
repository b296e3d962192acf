// Where the data of one element of a datatype lies in memory: a tree of a few nodes, whose leaves are runs of bytes.
// Regular layouts are loops, whatever their length; only irregular ones are tables. Nodes never change and are shared
// by all datatypes that contain them.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <variant>
#include <vector>

namespace hindcast::mpi {

struct Layout;
using LayoutPointer = std::shared_ptr<const Layout>;

// Bytes that lie together.
struct Run {
  std::ptrdiff_t offset;
  std::size_t bytes;
};

// How many bytes of data come before some of the entries of a list, to find the entry that a byte belongs to.
class Landmarks {
 public:
  struct Place {
    std::size_t entry;
    std::size_t bytes_before;
  };

  // Called for every entry in turn.
  void add(std::size_t bytes) {
    if (entries_++ % spacing == 0) before_.push_back(total_);
    total_ += bytes;
  }
  // An entry at or before the one that has this byte, near it.
  Place find(std::size_t byte) const;

 private:
  static constexpr std::size_t spacing = 64;
  std::vector<std::size_t> before_;
  std::size_t entries_ = 0;
  std::size_t total_ = 0;
};

struct OneRun {
  std::size_t bytes;
};
struct Runs {
  struct List {
    std::vector<Run> runs;
    Landmarks landmarks;
  };
  std::shared_ptr<const List> list;
};
struct EqualRuns {
  std::size_t bytes;  // of each
  std::shared_ptr<const std::vector<std::ptrdiff_t>> offsets;
};
struct Loop {
  std::size_t count;
  std::ptrdiff_t stride;
  LayoutPointer body;
};
// At each of many offsets, a loop of its own length around the same body.
struct ScatteredLoops {
  struct Block {
    std::ptrdiff_t offset;
    std::size_t count;
  };
  struct List {
    std::vector<Block> blocks;
    Landmarks landmarks;
  };
  std::ptrdiff_t stride;
  LayoutPointer body;
  std::shared_ptr<const List> list;
};
struct Parts {
  std::vector<LayoutPointer> parts;
};

struct Layout {
  std::ptrdiff_t offset = 0;  // of all that follows
  std::size_t size = 0;       // bytes of data
  std::variant<std::monostate, OneRun, Runs, EqualRuns, Loop, ScatteredLoops, Parts> what;
};

// The makers find what lies together or recurs.
LayoutPointer one_run(std::ptrdiff_t offset, std::size_t bytes);
LayoutPointer runs(const std::vector<Run>& runs);
LayoutPointer loop(std::size_t count, std::ptrdiff_t stride, const LayoutPointer& body);
LayoutPointer scattered(std::vector<ScatteredLoops::Block> list, std::ptrdiff_t stride, const LayoutPointer& body);
LayoutPointer parts(std::span<const LayoutPointer> list);
LayoutPointer shifted(const LayoutPointer& layout, std::ptrdiff_t by);

// Between elements in memory, `extent` apart, and their data in order. Copies `bytes` of the data from byte `first` on,
// which may begin and end anywhere.
void pack(const Layout& layout, std::ptrdiff_t extent, const void* elements, std::size_t first, std::size_t bytes,
          void* packed);
void unpack(const Layout& layout, std::ptrdiff_t extent, const void* packed, std::size_t first, std::size_t bytes,
            void* elements);

}  // namespace hindcast::mpi
