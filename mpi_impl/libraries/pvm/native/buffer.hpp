// A message buffer: what has been packed, in the encoding that it began with, and how far it has been unpacked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "simulator/engine/recorder.hpp"

namespace hindcast::pvm {

using Contents = std::shared_ptr<const std::vector<std::byte>>;

// Items of one of the types of pvm3.h, `stride` items from one to the next.
struct Items {
  int type;
  void* first;
  int count;
  int stride;
  bool may_stay = true;  // where it is, until the message is sent
};

std::size_t bytes_of_item(int type);  // in memory; 0: no such type
bool is_encoding(int encoding);
// How the bytes of a message look, as pvm_getminfo tells it: those that are left in place are as they are in memory
// too.
int representation_of(int encoding);
// The number that tells how hosts keep data in memory; all are of one sort.
constexpr int data_signature = 1;

// Of a message that has been received, or is to look as if it had.
struct Envelope {
  int source = -1;
  int destination = -1;
  int tag = -1;
  int context = 0;
  int wait_id = 0;
};

class Buffer {
 public:
  explicit Buffer(int encoding);
  Buffer(int encoding, Contents contents, const Envelope& from, MessageId number);

  int encoding() const { return encoding_; }
  std::size_t bytes() const { return contents_->size(); }
  MessageId number() const { return number_; }
  // What is sent; of data left in place what it is now.
  Contents contents() const;

  // PvmOk or an error code, and then nothing has changed. `copied` is how many bytes were. Neither texts nor items with
  // others between them can be left in place.
  int pack(const Items& items, std::size_t& copied);
  int unpack(const Items& items, std::size_t& copied);
  int pack_text(const char* text, std::size_t& copied);
  int unpack_text(char* text, std::size_t& copied);
  int pack_bytes(const std::vector<std::byte>& bytes, std::size_t& copied);
  int unpack_bytes(std::size_t count, std::vector<std::byte>& bytes);
  // It is the one that is packed, or unpacked, from now on. How far it has been unpacked is kept until it is packed
  // again.
  void begin_to_pack() { unpacking_ = false; }
  void begin_to_unpack() {
    if (!std::exchange(unpacking_, true)) read_ = 0;
  }

  // Of a message that is still to be sent: its wait identifier, and its context if that has been set.
  Envelope envelope;
  bool has_context_of_its_own = false;

 private:
  struct InPlace {
    std::size_t offset;
    const std::byte* first;
    std::size_t bytes;
  };

  std::vector<std::byte>& growing();
  std::byte* append(std::size_t bytes);
  // Whether there is so much, and where.
  bool take(std::size_t bytes, const std::byte*& from);

  int encoding_;
  std::shared_ptr<std::vector<std::byte>> own_;  // null: received, and perhaps others' too
  Contents contents_;
  std::vector<InPlace> in_place_;
  std::size_t read_ = 0;
  bool unpacking_ = false;
  MessageId number_ = 0;
};

}  // namespace hindcast::pvm
