// What messages are matched by: a context, a source and a tag. Wildcards are a mask over the last two.
#pragma once

#include <cstdint>

namespace hindcast::matching {

// Whoever matches maps its own terms onto these three numbers: MPI its communicators, a native library its types and
// nodes.
struct Key {
  static constexpr std::int32_t any = -1;

  std::uint32_t context;
  std::int32_t source;
  std::int32_t tag;

  friend bool operator==(const Key&, const Key&) = default;
};

// Which of source and tag are wild.
using WildMask = unsigned;
constexpr WildMask wild_source = 1;
constexpr WildMask wild_tag = 2;
constexpr WildMask wild_masks = 4;

constexpr WildMask mask_of(const Key& key) {
  return (key.source == Key::any ? wild_source : 0U) | (key.tag == Key::any ? wild_tag : 0U);
}

constexpr Key masked(Key key, WildMask mask) {
  if ((mask & wild_source) != 0) key.source = Key::any;
  if ((mask & wild_tag) != 0) key.tag = Key::any;
  return key;
}

constexpr std::uint64_t hash_of(const Key& key) {
  const std::uint64_t source_and_tag =
      (static_cast<std::uint64_t>(static_cast<std::uint32_t>(key.source)) << 32) | static_cast<std::uint32_t>(key.tag);
  std::uint64_t mixed = (source_and_tag ^ (static_cast<std::uint64_t>(key.context) << 17)) * 0x9e3779b97f4a7c15ULL;
  return mixed ^ (mixed >> 32);
}

}  // namespace hindcast::matching
