//! Machine code of known answer: loops whose blocks have a known length in cycles.
//!
//! Only register forms and one load: some cores execute `add r, imm` at rename, in no time at all.

use std::arch::global_asm;

/// Cycles of one turn of [`chain`].
pub(super) const CHAIN_CYCLES: u64 = 256;

/// How control comes into a block from the one that runs before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Entered {
    /// By falling through, or by the loop's conditional branch.
    Through,
    /// By an unconditional jump.
    Jump,
}

/// Length of a block: `fixed + unknown * u` cycles, where u is what the victim's measured length leaves over: the latency of its
/// division or of its loads, or the cycles per instruction where nothing waits. A victim without unknown parts is wholly known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Length {
    /// Cycles that are known.
    pub fixed: f64,
    /// Number of parts of unknown length.
    pub unknown: f64,
}

/// A loop of blocks that are executed one after the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Victim {
    /// Its name in reports.
    pub name: &'static str,
    /// The loop: how many turns.
    run: unsafe extern "C" fn(u64),
    /// Its blocks in the order of execution.
    blocks: &'static [(Length, Entered)],
    /// Addresses of the blocks' first and second instructions in turn, and the end of the loop.
    addresses: &'static [usize],
}

/// A block at its addresses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Place {
    /// First address.
    pub start: u64,
    /// Address of the second instruction.
    pub second: u64,
    /// Address behind the last instruction.
    pub end: u64,
    /// Its length.
    pub length: Length,
    /// How it is entered.
    pub entered: Entered,
}

impl Victim {
    /// Runs so many turns, at least one.
    pub fn run(&self, turns: u64) {
        // SAFETY: the loop counts `turns` down from at least 1, clobbers only registers that the C ABI lets it, divides by one
        // and loads from its own stack slot.
        unsafe { (self.run)(turns.max(1)) }
    }

    /// Its blocks in the order of execution.
    pub fn places(&self) -> Vec<Place> {
        let end_of = |block: usize| match block + 1 {
            last if last == self.blocks.len() => self.addresses[2 * last],
            next => self.addresses[2 * next],
        };
        let place = |(block, &(length, entered)): (usize, &(Length, Entered))| Place {
            start: self.addresses[2 * block] as u64,
            second: self.addresses[2 * block + 1] as u64,
            end: end_of(block) as u64,
            length,
            entered,
        };
        self.blocks.iter().enumerate().map(place).collect()
    }
}

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

/// One victim: its loop in assembly, a table of its addresses, and its description.
///
/// Every block is `[first instruction; the other instructions; length; how it is entered]`.
macro_rules! victim {
    ($item:ident, $label:literal, [$([$first:literal; $($rest:literal),*; $fixed:literal, $unknown:literal; $entered:ident]),+ $(,)?]) => {
        mod $item {
            use super::{Entered, Length, Victim};
            std::arch::global_asm!(
                concat!(".hidden proofmark_", $label, ", proofmark_", $label, "_table"),
                concat!(".globl proofmark_", $label, ", proofmark_", $label, "_table"),
                ".p2align 6",
                ".pushsection .data.rel.ro.proofmark_victims, \"aw\"",
                ".p2align 3",
                concat!("proofmark_", $label, "_table:"),
                ".popsection",
                concat!("proofmark_", $label, ":"),
                "mov ecx, 1",
                "mov r8d, 1",
                "xor r9d, r9d",
                "xor r10d, r10d",
                "xor r11d, r11d",
                "lea rax, [rsp - 8]",
                "mov [rsp - 8], rax",
                ".p2align 6",
                "20:",
                $("21:", $first, "22:", $($rest,)*
                    ".pushsection .data.rel.ro.proofmark_victims, \"aw\"",
                    ".quad 21b, 22b",
                    ".popsection",)+
                "dec rdi",
                "jnz 20b",
                "23:",
                ".pushsection .data.rel.ro.proofmark_victims, \"aw\"",
                ".quad 23b",
                ".popsection",
                "ret",
            );
            unsafe extern "C" {
                #[link_name = concat!("proofmark_", $label)]
                fn run(turns: u64);
                #[link_name = concat!("proofmark_", $label, "_table")]
                static TABLE: [usize; 2 * BLOCKS.len() + 1];
            }
            const BLOCKS: &[(Length, Entered)] = &[
                $((Length { fixed: $fixed, unknown: $unknown }, Entered::$entered)),+
            ];
            pub(super) fn victim() -> Victim {
                Victim {
                    name: $label,
                    run,
                    blocks: BLOCKS,
                    // SAFETY: the assembler wrote two addresses per block and the end, and nobody writes there afterwards.
                    addresses: unsafe { &TABLE },
                }
            }
        }
    };
}

// Blocks of four `add`s that fall through.
victim!(uniform_4, "uniform_4", [
    ["add rax, r9"; ".rept 3", "add rax, r9", ".endr"; 4.0, 0.0; Through],
    ["add rax, r9"; ".rept 3", "add rax, r9", ".endr"; 4.0, 0.0; Through],
    ["add rax, r9"; ".rept 3", "add rax, r9", ".endr"; 4.0, 0.0; Through],
    ["add rax, r9"; ".rept 3", "add rax, r9", ".endr"; 4.0, 0.0; Through],
]);

// Blocks of eight.
victim!(uniform_8, "uniform_8", [
    ["add rax, r9"; ".rept 7", "add rax, r9", ".endr"; 8.0, 0.0; Through],
    ["add rax, r9"; ".rept 7", "add rax, r9", ".endr"; 8.0, 0.0; Through],
    ["add rax, r9"; ".rept 7", "add rax, r9", ".endr"; 8.0, 0.0; Through],
    ["add rax, r9"; ".rept 7", "add rax, r9", ".endr"; 8.0, 0.0; Through],
]);

// The same, each left by a jump.
victim!(jumps_8, "jumps_8", [
    ["add rax, r9"; ".rept 7", "add rax, r9", ".endr", "jmp 24f", ".p2align 6", "24:"; 8.0, 0.0; Through],
    ["add rax, r9"; ".rept 7", "add rax, r9", ".endr", "jmp 24f", ".p2align 6", "24:"; 8.0, 0.0; Jump],
    ["add rax, r9"; ".rept 7", "add rax, r9", ".endr", "jmp 24f", ".p2align 6", "24:"; 8.0, 0.0; Jump],
    ["add rax, r9"; ".rept 7", "add rax, r9", ".endr"; 8.0, 0.0; Jump],
]);

// A slow instruction at the end of each block.
victim!(slow_ends_8, "slow_ends_8", [
    ["add rax, r9"; ".rept 4", "add rax, r9", ".endr", "imul rax, rcx"; 8.0, 0.0; Through],
    ["add rax, r9"; ".rept 4", "add rax, r9", ".endr", "imul rax, rcx"; 8.0, 0.0; Through],
    ["add rax, r9"; ".rept 4", "add rax, r9", ".endr", "imul rax, rcx"; 8.0, 0.0; Through],
    ["add rax, r9"; ".rept 4", "add rax, r9", ".endr", "imul rax, rcx"; 8.0, 0.0; Through],
]);

// Slow instructions before and behind a border, blocks of 8 cycles.
victim!(slow_borders_8, "slow_borders_8", [
    ["add rax, r9"; ".rept 4", "add rax, r9", ".endr", "imul rax, rcx"; 8.0, 0.0; Through],
    ["imul rax, rcx"; ".rept 5", "add rax, r9", ".endr", "jmp 24f", ".p2align 6", "24:"; 8.0, 0.0; Through],
    ["add rax, r9"; ".rept 7", "add rax, r9", ".endr"; 8.0, 0.0; Jump],
]);

// Slow instructions before and behind a border, blocks of 16 cycles.
victim!(slow_borders_16, "slow_borders_16", [
    ["add rax, r9"; ".rept 12", "add rax, r9", ".endr", "imul rax, rcx"; 16.0, 0.0; Through],
    ["imul rax, rcx"; ".rept 13", "add rax, r9", ".endr", "jmp 24f", ".p2align 6", "24:"; 16.0, 0.0; Through],
    ["add rax, r9"; ".rept 15", "add rax, r9", ".endr"; 16.0, 0.0; Jump],
]);

// Slow instructions before and behind a border, blocks of 32 cycles.
victim!(slow_borders_32, "slow_borders_32", [
    ["add rax, r9"; ".rept 28", "add rax, r9", ".endr", "imul rax, rcx"; 32.0, 0.0; Through],
    ["imul rax, rcx"; ".rept 29", "add rax, r9", ".endr", "jmp 24f", ".p2align 6", "24:"; 32.0, 0.0; Through],
    ["add rax, r9"; ".rept 31", "add rax, r9", ".endr"; 32.0, 0.0; Jump],
]);

// Slow instructions before and behind a border, blocks of 64 cycles.
victim!(slow_borders_64, "slow_borders_64", [
    ["add rax, r9"; ".rept 60", "add rax, r9", ".endr", "imul rax, rcx"; 64.0, 0.0; Through],
    ["imul rax, rcx"; ".rept 61", "add rax, r9", ".endr", "jmp 24f", ".p2align 6", "24:"; 64.0, 0.0; Through],
    ["add rax, r9"; ".rept 63", "add rax, r9", ".endr"; 64.0, 0.0; Jump],
]);

// Six, twelve and four instructions in twelve cycles each.
victim!(dense_12, "dense_12", [
    ["imul rax, rcx"; "add rax, r9", "imul rax, rcx", "add rax, r9", "imul rax, rcx", "add rax, r9"; 12.0, 0.0; Through],
    ["add rax, r9"; ".rept 11", "add rax, r9", ".endr"; 12.0, 0.0; Through],
    ["imul rax, rcx"; ".rept 3", "imul rax, rcx", ".endr"; 12.0, 0.0; Through],
]);

// 22 and 64 instructions in 64 cycles each: a sample that names an instruction far behind shows here.
victim!(dense_64, "dense_64", [
    ["imul rax, rcx"; ".rept 20", "imul rax, rcx", ".endr", "add rax, r9"; 64.0, 0.0; Through],
    ["add rax, r9"; ".rept 63", "add rax, r9", ".endr"; 64.0, 0.0; Through],
]);

// A division at the end of a block that falls through. The next block waits for quotient and remainder: where it waits for the
// quotient alone, its first instructions are done before the division is, and nobody can say whose time that was.
victim!(division, "division", [
    ["add rax, r9"; ".rept 19", "add rax, r9", ".endr", "xor edx, edx", "div r8"; 20.0, 1.0; Through],
    ["add rax, rdx"; ".rept 19", "add rax, r9", ".endr"; 20.0, 0.0; Through],
]);

// Loads that wait for each other.
victim!(loads, "loads", [
    ["mov rax, [rax]"; ".rept 3", "mov rax, [rax]", ".endr"; 0.0, 4.0; Through],
    ["mov rax, [rax]"; "mov rax, [rax]", ".rept 6", "add rax, r9", ".endr"; 6.0, 2.0; Through],
    ["add rax, r9"; ".rept 15", "add rax, r9", ".endr"; 16.0, 0.0; Through],
]);

// Six independent chains: every slot of the processor is busy. The last block has the loop's branch.
victim!(throughput, "throughput", [
    ["add r10, r9"; "add r11, r9", "add rax, r9", "add rcx, r9", "add rdx, r9", "add rsi, r9", "add r10, r9", "add r11, r9", "add rax, r9", "add rcx, r9", "add rdx, r9", "add rsi, r9"; 0.0, 12.0; Through],
    ["add r10, r9"; "add r11, r9", "add rax, r9", "add rcx, r9", "add rdx, r9", "add rsi, r9", ".rept 3", "add r10, r9", "add r11, r9", "add rax, r9", "add rcx, r9", "add rdx, r9", "add rsi, r9", ".endr"; 0.0, 24.0; Through],
    ["add r10, r9"; "add r11, r9", "add rax, r9", "add rcx, r9", "add rdx, r9", "add rsi, r9", ".rept 7", "add r10, r9", "add r11, r9", "add rax, r9", "add rcx, r9", "add rdx, r9", "add rsi, r9", ".endr"; 0.0, 49.0; Through],
]);

/// All victims; together they show what is left at a border between blocks.
pub(super) fn victims() -> [Victim; 13] {
    [
        uniform_4::victim(),
        uniform_8::victim(),
        jumps_8::victim(),
        slow_ends_8::victim(),
        slow_borders_8::victim(),
        slow_borders_16::victim(),
        slow_borders_32::victim(),
        slow_borders_64::victim(),
        dense_12::victim(),
        dense_64::victim(),
        division::victim(),
        loads::victim(),
        throughput::victim(),
    ]
}

unsafe extern "C" {
    fn proofmark_chain(turns: u64);
}

/// Runs [`CHAIN_CYCLES`] dependent one-cycle additions per turn.
pub(super) fn chain(turns: u64) {
    // SAFETY: the loop counts `turns` down from at least 1 and clobbers only registers that the C ABI lets it.
    unsafe { proofmark_chain(turns.max(1)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_assembler_put_the_blocks_where_the_tables_say() {
        for victim in victims() {
            let places = victim.places();
            for place in &places {
                assert!(
                    place.start < place.second && place.second < place.end,
                    "{}: {place:?}",
                    victim.name
                );
            }
            for pair in places.windows(2) {
                assert_eq!(pair[0].end, pair[1].start, "{}", victim.name);
            }
        }
        let adds = victims()[0].places();
        assert_eq!(
            adds[1].start - adds[0].start,
            12,
            "four additions of three bytes"
        );
    }

    #[test]
    fn victims_run_and_return_even_for_no_turns() {
        chain(0);
        for victim in victims() {
            victim.run(0);
            victim.run(3);
        }
    }
}
