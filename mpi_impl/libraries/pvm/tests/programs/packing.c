/* tasks: 1
 * Buffers, and items of all types into them and out of them again, in all encodings. */
#include "check.h"

enum { items = 6 };

static char bytes[items] = {1, -2, 3, 127, -128, 0};
static float cplx[2 * items] = {1, -2, 0.5f, 4e10f, -5, 6, 7, 8, 9, 10, 11, 12};
static double dcplx[2 * items] = {1, -2, 0.5, 4e100, -5, 6, 7, 8, 9, 10, 11, 12};
static double doubles[items] = {1, -2e300, 0.5, 1e-300, 0, 7};
static float floats[items] = {1, -2e30f, 0.5f, 1e-30f, 0, 7};
static int ints[items] = {1, -2, 2147483647, -2147483647 - 1, 0, 7};
static long longs[items] = {1, -2, 9223372036854775807L, -9223372036854775807L - 1, 0, 7};
static short shorts[items] = {1, -2, 32767, -32768, 0, 7};
static unsigned uints[items] = {1, 2, 4294967295u, 0, 5, 6};
static unsigned long ulongs[items] = {1, 2, 18446744073709551615ul, 0, 5, 6};
static unsigned short ushorts[items] = {1, 2, 65535, 0, 5, 6};

static void pack_all(int count, int stride) {
  CHECK_INT(pvm_pkbyte(bytes, count, stride), PvmOk);
  CHECK_INT(pvm_pkcplx(cplx, count, stride), PvmOk);
  CHECK_INT(pvm_pkdcplx(dcplx, count, stride), PvmOk);
  CHECK_INT(pvm_pkdouble(doubles, count, stride), PvmOk);
  CHECK_INT(pvm_pkfloat(floats, count, stride), PvmOk);
  CHECK_INT(pvm_pkint(ints, count, stride), PvmOk);
  CHECK_INT(pvm_pklong(longs, count, stride), PvmOk);
  CHECK_INT(pvm_pkshort(shorts, count, stride), PvmOk);
  CHECK_INT(pvm_pkuint(uints, count, stride), PvmOk);
  CHECK_INT(pvm_pkulong(ulongs, count, stride), PvmOk);
  CHECK_INT(pvm_pkushort(ushorts, count, stride), PvmOk);
}

/* `components` are of an item. */
#define UNPACK(name, type, array, components)                                                                       \
  do {                                                                                                              \
    type got[components * items];                                                                                   \
    memset(got, 0x55, sizeof got);                                                                                  \
    CHECK_INT(pvm_upk##name(got, count, stride), PvmOk);                                                            \
    for (int i = 0; i < count; ++i)                                                                                 \
      CHECK(memcmp(got + components * i * stride, array + components * i * stride, components * sizeof *got) == 0); \
    if (stride > 1) CHECK(((char*)(got + components))[0] == 0x55);                                                  \
  } while (0)

static void unpack_all(int count, int stride) {
  UNPACK(byte, char, bytes, 1);
  UNPACK(cplx, float, cplx, 2);
  UNPACK(dcplx, double, dcplx, 2);
  UNPACK(double, double, doubles, 1);
  UNPACK(float, float, floats, 1);
  UNPACK(int, int, ints, 1);
  UNPACK(long, long, longs, 1);
  UNPACK(short, short, shorts, 1);
  UNPACK(uint, unsigned, uints, 1);
  UNPACK(ulong, unsigned long, ulongs, 1);
  UNPACK(ushort, unsigned short, ushorts, 1);
}

static void to_and_fro(int encoding, int count, int stride) {
  char text[16];
  int bytes_sent, tag, tid, extra;
  const int sent = pvm_initsend(encoding);
  CHECK(sent > 0);
  CHECK_INT(pvm_getsbuf(), sent);
  pack_all(count, stride);
  const int takes_texts = encoding != PvmDataInPlace;
  if (takes_texts) {
    CHECK_INT(pvm_pkstr("some text"), PvmOk);
    CHECK_INT(pvm_pkstr(""), PvmOk);
  }
  CHECK_INT(pvm_send(pvm_mytid(), 5), PvmOk);
  const int received = pvm_recv(pvm_mytid(), 5);
  CHECK(received > 0 && received != sent);
  CHECK_INT(pvm_getrbuf(), received);
  CHECK_INT(pvm_bufinfo(received, &bytes_sent, &tag, &tid), PvmOk);
  CHECK_INT(tag, 5);
  CHECK_INT(tid, pvm_mytid());
  const int numbers = encoding == PvmDataDefault ? 1 + 8 + 16 + 8 + 4 + 4 + 8 + 4 + 4 + 8 + 4
                                                 : 1 + 8 + 16 + 8 + 4 + 4 + 8 + 2 + 4 + 8 + 2;
  CHECK_INT(bytes_sent, count * numbers + (takes_texts ? 4 + 10 + 4 + 1 : 0));
  unpack_all(count, stride);
  if (takes_texts) {
    CHECK_INT(pvm_upkstr(text), PvmOk);
    CHECK(strcmp(text, "some text") == 0);
    CHECK_INT(pvm_upkstr(text), PvmOk);
    CHECK(text[0] == 0);
  }
  CHECK_ERROR(pvm_upkint(&extra, 1, 1), PvmNoData);
  CHECK_ERROR(pvm_upkstr(text), PvmNoData);
}

static void formats(void) {
  char letter = 0, text[8];
  short half = 0;
  unsigned whole = 0;
  long longer = 0;
  float real = 0, pair[2];
  double longer_real = 0;
  int several[3], every_other[3] = {0, 0, 0};
  CHECK_INT(pvm_packf("%+ %c %hd %ud %ld %f %lf %s", PvmDataRaw, 'x', -5, 7u, 1L << 40, 1.5, 2.5, "hello"), PvmOk);
  CHECK_INT(pvm_packf("%3d%*.2d %1x", ints, 2, ints, cplx), PvmOk);
  CHECK_INT(pvm_send(pvm_mytid(), 6), PvmOk);
  CHECK(pvm_recv(-1, 6) > 0);
  CHECK_INT(pvm_unpackf("%c %hd %ud %ld %f %lf %s", &letter, &half, &whole, &longer, &real, &longer_real, text), PvmOk);
  CHECK(letter == 'x' && half == -5 && whole == 7 && longer == 1L << 40 && real == 1.5f && longer_real == 2.5);
  CHECK(strcmp(text, "hello") == 0);
  CHECK_INT(pvm_unpackf("%3d %*.2d %x", several, 2, every_other, pair), PvmOk);
  CHECK(several[2] == ints[2] && every_other[0] == ints[0] && every_other[1] == 0 && every_other[2] == ints[2]);
  CHECK(pair[0] == cplx[0] && pair[1] == cplx[1]);
  CHECK_ERROR(pvm_packf("%q", 1), PvmBadParam);
  CHECK_ERROR(pvm_unpackf("%d", &half), PvmNoData);
}

static int representation_here(void) {
  struct pvmhostinfo* hosts;
  pvm_config(0, 0, &hosts);
  return hosts[0].hi_dsig;
}

static void buffers(void) {
  const int first = pvm_initsend(PvmDataRaw), other = pvm_mkbuf(PvmDataDefault);
  int got = 0, length;
  struct pvmminfo info;
  CHECK(other > 0 && other != first);
  CHECK_INT(pvm_pkint(ints, 1, 1), PvmOk);
  CHECK_INT(pvm_setsbuf(other), first);
  CHECK_INT(pvm_pkint(ints + 1, 2, 1), PvmOk);
  CHECK_INT(pvm_bufinfo(other, &length, 0, 0), PvmOk);
  CHECK_INT(length, 8);
  CHECK_INT(pvm_setsbuf(first), other);
  const int before = pvm_getrbuf();
  CHECK_INT(pvm_setrbuf(other), before);
  CHECK_INT(pvm_upkint(&got, 1, 1), PvmOk);
  CHECK_INT(got, ints[1]);
  /* What is read of it goes on where it was left, unless it was packed meanwhile. */
  CHECK_INT(pvm_setrbuf(0), other);
  CHECK_INT(pvm_setrbuf(other), 0);
  CHECK_INT(pvm_upkint(&got, 1, 1), PvmOk);
  CHECK_INT(got, ints[2]);
  CHECK_INT(pvm_setsbuf(other), first);
  CHECK_INT(pvm_setsbuf(first), other);
  CHECK_INT(pvm_setrbuf(other), other);
  CHECK_INT(pvm_upkint(&got, 1, 1), PvmOk);
  CHECK_INT(got, ints[1]);
  CHECK_INT(pvm_getminfo(other, &info), PvmOk);
  CHECK(info.len == 8 && info.enc == 0x10000000 && info.ctx == pvm_getcontext());
  CHECK_INT(pvm_getminfo(first, &info), PvmOk);
  CHECK_INT(info.enc, representation_here());
  info.tag = 77;
  CHECK_INT(pvm_setminfo(other, &info), PvmOk);
  CHECK_INT(pvm_freebuf(pvm_mkbuf(PvmDataInPlace)), PvmOk);
  CHECK_INT(pvm_bufinfo(other, 0, &got, 0), PvmOk);
  CHECK_INT(got, 77);
  CHECK_INT(pvm_setmwid(other, 12), PvmOk);
  CHECK_INT(pvm_getmwid(other), 12);
  CHECK_INT(pvm_freebuf(other), PvmOk);
  CHECK_INT(pvm_getrbuf(), 0);
  CHECK_ERROR(pvm_freebuf(other), PvmNoSuchBuf);
  CHECK_ERROR(pvm_freebuf(0), PvmBadParam);
  CHECK_ERROR(pvm_setsbuf(other), PvmNoSuchBuf);
  CHECK_ERROR(pvm_setrbuf(-1), PvmBadParam);
  CHECK_ERROR(pvm_bufinfo(other, 0, 0, 0), PvmNoSuchBuf);
  CHECK_ERROR(pvm_getminfo(other, &info), PvmNoSuchBuf);
  CHECK_ERROR(pvm_setminfo(other, &info), PvmNoSuchBuf);
  CHECK_ERROR(pvm_mkbuf(9), PvmBadParam);
  CHECK_ERROR(pvm_initsend(-1), PvmBadParam);
  CHECK_ERROR(pvm_upkint(&got, 1, 1), PvmNoBuf);
  CHECK_ERROR(pvm_pkint(0, 1, 1), PvmBadParam);
  CHECK_ERROR(pvm_pkint(ints, -1, 1), PvmBadParam);
  CHECK_INT(pvm_setsbuf(0), first);
  CHECK_ERROR(pvm_pkint(ints, 1, 1), PvmNoBuf);
  CHECK_ERROR(pvm_pkstr("text"), PvmNoBuf);
  CHECK_ERROR(pvm_send(pvm_mytid(), 1), PvmNoBuf);
}

/* A message may change after it has been sent, and one in place before it is. */
static void when_it_is_read(void) {
  int value = 1, got = 0;
  pvm_initsend(PvmDataRaw);
  pvm_pkint(&value, 1, 1);
  pvm_send(pvm_mytid(), 1);
  pvm_pkint(&value, 1, 1);
  value = 2;
  pvm_send(pvm_mytid(), 2);
  pvm_initsend(PvmDataInPlace);
  pvm_pkint(&value, 1, 1);
  value = 3;
  pvm_send(pvm_mytid(), 3);
  value = 4;
  for (int tag = 1; tag <= 3; ++tag) {
    int length;
    pvm_bufinfo(pvm_recv(-1, tag), &length, 0, 0);
    CHECK_INT(length, tag == 2 ? 8 : 4);
    pvm_upkint(&got, 1, 1);
    CHECK_INT(got, tag == 3 ? 3 : 1);
  }
}

static void messages_in_messages(void) {
  int got[2], inner, tag;
  const int inside = pvm_mkbuf(PvmDataDefault);
  struct pvmminfo info, original;
  pvm_setsbuf(inside);
  pvm_pkint(ints, 2, 1);
  CHECK_ERROR(pvm_pkmesg(99), PvmNoSuchBuf);
  CHECK_ERROR(pvm_pkmesg(inside), PvmBadParam);
  CHECK_ERROR(pvm_pkmesg(0), PvmBadParam);
  pvm_setmwid(inside, 5);
  pvm_send(pvm_mytid(), 41);
  const int kept = pvm_recv(-1, 41);
  pvm_setrbuf(0);
  pvm_getminfo(kept, &original);
  pvm_initsend(PvmDataRaw);
  CHECK_ERROR(pvm_pkmesgbody(kept), PvmMismatch);
  pvm_initsend(PvmDataDefault);
  CHECK_INT(pvm_pkmesg(kept), PvmOk);
  CHECK_INT(pvm_pkmesgbody(kept), PvmOk);
  pvm_send(pvm_mytid(), 42);
  CHECK(pvm_recv(-1, 42) > 0);
  inner = pvm_upkmesg();
  CHECK(inner > 0);
  CHECK_INT(pvm_upkint(got, 2, 1), PvmOk); /* the body by itself */
  CHECK(got[0] == ints[0] && got[1] == ints[1]);
  CHECK_INT(pvm_bufinfo(inner, 0, &tag, 0), PvmOk);
  CHECK_INT(tag, 41);
  CHECK_INT(pvm_getminfo(inner, &info), PvmOk);
  CHECK(memcmp(&info, &original, sizeof info) == 0 && info.wid == 5 && info.dst == pvm_mytid());
  pvm_setrbuf(inner);
  CHECK_INT(pvm_upkint(got, 2, 1), PvmOk);
  CHECK(got[0] == ints[0] && got[1] == ints[1]);
  CHECK_ERROR(pvm_upkmesg(), PvmNoData);
}

int main(int argc, char** argv) {
  begin(argv[0], argc > 0 ? 1 : 0);
  for (int encoding = PvmDataDefault; encoding <= PvmDataInPlace; ++encoding) {
    to_and_fro(encoding, items, 1);
    if (encoding != PvmDataInPlace) to_and_fro(encoding, items / 2, 2);
    to_and_fro(encoding, 0, 1);
  }
  formats();
  buffers();
  when_it_is_read();
  messages_in_messages();
  return finish();
}
