//! The sites of all methods, one method after the other, and who stands in for those that take none.

use super::candidate::Candidate;
use super::choose::Chosen;
use super::clock::rest;
use super::lab::{ANEW, SiteLab, SiteLabs, SitePlace, WantedSite};
use super::tune::{RARE, Trial, Tried, Tuned, USUAL, places, wanted};
use super::{DoseError, Test};
use crate::dose::{LeftOut, Weighed as _};

/// Methods with this share get a second site, %, and so many of them.
const TWICE_PCT: f64 = 5.0;
const TWICE: usize = 4;
/// So many of the methods beyond the number that is tested can stand in for others. Their sites are behind closed gates, and cost
/// nothing, until one of them must.
const SPARE: usize = 6;

/// Sites that were found.
pub(super) struct Found {
    pub(super) tuned: Vec<Tuned>,
    /// Methods that have none, with the reason.
    pub(super) left_out: Vec<LeftOut>,
    /// How many of those beyond the number were tried in their place.
    pub(super) stood_in: usize,
    /// What is to be said of the program.
    pub(super) remark: Option<String>,
}

/// Finds sites for each method, in their order, or says why there is none. For each of the latter that the user did not name one of those
/// that come behind is tried, in the same process.
pub(super) fn sites<L: SiteLabs>(
    test: &Test<'_, L>,
    chosen: &Chosen,
) -> Result<Found, DoseError<L::Error>> {
    test.say("doses by the clock");
    let (usual, kind) = (&chosen.candidates, test.order.kind);
    let spare = &chosen.beyond[..chosen.beyond.len().min(SPARE)];
    let first = usual.len();
    let all = usual.iter().chain(spare).enumerate();
    let sites = all.flat_map(|(number, one)| {
        places().map(move |place| WantedSite {
            gated: number >= first,
            ..wanted(one, place, (kind, USUAL))
        })
    });
    let sites: Vec<WantedSite> = sites.collect();
    test.done_in("doses", &sites, |lab| {
        let trial = Trial::begin(lab, kind)?;
        for note in trial.missing(usual) {
            test.progress.note(&note);
        }
        let mut search = Search::of(trial, chosen.left_out.clone());
        let mut missing = 0;
        for (number, candidate) in usual.iter().enumerate() {
            let has_site = search.method(number, candidate)?;
            missing += usize::from(!has_site && !candidate.named);
        }
        let stood_in = search.stand_in(missing, (first, spare))?;
        search.finish(stood_in)
    })
}

/// What was found so far.
struct Search<S> {
    trial: Trial<S>,
    tuned: Vec<Tuned>,
    left_out: Vec<LeftOut>,
    /// Methods with two sites.
    twice: usize,
}

impl<S: SiteLab> Search<S> {
    /// Nothing is found yet; these cannot be tested.
    fn of(trial: Trial<S>, left_out: Vec<LeftOut>) -> Self {
        Self {
            trial,
            tuned: Vec::new(),
            left_out,
            twice: 0,
        }
    }

    /// Finds the sites of the method with this number; whether it has any.
    fn method(&mut self, number: usize, candidate: &Candidate) -> Result<bool, S::Error> {
        let trial = &mut self.trial;
        let entry = trial.place(number, 0)?;
        let reason = entry.as_ref().err().cloned();
        let entry = entry.ok();
        let first = match entry.filter(Tried::fits) {
            Some(fitting) => Some(fitting),
            // A site in front of a loop, else a long one at the entry.
            None => trial.in_loop(number, false)?.or(entry),
        };
        let Some((first, steps)) = first.and_then(|one| Some((one, one.steps()?))) else {
            self.left_out.push(LeftOut {
                method: candidate.name.clone(),
                reason: reason.map_or_else(|| RARE.into(), |why| candidate.without_site(why)),
            });
            return Ok(false);
        };
        let tuned = first.tuned(candidate, steps, &trial.report);
        let more = candidate.weight() >= TWICE_PCT && self.twice < TWICE;
        if first.place == SitePlace::Entry && more {
            let second = trial.in_loop(number, true)?;
            let second =
                second.and_then(|one| Some(one.tuned(candidate, one.steps()?, &trial.report)));
            // The same line would say nothing new.
            let second = second.filter(|one| one.lines != tuned.lines);
            self.twice += usize::from(second.is_some());
            self.tuned.push(tuned);
            self.tuned.extend(second);
        } else {
            self.tuned.push(tuned);
        }
        Ok(true)
    }

    /// Tries those that are spare, the first of which has this number, until so many of them have a site; how many were tried.
    fn stand_in(
        &mut self,
        mut missing: usize,
        (first, spare): (usize, &[Candidate]),
    ) -> Result<usize, S::Error> {
        if missing > 0 && !spare.is_empty() {
            self.trial.open(first..first + spare.len())?;
        }
        for (tried, candidate) in spare.iter().enumerate() {
            if missing == 0 {
                return Ok(tried);
            }
            missing -= usize::from(self.method(first + tried, candidate)?);
        }
        Ok(spare.len())
    }

    fn finish(self, stood_in: usize) -> Result<Found, S::Error> {
        self.trial.lab.finish()?;
        Ok(Found {
            tuned: self.tuned,
            left_out: self.left_out,
            stood_in,
            remark: self.trial.remark,
        })
    }
}

impl<S: SiteLab> Trial<S> {
    /// Opens the gates of the methods with these numbers, as far as they have sites.
    fn open(&mut self, methods: std::ops::Range<usize>) -> Result<(), S::Error> {
        let places = places().count();
        let sites = methods.start * places..methods.end * places;
        let sites = sites.map(|site| site as u16);
        let there: Vec<u16> = sites
            .filter(|site| self.report.refusal(*site).is_none())
            .collect();
        if there.is_empty() {
            return Ok(());
        }
        self.lab.gates(&there, &ANEW)?;
        self.report = self.lab.report();
        self.rest_ns = rest(&mut self.lab)?;
        Ok(())
    }
}
