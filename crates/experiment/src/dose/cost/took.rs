//! How long another test of the same program takes, by how long the parts of this one took.

use super::{FoundSites, Parts, SHARED, SITES_EACH};
use crate::dose::Size;

/// Windows of a site in a round.
const IN_ROUND: f64 = 4.0;

/// How long the parts of a test took, one behind the other, and what decided it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Took {
    /// Which methods are tested, s.
    pub choosing_s: f64,
    /// Doses, and how often sites are reached, s.
    pub dosing_s: f64,
    /// What sites cost, and what counting says of them, s.
    pub costs_s: f64,
    /// The JVMs of profilers that were asked for, without those that were added and without second looks, s.
    pub profilers_s: f64,
    /// Methods in which places for sites were tried.
    pub tried: usize,
    /// Those of them that have one.
    pub found: usize,
    /// How many sites these have, in how many sets: what they cost was looked at.
    pub looked_at: [usize; 2],
    /// How many sites profilers were measured at in each method, in the order of methods.
    pub each: Vec<usize>,
    /// These sites, their sets and what was known of them.
    pub known: FoundSites,
    /// Rounds of single sites that were left out so that the test ended in time.
    pub spared: usize,
    /// JVMs that were measured at the same time, at most.
    pub at_once: usize,
    /// How long it could take, s, where nothing said how much is measured; none: as long as it takes.
    pub most_s: Option<f64>,
}

impl Took {
    /// How long a test of this program takes that measures so much, s, where this one was `asked` for so much: each of its parts as long as it
    /// took here, but for what makes it longer or shorter, with all rounds of windows.
    ///
    /// # Accuracy
    /// That of the parts of the estimate beside each other ([`cost`](super::cost)), not of their sum. JVMs that are added and second looks are
    /// not in it. It holds where others use the machine as much as they did: the only command whose time was measured took 394 s where 258
    /// are said of it now (test `a_test_of_one_method_takes_what_its_parts_took`), and 41 % of the processors were taken by others meanwhile
    /// (docs/studies/strangers, fourth trial).
    #[must_use]
    pub fn again_s(&self, asked: &Size, then: &Size) -> f64 {
        let methods = self.methods(asked, then);
        let sites: usize = self.each.iter().take(methods).sum();
        let part = sites as f64 / self.known.sites.max(1) as f64;
        let sets = self.known.sets as f64;
        let now = self.parts(asked, self.known.sites as f64, sets);
        let later = self.parts(then, sites as f64, part * sets);
        let [looked_at, in_sets] = self.looked_at.map(|number| number as f64);
        let looked_at = self.parts(asked, looked_at, in_sets);
        // As many methods are tried for each that has a site.
        let tried = SITES_EACH * self.tried as f64;
        let tried_later = tried * methods as f64 / self.found.max(1) as f64;
        let tried = self.parts(asked, tried, sets);
        let tried_later = self.parts(then, tried_later, sets);
        self.choosing_s * later.choosing_s() / now.choosing_s()
            + self.dosing_s * tried_later.dosing_s() / tried.dosing_s()
            + self.costs_s * later.costs_s() / looked_at.costs_s()
            + self.whole_s(&now) * later.times().profilers_s / now.times().profilers_s
    }

    /// How many of the methods that were measured are, where so much is asked for.
    fn methods(&self, asked: &Size, then: &Size) -> usize {
        match then.methods < asked.methods {
            true => then.methods.min(self.each.len()),
            false => self.each.len(),
        }
    }

    /// The JVMs of profilers, s, if no rounds had been left out.
    fn whole_s(&self, now: &Parts<'_>) -> f64 {
        let windows = IN_ROUND * self.spared as f64;
        let shared = if now.at_once > 1 { SHARED } else { 1.0 };
        self.profilers_s + windows * now.dosed_window_s() * shared / now.at_once as f64
    }

    /// The parts of a test of that size at so many sites.
    fn parts<'s>(&self, size: &'s Size, sites: f64, sets: f64) -> Parts<'s> {
        Parts {
            sites: sites.max(1.0),
            sets: sets.max(1.0),
            at_once: self.at_once.max(1),
            ..Parts::of_sites(size, &self.known)
        }
    }
}

#[cfg(test)]
mod tests;
