// The PEs that take part in a collective call, numbered from 0, and the words by which they tell each other.
#pragma once

#include <cstdint>

#include "mpi_impl/libraries/cray/shmem/call.hpp"

namespace hindcast::shmem {

struct ActiveSetArguments {
  int start;
  int log_stride;
  int size;
};

class ActiveSet {
 public:
  // The three arguments begin with number `first_number`. Ends the run if they are wrong, or the caller is not of it.
  ActiveSet(const Call& call, const ActiveSetArguments& arguments, int first_number);

  int size() const { return size_; }
  int me() const { return me_; }
  int pe(int member) const { return start_ + (member << log_stride_); }
  // Of the member so far behind the caller, around the end of the set.
  int behind_me(int distance) const { return (me_ + distance) % size_; }
  bool is_everybody() const { return is_everybody_; }

 private:
  const int start_;
  const int log_stride_;
  const int size_;
  bool is_everybody_;
  int me_;
};

// A call's pSync: one of its words for every message that a member can get. What is sent to a word is more than 0, so
// that it is told from the value before the call, and both from a word that nobody has set.
class SyncWords {
 public:
  // The array is argument `number`, of `count` words. To the first `numbers` of them members send numbers of any size,
  // to the others nothing but 1.
  SyncWords(const Call& call, const ActiveSet& set, long* words, int count, int number, int numbers = 0);

  // To a word of another member's; and the same after all that was put there before.
  void send(int member, int word, std::int64_t value = 1) const;
  void send_after_data(int member, int word) const;
  // What a member sends to the own word; it holds the value before the call again.
  std::int64_t await(int member, int word) const;

 private:
  const Call& call_;
  const ActiveSet& set_;
  long* const words_;
  const Argument argument_;
};

}  // namespace hindcast::shmem
