//! Blocks into which slowdown instructions are inserted: one waits for a chain, one keeps all ALUs busy.

use std::arch::asm;

/// A victim with a fixed number of slowdown instructions: how many, and the loop.
pub(super) type Variant = (u32, fn(u64));

/// A loop of two dependent `imul`s (6 cycles, most issue slots free) around the inserted instructions.
macro_rules! latency_bound {
    ($name:ident, $eight:literal, $four:literal) => {
        #[inline(never)]
        fn $name<const N: u32>(turns: u64) {
            // SAFETY: writes only the declared registers; `mov r,r` leaves the others as they are.
            unsafe {
                asm!(
                    ".p2align 6",
                    "2:",
                    "imul {chain}, {one}",
                    ".rept {eights}",
                    $eight,
                    ".endr",
                    ".rept {fours}",
                    $four,
                    ".endr",
                    "imul {chain}, {one}",
                    "dec {turns}",
                    "jnz 2b",
                    turns = inout(reg) turns.max(1) => _,
                    chain = inout(reg) 1_u64 => _,
                    one = in(reg) 1_u64,
                    eights = const N / 8,
                    fours = const N % 8 / 4,
                    out("r8") _, out("r9") _, out("r10") _, out("r11") _,
                    out("r12") _, out("r13") _, out("r14") _, out("r15") _,
                    options(nomem, nostack),
                );
            }
        }
    };
}

/// A loop of ten independent comparisons (no result to wait for, every ALU port busy) around the inserted instructions.
macro_rules! alu_saturated {
    ($name:ident, $eight:literal, $four:literal) => {
        #[inline(never)]
        fn $name<const N: u32>(turns: u64) {
            // SAFETY: as in the latency-bound block.
            unsafe {
                asm!(
                    ".p2align 6",
                    "2:",
                    ".rept 5",
                    "cmp {a}, {b}",
                    ".endr",
                    ".rept {eights}",
                    $eight,
                    ".endr",
                    ".rept {fours}",
                    $four,
                    ".endr",
                    ".rept 5",
                    "cmp {b}, {a}",
                    ".endr",
                    "dec {turns}",
                    "jnz 2b",
                    turns = inout(reg) turns.max(1) => _,
                    a = in(reg) 1_u64,
                    b = in(reg) 2_u64,
                    eights = const N / 8,
                    fours = const N % 8 / 4,
                    out("r8") _, out("r9") _, out("r10") _, out("r11") _,
                    out("r12") _, out("r13") _, out("r14") _, out("r15") _,
                    options(nomem, nostack),
                );
            }
        }
    };
}

latency_bound!(
    latency_movs,
    "mov r8, r8\nmov r9, r9\nmov r10, r10\nmov r11, r11\nmov r12, r12\nmov r13, r13\nmov r14, r14\nmov r15, r15",
    "mov r8, r8\nmov r9, r9\nmov r10, r10\nmov r11, r11"
);
latency_bound!(
    latency_nops,
    ".rept 8\n.byte 0x66, 0x90\n.endr",
    ".rept 4\n.byte 0x66, 0x90\n.endr"
);
alu_saturated!(
    alu_movs,
    "mov r8, r8\nmov r9, r9\nmov r10, r10\nmov r11, r11\nmov r12, r12\nmov r13, r13\nmov r14, r14\nmov r15, r15",
    "mov r8, r8\nmov r9, r9\nmov r10, r10\nmov r11, r11"
);
alu_saturated!(
    alu_nops,
    ".rept 8\n.byte 0x66, 0x90\n.endr",
    ".rept 4\n.byte 0x66, 0x90\n.endr"
);

/// The victim with every number of instructions inserted.
macro_rules! variants {
    ($victim:ident) => {
        &[
            (0, $victim::<0>),
            (4, $victim::<4>),
            (8, $victim::<8>),
            (12, $victim::<12>),
            (16, $victim::<16>),
            (20, $victim::<20>),
            (24, $victim::<24>),
            (28, $victim::<28>),
            (32, $victim::<32>),
            (40, $victim::<40>),
            (48, $victim::<48>),
            (64, $victim::<64>),
            (96, $victim::<96>),
        ]
    };
}

/// `mov r,r` rotated over r8 to r15, in the latency-bound block.
pub(super) const LATENCY_MOVS: &[Variant] = variants!(latency_movs);

/// Two-byte `nop` in the latency-bound block.
pub(super) const LATENCY_NOPS: &[Variant] = variants!(latency_nops);

/// `mov r,r` rotated over r8 to r15, in the ALU-saturated block.
pub(super) const ALU_MOVS: &[Variant] = variants!(alu_movs);

/// Two-byte `nop` in the ALU-saturated block.
pub(super) const ALU_NOPS: &[Variant] = variants!(alu_nops);
