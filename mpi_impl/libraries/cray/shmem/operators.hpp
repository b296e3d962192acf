// The operations of SHMEM's reductions. Sums and products of integers wrap around, as the machine's do.
#pragma once

#include <type_traits>

namespace hindcast::shmem {

// Wide enough that no product of shorts is one of ints, which must not overflow.
using Wrapping = unsigned long long;

struct And {
  template <typename T>
  T operator()(T a, T b) const {
    return static_cast<T>(a & b);
  }
};
struct Or {
  template <typename T>
  T operator()(T a, T b) const {
    return static_cast<T>(a | b);
  }
};
struct Xor {
  template <typename T>
  T operator()(T a, T b) const {
    return static_cast<T>(a ^ b);
  }
};
struct Max {
  template <typename T>
  T operator()(T a, T b) const {
    return b > a ? b : a;
  }
};
struct Min {
  template <typename T>
  T operator()(T a, T b) const {
    return b < a ? b : a;
  }
};
struct Sum {
  template <typename T>
  T operator()(T a, T b) const {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(static_cast<Wrapping>(a) + static_cast<Wrapping>(b));
    else
      return a + b;
  }
};
struct Product {
  template <typename T>
  T operator()(T a, T b) const {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(static_cast<Wrapping>(a) * static_cast<Wrapping>(b));
    else
      return a * b;
  }
};

}  // namespace hindcast::shmem
