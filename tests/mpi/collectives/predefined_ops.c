/* ranks: 1 2 7
 * Every predefined operation on every predefined datatype that the standard defines it for, against a serial reference;
 * on all others MPI_ERR_OP. */
#include <complex.h>
#include <stdint.h>

#include "check.h"

enum { length = 3 };

static int n, rank;

/* Zeros, negative and positive ones, with ties. */
static __attribute__((noinline)) int value(int r, int i) { return (r * 7 + i * 3) % 5 - 2; }

static void expect(int is_right, const char* type, const char* op) {
  if (is_right) return;
  fprintf(stderr, "rank %d: wrong: %s of %s\n", rank, op, type);
  MPI_Abort(MPI_COMM_WORLD, 99);
}

/* By all ranks together, then two operands on one rank. */
#define TRY(T, type, op, expression)                                                               \
  do {                                                                                             \
    T mine[length], result[length], next[length];                                                  \
    for (int i = 0; i < length; ++i) mine[i] = (T)value(rank, i), next[i] = (T)value(rank + 1, i); \
    int is_right = MPI_Allreduce(mine, result, length, type, op, MPI_COMM_WORLD) == MPI_SUCCESS;   \
    for (int i = 0; i < length; ++i) {                                                             \
      T a = (T)value(0, i);                                                                        \
      for (int r = 1; r < n; ++r) {                                                                \
        const T b = (T)value(r, i);                                                                \
        a = (T)(expression);                                                                       \
      }                                                                                            \
      is_right &= result[i] == a;                                                                  \
    }                                                                                              \
    is_right &= MPI_Reduce_local(mine, next, length, type, op) == MPI_SUCCESS;                     \
    for (int i = 0; i < length; ++i) {                                                             \
      const T a = (T)value(rank, i), b = (T)value(rank + 1, i);                                    \
      is_right &= next[i] == (T)(expression);                                                      \
    }                                                                                              \
    expect(is_right, #type, #op);                                                                  \
  } while (0)

#define ORDER(T, type)                    \
  do {                                    \
    TRY(T, type, MPI_MAX, a > b ? a : b); \
    TRY(T, type, MPI_MIN, a < b ? a : b); \
  } while (0)
#define ARITHMETIC(T, type)       \
  do {                            \
    TRY(T, type, MPI_SUM, a + b); \
    TRY(T, type, MPI_PROD, a* b); \
  } while (0)
/* Wraps around without a promotion to int that would overflow. */
#define WHOLE_ARITHMETIC(T, type)       \
  do {                                  \
    TRY(T, type, MPI_SUM, 0u + a + b);  \
    TRY(T, type, MPI_PROD, 1u * a * b); \
  } while (0)
#define LOGICAL(T, type)              \
  do {                                \
    TRY(T, type, MPI_LAND, a&& b);    \
    TRY(T, type, MPI_LOR, a || b);    \
    TRY(T, type, MPI_LXOR, !a != !b); \
  } while (0)
#define BITS(T, type)              \
  do {                             \
    TRY(T, type, MPI_BAND, a& b);  \
    TRY(T, type, MPI_BOR, a | b);  \
    TRY(T, type, MPI_BXOR, a ^ b); \
  } while (0)

enum { order = 1, arithmetic = 2, logical = 4, bits = 8, location = 16 };

/* All operations but those of these kinds are refused. */
static void refuses(MPI_Datatype type, int but) {
  static const struct {
    MPI_Op op;
    int kind;
  } all[] = {{MPI_MAX, order},    {MPI_MIN, order},   {MPI_SUM, arithmetic},  {MPI_PROD, arithmetic},
             {MPI_LAND, logical}, {MPI_LOR, logical}, {MPI_LXOR, logical},    {MPI_BAND, bits},
             {MPI_BOR, bits},     {MPI_BXOR, bits},   {MPI_MAXLOC, location}, {MPI_MINLOC, location}};
  long double in[8] = {0}, out[8] = {0};
  MPI_Request request;
  for (int i = 0; i < (int)(sizeof all / sizeof all[0]); ++i) {
    if (all[i].kind & but) continue;
    FAILS(MPI_Reduce_local(in, out, 1, type, all[i].op), MPI_ERR_OP);
    FAILS(MPI_Allreduce(in, out, 1, type, all[i].op, MPI_COMM_WORLD), MPI_ERR_OP);
    FAILS(MPI_Iscan(in, out, 0, type, all[i].op, MPI_COMM_WORLD, &request), MPI_ERR_OP);
  }
}

#define C_INTEGER(T, type)                              \
  do {                                                  \
    ORDER(T, type);                                     \
    WHOLE_ARITHMETIC(T, type);                          \
    LOGICAL(T, type);                                   \
    BITS(T, type);                                      \
    refuses(type, order | arithmetic | logical | bits); \
  } while (0)
#define OTHER_INTEGER(T, type) /* of Fortran */ \
  do {                                          \
    ORDER(T, type);                             \
    WHOLE_ARITHMETIC(T, type);                  \
    BITS(T, type);                              \
    refuses(type, order | arithmetic | bits);   \
  } while (0)
#define FLOATING(T, type)              \
  do {                                 \
    ORDER(T, type);                    \
    ARITHMETIC(T, type);               \
    refuses(type, order | arithmetic); \
  } while (0)
#define COMPLEX(T, type)       \
  do {                         \
    ARITHMETIC(T, type);       \
    refuses(type, arithmetic); \
  } while (0)

static void c_integers(void) {
  C_INTEGER(int, MPI_INT);
  C_INTEGER(long, MPI_LONG);
  C_INTEGER(short, MPI_SHORT);
  C_INTEGER(unsigned short, MPI_UNSIGNED_SHORT);
  C_INTEGER(unsigned, MPI_UNSIGNED);
  C_INTEGER(unsigned long, MPI_UNSIGNED_LONG);
  C_INTEGER(long long, MPI_LONG_LONG_INT);
  C_INTEGER(long long, MPI_LONG_LONG);
  C_INTEGER(unsigned long long, MPI_UNSIGNED_LONG_LONG);
  C_INTEGER(signed char, MPI_SIGNED_CHAR);
  C_INTEGER(unsigned char, MPI_UNSIGNED_CHAR);
  C_INTEGER(int8_t, MPI_INT8_T);
  C_INTEGER(int16_t, MPI_INT16_T);
  C_INTEGER(int32_t, MPI_INT32_T);
  C_INTEGER(int64_t, MPI_INT64_T);
  C_INTEGER(uint8_t, MPI_UINT8_T);
  C_INTEGER(uint16_t, MPI_UINT16_T);
  C_INTEGER(uint32_t, MPI_UINT32_T);
  C_INTEGER(uint64_t, MPI_UINT64_T);
}

/* More than the standard asks for: every MPI takes logical operations on these, and MPI_CHAR as an integer. */
static void as_c_integers(void) {
  C_INTEGER(MPI_Aint, MPI_AINT);
  C_INTEGER(MPI_Offset, MPI_OFFSET);
  C_INTEGER(MPI_Count, MPI_COUNT);
  C_INTEGER(char, MPI_CHAR);
}

static void others(void) {
  OTHER_INTEGER(int, MPI_INTEGER);
  OTHER_INTEGER(int8_t, MPI_INTEGER1);
  OTHER_INTEGER(int16_t, MPI_INTEGER2);
  OTHER_INTEGER(int32_t, MPI_INTEGER4);
  OTHER_INTEGER(int64_t, MPI_INTEGER8);
  FLOATING(float, MPI_FLOAT);
  FLOATING(double, MPI_DOUBLE);
  FLOATING(long double, MPI_LONG_DOUBLE);
  FLOATING(float, MPI_REAL);
  FLOATING(double, MPI_DOUBLE_PRECISION);
  FLOATING(float, MPI_REAL4);
  FLOATING(double, MPI_REAL8);
  COMPLEX(float complex, MPI_C_COMPLEX);
  COMPLEX(float complex, MPI_C_FLOAT_COMPLEX);
  COMPLEX(double complex, MPI_C_DOUBLE_COMPLEX);
  COMPLEX(long double complex, MPI_C_LONG_DOUBLE_COMPLEX);
  COMPLEX(float complex, MPI_COMPLEX);
  COMPLEX(double complex, MPI_DOUBLE_COMPLEX);
  COMPLEX(float complex, MPI_COMPLEX8);
  COMPLEX(double complex, MPI_COMPLEX16);
  FLOATING(__float128, MPI_REAL16);
  OTHER_INTEGER(__int128, MPI_INTEGER16);
  COMPLEX(float complex, MPI_CXX_FLOAT_COMPLEX);
  COMPLEX(double complex, MPI_CXX_DOUBLE_COMPLEX);
  COMPLEX(long double complex, MPI_CXX_LONG_DOUBLE_COMPLEX);
  LOGICAL(_Bool, MPI_CXX_BOOL);
  refuses(MPI_CXX_BOOL, logical);
  LOGICAL(_Bool, MPI_C_BOOL);
  refuses(MPI_C_BOOL, logical);
  LOGICAL(int, MPI_LOGICAL);
  refuses(MPI_LOGICAL, logical);
  BITS(unsigned char, MPI_BYTE);
  refuses(MPI_BYTE, bits);
  refuses(MPI_WCHAR, 0);
  refuses(MPI_CHARACTER, 0);
  refuses(MPI_PACKED, 0);
}

/* A datatype of the program's is for operations of the program's, whatever it is made of. But those that stand for a
 * Fortran kind are predefined. */
static void made(void) {
  MPI_Datatype type;
  MPI_Type_contiguous(1, MPI_INT, &type);
  MPI_Type_commit(&type);
  refuses(type, 0);
  MPI_Type_free(&type);
  MPI_Type_dup(MPI_DOUBLE_INT, &type);
  MPI_Type_commit(&type);
  refuses(type, 0);
  MPI_Type_free(&type);
  MPI_Type_create_f90_integer(9, &type);
  OTHER_INTEGER(int32_t, type);
  MPI_Type_create_f90_real(15, MPI_UNDEFINED, &type);
  FLOATING(double, type);
  MPI_Type_create_f90_complex(6, MPI_UNDEFINED, &type);
  COMPLEX(float complex, type);
}

/* The least index of those that tie; negative ones are indices too. Bytes between value and index stay as they are. */
#define LOCATIONS(Value, Index, type)                                                      \
  do {                                                                                     \
    struct {                                                                               \
      Value value;                                                                         \
      Index index;                                                                         \
    } mine[length], most[length], least[length];                                           \
    for (int i = 0; i < length; ++i) {                                                     \
      mine[i].value = (Value)value(rank, i);                                               \
      mine[i].index = (Index)(i - rank);                                                   \
    }                                                                                      \
    CHECK_INT(MPI_Allreduce(mine, most, length, type, MPI_MAXLOC, MPI_COMM_WORLD), 0);     \
    CHECK_INT(MPI_Allreduce(mine, least, length, type, MPI_MINLOC, MPI_COMM_WORLD), 0);    \
    for (int i = 0; i < length; ++i) {                                                     \
      int max = 0, min = 0;                                                                \
      for (int r = 1; r < n; ++r) {                                                        \
        if (value(r, i) >= value(max, i)) max = r; /* the later one has the lower index */ \
        if (value(r, i) <= value(min, i)) min = r;                                         \
      }                                                                                    \
      CHECK(most[i].value == (Value)value(max, i) && most[i].index == (Index)(i - max));   \
      CHECK(least[i].value == (Value)value(min, i) && least[i].index == (Index)(i - min)); \
    }                                                                                      \
    refuses(type, location);                                                               \
  } while (0)

static void locations(void) {
  LOCATIONS(float, int, MPI_FLOAT_INT);
  LOCATIONS(double, int, MPI_DOUBLE_INT);
  LOCATIONS(long, int, MPI_LONG_INT);
  LOCATIONS(int, int, MPI_2INT);
  LOCATIONS(short, int, MPI_SHORT_INT);
  LOCATIONS(long double, int, MPI_LONG_DOUBLE_INT);
  LOCATIONS(float, float, MPI_2REAL);
  LOCATIONS(double, double, MPI_2DOUBLE_PRECISION);
  LOCATIONS(int, int, MPI_2INTEGER);
}

/* What lies between a value and its place, or a place and the next value, is nobody's. */
static void gaps(void) {
  struct {
    double value;
    int index;
  } mine[length], result[length];
  const unsigned char* const bytes = (const unsigned char*)result;
  for (int way = 0; way < 4; ++way) {
    for (unsigned i = 0; i < sizeof mine; ++i) ((unsigned char*)mine)[i] = 0x11, ((unsigned char*)result)[i] = 0x22;
    for (int i = 0; i < length; ++i) {
      mine[i].value = result[i].value = value(rank, i);
      mine[i].index = result[i].index = rank;
    }
    if (way == 0) MPI_Allreduce(mine, result, length, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
    if (way == 1) MPI_Scan(mine, result, length, MPI_DOUBLE_INT, MPI_MINLOC, MPI_COMM_WORLD);
    if (way == 2) MPI_Reduce(mine, result, length, MPI_DOUBLE_INT, MPI_MINLOC, n - 1, MPI_COMM_WORLD);
    if (way == 3) MPI_Reduce_local(mine, result, length, MPI_DOUBLE_INT, MPI_MAXLOC);
    for (unsigned i = 0; i < sizeof result; ++i)
      if (i % sizeof mine[0] >= sizeof(double) + sizeof(int)) CHECK_INT(bytes[i], 0x22);
  }
}

/* What the library says of its operations. Those that replace, for windows, leave one operand or the other. */
static void commutes(void) {
  const MPI_Op ops[] = {MPI_MAX,  MPI_MIN,  MPI_SUM, MPI_PROD, MPI_LAND,   MPI_LOR,
                        MPI_LXOR, MPI_BAND, MPI_BOR, MPI_BXOR, MPI_MAXLOC, MPI_MINLOC};
  int flag;
  for (int i = 0; i < (int)(sizeof ops / sizeof ops[0]); ++i) {
    MPI_Op op = ops[i];
    MPI_Op_commutative(op, &flag);
    CHECK_INT(flag, 1);
    FAILS(MPI_Op_free(&op), MPI_ERR_OP);
    CHECK(op == ops[i]);
  }
  const MPI_Op of_windows[] = {MPI_REPLACE, MPI_NO_OP};
  for (int i = 0; i < 2; ++i) {
    MPI_Op op = of_windows[i];
    MPI_Op_commutative(op, &flag);
    CHECK_INT(flag, 0);
    FAILS(MPI_Op_free(&op), MPI_ERR_OP);
  }
  FAILS(MPI_Op_commutative(MPI_OP_NULL, &flag), MPI_ERR_OP);
  FAILS(MPI_Reduce_local(&flag, &n, 1, MPI_INT, MPI_OP_NULL), MPI_ERR_OP);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  n = world_size();
  rank = world_rank();
  c_integers();
  as_c_integers();
  others();
  made();
  locations();
  gaps();
  commutes();
  return finish();
}
