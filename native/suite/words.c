/* A program that repeats its work: it reads a text of its own making word by word, counts the words in a table, sorts them by
   how often they came and puts the result into a checksum. Making the text is the start, which takes as long as thirty
   repetitions. Word: how often. */
#include <proofmark.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEEP __attribute__((noinline))
enum { LETTERS = 60000, SLOTS = 4096, LONGEST = 24, SHOWN = 200, DRAFTS = 400 };

struct entry {
    char word[LONGEST];
    uint32_t length, times;
};

static char text[LETTERS + 1];
static struct entry table[SLOTS];
static struct entry *found[SLOTS];
static uint64_t seed = 0x9e3779b97f4a7c15u;

static uint32_t random_below(uint32_t limit)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t)((seed >> 32) * limit >> 32);
}

/* Short words of few letters, so that many come again. Only the last draft is read. */
KEEP static void write_text(void)
{
    for (int draft = 0; draft < DRAFTS; draft++) {
        for (int at = 0; at < LETTERS; at++)
            text[at] = random_below(5) ? (char)('a' + random_below(6)) : ' ';
        text[LETTERS] = 0;
    }
}

/* The next word's begin; its length is 0 behind the last one. */
KEEP static const char *next_word(const char *at, uint32_t *length)
{
    while (*at == ' ')
        at++;
    const char *end = at;
    while (*end && *end != ' ' && end - at < LONGEST - 1)
        end++;
    *length = (uint32_t)(end - at);
    return at;
}

KEEP static uint32_t hash_of(const char *word, uint32_t length)
{
    uint32_t hash = 2166136261u;
    for (uint32_t at = 0; at < length; at++)
        hash = (hash ^ (unsigned char)word[at]) * 16777619u;
    return hash ^ hash >> 15;
}

/* The word's slot, or the empty one where it belongs; none in a full table. */
KEEP static struct entry *slot_of(const char *word, uint32_t length)
{
    uint32_t at = hash_of(word, length) % SLOTS;
    for (int looked = 0; looked < SLOTS / 2; looked++, at = (at + 1) % SLOTS) {
        struct entry *entry = &table[at];
        if (!entry->times || (entry->length == length && !memcmp(entry->word, word, length)))
            return entry;
    }
    return 0;
}

KEEP static void count_words(void)
{
    uint32_t length;
    memset(table, 0, sizeof table);
    for (const char *at = next_word(text, &length); length; at = next_word(at + length, &length)) {
        struct entry *entry = slot_of(at, length);
        if (!entry)
            continue;
        if (!entry->times++) {
            memcpy(entry->word, at, length);
            entry->length = length;
        }
    }
}

static int by_times(const void *a, const void *b)
{
    const struct entry *left = *(struct entry *const *)a, *right = *(struct entry *const *)b;
    if (left->times != right->times)
        return left->times < right->times ? 1 : -1;
    return strcmp(left->word, right->word);
}

KEEP static size_t sort_words(void)
{
    size_t all = 0;
    for (int at = 0; at < SLOTS; at++) {
        if (table[at].times)
            found[all++] = &table[at];
    }
    qsort(found, all, sizeof *found, by_times);
    return all;
}

KEEP static uint64_t checksum(size_t all)
{
    uint64_t sum = 0;
    for (size_t at = 0; at < all && at < SHOWN; at++)
        sum = sum * 31 + found[at]->times + hash_of(found[at]->word, found[at]->length);
    return sum;
}

int main(int count, char **words)
{
    long repetitions = count > 1 ? atol(words[1]) : 1000;
    uint64_t sum = 0;
    write_text();
    for (long at = 0; at < repetitions; at++) {
        PROOFMARK_ITERATION;
        count_words();
        sum ^= checksum(sort_words());
    }
    printf("%016llx\n", (unsigned long long)sum);
    return 0;
}
