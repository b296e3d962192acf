#include "mpi_impl/libraries/pvm/native/buffer.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "mpi_impl/libraries/pvm/include/pvm3.h"

namespace hindcast::pvm {

namespace {

// An item is one or two numbers of so many bytes here and, in the encoding that all machines share, so many there, the
// most significant byte first.
struct NumberFormat {
  std::size_t bytes;
  std::size_t encoded;
  std::size_t numbers;
  bool is_signed;
};

constexpr std::array<NumberFormat, 12> formats = {{
    {1, 1, 1, false},               // PVM_STR
    {1, 1, 1, false},               // PVM_BYTE
    {sizeof(short), 4, 1, true},    // PVM_SHORT
    {sizeof(int), 4, 1, true},      // PVM_INT
    {sizeof(float), 4, 1, false},   // PVM_FLOAT
    {sizeof(float), 4, 2, false},   // PVM_CPLX
    {sizeof(double), 8, 1, false},  // PVM_DOUBLE
    {sizeof(double), 8, 2, false},  // PVM_DCPLX
    {sizeof(long), 8, 1, true},     // PVM_LONG
    {sizeof(short), 4, 1, false},   // PVM_USHORT
    {sizeof(int), 4, 1, false},     // PVM_UINT
    {sizeof(long), 8, 1, false},    // PVM_ULONG
}};

bool is_type(int type) { return type >= 0 && type < static_cast<int>(formats.size()); }
const NumberFormat& format_of(int type) { return formats[static_cast<std::size_t>(type)]; }

void encode(const std::byte* from, std::byte* to, const NumberFormat& format) {
  std::uint64_t value = 0;
  std::memcpy(&value, from, format.bytes);
  const auto bits = static_cast<unsigned>(8 * format.bytes);
  if (format.is_signed && bits < 64 && ((value >> (bits - 1)) & 1) != 0) value |= ~std::uint64_t{0} << bits;
  for (std::size_t i = 0; i < format.encoded; ++i)
    to[i] = static_cast<std::byte>(value >> (8 * (format.encoded - 1 - i)));
}

void decode(const std::byte* from, std::byte* to, const NumberFormat& format) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < format.encoded; ++i) value = value << 8 | static_cast<std::uint64_t>(from[i]);
  std::memcpy(to, &value, format.bytes);
}

bool are_right(const Items& items) {
  return is_type(items.type) && items.count >= 0 && (items.first != nullptr || items.count == 0);
}

}  // namespace

std::size_t bytes_of_item(int type) { return is_type(type) ? format_of(type).bytes * format_of(type).numbers : 0; }

bool is_encoding(int encoding) {
  return encoding == PvmDataDefault || encoding == PvmDataRaw || encoding == PvmDataInPlace;
}

int representation_of(int encoding) {
  constexpr int shared_by_all_machines = 0x10000000;
  return encoding == PvmDataDefault ? shared_by_all_machines : data_signature;
}

Buffer::Buffer(int encoding) : encoding_(encoding), own_(std::make_shared<std::vector<std::byte>>()), contents_(own_) {}

Buffer::Buffer(int encoding, Contents contents, const Envelope& from, MessageId number)
    : envelope(from),
      encoding_(encoding == PvmDataInPlace ? PvmDataRaw : encoding),  // it is in its place no longer
      contents_(std::move(contents)),
      number_(number) {}

Contents Buffer::contents() const {
  if (in_place_.empty()) return contents_;
  auto gathered = std::make_shared<std::vector<std::byte>>(*contents_);
  for (const InPlace& place : in_place_)
    if (place.bytes > 0) std::memcpy(gathered->data() + place.offset, place.first, place.bytes);
  return gathered;
}

// Messages that are under way keep what they were sent with.
std::vector<std::byte>& Buffer::growing() {
  constexpr long mine_and_contents = 2;
  if (own_ == nullptr || own_.use_count() > mine_and_contents) {
    own_ = std::make_shared<std::vector<std::byte>>(*contents_);
    contents_ = own_;
  }
  return *own_;
}

std::byte* Buffer::append(std::size_t bytes) {
  std::vector<std::byte>& all = growing();
  all.resize(all.size() + bytes);
  return all.data() + (all.size() - bytes);
}

bool Buffer::take(std::size_t bytes, const std::byte*& from) {
  if (contents_->size() - read_ < bytes) return false;
  from = contents_->data() + read_;
  read_ += bytes;
  return true;
}

int Buffer::pack(const Items& items, std::size_t& copied) {
  if (!are_right(items)) return PvmBadParam;
  const NumberFormat& format = format_of(items.type);
  const auto count = static_cast<std::size_t>(items.count);
  const std::size_t item = format.bytes * format.numbers;
  const std::ptrdiff_t stride = static_cast<std::ptrdiff_t>(item) * items.stride;
  const auto* from = static_cast<const std::byte*>(items.first);
  if (encoding_ == PvmDataInPlace && items.may_stay) {
    if (items.stride != 1) return PvmNotImpl;
    const std::size_t offset = bytes();
    append(count * item);
    in_place_.push_back({offset, from, count * item});
    return PvmOk;
  }
  const std::size_t encoded = encoding_ == PvmDataDefault ? format.encoded * format.numbers : item;
  std::byte* to = append(count * encoded);
  for (std::size_t i = 0; i < count; ++i, from += stride, to += encoded)
    if (encoding_ != PvmDataDefault)
      std::memcpy(to, from, item);
    else
      for (std::size_t j = 0; j < format.numbers; ++j) encode(from + j * format.bytes, to + j * format.encoded, format);
  copied = count * encoded;
  return PvmOk;
}

int Buffer::unpack(const Items& items, std::size_t& copied) {
  if (!are_right(items)) return PvmBadParam;
  const NumberFormat& format = format_of(items.type);
  const auto count = static_cast<std::size_t>(items.count);
  const std::size_t item = format.bytes * format.numbers;
  const std::ptrdiff_t stride = static_cast<std::ptrdiff_t>(item) * items.stride;
  const std::size_t encoded = encoding_ == PvmDataDefault ? format.encoded * format.numbers : item;
  const std::byte* from = nullptr;
  if (!take(count * encoded, from)) return PvmNoData;
  auto* to = static_cast<std::byte*>(items.first);
  for (std::size_t i = 0; i < count; ++i, from += encoded, to += stride)
    if (encoding_ != PvmDataDefault)
      std::memcpy(to, from, item);
    else
      for (std::size_t j = 0; j < format.numbers; ++j) decode(from + j * format.encoded, to + j * format.bytes, format);
  copied = count * encoded;
  return PvmOk;
}

// Its length, with the zero at its end, is before it.
int Buffer::pack_text(const char* text, std::size_t& copied) {
  if (text == nullptr) return PvmBadParam;
  if (encoding_ == PvmDataInPlace) return PvmNotImpl;
  auto length = static_cast<std::int32_t>(std::strlen(text) + 1);
  std::byte* to = append(sizeof length + static_cast<std::size_t>(length));
  if (encoding_ == PvmDataDefault)
    encode(reinterpret_cast<const std::byte*>(&length), to, format_of(PVM_INT));
  else
    std::memcpy(to, &length, sizeof length);
  std::memcpy(to + sizeof length, text, static_cast<std::size_t>(length));
  copied = sizeof length + static_cast<std::size_t>(length);
  return PvmOk;
}

int Buffer::unpack_text(char* text, std::size_t& copied) {
  if (text == nullptr) return PvmBadParam;
  const std::size_t began = read_;
  std::int32_t length = 0;
  const std::byte* from = nullptr;
  if (!take(sizeof length, from)) return PvmNoData;
  if (encoding_ == PvmDataDefault)
    decode(from, reinterpret_cast<std::byte*>(&length), format_of(PVM_INT));
  else
    std::memcpy(&length, from, sizeof length);
  if (length <= 0 || !take(static_cast<std::size_t>(length), from)) {
    read_ = began;
    return length > 0 ? PvmNoData : PvmBadMsg;
  }
  std::memcpy(text, from, static_cast<std::size_t>(length));
  copied = sizeof length + static_cast<std::size_t>(length);
  return PvmOk;
}

int Buffer::pack_bytes(const std::vector<std::byte>& bytes, std::size_t& copied) {
  if (!bytes.empty()) std::memcpy(append(bytes.size()), bytes.data(), bytes.size());
  copied = bytes.size();
  return PvmOk;
}

int Buffer::unpack_bytes(std::size_t count, std::vector<std::byte>& bytes) {
  const std::byte* from = nullptr;
  if (!take(count, from)) return PvmNoData;
  bytes.assign(from, from + count);
  return PvmOk;
}

}  // namespace hindcast::pvm
