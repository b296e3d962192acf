/* Messages of one number. */
#ifndef HINDCAST_PVM_TESTS_NUMBERS_H
#define HINDCAST_PVM_TESTS_NUMBERS_H

#include "check.h"

static void send_number(int to, int tag, int number) {
  CHECK(pvm_initsend(PvmDataDefault) > 0);
  CHECK_INT(pvm_pkint(&number, 1, 1), PvmOk);
  CHECK_INT(pvm_send(to, tag), PvmOk);
}

static int received_number(void) {
  int number = -1;
  CHECK_INT(pvm_upkint(&number, 1, 1), PvmOk);
  return number;
}

#endif
