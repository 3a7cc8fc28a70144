//! Words for an evaluation: what it shows, and how the published figures stand beside ours.

use proofmark_assess::Role;
use proofmark_experiment::evaluate::{
    Evaluation, MethodPair, PlanResult, ShareChanges, Slowing, published_program,
};
use proofmark_stats::Estimate;

use crate::Names;
use crate::names::clean;
use crate::number::{count, duration, fixed, interval, signed_percent, value, with_n};

/// Targets that the published figures are of, %.
const PUBLISHED_TARGETS: [f64; 3] = [50.0, 100.0, 150.0];
/// Where the published search is told of, %.
const PUBLISHED_SEARCH: f64 = 100.0;

/// Where the published figures are from.
pub(crate) const PUBLISHED: &str = "Published: figures of \"Divining Profiler Accuracy\" (2025), 14 programs on another processor with six cores, with a JVM \
     per run. They stand beside ours to compare with; nothing is decided by them.";

/// What an evaluation shows, a sentence each: programs, totals, the share that moved most.
pub(crate) fn findings(evaluation: &Evaluation) -> Vec<String> {
    let all = evaluation.programs.len() as u64;
    let failed = evaluation.programs.iter().filter(|p| p.failed.is_some());
    let failed = failed.count() as u64;
    let mut out = vec![format!(
        "{} of {} {} measured.",
        all - failed,
        count(all, "program"),
        if all == 1 { "was" } else { "were" }
    )];
    out.extend(evaluation.slowing.iter().map(total));
    out.extend(most_moved(evaluation));
    out
}

/// `Asked for +100 %, a program typically took 99.8 % longer (99.1 to 100.4; n = 14); 11 of 14 programs came within 2 points.`
fn total(slowing: &Slowing) -> String {
    let asked = format!("Asked for {}", target(slowing.target_pct));
    if slowing.programs == 0 {
        return format!("{asked}, no program has a plan.");
    }
    let within = format!(
        "{} of {} came within 2 points",
        slowing.within_2_pt,
        count(slowing.programs, "program")
    );
    match &slowing.overhead_pct {
        Some(typical) => format!(
            "{asked}, a program typically took {} % longer ({}; n = {}); {within}.",
            value(typical),
            interval(typical),
            typical.n
        ),
        None => format!("{asked}, {within}."),
    }
}

/// `+99.8 % (99.1 to 100.4), n = 14`.
pub(crate) fn total_with_n(total: &Estimate) -> String {
    format!("{}, n = {}", signed_percent(total), total.n)
}

/// The share that moved most under any profiler that is under test.
fn most_moved(evaluation: &Evaluation) -> Option<String> {
    let tested = evaluation.share_changes.iter();
    let tested = tested.filter(|one| control(evaluation, &one.profiler).is_none());
    let size = |one: &&ShareChanges| one.worst.as_ref().map_or(-1.0, |worst| worst.2.abs());
    let most = tested.max_by(|a, b| size(a).total_cmp(&size(b)))?;
    let (program, method, _) = most.worst.as_ref()?;
    Some(format!(
        "When everything was slowed by the same factor, {} moved one share most: that of {} in {} by {} points at {}. Of {} {} it \
         moved {} by more than 5 points; {} once it is taken into account how far their blocks were really slowed.",
        clean(&most.profiler),
        Names::default().short(method),
        clean(program),
        moved(most),
        target(f64::from(most.target_pct)),
        most.methods,
        if most.methods == 1 {
            "method"
        } else {
            "methods"
        },
        most.off_by_5_pt,
        match most.off_by_5_pt_corrected {
            0 => "none remains".to_owned(),
            1 => "1 remains".to_owned(),
            more => format!("{more} remain"),
        }
    ))
}

/// By how many points the share moved that moved most, `+12.3`; `-` if none did.
pub(crate) fn moved(changes: &ShareChanges) -> String {
    changes.worst.as_ref().map_or("-".into(), |(_, _, points)| {
        let sign = if *points > 0.0 { "+" } else { "" };
        format!("{sign}{}", fixed(*points, 1))
    })
}

/// `+100 %`.
pub(crate) fn target(pct: f64) -> String {
    format!("+{} %", fixed(pct, usize::from(pct.fract() != 0.0)))
}

/// What kind of control this profiler is; none if it is under test.
pub(crate) fn control(evaluation: &Evaluation, profiler: &str) -> Option<Role> {
    let mut all = evaluation.programs.iter().flat_map(|p| &p.profilers);
    let role = all.find(|one| one.name == profiler)?.role;
    (role != Role::Subject).then_some(role)
}

/// All targets of an evaluation in a line: programs, typical total, farthest one, sets, effort.
pub(crate) fn slowing(of: &Slowing) -> String {
    let mut parts = vec![count(of.programs, "program")];
    parts.extend(
        of.overhead_pct
            .map(|typical| format!("typically {}", total_with_n(&typical))),
    );
    parts.push(format!("{} within 2 points", of.within_2_pt));
    parts.extend(
        of.worst.as_ref().map(|(program, total)| {
            format!("farthest {}: {}", clean(program), total_with_n(total))
        }),
    );
    parts.extend(
        of.set_error_pt
            .map(|typical| format!("sets typically off by {}", with_n(&typical, "pt"))),
    );
    parts.extend(
        of.worst_sets
            .as_ref()
            .map(|(program, error)| format!("most in {}: {}", clean(program), with_n(error, "pt"))),
    );
    parts.push(format!(
        "{} (at most {} for one program) in {}",
        count(of.plans, "plan"),
        of.most_plans,
        duration(of.wall_s)
    ));
    parts.join("; ")
}

/// The published total of a program at this target, %.
pub(crate) fn published_total(program: &str, target_pct: f64) -> Option<f64> {
    let at = PUBLISHED_TARGETS.iter().position(|t| *t == target_pct)?;
    Some(published_program(program)?.overhead_pct[at])
}

/// Published runs of the search and its time, s; only of the target it was told of.
pub(crate) fn published_search(program: &str, target_pct: f64) -> Option<(u32, f64)> {
    let published = published_program(program).filter(|_| target_pct == PUBLISHED_SEARCH)?;
    Some((published.runs, 60.0 * f64::from(published.minutes)))
}

/// `4.2 min`, `12 min`, from 100 minutes on `11.2 h`.
pub(crate) fn effort(seconds: f64) -> String {
    match seconds / 60.0 {
        minutes if minutes < 9.95 => format!("{} min", fixed(minutes, 1)),
        minutes if minutes < 99.5 => format!("{} min", fixed(minutes, 0)),
        _ => hours(seconds),
    }
}

/// `0.9 h`.
pub(crate) fn hours(seconds: f64) -> String {
    format!("{} h", fixed(seconds / 3600.0, 1))
}

/// The only set of a plan is all that is judged, so its error is that of the total.
pub(crate) fn one_set(plan: &PlanResult) -> bool {
    plan.judged_sets == 1
}

/// By how many points a share moved.
pub(crate) fn change(pair: &MethodPair) -> f64 {
    pair.slowed_pct.value - pair.normal_pct.value
}

/// `0.983 (0.971 to 0.990)`: a correlation needs more digits than other numbers.
pub(crate) fn correlation(of: &Estimate) -> String {
    let [value, low, high] = [of.value, of.low, of.high].map(|one| fixed(one, 3));
    format!("{value} ({low} to {high})")
}

/// All profilers with a verdict: those under test first, in the order in which they are met, then controls.
pub(crate) fn judged(evaluation: &Evaluation) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for program in &evaluation.programs {
        let sites = program.attribution.keys();
        let laboratory = program.profilers.iter().map(|one| &one.name);
        for name in laboratory.chain(sites) {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
    }
    names.sort_by_key(|name| control(evaluation, name).is_some());
    names
}
