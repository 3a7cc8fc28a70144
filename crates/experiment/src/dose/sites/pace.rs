//! How many rounds of windows fit into the time that a process has.
//!
//! Time alone decides. What the profiler reports is not looked at, so that no verdict decides how much is measured; which rows are wide
//! decides, as ever, who gets one of the rounds behind the usual ones (`narrow`). One round is the least: it has the two pairs of windows
//! that a row needs.

use super::lab::SiteLab;
use super::rounds::Rounds;
use crate::dose::Planned;

/// Windows of a site in a round.
const IN_ROUND: usize = 4;

/// Rounds of single sites.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct SiteRounds {
    pub(super) ran: usize,
    /// Those for which there was no time.
    pub(super) spared: usize,
}

/// What is known of the time of a process.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Pace {
    /// When it should have ended, s after it was started; none: it takes as long as it takes.
    until_s: Option<f64>,
    /// What comes behind all visits takes so long, but for closing the gates, s.
    behind_s: f64,
    /// How long it took so far to open gates and find doses, s, and how often that was done.
    opening_s: f64,
    openings: usize,
    /// Sets that are still to be visited, and their planned windows.
    sets: usize,
    windows: usize,
    /// What came of it.
    pub(super) rounds: SiteRounds,
}

impl Pace {
    /// Of a process that may take so long, s; none: as long as it takes.
    pub(super) fn of(most_s: Option<f64>) -> Self {
        Self {
            until_s: most_s,
            ..Self::default()
        }
    }

    /// Windows like those that took so long, s, come behind all visits once more.
    pub(super) fn ends_with(&mut self, seconds: f64) {
        self.behind_s = seconds;
    }

    /// So many sets are visited now, for which so many windows are planned.
    pub(super) fn visits(&mut self, sets: usize, windows: usize) {
        (self.sets, self.windows) = (sets, windows);
    }

    /// The gates of the next set, for which so many windows are planned, are open now, s after the start, which took so long, s: its part of
    /// the time for windows.
    pub(super) fn opened(&mut self, now_s: f64, took_s: f64, windows: usize) -> Share {
        self.opening_s += took_s;
        self.openings += 1;
        let each_s = self.opening_s / self.openings as f64;
        // Closing the gates takes about as long as opening those of a set.
        let ahead_s = self.behind_s + each_s * self.sets as f64;
        let part = windows as f64 / self.windows.max(1) as f64;
        self.sets = self.sets.saturating_sub(1);
        self.windows = self.windows.saturating_sub(windows);
        Share {
            end_s: (self.until_s).map(|until_s| now_s + part * (until_s - now_s - ahead_s)),
            site_s: 0.0,
        }
    }

    /// Whether so much time is left, s.
    pub(super) fn has(&self, now_s: f64, seconds: f64) -> bool {
        self.until_s
            .is_none_or(|until_s| now_s + seconds <= until_s)
    }
}

/// The part of a set.
#[derive(Debug, Clone, Copy)]
pub(super) struct Share {
    /// When it is used up, s after the start; none: never.
    end_s: Option<f64>,
    /// A round took so long for each of its sites, s.
    site_s: f64,
}

impl Share {
    /// Whether a round of so many sites probably ends in time.
    pub(super) fn fits(&self, now_s: f64, sites: usize) -> bool {
        self.end_s
            .is_none_or(|end_s| now_s + self.site_s * sites as f64 <= end_s)
    }

    /// A round of so many sites took so long, s.
    pub(super) fn took(&mut self, seconds: f64, sites: usize) {
        self.site_s = seconds / sites.max(1) as f64;
    }
}

impl<S: SiteLab> Rounds<'_, S> {
    /// Runs the planned windows of sites whose gates are open, round by round, as far as they have doses and there is time: the first
    /// round in any case.
    pub(super) fn planned(
        &mut self,
        sites: &[usize],
        windows: &[Planned],
        share: &mut Share,
    ) -> Result<(), S::Error> {
        let (rest, rounds) = windows.split_at(windows.len().min(1));
        self.run(rest)?;
        let found = sites.iter().filter(|site| self.doses[**site].is_some());
        let found = found.count();
        for (nth, round) in rounds.chunks(IN_ROUND * sites.len() + 1).enumerate() {
            let begin_s = self.lab.elapsed_s();
            if nth > 0 && !share.fits(begin_s, found) {
                self.pace.rounds.spared += found;
                continue;
            }
            self.run(round)?;
            share.took(self.lab.elapsed_s() - begin_s, found);
            self.pace.rounds.ran += found;
        }
        Ok(())
    }

    /// Runs windows, but for those of sites without doses.
    fn run(&mut self, windows: &[Planned]) -> Result<(), S::Error> {
        for planned in windows {
            if planned.site.is_none_or(|site| self.doses[site].is_some()) {
                self.one(*planned)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three sets with five, ten and five windows, whose gates open in 2 s; 3 s come behind.
    fn pace(most_s: Option<f64>) -> Pace {
        let mut pace = Pace::of(most_s);
        pace.ends_with(3.0);
        pace.visits(3, 20);
        pace
    }

    fn end_s(share: &Share) -> f64 {
        share.end_s.expect("an end")
    }

    #[test]
    fn what_a_set_does_not_use_is_for_those_behind_it() {
        let mut pace = pace(Some(60.0));
        // Of 60 s 11 are behind, and gates are opened twice more and closed, at the end.
        let mut share = pace.opened(11.0, 2.0, 5);
        assert!((end_s(&share) - (11.0 + 40.0 / 4.0)).abs() < 1e-9);
        share.took(4.0, 1);
        assert!(share.fits(17.0, 1) && !share.fits(17.1, 1));
        // It ends 6 s early.
        let share = pace.opened(17.0, 2.0, 10);
        assert!((end_s(&share) - (17.0 + 36.0 * 2.0 / 3.0)).abs() < 1e-9);
        let share = pace.opened(43.0, 2.0, 5);
        assert!((end_s(&share) - 55.0).abs() < 1e-9);
        assert!(pace.has(55.0, 5.0) && !pace.has(55.1, 5.0));
    }

    #[test]
    fn a_round_of_few_sites_takes_less_than_one_of_many() {
        let mut share = pace(Some(60.0)).opened(11.0, 2.0, 5);
        share.took(12.0, 4);
        assert!(share.fits(18.0, 1) && !share.fits(18.0, 2));
    }

    #[test]
    fn without_an_end_everything_fits_and_behind_it_nothing_does() {
        let mut share = pace(None).opened(11.0, 2.0, 5);
        share.took(1e6, 1);
        assert!(share.fits(1e6, 9) && pace(None).has(1e6, 1e6));
        let mut late = pace(Some(10.0)).opened(11.0, 2.0, 5);
        late.took(1.0, 1);
        assert!(!late.fits(11.0, 1));
    }
}
