//! How many instructions a low and a high dose are: found by the clock.

use std::ops::RangeInclusive;

use proofmark_rules::BLOCK_DOSE_LEAST_GROWTH;

/// What doses are wanted. Growth is that of the program's time, as a part of its time without a dose.
#[derive(Clone, Debug, PartialEq)]
pub struct AmountSettings {
    /// Growth under the low dose that is aimed at.
    pub low: f64,
    /// Growth under the low dose that will do.
    pub low_within: RangeInclusive<f64>,
    /// The least amount that is a dose, whatever the growth under it.
    pub least: f64,
    /// Further growth under the high dose that is aimed at; as much as under the low one if that is more.
    pub step: f64,
    /// Further growth that will do, as a part of what is aimed at.
    pub step_within: RangeInclusive<f64>,
    /// Further growth below which nothing is measured.
    pub least_step: f64,
    /// Amounts that are tried for each dose at most.
    pub tries: usize,
}

impl Default for AmountSettings {
    fn default() -> Self {
        AmountSettings {
            low: 0.6,
            low_within: 0.4..=1.0,
            least: 0.0,
            step: 2.0,
            step_within: 0.5..=1.75,
            least_step: BLOCK_DOSE_LEAST_GROWTH,
            tries: 6,
        }
    }
}

/// A low and a high dose, with the growth under each.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Amounts {
    /// The low one, and the growth under it.
    pub low: (f64, f64),
    /// The high one, and the growth under it.
    pub high: (f64, f64),
}

/// Looks for amounts between 0 and `most`, beginning with `guess`; `growth` says how much longer the program takes under
/// an amount. The growth under `most` (or under the largest amount that was tried) if no two amounts differ enough.
///
/// # Errors
/// Those of the clock.
pub fn find_amounts<E>(
    mut growth: impl FnMut(f64) -> Result<f64, E>,
    (guess, most): (f64, f64),
    settings: &AmountSettings,
) -> Result<Result<Amounts, f64>, E> {
    let mut search = Search {
        seen: vec![(0.0, 0.0)],
        least: settings.least.min(most),
        most,
    };
    let mut next = Some(guess.clamp(search.least.max(f64::MIN_POSITIVE), most));
    for _ in 0..settings.tries {
        let Some(amount) = next else { break };
        let found = growth(amount)?;
        search.add(amount, found);
        next = (!settings.low_within.contains(&found))
            .then(|| search.next(settings.low))
            .flatten();
    }
    let low = search.nearest(settings.low, f64::NEG_INFINITY);
    let step = settings.step.max(low.1);
    let wanted = low.1 + step;
    let enough = |growth: f64| settings.step_within.contains(&((growth - low.1) / step));
    for _ in 0..settings.tries {
        if search.seen.iter().any(|(_, growth)| enough(*growth)) {
            break;
        }
        let Some(amount) = search.next(wanted) else {
            break;
        };
        let found = growth(amount)?;
        search.add(amount, found);
    }
    let high = search.nearest(wanted, low.0);
    let beyond = low.1 >= settings.low_within.start() / 2.0;
    Ok(if beyond && high.1 - low.1 >= settings.least_step {
        Ok(Amounts { low, high })
    } else {
        Err(search.seen.last().map_or(0.0, |(_, growth)| *growth))
    })
}

/// Amounts and growths that were seen, by amount.
struct Search {
    seen: Vec<(f64, f64)>,
    least: f64,
    most: f64,
}

impl Search {
    fn add(&mut self, amount: f64, growth: f64) {
        self.seen.push((amount, growth));
        self.seen.sort_by(|a, b| a.0.total_cmp(&b.0));
    }

    /// The amount to try for a growth; none if there is nothing new to try.
    fn next(&self, wanted: f64) -> Option<f64> {
        let above = (1..self.seen.len()).find(|at| self.seen[*at].1 >= wanted);
        let amount = above.map_or_else(|| self.beyond(wanted), |at| self.between(at, wanted));
        let amount = amount.max(self.least);
        let known = |seen: &(f64, f64)| (seen.0 - amount).abs() <= 0.01 * amount;
        (!self.seen.iter().any(known)).then_some(amount)
    }

    /// On the line through the two largest amounts, not too far beyond them.
    fn beyond(&self, wanted: f64) -> f64 {
        let (a, b) = (
            self.seen[self.seen.len() - 2],
            self.seen[self.seen.len() - 1],
        );
        let slope = (b.1 - a.1) / (b.0 - a.0);
        let line = if slope > 0.0 {
            b.0 + (wanted - b.1) / slope
        } else {
            f64::INFINITY
        };
        line.clamp(1.1 * b.0, 4.0 * b.0).min(self.most)
    }

    /// Between the amount at a place and the one before it. The growth is a hinge: if the smaller amount still hides, the
    /// line through the two above is followed down; if only one is above, far above, half of the way is taken.
    fn between(&self, at: usize, wanted: f64) -> f64 {
        let (a, b) = (self.seen[at - 1], self.seen[at]);
        let part = |part: f64| a.0 + part * (b.0 - a.0);
        let hidden = a.1 < 0.25 * wanted;
        match self.seen.get(at + 1).filter(|c| hidden && c.1 > b.1) {
            Some(c) => {
                let line = b.0 - (b.1 - wanted) * (c.0 - b.0) / (c.1 - b.1);
                line.clamp(part(0.05), part(0.95))
            }
            None if hidden && b.1 > 4.0 * wanted => part(0.5),
            None => part((wanted - a.1) / (b.1 - a.1).max(f64::MIN_POSITIVE)),
        }
    }

    /// What was seen nearest to a growth, of amounts above `from`; nothing is the amount 0.
    fn nearest(&self, wanted: f64, from: f64) -> (f64, f64) {
        let tried = self
            .seen
            .iter()
            .filter(|(amount, _)| *amount > from.max(0.0));
        let away = |seen: &(f64, f64)| (seen.1 - wanted).abs();
        tried
            .min_by(|a, b| away(a).total_cmp(&away(b)))
            .copied()
            .unwrap_or((0.0, 0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Doses for a program in which the first instructions are free and each further one costs `slope`; amounts tried.
    fn found(hinge: f64, slope: f64, guess: f64) -> (Result<Amounts, f64>, usize) {
        let mut tried = 0;
        let clock = |amount: f64| -> Result<f64, std::convert::Infallible> {
            tried += 1;
            Ok((amount - hinge).max(0.0) * slope)
        };
        let Ok(found) = find_amounts(clock, (guess, 2000.0), &AmountSettings::default());
        (found, tried)
    }

    #[test]
    fn both_doses_lie_beyond_the_hinge_whatever_was_guessed() {
        for hinge in [0.0, 2.0, 30.0] {
            for slope in [0.02, 0.1, 1.0] {
                for guess in [0.2, 1.0, 5.0] {
                    let guess = guess * (hinge + 0.6 / slope);
                    let (found, tried) = found(hinge, slope, guess);
                    let case = format!("{hinge} {slope} {guess}: {found:?}");
                    let Ok(Amounts { low, high }) = found else {
                        panic!("{case}")
                    };
                    assert!((0.3..=1.2).contains(&low.1), "{case}");
                    assert!((0.8..=3.6).contains(&(high.1 - low.1)), "{case}");
                    assert!(tried <= 10, "{case}: {tried}");
                }
            }
        }
    }

    #[test]
    fn no_dose_is_less_than_the_least_however_long_the_program_takes() {
        let settings = AmountSettings {
            least: 1.0,
            ..AmountSettings::default()
        };
        for slope in [0.3, 3.0, 12.0] {
            for guess in [1.0, 5.0] {
                let clock = |amount: f64| Ok::<_, std::convert::Infallible>(amount * slope);
                let Ok(found) = find_amounts(clock, (guess, 40.0), &settings);
                let case = format!("{slope} {guess}: {found:?}");
                let Ok(Amounts { low, high }) = found else {
                    panic!("{case}")
                };
                assert!(low.0 >= 1.0 && low.1 >= 0.4, "{case}");
                assert!(low.1 <= f64::max(1.0, slope), "{case}");
                let step = (high.1 - low.1) / low.1.max(2.0);
                assert!((0.5..=1.75).contains(&step), "{case}");
            }
        }
    }

    #[test]
    fn code_that_is_hardly_executed_is_told_by_its_growth() {
        let (rare, _) = found(5.0, 0.0002, 100.0);
        assert!(rare.is_err_and(|growth| growth < 0.5), "{rare:?}");
        let (dead, tried) = found(0.0, 0.0, 100.0);
        assert_eq!(dead, Err(0.0));
        assert!(tried <= 12);
    }
}
