/* Exceptions out of loops, with destructors on the way; jump tables and computed jumps; variables of threads; comparisons of numbers
   that may be none, which take two jumps; functions that keep data below the stack pointer; own assembly. */
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>
#define KEEP __attribute__((noinline))
thread_local int depth = 3;
struct Held { int *at; explicit Held(int *at) : at(at) { ++*at; } ~Held() { --*at; } };
int live = 0;
KEEP int thrown(int n) {
    for (int i = 0;; i++) {
        Held held(&live);
        if (i * i > n) throw std::runtime_error(std::to_string(i));
    }
}
KEEP int caught(int n) {
    int all = 0;
    for (int i = 0; i < n; i++) {
        try { all += thrown(i); } catch (const std::exception &e) { all += e.what()[0]; }
    }
    return all;
}
KEEP int chosen(int n) {
    switch (n) { case 0: return 7; case 1: return n * 3; case 2: return caught(4); case 3: return 5 - n; case 4: return 1; case 5: return 9; case 6: depth++; return depth; default: return -1; }
}
KEEP int computed(const unsigned char *code) {
    static void *const places[] = {&&add, &&twice, &&done};
    int all = 1;
    goto *places[*code++];
add: all += depth; goto *places[*code++];
twice: all *= 2; goto *places[*code++];
done: return all;
}
KEEP int compared(double a, double b) { int all = 0; if (a == b) all |= 1; if (a < b) all |= 2; if (!(a <= b)) all |= 4; return all; }
KEEP static int leaf(int a, int b) { volatile int kept[8]; for (int i = 0; i < 8; i++) kept[i] = a + i * b; return kept[a & 7]; }
KEEP unsigned counted(unsigned n) { unsigned turns = 0; do { turns++; asm volatile("" : "+r"(n)); n = n % 2 ? 3 * n + 1 : n / 2; } while (n != 1); return turns; }
KEEP int locked(int *at) { return __sync_fetch_and_add(at, 2) + __sync_lock_test_and_set(at, 1); }
__attribute__((naked)) int bare() { asm("movl $42, %eax; ret"); }
KEEP long looped(long n) { long all = 0; asm volatile("1: addq %1, %0; loop 1b" : "+r"(all), "+c"(n)); return all + n; }
int main() {
    const unsigned char code[] = {0, 1, 0, 1, 1, 2};
    int at = 5;
    for (int i = 0; i < 8; i++) std::printf("%d ", chosen(i));
    std::printf("%d %d %d %d ", computed(code), compared(1, 2), compared(2, 2), compared(std::nan(""), 2));
    std::printf("%d %u %d %d %ld %d\n", leaf(3, 4), counted(27), locked(&at), bare(), looped(4), live + at);
    return 3;
}
