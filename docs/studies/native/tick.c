/* The clock of a site's turns: a function that is called so often as the argument says, with nothing around it. Built with sites, a
   dose in `tick` tells how long a turn takes on this machine now, whatever the program that is looked at does beside it.

   Usage: tick CALLS
          tick neighbour      takes the last-level cache away from others until it is ended */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES = 64 << 20, LINE = 64 };

__attribute__((noinline)) static void tick(void)
{
    __asm__ volatile("");
}

static void neighbour(void)
{
    volatile unsigned char *bytes = malloc(BYTES);
    if (!bytes)
        exit(1);
    for (;;)
        for (size_t at = 0; at < BYTES; at += LINE)
            bytes[at]++;
}

int main(int count, char **words)
{
    if (count != 2) {
        fprintf(stderr, "usage: tick CALLS|neighbour\n");
        return 2;
    }
    if (strcmp(words[1], "neighbour") == 0)
        neighbour();
    for (long left = atol(words[1]); left > 0; left--)
        tick();
    return 0;
}
