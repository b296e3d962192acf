#include "commands/collectives/collectives_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "commands/json_text.hpp"
#include "mpi_impl/core/error.hpp"

namespace hindcast {

namespace {

std::string size_text(std::size_t bytes) {
  return bytes % 1024 == 0 ? fmt::format("{}KiB", bytes / 1024) : fmt::format("{}B", bytes);
}

std::string list_of(const std::vector<std::string>& parts, const char* separator) {
  return fmt::format("[{}]", fmt::join(parts, separator));
}

std::string algorithm_json(const mpi::Choice& choice) {
  return fmt::format(R"({{"operation": {}, "choice": {}, "needs": {}, "means": {}, "cost": {}}})",
                     json_text(mpi::name_of(choice.algorithm->operation)), json_text(text_of(choice)),
                     json_text(choice.algorithm->needs.text()), json_text(choice.algorithm->means),
                     json_text(choice.algorithm->cost.text));
}

std::string taken_in(const mpi::CollectiveChoices& choices, const mpi::Situation& situation) {
  try {
    return json_text(text_of(choices.choose(situation)));
  } catch (const mpi::Error&) {  // what is forced cannot serve
    return "null";
  }
}

// A neighbourhood's is taken for that of a grid, where all its algorithms serve, a reduction for one of doubles.
mpi::Situation situation_of(mpi::CollectiveOperation operation, const CollectiveGroup& group, std::uint64_t bytes) {
  using O = mpi::CollectiveOperation;
  mpi::Situation situation{operation, group.ranks, mpi::choice_knows_bytes(operation) ? bytes : 0};
  const bool counts_elements =
      operation == O::reduce || operation == O::allreduce || operation == O::scan || operation == O::exscan;
  if (counts_elements) situation.elements = bytes / sizeof(double);
  situation.is_on_grid = operation >= O::neighbor_allgather;
  situation.offers = group.offers;
  situation.levels = &group.levels;
  return situation;
}

std::string situation_json(const mpi::CollectiveChoices& choices, const mpi::Situation& situation,
                           std::uint64_t bytes) {
  const mpi::CollectiveOperation operation = situation.operation;
  std::vector<std::string> able;
  for (const mpi::Choice& choice : choices_of(choices, operation))
    if (mpi::can_serve(choice, situation)) able.push_back(json_text(text_of(choice)));
  return fmt::format(R"({{"operation": {}, "ranks": {}, "bytes": {}, "taken": {}, "able": {}}})",
                     json_text(mpi::name_of(operation)), situation.ranks, bytes, taken_in(choices, situation),
                     list_of(able, ", "));
}

}  // namespace

std::vector<mpi::Choice> choices_of(const mpi::CollectiveChoices& choices, mpi::CollectiveOperation operation) {
  std::vector<mpi::Choice> all;
  for (const mpi::Algorithm& algorithm : mpi::algorithms_of(operation)) all.push_back({&algorithm, algorithm.defaults});
  const auto add = [&all](const mpi::Choice& choice) {
    const bool is_new = std::none_of(all.begin(), all.end(),
                                     [&](const mpi::Choice& other) { return text_of(other) == text_of(choice); });
    if (is_new) all.push_back(choice);
  };
  for (const mpi::Rule& rule : choices.rules(operation)) add(rule.choice);
  if (choices.forced(operation).algorithm != nullptr) add(choices.forced(operation));
  return all;
}

std::string text_of(const mpi::Choice& choice, Stages stages) {
  const mpi::Parameters &chosen = choice.parameters, &usual = choice.algorithm->defaults;
  std::string text = choice.algorithm->name;
  if (choice.algorithm->radix_is_open) text += fmt::format(":radix={}", choice.parameters.radix);
  if (choice.algorithm->segment_is_open) text += fmt::format(":segment={}", size_text(choice.parameters.segment));
  if (!choice.algorithm->has_levels()) return text;
  const bool all = stages == Stages::all;
  if (all || chosen.level != usual.level)
    text += fmt::format(":level={}", mpi::level_names[static_cast<std::size_t>(chosen.level)]);
  if (all || chosen.inner != usual.inner) text += fmt::format(":inner={}", chosen.inner->name);
  if (all || chosen.outer != usual.outer) text += fmt::format(":outer={}", chosen.outer->name);
  return text;
}

std::string collectives_json(const mpi::CollectiveChoices& choices, const CollectiveSituations& situations) {
  std::vector<std::string> algorithms, taken;
  for (const mpi::CollectiveOperation operation : situations.operations) {
    for (const mpi::Choice& choice : choices_of(choices, operation)) algorithms.push_back(algorithm_json(choice));
    for (const CollectiveGroup& group : situations.groups)
      for (const std::uint64_t bytes : situations.bytes)
        taken.push_back(situation_json(choices, situation_of(operation, group, bytes), bytes));
  }
  return fmt::format("{{\"algorithms\": {},\n\"situations\": {}}}\n", list_of(algorithms, ",\n "),
                     list_of(taken, ",\n "));
}

}  // namespace hindcast
