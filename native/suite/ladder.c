/* A program of known answer for tests of profilers. Ten functions do 1 to 10 units of work each, so that their shares are
   known; one is never run; one is inlined; one ends with a tail call; one spends its time in the C library; one is called
   back from it. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEEP __attribute__((noinline))
enum { ROUNDS = 20, UNIT = 1200, ITEMS = 64, BLOCK = 4096 };

static uint64_t seed = 88172645463325252u;

/* One step of the work: dependent, so that it takes as long wherever it stands. */
static inline __attribute__((always_inline)) uint64_t step(uint64_t x)
{
    x ^= x << 13;
    x ^= x >> 7;
    return x ^ (x << 17);
}

#define RUNG(n)                                                                                                          \
    KEEP static void rung##n(void)                                                                                       \
    {                                                                                                                    \
        uint64_t x = seed;                                                                                               \
        for (int i = 0; i < (n) * UNIT; i++)                                                                             \
            x = step(x);                                                                                                 \
        seed = x;                                                                                                        \
    }
RUNG(1)
RUNG(2)
RUNG(3)
RUNG(4)
RUNG(5)
RUNG(6)
RUNG(7)
RUNG(8)
RUNG(9)
RUNG(10)

/* Its condition never holds, but no compiler knows. */
KEEP static void never(void)
{
    for (int i = 0; i < UNIT; i++)
        seed = step(seed) + 1;
}

/* All of its own work stands in front of a jump to rung1. */
KEEP static void tail(void)
{
    uint64_t x = seed;
    for (int i = 0; i < 4 * UNIT; i++)
        x = step(x);
    seed = x;
    rung1();
}

static int compare(const void *a, const void *b)
{
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

/* The time is qsort's and compare's. */
KEEP static void sorts(void)
{
    uint32_t items[ITEMS];
    for (int i = 0; i < ITEMS; i++)
        items[i] = (uint32_t)(seed = step(seed));
    qsort(items, ITEMS, sizeof *items, compare);
    seed += items[ITEMS / 2];
}

/* The time is memmove's. */
KEEP static void copies(void)
{
    static unsigned char from[BLOCK + 1], to[BLOCK + 1];
    from[seed % BLOCK] = (unsigned char)seed;
    for (int i = 0; i < 40; i++)
        memmove(to + (i & 1), from, BLOCK - (seed & 1));
    seed += to[seed % BLOCK];
}

int main(int count, char **words)
{
    int rounds = count > 1 ? atoi(words[1]) : ROUNDS;
    for (int i = 0; i < rounds; i++) {
        rung1(), rung2(), rung3(), rung4(), rung5(), rung6(), rung7(), rung8(), rung9(), rung10();
        tail();
        sorts();
        copies();
        if (seed == 0)
            never();
    }
    printf("%016llx\n", (unsigned long long)seed);
    return 0;
}
