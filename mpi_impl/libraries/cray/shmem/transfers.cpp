// Put and get, of elements next to each other, at regular distances, or anywhere.
#include <algorithm>
#include <vector>

#include "mpi_impl/libraries/cray/shmem/bodies.hpp"

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

// Tells the recorder of a run when a put's data is in place.
class PutMark final : public DoneSink {
 public:
  PutMark(Pe& from, const Pe& to, MessageId message, Bytes bytes)
      : engine_(from.system().engine()), node_(to.node()), peer_(from.number()), message_(message), bytes_(bytes) {}

 private:
  void done() override {
    const Time now = engine_.now();
    engine_.recorder()->in_hardware(node_, {.kind = &mark_of_put_data,
                                            .message = message_,
                                            .begin = now,
                                            .end = now,
                                            .amount = bytes_.count(),
                                            .peer = peer_});
    delete this;
  }

  Engine& engine_;
  const int node_;
  const int peer_;
  const MessageId message_;
  const Bytes bytes_;
};

void put_to(const Call& call, int pe, const Strided& there, const Strided& here) {
  call.mark_sent(here.bytes(), pe);
  Pe& self = call.self();
  DoneSink* const mark = Thread::current()->is_recorded()
                             ? new PutMark(self, self.system().pe(pe), self.upcoming_message(), here.bytes())
                             : nullptr;
  self.put(call.function(), pe, there, here, mark);
}
void get_from(const Call& call, int pe, const Strided& here, const Strided& there) {
  const AnswerMarks marks(call, here.bytes());
  call.self().get(call.function(), pe, here, there);
}

}  // namespace

void put(const Call& call, void* target, const void* source, Elements elements, int pe) {
  if (!check(call, source, source_argument, elements, {3, "length"}, pe)) return;
  put_to(call, pe, in_one_piece(call.there(pe, target, elements.bytes(), target_argument), elements.bytes()),
         in_one_piece(source, elements.bytes()));
}

void put_one(const Call& call, void* target, const void* value, std::size_t size, int pe) {
  call.check_pe(pe, {3, "pe"});
  const Bytes bytes(size);
  put_to(call, pe, in_one_piece(call.there(pe, target, bytes, target_argument), bytes), in_one_piece(value, bytes));
}

void iput(const Call& call, void* target, const void* source, Strides strides, Elements elements, int pe) {
  if (!check(call, source, source_argument, elements, {5, "length"}, pe)) return;
  put_to(call, pe, there(call, pe, strided(target, elements, strides.target), target_argument),
         strided(source, elements, strides.source));
}

void ixput(const Call& call, void* target, const void* source, Index index, std::size_t length, int pe) {
  const Elements elements{index.bytes_each, length};
  if (!check(call, source, source_argument, elements, {4, "length"}, pe)) return;
  const Indexed indexed(call, index, length);
  put_to(call, pe, indexed.there(call, pe, target, elements.bytes_each, target_argument),
         in_one_piece(source, elements.bytes()));
}

void get(const Call& call, void* target, const void* source, Elements elements, int pe) {
  if (!check(call, target, target_argument, elements, {3, "length"}, pe)) return;
  get_from(call, pe, in_one_piece(target, elements.bytes()),
           in_one_piece(call.there(pe, source, elements.bytes(), source_argument), elements.bytes()));
}

void get_one(const Call& call, void* value, const void* source, std::size_t size, int pe) {
  call.check_pe(pe, {2, "pe"});
  const Bytes bytes(size);
  get_from(call, pe, in_one_piece(value, bytes), in_one_piece(call.there(pe, source, bytes, {1, "source"}), bytes));
}

void iget(const Call& call, void* target, const void* source, Strides strides, Elements elements, int pe) {
  if (!check(call, target, target_argument, elements, {5, "length"}, pe)) return;
  get_from(call, pe, strided(target, elements, strides.target),
           there(call, pe, strided(source, elements, strides.source), source_argument));
}

void ixget(const Call& call, void* target, const void* source, Index index, std::size_t length, int pe) {
  const Elements elements{index.bytes_each, length};
  if (!check(call, target, target_argument, elements, {4, "length"}, pe)) return;
  const Indexed indexed(call, index, length);
  get_from(call, pe, in_one_piece(target, elements.bytes()),
           indexed.there(call, pe, source, elements.bytes_each, source_argument));
}

}  // namespace hindcast::shmem::bodies
