//! What kind of site each method needs, by the clock: where it stands and how long its loop's body is.

use proofmark_experiment::dose::{Doses, FindSettings, Found, LeftOut, find_doses};
use proofmark_jvm::LabError;
use proofmark_jvm::dose::{AgentReport, SiteLab, SitePlace, WantedSite, WarmUp};
use proofmark_stats::median;

use super::choose::Candidate;
use super::session::{LabClock, Session, median_ns};

/// Steps in a turn: few where a method is entered very often, many where it is seldom.
const FEW: u16 = 2;
const USUAL: u16 = 8;
const MANY: u16 = 64;
const MOST: u16 = 256;
/// Loops of a method that are tried.
const LOOPS: u16 = 3;
/// Growth by two turns of the usual site from which on fewer steps are taken.
const MUCH: f64 = 1.5;
/// Growth that a site should reach, as a part of the program's time.
const WANTED: f64 = 2.0;

/// How a JVM with sites warms up.
pub(super) const WARM: WarmUp = WarmUp {
    exercise_s: 1.5,
    most_turns: 6,
    least_s: 1.0,
    most_s: 10.0,
};

/// A method with the site that it gets.
#[derive(Debug, Clone)]
pub(super) struct Tuned {
    pub(super) candidate: Candidate,
    pub(super) site: WantedSite,
    pub(super) line: Option<u16>,
    pub(super) reveals_itself: Option<bool>,
}

impl Tuned {
    pub(super) fn at_entry(&self) -> bool {
        self.site.place == SitePlace::Entry
    }
}

/// The program as it is.
pub(super) struct Plain {
    pub(super) report: AgentReport,
    pub(super) rest_cost_pct: f64,
    pub(super) version: String,
    pub(super) vendor: String,
}

fn wanted(candidate: &Candidate, place: SitePlace, steps: u16) -> WantedSite {
    WantedSite {
        class: candidate.class.clone(),
        method: candidate.method.clone(),
        place,
        steps,
    }
}

/// What the clock says of one site.
enum Outcome {
    Found(Doses),
    Rare(f64),
    Refused(String),
}

/// Finds a site for each method, or says why there is none.
pub(super) fn tuned(
    session: &Session<'_>,
    candidates: Vec<Candidate>,
) -> Result<(Vec<Tuned>, Vec<LeftOut>), LabError> {
    session.say("doses by the clock");
    let entries: Vec<WantedSite> = candidates
        .iter()
        .map(|one| wanted(one, SitePlace::Entry, USUAL))
        .collect();
    let (outcomes, report) = tried(session, "doses", &entries)?;
    let mut tuned: Vec<Option<Tuned>> = Vec::new();
    let mut open = Vec::new();
    let mut left_out = Vec::new();
    for (index, (candidate, outcome)) in candidates.into_iter().zip(outcomes).enumerate() {
        let steps = match outcome {
            Outcome::Found(doses) => steps_for(&doses),
            Outcome::Rare(growth) => {
                open.push((tuned.len(), candidate, growth));
                tuned.push(None);
                continue;
            }
            Outcome::Refused(reason) => {
                left_out.push(LeftOut {
                    method: candidate.name,
                    reason,
                });
                continue;
            }
        };
        let index = index as u16;
        tuned.push(Some(Tuned {
            site: wanted(&candidate, SitePlace::Entry, steps),
            line: line_of(&report, index),
            reveals_itself: Some(report.revealed(index)),
            candidate,
        }));
    }
    in_loops(session, open, &mut tuned, &mut left_out)?;
    Ok((tuned.into_iter().flatten().collect(), left_out))
}

/// Steps for a site that slows the program well with the usual ones.
fn steps_for(doses: &Doses) -> u16 {
    let per_turn = doses.growth / f64::from(doses.high);
    if 2.0 * per_turn > MUCH { FEW } else { USUAL }
}

/// Steps for a site whose method is seldom entered, if there are enough.
fn longer(growth: f64) -> Option<u16> {
    [MANY, MOST]
        .into_iter()
        .find(|steps| growth * f64::from(steps / USUAL) >= WANTED)
}

/// Tries sites in front of loops for methods that are entered too rarely.
fn in_loops(
    session: &Session<'_>,
    open: Vec<(usize, Candidate, f64)>,
    tuned: &mut [Option<Tuned>],
    left_out: &mut Vec<LeftOut>,
) -> Result<(), LabError> {
    if open.is_empty() {
        return Ok(());
    }
    session.say("doses by the clock, in loops");
    let loops: Vec<WantedSite> = open
        .iter()
        .flat_map(|(_, one, _)| {
            (0..LOOPS).map(|number| wanted(one, SitePlace::Loop(number), USUAL))
        })
        .collect();
    let (outcomes, report) = tried(session, "doses-loops", &loops)?;
    let tried = open.into_iter().zip(outcomes.chunks(usize::from(LOOPS)));
    for (group, ((at, candidate, growth), outcomes)) in tried.enumerate() {
        let found = outcomes
            .iter()
            .zip(0..LOOPS)
            .filter_map(|(outcome, number)| match outcome {
                Outcome::Found(doses) => Some((number, *doses)),
                _ => None,
            });
        // The finest steps between low and high.
        if let Some((number, doses)) = found.max_by_key(|(_, doses)| doses.high) {
            let index = group as u16 * LOOPS + number;
            tuned[at] = Some(Tuned {
                site: wanted(&candidate, SitePlace::Loop(number), steps_for(&doses)),
                line: line_of(&report, index),
                reveals_itself: Some(report.revealed(index)),
                candidate,
            });
        } else if let Some(steps) = longer(growth) {
            tuned[at] = Some(Tuned {
                site: wanted(&candidate, SitePlace::Entry, steps),
                line: None,
                reveals_itself: None,
                candidate,
            });
        } else {
            left_out.push(LeftOut {
                method: candidate.name,
                reason: RARE.into(),
            });
        }
    }
    Ok(())
}

const RARE: &str = "a loop in it hardly slows the program: it is seldom run, or the JVM puts code of its own (an intrinsic) in its place";

fn line_of(report: &AgentReport, index: u16) -> Option<u16> {
    let placed = report.placed.iter().find(|one| one.index == index);
    placed.and_then(|one| one.line)
}

/// Starts a JVM with the sites and finds doses for each.
fn tried(
    session: &Session<'_>,
    name: &str,
    sites: &[WantedSite],
) -> Result<(Vec<Outcome>, AgentReport), LabError> {
    let mut lab = session.lab(name, sites, None)?;
    lab.warm_up(&WARM)?;
    let rest_ns = rest(&mut lab)?;
    let before = lab.report();
    let mut outcomes = Vec::with_capacity(sites.len());
    for index in 0..sites.len() as u16 {
        outcomes.push(match refusal(&before, index) {
            Some(reason) => Outcome::Refused(reason),
            None => found(&mut lab, index, rest_ns)?.map_or_else(Outcome::Rare, Outcome::Found),
        });
    }
    let report = lab.report();
    lab.finish()?;
    Ok((outcomes, report))
}

/// Why a site is not in its method; none if it is.
fn refusal(report: &AgentReport, index: u16) -> Option<String> {
    if report.placed.iter().any(|one| one.index == index) {
        return None;
    }
    let refused = report.refused.iter().find(|(one, _)| *one == index);
    Some(refused.map_or_else(
        || "its class is not loaded while the program runs".to_owned(),
        |(_, reason)| reason.clone(),
    ))
}

/// Doses, or the growth under the most turns.
pub(super) fn found(
    lab: &mut SiteLab,
    site: u16,
    rest_ns: f64,
) -> Result<Result<Doses, f64>, LabError> {
    let settings = FindSettings::default();
    let found = find_doses(&mut LabClock { lab }, site, rest_ns, &settings)?;
    Ok(match found {
        Found::Doses(doses) => Ok(doses),
        Found::Rare { growth } => Err(growth),
    })
}

/// Time of an iteration at rest, ns.
pub(super) fn rest(lab: &mut SiteLab) -> Result<f64, LabError> {
    let window = lab.window(None, REST_S, REST_ITERATIONS, false)?;
    Ok(median_ns(&window))
}

const REST_S: f64 = 0.4;
const REST_ITERATIONS: u32 = 4;

/// Pairs of windows that tell what sites cost at rest.
const PAIRS: usize = 7;
const PAIR_S: f64 = 0.15;

/// Runs the program as it is and with all sites at rest, in two JVMs that take turns, without a profiler.
pub(super) fn plain(session: &Session<'_>, tuned: &[Tuned]) -> Result<Plain, LabError> {
    session.say("what sites cost at rest");
    let sites: Vec<WantedSite> = tuned.iter().map(|one| one.site.clone()).collect();
    let watched: Vec<WantedSite> = sites
        .iter()
        .map(|site| WantedSite {
            place: SitePlace::Watch,
            ..site.clone()
        })
        .collect();
    let mut without = session.lab("plain", &watched, None)?;
    without.warm_up(&WarmUp {
        exercise_s: 0.0,
        ..WARM
    })?;
    let mut with = session.lab("rest", &sites, None)?;
    with.warm_up(&WARM)?;
    let mut ratios = Vec::with_capacity(PAIRS);
    for _ in 0..PAIRS {
        let plain = without.window(None, PAIR_S, LEAST, false)?;
        let rest = with.window(None, PAIR_S, LEAST, false)?;
        ratios.push(median_ns(&rest) / median_ns(&plain));
    }
    let report = without.report();
    let hello = without.hello().clone();
    without.finish()?;
    with.finish()?;
    Ok(Plain {
        report,
        rest_cost_pct: 100.0 * (median(&ratios).unwrap_or(1.0) - 1.0),
        version: hello.java_version,
        vendor: hello.vendor,
    })
}

/// Least iterations of such a window.
const LEAST: u32 = 2;
