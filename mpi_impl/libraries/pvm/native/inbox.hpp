// What has come for a task and has not been received, in the order in which it came.
#pragma once

#include <functional>
#include <list>
#include <map>
#include <optional>
#include <vector>

#include "mpi_impl/libraries/pvm/native/message.hpp"
#include "mpi_impl/matching/in_turn.hpp"

namespace hindcast::pvm {

// A program's function that is called with a message of these as soon as a call looks at what has come.
struct Handler {
  int id;
  int tid;
  int tag;
  int context;  // or Inbox::any
  std::function<int(int bufid)> function;
};

class Inbox {
 public:
  static constexpr int any = -1;

  // Those of one sender in the order in which it has sent them: one that the daemons carry may be overtaken by a later
  // one that goes directly, which is kept until its turn.
  void add(Message message);
  // One that takes room at the layer's receiver; null if none does.
  Message* in_layer();
  // The task has another id from now on, and senders count anew.
  void forget_senders() {
    early_.clear();
    turns_.clear();
  }

  // The first of these, which stays; null if there is none.
  const Message* find(int tid, int tag, int context) const;
  // Of those in this context the one that `rank_of` gives most, the first of them, which stays: above 0, and 1 ends the
  // search with this one. Below 0 ends it with none, and is the error.
  template <typename RankOf>
  const Message* find_best(int context, RankOf rank_of, int& error) const {
    const Message* best = nullptr;
    int most = 0;
    for (const Message& message : messages_) {
      if (message.envelope.context != context) continue;
      const int rank = rank_of(message);
      if (rank < 0) {
        error = rank;
        return nullptr;
      }
      if (rank == 1) return &message;
      if (rank > most) {
        most = rank;
        best = &message;
      }
    }
    return best;
  }
  // One of those that it has found; it is the caller's from now on.
  Message take(const Message& found);
  // The same, and it is the caller's.
  std::optional<Message> take(int tid, int tag, int context);
  // The first that is for a handler.
  struct Handled {
    Message message;
    Handler handler;
  };
  std::optional<Handled> take_handled();

  // Its id, or -1: there is one for the same.
  int add_handler(int tid, int tag, int context, std::function<int(int)> function);
  bool remove_handler(int id);

 private:
  static bool fits(const Envelope& envelope, int tid, int tag, int context) {
    return (tid == any || tid == envelope.source) && (tag == any || tag == envelope.tag) && context == envelope.context;
  }
  static bool fits(const Envelope& envelope, const Handler& handler);

  static std::uint32_t place_of(const Message& message) { return *message.place; }
  void join_others(const Message& message);

  std::list<Message> messages_;
  std::list<Message> early_;                                  // whose turn has not come
  std::map<int, matching::InTurn<Message, place_of>> turns_;  // by sender
  std::vector<Handler> handlers_;
  int next_handler_ = 0;
};

}  // namespace hindcast::pvm
