//! What the time that a site adds is spent with.

/// What a turn of a site's loop does. A profiler that is right about one kind may be wrong about another: the JVM makes
/// other code of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum DoseKind {
    /// Multiplications that wait for each other, one a step: machine code of the method itself.
    #[default]
    Arithmetic,
    /// Copies memory with `System.arraycopy`, [`COPIED`](super::COPIED) bytes a step: a stub of the JVM, which is no method and has
    /// no debug information.
    Copy,
    /// Fills memory in a loop, [`COPIED`](super::COPIED) bytes a step: such a stub in its place, where the JVM has a good one.
    Fill,
    /// Makes an array of [`COPIED`](super::COPIED) bytes a step, which nobody keeps: now and then the JVM's own code has to find
    /// memory.
    Allocate,
    /// Loads that wait for each other, from memory beyond the nearest cache, one in two steps: the processor waits.
    Load,
    /// Calls a method that is not inlined, and that takes the time of some steps for each of its own: [`Self::callee`].
    Call,
    /// Adds to an array of numbers in a loop, [`ADDED`](super::ADDED) of them a step, which compilers do with vectors.
    Vector,
    /// Takes a lock that nobody else wants and gives it back, once in two steps.
    Lock,
}

/// The method [`CALLED`](super::fields::CALLED) of [`FIELDS_CLASS`](super::FIELDS_CLASS).
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

    /// The method that spends the time, where that is not the one with the site: there it has to be reported.
    #[must_use]
    pub fn callee(self) -> Option<&'static str> {
        (self == Self::Call).then_some(CALLEE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sites::FIELDS_CLASS;
    use crate::sites::fields::CALLED;

    #[test]
    fn names_lead_back_and_the_callee_is_there() {
        for kind in DoseKind::ALL {
            assert_eq!(DoseKind::named(kind.name()), Some(kind));
        }
        assert_eq!(DoseKind::named("copies"), None);
        assert_eq!(DoseKind::ALL[0], DoseKind::default());
        assert_eq!(
            CALLEE,
            format!("{}.{CALLED}", FIELDS_CLASS.replace('/', "."))
        );
    }
}
