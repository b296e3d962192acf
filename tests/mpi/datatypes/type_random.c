/* ranks: 1
 * Datatypes made at random, several deep, with zero counts, negative strides and markers of bounds, against a list of
 * what each holds: sizes, extents, packing, messages, counts of elements. */
#include "check.h"

#include <limits.h>
#include <string.h>

enum { tests = 400, block_max = 4, held_max = 20000, memory = 1 << 20 };

/* What a datatype holds, in order, and how far it reaches (MPI-3.1, 4.1). */
typedef struct {
  MPI_Datatype type;
  int count;
  long* offsets;
  int* sizes;
  long lower_marker, upper_marker;
  int has_lower, has_upper;
  int alignment;
} Listed;

static unsigned long seed = 20;
static int below(int n) {
  seed = seed * 6364136223846793005UL + 1442695040888963407UL;
  return (int)((seed >> 33) % (unsigned long)n);
}
static int around(int n) { return below(2 * n + 1) - n; }

static void hold(Listed* l, long offset, int size) {
  l->offsets = realloc(l->offsets, sizeof(long) * (size_t)(l->count + 1));
  l->sizes = realloc(l->sizes, sizeof(int) * (size_t)(l->count + 1));
  l->offsets[l->count] = offset;
  l->sizes[l->count++] = size;
}

static long data_begin(const Listed* l) {
  long least = l->count > 0 ? LONG_MAX : 0;
  for (int i = 0; i < l->count; ++i)
    if (l->offsets[i] < least) least = l->offsets[i];
  return least;
}
static long data_end(const Listed* l) {
  long most = l->count > 0 ? LONG_MIN : 0;
  for (int i = 0; i < l->count; ++i)
    if (l->offsets[i] + l->sizes[i] > most) most = l->offsets[i] + l->sizes[i];
  return most;
}
static long lower_bound(const Listed* l) { return l->has_lower ? l->lower_marker : data_begin(l); }
static long extent(const Listed* l) {
  if (l->has_upper) return l->upper_marker - lower_bound(l);
  const long a = l->alignment, reach = data_end(l) - lower_bound(l);
  return (reach + a - 1) / a * a;
}
static long size_of(const Listed* l) {
  long size = 0;
  for (int i = 0; i < l->count; ++i) size += l->sizes[i];
  return size;
}

static void place(Listed* l, const Listed* old, long at) {
  for (int i = 0; i < old->count; ++i) hold(l, at + old->offsets[i], old->sizes[i]);
  if (old->has_lower && (!l->has_lower || at + old->lower_marker < l->lower_marker))
    l->lower_marker = at + old->lower_marker;
  if (old->has_upper && (!l->has_upper || at + old->upper_marker > l->upper_marker))
    l->upper_marker = at + old->upper_marker;
  l->has_lower |= old->has_lower;
  l->has_upper |= old->has_upper;
  if (old->alignment > l->alignment) l->alignment = old->alignment;
}
static void place_block(Listed* l, const Listed* old, long at, int length) {
  for (int i = 0; i < length; ++i) place(l, old, at + i * extent(old));
}

static Listed basic(void) {
  static const MPI_Datatype types[] = {MPI_CHAR, MPI_SHORT, MPI_INT, MPI_DOUBLE};
  const int which = below(4);
  Listed l = {types[which], 0, NULL, NULL, 0, 0, 0, 0, 1 << which};
  hold(&l, 0, 1 << which);
  return l;
}

static void drop(Listed* l) {
  int is_predefined, unused;
  MPI_Type_get_envelope(l->type, &unused, &unused, &unused, &is_predefined);
  if (is_predefined != MPI_COMBINER_NAMED) MPI_Type_free(&l->type);
  free(l->offsets);
  free(l->sizes);
}

static Listed made(int depth);

static Listed made_struct(int depth, Listed* old) {
  Listed other = made(below(depth)), l = {MPI_DATATYPE_NULL, 0, NULL, NULL, 0, 0, 0, 0, 1};
  const Listed* parts[block_max];
  MPI_Datatype types[block_max];
  MPI_Aint places[block_max];
  int lengths[block_max];
  const int count = below(block_max);
  for (int i = 0; i < count; ++i) {
    parts[i] = below(2) ? old : &other;
    types[i] = parts[i]->type;
    lengths[i] = below(3);
    places[i] = 8 * around(4);
    place_block(&l, parts[i], places[i], lengths[i]);
  }
  MPI_Type_create_struct(count, lengths, places, types, &l.type);
  drop(&other);
  return l;
}

static Listed made_blocks(int how, Listed* old) {
  Listed l = {MPI_DATATYPE_NULL, 0, NULL, NULL, 0, 0, 0, 0, 1};
  int lengths[block_max], elements[block_max];
  MPI_Aint bytes[block_max];
  const int count = below(block_max), same_length = below(3), stride = around(4), has_own_lengths = how < 2;
  for (int i = 0; i < count; ++i) {
    lengths[i] = has_own_lengths ? below(3) : same_length;
    elements[i] = how >= 4 ? i * stride : around(4);
    bytes[i] = 8 * elements[i];
    place_block(&l, old, how % 2 ? bytes[i] : elements[i] * extent(old), lengths[i]);
  }
  switch (how) {
    case 0:
      MPI_Type_indexed(count, lengths, elements, old->type, &l.type);
      break;
    case 1:
      MPI_Type_create_hindexed(count, lengths, bytes, old->type, &l.type);
      break;
    case 2:
      MPI_Type_create_indexed_block(count, same_length, elements, old->type, &l.type);
      break;
    case 3:
      MPI_Type_create_hindexed_block(count, same_length, bytes, old->type, &l.type);
      break;
    case 4:
      MPI_Type_vector(count, same_length, stride, old->type, &l.type);
      break;
    default:
      MPI_Type_create_hvector(count, same_length, 8 * stride, old->type, &l.type);
  }
  return l;
}

static Listed made(int depth) {
  if (depth == 0) return basic();
  Listed old = made(depth - 1), l = {MPI_DATATYPE_NULL, 0, NULL, NULL, 0, 0, 0, 0, 1};
  const int how = below(9);
  if (how < 6) {
    l = made_blocks(how, &old);
  } else if (how == 6) {
    l = made_struct(depth, &old);
  } else if (how == 7) {
    const int count = below(block_max);
    MPI_Type_contiguous(count, old.type, &l.type);
    place_block(&l, &old, 0, count);
  } else {
    const long begin = 4 * around(4), length = 4 * below(20);
    MPI_Type_create_resized(old.type, begin, length, &l.type);
    place(&l, &old, 0);
    l.has_lower = l.has_upper = 1;
    l.lower_marker = begin;
    l.upper_marker = begin + length;
  }
  drop(&old);
  return l;
}

static void expect_bounds(const Listed* l) {
  int size;
  MPI_Aint begin, reach;
  MPI_Type_size(l->type, &size);
  CHECK_INT(size, size_of(l));
  MPI_Type_get_extent(l->type, &begin, &reach);
  CHECK_INT(begin, lower_bound(l));
  CHECK_INT(reach, extent(l));
  MPI_Type_get_true_extent(l->type, &begin, &reach);
  CHECK_INT(begin, data_begin(l));
  CHECK_INT(reach, data_end(l) - data_begin(l));
}

static char source[memory], target[memory], expected[memory], packed[memory], received[memory];

/* `count` elements in the middle of the memory are packed, sent, and put back. */
static void expect_data(Listed* l, int count) {
  const long bytes = count * size_of(l), middle = memory / 2;
  long at = 0;
  int position = 0, found;
  MPI_Request request;
  MPI_Status status;
  memset(expected, 0x55, memory);
  memset(target, 0x55, memory);
  MPI_Type_commit(&l->type);
  MPI_Pack(source + middle, count, l->type, packed, memory, &position, MPI_COMM_SELF);
  CHECK_INT(position, bytes);
  for (int i = 0; i < count; ++i)
    for (int k = 0; k < l->count; at += l->sizes[k++]) {
      const long offset = middle + i * extent(l) + l->offsets[k];
      CHECK(memcmp(packed + at, source + offset, (size_t)l->sizes[k]) == 0);
      memcpy(expected + offset, packed + at, (size_t)l->sizes[k]);
    }
  MPI_Irecv(received, (int)bytes, MPI_PACKED, 0, 3, MPI_COMM_SELF, &request);
  MPI_Send(source + middle, count, l->type, 0, 3, MPI_COMM_SELF);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  CHECK(memcmp(received, packed, (size_t)bytes) == 0);
  MPI_Irecv(target + middle, count, l->type, 0, 4, MPI_COMM_SELF, &request);
  MPI_Send(packed, (int)bytes, MPI_PACKED, 0, 4, MPI_COMM_SELF);
  MPI_Wait(&request, &status);
  CHECK(memcmp(target, expected, memory) == 0);
  MPI_Get_count(&status, l->type, &found);
  CHECK_INT(found, bytes > 0 ? count : 0);
  MPI_Get_elements(&status, l->type, &found);
  CHECK_INT(found, count * l->count);
  memset(target, 0x55, memory);
  position = 0;
  MPI_Unpack(packed, (int)bytes, &position, target + middle, count, l->type, MPI_COMM_SELF);
  CHECK(memcmp(target, expected, memory) == 0);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  for (int i = 0; i < memory; ++i) source[i] = (char)(i * 131 + (i >> 8) * 17);
  for (int test = 0; test < tests; ++test) {
    Listed l = made(1 + below(3));
    const int count = 1 + below(3);
    expect_bounds(&l);
    if (labs(extent(&l)) * 3 + labs(data_begin(&l)) + labs(data_end(&l)) < memory / 2 && l.count < held_max)
      expect_data(&l, count);
    drop(&l);
  }
  return finish();
}
