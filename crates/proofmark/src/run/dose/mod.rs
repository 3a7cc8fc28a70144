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
use proofmark_experiment::dose::{
    Attribution, DoseResult, JavaShares, JvmFacts, LeftOut, MethodFacts, Placed, Replication,
    Shown, SiteFacts, Subject, advice, attributions, rest_cost_remark,
};
use proofmark_jvm::LabError;
use proofmark_stats::Estimate;

use crate::context::Refusal;
use crate::load::busy;
use crate::request::DoseRequest;
use crate::surroundings::Surroundings;
use measure::{Profiled, SiteRow};
use plain::Plain;
use session::Session;

pub(in crate::run) use choose::{Weighed, hottest, one_works};
pub use session::java;
pub use time::expected_s;
pub(in crate::run) use time::size;
use tune::Tuned;
pub(in crate::run) use tune::settings;

/// Version of the result's form.
const SCHEMA_VERSION: u32 = 1;

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
        return Err(nothing_to_test("method", &left_out).into());
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
    let left_out = each_once(left_out);
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

/// No `what` (method, function) is left, and these are the reasons.
pub(in crate::run) fn nothing_to_test(what: &str, left_out: &[LeftOut]) -> Refusal {
    let reasons: Vec<String> = (left_out.iter())
        .map(|one| format!("{}: {}", one.method, one.reason))
        .collect();
    Refusal::Cannot(format!("no {what} can be tested: {}", reasons.join("; ")))
}

/// By names, without repetitions: several profilers leave out the same.
pub(in crate::run) fn each_once(mut left_out: Vec<LeftOut>) -> Vec<LeftOut> {
    left_out.sort_by(|a, b| a.method.cmp(&b.method));
    left_out.dedup();
    left_out
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
    let subject = |one: &Profiled| Subject {
        name: one.name.clone(),
        rows: one.rows.iter().map(|one| one.row.clone()).collect(),
        shares_pct: one.shares_pct.clone(),
        looks: vec![
            looked.looks.get(&one.name).cloned().unwrap_or_default(),
            one.java_shares.clone(),
        ],
        unseen: one.unseen,
        rest_cost: Some(looked.rest_cost),
    };
    let tested: Vec<&str> = (tuned.iter())
        .map(|one| one.candidate.name.as_str())
        .collect();
    let all = profiled.iter().map(|one| (subject(one), shown(one, tuned)));
    attributions(all.collect(), &tested, margin_pt)
}

fn shown(profiled: &Profiled, tuned: &[Tuned]) -> Shown {
    let placed = |one: &SiteRow| Placed {
        row: one.row.clone(),
        runs: one.runs.clone(),
        line: tuned[one.site].lines.first().copied(),
        place: tuned[one.site].place(),
        turns: one.turns,
        reveals_itself: tuned[one.site].reveals_itself,
    };
    Shown {
        rows: profiled.rows.iter().map(placed).collect(),
        shares_pct: profiled.shares_pct.clone(),
        samples_per_s: profiled.samples_per_s,
        lost_samples: profiled.lost_samples,
    }
}

fn pct(part: &Estimate) -> Estimate {
    part.scaled(100.0)
}
