//! The test by dose with sites: which methods, how much, windows under every profiler, verdicts.
//!
//! | module | what |
//! | --- | --- |
//! | `choose` | which methods: by counted bytecodes, by what each profiler shows, by name |
//! | `tune` | what kind of site each method needs, by the clock |
//! | `counted` | how often each site is reached |
//! | `plain` | the program as it is, and what sites at rest cost it |
//! | `measure` | windows under one profiler |
//! | `time` | how long it will take |
//! | `windows` | what clock and profiler say of them |

mod choose;
mod counted;
mod measure;
mod plain;
mod session;
mod time;
mod tune;
mod windows;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use proofmark_assess::Verdict;
use proofmark_experiment::dose::{
    Attribution, AttributionRow, DoseResult, Elsewhere, JavaShares, JvmFacts, LeftOut, MethodFacts,
    Replication, Row, RowVerdict, SiteFacts, Subject, Vehicle, advice, false_alarm, judge,
    line_verdict, rest_cost_remark,
};
use proofmark_jvm::LabError;
use proofmark_rules::DOSE_TOLERANCE_PER_MARGIN;
use proofmark_stats::Estimate;

use crate::context::Refusal;
use crate::load::busy;
use crate::request::DoseRequest;
use crate::surroundings::Surroundings;
use measure::{Profiled, SiteRow};
use plain::Plain;
use session::Session;

pub use session::java;
pub use time::expected_s;
pub(in crate::run) use time::size;
use tune::Tuned;
pub(in crate::run) use tune::settings;

/// Version of the result's form.
const SCHEMA_VERSION: u32 = 1;

/// Share from which on a method is named though it was not tested, %.
const LARGE_PCT: f64 = 1.0;

/// A result and where it lies.
pub struct Tested {
    /// The result.
    pub result: DoseResult,
    /// The same as JSON.
    pub file: PathBuf,
    /// Why that could not be written: what was measured is shown all the same.
    pub lost: Option<anyhow::Error>,
}

impl Tested {
    /// Writes a result into a directory.
    pub(in crate::run) fn write(result: DoseResult, directory: &Path) -> anyhow::Result<Self> {
        let file = directory.join("dose.json");
        let written = std::fs::write(&file, serde_json::to_vec_pretty(&result)?);
        let lost = written.with_context(|| format!("writing {}", file.display()));
        Ok(Self {
            result,
            file,
            lost: lost.err(),
        })
    }
}

/// Tests the profilers.
///
/// # Errors
/// When the program cannot be run, or no method of it can be tested.
pub fn run(request: &DoseRequest, around: &Surroundings) -> anyhow::Result<Tested> {
    let busy = busy();
    let session = Session::begin(request, around)?;
    let chosen = choose::chosen(&session)?;
    let mut failed = chosen.failed;
    let tune::Found {
        mut tuned,
        mut left_out,
        remark,
    } = tune::tuned(&session, &chosen.candidates)?;
    if tuned.is_empty() {
        let reasons: Vec<String> = left_out
            .iter()
            .map(|one: &LeftOut| format!("{}: {}", one.method, one.reason))
            .collect();
        let text = format!("no method can be tested: {}", reasons.join("; "));
        return Err(Refusal::Cannot(text).into());
    }
    let executions = counted::executions(&session, &tuned)?;
    for (one, executions) in tuned.iter_mut().zip(executions) {
        one.executions = executions;
    }
    let (plain, costly) = plain::plain(&session, &mut tuned)?;
    left_out.extend(costly);
    let mut profiled: Vec<Profiled> = Vec::new();
    for spec in &session.specs {
        if failed.contains_key(&spec.name) {
            continue;
        }
        match measure::profiled(&session, spec, &tuned) {
            Ok(one) => profiled.push(one),
            Err(error) => drop(failed.insert(spec.name.clone(), of_profiler(error)?)),
        }
    }
    left_out.extend(profiled.iter().flat_map(|one| one.left_out.iter().cloned()));
    left_out.sort_by(|a, b| a.method.cmp(&b.method));
    left_out.dedup();
    let looked = Looked {
        looks: &chosen.looks,
        rest_cost: plain.rest_cost.high / 100.0,
    };
    let attribution = judged(&profiled, &looked, &tuned, request.margin_pt);
    let result = DoseResult {
        schema_version: SCHEMA_VERSION,
        program: request.workload.to_string(),
        jvm: JvmFacts {
            version: plain.version.clone(),
            vendor: plain.vendor.clone(),
            options: options(request),
        },
        native: None,
        margin_pt: request.margin_pt,
        methods: facts(&tuned, &plain, &profiled),
        sites: sites(&tuned, &plain),
        rest_cost_pct: plain.rest_cost.value,
        rest_cost: Some(plain.rest_cost),
        replication: Replication::of(request.runs),
        remarks: (busy.into_iter().chain(remark))
            .chain(rest_cost_remark(&plain.rest_cost))
            .collect(),
        left_out,
        advice: advice(&attribution),
        attribution,
        failed,
        seconds: around.progress.elapsed().as_secs_f64(),
    };
    Tested::write(result, &session.directory)
}

fn options(request: &DoseRequest) -> Vec<String> {
    let workload = &request.workload;
    let all = workload.left_out.iter().chain(&workload.jvm_options);
    all.cloned().collect()
}

/// What a profiler's failure says; failures of the program are everybody's.
fn of_profiler(error: LabError) -> Result<String, LabError> {
    match error {
        LabError::Interrupted
        | LabError::Workload { .. }
        | LabError::NoWorkload(_)
        | LabError::Unmeasurable(_) => Err(error),
        error => Ok(error.to_string()),
    }
}

/// One entry per method, whose first site is named.
fn facts(tuned: &[Tuned], plain: &Plain, profiled: &[Profiled]) -> Vec<MethodFacts> {
    let sited = profiled.first().map(|one| &one.report);
    let mut all: Vec<MethodFacts> = Vec::new();
    for (index, one) in tuned.iter().enumerate() {
        let index = index as u16;
        let differently =
            sited.is_some_and(|report| report.inlined(index) != plain.report.inlined(index));
        match all.iter_mut().find(|fact| fact.name == one.candidate.name) {
            Some(fact) => fact.inlined_differently |= differently,
            None => all.push(MethodFacts {
                name: one.candidate.name.clone(),
                bytecode_pct: one.candidate.bytecode_pct,
                reported_pct: one.candidate.reported_pct.clone(),
                at_entry: one.at_entry(),
                steps: one.steps,
                inlined_differently: differently,
            }),
        }
    }
    all
}

/// What is known of each site.
fn sites(tuned: &[Tuned], plain: &Plain) -> Vec<SiteFacts> {
    let all = tuned.iter().zip(&plain.by_count);
    all.map(|(one, by_count)| SiteFacts {
        method: one.candidate.name.clone(),
        place: one.place(),
        steps: one.steps,
        executions: one.executions,
        by_count_pct: by_count.as_ref().map(pct),
    })
    .collect()
}

/// The program as it is, and what it becomes with sites.
struct Looked<'l> {
    /// What each profiler shows of the program as it is.
    looks: &'l BTreeMap<String, JavaShares>,
    /// Greatest cost of sites at rest, a part of the program's time.
    rest_cost: f64,
}

fn judged(
    profiled: &[Profiled],
    looked: &Looked<'_>,
    tuned: &[Tuned],
    margin_pt: f64,
) -> BTreeMap<String, Attribution> {
    let subjects: Vec<Subject> = profiled
        .iter()
        .map(|one| Subject {
            name: one.name.clone(),
            rows: one.rows.iter().map(|one| one.row.clone()).collect(),
            shares_pct: one.shares_pct.clone(),
            looks: vec![
                looked.looks.get(&one.name).cloned().unwrap_or_default(),
                one.java_shares.clone(),
            ],
            unseen: one.unseen,
            rest_cost: Some(looked.rest_cost),
        })
        .collect();
    let verdicts = judge(&subjects, margin_pt);
    let all = profiled.iter().zip(verdicts);
    all.map(|(one, verdict)| {
        (
            one.name.clone(),
            attribution(one, verdict, tuned, margin_pt),
        )
    })
    .collect()
}

fn attribution(
    profiled: &Profiled,
    verdict: RowVerdict,
    tuned: &[Tuned],
    margin_pt: f64,
) -> Attribution {
    let rows = profiled.rows.iter().zip(&verdict.rows);
    let rows = rows.map(|(one, verdict)| row(one, *verdict, &tuned[one.site], margin_pt));
    let alarms = profiled.rows.iter();
    let alarms = alarms.map(|one| {
        false_alarm(
            &one.row.in_place,
            DOSE_TOLERANCE_PER_MARGIN / 100.0 * margin_pt,
        )
    });
    Attribution {
        vehicle: Vehicle::Sites,
        certified: verdict.certified,
        verdict: verdict.verdict,
        misplaced_pt: [verdict.misplaced_pt.0, verdict.misplaced_pt.1],
        profile: verdict.profile,
        change: verdict.change,
        rows: rows.collect(),
        shares_pct: named_shares(profiled, tuned),
        samples_per_s: profiled.samples_per_s,
        lost_samples: profiled.lost_samples,
        false_alarm: alarms.sum::<f64>().min(1.0),
    }
}

/// Shares of the methods that were tested, of those that get time of others, and of what is large.
fn named_shares(profiled: &Profiled, tuned: &[Tuned]) -> BTreeMap<String, Estimate> {
    let tested = |name: &String| tuned.iter().any(|one| one.candidate.name == *name);
    let blamed = |name: &String| {
        let rows = profiled.rows.iter();
        rows.flat_map(|one| &one.row.elsewhere)
            .any(|(method, _)| method == name)
    };
    let all = profiled.shares_pct.iter();
    all.filter(|(name, share)| share.value >= LARGE_PCT || tested(name) || blamed(name))
        .map(|(name, share)| (name.clone(), *share))
        .collect()
}

fn row(of: &SiteRow, verdict: Verdict, tuned: &Tuned, margin_pt: f64) -> AttributionRow {
    let row = &of.row;
    AttributionRow {
        method: row.method.clone(),
        line: tuned.lines.first().copied(),
        place: tuned.place(),
        kind: "arithmetic".into(),
        verdict,
        turns: of.turns,
        growth_pct: [100.0 * row.growth.0, 100.0 * row.growth.1],
        in_place_pct: pct(&row.in_place),
        in_place_per_run_pct: of.runs.iter().map(|run| pct(&run.in_place)).collect(),
        line_pct: row.at_line.as_ref().map(pct),
        line_verdict: line_verdict(row, margin_pt),
        elsewhere: elsewhere(row),
        other_pct: pct(&row.other),
        missing_pct: row.missing.as_ref().map(pct),
        void_windows: row.void_windows,
        reveals_itself: tuned.reveals_itself,
    }
}

fn elsewhere(row: &Row) -> Vec<Elsewhere> {
    let named = row.elsewhere.iter();
    named
        .map(|(method, part)| Elsewhere {
            method: method.clone(),
            pct: pct(part),
        })
        .collect()
}

fn pct(part: &Estimate) -> Estimate {
    part.scaled(100.0)
}
