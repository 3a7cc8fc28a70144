//! More windows for rows that are still wide, while the gates of their set are open: to open them again would take longer than the
//! windows.

use super::lab::SiteLab;
use super::measure::Shown;
use super::rounds::Rounds;
use crate::dose::{is_wide, visits};

/// What is left of the time for such windows.
pub(super) struct Left {
    pub(super) seconds: f64,
    /// Sites that have had no part of it yet.
    pub(super) sites: usize,
}

impl Left {
    /// The part of so many of these sites, s: as large as that of any others.
    fn part_s(&self, sites: usize) -> f64 {
        self.seconds * sites as f64 / self.sites.max(1) as f64
    }

    /// So many of them had their part and used so much of it, s. That a round took longer than the part is not at the cost of the
    /// others: each gets one.
    fn used(&mut self, sites: usize, seconds: f64) {
        self.seconds -= seconds.min(self.part_s(sites));
        self.sites -= sites.min(self.sites);
    }
}

impl<S: SiteLab> Rounds<'_, S> {
    /// Those of some sites that have doses and whose rows are still wide, or which have none.
    pub(super) fn wide(&self, sites: &[usize], rows: &[Shown]) -> Vec<usize> {
        let wide = |site: &usize| {
            let row = rows[*site].as_ref();
            self.doses[*site].is_some() && row.map_or(true, |(_, row)| is_wide(row))
        };
        sites.iter().copied().filter(wide).collect()
    }

    /// More rounds for those of these sites of the set whose gates are open that are still wide: one at least, if there is any time
    /// for that, and more until their part of it is used up; none that would take time from windows that are planned.
    pub(super) fn narrow(
        &mut self,
        set: usize,
        sites: &[usize],
        left: &mut Left,
    ) -> Result<(), S::Error> {
        let begin_s = self.lab.elapsed_s();
        let part_s = left.part_s(sites.len());
        let mut used_s = 0.0;
        let mut due = true;
        while used_s < part_s {
            let reported = self.lab.reported()?;
            let wide = self.wide(sites, &self.rows(&reported));
            if wide.is_empty() {
                break;
            }
            let many = wide.len();
            if !self.pace.leaves_room(self.lab.elapsed_s(), many) {
                self.pace.rounds.spared += if due { many } else { 0 };
                break;
            }
            let all = visits(&[(set, wide)], 1, self.seed_now());
            // The window at rest that such a visit begins with has just been.
            let windows = all.into_iter().flat_map(|visit| visit.windows).skip(1);
            windows.into_iter().try_for_each(|one| self.one(one))?;
            self.pace.rounds.ran += many;
            due = false;
            used_s = self.lab.elapsed_s() - begin_s;
        }
        left.used(sites.len(), used_s);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_set_does_not_need_is_for_those_behind_it() {
        let mut left = Left {
            seconds: 12.0,
            sites: 4,
        };
        assert!((left.part_s(1) - 3.0).abs() < 1e-9);
        left.used(1, 0.0);
        assert!((left.part_s(1) - 4.0).abs() < 1e-9);
        // A round that took longer leaves the others their part.
        left.used(1, 9.0);
        assert!((left.part_s(2) - 8.0).abs() < 1e-9);
        left.used(2, 6.0);
        assert_eq!((left.seconds, left.sites), (2.0, 0));
    }
}
