/* For programs that repeat their work inside one process: PROOFMARK_ITERATION; as the first statement of the loop marks that an
   iteration begins, and the one before ends. Programs that are not linked by `proofmark cc` do nothing there. */
#ifndef PROOFMARK_H
#define PROOFMARK_H

#if defined(__GNUC__) && defined(__ELF__)
#ifdef __cplusplus
extern "C"
#else
extern
#endif
void proofmark_iteration(void) __attribute__((weak));
#define PROOFMARK_ITERATION (proofmark_iteration ? proofmark_iteration() : (void)0)
#else
#define PROOFMARK_ITERATION ((void)0)
#endif

#endif
