//! Machine code of known answer: leaf loops without memory accesses.
//!
//! Only register forms: some cores execute `add r, imm` at rename, in no time at all.

use std::arch::global_asm;

/// Cycles of one turn of [`chain`].
pub(super) const CHAIN_CYCLES: u64 = 256;

/// Pairs of `imul` (3 cycles) and `add` (1 cycle) before the division of the skid victim.
pub(super) const SKID_PAIRS_BEFORE: u64 = 8;

/// Pairs after it.
pub(super) const SKID_PAIRS_AFTER: u64 = 4;

/// Cycles of an `imul` and the `add` that waits for it.
pub(super) const PAIR_CYCLES: u64 = 4;

/// Bytes of `imul rax, rcx`.
pub(super) const IMUL_BYTES: u64 = 4;

/// Bytes of `imul rax, rcx; add rax, r9`.
pub(super) const PAIR_BYTES: u64 = 7;

/// Cycles of the blocks of the shares victim: `add`s and an `imul` falling through, an `imul` and `add`s before a jump, `add`s before the loop's branch.
pub(super) const SHARES_CYCLES: [u64; 3] = [8, 8, 8];

// The chain: one `add` waits for the last.
global_asm!(
    ".p2align 6",
    ".hidden proofmark_chain",
    ".globl proofmark_chain",
    "proofmark_chain:",
    "xor eax, eax",
    "xor ecx, ecx",
    ".p2align 6",
    "2:",
    ".rept {adds}",
    "add rax, rcx",
    ".endr",
    "dec rdi",
    "jnz 2b",
    "ret",
    adds = const CHAIN_CYCLES,
);

// The skid victim: pairs, a division by one that ends its block by falling through, pairs.
global_asm!(
    ".hidden proofmark_skid, proofmark_skid_pairs, proofmark_skid_set_up, proofmark_skid_div",
    ".hidden proofmark_skid_after, proofmark_skid_end",
    ".globl proofmark_skid, proofmark_skid_pairs, proofmark_skid_set_up, proofmark_skid_div",
    ".globl proofmark_skid_after, proofmark_skid_end",
    ".p2align 6",
    "proofmark_skid:",
    "mov eax, 1",
    "mov ecx, 1",
    "mov r8d, 1",
    "xor r9d, r9d",
    ".p2align 6",
    "proofmark_skid_pairs:",
    "2:",
    ".rept {before}",
    "imul rax, rcx",
    "add rax, r9",
    ".endr",
    "proofmark_skid_set_up:",
    "xor edx, edx",
    "proofmark_skid_div:",
    "div r8",
    "proofmark_skid_after:",
    ".rept {after}",
    "imul rax, rcx",
    "add rax, r9",
    ".endr",
    "dec rdi",
    "jnz 2b",
    "proofmark_skid_end:",
    "ret",
    before = const SKID_PAIRS_BEFORE,
    after = const SKID_PAIRS_AFTER,
);

// The shares victim: the first block ends in a slow instruction and falls through, where skid puts time on the next block; the next
// begins with a slow one, where a correction without skid would take time away.
global_asm!(
    ".hidden proofmark_shares, proofmark_shares_a, proofmark_shares_b, proofmark_shares_c, proofmark_shares_end",
    ".globl proofmark_shares, proofmark_shares_a, proofmark_shares_b, proofmark_shares_c, proofmark_shares_end",
    ".p2align 6",
    "proofmark_shares:",
    "mov eax, 1",
    "mov ecx, 1",
    "xor r9d, r9d",
    ".p2align 6",
    "proofmark_shares_a:",
    ".rept 5",
    "add rax, r9",
    ".endr",
    "imul rax, rcx",
    "proofmark_shares_b:",
    "imul rax, rcx",
    ".rept 5",
    "add rax, r9",
    ".endr",
    "jmp proofmark_shares_c",
    ".p2align 6",
    "proofmark_shares_c:",
    ".rept 8",
    "add rax, r9",
    ".endr",
    "dec rdi",
    "jnz proofmark_shares_a",
    "proofmark_shares_end:",
    "ret",
);

unsafe extern "C" {
    fn proofmark_chain(turns: u64);
    fn proofmark_skid(turns: u64);
    fn proofmark_shares(turns: u64);
    static proofmark_skid_pairs: u8;
    static proofmark_skid_set_up: u8;
    static proofmark_skid_div: u8;
    static proofmark_skid_after: u8;
    static proofmark_skid_end: u8;
    static proofmark_shares_a: u8;
    static proofmark_shares_b: u8;
    static proofmark_shares_c: u8;
    static proofmark_shares_end: u8;
}

/// Runs [`CHAIN_CYCLES`] dependent one-cycle additions per turn.
pub(super) fn chain(turns: u64) {
    // SAFETY: the loop counts `turns` down from at least 1 and clobbers only registers that the C ABI lets it.
    unsafe { proofmark_chain(turns.max(1)) }
}

/// Runs the skid victim.
pub(super) fn skid(turns: u64) {
    // SAFETY: as for `chain`; it divides by one, with a high half of zero.
    unsafe { proofmark_skid(turns.max(1)) }
}

/// Runs the shares victim.
pub(super) fn shares(turns: u64) {
    // SAFETY: as for `chain`.
    unsafe { proofmark_shares(turns.max(1)) }
}

/// Addresses in the skid victim.
#[derive(Clone, Copy, Debug)]
pub(super) struct SkidAddresses {
    /// First `imul` of the pairs before the division.
    pub pairs: u64,
    /// End of those pairs.
    pub set_up: u64,
    /// The division.
    pub div: u64,
    /// The instruction after it: the first of the next block.
    pub after: u64,
    /// End of the loop.
    pub end: u64,
}

/// Where the skid victim was linked to.
pub(super) fn skid_addresses() -> SkidAddresses {
    SkidAddresses {
        pairs: (&raw const proofmark_skid_pairs).addr() as u64,
        set_up: (&raw const proofmark_skid_set_up).addr() as u64,
        div: (&raw const proofmark_skid_div).addr() as u64,
        after: (&raw const proofmark_skid_after).addr() as u64,
        end: (&raw const proofmark_skid_end).addr() as u64,
    }
}

/// First addresses of the three blocks of the shares victim, in the order of execution, and the end of each.
pub(super) fn shares_blocks() -> [std::ops::Range<u64>; 3] {
    let [a, b, c, end] = [
        &raw const proofmark_shares_a,
        &raw const proofmark_shares_b,
        &raw const proofmark_shares_c,
        &raw const proofmark_shares_end,
    ]
    .map(|label| label.addr() as u64);
    [a..b, b..c, c..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_assembler_made_the_encodings_that_the_addresses_assume() {
        let at = skid_addresses();
        assert_eq!(at.set_up - at.pairs, SKID_PAIRS_BEFORE * PAIR_BYTES);
        assert_eq!((at.div - at.set_up, at.after - at.div), (2, 3));
        assert!(at.end > at.after + SKID_PAIRS_AFTER * PAIR_BYTES);
    }

    #[test]
    fn victims_run_and_return_even_for_no_turns() {
        for victim in [chain, skid, shares] {
            victim(0);
            victim(3);
        }
    }
}
