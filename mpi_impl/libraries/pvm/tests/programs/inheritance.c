/* tasks: 3
 * What a task's children have of it: variables of its environment, options and masks of traces. */
#include <pvmtev.h>
#include <stdlib.h>

#include "check.h"

static int is_variable(const char* name, const char* value) {
  const char* found = getenv(name);
  return value == NULL ? found == NULL : found != NULL && strcmp(found, value) == 0;
}

static void children_of(char* self, char* what) {
  int child, result = 0;
  char* arguments[] = {what, 0};
  CHECK_INT(pvm_spawn(self, arguments, PvmTaskDefault, 0, 1, &child), 1);
  CHECK(pvm_recv(child, 1) > 0);
  CHECK_INT(pvm_upkint(&result, 1, 1), PvmOk);
  CHECK_INT(result, 1);
}

/* Before any call of PVM, too. */
static int child(const char* what) {
  int result = 0;
  Pvmtmask mask;
  if (strcmp(what, "both") == 0)
    result = is_variable("COLOUR", "red") && is_variable("SIZE", "7") && is_variable("PVM_EXPORT", "COLOUR:SIZE") &&
             is_variable("SHAPE", NULL);
  if (strcmp(what, "one") == 0) result = is_variable("COLOUR", NULL) && is_variable("SIZE", "8");
  if (strcmp(what, "traces") == 0) {
    pvm_gettmask(PvmTaskSelf, mask);
    result = TEV_MASK_CHECK(mask, TEV_SEND) != 0 && TEV_MASK_CHECK(mask, TEV_RECV) == 0;
    pvm_gettmask(PvmTaskChild, mask);
    result = result && TEV_MASK_CHECK(mask, TEV_SEND) != 0 && pvm_getopt(PvmSelfTraceTid) == pvm_parent() &&
             pvm_getopt(PvmTraceCode) == 77;
  }
  pvm_initsend(PvmDataDefault);
  pvm_pkint(&result, 1, 1);
  pvm_send(pvm_parent(), 1);
  return pvm_exit();
}

static void variables(char* self) {
  CHECK_INT(setenv("COLOUR", "red", 1), 0);
  CHECK_INT(setenv("SIZE", "7", 1), 0);
  CHECK_INT(setenv("SHAPE", "round", 1), 0);
  CHECK_INT(pvm_export("COLOUR"), PvmOk);
  CHECK_INT(pvm_export("SIZE"), PvmOk);
  CHECK_INT(pvm_export("SIZE"), PvmOk);
  CHECK_INT(pvm_export("NEVER_SET"), PvmOk);
  CHECK_INT(pvm_unexport("NEVER_SET"), PvmOk);
  CHECK_INT(pvm_export(""), PvmOk);
  CHECK(is_variable("PVM_EXPORT", "COLOUR:SIZE"));
  CHECK(is_variable("SHAPE", "round"));
  children_of(self, "both");
  CHECK_INT(pvm_unexport("COLOUR"), PvmOk);
  CHECK_INT(setenv("SIZE", "8", 1), 0);
  children_of(self, "one");
  CHECK_ERROR(pvm_export(0), PvmBadParam);
  CHECK_ERROR(pvm_unexport(0), PvmBadParam);
  CHECK(is_variable("COLOUR", "red"));
}

static void traces(char* self) {
  Pvmtmask mask;
  CHECK_INT(pvm_gettmask(PvmTaskChild, mask), PvmOk);
  for (int call = TEV_FIRST; call <= TEV_MAX; ++call) CHECK(TEV_MASK_CHECK(mask, call) == 0);
  TEV_MASK_INIT(mask);
  TEV_MASK_SET(mask, TEV_SEND);
  TEV_MASK_SET(mask, TEV_RECV);
  TEV_MASK_UNSET(mask, TEV_RECV);
  CHECK_INT(pvm_settmask(PvmTaskChild, mask), PvmOk);
  CHECK_INT(pvm_setopt(PvmTraceTid, pvm_mytid()), 0);
  CHECK_INT(pvm_setopt(PvmTraceCode, 77), 0);
  CHECK_INT(pvm_gettmask(PvmTaskSelf, mask), PvmOk);
  CHECK(TEV_MASK_CHECK(mask, TEV_SEND) == 0);
  TEV_SET_MASK(mask, TEV_SEND);
  CHECK(TEV_CHECK_MASK(mask, TEV_SEND) != 0);
  TEV_UNSET_MASK(mask, TEV_SEND);
  CHECK(TEV_CHECK_MASK(mask, TEV_SEND) == 0);
  TEV_INIT_MASK(mask);
  CHECK(TEV_CHECK_MASK(mask, TEV_RECV) == 0);
  children_of(self, "traces");
  CHECK_ERROR(pvm_settmask(7, mask), PvmBadParam);
  CHECK_ERROR(pvm_gettmask(7, mask), PvmBadParam);
  CHECK_ERROR(pvm_settmask(PvmTaskSelf, 0), PvmBadParam);
  CHECK_ERROR(pvm_gettmask(PvmTaskSelf, 0), PvmBadParam);
}

int main(int argc, char** argv) {
  if (argc > 1) return child(argv[1]);
  begin(argv[0], 3);
  if (me == 0) {
    variables(argv[0]);
    traces(argv[0]);
  }
  return finish();
}
