// The functions of pvm3.h that pack and unpack items of one type, and those that are told types by a format.
#include <cctype>
#include <cstdarg>

#include "mpi_impl/libraries/pvm/calls/bodies.hpp"
#include "mpi_impl/libraries/pvm/calls/packing.hpp"

namespace hindcast::pvm {

namespace {

// One item of a format: "%+", or "%", how many (a number or *) and their stride after a point, of what length (h, l,
// u), and what they are.
struct FormatItem {
  bool begins = false;  // a new message
  bool is_array = false;
  bool is_text = false;
  int count = 1;
  int stride = 1;
  int type = PVM_INT;
};

int number_or_argument(const char*& format, std::va_list& arguments) {
  if (*format == '*') {
    ++format;
    return va_arg(arguments, int);
  }
  int number = 0;
  while (std::isdigit(static_cast<unsigned char>(*format)) != 0) number = number * 10 + (*format++ - '0');
  return number;
}

bool is_number_or_star(char letter) { return letter == '*' || std::isdigit(static_cast<unsigned char>(letter)) != 0; }

// Of the letter and what stands before it; -1: there is no such type.
int type_of_letter(char letter, bool is_short, bool is_long, bool is_unsigned) {
  switch (letter) {
    case 'c':
      return PVM_BYTE;
    case 'd':
      if (is_short) return is_unsigned ? PVM_USHORT : PVM_SHORT;
      if (is_long) return is_unsigned ? PVM_ULONG : PVM_LONG;
      return is_unsigned ? PVM_UINT : PVM_INT;
    case 'f':
      return is_long ? PVM_DOUBLE : PVM_FLOAT;
    case 'x':
      return is_long ? PVM_DCPLX : PVM_CPLX;
    case 's':
      return PVM_STR;
    default:
      return -1;
  }
}

// `format` is after the "%". Whether it is right.
bool read_item(const char*& format, std::va_list& arguments, FormatItem& item) {
  if (*format == '+') {
    ++format;
    item.begins = true;
    return true;
  }
  if (is_number_or_star(*format)) {
    item.is_array = true;
    item.count = number_or_argument(format, arguments);
  }
  if (*format == '.') {
    ++format;
    item.stride = number_or_argument(format, arguments);
  }
  bool is_short = false, is_long = false, is_unsigned = false;
  for (; *format == 'h' || *format == 'l' || *format == 'u'; ++format) {
    is_short = is_short || *format == 'h';
    is_long = is_long || *format == 'l';
    is_unsigned = is_unsigned || *format == 'u';
  }
  item.type = type_of_letter(*format, is_short, is_long, is_unsigned);
  if (item.type < 0) return false;
  item.is_text = *format++ == 's';
  return true;
}

// A number is given by itself, unless the format says how many there are.
int pack_argument(Call& call, const FormatItem& item, std::va_list& arguments) {
  if (item.is_text) return pack_text(call, va_arg(arguments, const char*));
  const bool is_given_by_address = item.is_array || item.type == PVM_CPLX || item.type == PVM_DCPLX;
  if (is_given_by_address) return pack(call, {item.type, va_arg(arguments, void*), item.count, item.stride});
  union {
    char byte;
    short half;
    int whole;
    long longer;
    float real;
    double longer_real;
  } value;
  switch (item.type) {
    case PVM_BYTE:
      value.byte = static_cast<char>(va_arg(arguments, int));
      break;
    case PVM_SHORT:
    case PVM_USHORT:
      value.half = static_cast<short>(va_arg(arguments, int));
      break;
    case PVM_LONG:
    case PVM_ULONG:
      value.longer = va_arg(arguments, long);
      break;
    case PVM_FLOAT:
      value.real = static_cast<float>(va_arg(arguments, double));
      break;
    case PVM_DOUBLE:
      value.longer_real = va_arg(arguments, double);
      break;
    default:
      value.whole = va_arg(arguments, int);
  }
  return pack(call, {item.type, &value, 1, 1, false});
}

int unpack_argument(Call& call, const FormatItem& item, std::va_list& arguments) {
  if (item.is_text) return unpack_text(call, va_arg(arguments, char*));
  return unpack(call, {item.type, va_arg(arguments, void*), item.count, item.stride});
}

int begin_argument(Call& call, bool is_packing, std::va_list& arguments) {
  if (!is_packing) return PvmBadParam;
  const int id = begin_to_pack(call, va_arg(arguments, int));
  return id < 0 ? id : PvmOk;
}

int go_through(Call& call, bool is_packing, const char* format, std::va_list& arguments) {
  if (format == nullptr) return PvmBadParam;
  while (*format != 0) {
    if (std::isspace(static_cast<unsigned char>(*format)) != 0) {
      ++format;
      continue;
    }
    FormatItem item;
    if (*format++ != '%' || !read_item(format, arguments, item)) return PvmBadParam;
    const int result = item.begins  ? begin_argument(call, is_packing, arguments)
                       : is_packing ? pack_argument(call, item, arguments)
                                    : unpack_argument(call, item, arguments);
    if (result < 0) return result;
  }
  return PvmOk;
}

}  // namespace

namespace bodies {

int pvm_pkbyte(Call& call, char* items, int count, int stride) {
  return call.done(pack(call, {PVM_BYTE, items, count, stride}));
}
int pvm_pkcplx(Call& call, float* items, int count, int stride) {
  return call.done(pack(call, {PVM_CPLX, items, count, stride}));
}
int pvm_pkdcplx(Call& call, double* items, int count, int stride) {
  return call.done(pack(call, {PVM_DCPLX, items, count, stride}));
}
int pvm_pkdouble(Call& call, double* items, int count, int stride) {
  return call.done(pack(call, {PVM_DOUBLE, items, count, stride}));
}
int pvm_pkfloat(Call& call, float* items, int count, int stride) {
  return call.done(pack(call, {PVM_FLOAT, items, count, stride}));
}
int pvm_pkint(Call& call, int* items, int count, int stride) {
  return call.done(pack(call, {PVM_INT, items, count, stride}));
}
int pvm_pklong(Call& call, long* items, int count, int stride) {
  return call.done(pack(call, {PVM_LONG, items, count, stride}));
}
int pvm_pkshort(Call& call, short* items, int count, int stride) {
  return call.done(pack(call, {PVM_SHORT, items, count, stride}));
}
int pvm_pkuint(Call& call, unsigned int* items, int count, int stride) {
  return call.done(pack(call, {PVM_UINT, items, count, stride}));
}
int pvm_pkulong(Call& call, unsigned long* items, int count, int stride) {
  return call.done(pack(call, {PVM_ULONG, items, count, stride}));
}
int pvm_pkushort(Call& call, unsigned short* items, int count, int stride) {
  return call.done(pack(call, {PVM_USHORT, items, count, stride}));
}
int pvm_upkbyte(Call& call, char* items, int count, int stride) {
  return call.done(unpack(call, {PVM_BYTE, items, count, stride}));
}
int pvm_upkcplx(Call& call, float* items, int count, int stride) {
  return call.done(unpack(call, {PVM_CPLX, items, count, stride}));
}
int pvm_upkdcplx(Call& call, double* items, int count, int stride) {
  return call.done(unpack(call, {PVM_DCPLX, items, count, stride}));
}
int pvm_upkdouble(Call& call, double* items, int count, int stride) {
  return call.done(unpack(call, {PVM_DOUBLE, items, count, stride}));
}
int pvm_upkfloat(Call& call, float* items, int count, int stride) {
  return call.done(unpack(call, {PVM_FLOAT, items, count, stride}));
}
int pvm_upkint(Call& call, int* items, int count, int stride) {
  return call.done(unpack(call, {PVM_INT, items, count, stride}));
}
int pvm_upklong(Call& call, long* items, int count, int stride) {
  return call.done(unpack(call, {PVM_LONG, items, count, stride}));
}
int pvm_upkshort(Call& call, short* items, int count, int stride) {
  return call.done(unpack(call, {PVM_SHORT, items, count, stride}));
}
int pvm_upkuint(Call& call, unsigned int* items, int count, int stride) {
  return call.done(unpack(call, {PVM_UINT, items, count, stride}));
}
int pvm_upkulong(Call& call, unsigned long* items, int count, int stride) {
  return call.done(unpack(call, {PVM_ULONG, items, count, stride}));
}
int pvm_upkushort(Call& call, unsigned short* items, int count, int stride) {
  return call.done(unpack(call, {PVM_USHORT, items, count, stride}));
}

int pvm_pkstr(Call& call, char* text) { return call.done(pack_text(call, text)); }

int pvm_upkstr(Call& call, char* text) { return call.done(unpack_text(call, text)); }

}  // namespace bodies

}  // namespace hindcast::pvm

using namespace hindcast::pvm;

extern "C" {

int pvm_packf(const char* format, ...) {
  Call call("pvm_packf");
  std::va_list arguments;
  va_start(arguments, format);
  const int result = go_through(call, true, format, arguments);
  va_end(arguments);
  return call.done(result);
}

int pvm_unpackf(const char* format, ...) {
  Call call("pvm_unpackf");
  std::va_list arguments;
  va_start(arguments, format);
  const int result = go_through(call, false, format, arguments);
  va_end(arguments);
  return call.done(result);
}
}
