//! What goes into slots, and in front of functions.

use proofmark_experiment::lab::Filler;

/// Step of the paddings by which variants differ: what the compiler aligns stays aligned to as much.
const STEP: u32 = 16;
/// Paddings that differ: those of a cache line.
const PADDINGS: u32 = 4;

/// Padding of a function under an alignment, bytes.
pub(super) fn padding(number: u32, alignment: usize) -> u32 {
    STEP * ((alignment as u32 * (1 + number % (PADDINGS - 1))) % PADDINGS)
}

/// The instructions that are taken by turns; none if it writes below the stack pointer, where a function may keep data.
pub(super) fn instructions(filler: Filler) -> Option<&'static [&'static str]> {
    let all: &'static [&'static str] = match filler {
        Filler::Mov => &[
            "movq\t%r8, %r8",
            "movq\t%r9, %r9",
            "movq\t%r10, %r10",
            "movq\t%r11, %r11",
            "movq\t%r12, %r12",
            "movq\t%r13, %r13",
            "movq\t%r14, %r14",
            "movq\t%r15, %r15",
        ],
        Filler::Lea => &[
            "leaq\t(%r8), %r8",
            "leaq\t(%r9), %r9",
            "leaq\t(%r10), %r10",
            "leaq\t(%r11), %r11",
            "leaq\t(%r14), %r14",
            "leaq\t(%r15), %r15",
            "leaq\t(%rsi), %rsi",
            "leaq\t(%rdi), %rdi",
        ],
        Filler::Nop => &[".byte\t0x66, 0x90"],
        Filler::Nop9 => &[".byte\t0x66, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0"],
        Filler::Sfence => &["sfence"],
        Filler::Pause => &["pause"],
        Filler::PushPop | Filler::Long => return None,
    };
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::padding;

    #[test]
    fn paddings_take_turns() {
        assert!((0..9).all(|number| padding(number, 0) == 0));
        assert_eq!(
            [1, 2, 3].map(|alignment| padding(0, alignment)),
            [16, 32, 48]
        );
        assert_eq!(
            [0, 1, 2, 3].map(|number| padding(number, 1)),
            [16, 32, 48, 16]
        );
    }
}
