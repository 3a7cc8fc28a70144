//! JVMs that were to be added where they would decide, or look once more, and that were ended before they had a result.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::advice::listed;
use super::failed::in_short;

/// JVMs that were to be added for profilers that the others had left open, or for a second look at the program as it is, and were all
/// ended because the user wished so or the program failed in one of them. The result is that of the others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Unfinished {
    /// The profilers that were to get them.
    pub profilers: Vec<String>,
    /// JVMs that each of these was to get.
    pub each: usize,
    /// They have no sites: each profiler was to look at the program as it is a second time. False in earlier results.
    #[serde(default)]
    pub without_sites: bool,
    /// The user ended them; else the program failed in one of them.
    pub interrupted: bool,
    /// Why they were ended.
    pub reason: String,
    /// Where the output of the JVM is in which that was seen; null where it left none.
    pub log: Option<String>,
}

impl Unfinished {
    /// `2 more JVMs for jfr were interrupted; the verdicts are those of the first 3 JVMs per profiler`, or what is so of second looks. `runs`:
    /// JVMs per profiler without those that were added.
    #[must_use]
    pub fn says(&self, runs: usize) -> String {
        let names: Vec<&str> = self.profilers.iter().map(String::as_str).collect();
        if self.without_sites {
            return self.looks_say(&names);
        }
        let (jvms, were) = match (self.each, names.len()) {
            (1, 1) => ("JVM", "was"),
            (1, _) => ("JVM each", "were"),
            (_, 1) => ("JVMs", "were"),
            _ => ("JVMs each", "were"),
        };
        let (more, names, ended) = (self.each, listed(&names), self.ended());
        let first = match runs {
            1 => "JVM".to_owned(),
            runs => format!("{runs} JVMs"),
        };
        format!(
            "{more} more {jvms} for {names} {were} {ended}; the verdicts are those of the first {first} per profiler"
        )
    }

    /// `a second look at the program as it is, by jfr, was interrupted; what sites change of what it shows is known by one look`
    fn looks_say(&self, names: &[&str]) -> String {
        let (look, was, it_shows) = match names.len() {
            1 => ("a second look", "was", "it shows"),
            _ => ("second looks", "were", "they show"),
        };
        format!(
            "{look} at the program as it is, by {}, {was} {}; what sites change of what {it_shows} is known by one look",
            listed(names),
            self.ended()
        )
    }

    /// `interrupted (the output of one is in DIR/jvm.log)`
    fn ended(&self) -> String {
        match (self.interrupted, &self.log) {
            (true, Some(log)) => format!("interrupted (the output of one is in {log})"),
            (true, None) => "interrupted".to_owned(),
            (false, log) => format!("given up ({})", in_short(&self.reason, log.as_deref())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(profilers: &[&str], each: usize) -> Unfinished {
        Unfinished {
            profilers: profilers.iter().map(|name| (*name).to_owned()).collect(),
            each,
            without_sites: false,
            interrupted: true,
            reason: "interrupted".into(),
            log: None,
        }
    }

    #[test]
    fn who_ended_them_is_said_and_what_the_verdicts_are() {
        let two = Unfinished {
            log: Some("a/jvm.log".into()),
            ..of(&["async", "jfr"], 2)
        };
        assert_eq!(
            two.says(3),
            "2 more JVMs each for async and jfr were interrupted (the output of one is in a/jvm.log); the verdicts are those of the \
             first 3 JVMs per profiler"
        );
        let failed = Unfinished {
            interrupted: false,
            reason: "the program failed: no memory\n  at A.run".into(),
            log: Some("b/jvm.log".into()),
            ..of(&["jfr"], 1)
        };
        assert_eq!(
            failed.says(1),
            "1 more JVM for jfr was given up (the program failed: no memory; its output is in \
             b/jvm.log); the verdicts are those of the first JVM per profiler"
        );
        let one = of(&["jfr"], 1).says(2);
        assert!(
            one.starts_with("1 more JVM for jfr was interrupted; the verdicts "),
            "{one}"
        );
    }

    /// The verdicts are those of all JVMs with sites then, also of those that were added.
    #[test]
    fn of_second_looks_it_is_said_what_they_leave_unknown() {
        let one = Unfinished {
            without_sites: true,
            log: Some("look-again-jfr/jvm.log".into()),
            ..of(&["jfr"], 1)
        };
        assert_eq!(
            one.says(3),
            "a second look at the program as it is, by jfr, was interrupted (the output of one is in look-again-jfr/jvm.log); what \
             sites change of what it shows is known by one look"
        );
        let two = Unfinished {
            without_sites: true,
            interrupted: false,
            reason: "no memory".into(),
            ..of(&["async", "jfr"], 1)
        };
        assert_eq!(
            two.says(3),
            "second looks at the program as it is, by async and jfr, were given up (no memory); what sites change of what they show is \
             known by one look"
        );
    }
}
