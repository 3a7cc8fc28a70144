/* A program of known answer for what a line and an inlined function are charged with: without the store, or without what the inlined
   function does, it takes that much less time.

   Usage: known ROUNDS      some 1 ms each. -DNO_STORE, -DNO_INNER, -DNO_OUTER: without it */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEEP __attribute__((noinline))
enum { BITS = 24, STORES = 20000, UNIT = 60000 };

/* 128 MB, so that a store at a random place is in no cache. */
static uint64_t *table;
static uint64_t seed = 88172645463325252u, place = 1;

#ifdef NO_STORE
#define PUT(value) __asm__ volatile("" ::"r"(at), "r"(value))
#else
#define PUT(value) table[at >> (64 - BITS)] = (value)
#endif
#ifdef NO_INNER
#define INNER 0
#else
#define INNER 3 * UNIT
#endif

/* The places do not depend on what was stored: the processor need not wait for a store, only for room to keep it. */
KEEP static void stores(void)
{
    uint64_t at = place;
    for (uint64_t i = 0; i < STORES; i++) { /* line: loop */
        at = at * 6364136223846793005u + 1442695040888963407u; /* line: place */
        PUT(i); /* line: store */
    }
    place = at;
}

static inline __attribute__((always_inline)) uint64_t inner(uint64_t x)
{
    for (long i = 0; i < INNER; i++) /* line: inner */
        x = (x ^ (x << 13)) * 3; /* line: inner */
    return x;
}

/* What is inlined here has no code of its own: without debug information nobody knows its name. */
KEEP static void outer(void)
{
    uint64_t x = seed;
    for (long i = 0; i < UNIT; i++)
        x = (x ^ (x >> 7)) * 5;
    seed = inner(x);
}

KEEP static void other(void)
{
    uint64_t x = seed;
    for (long i = 0; i < UNIT; i++)
        x = (x ^ (x << 17)) * 7;
    seed = x;
}

int main(int count, char **words)
{
    size_t bytes = sizeof *table << BITS;
    if (count != 2 || !(table = malloc(bytes)))
        return 2;
    memset(table, 1, bytes);
    for (long left = atol(words[1]); left > 0; left--) {
        stores();
#ifndef NO_OUTER
        outer();
#else
        (void)outer;
#endif
        other();
    }
    printf("%016llx %016llx\n", (unsigned long long)seed, (unsigned long long)table[place >> (64 - BITS)]);
    return 0;
}
