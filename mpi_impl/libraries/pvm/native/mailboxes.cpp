#include "mpi_impl/libraries/pvm/native/mailboxes.hpp"

#include <regex.h>

#include <algorithm>

#include "mpi_impl/libraries/pvm/include/pvm3.h"

namespace hindcast::pvm {

namespace {

// Who else may write over it, or remove it.
bool may_change(const Mailboxes::Entry& entry, int tid) {
  return entry.owner == tid || (entry.flags & PvmMboxOverWritable) != 0;
}

int first_free(const Mailboxes::Class& entries) {
  int index = 0;
  while (entries.contains(index)) ++index;
  return index;
}

}  // namespace

int Mailboxes::put(const std::string& name, int owner, int flags, Message message) {
  const Class& entries = classes_[name];
  const bool takes_several = (flags & PvmMboxMultiInstance) != 0;
  const bool is_only_one = !entries.empty() && (entries.begin()->second.flags & PvmMboxMultiInstance) == 0;
  const int wanted = PvmMboxDirectIndexOf(flags);
  int index = wanted;
  if (takes_several && wanted == 0) index = is_only_one ? entries.begin()->first : first_free(entries);
  if (!takes_several && !entries.empty() && wanted == 0) index = entries.begin()->first;
  const auto present = entries.find(index);
  if (present != entries.end() && (present->second.flags & PvmMboxOverWritable) == 0) {
    const bool is_to_be_replaced = wanted != 0 || (flags & PvmMboxOverWritable) != 0;
    return is_to_be_replaced && present->second.owner != owner ? PvmDenied : PvmExists;
  }
  return store(name, index, {owner, flags, std::move(message)});
}

int Mailboxes::insert(const std::string& name, int owner, int index, Message message) {
  const Class& entries = classes_[name];
  if (index < 0) index = first_free(entries);
  if (entries.contains(index)) return PvmExists;
  constexpr int flags = PvmMboxPersistent | PvmMboxMultiInstance | PvmMboxOverWritable;
  return store(name, index, {owner, flags, std::move(message)});
}

int Mailboxes::store(const std::string& name, int index, Entry entry) {
  classes_[name].insert_or_assign(index, std::move(entry));
  // A reply may have others served.
  for (std::size_t i = 0; i < waiting_.size();)
    if (waiting_[i].name == name && give(waiting_[i]))
      waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(i));
    else
      ++i;
  return index;
}

bool Mailboxes::give(const Waiting& waiting) {
  const auto found = classes_.find(waiting.name);
  if (found == classes_.end()) return false;
  Class& entries = found->second;
  const auto entry =
      (waiting.flags & PvmMboxFirstAvail) != 0 ? entries.lower_bound(waiting.index) : entries.find(waiting.index);
  if (entry == entries.end()) return false;
  const bool removes = (waiting.flags & PvmMboxReadAndDelete) != 0;
  if (removes && !may_change(entry->second, waiting.tid)) {
    waiting.reply(PvmDenied, nullptr);
    return true;
  }
  waiting.reply(entry->first, &entry->second.message);
  if (removes) entries.erase(entry);
  if (entries.empty()) classes_.erase(found);
  return true;
}

void Mailboxes::receive(const std::string& name, int asking, int index, int flags, const Reply& reply) {
  const Waiting wish{name, asking, index, flags, reply};
  if (give(wish)) return;
  if ((flags & PvmMboxWaitForInfo) != 0)
    waiting_.push_back(wish);
  else
    reply(PvmNotFound, nullptr);
}

int Mailboxes::remove(const std::string& name, int asking, int index) {
  const auto found = classes_.find(name);
  if (found == classes_.end()) return PvmNotFound;
  const auto entry = found->second.find(index);
  if (entry == found->second.end()) return PvmNotFound;
  if (!may_change(entry->second, asking)) return PvmDenied;
  found->second.erase(entry);
  if (found->second.empty()) classes_.erase(found);
  return index;
}

std::optional<std::vector<std::pair<std::string, Mailboxes::Class>>> Mailboxes::fitting(
    const std::string& pattern) const {
  const std::string expression = pattern == "*" ? "" : pattern;  // which stands for all names
  regex_t compiled;
  if (regcomp(&compiled, expression.c_str(), REG_EXTENDED | REG_NOSUB) != 0) return std::nullopt;
  std::vector<std::pair<std::string, Class>> all;
  for (const auto& [name, entries] : classes_)
    if (regexec(&compiled, name.c_str(), 0, nullptr, 0) == 0) all.emplace_back(name, entries);
  regfree(&compiled);
  return all;
}

void Mailboxes::forget(int tid) {
  std::erase_if(waiting_, [&](const Waiting& waiting) { return waiting.tid == tid; });
  for (auto& [name, entries] : classes_) {
    std::erase_if(entries, [&](const auto& entry) {
      return entry.second.owner == tid && (entry.second.flags & PvmMboxPersistent) == 0;
    });
    for (auto& [index, entry] : entries)
      if (entry.owner == tid) entry.owner = 0;
  }
  std::erase_if(classes_, [](const auto& each) { return each.second.empty(); });
}

}  // namespace hindcast::pvm
