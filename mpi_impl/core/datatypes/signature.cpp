#include "mpi_impl/core/datatypes/signature.hpp"

#include <algorithm>
#include <cstring>

#include "mpi_impl/core/checked.hpp"
#include "mpi_impl/core/uncounted.hpp"

namespace hindcast::mpi {

namespace {

SignaturePointer with_totals(Signature signature) {
  std::size_t bytes = signature.basic.bytes, external = signature.basic.external_bytes;
  std::size_t elements = signature.parts.empty() ? 1 : 0;
  for (const SignaturePointer& part : signature.parts) {
    bytes = size_sum(bytes, part->bytes);
    external = size_sum(external, part->external_bytes);
    elements = size_sum(elements, part->elements);
  }
  signature.bytes = size_product(bytes, signature.count);
  signature.external_bytes = size_product(external, signature.count);
  signature.elements = size_product(elements, signature.count);
  return std::make_shared<const Signature>(std::move(signature));
}

SignaturePointer no_elements() {
  static const Signature signature;
  return uncounted(signature);
}

bool are_alike(const BasicElement& a, const BasicElement& b) {
  return a.bytes == b.bytes && a.external_bytes == b.external_bytes && a.numbers == b.numbers && a.form == b.form;
}

// Repeats of the same basic element that follow each other are one.
bool joins(const Signature& a, const Signature& b) {
  return a.parts.empty() && b.parts.empty() && are_alike(a.basic, b.basic);
}

void reverse(const std::byte* from, std::byte* to, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) to[i] = from[bytes - 1 - i];
}

bool is_negative(const std::byte& most_significant) { return (most_significant & std::byte{0x80}) != std::byte{0}; }

// Whole numbers, from little-endian ones to big-endian ones or back, of perhaps other lengths.
void resize_integer(const std::byte* little, std::size_t little_bytes, std::byte* big, std::size_t big_bytes,
                    bool is_signed) {
  const bool negative = is_signed && is_negative(little[little_bytes - 1]);
  const std::size_t common = std::min(little_bytes, big_bytes);
  std::memset(big, negative ? 0xff : 0, big_bytes);
  reverse(little, big + big_bytes - common, common);
  if (is_signed && common < little_bytes) big[0] = negative ? big[0] | std::byte{0x80} : big[0] & std::byte{0x7f};
}
void restore_integer(const std::byte* big, std::size_t big_bytes, std::byte* little, std::size_t little_bytes,
                     bool is_signed) {
  const bool negative = is_signed && is_negative(big[0]);
  const std::size_t common = std::min(little_bytes, big_bytes);
  std::memset(little, negative ? 0xff : 0, little_bytes);
  reverse(big + big_bytes - common, little, common);
  if (is_signed && common < big_bytes)
    little[common - 1] = negative ? little[common - 1] | std::byte{0x80} : little[common - 1] & std::byte{0x7f};
}

void number_to_external(const BasicElement& element, const std::byte* from, std::size_t bytes, std::byte* to,
                        std::size_t external_bytes) {
  switch (element.form) {
    case Form::signed_integer:
    case Form::unsigned_integer:
      return resize_integer(from, bytes, to, external_bytes, element.form == Form::signed_integer);
    case Form::floating:
      return reverse(from, to, bytes);
    case Form::extended: {
      long double value = 0;
      std::memcpy(&value, from, bytes);
      const auto wide = static_cast<__float128>(value);
      reverse(reinterpret_cast<const std::byte*>(&wide), to, external_bytes);
    }
  }
}

void number_from_external(const BasicElement& element, const std::byte* from, std::size_t external_bytes, std::byte* to,
                          std::size_t bytes) {
  switch (element.form) {
    case Form::signed_integer:
    case Form::unsigned_integer:
      return restore_integer(from, external_bytes, to, bytes, element.form == Form::signed_integer);
    case Form::floating:
      return reverse(from, to, bytes);
    case Form::extended: {
      __float128 wide = 0;
      reverse(from, reinterpret_cast<std::byte*>(&wide), external_bytes);
      const auto value = static_cast<long double>(wide);
      std::memset(to, 0, bytes);  // its padding
      std::memcpy(to, &value, 10);
    }
  }
}

// Calls `convert` for every number of the signature, with what is before it on either side.
template <typename Convert>
void for_each_number(const Signature& signature, std::size_t& here, std::size_t& there, const Convert& convert) {
  for (std::size_t i = 0; i < signature.count; ++i) {
    for (const SignaturePointer& part : signature.parts) for_each_number(*part, here, there, convert);
    if (!signature.parts.empty()) continue;
    const BasicElement& element = signature.basic;
    const std::size_t bytes = element.bytes / element.numbers;
    const std::size_t external_bytes = element.external_bytes / element.numbers;
    for (int number = 0; number < element.numbers; ++number, here += bytes, there += external_bytes)
      convert(element, here, bytes, there, external_bytes);
  }
}

struct WholeElements {
  std::size_t count;
  bool are_all;  // the bytes do not end within another
};

// In so many bytes of the one form or the other.
WholeElements whole_elements_in(const Signature& signature, std::size_t bytes, std::size_t Signature::*bytes_of) {
  if (signature.*bytes_of == 0) return {0, bytes == 0};
  const std::size_t bytes_of_one = signature.*bytes_of / signature.count;
  std::size_t elements = bytes / bytes_of_one * (signature.elements / signature.count);
  std::size_t rest = bytes % bytes_of_one;
  for (std::size_t i = 0; rest > 0; ++i) {
    if (signature.parts.empty()) return {elements, false};
    const Signature& part = *signature.parts[i];
    const WholeElements more = whole_elements_in(part, std::min(rest, part.*bytes_of), bytes_of);
    elements += more.count;
    if (!more.are_all) return {elements, false};
    rest -= std::min(rest, part.*bytes_of);
  }
  return {elements, true};
}

}  // namespace

SignaturePointer basic_signature(const BasicElement& element) { return with_totals({element, {}, 1}); }

SignaturePointer repeated(std::size_t count, const SignaturePointer& signature) {
  if (count == 1) return signature;
  if (count == 0 || signature->elements == 0) return no_elements();
  Signature more = *signature;
  more.count = size_product(count, more.count);
  return with_totals(std::move(more));
}

SignaturePointer in_order(std::span<const SignaturePointer> parts) {
  Signature all;
  all.count = 1;
  const auto append = [&](const SignaturePointer& part) {
    if (part->elements == 0) return;
    if (!all.parts.empty() && joins(*all.parts.back(), *part)) {
      Signature joined = *part;
      joined.count += all.parts.back()->count;
      all.parts.back() = with_totals(std::move(joined));
    } else {
      all.parts.push_back(part);
    }
  };
  for (const SignaturePointer& part : parts) {
    if (part->count == 1 && !part->parts.empty())
      for (const SignaturePointer& inner : part->parts) append(inner);
    else
      append(part);
  }
  if (all.parts.empty()) return no_elements();
  if (all.parts.size() == 1) return all.parts[0];
  return with_totals(std::move(all));
}

std::ptrdiff_t elements_in(const Signature& signature, std::size_t bytes) {
  const WholeElements whole = whole_elements_in(signature, bytes, &Signature::bytes);
  return whole.are_all ? static_cast<std::ptrdiff_t>(whole.count) : -1;
}

std::size_t elements_in_external(const Signature& signature, std::size_t bytes) {
  return whole_elements_in(signature, bytes, &Signature::external_bytes).count;
}

std::size_t bytes_in(const Signature& signature, std::size_t elements) {
  if (signature.elements == 0) return 0;
  const std::size_t elements_of_one = signature.elements / signature.count;
  std::size_t bytes = elements / elements_of_one * (signature.bytes / signature.count);
  std::size_t rest = elements % elements_of_one;
  for (std::size_t i = 0; rest > 0; ++i) {
    const Signature& part = *signature.parts[i];
    bytes += bytes_in(part, std::min(rest, part.elements));
    rest -= std::min(rest, part.elements);
  }
  return bytes;
}

void to_external(const Signature& signature, std::size_t count, const std::byte* data, std::byte* external) {
  std::size_t here = 0, there = 0;
  for (std::size_t i = 0; i < count; ++i)
    for_each_number(signature, here, there,
                    [&](const BasicElement& element, std::size_t at, std::size_t bytes, std::size_t external_at,
                        std::size_t external_bytes) {
                      number_to_external(element, data + at, bytes, external + external_at, external_bytes);
                    });
}

void from_external(const Signature& signature, std::size_t count, const std::byte* external, std::byte* data) {
  std::size_t here = 0, there = 0;
  for (std::size_t i = 0; i < count; ++i)
    for_each_number(signature, here, there,
                    [&](const BasicElement& element, std::size_t at, std::size_t bytes, std::size_t external_at,
                        std::size_t external_bytes) {
                      number_from_external(element, external + external_at, external_bytes, data + at, bytes);
                    });
}

}  // namespace hindcast::mpi
