//! Results that tests of this module share.

use std::collections::BTreeMap;

use proofmark_assess::Verdict;
use proofmark_stats::Estimate;

use super::{
    Attribution, AttributionRow, DOSE_SCHEMA, DoseResult, Elsewhere, FoundSites, JvmFacts,
    JvmWords, LineVerdict, Replication, Row, Size, Times, Took, Truth, Vehicle, WorkTested,
};

/// A row, of `A.get`, with this part in place: its interval goes so far to either side, with so many degrees of freedom.
pub(super) fn row(part: f64, half: f64, df: f64) -> Row {
    Row {
        method: "A.get".into(),
        growth: [0.6, 9.0].map(|part| Estimate::around(part, 0.1, 6)),
        in_place: Estimate::around(part, half, 900),
        truth: Truth::CLOCK,
        at_line: None,
        parts: BTreeMap::new(),
        elsewhere: Vec::new(),
        other: Estimate::around(0.0, 0.001, 900),
        missing: None,
        void_windows: 0,
        df,
        missing_df: df,
    }
}

/// A test of four methods with these profilers and so many JVMs of each.
pub(super) fn size(profilers: &[&str], runs: usize) -> Size {
    Size {
        profilers: profilers.iter().map(|name| (*name).into()).collect(),
        methods: 4,
        rounds: 3,
        budget_s: 15.0,
        runs,
        window_s: 0.2,
        at_once: 1,
    }
}

/// The parts of a test of that size that took so long, s, as usual ones do: with a site in each method, two in a set.
pub(super) fn took(size: &Size, seconds: f64) -> Took {
    let known = FoundSites {
        sites: size.methods,
        sets: size.methods.div_ceil(2),
        iteration_s: 0.01,
        start_s: 6.5,
        gates_s: 1.25,
    };
    let usual = Times::of_sites(size, &known);
    let part = seconds / usual.total_s();
    Took {
        choosing_s: part * usual.choosing_s,
        dosing_s: part * usual.dosing_s,
        costs_s: part * usual.costs_s,
        profilers_s: part * usual.profilers_s,
        tried: size.methods,
        found: size.methods,
        looked_at: [known.sites, known.sets],
        each: vec![1; size.methods],
        known,
        spared: 0,
        at_once: size.at_once,
        most_s: None,
    }
}

/// A profiler with one row, of `A.get`; what is not in place is in `to`.
pub(super) fn attribution(verdict: Verdict, in_place: f64, to: &str) -> Attribution {
    Attribution {
        vehicle: Vehicle::Sites,
        certified: verdict == Verdict::Right,
        work: WorkTested::default(),
        verdict,
        jvms: JvmWords::default(),
        misplaced_pt: [20.0, 25.0],
        profile: None,
        change: None,
        looks: 1,
        rows: vec![AttributionRow {
            method: "A.get".into(),
            line: Some(3),
            place: "entry".into(),
            kind: "arithmetic".into(),
            verdict,
            turns: [2, 9],
            growth_pct: [50.0, 300.0],
            growth: None,
            in_place_pct: Estimate::around(in_place, 1.0, 100),
            truth_pct: [100.0, 100.0],
            truth_by_others: false,
            in_place_per_run_pct: vec![Estimate::around(in_place, 1.0, 100)],
            unknown_runs: 0,
            jvms: JvmWords::default(),
            line_pct: None,
            line_verdict: LineVerdict::Unknown,
            elsewhere: vec![Elsewhere {
                method: to.into(),
                pct: Estimate::around(100.0 - in_place, 1.0, 100),
                per_run_pct: Vec::new(),
            }],
            other_pct: Estimate::around(0.0, 1.0, 100),
            missing_pct: None,
            void_windows: 0,
            reveals_itself: Some(false),
            change: None,
            own_share: None,
            small_pt: None,
            cause: None,
        }],
        shares_pct: BTreeMap::new(),
        samples_per_s: 1000.0,
        lost_samples: 0.0,
        accusing_intervals: 1,
        false_alarm: 1e-9,
        planted: None,
        failed_runs: Vec::new(),
    }
}

/// A JVM without options.
pub(super) fn jvm() -> JvmFacts {
    JvmFacts {
        version: "25".into(),
        vendor: "somebody".into(),
        options: Vec::new(),
    }
}

/// A result of these profilers.
pub(super) fn result(attribution: BTreeMap<String, Attribution>) -> DoseResult {
    DoseResult {
        schema: DOSE_SCHEMA.into(),
        program: "A".into(),
        jvm: jvm(),
        machine: None,
        native: None,
        threads: None,
        margin_pt: 5.0,
        methods: Vec::new(),
        sites: Vec::new(),
        rest_cost_pct: 0.0,
        rest_cost: None,
        replication: Replication::of(1),
        remarks: Vec::new(),
        left_out: Vec::new(),
        untested: Vec::new(),
        attribution,
        failed: BTreeMap::new(),
        advice: String::new(),
        advice_parts: Vec::new(),
        advice_about: None,
        seconds: 1.0,
    }
}
