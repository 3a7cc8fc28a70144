//! All tests of all profilers, put together.

use crate::aa::aa;
use crate::absolute::absolute;
use crate::blames::{blames, candidates};
use crate::deviation::View;
use crate::largest::{Amount, detectable};
use crate::shares::{profiler_side, truth_side};
use crate::single::single;
use crate::uniform::uniform;
use crate::{
    Assessment, Condition, ConditionShare, ConditionSize, Controls, ErrorPoints, Evidence,
    EvidenceError, Judgement, Losses, MethodShares, ProfilerEvidence, Role, SCHEMA, Settings,
    TestResult, Tests, UNATTRIBUTED, Undecided, Verdict,
};
use proofmark_stats::{
    Estimate, Spread, clopper_pearson, clustered_share, mean, paired_ratio, paired_ratio_spread,
};
use std::collections::{BTreeMap, BTreeSet};

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
    crate::cause::set_causes(evidence, &mut profilers);
    if controls.ok() == Some(false) {
        withhold(&mut profilers, &controls);
    }
    Ok(Assessment {
        schema: SCHEMA.into(),
        program: evidence.program.clone(),
        machine: evidence.machine.clone(),
        method: evidence.method.clone(),
        settings: settings.clone(),
        false_alarm_rate: false_alarms(&profilers),
        controls_ok: controls.ok(),
        controls,
        profilers,
    })
}

fn judge(e: &Evidence, p: &ProfilerEvidence, settings: &Settings) -> Judgement {
    let baseline = View::of(p, Condition::Baseline, settings.ambiguity);
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
    Judgement {
        name: p.name.clone(),
        role: p.role,
        native_leaves: p.native_leaves,
        verdict,
        error_pt: error_points(&tests),
        blames: blames(e, &candidates, settings),
        cause: None,
        detectable_pt: detectable(&candidates, amount),
        undecided: (verdict == Verdict::Undecided).then(|| why_undecided(&tests)),
        shares: method_shares(e, p, settings),
        windows: p.totals.clone(),
        sizes: sizes(p),
        notes: crate::notes::notes(p, &tests, &losses, settings),
        losses,
        tests,
    }
}

fn run_tests(e: &Evidence, p: &ProfilerEvidence, baseline: &View, settings: &Settings) -> Tests {
    let mut tests = Tests {
        absolute: absolute(e, p, baseline, settings),
        aa: aa(p, settings),
        uniform: vec![],
        single: vec![],
    };
    for condition in conditions(p) {
        match condition {
            Condition::Baseline => {}
            Condition::Uniform(pct) => tests.uniform.extend(uniform(e, p, baseline, pct, settings)),
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
fn counting(tests: &Tests) -> Vec<(String, &TestResult)> {
    let absolute = tests
        .absolute
        .iter()
        .map(|t| ("absolute".to_string(), &t.result));
    let uniform = tests
        .uniform
        .iter()
        .map(|t| (format!("uniform +{} %", t.target_pct), &t.result));
    let single = tests
        .single
        .iter()
        .filter(|t| t.counts)
        .map(|t| (format!("single block {}", t.index), &t.result));
    absolute.chain(uniform).chain(single).collect()
}

fn error_points(tests: &Tests) -> ErrorPoints {
    ErrorPoints {
        absolute: tests.absolute.as_ref().map(|t| t.result.error_pt),
        uniform: tests
            .uniform
            .iter()
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

fn why_undecided(tests: &Tests) -> Undecided {
    let counting = counting(tests);
    let open: Vec<&(String, &TestResult)> = counting
        .iter()
        .filter(|(_, t)| t.verdict == Verdict::Undecided)
        .collect();
    if open.is_empty() {
        let reason =
            "fewer than two unslowed windows hold samples of the profiler and of the truth".into();
        return Undecided {
            reason,
            more_s: None,
        };
    }
    let names: Vec<&str> = open.iter().map(|(name, _)| name.as_str()).collect();
    let more_s = open
        .iter()
        .map(|(_, t)| t.more_s)
        .reduce(|a, b| Some(a?.max(b?)))
        .flatten();
    let why = match more_s {
        Some(_) => "the interval contains the margin",
        None if open
            .iter()
            .any(|(_, t)| t.ambiguous_pt > t.error_pt.half_width() / 2.0) =>
        {
            "source positions leave too much of the truth open"
        }
        None => "the error is too close to the margin",
    };
    Undecided {
        reason: format!("{}: {why}", names.join(", ")),
        more_s,
    }
}

/// No verdict on profilers under test while the instrument is broken.
fn withhold(judgements: &mut [Judgement], controls: &Controls) {
    let reason = format!(
        "no verdict: a control failed (oracle {:?}, safepoint {:?})",
        controls.oracle, controls.safepoint
    );
    for j in judgements.iter_mut().filter(|j| j.role == Role::Subject) {
        j.verdict = Verdict::Undecided;
        j.cause = None;
        j.undecided = Some(Undecided {
            reason: reason.to_lowercase(),
            more_s: None,
        });
    }
}

fn false_alarms(judgements: &[Judgement]) -> Option<Estimate> {
    let tests = judgements
        .iter()
        .filter(|j| j.role == Role::Subject)
        .filter_map(|j| j.tests.aa.as_ref());
    let (alarms, n) = tests.fold((0, 0), |(a, n), t| (a + t.alarms, n + t.rate.n));
    clopper_pearson(alarms, n)
}

/// Name of a method, or [`UNATTRIBUTED`].
pub(crate) fn method_name(e: &Evidence, method: usize) -> String {
    e.methods
        .get(method)
        .map_or(UNATTRIBUTED, String::as_str)
        .to_string()
}

/// Ratio of total times of `condition` over baseline, pairs inside blocks of the schedule: estimate, mean logarithm and
/// its spread. Unsampled windows if two blocks have them on both sides, else sampled ones.
pub(crate) fn ratio_of(
    p: &ProfilerEvidence,
    condition: Condition,
) -> Option<(Estimate, f64, Spread)> {
    let pairs = [false, true]
        .into_iter()
        .map(|sampled| block_pairs(p, condition, sampled))
        .find(|pairs| pairs.len() >= 2)?;
    let (log, spread) = paired_ratio_spread(&pairs)?;
    Some((paired_ratio(&pairs)?, log, spread))
}

/// Geometric mean iteration times (baseline, condition) per block that has both.
fn block_pairs(p: &ProfilerEvidence, condition: Condition, sampled: bool) -> Vec<(f64, f64)> {
    let mut blocks: BTreeMap<u32, [Vec<f64>; 2]> = BTreeMap::new();
    for w in p
        .totals
        .iter()
        .filter(|w| w.sampled == sampled && !w.iteration_ms.is_empty())
    {
        let time = mean(&w.iteration_ms).ln();
        let block = blocks.entry(w.at.block).or_default();
        if w.at.condition == Condition::Baseline {
            block[0].push(time);
        } else if w.at.condition == condition {
            block[1].push(time);
        }
    }
    let both = blocks
        .into_values()
        .filter(|[a, b]| !a.is_empty() && !b.is_empty());
    both.map(|[a, b]| (mean(&a).exp(), mean(&b).exp()))
        .filter(|(a, b)| *a > 0.0 && *b > 0.0)
        .collect()
}

fn method_shares(e: &Evidence, p: &ProfilerEvidence, settings: &Settings) -> Vec<MethodShares> {
    let sides: Vec<_> = conditions(p)
        .into_iter()
        .map(|c| {
            (
                c,
                profiler_side(p, |at| at.condition == c),
                truth_side(p, |at| at.condition == c),
            )
        })
        .collect();
    let mut rows: Vec<(f64, MethodShares)> = (0..=e.methods.len())
        .map(|m| {
            let by_condition: Vec<ConditionShare> = sides
                .iter()
                .map(|(condition, profiler, truth)| ConditionShare {
                    condition: *condition,
                    truth_pct: truth
                        .as_ref()
                        .map(|t| t.side.shares[m].estimate().scaled(100.0)),
                    profiler_pct: profiler
                        .as_ref()
                        .map(|s| s.shares[m].estimate().scaled(100.0)),
                })
                .collect();
            let values = by_condition
                .iter()
                .flat_map(|c| [c.truth_pct, c.profiler_pct])
                .flatten()
                .map(|e| e.value);
            (
                values.fold(0.0, f64::max),
                MethodShares {
                    method: method_name(e, m),
                    by_condition,
                },
            )
        })
        .filter(|(largest, _)| *largest >= settings.blame_share_pct)
        .collect();
    rows.sort_by(|a, b| b.0.total_cmp(&a.0));
    rows.into_iter().map(|(_, row)| row).collect()
}

fn sizes(p: &ProfilerEvidence) -> Vec<ConditionSize> {
    conditions(p)
        .into_iter()
        .map(|condition| {
            let windows = p.windows.iter().filter(|w| w.at.condition == condition);
            let truth = p.truth.iter().filter(|w| w.at.condition == condition);
            ConditionSize {
                condition,
                profiler_windows: windows.clone().count(),
                profiler_samples: windows
                    .clone()
                    .map(|w| w.methods.iter().sum::<f64>() + w.unattributed)
                    .sum(),
                truth_windows: truth.clone().count(),
                truth_samples: truth
                    .flat_map(|w| &w.streams)
                    .flat_map(|s| &s.methods)
                    .sum(),
                seconds: windows.map(|w| w.at.seconds).sum(),
            }
        })
        .collect()
}

fn losses(p: &ProfilerEvidence) -> Losses {
    let part = |hit: &[f64], rest: &[f64]| {
        let totals: Vec<f64> = hit.iter().zip(rest).map(|(h, r)| h + r).collect();
        Some(clustered_share(hit, &totals)?.estimate().scaled(100.0))
    };
    let of = |f: fn(&crate::ProfilerWindow) -> f64| p.windows.iter().map(f).collect::<Vec<f64>>();
    let named = of(|w| w.methods.iter().sum());
    let java = of(|w| w.methods.iter().sum::<f64>() + w.unattributed);
    let own = of(|w| w.methods.iter().sum::<f64>() + w.unattributed + w.native);
    let sum = |f: fn(&crate::TruthStream) -> f64| -> Vec<f64> {
        p.truth
            .iter()
            .map(|w| w.streams.iter().map(f).sum())
            .collect()
    };
    Losses {
        native_pct: part(&of(|w| w.native), &java),
        unattributed_pct: part(&of(|w| w.unattributed), &named),
        lost_pct: part(
            &of(|w| w.lost),
            &of(|w| w.methods.iter().sum::<f64>() + w.unattributed + w.native + w.other_threads),
        ),
        other_threads_pct: part(&of(|w| w.other_threads), &own),
        truth_outside_pct: part(&sum(|s| s.outside), &sum(|s| s.methods.iter().sum())),
    }
}
