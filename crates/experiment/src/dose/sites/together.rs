//! Which sites are there at the same time.
//!
//! Opening a gate makes the JVM compile the program anew, which takes about a second. A site that is seldom passed costs next to
//! nothing while it is there and makes no turn, so several of them share a set: their gates are opened together, and only one of
//! them makes turns at a time. A site that is passed very often has a set of its own.

use proofmark_rules::{DOSE_REST_CYCLES, DOSE_STEP_CYCLES, DOSE_TOGETHER};

use super::tune::{Tuned, USUAL};

impl Tuned {
    /// What it takes without a turn while its gate is open, by how often it is passed, as a part of the program's time; at most,
    /// if the JIT compiles the program as before.
    pub(super) fn rest_cost(&self) -> f64 {
        let turn = f64::from(USUAL) * DOSE_STEP_CYCLES;
        self.per_turn * DOSE_REST_CYCLES / turn
    }
}

/// Puts every site into a set: those that cost least first, as many as cost no more than is allowed together.
pub(super) fn grouped(tuned: &mut [Tuned]) {
    let mut order: Vec<usize> = (0..tuned.len()).collect();
    order.sort_by(|a, b| tuned[*a].rest_cost().total_cmp(&tuned[*b].rest_cost()));
    let (mut set, mut sum) = (0, 0.0);
    for (at, site) in order.into_iter().enumerate() {
        let cost = tuned[site].rest_cost();
        if at > 0 && sum + cost > DOSE_TOGETHER {
            (set, sum) = (set + 1, 0.0);
        }
        sum += cost;
        tuned[site].set = set;
    }
}

/// Puts each of these sites into a set of its own.
pub(super) fn alone(tuned: &mut [Tuned], sites: &[usize]) {
    let first = tuned.iter().map(|one| one.set + 1).max().unwrap_or(0);
    for (set, site) in (first..).zip(sites) {
        tuned[*site].set = set;
    }
}

/// The sites of every set that has any, by the set's number.
pub(super) fn sets(tuned: &[Tuned]) -> Vec<(usize, Vec<usize>)> {
    let count = tuned.iter().map(|one| one.set + 1).max().unwrap_or(0);
    let sites = |set: usize| {
        let all = tuned.iter().enumerate();
        all.filter(|(_, one)| one.set == set)
            .map(|(site, _)| site)
            .collect()
    };
    (0..count)
        .map(|set| (set, sites(set)))
        .filter(|(_, sites): &(usize, Vec<usize>)| !sites.is_empty())
        .collect()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::dose::DoseKind;
    use crate::dose::sites::{SitePlace, SiteWork, WantedSite};

    /// A site at which a turn of the usual length makes the program slower by so much.
    pub fn site(per_turn: f64) -> Tuned {
        Tuned {
            candidate: super::super::candidate::Candidate::default(),
            site: WantedSite {
                class: "a/A".into(),
                method: "run".into(),
                place: SitePlace::Entry,
                work: SiteWork::Turns(DoseKind::Arithmetic, USUAL),
                gated: false,
            },
            lines: Vec::new(),
            reveals_itself: None,
            per_turn,
            turns: [2, 40],
            steps: USUAL,
            executions: None,
            set: 7,
            by_count: None,
            counted_in: 0,
            by_others: None,
            doses: None,
            drowns: false,
        }
    }

    fn grouped_sites(per_turn: &[f64]) -> Vec<(usize, Vec<usize>)> {
        let mut all: Vec<Tuned> = per_turn.iter().map(|one| site(*one)).collect();
        grouped(&mut all);
        for (_, sites) in sets(&all) {
            let sum: f64 = sites.iter().map(|site| all[*site].rest_cost()).sum();
            assert!(
                sites.len() == 1 || sum <= DOSE_TOGETHER,
                "{sum} {per_turn:?}"
            );
        }
        sets(&all)
    }

    /// 24 cycles a turn, 4 without one: a sixth.
    #[test]
    fn seldom_passed_sites_share_a_set_and_hot_ones_have_their_own() {
        assert_eq!(grouped_sites(&[]), []);
        assert_eq!(grouped_sites(&[2.0]), [(0, vec![0])]);
        let all = grouped_sites(&[0.6, 0.03, 0.12, 0.06, 3.0]);
        assert_eq!(all, [(0, vec![1, 2, 3]), (1, vec![0]), (2, vec![4])]);
        let all = grouped_sites(&[0.15, 0.15, 0.15]);
        assert_eq!(all, [(0, vec![0]), (1, vec![1]), (2, vec![2])]);
    }

    #[test]
    fn sites_can_be_put_apart() {
        let mut all: Vec<Tuned> = [0.01; 4].map(site).into();
        grouped(&mut all);
        assert_eq!(sets(&all), [(0, vec![0, 1, 2, 3])]);
        alone(&mut all, &[1, 3]);
        assert_eq!(sets(&all), [(0, vec![0, 2]), (1, vec![1]), (2, vec![3])]);
    }

    #[test]
    fn a_set_without_sites_is_none() {
        let mut all: Vec<Tuned> = [0.01, 1.0].map(site).into();
        grouped(&mut all);
        all.remove(0);
        assert_eq!(sets(&all), [(1, vec![0])]);
    }
}
