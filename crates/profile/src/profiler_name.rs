//! Names of profilers: one spelling of each.

/// Ending of the name of a profiler whose JVM runs with `-XX:+DebugNonSafepoints`.
pub const NON_SAFEPOINTS: &str = "+nonsafepoints";

/// The same in files and commands of before.
const FORMERLY: &str = "+dns";

/// A profiler's name as it is written now: `jfr+dns`, as it was once called, is `jfr+nonsafepoints`. Commands of the user's own
/// (`cmd:...`) stay as they are.
#[must_use]
pub fn profiler_name(name: &str) -> String {
    match name.strip_suffix(FORMERLY) {
        Some(plain) if !name.starts_with("cmd:") => format!("{plain}{NON_SAFEPOINTS}"),
        _ => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_former_spelling_is_understood() {
        for (given, name) in [
            ("jfr+dns", "jfr+nonsafepoints"),
            ("jfr-cpu+dns", "jfr-cpu+nonsafepoints"),
            ("jfr+nonsafepoints", "jfr+nonsafepoints"),
            ("jfr", "jfr"),
            ("cmd:look +dns", "cmd:look +dns"),
        ] {
            assert_eq!(profiler_name(given), name);
        }
    }
}
