/* Lines in pieces, by all the ways there are, with the other ranks in between: rank r ends its line i at (10 i + r) us.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

int main(void) {
  const int rank = getpid() - 1000;
  usleep((unsigned)rank);
  for (int line = 0; line < 6; ++line) {
    char text[64];
    snprintf(text, sizeof text, "rank %d line %d", rank, line);
    const size_t half = strlen(text) / 2;
    usleep(5);
    switch (line) {
      case 0:
        printf("%.*s", (int)half, text);
        usleep(5);
        printf("%s\n", text + half);
        break;
      case 1:
        fflush(stdout);
        write(1, text, half);
        usleep(5);
        write(1, text + half, strlen(text) - half);
        write(1, "\n", 1);
        break;
      case 2:
        for (const char* letter = text; *letter != '\0'; ++letter) putchar(*letter);
        usleep(5);
        putchar('\n');
        break;
      case 3:
        fputs(text, stdout);
        fflush(stdout);
        usleep(5);
        puts("");
        break;
      case 4: {
        const struct iovec parts[] = {{text, strlen(text)}, {"\n", 1}};
        usleep(5);
        writev(1, parts, 2);
        break;
      }
      default:
        usleep(5);
        dprintf(1, "%s\n", text);
    }
  }
  return 0;
}
