// Info objects made, changed and read.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "mpi_impl/core/process.hpp"

namespace hindcast::mpi::body {

namespace {

void refuse_predefined(const Info& info) {
  if (info.handle == MPI_INFO_ENV)
    throw Error{MPI_ERR_INFO, "argument 1 (info) is MPI_INFO_ENV, which can only be read; change a duplicate"};
}

}  // namespace

void Info_create(Process& process, MPI_Info& handle) { handle = process.infos.create().handle; }

void Info_dup(Process& process, Info& info, MPI_Info& handle) {
  Info& copy = process.infos.create();
  copy.hints = info.hints;
  handle = copy.handle;
}

void Info_free(Process& process, MPI_Info& handle, Info& info) {
  refuse_predefined(info);
  info.hints = {};
  process.infos.destroy(info);
  handle = MPI_INFO_NULL;
}

void Info_set(Process&, Info& info, const char* key, const char* value) {
  refuse_predefined(info);
  info.hints.set(key, value);
}

void Info_delete(Process&, Info& info, const char* key) {
  refuse_predefined(info);
  if (!info.hints.remove(key))
    throw Error{MPI_ERR_INFO_NOKEY,
                fmt::format("argument 2 (key) is \"{}\", which the info object does not have", key)};
}

void Info_get(Process&, Info& info, const char* key, int longest, char* place, int& flag) {
  const std::string* value = info.hints.find(key);
  flag = value != nullptr;
  if (!flag) return;
  const std::size_t length = std::min(value->size(), static_cast<std::size_t>(longest));
  std::memcpy(place, value->data(), length);
  place[length] = '\0';
}

// The length counts the end of the text, which there always is if there is any room.
void Info_get_string(Process&, Info& info, const char* key, int& space, char* place, int& flag) {
  const std::string* value = info.hints.find(key);
  flag = value != nullptr;
  if (!flag) return;
  if (space > 0) {
    const std::size_t length = std::min(value->size(), static_cast<std::size_t>(space) - 1);
    std::memcpy(place, value->data(), length);
    place[length] = '\0';
  }
  space = static_cast<int>(value->size()) + 1;
}

void Info_get_valuelen(Process&, Info& info, const char* key, int& length, int& flag) {
  const std::string* value = info.hints.find(key);
  flag = value != nullptr;
  if (flag) length = static_cast<int>(value->size());
}

void Info_get_nkeys(Process&, Info& info, int& count) { count = info.hints.size(); }

void Info_get_nthkey(Process&, Info& info, int n, char* place) {
  if (n < 0 || n >= info.hints.size())
    throw Error{MPI_ERR_ARG, fmt::format("argument 2 (n) is {}, and the info object has {} keys, numbered from 0", n,
                                         info.hints.size())};
  const std::string& key = info.hints.key(n);
  std::memcpy(place, key.c_str(), key.size() + 1);
}

}  // namespace hindcast::mpi::body
