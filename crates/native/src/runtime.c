/* Linked into programs with sites by `proofmark cc`: gives one site the dose that the file named by PROOFMARK_DOSES asks
   for, before main. Without that variable all sites are at rest. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* An entry of the table of sites; distances count from the words that hold them. */
struct site {
    uint64_t key;
    int32_t dose, code, name, file;
    uint32_t line, unused;
};

/* The file. */
struct request {
    uint64_t magic;
    uint64_t key;
    uint32_t turns;
    /* Sites that took the dose, over all modules and processes. */
    uint32_t obeyed;
};

#define MAGIC 0x3145534f444d5250ull

__attribute__((weak, visibility("hidden"))) extern const struct site __start_proofmark_sites[];
__attribute__((weak, visibility("hidden"))) extern const struct site __stop_proofmark_sites[];

__attribute__((constructor(101))) static void proofmark_begin(void)
{
    const char *path = secure_getenv("PROOFMARK_DOSES");
    if (!path)
        return;
    int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0)
        return;
    struct request *request = mmap(0, sizeof *request, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (request == MAP_FAILED)
        return;
    if (request->magic == MAGIC && request->turns) {
        const struct site *end = __stop_proofmark_sites;
        for (const struct site *site = __start_proofmark_sites; site < end; site++) {
            if (site->key != request->key)
                continue;
            volatile uint32_t *dose = (volatile uint32_t *)((uintptr_t)&site->dose + (intptr_t)site->dose);
            *dose = request->turns;
            __atomic_fetch_add(&request->obeyed, 1, __ATOMIC_RELAXED);
        }
    }
    munmap(request, sizeof *request);
}
