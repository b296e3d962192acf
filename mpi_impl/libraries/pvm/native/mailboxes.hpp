// Messages that tasks leave for whoever asks for them by a name, as the first host's daemon keeps them.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "mpi_impl/libraries/pvm/native/message.hpp"

namespace hindcast::pvm {

class Mailboxes {
 public:
  struct Entry {
    int owner;
    int flags;
    Message message;
  };
  using Class = std::map<int, Entry>;  // by index
  // The entry's index or an error code, and a message if there is one.
  using Reply = std::function<void(int result, const Message* message)>;

  // In handlers. An index or an error code.
  int put(const std::string& name, int owner, int flags, Message message);
  // Where nothing may be yet, and from where anybody may remove it; below 0: at the first index that is free.
  int insert(const std::string& name, int owner, int index, Message message);
  // Answers when there is an entry, if it is to wait for one.
  void receive(const std::string& name, int asking, int index, int flags, const Reply& reply);
  int remove(const std::string& name, int asking, int index);
  // Those in whose names there is what a regular expression describes; nothing: it is none.
  std::optional<std::vector<std::pair<std::string, Class>>> fitting(const std::string& pattern) const;
  // What it has put goes with it, unless that is to last; then it is nobody's.
  void forget(int tid);

 private:
  struct Waiting {
    std::string name;
    int tid;
    int index;
    int flags;
    Reply reply;
  };
  bool give(const Waiting& waiting);
  int store(const std::string& name, int index, Entry entry);

  std::map<std::string, Class> classes_;
  std::vector<Waiting> waiting_;
};

}  // namespace hindcast::pvm
