// What PVM's calls and its daemons take, as the table [pvm] of the machine's file says, and which way messages go.
#pragma once

#include "simulator/engine/recorder.hpp"

namespace hindcast::pvm {

struct Costs {
  FixedStep send;         // a message packed before, to one task
  FixedStep packed_send;  // pvm_psend
  FixedStep receive;
  RatedStep pack;
  RatedStep unpack;
  RatedStep combine;      // two operands of a reduction into one
  FixedStep daemon_call;  // a task hands something to its host's daemon, or is handed something
  RatedStep copy_to_daemon;
  RatedStep copy_from_daemon;
  Time fragment_work;  // of a daemon, on each fragment that passes through it
  Rate fragment_copy;  // and on each of its bytes
  Bytes fragment;      // what goes between daemons at a time, at most
  Bytes fragment_header;
  Time start_task;
  Time group_service;                 // of the group server, on each request
  bool looks_up_each_member = false;  // of a group: a request for each; or one for all
  bool root_asks = false;             // members for their data; or they send it by themselves
  int reduce_members_max = 0;         // 0: any number
  bool is_direct_by_itself = false;   // whether messages avoid the daemons without having been asked to
};

}  // namespace hindcast::pvm
