//! By which rule a profiler looks addresses up in the JVM's debug information.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which record of the JVM's debug information is taken for an address. Records stand at the ends of operations, and a
/// sample mostly names the instruction behind the one that took the time: `>=` takes that back at borders of operations,
/// `>` does not.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum PcRule {
    /// The first one behind it (`>`): the JVM's AsyncGetCallTrace, and JFR before Java 25.
    Behind,
    /// The first one at or behind it (`>=`): async-profiler from 4.2 on, and JFR from Java 25 on.
    AtOrBehind,
    /// The last one at or before it (`<=`): profilers in the kernel that read the JVM's tables themselves.
    AtOrBefore,
}

impl PcRule {
    /// All of them.
    pub(crate) const ALL: [Self; 3] = [Self::Behind, Self::AtOrBehind, Self::AtOrBefore];

    /// What the source of a profiler says, in the versions that the laboratory uses, by the name on the command line; none
    /// where it was not looked at.
    #[must_use]
    pub fn of_profiler(name: &str) -> Option<Self> {
        match name.split(['+', '-']).next() {
            Some("async" | "jfr") => Some(Self::AtOrBehind),
            Some("honest") => Some(Self::Behind),
            _ => None,
        }
    }
}

impl std::fmt::Display for PcRule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Behind => ">",
            Self::AtOrBehind => ">=",
            Self::AtOrBefore => "<=",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_profiler_is_known_by_its_name_without_options() {
        let known = |name: &str| PcRule::of_profiler(name);
        for name in ["async", "async-cpu", "jfr", "jfr-cpu+nonsafepoints"] {
            assert_eq!(known(name), Some(PcRule::AtOrBehind), "{name}");
        }
        assert_eq!(known("honest"), Some(PcRule::Behind));
        for name in ["perf", "cmd:async --all", ""] {
            assert_eq!(known(name), None, "{name}");
        }
    }
}
