// What basic elements a datatype's data consists of, in order: for counting them, and for external32.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace hindcast::mpi {

// How a basic element is made, as far as external32 sees it (MPI-3.1, 13.5.2): one number or two alike (complex ones).
enum class Form : std::uint8_t { signed_integer, unsigned_integer, floating, extended };

struct BasicElement {
  std::ptrdiff_t offset = 0;           // in its predefined datatype
  std::uint8_t bytes = 0;              // here
  std::uint8_t external_bytes = 0;     // in external32
  std::uint8_t numbers = 1;            // alike, that it consists of
  Form form = Form::unsigned_integer;  // `extended`: 80 bits here, 128 there
};

struct Signature;
using SignaturePointer = std::shared_ptr<const Signature>;

// One basic element, or parts in order; as often as `count` says.
struct Signature {
  BasicElement basic;
  std::vector<SignaturePointer> parts;  // of one time; none if it is a basic element
  std::size_t count = 0;

  // of all times
  std::size_t bytes = 0;
  std::size_t elements = 0;
  std::size_t external_bytes = 0;
};

SignaturePointer basic_signature(const BasicElement& element);
SignaturePointer repeated(std::size_t count, const SignaturePointer& signature);
SignaturePointer in_order(std::span<const SignaturePointer> parts);

// The basic elements in the first bytes of data of this signature, again and again; -1 if they end within one.
std::ptrdiff_t elements_in(const Signature& signature, std::size_t bytes);
// Those that are whole in so many bytes of its external32 form.
std::size_t elements_in_external(const Signature& signature, std::size_t bytes);
// The bytes that the first so many basic elements take.
std::size_t bytes_in(const Signature& signature, std::size_t elements);

// Between data in order and its external32 form. Integers that do not fit keep their sign and least significant bytes.
void to_external(const Signature& signature, std::size_t count, const std::byte* data, std::byte* external);
void from_external(const Signature& signature, std::size_t count, const std::byte* external, std::byte* data);

}  // namespace hindcast::mpi
