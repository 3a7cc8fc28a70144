//! Methods that may be tested, and those of which it is known beforehand that they cannot be.

use std::collections::BTreeMap;

use proofmark_rewrite::of_the_harness;
use proofmark_rules::DOSE_METHOD_PCT;

use super::report::NOT_LOADED;
use crate::dose::{LeftOut, Weighed, hottest};

/// Why a method is not tested whose class comes from no file.
pub(super) const MADE: &str = "its class is made while the program runs";

/// The method that the JVM calls to initialise a class, and why it is not tested: time that is added to it is added once.
const INITIALISER: &str = "<clinit>";
const ONCE: &str = "it runs once, when the class is initialised";

/// A method that may be tested.
#[derive(Debug, Clone, Default)]
pub(super) struct Candidate {
    /// `com.acme.Main.run`
    pub(super) name: String,
    /// Internal name of its class, and its own name.
    pub(super) class: String,
    pub(super) method: String,
    /// Share of the bytecodes, %.
    pub(super) bytecode_pct: Option<f64>,
    /// Share that each profiler reports without sites, %.
    pub(super) reported_pct: BTreeMap<String, f64>,
    /// The user asked for it.
    pub(super) named: bool,
}

impl Candidate {
    /// `com.acme.Main$Inner.run` with a dot between class and method.
    pub(super) fn parse(name: &str) -> Option<Self> {
        let (class, method) = name.rsplit_once('.')?;
        Some(Self {
            name: name.to_owned(),
            class: class.replace('.', "/"),
            method: method.to_owned(),
            ..Self::default()
        })
    }

    /// Why it has no site, where this is what its process says. The agent hears of every class that comes from a file. Of one that the
    /// program makes and hides (`Lookup.defineHiddenClass`) it hears nothing, and profilers show its methods by the name of the class in
    /// the file: a method that profilers show, while no such class is loaded, and none was counted, is one of these.
    pub(super) fn without_site(&self, reason: String) -> String {
        let mut shown = self.reported_pct.values();
        let runs = shown.any(|pct| *pct >= DOSE_METHOD_PCT);
        match reason == NOT_LOADED && runs && self.bytecode_pct.is_none() {
            true => MADE.to_owned(),
            false => reason,
        }
    }
}

impl Weighed for Candidate {
    fn named(&self) -> bool {
        self.named
    }

    fn weight(&self) -> f64 {
        let reported = self.reported_pct.values().copied();
        reported.chain(self.bytecode_pct).fold(0.0, f64::max)
    }
}

/// Those that are large enough or asked for, hottest first, but for initialisers of classes, which are told apart: counted, they may be
/// hot, and they run once.
pub(super) fn repeated(all: impl Iterator<Item = Candidate>) -> (Vec<Candidate>, Vec<LeftOut>) {
    let (once, repeated): (Vec<Candidate>, Vec<Candidate>) = hottest(all)
        .into_iter()
        .partition(|one| one.method == INITIALISER);
    let once = once.into_iter().map(|one| LeftOut {
        method: one.name,
        reason: ONCE.to_owned(),
    });
    (repeated, once.collect())
}

/// A method that the user asked for; none if that is no method's name.
pub(super) fn named_candidate(name: &str) -> Option<Candidate> {
    let parsed = Candidate::parse(name);
    let named = parsed.filter(|one| !one.class.is_empty() && !one.method.is_empty());
    named.map(|one| Candidate { named: true, ..one })
}

/// Whether a class, by its internal name, comes from a file that can be changed: not one that the JVM makes itself, nor our own.
pub(super) fn can_change(class: &str) -> bool {
    !is_made(class) && !is_ours(class)
}

/// Whether a class, by its internal name, is one that the JVM or the program makes while it runs, such as those of lambdas.
pub(in crate::dose) fn is_made(class: &str) -> bool {
    let made = [
        "$$Lambda",
        "LambdaForm$",
        "$$StringConcat",
        "$Proxy",
        "GeneratedMethodAccessor",
        "/0x",
    ];
    made.iter().any(|part| class.contains(part))
}

/// Whether a class or a method, by its name with dots or slashes, is of our harness.
pub(in crate::dose) fn is_ours(name: &str) -> bool {
    let of_jmh = ["proofmark/jmh/", "proofmark.jmh."];
    of_the_harness(name) || of_jmh.iter().any(|package| name.starts_with(package))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_named_method_has_a_class() {
        let one = named_candidate("com.acme.Main$Inner.run").expect("a method");
        assert!(one.named);
        assert_eq!(
            (one.class.as_str(), one.method.as_str()),
            ("com/acme/Main$Inner", "run")
        );
        for wrong in ["run", ".run", "com.acme.Main."] {
            assert!(named_candidate(wrong).is_none(), "{wrong}");
        }
    }

    /// Much of what a program executes may be the making of a table.
    #[test]
    fn what_runs_once_is_not_among_the_hottest() {
        let counted = [
            ("a.Main.run", 30.0),
            ("a.Table.<clinit>", 60.0),
            ("a.Other.<clinit>", 1.0),
        ];
        let all = counted.into_iter().filter_map(|(name, pct)| {
            let one = Candidate::parse(name)?;
            Some(Candidate {
                bytecode_pct: Some(pct),
                ..one
            })
        });
        let (repeated, left_out) = repeated(all);
        let names: Vec<&str> = repeated.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["a.Main.run"]);
        let expected = LeftOut {
            method: "a.Table.<clinit>".into(),
            reason: ONCE.into(),
        };
        assert_eq!(left_out, [expected]);
    }

    #[test]
    fn classes_that_come_from_no_file_are_not_changed() {
        assert!(can_change("com/acme/Main$Inner"));
        for made in [
            "com/acme/Main$$Lambda",
            "java/lang/invoke/LambdaForm$DMH",
            "jdk/proxy1/$Proxy4",
            "proofmark/harness/Iterations",
            "proofmark/jmh/Loop",
        ] {
            assert!(!can_change(made), "{made}");
        }
    }
}
