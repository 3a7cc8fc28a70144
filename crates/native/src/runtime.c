/* Linked into programs with sites by `proofmark cc`: gives sites the doses that are asked for. All sites are at rest where
   nobody asks.

   Whole processes: the file named by PROOFMARK_DOSES holds one request, obeyed before main.
   Marked iterations: the socket whose number is in PROOFMARK_ITERATIONS brings an order per window. The first mark waits for
   one, and so does the mark that ends a window.
   Variants with filled slots: the socket whose number is in PROOFMARK_GATE is told where the program is, and the process waits
   before main until it hears a byte. At its end it tells what it took, and writes its counters to PROOFMARK_COUNTS. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
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

/* What comes: a window is wanted. */
struct order {
    uint64_t key, least_ns;
    uint32_t turns, least;
};

/* What goes: a window that ran, or the part of it that did before the process ended. Times: CLOCK_MONOTONIC, and CPU time
   of the process. */
struct window {
    uint64_t begin_ns, end_ns, cpu_ns;
    uint32_t iterations, obeyed, whole, unused;
};

/* The sites of a program or library. */
struct module {
    struct module *next;
    const struct site *begin, *end;
};

/* What the program and its libraries share: the linker makes one of all that have this name. */
struct proofmark_shared {
    struct module *modules;
    int asked, socket, first;
    pid_t process;
    struct order order;
    struct window window;
    uint64_t cpu_begin;
    /* Marks in this window, and the one at which the clocks are read next. */
    uint32_t marks, next;
};
__attribute__((weak)) struct proofmark_shared proofmark_shared;
#define shared proofmark_shared

__attribute__((weak, visibility("hidden"))) extern const struct site __start_proofmark_sites[];
__attribute__((weak, visibility("hidden"))) extern const struct site __stop_proofmark_sites[];

static struct module own;

/* Counters of blocks, in a variant that counts. */
__attribute__((weak, visibility("hidden"))) extern const uint64_t __start_proofmark_counts[];
__attribute__((weak, visibility("hidden"))) extern const uint64_t __stop_proofmark_counts[];

/* The gate's socket, or -1; the process that passed it; where its counters go. */
static int gate = -1;
static pid_t gated;
static char counts[4096];

__attribute__((weak, visibility("hidden"))) extern const char __ehdr_start[];

static uint64_t now(clockid_t clock);

/* Whether this is the program's own runtime, not that of a library. */
static int is_of_program(void)
{
    return __ehdr_start && getauxval(AT_PHDR) - (uintptr_t)__ehdr_start < 65536;
}

static void say(uint64_t first, uint64_t second)
{
    uint64_t said[2] = {first, second};
    while (send(gate, said, sizeof said, MSG_NOSIGNAL) < 0 && errno == EINTR)
        ;
}

/* Waits until the process may begin. */
static void wait_at_gate(int socket)
{
    char begin;
    gate = socket;
    gated = getpid();
    fcntl(gate, F_SETFD, FD_CLOEXEC);
    const char *path = secure_getenv("PROOFMARK_COUNTS");
    if (path && strlen(path) < sizeof counts)
        strcpy(counts, path);
    unsetenv("PROOFMARK_GATE");
    unsetenv("PROOFMARK_COUNTS");
    say(getauxval(AT_PHDR), now(CLOCK_PROCESS_CPUTIME_ID));
    while (recv(gate, &begin, 1, 0) < 0 && errno == EINTR)
        ;
}

/* Tells what the process took, and writes its counters. */
static void leave_gate(void)
{
    if (gate < 0 || gated != getpid())
        return;
    say(now(CLOCK_PROCESS_CPUTIME_ID), now(CLOCK_THREAD_CPUTIME_ID));
    const char *from = (const char *)__start_proofmark_counts, *end = (const char *)__stop_proofmark_counts;
    int file = counts[0] && from < end ? open(counts, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600) : -1;
    while (file >= 0 && from < end) {
        ssize_t more = write(file, from, (size_t)(end - from));
        if (more < 0 && errno == EINTR)
            continue;
        if (more <= 0)
            break;
        from += more;
    }
    if (file >= 0)
        close(file);
}

static uint32_t give(const struct module *module, uint64_t key, uint32_t turns)
{
    uint32_t obeyed = 0;
    for (const struct site *site = module->begin; site < module->end; site++) {
        if (site->key != key)
            continue;
        volatile uint32_t *dose = (volatile uint32_t *)((uintptr_t)&site->dose + (intptr_t)site->dose);
        *dose = turns;
        obeyed++;
    }
    return obeyed;
}

static uint32_t give_all(uint64_t key, uint32_t turns)
{
    uint32_t obeyed = 0;
    for (const struct module *module = shared.modules; module; module = module->next)
        obeyed += give(module, key, turns);
    return obeyed;
}

static void obey_file(const char *path)
{
    int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0)
        return;
    struct request *request = mmap(0, sizeof *request, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (request == MAP_FAILED)
        return;
    if (request->magic == MAGIC && request->turns)
        __atomic_fetch_add(&request->obeyed, give(&own, request->key, request->turns), __ATOMIC_RELAXED);
    munmap(request, sizeof *request);
}

__attribute__((constructor(101))) static void proofmark_begin(void)
{
    own = (struct module){shared.modules, __start_proofmark_sites, __stop_proofmark_sites};
    shared.modules = &own;
    const char *path = secure_getenv("PROOFMARK_DOSES");
    if (path)
        obey_file(path);
    const char *entrance = secure_getenv("PROOFMARK_GATE");
    if (entrance && is_of_program())
        wait_at_gate(atoi(entrance));
    const char *number = secure_getenv("PROOFMARK_ITERATIONS");
    if (!number)
        return;
    int socket = atoi(number);
    /* Not for the programs that this one starts. */
    unsetenv("PROOFMARK_ITERATIONS");
    if (fcntl(socket, F_SETFD, FD_CLOEXEC) == 0) {
        shared.asked = 1;
        shared.socket = socket;
    }
}

static uint64_t now(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void tell(void)
{
    while (send(shared.socket, &shared.window, sizeof shared.window, MSG_NOSIGNAL) < 0 && errno == EINTR)
        ;
}

/* Profilers that count are told by these names where a window begins and ends. The texts differ, or the compiler makes one
   function of both. */
__attribute__((noinline)) static void proofmark_window_begins(void)
{
    __asm__ volatile("# begins");
}

__attribute__((noinline)) static void proofmark_window_ends(void)
{
    __asm__ volatile("# ends");
}

/* Waits for an order and begins its window. Without a further one the process has nothing left to do. */
static void window(void)
{
    struct order order;
    size_t got = 0;
    while (got < sizeof order) {
        ssize_t more = recv(shared.socket, (char *)&order + got, sizeof order - got, 0);
        if (more < 0 && errno == EINTR)
            continue;
        if (more <= 0)
            _exit(0);
        got += (size_t)more;
    }
    give_all(shared.order.key, 0);
    shared.order = order;
    shared.window = (struct window){.obeyed = order.turns ? give_all(order.key, order.turns) : 0};
    shared.marks = 0;
    shared.next = 1;
    shared.cpu_begin = now(CLOCK_PROCESS_CPUTIME_ID);
    shared.window.begin_ns = now(CLOCK_MONOTONIC);
    proofmark_window_begins();
}

/* Reads the clocks; a window that is full ends here. */
static void look(void)
{
    uint64_t end_ns = now(CLOCK_MONOTONIC);
    /* A copy of the process: its marks are nobody's. */
    if (getpid() != shared.process)
        return;
    shared.window.end_ns = end_ns;
    shared.window.cpu_ns = now(CLOCK_PROCESS_CPUTIME_ID) - shared.cpu_begin;
    shared.window.iterations = shared.marks;
    if (shared.marks >= shared.order.least && shared.window.cpu_ns >= shared.order.least_ns) {
        proofmark_window_ends();
        shared.window.whole = 1;
        tell();
        window();
        return;
    }
    /* Short iterations must not consist of looking. */
    shared.next = shared.marks + 1 + shared.marks / 8;
    if (shared.marks < shared.order.least && shared.next > shared.order.least)
        shared.next = shared.order.least;
}

/* An iteration begins, and the one before ends. The marks of the thread that comes first count. */
__attribute__((weak)) void proofmark_iteration(void)
{
    static __thread signed char mine;
    if (mine > 0) {
        if (++shared.marks >= shared.next)
            look();
        return;
    }
    if (mine == 0 && shared.asked && !__atomic_exchange_n(&shared.first, 1, __ATOMIC_RELAXED)) {
        mine = 1;
        shared.process = getpid();
        window();
        return;
    }
    mine = -1;
}

/* A window that the program did not fill is told as far as it is known. */
__attribute__((destructor(101))) static void proofmark_end(void)
{
    leave_gate();
    if (shared.modules == &own && !own.next && shared.process == getpid() && shared.window.iterations)
        tell();
    for (struct module **at = &shared.modules; *at; at = &(*at)->next) {
        if (*at == &own) {
            *at = own.next;
            break;
        }
    }
}
