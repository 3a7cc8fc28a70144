//! All tests of all profilers, put together.

use crate::aa::aa;
use crate::absolute::absolute;
use crate::blames::{blames, candidates};
use crate::block_map;
use crate::deviation::View;
use crate::largest::{Amount, detectable};
use crate::replay::{Names, instead, replay};
use crate::single::single;
use crate::tables::{losses, method_shares, sizes};
use crate::uniform::uniform;
use crate::{
    Assessment, Condition, ControlOutcome, Controls, ErrorPoints, Evidence, EvidenceError,
    Judgement, PcRule, ProfilerEvidence, Role, SCHEMA, Settings, TestResult, Tests, UNATTRIBUTED,
    Undecided, UniformTest, Verdict,
};
use proofmark_stats::{Estimate, wilson};
use std::collections::BTreeSet;

/// Judges every profiler of the evidence.
///
/// # Errors
/// If lists, numbers or references of the evidence do not fit together.
pub fn assess(evidence: &Evidence, settings: &Settings) -> Result<Assessment, EvidenceError> {
    crate::validate::validate(evidence)?;
    let mut profilers: Vec<Judgement> = evidence
        .profilers
        .iter()
        .map(|p| judge(evidence, p, settings))
        .collect();
    let controls = Controls::of(&profilers);
    crate::cause::set_causes(evidence, &mut profilers, settings);
    if controls.broken() {
        withhold(&mut profilers, &controls);
    }
    Ok(Assessment {
        schema: SCHEMA.into(),
        program: evidence.program.clone(),
        machine: evidence.machine.clone(),
        method: evidence.method.clone(),
        settings: settings.clone(),
        false_alarm_rate: false_alarms(&profilers),
        planted_found: crate::planted::planted(evidence, settings),
        controls_ok: controls.ok(),
        controls,
        excluded_blocks: evidence.excluded_blocks.clone(),
        block_map: evidence.block_map.clone(),
        profilers,
    })
}

fn judge(e: &Evidence, p: &ProfilerEvidence, settings: &Settings) -> Judgement {
    let certain;
    let p = if p.role == Role::OracleControl {
        certain = without_ambiguity(p);
        &certain
    } else {
        p
    };
    let baseline = View::of(p, Condition::Baseline);
    let tests = baseline
        .as_ref()
        .map_or_else(Tests::default, |b| run_tests(e, p, b, settings));
    let candidates = baseline
        .as_ref()
        .map_or_else(Vec::new, |b| candidates(b, settings));
    let amount = baseline.as_ref().map_or(
        Amount {
            samples: 0.0,
            seconds: 0.0,
        },
        |b| Amount {
            samples: b.profiler.samples,
            seconds: b.profiler.seconds,
        },
    );
    let verdict = Verdict::all(counting(&tests).iter().map(|(_, t)| t.verdict));
    let losses = losses(p);
    let by_map = block_map::decides(e, p);
    Judgement {
        name: p.name.clone(),
        role: p.role,
        verdict,
        analyses: p.analyses,
        error_pt: error_points(&tests),
        blames: match by_map {
            true => blames(e, &candidates, amount.samples, settings),
            false => Vec::new(),
        },
        cause: None,
        causes: Vec::new(),
        detectable_pt: detectable(&candidates, amount).filter(|_| by_map),
        undecided: (verdict == Verdict::Undecided).then(|| why_undecided(p, &tests, by_map)),
        judged_time_pct: baseline.as_ref().and_then(|b| judged_time(b, settings)),
        shares: method_shares(e, p, settings),
        planted: (p.role == Role::Subject && by_map)
            .then(|| crate::planted::planted_in(e, p, settings))
            .flatten(),
        windows: p.totals.clone(),
        sizes: sizes(p),
        notes: crate::notes::notes(e, p, &tests, &losses, settings),
        losses,
        tests,
    }
}

/// Share of the program's time in the methods that the tests compare, percent.
fn judged_time(baseline: &View, settings: &Settings) -> Option<Estimate> {
    let truth = &baseline.truth;
    let compared = baseline.methods_from(settings.judged_share_pct());
    let share: f64 = compared.iter().map(|m| truth.side.shares[*m].share).sum();
    let all = truth.side.samples / (1.0 - truth.outside);
    let judged = (share * truth.side.samples).round().min(all.round());
    wilson(judged as u64, all.round() as u64).map(|share| share.scaled(100.0))
}

/// Nothing left open. The oracle reads the map that the truth is read from: what source positions leave open, both
/// leave to the same method.
fn without_ambiguity(p: &ProfilerEvidence) -> ProfilerEvidence {
    let mut certain = p.clone();
    for stream in certain.truth.iter_mut().flat_map(|w| &mut w.streams) {
        stream.ambiguous = Vec::new();
        stream.claimable = Vec::new();
    }
    certain
}

fn run_tests(e: &Evidence, p: &ProfilerEvidence, baseline: &View, settings: &Settings) -> Tests {
    let figures = replay(p, baseline, settings);
    let rule = figures.as_ref().map_or(PcRule::AtOrBehind, |of| of.rule);
    let replayed = instead(p, Names::Sampled(rule));
    let replayed = replayed.as_ref().and_then(|replayed| {
        let view = View::of(replayed, Condition::Baseline)?;
        Some((replayed, view))
    });
    let mut tests = Tests {
        absolute: absolute(e, p, baseline, settings),
        debug_info: replayed
            .as_ref()
            .and_then(|(replayed, view)| absolute(e, replayed, view, settings))
            .map(|test| test.result),
        replay: figures,
        aa: aa(p, settings),
        uniform: vec![],
        single: vec![],
    };
    for condition in conditions(p) {
        match condition {
            Condition::Baseline | Condition::SingleLow(_) => {}
            Condition::Uniform(pct) => {
                let test = uniform(e, p, baseline, pct, settings);
                let by_records = replayed
                    .as_ref()
                    .and_then(|(replayed, view)| uniform(e, replayed, view, pct, settings));
                tests.uniform.extend(test.map(|test| UniformTest {
                    debug_info: by_records.map(|by_records| by_records.result),
                    ..test
                }));
            }
            // What the oracle does with added time is judged beside the controls: it says whether the block map may be
            // called truth.
            Condition::Single(_) if p.role == Role::OracleControl => {}
            Condition::Single(index) => {
                tests.single.extend(single(e, p, baseline, index, settings))
            }
        }
    }
    tests
}

/// Conditions of the profiler's windows, baseline first.
pub(crate) fn conditions(p: &ProfilerEvidence) -> BTreeSet<Condition> {
    p.windows.iter().map(|w| w.at.condition).collect()
}

/// Tests that the verdict rests on, with their names.
pub(crate) fn counting(tests: &Tests) -> Vec<(String, &TestResult)> {
    let absolute = tests
        .absolute
        .iter()
        .filter(|t| t.counts)
        .map(|t| ("absolute".to_string(), &t.result));
    let uniform = tests
        .uniform
        .iter()
        .filter(|t| t.counts)
        .map(|t| (format!("uniform +{} %", t.target_pct), &t.result));
    let single = tests
        .single
        .iter()
        .filter(|t| t.counts)
        .map(|t| (format!("single block {}", t.index + 1), &t.result));
    absolute.chain(uniform).chain(single).collect()
}

fn error_points(tests: &Tests) -> ErrorPoints {
    ErrorPoints {
        absolute: (tests.absolute.as_ref())
            .filter(|t| t.counts)
            .map(|t| t.result.error_pt),
        uniform: (tests.uniform.iter())
            .filter(|t| t.counts)
            .map(|t| t.result.error_pt)
            .reduce(larger),
        single: tests
            .single
            .iter()
            .filter(|t| t.counts)
            .map(|t| t.result.error_pt)
            .reduce(larger),
    }
}

/// Largest of two errors, end by end.
fn larger(a: Estimate, b: Estimate) -> Estimate {
    Estimate {
        value: a.value.max(b.value),
        low: a.low.max(b.low),
        high: a.high.max(b.high),
        n: a.n.min(b.n),
    }
}

fn why_undecided(p: &ProfilerEvidence, tests: &Tests, by_map: bool) -> Undecided {
    if let Some(failure) = &p.failure {
        let lines: Vec<&str> = failure.lines().map(str::trim).collect();
        return Undecided {
            reason: format!("it failed: {}", lines.join("; ").replace(":;", ":")),
            more_s: None,
            runs_needed: None,
            remedy: None,
        };
    }
    let counting = counting(tests);
    let open: Vec<&(String, &TestResult)> = counting
        .iter()
        .filter(|(_, t)| t.verdict == Verdict::Undecided)
        .collect();
    if open.is_empty() {
        let reason = match by_map || tests.absolute.is_none() {
            true => "fewer than two unslowed windows hold samples of the profiler and of the truth",
            false => block_map::NOTHING_ELSE,
        };
        let reason = reason.into();
        return Undecided {
            reason,
            more_s: None,
            runs_needed: None,
            remedy: None,
        };
    }
    let names: Vec<&str> = open.iter().map(|(name, _)| name.as_str()).collect();
    let more_s = open
        .iter()
        .map(|(_, t)| t.more_s)
        .reduce(|a, b| Some(a?.max(b?)))
        .flatten();
    let runs_needed = open
        .iter()
        .map(|(_, t)| t.runs_needed)
        .reduce(|a, b| Some(a?.max(b?)))
        .flatten();
    let why = match more_s.is_some() || runs_needed.is_some() {
        true => "the interval contains the margin",
        false
            if open
                .iter()
                .any(|(_, t)| t.ambiguous_pt > t.error_pt.half_width() / 2.0) =>
        {
            "source positions, and borders between methods, leave too much of the truth open"
        }
        false => "the error is too close to the margin",
    };
    Undecided {
        reason: format!("{}: {why}", names.join(", ")),
        more_s,
        runs_needed,
        remedy: None,
    }
}

/// No verdict on profilers under test where a control did not do what it must.
fn withhold(judgements: &mut [Judgement], controls: &Controls) {
    let names = |outcome| controls.names_of(outcome).collect::<Vec<_>>().join(", ");
    let (failed, open) = (
        names(ControlOutcome::Failed),
        names(ControlOutcome::Undecided),
    );
    let reason = if failed.is_empty() {
        format!("no verdict: control undecided: {open}; a new run (another --out) measures it anew")
    } else {
        format!("no verdict: the instrument is broken, control failed: {failed}")
    };
    for j in judgements.iter_mut().filter(|j| j.role == Role::Subject) {
        j.verdict = Verdict::Undecided;
        j.cause = None;
        j.causes.clear();
        j.undecided = Some(Undecided {
            reason: reason.clone(),
            more_s: None,
            runs_needed: None,
            remedy: None,
        });
    }
}

fn false_alarms(judgements: &[Judgement]) -> Option<Estimate> {
    let tests = judgements
        .iter()
        .filter(|j| j.role == Role::Subject)
        .filter_map(|j| j.tests.aa.as_ref());
    let (alarms, n) = tests.fold((0, 0), |(a, n), t| (a + t.alarms, n + t.rate.n));
    crate::aa::rate(alarms, n)
}

/// Name of a method, or [`UNATTRIBUTED`].
pub(crate) fn method_name(e: &Evidence, method: usize) -> String {
    e.methods
        .get(method)
        .map_or(UNATTRIBUTED, String::as_str)
        .to_string()
}
