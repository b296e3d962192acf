// hindcast collectives: the algorithms of MPI's collectives, what they need and cost, and which a machine takes when.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <optional>

#include "commands/check/machine_check.hpp"
#include "commands/collectives/collective_choices.hpp"
#include "commands/collectives/collectives_json.hpp"
#include "commands/commands.hpp"
#include "commands/machine_options.hpp"
#include "commands/terminal_width.hpp"
#include "commands/words/option_words.hpp"
#include "mpi_impl/libraries/common/library.hpp"
#include "simulator/machine/file/quantity.hpp"
#include "simulator/machine/placement/placement.hpp"
#include "simulator/machine/site.hpp"

namespace hindcast {

namespace {

struct CollectivesOptions {
  std::string machine = "ideal";
  std::vector<std::string> settings;
  std::vector<std::string> forced;
  std::string operation;
  std::vector<int> ranks;
  std::string map;
  std::vector<std::string> bytes;
  bool as_json = false;
};

constexpr std::size_t columns = 6;
using Line = std::array<std::string, columns>;

// Where the table takes an algorithm: the places of its rows, and their conditions.
std::string taken(const mpi::CollectiveChoices& choices, const mpi::Choice& choice) {
  const mpi::Algorithm& algorithm = *choice.algorithm;
  const std::string choice_text = text_of(choice);
  const mpi::Choice& forced = choices.forced(algorithm.operation);
  if (forced.algorithm != nullptr) return text_of(forced) == choice_text ? "always (--coll)" : "-";
  std::string text;
  const auto& rules = choices.rules(algorithm.operation);
  for (std::size_t i = 0; i < rules.size(); ++i) {
    if (text_of(rules[i].choice) != choice_text) continue;
    const std::size_t conditions = rules[i].text.find(" if ");
    text += fmt::format("{}{}. {}", text.empty() ? "" : "; ", i + 1,
                        conditions == std::string::npos ? "else" : rules[i].text.substr(conditions + 1));
  }
  if (rules.empty() && &mpi::algorithms_of(algorithm.operation).front() == &algorithm) return "1. else";
  return text.empty() ? "-" : text;
}

double bytes_of(const std::string& text) {
  const auto parts = split_number_and_unit(text);
  const auto factor = !parts ? std::nullopt : parts->second.empty() ? 1.0 : factor_of(Quantity::size, parts->second);
  if (!factor || parts->first < 0)
    throw std::invalid_argument(fmt::format("--bytes {}: not a size, such as 8KiB", text));
  return parts->first * *factor;
}

std::vector<mpi::CollectiveOperation> operations_of(const CollectivesOptions& options) {
  if (!options.operation.empty()) return {mpi::parse_operation(options.operation)};
  std::vector<mpi::CollectiveOperation> all;
  for (int i = 0; i < mpi::collective_operations; ++i) all.push_back(static_cast<mpi::CollectiveOperation>(i));
  return all;
}

std::string in_columns(const std::vector<Line>& lines) {
  std::array<std::size_t, columns> widths{};
  for (const Line& line : lines)
    for (std::size_t i = 0; i < columns; ++i) widths[i] = std::max(widths[i], line[i].size());
  std::string text;
  for (const Line& line : lines) {
    for (std::size_t i = 0; i < columns; ++i)
      if (widths[i] > 0) text += fmt::format("{:{}}  ", line[i], widths[i]);
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  return text;
}

// An algorithm a paragraph, of what there is to say of it.
std::string in_paragraphs(const std::vector<Line>& lines, std::size_t width) {
  std::string text;
  for (auto line = lines.begin() + 1; line != lines.end(); ++line) {
    text += fmt::format("{}  {}\n", (*line)[0], (*line)[1]);
    for (std::size_t i = 2; i < columns; ++i) {
      const std::string name = fmt::format("    {}: ", lines.front()[i]);
      if (const std::string& cell = (*line)[i]; !cell.empty() && cell != "-")
        text += name + wrapped(cell, name.size(), width) + "\n";
    }
  }
  return text;
}

void print(const std::vector<Line>& lines) {
  const std::string text = in_columns(lines);
  std::size_t longest = 0;
  for (std::size_t begin = 0, end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
    longest = std::max(longest, end - begin);
  const std::size_t width = width_of_output();
  fmt::print("{}", longest <= width ? text : in_paragraphs(lines, width));
}

// Of a machine whose file names no sites, it does not matter whether it has as many nodes.
Slots slots_of(const MachineFile& file) {
  return file.tables("site").empty() ? Slots(std::numeric_limits<int>::max()) : read_slots(file);
}

// How the ranks of a run would lie.
mpi::Levels levels_of(const MachineFile& file, const std::string& map, int ranks) {
  const Slots slots = slots_of(file);
  const std::vector<int> nodes = place_ranks(map.empty() ? usual_map(slots) : map, ranks, slots);
  const std::vector<Site> sites = read_sites(file);
  mpi::Places places;
  for (int rank = 0; rank < ranks; ++rank) {
    const int node = nodes[static_cast<std::size_t>(rank)];
    places.put(rank, {node, site_of(sites, node)});
  }
  return {mpi::Group(0, 1, ranks), places};
}

// What a machine's costs are for so many ranks, and how these lie.
struct CostsOfRun {
  mpi::CostModel model;
  mpi::Levels levels;
  int ranks;

  std::string seconds(const mpi::Choice& choice, double bytes) {
    const mpi::Division* division = levels.division(choice.parameters.level);
    if (!choice.algorithm->needs.are_offered(model.offers) || (choice.algorithm->has_levels() && division == nullptr))
      return "-";
    if (division != nullptr) {
      model.groups = division->count();
      model.largest_group = division->largest();
    }
    return fmt::format("{:.9f}", choice.algorithm->cost(model, ranks, bytes, choice.parameters));
  }
};

// Formulas know one sort of message, and those of two levels may know a second one.
std::string note_on_messages(const MachineFile& file) {
  const std::vector<NamedTable> sites = file.tables("site");
  if (sites.empty()) return "";
  return fmt::format(
      "The seconds are of messages between nodes of the site '{}' on its network, wherever ranks lie: others, such as\n"
      "between sites, take other times. Those inside a node count in two levels at most.\n",
      sites.front().name);
}

void list(const CollectivesOptions& options, const MachineFile& file, const mpi::CollectiveChoices& choices) {
  if (options.ranks.size() > 1 || options.bytes.size() > 1)
    throw std::invalid_argument("several numbers of ranks or bytes are for --json; give one");
  std::optional<CostsOfRun> costs;
  if (!options.ranks.empty()) {
    const int ranks = options.ranks.front();
    costs = CostsOfRun{library_of(file).costs(file, ranks), levels_of(file, options.map, ranks), ranks};
  }
  const double bytes = options.bytes.empty() ? 0 : bytes_of(options.bytes.front());

  std::vector<Line> lines{{"operation", "algorithm", "needs", costs ? "seconds" : "", "cost", "taken by the table"}};
  for (const mpi::CollectiveOperation operation : operations_of(options)) {
    for (const mpi::Choice& choice : choices_of(choices, operation)) {
      const mpi::Algorithm& algorithm = *choice.algorithm;
      lines.push_back({mpi::name_of(operation), text_of(choice, Stages::all), algorithm.needs.text(),
                       costs ? costs->seconds(choice, bytes) : "", algorithm.cost.text, taken(choices, choice)});
    }
  }
  print(lines);
  fmt::print("\n{}\n{}The first row of the table that holds and can serve is taken.\n", mpi::legend_of_formulas(),
             costs ? note_on_messages(file) : "");
  if (const std::string note = note_on_collectives(file); !note.empty()) fmt::print("{}: {}\n", file.name(), note);
}

void print_json(const CollectivesOptions& options, const MachineFile& file, const mpi::CollectiveChoices& choices) {
  CollectiveSituations situations{operations_of(options), {}, {}};
  for (const int ranks : options.ranks)
    situations.groups.push_back(
        {ranks, library_of(file).costs(file, ranks).offers, levels_of(file, options.map, ranks)});
  for (const std::string& bytes : options.bytes)
    situations.bytes.push_back(static_cast<std::uint64_t>(bytes_of(bytes)));
  if (options.bytes.empty()) situations.bytes.push_back(0);
  fmt::print("{}", collectives_json(choices, situations));
}

void refuse_what_needs_ranks(const CollectivesOptions& options) {
  if (!options.ranks.empty() || (options.bytes.empty() && options.map.empty())) return;
  throw std::invalid_argument(fmt::format("collectives: {} is for a number of ranks; give -n too, or leave it out",
                                          options.bytes.empty() ? "--map" : "--bytes"));
}

void show_collectives(const CollectivesOptions& options) {
  refuse_what_needs_ranks(options);
  const MachineFile file = load_machine(options.machine, options.settings);
  check_machine(file);
  const mpi::CollectiveChoices choices = collective_choices(file, options.forced);
  if (options.as_json)
    print_json(options, file, choices);
  else
    list(options, file, choices);
}

}  // namespace

void add_collectives_command(CLI::App& app) {
  auto options = std::make_shared<CollectivesOptions>();
  CLI::App* command = app.add_subcommand("collectives", "list the algorithms of collectives, their needs and costs");
  command->add_option("operation", options->operation, "only this operation's")->type_name("OPERATION");
  command->add_option("-m,--machine", options->machine, "a machine's name, or the path of its file")
      ->envname("HINDCAST_MACHINE")
      ->capture_default_str()
      ->type_name("MACHINE");
  add_settings(*command, options->settings);
  command->add_option("--coll", options->forced, "choose algorithms and their parameters, as for 'hindcast run'")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->allow_extra_args(false)
      ->type_name("OPERATION=NAME,...");
  CLI::Option* ranks = command->add_option("-n,--ranks", options->ranks, "work the formulas out for so many ranks")
                           ->delimiter(',')
                           ->allow_extra_args(false)
                           ->type_name("RANKS");
  take_whole_number(*ranks, 2, 1'000'000);
  command->add_option("--map", options->map, "which node each of them is on, as for 'hindcast run'")->type_name("MAP");
  command->add_option("-b,--bytes", options->bytes, "and blocks of so many bytes, as 8KiB; else of none")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("SIZE");
  command->add_flag("--json", options->as_json,
                    "for programs; with -n, and -b, which may be lists such as 2,4,8, also what is taken when");
  command->callback([options] { show_collectives(*options); });
}

}  // namespace hindcast
