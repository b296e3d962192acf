/* ranks: 1 4
 * Info objects: keys and values set, found, listed, duplicated and deleted, at the lengths that the standard allows. */
#include "check.h"

#include <string.h>

static void expect(MPI_Info info, const char* key, const char* value) {
  char found[MPI_MAX_INFO_VAL + 1] = "untouched";
  int flag = -1, length = -1;
  MPI_Info_get_valuelen(info, key, &length, &flag);
  CHECK_INT(flag, value != NULL);
  CHECK_INT(length, value != NULL ? (int)strlen(value) : -1);
  MPI_Info_get(info, key, MPI_MAX_INFO_VAL, found, &flag);
  CHECK_INT(flag, value != NULL);
  CHECK(strcmp(found, value != NULL ? value : "untouched") == 0);
}

static void expect_keys(MPI_Info info, int count, const char** keys) {
  char key[MPI_MAX_INFO_KEY];
  int found = -1;
  MPI_Info_get_nkeys(info, &found);
  CHECK_INT(found, count);
  for (int i = 0; i < count; ++i) {
    MPI_Info_get_nthkey(info, i, key);
    CHECK(strcmp(key, keys[i]) == 0);
  }
}

static void keys_and_values(void) {
  MPI_Info info, copy;
  const char* keys[] = {"alpha", "beta", "gamma"};
  MPI_Info_create(&info);
  expect_keys(info, 0, NULL);
  expect(info, "alpha", NULL);
  for (int i = 0; i < 3; ++i) MPI_Info_set(info, keys[i], keys[2 - i]);
  expect_keys(info, 3, keys);
  expect(info, "alpha", "gamma");
  expect(info, "beta", "beta");
  expect(info, "gam", NULL); /* a key as a whole */
  MPI_Info_set(info, "beta", "new value");
  expect(info, "beta", "new value");
  expect_keys(info, 3, keys); /* in its old place */

  MPI_Info_dup(info, &copy);
  CHECK(copy != info);
  MPI_Info_delete(info, "beta");
  const char* left[] = {"alpha", "gamma"};
  expect_keys(info, 2, left);
  expect(info, "beta", NULL);
  expect_keys(copy, 3, keys); /* the duplicate goes its own way */
  MPI_Info_set(copy, "delta", "");
  expect(copy, "delta", "");
  expect(info, "delta", NULL);
  MPI_Info_free(&info);
  CHECK(info == MPI_INFO_NULL);
  expect(copy, "gamma", "alpha");
  MPI_Info_free(&copy);
}

static void lengths(void) {
  static char key[MPI_MAX_INFO_KEY + 2], value[MPI_MAX_INFO_VAL + 2], found[16];
  int flag;
  MPI_Info info;
  MPI_Info_create(&info);
  memset(key, 'k', MPI_MAX_INFO_KEY - 1);
  memset(value, 'v', MPI_MAX_INFO_VAL - 1);
  MPI_Info_set(info, key, value); /* the longest */
  expect(info, key, value);
  memset(found, 'x', sizeof found);
  MPI_Info_get(info, key, 5, found, &flag); /* cut off, with its end */
  CHECK(flag && strcmp(found, "vvvvv") == 0 && found[6] == 'x');
  MPI_Info_get(info, key, 0, found, &flag);
  CHECK(flag && found[0] == '\0');
  key[MPI_MAX_INFO_KEY - 1] = 'k';
  FAILS(MPI_Info_set(info, key, "too long a key"), MPI_ERR_INFO_KEY);
  FAILS(MPI_Info_get(info, key, 5, found, &flag), MPI_ERR_INFO_KEY);
  FAILS(MPI_Info_get_valuelen(info, key, &flag, &flag), MPI_ERR_INFO_KEY);
  value[MPI_MAX_INFO_VAL - 1] = 'v';
  FAILS(MPI_Info_set(info, "key", value), MPI_ERR_INFO_VALUE);
  FAILS(MPI_Info_set(info, "", "no key"), MPI_ERR_INFO_KEY);
  MPI_Info_free(&info);
}

/* The length counts the end of the text; it says how much room there is, and then how much it takes. */
static void as_string(void) {
  MPI_Info info;
  char found[16];
  int flag = -1, length = 3;
  MPI_Info_create(&info);
  MPI_Info_set(info, "key", "value");
  MPI_Info_set(info, "none", "");
  memset(found, 'x', sizeof found);
  MPI_Info_get_string(info, "key", &length, found, &flag);
  CHECK(flag && length == 6 && strcmp(found, "va") == 0 && found[3] == 'x');
  MPI_Info_get_string(info, "key", &length, found, &flag);
  CHECK(flag && length == 6 && strcmp(found, "value") == 0 && found[6] == 'x');
  length = 0;
  MPI_Info_get_string(info, "key", &length, found, &flag); /* only to ask */
  CHECK(flag && length == 6 && strcmp(found, "value") == 0);
  length = 0;
  MPI_Info_get_string(info, "key", &length, NULL, &flag);
  CHECK(flag && length == 6);
  length = 1;
  MPI_Info_get_string(info, "key", &length, found, &flag);
  CHECK(flag && length == 6 && found[0] == '\0' && found[1] == 'a');
  length = 16;
  MPI_Info_get_string(info, "none", &length, found, &flag);
  CHECK(flag && length == 1 && found[0] == '\0');
  length = 16;
  found[0] = 'x';
  MPI_Info_get_string(info, "other", &length, found, &flag);
  CHECK(!flag && length == 16 && found[0] == 'x');
  length = -1;
  FAILS(MPI_Info_get_string(info, "key", &length, found, &flag), MPI_ERR_ARG);
  length = 5;
  FAILS(MPI_Info_get_string(info, "key", &length, NULL, &flag), MPI_ERR_ARG);
  MPI_Info_free(&info);
}

static void many(void) {
  enum { count = 400 };
  MPI_Info info[count];
  char key[32];
  for (int i = 0; i < count; ++i) {
    MPI_Info_create(&info[i]);
    for (int j = 0; j < i % 7; ++j) {
      sprintf(key, "key %d of %d", j, i);
      MPI_Info_set(info[i], key, key + 4);
    }
  }
  for (int i = 0; i < count; i += 2) MPI_Info_free(&info[i]);
  for (int i = 1; i < count; i += 2) {
    for (int j = 0; j < i % 7; ++j) {
      sprintf(key, "key %d of %d", j, i);
      expect(info[i], key, key + 4);
    }
    MPI_Info_free(&info[i]);
  }
}

static void errors(void) {
  char key[MPI_MAX_INFO_KEY];
  int flag;
  MPI_Info info, freed, env = MPI_INFO_ENV;
  MPI_Info_create(&info);
  MPI_Info_set(info, "one", "1");
  FAILS(MPI_Info_create(NULL), MPI_ERR_ARG);
  FAILS(MPI_Info_delete(info, "two"), MPI_ERR_INFO_NOKEY);
  FAILS(MPI_Info_get_nthkey(info, 1, key), MPI_ERR_ARG);
  FAILS(MPI_Info_get_nthkey(info, -1, key), MPI_ERR_ARG);
  FAILS(MPI_Info_get(info, "one", -1, key, &flag), MPI_ERR_ARG);
  FAILS(MPI_Info_set(info, "one", NULL), MPI_ERR_ARG);
  FAILS(MPI_Info_set(MPI_INFO_NULL, "one", "1"), MPI_ERR_INFO);
  FAILS(MPI_Info_dup(MPI_INFO_NULL, &freed), MPI_ERR_INFO);
  FAILS(MPI_Info_set(env, "one", "1"), MPI_ERR_INFO);
  FAILS(MPI_Info_delete(env, "maxprocs"), MPI_ERR_INFO);
  FAILS(MPI_Info_free(&env), MPI_ERR_INFO);
  freed = info;
  MPI_Info_free(&info);
  FAILS(MPI_Info_get_nkeys(freed, &flag), MPI_ERR_INFO);
  FAILS(MPI_Info_free(&freed), MPI_ERR_INFO);
  FAILS(MPI_Info_free(&info), MPI_ERR_INFO); /* null by now */
  void* memory;
  FAILS(MPI_Alloc_mem(8, freed, &memory), MPI_ERR_INFO);
}

static void environment(char** argv) {
  char text[32];
  MPI_Info copy;
  sprintf(text, "%d", world_size());
  expect(MPI_INFO_ENV, "maxprocs", text);
  expect(MPI_INFO_ENV, "command", argv[0]);
  MPI_Info_dup(MPI_INFO_ENV, &copy);
  MPI_Info_set(copy, "maxprocs", "more");
  expect(copy, "maxprocs", "more");
  expect(MPI_INFO_ENV, "maxprocs", text);
  MPI_Info_free(&copy);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  keys_and_values();
  lengths();
  as_string();
  many();
  errors();
  environment(argv);
  return finish();
}
