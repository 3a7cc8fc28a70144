//! The way of one tunable through the published search: up by steps, then by halves.

/// Instructions from which on it is told whether a tunable needs hundreds.
const LOOK: u32 = 10;
/// Instructions that a tunable must need, by a straight line through what it has gained, for long steps.
const HUNDREDS: f64 = 100.0;
/// Instructions of a long step.
const LONG: u32 = 10;
/// Most instructions that are tried: most of the published programs have no block with more.
const MOST: u32 = 2000;

/// Numbers of instructions that were tried in a tunable, and what they did.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Ladder {
    /// In their order; overhead seen beyond the target, parts of the baseline time.
    tries: Vec<(u32, f64)>,
}

impl Ladder {
    /// So many instructions brought the tunable so far beyond the target.
    pub(crate) fn note(&mut self, instructions: u32, beyond: f64) {
        self.tries.push((instructions, beyond));
    }

    /// What to try next, at most so many; none once the closest number is known. `target`: 1.0 is +100 %.
    pub(crate) fn next(&self, target: f64, most: u32) -> Option<u32> {
        let over = self.tries.iter().filter(|(_, beyond)| *beyond >= 0.0);
        match over.map(|(instructions, _)| *instructions).min() {
            Some(over) => {
                let under = self.last_under(over);
                (over - under > 1).then(|| under + (over - under) / 2)
            }
            None => Some(self.up(target)).filter(|next| *next <= most.min(MOST)),
        }
    }

    /// The number of instructions that came closest, none at all among them.
    pub(crate) fn closest(&self, target: f64) -> u32 {
        let all = std::iter::once((0, -target)).chain(self.tries.iter().copied());
        let closest = all.min_by(|a, b| a.1.abs().total_cmp(&b.1.abs()));
        closest.map_or(0, |(instructions, _)| instructions)
    }

    /// Largest number below this one that was under the target.
    fn last_under(&self, over: u32) -> u32 {
        let tries = self.tries.iter().map(|(instructions, _)| *instructions);
        tries.filter(|tried| *tried < over).max().unwrap_or(0)
    }

    /// One step up.
    fn up(&self, target: f64) -> u32 {
        let Some(&(last, beyond)) = self.tries.last() else {
            return 1;
        };
        let gained = beyond + target;
        let long = last >= LOOK && f64::from(last) * target >= HUNDREDS * gained;
        last + if long { LONG } else { 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a tunable that gains so much with each instruction tries for +100 %, and what is kept.
    fn tried(each: f64, most: u32) -> (Vec<u32>, u32) {
        let (mut ladder, mut tried) = (Ladder::default(), Vec::new());
        while let Some(next) = ladder.next(1.0, most) {
            ladder.note(next, each * f64::from(next) - 1.0);
            tried.push(next);
            assert!(tried.len() < 1000, "it ends");
        }
        (tried, ladder.closest(1.0))
    }

    #[test]
    fn few_are_found_one_by_one() {
        let (six, kept) = tried(0.15, 100);
        let seven: Vec<u32> = (1..=7).collect();
        assert_eq!((&six, kept), (&seven, 7), "105 %, and 90 % with six");
        let (again, kept) = tried(0.16, 100);
        assert_eq!((&again, kept), (&seven, 6), "112 %, and 96 % with six");
    }

    /// +0.33 points each: after ten it is clear that hundreds are needed; 310 are too many, then by halves.
    #[test]
    fn hundreds_are_found_by_tens_and_halves() {
        let (tried, kept) = tried(0.0033, 1000);
        let mut wanted: Vec<u32> = (1..=10).collect();
        wanted.extend((2..=31).map(|tens| 10 * tens));
        wanted.extend([305, 302, 303, 304]);
        assert_eq!((tried, kept), (wanted, 303));
    }

    #[test]
    fn one_that_is_too_much_is_left_out_if_none_is_closer() {
        assert_eq!(tried(2.5, 100), (vec![1], 0), "150 beyond, or 100 below");
        assert_eq!(tried(1.5, 100), (vec![1], 1));
    }

    #[test]
    fn what_does_not_respond_ends_at_the_most() {
        let (tried, kept) = tried(0.0, 45);
        assert_eq!(tried.last(), Some(&40), "{tried:?}");
        assert_eq!(kept, 0, "nothing came closer");
    }
}
