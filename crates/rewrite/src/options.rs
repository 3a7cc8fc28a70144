//! What the caller decides.

/// How a program is rewritten. The same options must be used for all of its classes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// What the rewritten code records.
    pub mode: Mode,
    /// Prefix of the runtime's class names in internal form, such as `proofmark/count/` (then the classes are
    /// `proofmark/count/Context`, ...) or `java/lang/Proofmark` (`java/lang/ProofmarkContext`, ...).
    pub runtime: String,
    /// Where the counter is compared with zero.
    pub checks: Checks,
    /// A sample that falls due at the end of a method is only noted there, and taken at the caller's next check;
    /// methods without calls push no id and never check. Off: all methods push, and check at their end. The profile is
    /// the same.
    pub leaf: bool,
    /// Calls to JDK methods that are known never to call back (`Math.sqrt`, `String.charAt`, ..) are not treated as
    /// calls, unless the methods are counted themselves, as most are where the JDK is. The profile is the same.
    pub pure_calls: bool,
    /// Keep the serial version of serializable classes: the value computed from the original is added as a field.
    pub serial_version: bool,
    /// Calls to reflection that would show what was added go through the runtime's class `Reflection`.
    pub reflection: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            mode: Mode::Sampling,
            runtime: "proofmark/count/".into(),
            checks: Checks::Calls,
            leaf: true,
            pure_calls: true,
            serial_version: true,
            reflection: true,
        }
    }
}

/// What is recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// A counter per thread; the reified stack is sampled when it runs out.
    Sampling,
    /// Every block is charged to its calling context.
    Exact,
}

/// Where checks are placed ([`Mode::Sampling`] only).
///
/// # Accuracy
/// A calling context changes only by calls and returns. So all placements charge every sample to the same context;
/// they differ in how late a sample is noticed inside of a stretch without calls, which shows only as the number of
/// samples that are taken together. Only where [`Checks::Paths`] splits a block are some of its bytecodes counted later,
/// after a call instead of before it; then single samples move, the sum does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Checks {
    /// In front of every call and at the end of methods that call.
    Calls,
    /// As [`Checks::Calls`], and at loop heads, and so that no path of more than `max_path` bytecodes is without a check.
    /// Blocks that are longer are split; of a block that an exception ends, the parts behind it are not counted then. A
    /// handler that gives a lock back checks behind that.
    Paths {
        /// Bytecodes.
        max_path: u32,
    },
    /// In every basic block.
    EveryBlock,
}
