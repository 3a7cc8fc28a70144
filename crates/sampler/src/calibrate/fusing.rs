//! Whether a slowdown instruction vanishes in the operation behind it.

use std::arch::asm;

use proofmark_stats::Estimate;
use serde::{Deserialize, Serialize};

use super::clock::clock_ghz_now;
use super::stretch::{median_estimate, time_ns};

/// Rounds over the three loops.
const ROUNDS: usize = 25;

/// Turns of one timed stretch: about 0.15 ms.
const TURNS: u64 = 50_000;

/// Slowdown instructions in a turn.
const MOVS: f64 = 24.0;

/// What `mov r,r` costs in front of an addition that keeps all ALUs busy: some processors execute it together with an operation on the
/// same register, in no time of its own.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fusing {
    /// Cycles of a `mov` whose register the next operation changes; n counts rounds.
    pub same_register_cycles: Estimate,
    /// Cycles of a `mov` of a register that the next operation does not touch; n counts rounds.
    pub other_register_cycles: Estimate,
}

impl Fusing {
    /// Whether a `mov` in front of an operation on its register is certainly less than half as dear as another.
    #[must_use]
    pub fn fuses(&self) -> bool {
        self.same_register_cycles.high < self.other_register_cycles.value / 2.0
    }
}

/// A loop of 24 additions over eight registers, each behind what is inserted.
macro_rules! additions {
    ($name:ident, $($inserted:literal),*) => {
        #[inline(never)]
        fn $name(turns: u64) {
            // SAFETY: writes only the declared registers; `mov r,r` leaves the others as they are.
            unsafe {
                asm!(
                    ".p2align 6",
                    "2:",
                    ".rept 3",
                    $($inserted,)*
                    ".endr",
                    "dec {turns}",
                    "jnz 2b",
                    turns = inout(reg) turns.max(1) => _,
                    out("rcx") _, out("rdx") _, out("rsi") _, out("rdi") _,
                    out("r8") _, out("r9") _, out("r10") _, out("r11") _,
                    out("r12") _, out("r13") _, out("r14") _, out("r15") _,
                    options(nomem, nostack),
                );
            }
        }
    };
}

additions!(
    plain,
    "add r8, rcx",
    "add r9, rcx",
    "add r10, rcx",
    "add r11, rcx",
    "add r12, rcx",
    "add r13, rcx",
    "add r14, rcx",
    "add r15, rcx"
);
additions!(
    same,
    "mov r8, r8",
    "add r8, rcx",
    "mov r9, r9",
    "add r9, rcx",
    "mov r10, r10",
    "add r10, rcx",
    "mov r11, r11",
    "add r11, rcx",
    "mov r12, r12",
    "add r12, rcx",
    "mov r13, r13",
    "add r13, rcx",
    "mov r14, r14",
    "add r14, rcx",
    "mov r15, r15",
    "add r15, rcx"
);
additions!(
    other,
    "mov rdx, rdx",
    "add r8, rcx",
    "mov rsi, rsi",
    "add r9, rcx",
    "mov rdi, rdi",
    "add r10, rcx",
    "mov rdx, rdx",
    "add r11, rcx",
    "mov rsi, rsi",
    "add r12, rcx",
    "mov rdi, rdi",
    "add r13, rcx",
    "mov rdx, rdx",
    "add r14, rcx",
    "mov rsi, rsi",
    "add r15, rcx"
);

/// Measures the three loops in interleaved rounds.
pub(super) fn measure_fusing() -> Option<Fusing> {
    let cycles = |run: fn(u64)| time_ns(|| run(TURNS)) * clock_ghz_now() / TURNS as f64;
    let (mut on_same, mut on_other) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let base = cycles(plain);
        on_same.push((cycles(same) - base) / MOVS);
        on_other.push((cycles(other) - base) / MOVS);
    }
    Some(Fusing {
        same_register_cycles: median_estimate(on_same)?,
        other_register_cycles: median_estimate(on_other)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_certain_difference_is_called_fusing() {
        let finding = |same, other| Fusing {
            same_register_cycles: Estimate::around(same, 0.02, 25),
            other_register_cycles: Estimate::around(other, 0.02, 25),
        };
        assert!(finding(0.01, 0.2).fuses());
        assert!(!finding(0.2, 0.2).fuses());
        assert!(
            !finding(0.09, 0.2).fuses(),
            "its interval reaches half of the other"
        );
    }
}
