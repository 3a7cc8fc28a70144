//! How many rounds of windows fit into the time that a process has.
//!
//! Time alone decides. What the profiler reports is not looked at, so that no verdict decides how much is measured. Which rows are wide
//! decides, as ever, who gets rounds behind the planned ones (`narrow`); but these are run only if all planned ones of other sets fit behind
//! them, and so take no time from those. One round is the least: it has the two pairs of windows that a row needs.

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

/// What is known of the time of a process. Times are by its own clock.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Pace {
    /// When it should have ended, s; none: it takes as long as it takes.
    until_s: Option<f64>,
    /// What comes behind all visits takes so long, but for closing the gates, s.
    behind_s: f64,
    /// How long it took so far to open gates and find doses, s, and how often that was done.
    opening_s: f64,
    openings: usize,
    /// How long the planned windows took so far, s, and how many these were.
    planned_s: f64,
    planned: usize,
    /// Sets that are still to be visited, and the windows that are planned for them.
    sets: usize,
    windows: usize,
    /// When the planned windows of the set whose gates are open should have ended, s; none: whenever they end.
    end_s: Option<f64>,
    /// How long a round of this set took for each of its sites, s.
    site_s: f64,
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

    /// The gates of the next set, for which so many windows are planned, are open at this time, s, which took so long, s.
    pub(super) fn opened(&mut self, now_s: f64, took_s: f64, windows: usize) {
        self.opening_s += took_s;
        self.openings += 1;
        let part = windows as f64 / self.windows.max(1) as f64;
        self.sets = self.sets.saturating_sub(1);
        self.windows = self.windows.saturating_sub(windows);
        let between_s = self.between_s();
        self.end_s = (self.until_s).map(|until_s| now_s + part * (until_s - now_s - between_s));
    }

    /// A round of so many sites, with so many windows, took so long, s.
    fn took(&mut self, seconds: f64, sites: usize, windows: usize) {
        self.site_s = seconds / sites.max(1) as f64;
        self.planned_s += seconds;
        self.planned += windows;
    }

    /// Whether another round of so many sites probably ends within the set's part of the time, which is as large as those of others, by
    /// their planned windows.
    fn fits(&self, now_s: f64, sites: usize) -> bool {
        let ends_s = now_s + self.site_s * sites as f64;
        self.end_s.is_none_or(|end_s| ends_s <= end_s)
    }

    /// Whether all planned windows of the sets ahead probably fit behind another round of so many sites.
    pub(super) fn leaves_room(&self, now_s: f64, sites: usize) -> bool {
        let window_s = self.planned_s / self.planned.max(1) as f64;
        let ahead_s = self.between_s() + window_s * self.windows as f64;
        self.has(now_s, self.site_s * sites as f64 + ahead_s)
    }

    /// Whether so much time is left, s.
    pub(super) fn has(&self, now_s: f64, seconds: f64) -> bool {
        self.until_s
            .is_none_or(|until_s| now_s + seconds <= until_s)
    }

    /// Opening the gates of all sets ahead, closing those of the last one, which takes about as long, and what comes behind, s.
    fn between_s(&self) -> f64 {
        let each_s = self.opening_s / self.openings.max(1) as f64;
        self.behind_s + each_s * (self.sets + 1) as f64
    }
}

impl<S: SiteLab> Rounds<'_, S> {
    /// Runs the planned windows of sites whose gates are open, round by round, as far as they have doses and there is time: the first
    /// round in any case.
    pub(super) fn planned(&mut self, sites: &[usize], windows: &[Planned]) -> Result<(), S::Error> {
        let (rest, rounds) = windows.split_at(windows.len().min(1));
        self.run(rest)?;
        let found = sites.iter().filter(|site| self.doses[**site].is_some());
        let found = found.count();
        for (nth, round) in rounds.chunks(IN_ROUND * sites.len() + 1).enumerate() {
            let begin_s = self.lab.elapsed_s();
            if nth > 0 && !self.pace.fits(begin_s, found) {
                self.pace.rounds.spared += found;
                continue;
            }
            self.run(round)?;
            let took_s = self.lab.elapsed_s() - begin_s;
            self.pace.took(took_s, found, round.len());
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

    /// Three sets with five, ten and five windows, whose gates open in 2 s, those of the first one at 11 s; 3 s come behind.
    fn pace(most_s: Option<f64>) -> Pace {
        let mut pace = Pace::of(most_s);
        pace.ends_with(3.0);
        pace.visits(3, 20);
        pace.opened(11.0, 2.0, 5);
        pace
    }

    fn end_s(pace: &Pace) -> f64 {
        pace.end_s.expect("an end")
    }

    #[test]
    fn what_a_set_does_not_use_is_for_those_behind_it() {
        let mut pace = pace(Some(60.0));
        // Of 60 s 11 are behind, and gates are opened twice more and closed, at the end.
        assert!((end_s(&pace) - (11.0 + 40.0 / 4.0)).abs() < 1e-9);
        pace.took(4.0, 1, 5);
        assert!(pace.fits(17.0, 1) && !pace.fits(17.1, 1));
        // It ends 6 s early.
        pace.opened(17.0, 2.0, 10);
        assert!((end_s(&pace) - (17.0 + 36.0 * 2.0 / 3.0)).abs() < 1e-9);
        pace.opened(43.0, 2.0, 5);
        assert!((end_s(&pace) - 55.0).abs() < 1e-9);
        assert!(pace.has(55.0, 5.0) && !pace.has(55.1, 5.0));
    }

    #[test]
    fn a_round_of_few_sites_takes_less_than_one_of_many() {
        let mut pace = pace(Some(60.0));
        pace.took(12.0, 4, 17);
        assert!(pace.fits(18.0, 1) && !pace.fits(18.0, 2));
    }

    /// Fifteen windows of a second are ahead, 9 s between and behind them, and a round of 5 s is asked for.
    #[test]
    fn a_wide_row_takes_no_time_from_windows_that_are_planned() {
        let mut pace = pace(Some(60.0));
        pace.took(5.0, 1, 5);
        assert!(pace.leaves_room(31.0, 1) && !pace.leaves_room(31.1, 1));
        assert!(!pace.fits(31.0, 1), "its own part is used up by then");
        assert!(pace.leaves_room(26.0, 2) && !pace.leaves_room(26.1, 2));
    }

    #[test]
    fn without_an_end_everything_fits_and_behind_it_nothing_does() {
        let mut always = pace(None);
        always.took(1e6, 1, 5);
        assert!(always.fits(1e6, 9) && always.leaves_room(1e6, 9) && always.has(1e6, 1e6));
        let mut late = pace(Some(10.0));
        late.took(1.0, 1, 5);
        assert!(!late.fits(11.0, 1) && !late.leaves_room(11.0, 1));
    }
}
