#include "simulator/machine/file/formula.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <initializer_list>
#include <string_view>
#include <variant>

#include "simulator/machine/file/machine_file.hpp"
#include "simulator/machine/file/nearest_name.hpp"
#include "simulator/machine/file/quantity.hpp"

namespace hindcast {

namespace {

constexpr std::array<std::string_view, 4> functions{"log2", "sqrt", "ceil", "floor"};

struct Mistake {
  std::string what;
};

bool is_of_quantity(std::string_view unit, std::initializer_list<Quantity> quantities) {
  return std::any_of(quantities.begin(), quantities.end(),
                     [&](Quantity quantity) { return factor_of(quantity, unit).has_value(); });
}

// A unit that nobody knows is told of where the number stands.
void refuse_what_no_formula_reckons_with(const Parameter& number) {
  if (is_of_quantity(number.unit, {Quantity::flop_rate, Quantity::operation_rate}))
    throw Mistake{
        fmt::format("{} is in {}, and formulas are of times, sizes, bandwidths and counts", number.key, number.unit)};
}

void refuse_unless_number(const std::string& key, const std::vector<Parameter>& parameters,
                          const std::vector<std::string>& also_known) {
  const auto named = std::find_if(parameters.begin(), parameters.end(),
                                  [&](const Parameter& parameter) { return parameter.key == key; });
  if (named == parameters.end()) {
    std::vector<std::string> numbers = also_known;
    for (const Parameter& parameter : parameters)
      if (std::holds_alternative<double>(parameter.value)) numbers.push_back(parameter.key);
    const std::string meant = nearest_name(key, numbers);
    throw Mistake{meant.empty()
                      ? fmt::format("{}: no number of this file has that key", key)
                      : fmt::format("{}: no number of this file has that key, did you mean '{}'?", key, meant)};
  }
  if (!std::holds_alternative<double>(named->value))
    throw Mistake{fmt::format("{} is {}, which is no number", key, shown_value(*named))};
  refuse_what_no_formula_reckons_with(*named);
}

// Descends into sums, products, powers and what stands alone, as experiments/fits/expressions.py does. Factors may
// stand beside each other.
class FormulaReader {
 public:
  FormulaReader(const Formula& formula, const std::vector<Parameter>& parameters,
                const std::vector<std::string>& may_be_missing)
      : rest_(formula.text), parameters_(parameters), may_be_missing_(may_be_missing) {}

  void read() {
    sum();
    if (next() == ')') throw Mistake{"there is a ) too many"};
  }

 private:
  // '\0' at the end.
  char next() {
    while (!rest_.empty() && rest_.front() == ' ') rest_.remove_prefix(1);
    return rest_.empty() ? '\0' : rest_.front();
  }

  bool takes(char wanted) {
    if (next() != wanted) return false;
    rest_.remove_prefix(1);
    return true;
  }

  void sum() {
    do product();
    while (takes('+') || takes('-'));
  }

  void product() {
    if (takes('-')) return product();
    power();
    while (next() != '\0' && next() != '+' && next() != '-' && next() != ')') {
      if (!takes('*')) takes('/');
      power();
    }
  }

  void power() {
    alone();
    if (takes('^')) power();
  }

  void alone() {
    const char first = next();
    if (first == '\0') throw Mistake{"something is missing at its end"};
    if (takes('(')) {
      sum();
      if (!takes(')')) throw Mistake{"a bracket is not closed"};
    } else if (std::isdigit(static_cast<unsigned char>(first)) != 0) {
      number();
    } else if (std::islower(static_cast<unsigned char>(first)) != 0) {
      name();
    } else if (std::string_view("+-*/^)").find(first) != std::string_view::npos) {
      throw Mistake{fmt::format("something is missing before '{}'", first)};
    } else {
      throw Mistake{fmt::format("not understood from '{}' on", rest_)};
    }
  }

  void number() {
    double value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc()) throw Mistake{fmt::format("not understood from '{}' on", rest_)};
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    const bool has_space = rest_.starts_with(' ');
    const std::string_view unit = word();
    if (unit.empty() || is_function(unit) || unit.find('.') != std::string_view::npos) return;
    if (!is_of_quantity(unit, {Quantity::time, Quantity::size, Quantity::time_per_byte}))
      throw Mistake{fmt::format("'{}' is no unit of a time, a size or a time per byte", unit)};
    if (!has_space) throw Mistake{fmt::format("a space is missing before '{}'", unit)};
    rest_.remove_prefix(unit.size());
  }

  void name() {
    const std::string name(word());
    rest_.remove_prefix(name.size());
    if (is_function(name)) return power();
    if (name.find('.') == std::string::npos)
      throw Mistake{
          fmt::format("'{}' is no key, which has the name of its table before it, such as mpi.header_bytes", name)};
    if (std::ranges::find(may_be_missing_, name) == may_be_missing_.end())
      refuse_unless_number(name, parameters_, may_be_missing_);
  }

  // A key, a function's name or a unit, which is not taken yet.
  std::string_view word() {
    next();
    const auto is_of_word = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '-';
    };
    std::string_view word = rest_.substr(
        0, static_cast<std::size_t>(std::find_if_not(rest_.begin(), rest_.end(), is_of_word) - rest_.begin()));
    if (word.starts_with('-') || word.starts_with('.')) return {};
    if (word.find('.') == std::string_view::npos) word = word.substr(0, word.find('-'));
    // "us/B" is one unit.
    const std::string_view per_byte = rest_.substr(0, word.size() + 2);
    return factor_of(Quantity::time_per_byte, per_byte) ? per_byte : word;
  }

  static bool is_function(std::string_view word) {
    return std::find(functions.begin(), functions.end(), word) != functions.end();
  }

  std::string_view rest_;
  const std::vector<Parameter>& parameters_;
  const std::vector<std::string>& may_be_missing_;
};

}  // namespace

// What bounds a number may be of a part that is not chosen, whose keys need not be there.
std::string problem_of(const Formula& formula, const std::vector<Parameter>& parameters,
                       const std::vector<std::string>& left_out) {
  const std::vector<std::string> none;
  try {
    for (const Parameter& parameter : parameters)
      if (parameter.key == formula.key) refuse_what_no_formula_reckons_with(parameter);
    FormulaReader(formula, parameters, formula.attribute == "at_most" ? left_out : none).read();
  } catch (const Mistake& mistake) {
    return fmt::format("{} = \"{}\": {}", formula.attribute, formula.text, mistake.what);
  }
  return "";
}

}  // namespace hindcast
