#include "simulator/machine/file/machine_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#include "simulator/machine/file/likeness.hpp"
#include "simulator/machine/file/nearest_name.hpp"
#include "simulator/machine/file/open_list.hpp"

namespace hindcast {

namespace {

constexpr std::array attributes{"value",   "unit",  "kind",  "source",  "fits",
                                "follows", "range", "holds", "at_most", "one_of"};
constexpr std::array kinds{"stated", "derived", "tied", "fitted", "assumed", "invented"};

std::string place(std::string_view path, const toml::source_position& at) {
  return fmt::format("{}:{}:{}", path, at.line, at.column);
}

// Reads the tables of one file into parameters. Checks what can be checked without knowing who needs them.
class Reader {
 public:
  Reader(std::string_view path, std::vector<Parameter>& parameters, NamedTables& tables,
         std::vector<TablePlace>& places, std::vector<Formula>& formulas)
      : path_(path), parameters_(parameters), tables_(tables), places_(places), formulas_(formulas) {}

  void read(const toml::table& table, const std::string& prefix, bool has_name = false) {
    const toml::source_position& begin = table.source().begin;
    places_.push_back({prefix, static_cast<int>(begin.line), static_cast<int>(begin.column)});
    for (const auto& [name, node] : table) {
      if (has_name && (name == "name" || name == "as")) continue;
      const std::string key = prefix.empty() ? std::string(name.str()) : fmt::format("{}.{}", prefix, name.str());
      if (key == "machine.name" || key == "machine.description") continue;
      if (node.is_array_of_tables() && prefix.empty()) {
        read_named(key, *node.as_array());
        continue;
      }
      const toml::table* inner = node.as_table();
      if (inner == nullptr) refuse(name.source().begin, key, form);
      if (inner->contains("value") || inner->is_inline())
        parameters_.push_back(parameter(key, name.source().begin, *inner));
      else
        read(*inner, key);
    }
  }

  std::string text(const toml::table& table, std::string_view name, const std::string& key) const {
    const toml::node* node = table.get(name);
    if (node == nullptr) return "";
    const auto* text = node->as_string();
    if (text == nullptr) refuse(node->source().begin, key, fmt::format("{} must be a text in quotes", name));
    if (text->get().empty()) refuse(node->source().begin, key, fmt::format("{} must not be empty", name));
    return text->get();
  }

  [[noreturn]] void refuse(const toml::source_position& at, const std::string& key, const std::string& what) const {
    throw MachineFileError(fmt::format("{}: {}: {}", place(path_, at), key, what));
  }

 private:
  static constexpr auto form = "a parameter is written { value = ..., unit = ..., kind = ..., source = ... }";

  void read_named(const std::string& sort, const toml::array& list) {
    for (const auto& element : list) {
      const toml::table& table = *element.as_table();
      const toml::source_position& at = element.source().begin;
      NamedTable named{sort, text(table, "name", sort), static_cast<int>(at.line), static_cast<int>(at.column)};
      if (const std::string why = tables_.why_not(named); !why.empty()) refuse(at, sort, why);
      read(table, named.prefix(), true);
      if (const std::string as = text(table, "as", named.prefix()); !as.empty())
        add_what_is_as(named, as, table.get("as")->source().begin);
      tables_.add(std::move(named));
    }
  }

  void add_what_is_as(const NamedTable& table, const std::string& as, const toml::source_position& at) {
    try {
      for (Parameter& parameter : parameters_as(table, as)) {
        const auto is_this = [&](const Parameter& own) { return own.key == parameter.key; };
        if (std::any_of(parameters_.begin(), parameters_.end(), is_this)) continue;
        parameter.line = static_cast<int>(at.line);
        parameter.column = static_cast<int>(at.column);
        parameters_.push_back(std::move(parameter));
      }
    } catch (const MachineFileError& error) {
      refuse(at, table.prefix(), fmt::format("as = \"{}\": {}", as, error.what()));
    }
  }

  Parameter parameter(const std::string& key, const toml::source_position& at, const toml::table& table) {
    Parameter read;
    read.key = key;
    read.line = static_cast<int>(at.line);
    read.column = static_cast<int>(at.column);
    for (const auto& [name, node] : table) check_attribute(key, name);
    const toml::node* value = table.get("value");
    if (value == nullptr) refuse(at, key, form);
    read_value(*value, read);
    read.unit = text(table, "unit", key);
    read.kind = text(table, "kind", key);
    read.source = text(table, "source", key);
    read.fits = text(table, "fits", key);
    if (!text(table, "follows", key).empty() && (read.kind != "fitted" || !std::holds_alternative<double>(read.value)))
      refuse(table.get("follows")->source().begin, key, "only a fitted number follows from others");
    read_one_of(table, read);
    read.range = ends(table, "range", read);
    read.holds = ends(table, "holds", read);
    check_ranges(table, read);
    check_provenance(at, table, read);
    for (const char* attribute : {"follows", "at_most"}) add_formula(table, attribute, key);
    return read;
  }

  void add_formula(const toml::table& table, const char* attribute, const std::string& key) {
    const toml::node* node = table.get(attribute);
    if (node == nullptr) return;
    const toml::source_position& at = node->source().begin;
    formulas_.push_back(
        {key, attribute, text(table, attribute, key), static_cast<int>(at.line), static_cast<int>(at.column)});
  }

  void check_attribute(const std::string& key, const toml::key& name) const {
    if (std::find(attributes.begin(), attributes.end(), name.str()) != attributes.end()) return;
    const std::string meant = nearest_name(name.str(), {attributes.begin(), attributes.end()});
    refuse(name.source().begin, key,
           fmt::format("unknown attribute '{}', {}", name.str(),
                       meant.empty() ? fmt::format("there are {}", fmt::join(attributes, ", "))
                                     : fmt::format("did you mean '{}'?", meant)));
  }

  void read_value(const toml::node& node, Parameter& read) const {
    if (const auto* text = node.as_string()) {
      read.value = text->get();
    } else if (const auto* list = node.as_array(); list != nullptr && !list->empty() && list->front().is_string()) {
      read_texts(*list, read);
    } else if (list != nullptr) {
      read_numbers(*list, read);
    } else if (node.is_number()) {
      read.value = finite(node, read.key);
    } else {
      refuse(node.source().begin, read.key,
             "value must be a number, a text in quotes or a list of whole numbers or texts");
    }
  }

  void read_numbers(const toml::array& list, Parameter& read) const {
    if (list.empty()) refuse(list.source().begin, read.key, "the list is empty");
    std::vector<std::int64_t> numbers;
    for (const auto& element : list) {
      const auto* whole = element.as_integer();
      if (whole == nullptr)
        refuse(element.source().begin, read.key,
               fmt::format("element {} is no whole number, as all of this list must be", numbers.size() + 1));
      numbers.push_back(whole->get());
    }
    read.value = numbers;
  }

  void read_texts(const toml::array& list, Parameter& read) const {
    std::vector<std::string> texts;
    for (const auto& element : list) {
      const auto* text = element.as_string();
      if (text == nullptr)
        refuse(element.source().begin, read.key,
               fmt::format("element {} is no text in quotes, as all of this list must be", texts.size() + 1));
      texts.push_back(text->get());
    }
    read.value = texts;
  }

  double finite(const toml::node& node, const std::string& key) const {
    const double number = node.value_or(std::nan(""));
    if (!std::isfinite(number)) refuse(node.source().begin, key, "not a finite number");
    return number;
  }

  void read_one_of(const toml::table& table, Parameter& read) const {
    const toml::node* node = table.get("one_of");
    if (node == nullptr) return;
    const auto* list = node->as_array();
    if (list == nullptr) refuse(node->source().begin, read.key, "one_of must be a list of texts");
    for (const auto& element : *list) {
      const auto* text = element.as_string();
      if (text == nullptr) refuse(element.source().begin, read.key, "one_of must be a list of texts");
      read.one_of.push_back(text->get());
    }
    const auto* chosen = std::get_if<std::string>(&read.value);
    if (chosen != nullptr && std::ranges::find(read.one_of, *chosen) == read.one_of.end())
      refuse(table.get("value")->source().begin, read.key,
             fmt::format("'{}' is not one of {}", *chosen, fmt::join(read.one_of, ", ")));
  }

  std::vector<double> ends(const toml::table& table, std::string_view name, const Parameter& read) const {
    const toml::node* node = table.get(name);
    if (node == nullptr) return {};
    const auto* list = node->as_array();
    const auto* value = std::get_if<double>(&read.value);
    if (list == nullptr || list->size() != 2 || value == nullptr || !list->get(0)->is_number() ||
        !list->get(1)->is_number())
      refuse(node->source().begin, read.key,
             fmt::format("{} must be [lowest, highest], in the unit of the value", name));
    const double lowest = finite(*list->get(0), read.key);
    const double highest = finite(*list->get(1), read.key);
    if (lowest > highest)
      refuse(node->source().begin, read.key,
             fmt::format("{} is the wrong way round: [lowest, highest] is [{}, {}]", in_words(name), highest, lowest));
    if (lowest > *value || highest < *value)
      refuse(node->source().begin, read.key, fmt::format("{} does not contain the value, {}", in_words(name), *value));
    return {lowest, highest};
  }

  static std::string_view in_words(std::string_view name) {
    return name == "range" ? "the range" : "what claims hold in";
  }

  void check_ranges(const toml::table& table, const Parameter& read) const {
    if (!text(table, "at_most", read.key).empty() && read.range.empty())
      refuse(table.get("at_most")->source().begin, read.key, "at_most narrows a range, and there is none");
    if (read.holds.empty()) return;
    const toml::source_position& at = table.get("holds")->source().begin;
    if (read.range.empty()) refuse(at, read.key, "holds is a part of a range, and there is none");
    if (read.holds[0] < read.range[0] || read.holds[1] > read.range[1])
      refuse(at, read.key, fmt::format("holds must lie within the range, [{}, {}]", read.range[0], read.range[1]));
  }

  void check_provenance(const toml::source_position& at, const toml::table& table, const Parameter& read) const {
    if (read.kind.empty()) refuse(at, read.key, fmt::format("kind is missing: one of {}", fmt::join(kinds, ", ")));
    if (std::find(kinds.begin(), kinds.end(), read.kind) == kinds.end())
      refuse(table.get("kind")->source().begin, read.key,
             fmt::format("kind '{}' is not one of {}", read.kind, fmt::join(kinds, ", ")));
    if (read.source.empty() && read.kind != "invented")
      refuse(at, read.key, "source is missing: where does the value come from?");
    if (read.kind == "fitted" && read.fits.empty())
      refuse(at, read.key, "fits is missing: which claim was it fitted to?");
    if (read.kind == "assumed" && read.range.empty() && std::holds_alternative<double>(read.value))
      refuse(at, read.key, "range is missing: within which bounds can an assumed value be changed?");
  }

  std::string_view path_;
  std::vector<Parameter>& parameters_;
  NamedTables& tables_;
  std::vector<TablePlace>& places_;
  std::vector<Formula>& formulas_;
};

// The folder that one is in may have been removed.
std::string path_to_show(const std::string& path) {
  std::error_code error;
  const std::filesystem::path here = std::filesystem::current_path(error);
  if (error) return path;
  const std::filesystem::path relative = std::filesystem::relative(path, here, error);
  return error || relative.empty() || *relative.begin() == ".." ? path : relative.string();
}

}  // namespace

MachineFile MachineFile::load(const std::string& path, const std::string& asked_for) {
  std::ifstream stream(path);
  if (!stream || !std::filesystem::is_regular_file(path))
    throw MachineFileError(fmt::format("{}: cannot be read: {}", path, stream ? "not a file" : std::strerror(errno)));
  std::ostringstream text;
  text << stream.rdbuf();
  MachineFile file = parse(text.str(), path_to_show(path));
  file.asked_for_ = asked_for;
  return file;
}

MachineFile MachineFile::parse(std::string_view text, std::string shown_path) {
  MachineFile file;
  file.path_ = std::move(shown_path);
  file.asked_for_ = file.path_;
  toml::table root;
  try {
    root = toml::parse(text);
  } catch (const toml::parse_error& error) {
    const toml::source_position at = error.source().begin;
    throw MachineFileError(fmt::format("{}: {}{}", place(file.path_, at), error.description(),
                                       told_of_open_list(text, at.line, at.column)));
  }
  Reader reader(file.path_, file.parameters_, file.tables_, file.places_, file.formulas_);
  const toml::node* const found = root.get("machine");
  if (found == nullptr) throw MachineFileError(fmt::format("{}: the table [machine] is missing", file.path_));
  const toml::table* const machine = found->as_table();
  if (machine == nullptr) reader.refuse(found->source().begin, "machine", "must be one table: [machine]");
  file.name_ = reader.text(*machine, "name", "machine.name");
  file.description_ = reader.text(*machine, "description", "machine.description");
  if (file.name_.empty()) reader.refuse(machine->source().begin, "machine", "key 'name' is missing");
  if (file.description_.empty()) reader.refuse(machine->source().begin, "machine", "key 'description' is missing");
  reader.read(root, "");
  std::stable_sort(file.parameters_.begin(), file.parameters_.end(), [](const Parameter& a, const Parameter& b) {
    return std::pair(a.line, a.column) < std::pair(b.line, b.column);
  });
  for (const Parameter& parameter : file.parameters_)
    if (std::holds_alternative<std::string>(parameter.value) && !file.choices(parameter).empty())
      file.refuse_unless_one_of(parameter, file.choices(parameter));
  return file;
}

const Parameter& MachineFile::find(std::string_view key, const std::string& what) const {
  const auto found = std::find_if(parameters_.begin(), parameters_.end(),
                                  [&](const Parameter& parameter) { return parameter.key == key; });
  if (found == parameters_.end()) refuse_missing(key, what);
  found->is_asked_for = true;
  return *found;
}

void MachineFile::refuse(const Parameter& parameter, const std::string& what) const {
  if (!parameter.set_by.empty()) throw MachineFileError(fmt::format("--set {}: {}", parameter.set_by, what));
  throw MachineFileError(fmt::format("{}:{}:{}: {}: {}", path_, parameter.line, parameter.column, parameter.key, what));
}

void MachineFile::refuse(const NamedTable& table, const std::string& what) const {
  throw MachineFileError(fmt::format("{}:{}:{}: {}: {}", path_, table.line, table.column, table.prefix(), what));
}

bool MachineFile::has(std::string_view key) const {
  const auto is_this = [&](const Parameter& other) { return other.key == key; };
  if (std::any_of(parameters_.begin(), parameters_.end(), is_this)) return true;
  if (std::ranges::find(left_out_, key) == left_out_.end()) left_out_.emplace_back(key);
  return false;
}

void MachineFile::refuse_unknown_keys() const {
  for (const Parameter& parameter : parameters_)
    if (!parameter.is_asked_for) refuse(parameter, fmt::format("unknown key: no part of {} uses it", name_));
  for (const Formula& formula : formulas_)
    if (const std::string problem = problem_of(formula, parameters_, left_out_); !problem.empty())
      throw MachineFileError(
          fmt::format("{}:{}:{}: {}: {}", path_, formula.line, formula.column, formula.key, problem));
}

}  // namespace hindcast
