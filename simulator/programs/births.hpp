// Programs that are started in mid-run, as a message-passing library asks whoever started the run to do.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace hindcast {

// So many ranks of a program.
struct Birth {
  std::string program;
  std::vector<std::string> arguments;  // without the program's name
  std::string working_directory;       // empty: the launcher's
  int ranks = 0;
  std::vector<int> nodes = {};  // of each rank; empty: wherever there is a place
};

// Why nobody was born.
class BirthError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Births {
 public:
  virtual ~Births() = default;

  // In a handler: how many more ranks there are places for.
  virtual int free_places() = 0;
  // In a handler: the node of each of these places, of one with several places several times.
  virtual std::vector<int> nodes_of_free_places() = 0;
  // In a handler: all of these are born together, and numbered one after the other. Throws BirthError, and none is
  // born.
  virtual void bear(const std::vector<Birth>& births) = 0;
};

}  // namespace hindcast
