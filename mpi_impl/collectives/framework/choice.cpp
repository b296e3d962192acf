#include "mpi_impl/collectives/framework/choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>

#include "mpi_impl/core/error.hpp"
#include "simulator/machine/file/nearest_name.hpp"
#include "simulator/machine/file/quantity.hpp"
#include "simulator/machine/file/trimmed.hpp"

namespace hindcast::mpi {

namespace {

// The parts between separators.
std::vector<std::string_view> split(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(trimmed(text.substr(0, end)));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + separator.size());
  }
}

std::string did_you_mean(std::string_view wrong, const std::vector<std::string>& names) {
  const std::string meant = nearest_name(wrong, names);
  return meant.empty() ? fmt::format("there are {}", fmt::join(names, ", ")) : fmt::format("did you mean '{}'?", meant);
}

const Algorithm& parse_algorithm(CollectiveOperation operation, std::string_view name) {
  if (const Algorithm* found = find_algorithm(operation, name)) return *found;
  std::vector<std::string> names;
  for (const Algorithm& algorithm : algorithms_of(operation)) names.emplace_back(algorithm.name);
  throw ChoiceError(fmt::format("'{}' is no algorithm of {}, {}", name, name_of(operation), did_you_mean(name, names)));
}

// "8KiB", "8 KiB" or "8192".
std::optional<std::uint64_t> parse_bytes(std::string_view text) {
  const auto parts = split_number_and_unit(text);
  if (!parts) return std::nullopt;
  const auto factor = parts->second.empty() ? 1.0 : factor_of(Quantity::size, parts->second);
  if (!factor) return std::nullopt;
  const double bytes = parts->first * *factor;
  if (!(bytes >= 0 && bytes < 1e15) || bytes != static_cast<double>(static_cast<std::uint64_t>(bytes)))
    return std::nullopt;
  return static_cast<std::uint64_t>(bytes);
}

std::optional<std::uint64_t> parse_count(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

void set_radix(Choice& choice, std::string_view value) {
  constexpr std::uint64_t most = 1024;
  const auto radix = parse_count(value);
  const std::uint64_t least = choice.algorithm->operation == CollectiveOperation::barrier ? 1 : 2;
  if (!radix || *radix < least || *radix > most)
    throw ChoiceError(fmt::format("radix={}: a radix is a whole number from {} to {}", value, least, most));
  choice.parameters.radix = static_cast<int>(*radix);
}

void set_segment(Choice& choice, std::string_view value) {
  constexpr std::uint64_t most = 1 << 30;
  const auto bytes = parse_bytes(value);
  if (!bytes || *bytes == 0 || *bytes > most)
    throw ChoiceError(fmt::format("segment={}: a segment is a size from 1 B to 1 GiB, such as 8KiB", value));
  choice.parameters.segment = *bytes;
}

void set_level(Choice& choice, std::string_view value) {
  const auto found = std::find(level_names.begin(), level_names.end(), value);
  if (found == level_names.end())
    throw ChoiceError(fmt::format("level={}: a level is one of {}", value, fmt::join(level_names, ", ")));
  choice.parameters.level = static_cast<Level>(found - level_names.begin());
}

const Algorithm* parse_stage(const Stage& stage, std::string_view value) {
  const Algorithm& algorithm = parse_algorithm(stage.operation, value);
  if (!algorithm.serves_everywhere())
    throw ChoiceError(fmt::format("{}={} needs {}, which groups may not have", name_of(stage.operation), value,
                                  algorithm.needs.text()));
  return &algorithm;
}

[[noreturn]] void refuse_parameter(const Algorithm& algorithm, std::string_view text) {
  std::vector<std::string> names;
  if (algorithm.radix_is_open) names.emplace_back("radix");
  if (algorithm.segment_is_open) names.emplace_back("segment");
  if (algorithm.has_levels()) names.insert(names.end(), {"level", "inner", "outer"});
  throw ChoiceError(fmt::format("'{}' is no parameter of {}'s {}, which has {}", text, name_of(algorithm.operation),
                                algorithm.name, names.empty() ? "none" : fmt::format("{}", fmt::join(names, " and "))));
}

void set_parameter(Choice& choice, std::string_view text) {
  const std::size_t equals = text.find('=');
  const std::string_view name = trimmed(text.substr(0, equals));
  const std::string_view value = equals == std::string_view::npos ? "" : trimmed(text.substr(equals + 1));
  const Algorithm& algorithm = *choice.algorithm;
  if (name == "radix" && algorithm.radix_is_open) return set_radix(choice, value);
  if (name == "segment" && algorithm.segment_is_open) return set_segment(choice, value);
  if (name == "level" && algorithm.has_levels()) return set_level(choice, value);
  if (name == "inner" && algorithm.has_levels())
    choice.parameters.inner = parse_stage(algorithm.inner, value);
  else if (name == "outer" && algorithm.has_levels())
    choice.parameters.outer = parse_stage(algorithm.outer, value);
  else
    refuse_parameter(algorithm, text);
}

// "pipeline:segment=8KiB"
Choice parse_choice(CollectiveOperation operation, std::string_view text) {
  const std::vector<std::string_view> parts = split(text, ":");
  const Algorithm& algorithm = parse_algorithm(operation, parts.front());
  Choice choice{&algorithm, algorithm.defaults};
  for (std::size_t i = 1; i < parts.size(); ++i) set_parameter(choice, parts[i]);
  return choice;
}

Condition parse_condition(std::string_view text) {
  using Relation = Condition::Relation;
  static constexpr std::string_view subjects[] = {"bytes",        "elements", "ranks",       "nodes",
                                                  "ranks a node", "sites",    "ranks a site"};
  static constexpr std::pair<std::string_view, Relation> relations[] = {{"<=", Relation::at_most},
                                                                        {">=", Relation::at_least},
                                                                        {"<", Relation::less},
                                                                        {">", Relation::more},
                                                                        {"=", Relation::equal}};
  for (const auto& [sign, relation] : relations) {
    const std::size_t at = text.find(sign);
    if (at == std::string_view::npos) continue;
    const std::string_view subject = trimmed(text.substr(0, at)), value = trimmed(text.substr(at + sign.size()));
    const auto found = std::find(std::begin(subjects), std::end(subjects), subject);
    if (found == std::end(subjects)) break;
    const auto number = subject == "bytes" ? parse_bytes(value) : parse_count(value);
    if (!number) break;
    return {static_cast<Condition::Subject>(found - subjects), relation, *number};
  }
  throw ChoiceError(fmt::format("'{}' is no condition such as 'bytes <= 16 KiB' or 'ranks < 8'", text));
}

std::string why_it_cannot_serve(const Choice& forced, const Situation& situation) {
  const Algorithm& algorithm = *forced.algorithm;
  std::string why = fmt::format("the algorithm that was chosen by name, {}={}, needs {}; this call is for {} rank{}",
                                name_of(algorithm.operation), algorithm.name, algorithm.needs.text(), situation.ranks,
                                situation.ranks == 1 ? "" : "s");
  if (!situation.is_commutative) why += " and an operation that does not commute";
  if (!algorithm.needs.are_offered(situation.offers)) why += ", for which the machine has none";
  const bool has_groups = situation.levels != nullptr && situation.levels->division(forced.parameters.level) != nullptr;
  if (algorithm.has_levels() && !has_groups) why += ", and either all are in one group or each is alone";
  return why;
}

bool cuts_vectors(const Choice& choice) {
  const Parameters& parameters = choice.parameters;
  return choice.algorithm->cuts_vectors || (parameters.inner != nullptr && parameters.inner->cuts_vectors) ||
         (parameters.outer != nullptr && parameters.outer->cuts_vectors);
}

// Whether the machine's table may take it. MPI does not promise an operation of the program's own all of a vector at a
// time, but real libraries give it that, and programs have come to want it.
bool may_be_taken(const Choice& choice, const Situation& situation) {
  return can_serve(choice, situation) && !(situation.is_operation_own && cuts_vectors(choice));
}

}  // namespace

bool can_serve(const Choice& choice, const Situation& situation) {
  if (choice.algorithm->needs.are_none()) return true;
  Situation at_its_level = situation;
  at_its_level.level = choice.parameters.level;
  return choice.algorithm->needs.hold(at_its_level);
}

CollectiveOperation parse_operation(std::string_view name) {
  std::vector<std::string> names;
  for (int i = 0; i < collective_operations; ++i) {
    const auto operation = static_cast<CollectiveOperation>(i);
    if (name == name_of(operation)) return operation;
    names.emplace_back(name_of(operation));
  }
  throw ChoiceError(fmt::format("'{}' is no collective operation, {}", name, did_you_mean(name, names)));
}

bool choice_knows_bytes(CollectiveOperation operation) {
  using O = CollectiveOperation;
  constexpr O unknown[] = {
      O::gatherv,           O::scatterv, O::alltoallv, O::alltoallw, O::neighbor_allgatherv, O::neighbor_alltoallv,
      O::neighbor_alltoallw};
  return std::find(std::begin(unknown), std::end(unknown), operation) == std::end(unknown);
}

std::uint64_t Condition::value_in(const Situation& situation) const {
  switch (subject) {
    case Subject::bytes:
      return situation.bytes;
    case Subject::elements:
      return situation.elements;
    case Subject::nodes:
      return static_cast<std::uint64_t>(situation.nodes());
    case Subject::ranks_a_node:
      return static_cast<std::uint64_t>(situation.ranks_a_node());
    case Subject::sites:
      return static_cast<std::uint64_t>(situation.sites());
    case Subject::ranks_a_site:
      return static_cast<std::uint64_t>(situation.ranks_a_site());
    case Subject::ranks:
      break;
  }
  return static_cast<std::uint64_t>(situation.ranks);
}

bool Condition::holds(const Situation& situation) const {
  const std::uint64_t value = value_in(situation);
  switch (relation) {
    case Relation::less:
      return value < number;
    case Relation::at_most:
      return value <= number;
    case Relation::more:
      return value > number;
    case Relation::at_least:
      return value >= number;
    case Relation::equal:
      break;
  }
  return value == number;
}

void CollectiveChoices::force(std::string_view text) {
  for (const std::string_view one : split(text, ",")) {
    const std::size_t equals = one.find('=');
    if (equals == std::string_view::npos)
      throw ChoiceError(fmt::format("'{}': write OPERATION=ALGORITHM, such as bcast=binomial", one));
    const CollectiveOperation operation = parse_operation(trimmed(one.substr(0, equals)));
    forced_[static_cast<std::size_t>(operation)] = parse_choice(operation, trimmed(one.substr(equals + 1)));
  }
}

void CollectiveChoices::add_rule(CollectiveOperation operation, std::string_view row) {
  const std::size_t conditions = row.find(" if ");
  Rule rule{std::string(trimmed(row)), parse_choice(operation, trimmed(row.substr(0, conditions))), {}};
  if (conditions != std::string_view::npos)
    for (const std::string_view text : split(row.substr(conditions + 4), " and "))
      rule.conditions.push_back(parse_condition(text));
  rules_[static_cast<std::size_t>(operation)].push_back(std::move(rule));
}

Choice CollectiveChoices::choose(const Situation& situation) const {
  const Choice& forced = this->forced(situation.operation);
  if (forced.algorithm != nullptr) {
    if (can_serve(forced, situation)) return forced;
    throw Error{MPI_ERR_OTHER, why_it_cannot_serve(forced, situation)};
  }
  for (const Rule& rule : rules(situation.operation)) {
    const bool holds = std::all_of(rule.conditions.begin(), rule.conditions.end(),
                                   [&](const Condition& condition) { return condition.holds(situation); });
    if (holds && may_be_taken(rule.choice, situation)) return rule.choice;
  }
  for (const Algorithm& algorithm : algorithms_of(situation.operation))
    if (const Choice choice{&algorithm, algorithm.defaults}; may_be_taken(choice, situation)) return choice;
  throw Error{MPI_ERR_INTERN, fmt::format("no algorithm of {} serves", name_of(situation.operation))};
}

}  // namespace hindcast::mpi
