/* A program with a race: two threads count, and between reading the counter and writing it back they call a function. An
   update is lost if the other thread writes meanwhile. With -DFIXED a mutex is held from the one to the other.

   Usage: race COUNTS      each thread counts so often; the exit status is 1 if updates were lost. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef FIXED
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
#define LOCK pthread_mutex_lock(&mutex)
#define UNLOCK pthread_mutex_unlock(&mutex)
#else
#define LOCK (void)0
#define UNLOCK (void)0
#endif

static volatile long counter;
static long counts;

/* The place of the dose: the counter was read, and is not yet written. */
__attribute__((noinline)) static long next(long value)
{
    return value + 1;
}

static void *run(void *unused)
{
    for (long i = 0; i < counts; i++) {
        LOCK;
        counter = next(counter);
        UNLOCK;
    }
    return unused;
}

int main(int count, char **words)
{
    counts = count > 1 ? atol(words[1]) : 200;
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        if (pthread_create(&threads[i], 0, run, 0) != 0)
            return 2;
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    if (counter == 2 * counts)
        return 0;
    printf("lost %ld of %ld\n", 2 * counts - counter, 2 * counts);
    return 1;
}
