// getopt, getopt_long and getopt_long_only as glibc has them. Words that are no options are moved behind those that
// are, unless the option letters begin with '+' or POSIXLY_CORRECT is set; if they begin with '-', such words are
// options of value 1.

#include <getopt.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>

#include "simulator/programs/rank_archive/rank_interface.h"

namespace hindcast::programs {

namespace {

constexpr int no_more = -1;

class OptionParser {
 public:
  OptionParser(hindcast_option_state& state, const hindcast_option_call& call)
      : state_(state), call_(call), argv_(call.argv), index_(*state.index), letters_(call.letters) {}

  int next() {
    if (call_.argc < 1) return no_more;
    *state_.argument = nullptr;
    start();
    if (state_.next_letter == nullptr || *state_.next_letter == '\0') {
      if (!go_to_next_option()) return no_more;
      char* const word = argv_[index_];
      if (!is_option(word)) return not_an_option(word);
      if (const std::optional<int> found = try_long_name(word)) return *found;
      state_.next_letter = word + 1;
    }
    return one_letter();
  }

 private:
  enum class Order { as_given, others_last, others_are_options };

  void start() {
    if (index_ == 0 || state_.has_started == 0) {
      if (index_ == 0) index_ = 1;
      state_.first_other = state_.last_other = index_;
      state_.next_letter = nullptr;
      state_.has_started = 1;
    }
    order_ = letters_[0] == '-'                            ? Order::others_are_options
             : letters_[0] == '+' || call_.posixly_correct ? Order::as_given
                                                           : Order::others_last;
    if (letters_[0] == '-' || letters_[0] == '+') ++letters_;
    is_quiet_ = *state_.errors == 0 || letters_[0] == ':';
  }

  static bool is_option(const char* word) { return word[0] == '-' && word[1] != '\0'; }

  // What was passed over changes places with the options found since, each keeping its order.
  void move_others_behind() {
    std::rotate(argv_ + state_.first_other, argv_ + state_.last_other, argv_ + index_);
    state_.first_other += index_ - state_.last_other;
    state_.last_other = index_;
  }

  void account_for_options_found() {
    if (state_.first_other != state_.last_other && state_.last_other != index_)
      move_others_behind();
    else if (state_.last_other != index_)
      state_.first_other = index_;
  }

  // Steps over what is no option. Returns whether an option follows, or a word that counts as one.
  bool go_to_next_option() {
    state_.last_other = std::min(state_.last_other, index_);
    state_.first_other = std::min(state_.first_other, index_);
    if (order_ == Order::others_last) {
      account_for_options_found();
      while (index_ < call_.argc && !is_option(argv_[index_])) ++index_;
      state_.last_other = index_;
    }
    if (index_ != call_.argc && std::strcmp(argv_[index_], "--") == 0) {
      ++index_;
      if (state_.first_other != state_.last_other && state_.last_other != index_)
        move_others_behind();
      else if (state_.first_other == state_.last_other)
        state_.first_other = index_;
      state_.last_other = index_ = call_.argc;
    }
    if (index_ != call_.argc) return true;
    if (state_.first_other != state_.last_other) index_ = state_.first_other;
    return false;
  }

  int not_an_option(char* word) {
    if (order_ == Order::as_given) return no_more;
    *state_.argument = word;
    ++index_;
    return 1;
  }

  int missing_argument() const { return letters_[0] == ':' ? ':' : '?'; }

  template <class... Arguments>
  void complain(const char* format, Arguments... arguments) const {
    if (is_quiet_) return;
    std::fprintf(stderr, "%s: ", argv_[0]);
    std::fprintf(stderr, format, arguments...);
  }

  int one_letter() {
    const char letter = *state_.next_letter++;
    const char* known = letter == ':' || letter == ';' ? nullptr : std::strchr(letters_, letter);
    const bool is_last = *state_.next_letter == '\0';
    if (is_last) ++index_;
    if (known == nullptr) {
      complain("invalid option -- '%c'\n", letter);
      *state_.letter = letter;
      return '?';
    }
    if (known[1] != ':') return letter;
    char* const joined = state_.next_letter;
    state_.next_letter = nullptr;
    const bool is_optional = known[2] == ':';
    if (!is_last) {
      *state_.argument = joined;
      ++index_;
    } else if (!is_optional && index_ == call_.argc) {
      complain("option requires an argument -- '%c'\n", letter);
      *state_.letter = letter;
      return missing_argument();
    } else if (!is_optional) {
      *state_.argument = argv_[index_++];
    }
    return letter;
  }

  // Nothing if the word is to be taken letter by letter.
  std::optional<int> try_long_name(const char* word) {
    if (call_.names == nullptr) return std::nullopt;
    if (word[1] == '-') return long_name("--", word + 2);
    const bool may_be = call_.one_dash_will_do && (word[2] != '\0' || std::strchr(letters_, word[1]) == nullptr);
    return may_be ? long_name("-", word + 1) : std::nullopt;
  }

  bool means_another(const option& one, const option& other) const {
    return call_.one_dash_will_do || one.has_arg != other.has_arg || one.flag != other.flag || one.val != other.val;
  }

  struct Found {
    const option* name = nullptr;
    bool is_ambiguous = false;
  };

  // The option of that name, or the only one that it begins; several that mean the same are one.
  Found find_name(const std::string& name) const {
    Found found;
    for (const option* candidate = call_.names; candidate->name != nullptr; ++candidate) {
      if (name == candidate->name) return {candidate, false};
      if (std::strncmp(candidate->name, name.c_str(), name.size()) != 0) continue;
      if (found.name == nullptr)
        found.name = candidate;
      else if (means_another(*found.name, *candidate))
        found.is_ambiguous = true;
    }
    return found;
  }

  void complain_of_ambiguity(const char* prefix, const char* written, const std::string& name) const {
    std::string possibilities;
    const option* first = nullptr;
    for (const option* candidate = call_.names; candidate->name != nullptr; ++candidate) {
      if (std::strncmp(candidate->name, name.c_str(), name.size()) != 0) continue;
      if (first == nullptr || means_another(*first, *candidate))
        possibilities.append(" '").append(prefix).append(candidate->name).append("'");
      if (first == nullptr) first = candidate;
    }
    complain("option '%s%s' is ambiguous; possibilities:%s\n", prefix, written, possibilities.c_str());
  }

  std::optional<int> long_name(const char* prefix, const char* written) {
    const std::string name(written, std::strcspn(written, "="));
    const Found found = find_name(name);
    if (found.name == nullptr) {
      if (call_.one_dash_will_do && prefix[1] == '\0' && std::strchr(letters_, *written) != nullptr)
        return std::nullopt;
      complain("unrecognized option '%s%s'\n", prefix, written);
    }
    if (found.is_ambiguous) complain_of_ambiguity(prefix, written, name);
    state_.next_letter = nullptr;
    ++index_;
    *state_.letter = 0;
    if (found.name == nullptr || found.is_ambiguous) return '?';
    return take_argument(*found.name, prefix, written[name.size()] == '=' ? written + name.size() + 1 : nullptr);
  }

  int take_argument(const option& name, const char* prefix, const char* joined) {
    if (joined != nullptr && name.has_arg == no_argument) {
      complain("option '%s%s' doesn't allow an argument\n", prefix, name.name);
      *state_.letter = name.val;
      return '?';
    }
    if (joined != nullptr) {
      *state_.argument = const_cast<char*>(joined);
    } else if (name.has_arg == required_argument) {
      if (index_ == call_.argc) {
        complain("option '%s%s' requires an argument\n", prefix, name.name);
        *state_.letter = name.val;
        return missing_argument();
      }
      *state_.argument = argv_[index_++];
    }
    if (call_.name_index != nullptr) *call_.name_index = static_cast<int>(&name - call_.names);
    if (name.flag == nullptr) return name.val;
    *name.flag = name.val;
    return 0;
  }

  hindcast_option_state& state_;
  const hindcast_option_call& call_;
  char** argv_;
  int& index_;
  const char* letters_;
  Order order_ = Order::others_last;
  bool is_quiet_ = false;
};

}  // namespace

}  // namespace hindcast::programs

int hindcast_rank_next_option(hindcast_option_state* state, const hindcast_option_call* call) {
  return hindcast::programs::OptionParser(*state, *call).next();
}
