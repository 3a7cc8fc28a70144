//! How many turns a site makes: found by the clock, not by their number.

use proofmark_rules::DOSE_LEAST_GROWTH;

/// Turns of one site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dose {
    /// The site's number.
    pub site: u16,
    /// Turns of its loop.
    pub turns: u16,
}

/// What can say how long an iteration takes under a dose.
pub trait Clock {
    /// Why it cannot.
    type Error;

    /// Mean CPU time of an iteration, ns, with all sites at rest but this one.
    ///
    /// # Errors
    /// When the program cannot be run.
    fn iteration_ns(&mut self, dose: Option<Dose>) -> Result<f64, Self::Error>;
}

/// What doses are wanted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FindSettings {
    /// Least growth of the program under the low dose, as a part of its time at rest. The first turns hide behind the
    /// work around them; they must be in both doses.
    pub low: f64,
    /// Wanted further growth under the high dose. The more, the less do samples elsewhere and the clock's noise count.
    pub step: f64,
    /// Further growth below which nothing is measured.
    pub least: f64,
    /// Least turns of the low dose.
    pub least_turns: u16,
    /// Most turns of a site.
    pub most_turns: u16,
}

impl Default for FindSettings {
    fn default() -> Self {
        Self {
            low: 0.5,
            step: 9.0,
            least: DOSE_LEAST_GROWTH,
            least_turns: 2,
            most_turns: 63,
        }
    }
}

/// Longest that an iteration under the high dose should take, ns.
const LONG_ITERATION_NS: f64 = 3e8;
/// Least growth that is asked for where iterations are long.
const LEAST_STEP: f64 = 2.0;

impl FindSettings {
    /// The doses that are wanted of a program whose iterations take so long at rest, ns.
    #[must_use]
    pub fn for_iterations(rest_ns: f64) -> Self {
        let usual = Self::default();
        let possible = LONG_ITERATION_NS / rest_ns - 1.0 - usual.low;
        Self {
            step: possible.clamp(LEAST_STEP, usual.step),
            ..usual
        }
    }
}

/// A low and a high dose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Doses {
    /// Turns of the low one.
    pub low: u16,
    /// Turns of the high one.
    pub high: u16,
    /// Growth of the program under both, as a part of its time at rest, as far as is known.
    pub growth: [f64; 2],
}

/// What was found for a site.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Found {
    /// Doses.
    Doses(Doses),
    /// Even the most turns hardly slow the program: it seldom comes there, or never.
    Rare {
        /// Growth under the most turns, as a part of the time at rest.
        growth: f64,
    },
}

/// Turns of the first look where nothing is known, and by how much a look may go beyond the one before.
const FIRST: u16 = 4;
const FARTHEST: u16 = 8;

/// Looks for doses: more and more turns until the program is slow enough, then the turns between. `known` are turns that
/// were found for the same site elsewhere: if they still do, two looks are all.
///
/// # Errors
/// Those of the clock.
pub fn find_doses<C: Clock>(
    clock: &mut C,
    site: u16,
    rest_ns: f64,
    known: Option<[u16; 2]>,
    settings: &FindSettings,
) -> Result<Found, C::Error> {
    let wanted = settings.low + settings.step;
    let mut seen = vec![(0, 0.0)];
    let mut plan = known.map_or(vec![FIRST], |[low, high]| vec![high, low]);
    while let Some(turns) = plan.pop() {
        let dose = Dose { site, turns };
        let growth = clock.iteration_ns(Some(dose))? / rest_ns - 1.0;
        seen.push((turns, growth));
        if growth >= ENOUGH * wanted || turns == settings.most_turns {
            break;
        }
        if plan.is_empty() {
            plan.push(next(turns, growth, wanted).min(settings.most_turns));
        }
    }
    for _ in 0..REFINED {
        let low = reaching(&seen, settings.low).max(settings.least_turns);
        if near(&seen, low) {
            break;
        }
        let dose = Dose { site, turns: low };
        let growth = clock.iteration_ns(Some(dose))? / rest_ns - 1.0;
        let at = seen.partition_point(|(turns, _)| *turns < low);
        seen.insert(at, (low, growth));
    }
    Ok(between(&seen, settings))
}

/// Doses on the line between two numbers of turns, the fewer first, under which the program grew by so much; none where more looks are
/// needed to find any.
pub(super) fn doses_between(
    turns: [u16; 2],
    growth: [f64; 2],
    settings: &FindSettings,
) -> Option<Doses> {
    let seen = [(0, 0.0), (turns[0], growth[0]), (turns[1], growth[1])];
    let wanted = ENOUGH * (settings.low + settings.step);
    let enough = growth[1] >= wanted || turns[1] == settings.most_turns;
    let low = reaching(&seen, settings.low).max(settings.least_turns);
    match between(&seen, settings) {
        Found::Doses(doses) if enough && near(&seen, low) => Some(doses),
        _ => None,
    }
}

/// Most looks at where the low dose seems to be. The first turns may cost nothing, so that the line to a look far behind
/// them says too much.
const REFINED: usize = 2;

/// Whether so many turns were looked at, or others so near that the line between them will do.
fn near(seen: &[(u16, f64)], turns: u16) -> bool {
    let pair = seen.windows(2).find(|pair| turns <= pair[1].0);
    pair.is_none_or(|pair| {
        let (from, to) = (pair[0].0, pair[1].0);
        turns == to || to <= 2 * from || to - from <= 4
    })
}

/// This part of the wanted growth will do.
const ENOUGH: f64 = 0.7;

/// Turns of the next look: as many as would do if all turns cost the same, but not too far away, for the first turns may
/// have cost nothing.
fn next(turns: u16, growth: f64, wanted: f64) -> u16 {
    let factor = (wanted / growth.max(f64::MIN_POSITIVE)).clamp(1.5, f64::from(FARTHEST));
    (f64::from(turns) * factor).ceil() as u16
}

/// The doses on the line between what was seen.
fn between(seen: &[(u16, f64)], settings: &FindSettings) -> Found {
    let low = reaching(seen, settings.low).max(settings.least_turns);
    let at_low = growth_at(seen, low);
    let high = reaching(seen, at_low.max(settings.low) + settings.step)
        .max(low + 1)
        .min(settings.most_turns);
    let growth = growth_at(seen, high);
    if growth - at_low < settings.least || low >= high {
        let most = seen.last().map_or(0.0, |&(_, growth)| growth);
        return Found::Rare { growth: most };
    }
    Found::Doses(Doses {
        low,
        high,
        growth: [at_low, growth],
    })
}

/// Fewest turns with that growth, on the line between what was seen; the most turns seen if it was not reached.
fn reaching(seen: &[(u16, f64)], growth: f64) -> u16 {
    for pair in seen.windows(2) {
        let ((from, before), (to, after)) = (pair[0], pair[1]);
        if after >= growth {
            let part = (growth - before).max(0.0) / (after - before).max(f64::MIN_POSITIVE);
            return from + (part * f64::from(to - from)).ceil() as u16;
        }
    }
    seen.last().map_or(0, |&(turns, _)| turns)
}

/// Growth at so many turns, on the same line; beyond it the line goes on.
fn growth_at(seen: &[(u16, f64)], turns: u16) -> f64 {
    let pairs = seen.windows(2);
    let pair = pairs
        .clone()
        .find(|pair| turns <= pair[1].0)
        .or(pairs.last());
    pair.map_or(0.0, |pair| {
        let ((from, before), (to, after)) = (pair[0], pair[1]);
        let slope = (after - before) / f64::from(to - from);
        before + slope * (f64::from(turns) - f64::from(from))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A hinge: the first turns are free, then every turn costs the same.
    struct Hinge {
        per_turn: f64,
        free: f64,
        asked: Vec<u16>,
    }

    impl Clock for Hinge {
        type Error = std::convert::Infallible;

        fn iteration_ns(&mut self, dose: Option<Dose>) -> Result<f64, Self::Error> {
            let turns = dose.map_or(0, |dose| dose.turns);
            self.asked.push(turns);
            Ok(100.0 + (f64::from(turns) * self.per_turn - self.free).max(0.0))
        }
    }

    fn found(per_turn: f64, free: f64) -> (Found, Hinge) {
        let mut hinge = Hinge {
            per_turn,
            free,
            asked: Vec::new(),
        };
        let Ok(found) = find_doses(&mut hinge, 3, 100.0, None, &FindSettings::default());
        (found, hinge)
    }

    #[test]
    fn both_doses_lie_beyond_the_hinge_and_are_told_apart_by_much() {
        for (per_turn, free) in [
            (5.0, 0.0),
            (10.0, 40.0),
            (20.0, 30.0),
            (40.0, 10.0),
            (9.0, 80.0),
        ] {
            let (found, hinge) = found(per_turn, free);
            let Found::Doses(doses) = found else {
                panic!("{per_turn} {free}: {found:?}")
            };
            let growth = |turns: u16| ((f64::from(turns) * per_turn - free).max(0.0)) / 100.0;
            assert!(growth(doses.low) >= 0.45, "{per_turn} {free} {doses:?}");
            let step = growth(doses.high) - growth(doses.low);
            let possible = growth(63) - growth(doses.low);
            assert!(
                step >= 6.0_f64.min(0.9 * possible),
                "{per_turn} {free} {doses:?}"
            );
            assert!(doses.high <= 63 && hinge.asked.len() <= 6);
            // The same site in another JVM.
            let known = Some([doses.low, doses.high]);
            let mut again = Hinge {
                per_turn: 1.1 * per_turn,
                free,
                asked: Vec::new(),
            };
            let settings = FindSettings::default();
            let Ok(found) = find_doses(&mut again, 3, 100.0, known, &settings);
            assert!(matches!(found, Found::Doses(_)), "{found:?}");
            assert!(again.asked.len() <= 3, "{:?}", again.asked);
        }
    }

    #[test]
    fn two_looks_that_were_taken_elsewhere_are_doses_where_they_are_enough() {
        let settings = FindSettings::default();
        let between = |turns, growth| doses_between(turns, growth, &settings);
        let doses = between([2, 40], [0.5, 9.5]).expect("enough");
        assert_eq!((doses.low, doses.high), (2, 40));
        // Fewer turns do where the program grows by more.
        let fewer = between([2, 40], [1.0, 19.0]).expect("enough");
        assert!(fewer.high < 30, "{fewer:?}");
        // The high dose is too low, and could be higher; the program hardly grows; the low dose may be anywhere between.
        assert_eq!(between([2, 40], [0.3, 5.0]), None);
        assert_eq!(between([2, 63], [0.01, 0.2]), None);
        assert_eq!(between([4, 40], [0.1, 9.5]), None);
        assert!(between([4, 63], [0.6, 5.0]).is_some());
    }

    #[test]
    fn a_method_that_is_hardly_entered_is_called_rare() {
        let Found::Rare { growth } = found(0.5, 0.0).0 else {
            panic!("32 % in all are not enough")
        };
        assert!((growth - 0.315).abs() < 1e-9);
        assert!(matches!(found(0.0, 0.0).0, Found::Rare { growth } if growth == 0.0));
    }

    #[test]
    fn long_iterations_get_smaller_doses() {
        let step = |rest_ns| FindSettings::for_iterations(rest_ns).step;
        assert_eq!(step(1e6), FindSettings::default().step);
        // Six times as long is what is allowed, of which the low dose has one and a half.
        assert!((step(5e7) - 4.5).abs() < 1e-9);
        assert_eq!(step(1e9), LEAST_STEP);
    }

    #[test]
    fn one_turn_that_already_costs_much_is_a_low_dose() {
        let Found::Doses(doses) = found(900.0, 0.0).0 else {
            panic!("not found")
        };
        assert_eq!(doses.low, 2);
        assert_eq!(doses.high, 3, "{doses:?}");
    }
}
