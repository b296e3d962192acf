#include "mpi_impl/collectives/costs/formula.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "mpi_impl/collectives/costs/vocabulary.hpp"
#include "simulator/engine/rows.hpp"

namespace hindcast::mpi {

namespace {

using namespace formulas;

constexpr double neighbours = 4;

double power(double base, double exponent) { return std::pow(base, exponent); }

// Exact where the number is a power of the base.
double logarithm(double number, double base) {
  const double near = std::log(number) / std::log(base), whole = std::round(near);
  return std::pow(base, whole) == number ? whole : near;
}

double sum_of_range(Scope scope, double first, double last, const Term& f) {
  double sum = 0;
  for (double i = first; i <= last; ++i) {
    scope.values[i_] = i;
    sum += f(scope);
  }
  return sum;
}

Term constant(double value) {
  return [value](Scope&) { return value; };
}

Term call(const Function& function, Terms arguments) {
  return [&function, arguments = std::move(arguments)](Scope& scope) {
    std::vector<double> given;
    for (const Term& argument : arguments) given.push_back(argument(scope));
    return function.value(scope, given);
  };
}

// Of a library's own, whose name is that of a row.
Term own_term(const char* name, Term bytes) {
  return [name, bytes = std::move(bytes)](Scope& scope) {
    const auto found = scope.machine.own.find(name);
    if (found == scope.machine.own.end()) throw FormulaError(fmt::format("the machine has no cost '{}'", name));
    return found->second(bytes(scope));
  };
}

template <typename Operation>
Term both(Term left, Term right, Operation operation) {
  return [left = std::move(left), right = std::move(right), operation](Scope& scope) {
    const double first = left(scope);
    return operation(first, right(scope));
  };
}

class Parser {
 public:
  explicit Parser(std::string_view formula) : whole_(formula) {
    constexpr std::string_view where = " where ";
    const std::size_t end = formula.find(where);
    if (end != std::string_view::npos) {
      rest_ = formula.substr(end + where.size());
      do parse_definition();
      while (take(","));
      expect_end();
    }
    rest_ = formula.substr(0, end);
  }

  Term parse() {
    Term all = sum();
    expect_end();
    return all;
  }

 private:
  [[noreturn]] void refuse(std::string_view what) {
    throw FormulaError(fmt::format("{} before '{}' in the formula '{}'", what, rest_, whole_));
  }
  void skip_spaces() {
    while (!rest_.empty() && rest_.front() == ' ') rest_.remove_prefix(1);
  }
  bool take(std::string_view text) {
    skip_spaces();
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }
  void expect(std::string_view text) {
    if (!take(text)) refuse(fmt::format("no '{}'", text));
  }
  void expect_end() {
    skip_spaces();
    if (!rest_.empty()) refuse("something is left over");
  }
  static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  // The name that is next; empty if none is.
  std::string_view peek_name() {
    skip_spaces();
    std::size_t length = 0;
    while (length < rest_.size() && (is_letter(rest_[length]) || (length > 0 && is_digit(rest_[length])))) ++length;
    return rest_.substr(0, length);
  }
  bool take_name(std::string_view name) {
    if (peek_name() != name) return false;
    rest_.remove_prefix(name.size());
    return true;
  }

  void parse_definition() {
    const std::string_view name = peek_name();
    if (name.empty()) refuse("no name");
    rest_.remove_prefix(name.size());
    expect("=");
    Term value = sum();
    definitions_.insert_or_assign(std::string(name), std::move(value));
  }

  Term sum() {
    Term all = product();
    for (;;) {
      if (take("+"))
        all = both(std::move(all), product(), std::plus());
      else if (take("-"))
        all = both(std::move(all), product(), std::minus());
      else
        return all;
    }
  }

  bool factor_follows() {
    const std::string_view name = peek_name();
    if (!name.empty()) return name != "if" && name != "else";
    return !rest_.empty() && (is_digit(rest_.front()) || rest_.front() == '(' || rest_.front() == '[');
  }

  Term product() {
    Term all = factor();
    for (;;) {
      if (take("/"))
        all = both(std::move(all), factor(), std::divides());
      else if (take("*") || factor_follows())
        all = both(std::move(all), factor(), std::multiplies());
      else
        return all;
    }
  }

  Term factor() {
    Term base = atom();
    return take("^") ? both(std::move(base), atom(), power) : base;
  }

  Term atom() {
    if (take("(")) {
      Term inner = sum();
      expect(")");
      return inner;
    }
    if (take("[")) return conditional();
    const std::string_view name = peek_name();
    if (name.empty()) return number();
    rest_.remove_prefix(name.size());
    return named(name);
  }

  Term number() {
    unsigned value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc()) refuse("no number, name or bracket");
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return constant(value);
  }

  Term conditional() {
    Term value = sum();
    if (!take_name("if")) refuse("no 'if'");
    Term condition = comparison();
    Term otherwise = take_name("else") ? sum() : constant(0);
    expect("]");
    return [value = std::move(value), condition = std::move(condition), otherwise = std::move(otherwise)](
               Scope& scope) { return condition(scope) != 0 ? value(scope) : otherwise(scope); };
  }

  Term comparison() {
    Term left = sum();
    if (take("<=")) return both(std::move(left), sum(), std::less_equal());
    if (take(">=")) return both(std::move(left), sum(), std::greater_equal());
    if (take("<")) return both(std::move(left), sum(), std::less());
    if (take(">")) return both(std::move(left), sum(), std::greater());
    expect("=");
    return both(std::move(left), sum(), std::equal_to());
  }

  Term named(std::string_view name) {
    if (const auto found = definitions_.find(name); found != definitions_.end()) return found->second;
    if (name == "sum") return sum_over_range();
    if (name == "within") return within();
    if (name == "log2") return both(atom(), constant(2), logarithm);
    if (name == "log_k") return both(atom(), variable(k_), logarithm);
    for (std::size_t i = 0; i < variable_count; ++i)
      if (variables[i] == name) return variable(i);
    for (const Function& function : functions())
      if (function.name == name) return call(function, arguments(function.least, function.most));
    for (const HeadedCall& call : headed_calls())
      if (call.name == name) return headed(call);
    for (const OwnTerm& own : Rows<OwnTerm>())
      if (own.name == name) return own_term(own.name, arguments(1, 1).front());
    refuse(fmt::format("'{}' has no meaning", name));
  }

  static Term variable(std::size_t which) {
    return [which](Scope& scope) { return scope.values[which]; };
  }

  Terms arguments(std::size_t least, std::size_t most) {
    Terms all;
    if (most == 0) return all;
    expect("(");
    do all.push_back(sum());
    while (take(","));
    if (all.size() < least || all.size() > most) refuse(fmt::format("{} arguments", all.size()));
    expect(")");
    return all;
  }

  Term sum_over_range() {
    expect("(");
    if (!take_name("i")) refuse("no 'i'");
    expect("=");
    Term first = sum();
    expect("..");
    Term last = sum();
    expect(":");
    Term each = sum();
    expect(")");
    return [first = std::move(first), last = std::move(last), each = std::move(each)](Scope& scope) {
      return sum_of_range(scope, first(scope), last(scope), each);
    };
  }

  // NAME(head: term, ...)
  Term headed(const HeadedCall& call) {
    expect("(");
    Term head = sum();
    expect(":");
    Terms terms;
    do terms.push_back(sum());
    while (take(","));
    expect(")");
    if (terms.size() < call.least || terms.size() > call.most) refuse(fmt::format("{} terms", terms.size()));
    return [&call, head = std::move(head), terms = std::move(terms)](Scope& scope) {
      return call.value(scope, head(scope), terms);
    };
  }

  Term within() {
    expect("(");
    Term each = sum();
    expect(")");
    return [each = std::move(each)](Scope& scope) {
      Scope group{scope.inside(), scope.values, scope.chosen};
      group.values[n_] = group.values[p_];
      return each(group);
    };
  }

  std::string_view whole_;
  std::string_view rest_;
  std::map<std::string, Term, std::less<>> definitions_;
};

}  // namespace

double CostFormula::operator()(const CostModel& machine, int n, double m, const Parameters& chosen) const {
  const auto segment = static_cast<double>(chosen.segment);
  Scope scope{machine, {}, chosen};
  scope.values.fill(std::numeric_limits<double>::quiet_NaN());
  scope.values[n_] = n;
  scope.values[d_] = neighbours;
  scope.values[m_] = m;
  scope.values[k_] = chosen.radix;
  scope.values[segment_] = segment;
  scope.values[q_] = std::ceil(m / segment);
  scope.values[s_] = std::min(m, segment);
  scope.values[g_] = machine.groups;
  scope.values[p_] = machine.largest_group;
  return Parser(text).parse()(scope);
}

}  // namespace hindcast::mpi
