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
  const Call* call = process.call();
  const int code = callback();
  Thread::current()->work_off_backlog();
  process.begin_call(call);
  if (code == MPI_SUCCESS) return;
  throw Error{process.added_errors().is_known(code) ? code : MPI_ERR_OTHER,
              fmt::format("the attribute's {} callback has failed: it returned {}", which, code)};
}

// The keys of attributes, which stay while callbacks are called that may delete the last attributes that have them.
class KeysKept {
 public:
  KeysKept(Process& process, const auto& attributes) : process_(process) {
    for (const auto& attribute : attributes) {
      ++attribute.key->uses;
      keys_.push_back(attribute.key);
    }
  }
  KeysKept(const KeysKept&) = delete;
  KeysKept& operator=(const KeysKept&) = delete;
  ~KeysKept() {
    for (Keyval* const key : keys_) stop_using(process_, *key);
  }
  const std::vector<Keyval*>& all() const { return keys_; }

 private:
  Process& process_;
  std::vector<Keyval*> keys_;
};

}  // namespace

Keyval& make_keyval(Process& process, Keyval::Of of, CopyAttribute* copy, DeleteAttribute* remove, void* extra_state) {
  Keyval& key = process.keyvals.create();
  key.of = of;
  key.freed = false;
  key.uses = 0;
  key.copy = copy;
  key.remove = remove;
  key.extra_state = extra_state;
  key.is_of_fortran = false;
  key.owned_extra_state.reset();
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
  attributes_.push_back({&key, value, nullptr});
}

void Attributes::make_integer(const Keyval& key, MPI_Aint value) {
  const auto set = std::ranges::find(attributes_, &key, &Attribute::key);
  set->integer = std::make_shared<MPI_Aint>(value);
  set->value = set->integer.get();
}

const MPI_Aint* Attributes::find_integer(const Keyval& key) const {
  const auto found = std::ranges::find(attributes_, &key, &Attribute::key);
  return found != attributes_.end() ? found->integer.get() : nullptr;
}

void* Attributes::as_seen_by_callback(const Attribute& attribute) {
  const bool is_wanted_itself = attribute.key->is_of_fortran && attribute.integer != nullptr;
  return is_wanted_itself ? reinterpret_cast<void*>(*attribute.integer) : attribute.value;
}

// A callback in C may hand on the pointer that it was given: the copy needs an integer of its own then. One in Fortran
// may hand on as an integer a pointer that C has set: it stays that pointer.
Attributes::Attribute Attributes::copied(const Attribute& original, void* copy) {
  std::shared_ptr<MPI_Aint> integer;
  if (original.key->is_of_fortran && (original.integer != nullptr || copy != original.value))
    integer = std::make_shared<MPI_Aint>(reinterpret_cast<MPI_Aint>(copy));
  else if (original.integer != nullptr && copy == original.integer.get())
    integer = std::make_shared<MPI_Aint>(*original.integer);
  return {original.key, integer != nullptr ? integer.get() : copy, integer};
}

void Attributes::remove(Process& process, int object, Keyval& key) {
  const auto found = std::ranges::find(attributes_, &key, &Attribute::key);
  if (found == attributes_.end()) return;
  void* const value = as_seen_by_callback(*found);
  call_back(process, "delete", [&] { return key.remove(object, key.handle, value, key.extra_state); });
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
  const KeysKept keys(process, attributes_);
  try {
    for (Keyval* const key : keys.all()) {
      const auto found = std::ranges::find(attributes_, key, &Attribute::key);
      if (found == attributes_.end()) continue;  // a callback has deleted it, and may have freed what it points to
      const Attribute original = *found;         // the callback may change them
      void* const value = as_seen_by_callback(original);
      void* copy = nullptr;
      int is_copied = 0;
      call_back(process, "copy",
                [&] { return key->copy(object, key->handle, key->extra_state, value, &copy, &is_copied); });
      if (is_copied == 0) continue;
      ++key->uses;
      copies.attributes_.push_back(copied(original, copy));
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
