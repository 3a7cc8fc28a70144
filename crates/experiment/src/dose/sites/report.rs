//! What became of the sites of a process: which are in, which methods with sites were compiled.

use std::collections::BTreeSet;

use proofmark_rules::DOSE_LATE_NS;

/// Why a site is not in its method where nothing was heard of its class.
pub(super) const NOT_LOADED: &str = "its class is not loaded while the program runs";

/// What is known of the sites of a process.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SiteReport {
    /// Sites that are in a class.
    pub placed: Vec<PlacedSite>,
    /// Number of a site that is not, and why.
    pub refused: Vec<(u16, String)>,
    /// Compilations of methods with sites.
    pub compiled: Vec<Compilation>,
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

impl SiteReport {
    /// Whether a method with a site was compiled in that time, or so shortly before or behind that it may have been.
    #[must_use]
    pub fn compiled_within(&self, begin_ns: u64, end_ns: u64) -> bool {
        let late = end_ns + DOSE_LATE_NS;
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

    /// Why a site is not in its method; none if it is.
    pub(super) fn refusal(&self, site: u16) -> Option<String> {
        if self.placed.iter().any(|one| one.index == site) {
            return None;
        }
        let refused = self.refused.iter().find(|(one, _)| *one == site);
        let reason = refused.map_or(NOT_LOADED, |(_, reason)| reason.as_str());
        Some(reason.to_owned())
    }
}
