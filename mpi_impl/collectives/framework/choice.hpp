// Which algorithm a collective takes: what the user has forced by name, or else the first row of the machine's table
// whose conditions hold and whose algorithm can serve; where no row does, the first algorithm of the registry that can.
//
//   a row: NAME[:radix=N][:segment=SIZE][:level=LEVEL][:inner=NAME][:outer=NAME] [if CONDITION [and CONDITION]]
//   a condition: a subject, one of < <= > >= =, a number; bytes with a unit if need be: bytes <= 16 KiB
//   a subject: bytes, elements, ranks, nodes, ranks a node, sites or ranks a site; of ranks a node and a site those
//   where there are most
#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "mpi_impl/collectives/framework/registry.hpp"
#include "mpi_impl/collectives/framework/situation.hpp"

namespace hindcast::mpi {

struct Choice {
  const Algorithm* algorithm = nullptr;
  Parameters parameters;
};

bool can_serve(const Choice& choice, const Situation& situation);

// Of the others ranks know only their own blocks.
bool choice_knows_bytes(CollectiveOperation operation);

struct Condition {
  enum class Subject : std::uint8_t { bytes, elements, ranks, nodes, ranks_a_node, sites, ranks_a_site };
  enum class Relation : std::uint8_t { less, at_most, more, at_least, equal };
  Subject subject;
  Relation relation;
  std::uint64_t number;
  bool holds(const Situation& situation) const;

 private:
  std::uint64_t value_in(const Situation& situation) const;
};

struct Rule {
  std::string text;
  Choice choice;
  std::vector<Condition> conditions;
};

// What somebody has written that makes no sense.
class ChoiceError : public std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

// Throws a ChoiceError if there is none of that name.
CollectiveOperation parse_operation(std::string_view name);

class CollectiveChoices {
 public:
  // "bcast=pipeline:segment=8KiB"; further operations after commas.
  void force(std::string_view text);
  // A row at the end of the machine's table for an operation.
  void add_rule(CollectiveOperation operation, std::string_view row);

  // Throws an Error if what is forced cannot serve.
  Choice choose(const Situation& situation) const;

  const std::vector<Rule>& rules(CollectiveOperation operation) const {
    return rules_[static_cast<std::size_t>(operation)];
  }
  // Null algorithm if none is.
  const Choice& forced(CollectiveOperation operation) const { return forced_[static_cast<std::size_t>(operation)]; }

 private:
  std::array<Choice, collective_operations> forced_;
  std::array<std::vector<Rule>, collective_operations> rules_;
};

}  // namespace hindcast::mpi
