// What the functions of mpl.h share: the calling task, how wrong arguments are refused, and what a call waits for.
#pragma once

#include <string>
#include <vector>

#include "mpi_impl/libraries/mpl/native/node.hpp"
#include "simulator/programs/process/library_call.hpp"

namespace hindcast::mpl {

// What mpc_task_query tells programs.
constexpr int dontcare = -1;
constexpr int all_messages = -2;
constexpr int no_task = -3;
constexpr int group_of_all = 0;
constexpr int type_max = INT32_MAX;

// The calling rank's node.
Node& caller(const programs::LibraryCall& call);
[[noreturn]] void refuse(Node& self, const char* function, const std::string& what);

struct Buffer {
  const void* data;
  std::size_t bytes;
  int argument;             // its number among the call's
  const char* length = "";  // the argument that has its bytes
};
void check_buffer(Node& self, const char* function, const Buffer& buffer);
void check_task(Node& self, const char* function, const char* argument, int task);
// `argument` names what may not be null.
void check_pointer(Node& self, const char* function, const char* argument, const void* pointer);

// In a call: of this task, or of any of a group's.
class MessageWait final : public Wait {
 public:
  MessageWait(const char* function, const char* what, int task, int type)
      : function_(function), what_(what), task_(task), type_(type) {}
  BlockedOn describe() const override;

 private:
  const char* function_;
  const char* what_;  // "from", "to"
  int task_;
  int type_;
};

}  // namespace hindcast::mpl
