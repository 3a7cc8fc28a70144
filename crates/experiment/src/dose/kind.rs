//! What added time does.

/// What a site does while it takes time. A profiler that is right about one kind may be wrong about another: the JVM makes
/// other code of it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum DoseKind {
    /// Multiplications that wait for each other: machine code of the method itself.
    #[default]
    Arithmetic,
    /// `System.arraycopy` of up to 16 KB: a stub of the JVM, which is no method and has no debug information.
    Copy,
    /// A loop that fills up to 16 KB: such a stub in its place, where the JVM has a good one.
    Fill,
    /// New arrays of up to 16 KB that nobody keeps: now and then the JVM's own code has to find memory.
    Allocate,
    /// Loads that wait for each other, from 256 KB: the processor waits.
    Load,
    /// Calls of a method that is not inlined, and that takes the time: [`Self::callee`].
    Call,
    /// A loop over numbers that compilers do with vectors.
    Vector,
    /// A lock that nobody else wants.
    Lock,
}

/// The method of the sites' own class that [`DoseKind::Call`] calls.
const CALLEE: &str = "java.lang.ProofmarkSites.called";

impl DoseKind {
    /// All of them, the usual one first.
    pub const ALL: [Self; 8] = [
        Self::Arithmetic,
        Self::Copy,
        Self::Fill,
        Self::Allocate,
        Self::Load,
        Self::Call,
        Self::Vector,
        Self::Lock,
    ];

    /// As the command line and results call it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Arithmetic => "arithmetic",
            Self::Copy => "copy",
            Self::Fill => "fill",
            Self::Allocate => "allocate",
            Self::Load => "load",
            Self::Call => "call",
            Self::Vector => "vector",
            Self::Lock => "lock",
        }
    }

    /// The one with that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// What it is, in a line.
    #[must_use]
    pub fn says(self) -> &'static str {
        match self {
            Self::Arithmetic => "Multiplications: machine code of the method itself",
            Self::Copy => {
                "System.arraycopy: a stub of the JVM, which many profilers charge to somebody else"
            }
            Self::Fill => "A loop that fills memory: a stub of the JVM, where it has a good one",
            Self::Allocate => "New arrays: now and then the JVM's own code has to find memory",
            Self::Load => "Loads that wait for each other, from beyond the nearest cache",
            Self::Call => "Calls of a method that is not inlined; time belongs to that method",
            Self::Vector => "A loop over numbers that compilers do with vectors",
            Self::Lock => "A lock that nobody else wants: synchronized",
        }
    }

    /// The method that spends the time, where that is not the one with the site: there it has to be reported.
    #[must_use]
    pub fn callee(self) -> Option<&'static str> {
        (self == Self::Call).then_some(CALLEE)
    }

    /// What a reader of a result must know of what was added; none for arithmetic, which documents are about.
    pub(super) fn remark(self) -> Option<String> {
        let says = match self {
            Self::Arithmetic => return None,
            Self::Copy => {
                "copies memory (--dose copy): rows say where a profiler reports the JVM's copy stub that a method calls"
            }
            Self::Fill => {
                "fills memory (--dose fill): rows say where a profiler reports a loop that the JVM may replace by a call of a stub"
            }
            Self::Allocate => {
                "makes arrays (--dose allocate): rows say where a profiler reports new objects and the JVM's own code behind them; what \
                 collectors do in other threads is not looked at"
            }
            Self::Load => {
                "loads from beyond the nearest cache (--dose load): the program's own data may lose its place there, and a right profiler \
                 then reports that little in other methods"
            }
            Self::Call => {
                return Some(format!(
                    "what was added calls {CALLEE} (--dose call), which spends the time: in place means in that method, and \
                     the method with the site only calls it"
                ));
            }
            Self::Vector => {
                "adds vectors (--dose vector): rows say where a profiler reports a loop that the JIT turns into vector code"
            }
            Self::Lock => {
                "takes a lock that nobody else wants (--dose lock): rows say where a profiler reports synchronized; with several \
                 threads they want it all"
            }
        };
        Some(format!("what was added {says}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back_and_everything_but_the_usual_is_remarked() {
        for kind in DoseKind::ALL {
            assert_eq!(DoseKind::named(kind.name()), Some(kind));
            let remark = kind.remark();
            assert_eq!(remark.is_none(), kind == DoseKind::default());
            let option = format!("(--dose {})", kind.name());
            assert!(remark.is_none_or(|said| said.contains(&option)));
        }
        assert_eq!(DoseKind::named("all"), None);
    }
}
