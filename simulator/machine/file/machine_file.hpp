// A machine's description: a TOML file of parameters, each with value, unit, kind and source (docs/machine-files.md).
//
// Parts ask for their parameters by key ("network.link_bandwidth") and for the quantity they need. Whatever is wrong is
// told in one line with file, line, column and key. What no part has asked for once everything is built is a key that
// nobody knows: refuse_unknown_keys() says so.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "simulator/engine/units.hpp"
#include "simulator/machine/file/formula.hpp"
#include "simulator/machine/file/named_tables.hpp"
#include "simulator/machine/file/quantity.hpp"

namespace hindcast {

// The user's mistake, told in one line.
class MachineFileError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Parameter {
  std::string key;  // with the names of its tables: "network.link_bandwidth"
  std::variant<double, std::string, std::vector<std::int64_t>, std::vector<std::string>> value;
  std::string unit;                 // of a number that has one
  std::string kind;                 // stated, derived, tied, fitted, assumed, invented
  std::string source;               // an invented one may have none
  std::string fits;                 // the claim that a fitted one was fitted to
  std::vector<double> range;        // of an assumed or fitted number: the lowest and the highest that it may have been
  std::vector<double> holds;        // the part of the range in which no claim changes its verdict, if that is not all
  std::vector<std::string> one_of;  // of a choice, if the file says so: MachineFile::choices()
  std::string set_by;               // the text after --set, if the user has changed it
  int line = 0;
  int column = 0;
  mutable bool is_asked_for = false;
};

// Where a table begins in the file.
struct TablePlace {
  std::string name;
  int line = 0;
  int column = 0;
};

class MachineFile {
 public:
  // `asked_for` is what the user calls it: its path, unless it was found by a name.
  static MachineFile load(const std::string& path, const std::string& asked_for);
  static MachineFile load(const std::string& path) { return load(path, path); }
  static MachineFile parse(std::string_view text, std::string shown_path);

  const std::string& path() const { return path_; }  // as shown to the user
  const std::string& name() const { return name_; }
  const std::string& description() const { return description_; }
  const std::vector<Parameter>& parameters() const { return parameters_; }  // in the file's order
  // "network.san" for [[network]] with the name "san": in the file's order. None for [network].
  std::vector<NamedTable> tables(std::string_view sort) const { return tables_.of(sort); }

  // "network.link_bandwidth=10 MB/s", as given with --set. Without a unit the file's unit holds. "network=fluid" is
  // short for "network.model=fluid".
  void set(std::string_view assignment);

  Time time(std::string_view key) const;
  Time time_above_zero(std::string_view key) const;  // at least a picosecond
  Bytes bytes(std::string_view key) const;
  // In bytes a second or as the time per byte; the latter may be 0 where only it makes sense.
  Bandwidth bandwidth(std::string_view key) const;
  Rate time_per_byte(std::string_view key) const;
  FlopRate flop_rate(std::string_view key) const;
  Rate operation_rate(std::string_view key) const;
  std::int64_t count(std::string_view key, std::int64_t least = 0) const;
  int small_count(std::string_view key, std::int64_t least = 0) const;  // one that has to fit into an int
  // One of `allowed`, the names that the asking part knows. KeysOfChoice asks for what only one of them needs.
  std::string choice(std::string_view key, const std::vector<std::string>& allowed) const;
  // The extents of something in each dimension: "[16, 8]", in --set also "16x8". One of `words` instead of them is
  // nothing here: choice() says which.
  std::optional<std::vector<std::int64_t>> extents(std::string_view key, const std::vector<std::string>& words) const;

  // A list of texts, in --set with commas between them.
  std::vector<std::string> texts(std::string_view key) const;

  // As it stands in the file.
  const Parameter& parameter(std::string_view key) const { return find(key, "a value"); }

  // What a choice can be set to: one_of if the file has that, else what the program knows (ProgramChoices).
  std::vector<std::string> choices(const Parameter& parameter) const;

  bool has(std::string_view key) const;  // a key that may be left out
  void refuse_unknown_keys() const;      // and formulas that have such keys, or other mistakes
  // By a part that cannot be built with this value.
  [[noreturn]] void refuse(std::string_view key, const std::string& what) const { refuse(find(key, what), what); }
  [[noreturn]] void refuse(const NamedTable& table, const std::string& what) const;

 private:
  // `what` belongs there, for people, if it is missing.
  const Parameter& find(std::string_view key, const std::string& what) const;
  const Parameter& find(std::string_view key, Quantity quantity) const;
  double number(const Parameter& parameter) const;
  double quantity(const Parameter& parameter, Quantity quantity) const;
  Rate rate(std::string_view key, Quantity quantity) const;
  void refuse_without_choices(const Parameter& parameter, const std::vector<std::string>& allowed) const;
  void refuse_unless_one_of(const Parameter& parameter, const std::vector<std::string>& allowed) const;
  [[noreturn]] void refuse(const Parameter& parameter, const std::string& what) const;
  [[noreturn]] void refuse_missing(std::string_view key, const std::string& what) const;

  std::string path_;
  std::string asked_for_;
  std::string name_;
  std::string description_;
  std::vector<Parameter> parameters_;
  NamedTables tables_;
  std::vector<TablePlace> places_;  // of all tables
  std::vector<Formula> formulas_;
  mutable std::vector<std::string> left_out_;  // keys that parts have looked for, and that may be left out
};

// A value as people read it: "1.5 us", "hardware", "16x8".
std::string shown_value(const Parameter& parameter);
// Where the value comes from: "assumed" and its source, or "set" and what the user has set.
std::string shown_kind(const Parameter& parameter);
std::string shown_source(const Parameter& parameter);

}  // namespace hindcast
