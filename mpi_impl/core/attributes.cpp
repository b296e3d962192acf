#include "mpi_impl/core/attributes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "mpi_impl/core/process.hpp"

namespace hindcast::mpi {

namespace {

void stop_using(Process& process, Keyval& key) {
  if (--key.uses == 0 && key.freed) process.keyvals.destroy(key);
}

// The program's callback makes calls of its own.
template <typename Callback>
void call_back(Process& process, const char* which, Callback callback) {
  const Call* call = process.call;
  const int code = callback();
  process.call = call;
  if (code == MPI_SUCCESS) return;
  throw Error{process.added_errors().is_known(code) ? code : MPI_ERR_OTHER,
              fmt::format("the attribute's {} callback has failed: it returned {}", which, code)};
}

}  // namespace

Keyval& make_keyval(Process& process, Keyval::Of of, CopyAttribute* copy, DeleteAttribute* remove, void* extra_state) {
  Keyval& key = process.keyvals.create();
  key.of = of;
  key.freed = false;
  key.uses = 0;
  key.copy = copy;
  key.remove = remove;
  key.extra_state = extra_state;
  return key;
}

void free_keyval(Process& process, Keyval& key) {
  key.freed = true;
  if (key.uses == 0) process.keyvals.destroy(key);
}

Keyval* find_keyval(Process& process, int handle, Keyval::Of of) {
  Keyval* key = process.keyvals.find(handle);
  return key != nullptr && key->of == of ? key : nullptr;
}

Keyval* find_settable_keyval(Process& process, int handle, Keyval::Of of) {
  Keyval* key = find_keyval(process, handle, of);
  return key != nullptr && !key->freed ? key : nullptr;
}

void* const* Attributes::find(const Keyval& key) const {
  const auto found =
      std::find_if(attributes_.begin(), attributes_.end(), [&](const Attribute& a) { return a.key == &key; });
  return found != attributes_.end() ? &found->value : nullptr;
}

void Attributes::set(Process& process, int object, Keyval& key, void* value) {
  ++key.uses;  // by the new one, before the old one's goes
  try {
    remove(process, object, key);
  } catch (const Error&) {
    stop_using(process, key);
    throw;
  }
  attributes_.push_back({&key, value});
}

void Attributes::remove(Process& process, int object, Keyval& key) {
  void* const* value = find(key);
  if (value == nullptr) return;
  call_back(process, "delete", [&] { return key.remove(object, key.handle, *value, key.extra_state); });
  const auto left =
      std::find_if(attributes_.begin(), attributes_.end(), [&](const Attribute& a) { return a.key == &key; });
  if (left == attributes_.end()) return;  // the callback has done it
  attributes_.erase(left);
  stop_using(process, key);
}

void Attributes::remove_all(Process& process, int object) {
  while (!attributes_.empty()) remove(process, object, *attributes_.back().key);
}

void Attributes::copy_to(Process& process, int object, Attributes& copies, int copy_object) const {
  const std::vector<Attribute> originals = attributes_;  // callbacks may change them
  try {
    for (const auto& [key, value] : originals) {
      void* copied = nullptr;
      int is_copied = 0;
      call_back(process, "copy",
                [&] { return key->copy(object, key->handle, key->extra_state, value, &copied, &is_copied); });
      if (is_copied == 0) continue;
      ++key->uses;
      copies.attributes_.push_back({key, copied});
    }
  } catch (const Error&) {
    try {
      copies.remove_all(process, copy_object);
    } catch (const Error&) {
      copies.forget_all(process);
    }
    throw;
  }
}

void Attributes::forget_all(Process& process) {
  for (const Attribute& attribute : attributes_) stop_using(process, *attribute.key);
  attributes_.clear();
}

}  // namespace hindcast::mpi
