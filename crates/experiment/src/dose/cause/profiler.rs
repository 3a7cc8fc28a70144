//! What a profiler's name says of it.

use proofmark_profile::NON_SAFEPOINTS;

use crate::dose::judge::{ATTACHED, profiler_kind};

/// The control that takes samples at safepoints only, on purpose.
pub(super) const CONTROL: &str = "safepoint";

/// In the names of async-profilers that walk stacks by `AsyncGetCallTrace`.
const AGCT: &str = "+agct";

/// For which code the JVM that a profiler runs in keeps source positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Positions {
    /// For all.
    All,
    /// At safepoints only.
    Safepoints,
    /// Nobody says.
    Unknown,
}

/// By the profiler's name, and the options of the user's command, which has the last word.
pub(super) fn positions(name: &str, options: &[String]) -> Positions {
    let told = |option: &str| options.iter().any(|one| one == option);
    let by_name = match profiler_kind(name) {
        "async" | "jfr" if name.ends_with(NON_SAFEPOINTS) => Positions::All,
        "async" if !name.ends_with(ATTACHED) => Positions::All,
        "async" | "jfr" => Positions::Safepoints,
        _ => return Positions::Unknown,
    };
    if told("-XX:+DebugNonSafepoints") {
        Positions::All
    } else if told("-XX:-DebugNonSafepoints") && !name.ends_with(NON_SAFEPOINTS) {
        Positions::Unknown
    } else {
        by_name
    }
}

/// The name of the same async-profiler that takes an instruction's own position, of one that takes the first behind it.
pub(super) fn by_own_position(name: &str) -> Option<String> {
    name.contains(AGCT).then(|| name.replace(AGCT, ""))
}

/// The name of the same profiler by CPU time; none of one that has no such brother.
pub(super) fn by_cpu_time(name: &str) -> Option<String> {
    let rest = name.strip_prefix("jfr")?;
    (rest.is_empty() || rest == NON_SAFEPOINTS).then(|| format!("jfr-cpu{rest}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_which_positions_there_are() {
        use Positions::{All, Safepoints, Unknown};
        let on = ["-XX:+DebugNonSafepoints".to_owned()];
        let off = ["-XX:-DebugNonSafepoints".to_owned()];
        for (name, usual, with_on, with_off) in [
            ("async", All, All, Unknown),
            ("async-ctimer+agct", All, All, Unknown),
            ("async+attached", Safepoints, All, Unknown),
            ("jfr", Safepoints, All, Unknown),
            ("jfr-cpu", Safepoints, All, Unknown),
            ("jfr-cpu+nonsafepoints", All, All, All),
            ("safepoint", Unknown, Unknown, Unknown),
            ("moves", Unknown, Unknown, Unknown),
        ] {
            assert_eq!(positions(name, &[]), usual, "{name}");
            assert_eq!(positions(name, &on), with_on, "{name}");
            assert_eq!(positions(name, &off), with_off, "{name}");
        }
    }

    #[test]
    fn names_have_brothers() {
        assert_eq!(by_cpu_time("jfr").as_deref(), Some("jfr-cpu"));
        let flagged = by_cpu_time("jfr+nonsafepoints");
        assert_eq!(flagged.as_deref(), Some("jfr-cpu+nonsafepoints"));
        assert_eq!(
            by_own_position("async-ctimer+agct").as_deref(),
            Some("async-ctimer")
        );
        assert_eq!(by_own_position("async"), None);
        assert_eq!(by_cpu_time("jfr-cpu"), None);
        assert_eq!(by_cpu_time("async"), None);
    }
}
