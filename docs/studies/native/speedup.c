/* A program whose gains are known: two functions do as much work as the arguments say, in one thread or in two.

   Usage: speedup THREADS FIRST SECOND      THREADS: 1 or 2; FIRST, SECOND: units of work of the two functions

   A function that is made faster does fewer units. In one thread the time is the sum of both, so that first(60) and second(40)
   made twice as fast save 30 % and 20 %. In two threads it is the longer of both: second(80) beside first(40) is what the program
   waits for, and first may be as fast as it likes. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define KEEP __attribute__((noinline))
/* Turns of a loop in a unit; with 8 steps of 6 cycles each it takes some 0.2 ms. */
enum { UNIT = 12500 };

/* Dependent, so that it takes as long wherever it stands. */
static inline __attribute__((always_inline)) uint64_t step(uint64_t x)
{
    x ^= x << 13;
    x ^= x >> 7;
    return x ^ (x << 17);
}

/* The same work on a state of its own, so that no compiler makes one function of both. */
#define WORKER(name, start)                                                                                              \
    static uint64_t name##_state = start;                                                                                \
    KEEP static void name(long units)                                                                                    \
    {                                                                                                                    \
        uint64_t x = name##_state;                                                                                       \
        for (long i = 0; i < units * UNIT; i++)                                                                          \
            x = step(step(step(step(step(step(step(step(x))))))));                                                       \
        name##_state = x;                                                                                                \
    }
WORKER(first, 88172645463325252u)
WORKER(second, 2463534242u)

static void *beside(void *units)
{
    first(*(long *)units);
    return 0;
}

int main(int count, char **words)
{
    if (count != 4) {
        fprintf(stderr, "usage: speedup THREADS FIRST SECOND\n");
        return 2;
    }
    long units[2] = {atol(words[2]), atol(words[3])};
    pthread_t thread;
    int threaded = atoi(words[1]) > 1 && pthread_create(&thread, 0, beside, &units[0]) == 0;
    if (!threaded)
        first(units[0]);
    second(units[1]);
    if (threaded)
        pthread_join(thread, 0);
    printf("%016llx %016llx\n", (unsigned long long)first_state, (unsigned long long)second_state);
    return 0;
}
