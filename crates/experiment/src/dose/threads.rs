//! In how many threads a program works.
//!
//! Clock and samples are those of all threads of the program, whichever of them spends the time: a site is in a method, not
//! in a thread.

use std::collections::BTreeMap;

use proofmark_stats::{Estimate, median};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::advice::listed;

/// Part of the time of the busiest thread from which on a program is as good as one of one thread, %.
const ALONE_PCT: f64 = 95.0;

/// How a program's time is spread over its threads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ThreadFacts {
    /// Threads of the program that had CPU time in a window with all sites at rest, those included that ended in it: the
    /// median over windows. Those of the JVM, of the harness and of the profiler do not count.
    pub busy: u32,
    /// CPU time of the busiest of them, % of that of all: the median over the same windows.
    pub busiest_pct: f64,
    /// Samples that each profiler took of other threads than the program's (compilers, collectors, its own), % of all that
    /// it took. They are left out.
    pub others_pct: BTreeMap<String, f64>,
}

impl ThreadFacts {
    /// From windows: how many threads had CPU time, and the part (0 to 1) that the busiest had. None without windows.
    #[must_use]
    pub fn of(windows: &[(u32, f64)], others_pct: BTreeMap<String, f64>) -> Option<Self> {
        let busy: Vec<f64> = windows.iter().map(|one| f64::from(one.0)).collect();
        let parts: Vec<f64> = windows.iter().map(|one| 100.0 * one.1).collect();
        Some(Self {
            busy: median(&busy)?.round() as u32,
            busiest_pct: median(&parts)?,
            others_pct,
        })
    }

    /// Whether the program is as good as one of one thread.
    pub(super) fn alone(&self) -> bool {
        self.busiest_pct >= ALONE_PCT
    }

    /// What a reader must know of the profilers that were tested; nothing where one thread does the work.
    #[must_use]
    pub fn remarks(&self) -> Vec<String> {
        if self.alone() {
            return Vec::new();
        }
        let busy = self.busy;
        let mut all = vec![format!(
            "{busy} threads of the program have CPU time, the busiest {:.0} % of it: clock and samples are those of all of them",
            self.busiest_pct
        )];
        let names = self.others_pct.keys().map(String::as_str);
        let by_wall: Vec<&str> = names.filter(|name| looks_at_the_ready(name)).collect();
        if !by_wall.is_empty() {
            all.push(format!(
                "{} {} at threads that are ready to run, whether or not they have a processor, and at a few at a time (not tested here): \
                 where more are ready than run, such shares are not shares of CPU time",
                listed(&by_wall),
                if by_wall.len() == 1 { "looks" } else { "look" }
            ));
        }
        all
    }
}

/// Part of a profiler's samples with all sites at rest that are in no Java method from which on a reader is told, %.
const NATIVE_PCT: f64 = 10.0;

/// What is said of profilers that look at threads that are ready to run, by the shares of methods that each profiler reports, % of its
/// samples; none where all of them have little in no Java method.
pub(super) fn native_remark<'a>(
    shares: impl Iterator<Item = (&'a str, &'a BTreeMap<String, Estimate>)>,
) -> Option<String> {
    let native = |of: &BTreeMap<String, Estimate>| {
        let java: f64 = of.values().map(|share| share.value).sum();
        100.0 - java
    };
    let by_wall = shares.filter(|(name, of)| looks_at_the_ready(name) && !of.is_empty());
    let much = by_wall.filter(|(_, of)| native(of) >= NATIVE_PCT);
    let names: Vec<&str> = much.map(|(name, _)| name).collect();
    (!names.is_empty()).then(|| {
        format!(
            "{} {} native code also while its thread has no processor, and Java code not: where others use the machine, such code has too \
             large a share, and samples that are missing are not told from it; a quiet machine tells more",
            listed(&names),
            if names.len() == 1 { "samples" } else { "sample" }
        )
    })
}

/// Whether a profiler of that name samples threads by the clock on the wall: JFR's execution samples, and the control.
pub(super) fn looks_at_the_ready(name: &str) -> bool {
    let base = name.split('+').next().unwrap_or(name);
    matches!(base, "jfr" | "safepoint")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(windows: &[(u32, f64)], profilers: &[&str]) -> ThreadFacts {
        let others = profilers.iter().map(|name| ((*name).to_owned(), 2.0));
        ThreadFacts::of(windows, others.collect()).expect("windows")
    }

    #[test]
    fn a_pool_is_remarked_and_a_thread_that_does_nearly_everything_is_not() {
        let alone = facts(&[(2, 0.99), (1, 1.0), (3, 0.98)], &["jfr"]);
        assert_eq!((alone.busy, alone.busiest_pct), (2, 99.0));
        assert_eq!(alone.remarks(), [""; 0]);
        let pool = facts(&[(5, 0.26), (5, 0.25), (6, 0.9)], &["async", "jfr-cpu"]);
        assert_eq!((pool.busy, pool.busiest_pct), (5, 26.0));
        let [said]: [String; 1] = pool.remarks().try_into().expect("one remark");
        assert!(said.starts_with("5 threads of the program have CPU time, the busiest 26 %"));
        assert_eq!(ThreadFacts::of(&[], BTreeMap::new()), None);
    }

    #[test]
    fn who_samples_much_native_code_by_the_clock_on_the_wall_is_named() {
        let of = |pct| BTreeMap::from([("A.get".to_owned(), Estimate::around(pct, 1.0, 900))]);
        let (much, little) = (of(60.0), of(95.0));
        let all = [("async", &much), ("jfr", &much), ("safepoint", &little)];
        let said = native_remark(all.into_iter()).expect("a remark");
        assert!(said.starts_with("jfr samples native code"), "{said}");
        assert_eq!(native_remark(all.into_iter().take(1)), None);
    }

    #[test]
    fn profilers_of_the_clock_on_the_wall_are_named() {
        let pool = facts(&[(5, 0.25)], &["async", "jfr+nonsafepoints", "safepoint"]);
        let said = pool.remarks().pop().expect("remarks");
        assert!(
            said.starts_with("jfr+nonsafepoints and safepoint look at threads"),
            "{said}"
        );
    }
}
