//! What the agent says: which sites are in, which methods with sites were compiled.

use std::collections::BTreeSet;
use std::path::Path;

/// Compilations are reported by another thread of the JVM, a little after the code is there.
const LATE_NS: u64 = 30_000_000;

/// The agent's file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AgentReport {
    /// Sites that are in a class.
    pub placed: Vec<PlacedSite>,
    /// Number of a site that is not, and why.
    pub refused: Vec<(u16, String)>,
    /// Compilations of methods with sites.
    pub compiled: Vec<Compilation>,
    /// What else went wrong.
    pub failures: Vec<String>,
}

/// A site that is in a class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlacedSite {
    /// Its number.
    pub index: u16,
    /// The line that stands there, if the class says lines.
    pub line: Option<u16>,
}

/// A method was compiled with sites inside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compilation {
    /// When, ns of CLOCK_MONOTONIC.
    pub ns: u64,
    /// Numbers of the sites.
    pub inside: BTreeSet<u16>,
    /// Of those in methods that were inlined.
    pub inlined: BTreeSet<u16>,
    /// Of those with debug information inside of their loops.
    pub revealed: BTreeSet<u16>,
}

impl AgentReport {
    /// Reads the file; what is not there yet is not there.
    pub(super) fn read(directory: &Path) -> Self {
        let text = std::fs::read_to_string(directory.join("sites")).unwrap_or_default();
        Self::parse(&text)
    }

    fn parse(text: &str) -> Self {
        let mut report = Self::default();
        for line in text.lines() {
            let words: Vec<&str> = line.split('\t').collect();
            match words.as_slice() {
                ["placed", index, _, line, ..] => {
                    report
                        .placed
                        .extend(index.parse().ok().map(|index| PlacedSite {
                            index,
                            line: line.parse().ok(),
                        }));
                }
                ["refused", index, _, reason] => {
                    let index = index.parse().ok();
                    report
                        .refused
                        .extend(index.map(|index| (index, (*reason).to_owned())));
                }
                ["compiled", ns, inside, inlined, revealed] => {
                    let numbers = |list: &str| list.split(',').flat_map(str::parse).collect();
                    report
                        .compiled
                        .extend(ns.parse().ok().map(|ns| Compilation {
                            ns,
                            inside: numbers(inside),
                            inlined: numbers(inlined),
                            revealed: numbers(revealed),
                        }));
                }
                ["failed", what] => report.failures.push((*what).to_owned()),
                _ => {}
            }
        }
        report
    }

    /// Whether a method with a site was compiled in that time, or so shortly before or behind that it may have been.
    #[must_use]
    pub fn compiled_within(&self, begin_ns: u64, end_ns: u64) -> bool {
        let late = end_ns + LATE_NS;
        self.compiled
            .iter()
            .any(|one| (begin_ns..late).contains(&one.ns))
    }

    /// Whether the site's method was inlined into another one, as far as the JVM said.
    #[must_use]
    pub fn inlined(&self, site: u16) -> bool {
        self.compiled.iter().any(|one| one.inlined.contains(&site))
    }

    /// Whether the JVM knows a position inside of the site's loop, in the code that was compiled last.
    #[must_use]
    pub fn revealed(&self, site: u16) -> bool {
        let last = self.compiled.iter().rfind(|one| one.inside.contains(&site));
        last.is_some_and(|one| one.revealed.contains(&site))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_agents_lines_are_read() {
        let text = "placed\t0\t(I)V\t17\t9\t40\nplaced\t1\t()V\t\t0\t9\nrefused\t2\t\tthe class has no such method\n\
                    compiled\t1000\t0,1\t1\t1\ncompiled\t90000000\t1\t\t\nnonsense\n";
        let report = AgentReport::parse(text);
        assert_eq!(report.placed.len(), 2);
        assert_eq!(
            (report.placed[0].line, report.placed[1].line),
            (Some(17), None)
        );
        assert_eq!(report.refused[0].0, 2);
        assert!(report.inlined(1) && !report.inlined(0));
        // The last code of site 1 has no record inside.
        assert!(!report.revealed(1) && !report.revealed(0));
        assert!(report.compiled_within(500, 1500) && !report.compiled_within(1500, 50_000_000));
        assert!(report.compiled_within(1500, 70_000_000));
    }
}
