// hindcast explain: where the time of a message goes, from the recorded steps of a run.

#include <fmt/format.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <climits>
#include <cmath>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>

#include "commands/commands.hpp"
#include "commands/explain/explanation.hpp"
#include "commands/machine_options.hpp"
#include "commands/run/computation/choice.hpp"
#include "commands/run/no_program.hpp"
#include "commands/run/program_line.hpp"
#include "commands/run/script.hpp"
#include "commands/run/simulation.hpp"
#include "commands/words/option_words.hpp"
#include "simulator/machine/file/quantity.hpp"

namespace hindcast {

namespace {

struct ExplainOptions {
  RunRequest request;
  int ranks = 0;
  std::string bytes;
  std::string message;
  std::string compute;
  bool lists = false;
  bool as_json = false;
};

// The first round finds everything unused. The last may be disturbed by what ranks do at the end of a run.
constexpr int rounds = 6;

// Between the first rank and the last, there and back.
void play_ping_pong(int bytes) {
  MPI_Init(nullptr, nullptr);
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int peer = rank == 0 ? size - 1 : 0;
  std::vector<char> data(static_cast<std::size_t>(bytes) + 1);
  for (int round = 0; round < rounds && (rank == 0 || rank == size - 1); ++round) {
    if (rank == 0) MPI_Send(data.data(), bytes, MPI_BYTE, peer, 0, MPI_COMM_WORLD);
    MPI_Recv(data.data(), bytes, MPI_BYTE, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank != 0) MPI_Send(data.data(), bytes, MPI_BYTE, peer, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
}

int parse_bytes(const std::string& text) {
  const auto parts = split_number_and_unit(text);
  const auto factor = !parts                  ? std::nullopt
                      : parts->second.empty() ? std::optional<double>(1)
                                              : factor_of(Quantity::size, parts->second);
  const double bytes = factor ? parts->first * *factor : -1;
  if (!(bytes >= 0 && bytes <= INT_MAX && bytes == std::floor(bytes)))
    throw std::invalid_argument(
        fmt::format("--bytes {}: not a whole number of bytes from 0 to {}, such as 1024 or 64KiB", text, INT_MAX));
  return static_cast<int>(bytes);
}

MessageId parse_message(const std::string& text) {
  int sender = -1;
  std::uint64_t count = 0;
  const char* end = text.data() + text.size();
  const auto [colon, first_error] = std::from_chars(text.data(), end, sender);
  if (first_error == std::errc() && colon != end && *colon == ':') {
    const auto [rest, second_error] = std::from_chars(colon + 1, end, count);
    if (second_error == std::errc() && rest == end && sender >= 0 && count > 0 && count >> message_count_bits == 0)
      return message_id(sender, count);
  }
  throw std::invalid_argument(
      fmt::format("--message {}: not SENDER:COUNT, such as 0:1 for the first message that rank 0 sent", text));
}

void refuse_repeated_keys(const std::vector<std::string>& settings) {
  std::set<std::string> keys;
  for (const std::string& setting : settings) {
    const std::string key = setting.substr(0, setting.find('='));
    if (!keys.insert(key).second)
      throw std::invalid_argument(fmt::format("--set {}: given twice; explain takes one value of each key", key));
  }
}

class Explainer final : public RunObserver {
 public:
  explicit Explainer(const ExplainOptions& options)
      : lists_(options.lists),
        as_json_(options.as_json),
        is_ping_pong_(!options.bytes.empty()),
        message_(options.message.empty() ? 0 : parse_message(options.message)) {}

  // What the program prints goes to standard error from now on.
  void keep_standard_output() {
    std::fflush(stdout);
    output_ = dup(STDOUT_FILENO);
    dup2(STDERR_FILENO, STDOUT_FILENO);
  }

  traces::Sink& begins(const MachineFile& machine, const std::vector<int>& nodes) override {
    machine_ = &machine;
    nodes_ = nodes;
    return events_;
  }

  void is_born(int rank, int node) override {
    nodes_.resize(std::max(nodes_.size(), static_cast<std::size_t>(rank) + 1));
    nodes_[static_cast<std::size_t>(rank)] = node;
  }

  int ends(int status) override {
    try {
      print(text());
      return status;
    } catch (const std::exception& error) {
      fmt::print(stderr, "hindcast: {}\n", error.what());
      return status != 0 ? status : 1;
    }
  }

 private:
  std::string text() const {
    const std::vector<traces::MessageTrip> trips = traces::messages_in(events_.events());
    if (lists_) return as_json_ ? message_json(trips) : message_table(trips);
    const traces::MessageTrip& trip = message_ != 0   ? chosen(trips)
                                      : is_ping_pong_ ? median_round(trips)
                                                      : last_received(trips);
    const std::string choice =
        message_ == 0 && is_ping_pong_ ? fmt::format("the median of {} rounds behind the first", rounds - 1) : "";
    const Explanation explanation{trip, choice, traces::path_of(trip, events_.events(), nodes_)};
    return as_json_ ? explanation_json(explanation, *machine_) : explanation_table(explanation, *machine_);
  }

  const traces::MessageTrip& chosen(const std::vector<traces::MessageTrip>& trips) const {
    for (const traces::MessageTrip& trip : trips) {
      if (trip.id != message_) continue;
      if (trip.received) return trip;
      throw std::runtime_error(fmt::format("message {}, from rank {} to rank {}, was not received in this run",
                                           traces::name_of(message_), trip.sender, trip.receiver));
    }
    throw std::runtime_error(
        fmt::format("no message {} in this run; --list shows those that there are", traces::name_of(message_)));
  }

  static const traces::MessageTrip& last_received(const std::vector<traces::MessageTrip>& trips) {
    const traces::MessageTrip* last = nullptr;
    for (const traces::MessageTrip& trip : trips)
      if (trip.received && !trip.is_of_library && (last == nullptr || *trip.received >= *last->received)) last = &trip;
    if (last == nullptr) throw std::runtime_error(why_none_was_received(trips));
    return *last;
  }

  static const char* why_none_was_received(const std::vector<traces::MessageTrip>& trips) {
    if (trips.empty()) return "no message was sent in this run";
    if (std::any_of(trips.begin(), trips.end(), [](const auto& trip) { return trip.is_of_library; }))
      return "no message was sent and received point-to-point in this run; --list shows those of collective operations";
    return "no message was received in this run; --list shows those that were sent";
  }

  // Of the messages back, the first that took as long as the median of them.
  static const traces::MessageTrip& median_round(const std::vector<traces::MessageTrip>& trips) {
    std::vector<const traces::MessageTrip*> back;
    for (const traces::MessageTrip& trip : trips)
      if (trip.received && !trip.is_of_library && trip.receiver == 0) back.push_back(&trip);
    if (back.size() < 2) return last_received(trips);
    back.erase(back.begin());
    const auto time_of = [](const traces::MessageTrip* trip) { return *trip->received - trip->sent; };
    std::stable_sort(back.begin(), back.end(), [&](auto* a, auto* b) { return time_of(a) < time_of(b); });
    const Time median = time_of(back[back.size() / 2]);
    return **std::find_if(back.begin(), back.end(), [&](auto* trip) { return time_of(trip) == median; });
  }

  void print(const std::string& text) const {
    std::FILE* output = fdopen(output_, "w");
    if (output == nullptr || std::fwrite(text.data(), 1, text.size(), output) != text.size() ||
        std::fclose(output) != 0)
      throw std::runtime_error("explain: standard output cannot be written");
  }

  bool lists_;
  bool as_json_;
  bool is_ping_pong_;
  MessageId message_;
  int output_ = STDOUT_FILENO;
  const MachineFile* machine_ = nullptr;
  std::vector<int> nodes_;
  traces::StepList events_;
};

void explain(ExplainOptions& options, const ProgramLine& line) {
  RunRequest& request = options.request;
  if (!line.further.empty()) throw std::invalid_argument("explain: runs one program; ':' belongs to run");
  if (!options.bytes.empty() && !line.first.empty())
    throw std::invalid_argument("explain: either --bytes or a program, not both");
  if (options.bytes.empty() && line.first.empty())
    throw std::invalid_argument("explain: what? --bytes BYTES, or a program and its arguments after --");
  if (options.lists && !options.message.empty())
    throw std::invalid_argument("explain --list: it lists all messages; leave out --message, or --list");
  refuse_repeated_keys(request.settings);
  if (line.first.empty()) {
    const int bytes = parse_bytes(options.bytes);
    if (!options.compute.empty())
      throw std::invalid_argument(
          fmt::format("explain --bytes: its ranks compute nothing; --compute {} is for a program", options.compute));
    if (options.ranks == 1) throw std::invalid_argument("explain --bytes: a message needs two ranks; -n 2 or more");
    request.built_in = [bytes] { play_ping_pong(bytes); };
    request.built_in_ranks = options.ranks == 0 ? 2 : options.ranks;
  } else {
    refuse_what_is_no_program(line.first.front(), std::max(1, options.ranks));
    refuse_script("explain", line.first.front(), "");
    request.programs.push_back(
        {line.first.front(), {line.first.begin() + 1, line.first.end()}, options.ranks == 0 ? 1 : options.ranks, ""});
  }
  if (!options.compute.empty()) choose_computation(options.compute, "", request);
  request.marks_calls = true;
  Explainer explainer(options);
  explainer.keep_standard_output();
  simulate(request, &explainer);
}

}  // namespace

void add_explain_command(CLI::App& app, const ProgramLine& line) {
  auto options = std::make_shared<ExplainOptions>();
  CLI::App* command = app.add_subcommand("explain", "show where the time of a message goes, step by step");
  command->footer(
      "hindcast explain [OPTIONS] --bytes BYTES\nhindcast explain [OPTIONS] -n RANKS [--] PROGRAM ARGUMENTS\n\n"
      "What the program prints goes to standard error.");
  command->add_option("-m,--machine", options->request.machine, "a machine's name, or the path of its file")
      ->envname("HINDCAST_MACHINE")
      ->capture_default_str()
      ->type_name("MACHINE");
  CLI::Option* ranks = command
                           ->add_option("-n,--ranks", options->ranks,
                                        "how many ranks to start (also -np): 1 of a program, 2 for --bytes")
                           ->type_name("RANKS");
  take_whole_number(*ranks, 1, 1'000'000);
  command->add_option("--bytes", options->bytes, "a ping-pong of so many bytes between the first rank and the last")
      ->type_name("BYTES");
  command
      ->add_option("--map", options->request.map,
                   "which nodes: slot (each processor in turn, the default), node (round and round), "
                   "block[:RANKS_PER_NODE], cyclic:NODES, reverse, random:SEED, a list as 0,3,1,2, or a file of one")
      ->type_name("MAP");
  add_shorthands(*command, options->request.shorthands);
  add_settings(*command, options->request.settings);
  command->add_option("--compute", options->compute, "what the program's computation takes, as 'hindcast run' has it")
      ->type_name(ways_to_compute);
  command
      ->add_option("--message", options->message,
                   "which message: the COUNT-th that rank SENDER sent; unless given, the last one received")
      ->type_name("SENDER:COUNT");
  command->add_flag("--list", options->lists, "list the messages of the run instead");
  command->add_flag("--json", options->as_json, "for programs to read; times in picoseconds");
  command->callback([options, &line] { explain(*options, line); });
}

}  // namespace hindcast
