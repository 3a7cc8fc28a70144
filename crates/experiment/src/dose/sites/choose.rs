//! Which methods are tested: what a profiler never shows is what matters, so that none is asked alone.

use std::collections::BTreeMap;

use super::candidate::{Candidate, can_change, named_candidate, repeated};
use super::lab::SiteLabs;
use super::look::seen;
use super::turns::in_turn;
use super::{DoseError, Test};
use crate::dose::{JavaShares, LeftOut, java_shares, one_works, shares_at_rest};

/// What was found before anything is changed.
pub(super) struct Chosen {
    /// Methods to test, in the order of [`in_turn`].
    pub(super) candidates: Vec<Candidate>,
    /// Those that are large enough and beyond the number that is tested, in the same order.
    pub(super) beyond: Vec<Candidate>,
    /// Those that are large enough and cannot be tested, with the reason.
    pub(super) left_out: Vec<LeftOut>,
    /// What each profiler shows of the program as it is, once.
    pub(super) looks: BTreeMap<String, Vec<JavaShares>>,
    /// How long a look took, s: the longest.
    pub(super) look_s: f64,
    /// Profilers that do not work, with the reason.
    pub(super) failed: BTreeMap<String, String>,
    /// Time of an iteration of the program as it is, s: of the looks the shortest.
    pub(super) iteration_s: f64,
    /// How many processes of the program may be measured at the same time.
    pub(super) at_once: usize,
}

/// Methods to test, by counts and by what every profiler shows.
pub(super) fn chosen<L: SiteLabs>(test: &Test<'_, L>) -> Result<Chosen, DoseError<L::Error>> {
    let (named, size) = (&test.order.named, &test.order.size);
    let mut all: BTreeMap<String, Candidate> = BTreeMap::new();
    for name in named {
        let Some(one) = named_candidate(name) else {
            return Err(DoseError::Usage(format!(
                "--method {name}: write the class with its packages and the method, such as com.acme.Main.run"
            )));
        };
        all.insert(name.clone(), one);
    }
    let mut entry = |name: &str, set: &mut dyn FnMut(&mut Candidate)| {
        if let Some(candidate) = Candidate::parse(name).filter(|one| can_change(&one.class)) {
            set(all.entry(name.to_owned()).or_insert(candidate));
        }
    };
    for (name, pct) in test.labs.bytecodes() {
        entry(&name, &mut |one| one.bytecode_pct = Some(pct));
    }
    let mut failed = BTreeMap::new();
    let mut looks = BTreeMap::new();
    let (seen, at_once) = seen(test)?;
    let (mut iteration_s, mut look_s) = (f64::INFINITY, 0.0_f64);
    for (profiler, seen) in size.profilers.iter().zip(seen) {
        match seen {
            Ok(look) => {
                let windows = look.windows;
                iteration_s = iteration_s.min(look.iteration_s);
                look_s = look_s.max(look.took_s);
                for (name, share) in shares_at_rest(&windows) {
                    entry(&name, &mut |one| {
                        one.reported_pct.insert(profiler.clone(), share.value);
                    });
                }
                looks.insert(profiler.clone(), vec![java_shares(&windows)]);
            }
            Err(reason) => {
                failed.insert(profiler.clone(), reason);
            }
        }
    }
    if let Err(reasons) = one_works(&failed, size.profilers.len()) {
        return Err(DoseError::Cannot(reasons));
    }
    let (hottest, left_out) = repeated(all.into_values());
    let working = size.profilers.iter();
    let working = working.filter(|name| !failed.contains_key(*name));
    let working: Vec<&str> = working.map(String::as_str).collect();
    let mut candidates = in_turn(hottest, &working);
    let most = size.methods.max(named.len()).min(candidates.len());
    let beyond = candidates.split_off(most);
    Ok(Chosen {
        candidates,
        beyond,
        left_out,
        looks,
        look_s,
        failed,
        iteration_s,
        at_once,
    })
}
