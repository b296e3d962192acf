#include "commands/explain/explanation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "commands/json_text.hpp"
#include "mpi_impl/core/communicators/communicator.hpp"
#include "simulator/machine/file/quantity.hpp"

namespace hindcast {

namespace {

using traces::MessageTrip;
using traces::PathStep;
using traces::Place;
using traces::RecordedStep;

// A table whose columns are as wide as their cells. Numbers are on the right; the last column is not padded.
class Table {
 public:
  Table(std::vector<std::string> heads, std::vector<bool> on_the_right) : on_the_right_(std::move(on_the_right)) {
    rows_.push_back(std::move(heads));
  }
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

  std::string text() const {
    std::vector<std::size_t> widths(on_the_right_.size());
    for (const auto& row : rows_)
      for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    std::string text;
    for (const auto& row : rows_) {
      std::string line;
      for (std::size_t i = 0; i < row.size(); ++i) {
        if (i > 0) line += "  ";
        line += on_the_right_[i] ? fmt::format("{:>{}}", row[i], widths[i]) : fmt::format("{:{}}", row[i], widths[i]);
      }
      text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    return text;
  }

 private:
  std::vector<bool> on_the_right_;
  std::vector<std::vector<std::string>> rows_;
};

std::string in_us(Time time) { return fmt::format("{}.{:06}", time.in_ps() / 1'000'000, time.in_ps() % 1'000'000); }

std::string shown_place(const Place& place) {
  if (place.kind == Place::Kind::node) return fmt::format("node {}", place.number);
  return place.thread == 0 ? fmt::format("rank {}", place.number)
                           : fmt::format("rank {}, thread {}", place.number, place.thread);
}

const Parameter* parameter_of(const StepKind& kind, const MachineFile& machine) {
  const auto& all = machine.parameters();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Parameter& one) { return one.key == kind.parameter; });
  return found == all.end() ? nullptr : &*found;
}

// "(1024 B)", "(x 3)": what the time is in proportion to, in the unit that the parameter says. A time that is not
// multiplied by the amount goes without it.
std::string shown_amount(const RecordedStep& event, const Parameter* parameter) {
  if (event.amount == 0 || parameter == nullptr) return "";
  if (const auto ps = factor_of(Quantity::time, parameter->unit)) {
    const double all = std::get<double>(parameter->value) * *ps * static_cast<double>(event.amount);
    const bool is_multiplied = std::abs(static_cast<double>((event.end - event.begin).in_ps()) - all) < 1 + all * 1e-9;
    return is_multiplied ? fmt::format(" (x {})", event.amount) : "";
  }
  if (factor_of(Quantity::flop_rate, parameter->unit)) return fmt::format(" ({} flop)", event.amount);
  if (factor_of(Quantity::operation_rate, parameter->unit)) return fmt::format(" ({} op)", event.amount);
  return fmt::format(" ({} B)", event.amount);
}

// ", 50 % of it": what one end of a message takes of a time for both, or what of a step had passed when it was put off.
std::string shown_part(const RecordedStep& event, const Parameter& parameter) {
  const auto ps = factor_of(Quantity::time, parameter.unit);
  if (!ps || event.amount != 0) return "";
  const double whole = std::get<double>(parameter.value) * *ps;
  const auto part = static_cast<double>((event.end - event.begin).in_ps());
  return part > 0 && part < whole - 1 ? fmt::format(", {:.3g} % of it", 100 * part / whole) : "";
}

struct Cells {
  std::string step, parameter, place, kind, source;
};

std::string shown_place_in_file(const Parameter& parameter, const MachineFile& machine) {
  return parameter.set_by.empty() ? fmt::format("{}:{}", machine.path(), parameter.line) : "";
}

Cells cells_of(const RecordedStep& event, const MachineFile& machine) {
  const Parameter* parameter = parameter_of(*event.kind, machine);
  Cells cells;
  cells.step = std::string(event.kind->name) + shown_amount(event, parameter) + (event.continues ? ", goes on" : "");
  cells.parameter = event.kind->parameter;
  if (parameter == nullptr) return cells;
  cells.parameter += " = " + shown_value(*parameter) + shown_part(event, *parameter);
  cells.place = shown_place_in_file(*parameter, machine);
  cells.kind = shown_kind(*parameter);
  cells.source = shown_source(*parameter);
  return cells;
}

Cells cells_of(const PathStep& step, const MachineFile& machine) {
  if (step.event != nullptr) return cells_of(*step.event, machine);
  return {step.gap, "", "", "", step.meanwhile};
}

std::string share(Time part, Time whole) {
  if (whole <= Time()) return "";
  return fmt::format("{:.1f}%", 100.0 * static_cast<double>(part.in_ps()) / static_cast<double>(whole.in_ps()));
}

Time sum_of(const traces::MessagePath& path) {
  Time sum;
  for (const PathStep& step : path.steps) sum += step.end - step.begin;
  return sum;
}

std::string place_json(const Place& place) {
  if (place.kind == Place::Kind::node) return fmt::format(R"("node": {})", place.number);
  return fmt::format(R"("rank": {}, "thread": {})", place.number, place.thread);
}

std::string event_json(const RecordedStep& event, const MachineFile& machine) {
  std::string text =
      fmt::format(R"("step": {}, {}, "begin_ps": {}, "time_ps": {}, "amount": {})", json_text(event.kind->name),
                  place_json(event.place), event.begin.in_ps(), (event.end - event.begin).in_ps(), event.amount);
  if (event.continues) text += R"(, "continues": true)";
  const Parameter* parameter = parameter_of(*event.kind, machine);
  if (parameter == nullptr) return text;
  return text + fmt::format(R"(, "parameter": {}, "value": {}, "file": {}, "line": {}, "kind": {}, "source": {})",
                            json_text(event.kind->parameter), json_text(shown_value(*parameter)),
                            json_text(machine.path()), parameter->line, json_text(shown_kind(*parameter)),
                            json_text(shown_source(*parameter)));
}

std::string step_json(const PathStep& step, const MachineFile& machine) {
  if (step.event != nullptr) return event_json(*step.event, machine);
  return fmt::format(R"("gap": {}, {}, "begin_ps": {}, "time_ps": {}, "meanwhile": {})", json_text(step.gap),
                     place_json(step.place), step.begin.in_ps(), (step.end - step.begin).in_ps(),
                     json_text(step.meanwhile));
}

// Communicators, by names for people. Which number the program's own have depends on which of them are seen first, and
// not on their contexts, which ranks may take ahead of the clock.
class CommunicatorNames {
 public:
  const std::string& of(std::uint32_t context) {
    const std::uint32_t number = context / mpi::Comm::contexts;
    const auto [found, is_new] = names_.try_emplace(number);
    if (is_new)
      found->second = number == 0   ? "MPI_COMM_WORLD"
                      : number == 1 ? "MPI_COMM_SELF"
                                    : fmt::format("communicator {}", ++others_);
    return found->second;
  }

 private:
  std::map<std::uint32_t, std::string> names_;
  int others_ = 0;
};

// The calls of its two sides: "MPI_Send, MPI_Recv". A call that waits for an answer, such as a get, is both.
std::string calls_of(const MessageTrip& trip) {
  const std::string sent_by = trip.sent_by != nullptr ? trip.sent_by : "";
  const std::string received_by = trip.received_by != nullptr ? trip.received_by : "";
  return sent_by == received_by || received_by.empty() ? sent_by : sent_by + ", " + received_by;
}

std::string tag_of(const MessageTrip& trip) {
  return trip.label == nullptr || trip.is_of_library ? "" : fmt::format("{}", trip.label->tag);
}

std::string text_or_null(const char* text) { return text != nullptr ? json_text(text) : "null"; }

// Of messages of machines' own libraries only the calls are told.
std::string label_json(const MessageTrip& trip, CommunicatorNames& communicators) {
  const std::string calls =
      fmt::format(R"("sent_by": {}, "received_by": {})", text_or_null(trip.sent_by), text_or_null(trip.received_by));
  if (trip.label == nullptr) return ", " + calls;
  return fmt::format(R"(, "communicator": {}, "tag": {}, {}, "method": {})",
                     json_text(communicators.of(trip.label->context)), trip.is_of_library ? "null" : tag_of(trip),
                     calls, json_text(trip.label->method));
}

std::string told_of_calls(const MessageTrip& trip) {
  const std::string calls = calls_of(trip);
  if (trip.label == nullptr) return calls.empty() ? "" : fmt::format(" ({})", calls);
  const bool has_method = *trip.label->method != '\0';
  return fmt::format(" ({}, {}tag {})", calls, has_method ? fmt::format("by {}, ", trip.label->method) : "",
                     trip.label->tag);
}

std::string trip_json(const MessageTrip& trip, CommunicatorNames& communicators) {
  const std::string received = trip.received ? fmt::format("{}", trip.received->in_ps()) : "null";
  return fmt::format(
      R"("message": {}, "sender": {}, "receiver": {}, "bytes": {}, "of_library": {}, "begin_ps": {}, "end_ps": {}{})",
      json_text(traces::name_of(trip.id)), trip.sender, trip.receiver, trip.bytes, trip.is_of_library,
      trip.sent.in_ps(), received, label_json(trip, communicators));
}

// Records in braces, one a line.
std::string json_list(const std::vector<std::string>& records, const std::string& indent) {
  std::string text = "[";
  for (const std::string& record : records) text += (text.size() > 1 ? ",\n" + indent : "") + "{" + record + "}";
  return text + "]";
}

}  // namespace

std::string message_table(const std::vector<MessageTrip>& trips) {
  Table table({"MESSAGE", "FROM", "TO", "TAG", "BYTES", "BEGIN [us]", "END [us]", "TIME [us]", "COMMUNICATOR", "METHOD",
               "CALLS"},
              {true, true, true, true, true, true, true, true, false, false, false});
  CommunicatorNames communicators;
  for (const MessageTrip& trip : trips)
    table.add({traces::name_of(trip.id), fmt::format("{}", trip.sender), fmt::format("{}", trip.receiver), tag_of(trip),
               fmt::format("{}", trip.bytes), in_us(trip.sent), trip.received ? in_us(*trip.received) : "not received",
               trip.received ? in_us(*trip.received - trip.sent) : "",
               trip.label != nullptr ? communicators.of(trip.label->context) : "",
               trip.label != nullptr ? trip.label->method : "",
               calls_of(trip) + (trip.is_of_library ? " (collective)" : "")});
  return table.text();
}

std::string message_json(const std::vector<MessageTrip>& trips) {
  std::vector<std::string> records;
  CommunicatorNames communicators;
  for (const MessageTrip& trip : trips) records.push_back(trip_json(trip, communicators));
  return json_list(records, " ") + "\n";
}

std::string explanation_table(const Explanation& explanation, const MachineFile& machine) {
  const MessageTrip& trip = explanation.trip;
  const Time whole = *trip.received - trip.sent;
  Table table({"STEP", "WHERE", "BEGIN [us]", "TIME [us]", "SHARE", "PARAMETER", "FILE", "KIND", "SOURCE"},
              {false, false, true, true, true, false, false, false, false});
  for (const PathStep& step : explanation.path.steps) {
    const Cells cells = cells_of(step, machine);
    table.add({cells.step, shown_place(step.place), in_us(step.begin - trip.sent), in_us(step.end - step.begin),
               share(step.end - step.begin, whole), cells.parameter, cells.place, cells.kind, cells.source});
  }
  const Time sum = sum_of(explanation.path);
  table.add({"sum", "", "", in_us(sum), share(sum, whole), "", "", "", ""});
  if (!explanation.path.beside.empty()) {
    table.add({""});
    table.add({"at the same time:"});
  }
  for (const RecordedStep* event : explanation.path.beside) {
    const Cells cells = cells_of(*event, machine);
    const bool is_before = event->begin < trip.sent;
    const Time distance = is_before ? trip.sent - event->begin : event->begin - trip.sent;
    table.add({cells.step, shown_place(event->place), (is_before ? "-" : "") + in_us(distance),
               in_us(event->end - event->begin), "", cells.parameter, cells.place, cells.kind, cells.source});
  }
  return fmt::format(
      "{}: message {}, {} bytes from rank {} to rank {}{}{}\nfrom the sender's call at {} us {} at {} us: {} us\n\n{}",
      machine.name(), traces::name_of(trip.id), trip.bytes, trip.sender, trip.receiver, told_of_calls(trip),
      explanation.choice.empty() ? "" : ", " + explanation.choice, in_us(trip.sent),
      trip.ends_in_hardware ? "until the data is in place" : "to the end of the receiver's", in_us(*trip.received),
      in_us(whole), table.text());
}

std::string explanation_json(const Explanation& explanation, const MachineFile& machine) {
  CommunicatorNames communicators;
  std::vector<std::string> steps;
  for (const PathStep& step : explanation.path.steps) steps.push_back(step_json(step, machine));
  std::vector<std::string> beside;
  for (const RecordedStep* event : explanation.path.beside) beside.push_back(event_json(*event, machine));
  return fmt::format("{{\"machine\": {}, {},\n \"sum_ps\": {},\n \"steps\": {},\n \"at_the_same_time\": {}}}\n",
                     json_text(machine.name()), trip_json(explanation.trip, communicators),
                     sum_of(explanation.path).in_ps(), json_list(steps, "  "), json_list(beside, "  "));
}

}  // namespace hindcast
