//! The two kinds of comparison.

use std::collections::{BTreeMap, BTreeSet};

use proofmark_profile::{CountFile, CountMode, MethodId, Profile};
use proofmark_stats::{Estimate, wilson};

use crate::contexts::Overlay;
use crate::methods::{CountedTime, counted_time, own_bytecodes, without_descriptors};
use crate::result::{
    COMPARISON_SCHEMA, Comparison, Contexts, MethodRow, Pair, TIME_COMPARISON_SCHEMA,
    TimeComparison, TimeRow, Totals,
};

/// Below this many samples an overlap says more about their number than about the profiler.
const FEW_SAMPLES: u64 = 2000;

/// B against the reference A.
///
/// # Accuracy
/// Both profiles are free of noise, so the figures have no interval: the same programs give the same figures. How near
/// sampling comes depends on the number of samples; a sampled profile with few of them says so in its remarks.
#[must_use]
pub fn compare_counts(a: &CountFile, b: &CountFile) -> Comparison {
    let overlay = Overlay::new(a, b);
    let (in_a, in_b, common) = overlay.sizes();
    let methods = method_rows(a, b);
    Comparison {
        schema: COMPARISON_SCHEMA.into(),
        overlap_pct: overlay.overlap_pct(),
        method_overlap_pct: methods.iter().map(|row| row.a_pct.min(row.b_pct)).sum(),
        bytecodes: Totals {
            a: a.bytecodes(),
            b: b.bytecodes(),
            relative_error_pct: relative_error(a.bytecodes(), b.bytecodes()),
        },
        samples: Pair {
            a: a.samples(),
            b: b.samples(),
        },
        contexts: Contexts {
            a: in_a,
            b: in_b,
            common,
            relative_size_pct: (in_a > 0).then(|| in_b as f64 / in_a as f64 * 100.0),
        },
        coverage: overlay.coverage_pct(),
        first_difference: (a.settings == b.settings)
            .then(|| overlay.first_difference())
            .flatten(),
        methods,
        remarks: remarks(a, b),
    }
}

fn relative_error(a: u64, b: u64) -> Option<f64> {
    (a > 0).then(|| (b as f64 - a as f64) / a as f64 * 100.0)
}

fn method_rows(a: &CountFile, b: &CountFile) -> Vec<MethodRow> {
    let (own_a, own_b) = (own_bytecodes(a), own_bytecodes(b));
    let (sum_a, sum_b) = (own_a.values().sum(), own_b.values().sum());
    let every: BTreeSet<&MethodId> = own_a.keys().chain(own_b.keys()).collect();
    let mut rows: Vec<MethodRow> = every
        .into_iter()
        .map(|method| {
            let of = |own: &BTreeMap<_, u64>| own.get(method).copied().unwrap_or(0);
            let bytecodes = Pair {
                a: of(&own_a),
                b: of(&own_b),
            };
            MethodRow {
                method: method.to_string(),
                bytecodes,
                a_pct: percent(bytecodes.a, sum_a),
                b_pct: percent(bytecodes.b, sum_b),
            }
        })
        .collect();
    let difference = |row: &MethodRow| (row.a_pct - row.b_pct).abs();
    rows.sort_by(|x, y| difference(y).total_cmp(&difference(x)));
    rows
}

fn percent(part: u64, whole: u64) -> f64 {
    if whole == 0 {
        0.0
    } else {
        part as f64 / whole as f64 * 100.0
    }
}

fn remarks(a: &CountFile, b: &CountFile) -> Vec<String> {
    let mut remarks = Vec::new();
    for (name, file) in [("A", a), ("B", b)] {
        remarks.extend(file.remarks.iter().map(|text| format!("{name}: {text}")));
        if file.settings.mode == CountMode::Sampled && file.samples() < FEW_SAMPLES {
            remarks.push(format!(
                "{name} has only {} samples: a smaller --granularity gives more",
                file.samples()
            ));
        }
        let lost: u64 = file.threads.iter().map(|thread| thread.lost).sum();
        if lost > 0 {
            remarks.push(format!(
                "{name}: {lost} bytecodes ran in contexts deeper than the stack that was kept"
            ));
        }
    }
    if a.settings.scope != b.settings.scope {
        remarks.push("one side counted the JDK's classes and the other did not".into());
    }
    remarks
}

/// Bytecodes of A against the time of B, method by method. Time in code that was not counted belongs to the innermost
/// counted method below which it was spent.
///
/// # Accuracy
/// Bytecodes have no noise. The interval of a time share is that of independent samples; what a profiler attributes
/// wrongly is not in it, that is what a difference shows, next to the true cost of the method's bytecodes.
#[must_use]
pub fn compare_time(a: &CountFile, b: &Profile) -> TimeComparison {
    let merged = b.overloads_merged;
    let own = own_bytecodes(a);
    let own = if merged {
        without_descriptors(&own)
    } else {
        own
    };
    let classes: BTreeSet<&str> = a.methods.iter().map(|m| m.class.as_str()).collect();
    let time = counted_time(b, &classes, merged);
    let rows = time_rows(&own, &time);
    let counted: f64 = time.own.values().chain(time.below.values()).sum();
    let all = counted + time.elsewhere;
    let mut remarks = b.remarks.clone();
    remarks.extend(a.remarks.iter().cloned());
    if counted == 0.0 {
        remarks.push(
            "B has no sample in a method that was counted: is it of the same program?".into(),
        );
    }
    TimeComparison {
        schema: TIME_COMPARISON_SCHEMA.into(),
        tool: b.tool.clone(),
        overlap_pct: rows
            .iter()
            .map(|row| row.bytecodes_pct.min(row.time_pct.value))
            .sum(),
        bytecodes: a.bytecodes(),
        samples: Pair {
            a: a.samples(),
            b: time.samples,
        },
        contexts: a.threads.iter().map(|t| t.contexts.len() as u64).sum(),
        coverage: if all > 0.0 {
            counted / all * 100.0
        } else {
            0.0
        },
        overloads_merged: merged,
        methods: rows,
        remarks,
    }
}

fn time_rows(own: &BTreeMap<MethodId, u64>, time: &CountedTime) -> Vec<TimeRow> {
    let bytecodes_sum = own.values().sum();
    let time_sum: f64 = time.own.values().chain(time.below.values()).sum();
    let every: BTreeSet<&MethodId> = own
        .keys()
        .chain(time.own.keys())
        .chain(time.below.keys())
        .collect();
    let mut rows: Vec<TimeRow> = every
        .into_iter()
        .map(|method| {
            let weight = |of: &BTreeMap<MethodId, f64>| of.get(method).copied().unwrap_or(0.0);
            let below = weight(&time.below);
            let share = if time_sum > 0.0 {
                (weight(&time.own) + below) / time_sum
            } else {
                0.0
            };
            let bytecodes = own.get(method).copied().unwrap_or(0);
            let bytecodes_pct = percent(bytecodes, bytecodes_sum);
            let time_pct = time_share(share, time.samples).scaled(100.0);
            TimeRow {
                method: method.to_string(),
                bytecodes,
                bytecodes_pct,
                time_pct,
                below_pct: if time_sum > 0.0 {
                    below / time_sum * 100.0
                } else {
                    0.0
                },
                cost: (bytecodes > 0).then(|| share * 100.0 / bytecodes_pct),
                differs: !time_pct.covers(bytecodes_pct),
            }
        })
        .collect();
    let difference = |row: &TimeRow| (row.bytecodes_pct - row.time_pct.value).abs();
    rows.sort_by(|x, y| difference(y).total_cmp(&difference(x)));
    rows
}

/// Wilson's interval for a share of weights that stand for `samples` samples.
fn time_share(share: f64, samples: u64) -> Estimate {
    let hits = (share * samples as f64).round() as u64;
    wilson(hits.min(samples), samples).map_or(
        Estimate {
            value: share,
            low: f64::NEG_INFINITY,
            high: f64::INFINITY,
            n: 0,
        },
        |interval| Estimate {
            value: share,
            ..interval
        },
    )
}
