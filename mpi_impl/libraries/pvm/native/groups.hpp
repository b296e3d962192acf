// The groups of tasks, as the group server on the first host keeps them. It answers one request after the other.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "mpi_impl/libraries/pvm/native/agenda.hpp"

namespace hindcast::pvm {

// What a request is answered with: a number or an error code, and the tasks of a group where they were asked for.
struct GroupAnswer {
  int result = 0;
  std::vector<int> members = {};  // by instance; 0 where a task has left
  bool is_frozen = false;
};
using GroupReply = std::function<void(const GroupAnswer&)>;

class Groups {
 public:
  static constexpr int all = -1;  // a barrier's count

  // In handlers. Each answers at once, but a barrier and a freeze when the last has come.
  void join(const std::string& group, int tid, const GroupReply& reply);
  void leave(const std::string& group, int tid, const GroupReply& reply);
  void members(const std::string& group, const GroupReply& reply) const;
  void barrier(const std::string& group, int tid, int count, GroupReply reply);
  void freeze(const std::string& group, int tid, int size, GroupReply reply);
  int size_of(const std::string& group) const;  // 0: there is none
  // Groups of one name have one number, also one after the other.
  int number_of(const std::string& group) {
    return numbers_.try_emplace(group, static_cast<int>(numbers_.size())).first->second;
  }
  bool has_instance(const std::string& group, int instance) const;
  // A task is gone.
  void forget(int tid);

 private:
  struct Waiting {
    int tid;
    GroupReply reply;
  };
  struct Group {
    std::vector<int> members;
    bool is_frozen = false;
    bool has_lost_member = false;  // since it was frozen: there are no barriers any more
    int barrier_count = 0;
    std::vector<Waiting> at_barrier = {};
    int size_to_freeze = 0;
    std::vector<Waiting> at_freeze = {};

    int size() const;
    bool has(int tid) const;
    void remove(int tid);
  };

  Group* find(const std::string& group);
  static void remove(Group& group, int tid);
  static void open_barrier_if_full(Group& group);
  static void freeze_if_full(Group& group);

  std::map<std::string, Group> groups_;
  std::map<std::string, int> numbers_;
};

// Requests wait for each other.
class GroupServer {
 public:
  GroupServer(Agenda& agenda, Time service) : agenda_(agenda), service_(service) {}

  Groups& groups() { return groups_; }
  // In a handler: the request has come.
  void serve(Deed request) {
    free_at_ = later_of(agenda_.now(), free_at_) + service_;
    agenda_.at(free_at_, std::move(request));
  }

 private:
  Agenda& agenda_;
  const Time service_;
  Time free_at_;
  Groups groups_;
};

}  // namespace hindcast::pvm
