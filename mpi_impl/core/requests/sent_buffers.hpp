// What sends in progress had in their buffers when they began. A program may not change it until it has been told that
// the send is complete (MPI-3.1, 3.7.2): whether the old or the new data arrive differs from machine to machine. A run
// that is told to look for it finds it here.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

namespace hindcast::mpi {

struct Request;
struct RequestArguments;

class SentBuffers {
 public:
  // At the beginning of a send.
  void keep(const Request& request, const RequestArguments& arguments);
  // At its end.
  bool has_changed(const Request& request) const;
  // Where in the program it began; empty if that is not known.
  const std::string& place_of(const Request& request) const { return sent_.at(&request).place; }

 private:
  struct Sent {
    const void* data;
    int count;
    std::uint64_t digest;
    std::string place;
  };

  std::unordered_map<const Request*, Sent> sent_;
};

}  // namespace hindcast::mpi
