//! Verdicts and the result.

use std::collections::BTreeMap;

use proofmark_assess::Verdict;
use proofmark_experiment::dose::{
    Attribution, AttributionRow, DoseResult, Elsewhere, JvmFacts, MethodFacts, NativeFacts,
    Replication, ReplicationLevel, Row, RowVerdict, Subject, Vehicle, advice, false_alarm, judge,
    line_verdict,
};
use proofmark_rules::DOSE_TOLERANCE_PER_MARGIN;
use proofmark_stats::Estimate;

use super::choose::Chosen;
use super::measure::Profiled;
use super::tune::Tuned;
use super::{CALLGRIND, Session};

/// Version of the result's form.
const SCHEMA_VERSION: u32 = 1;
/// Share from which on a function is named though it was not tested, %.
const LARGE_PCT: f64 = 1.0;
/// Steps of arithmetic in a turn of the site's loop.
const STEPS: u32 = 4;

/// The result of a test.
pub(super) fn result(
    session: &Session<'_>,
    chosen: Chosen,
    tuned: &[Tuned],
    profiled: &[Profiled],
) -> DoseResult {
    let request = session.request;
    let mut left_out = chosen.left_out;
    left_out.extend(profiled.iter().flat_map(|one| one.left_out.iter().cloned()));
    left_out.sort_by(|a, b| a.method.cmp(&b.method));
    left_out.dedup();
    let attribution = judged(profiled, tuned, request.margin_pt);
    let of_instructions = profiled.iter().filter(|one| one.name == CALLGRIND);
    DoseResult {
        schema_version: SCHEMA_VERSION,
        program: request.program.display().to_string(),
        jvm: JvmFacts {
            version: String::new(),
            vendor: String::new(),
            options: Vec::new(),
        },
        native: Some(NativeFacts {
            arguments: request.arguments.clone(),
            functions: session.program.sites.len(),
            of_instructions: of_instructions.map(|one| one.name.clone()).collect(),
        }),
        margin_pt: request.margin_pt,
        methods: tuned.iter().map(facts).collect(),
        sites: Vec::new(),
        rest_cost_pct: 0.0,
        rest_cost: None,
        replication: replication(profiled),
        remarks: Vec::new(),
        left_out,
        advice: in_our_words(advice(&attribution)),
        attribution,
        failed: chosen.failed,
        seconds: session.around.progress.elapsed().as_secs_f64(),
    }
}

fn in_our_words(advice: String) -> String {
    let advice = advice.replace("no Java method", "no known function");
    advice.replace("the Java time", "the program's time")
}

fn replication(profiled: &[Profiled]) -> Replication {
    let mut says =
        "every window is made of processes of their own; intervals are over windows of one build"
            .to_owned();
    if profiled.iter().any(|one| one.name == CALLGRIND) {
        says.push_str("; callgrind is judged by the instructions that were added, not by time");
    }
    Replication {
        runs: 1,
        level: ReplicationLevel::Windows,
        says,
    }
}

fn facts(tuned: &Tuned) -> MethodFacts {
    MethodFacts {
        name: tuned.candidate.name.clone(),
        bytecode_pct: None,
        reported_pct: tuned.candidate.reported_pct.clone(),
        at_entry: true,
        steps: u16::try_from(tuned.unit.saturating_mul(STEPS)).unwrap_or(u16::MAX),
        inlined_differently: false,
    }
}

/// Profilers of time are witnesses for each other; one that counts instructions shows another thing.
fn judged(profiled: &[Profiled], tuned: &[Tuned], margin_pt: f64) -> BTreeMap<String, Attribution> {
    let (counting, timing): (Vec<_>, Vec<_>) =
        profiled.iter().partition(|one| one.name == CALLGRIND);
    let mut all = BTreeMap::new();
    for group in [timing, counting] {
        let subjects: Vec<Subject> = group.iter().map(|one| subject(one)).collect();
        for (one, verdict) in group.iter().zip(judge(&subjects, margin_pt)) {
            all.insert(
                one.name.clone(),
                attribution(one, verdict, tuned, margin_pt),
            );
        }
    }
    all
}

fn subject(one: &Profiled) -> Subject {
    Subject {
        name: one.name.clone(),
        rows: one.rows.iter().map(|(_, _, row)| row.clone()).collect(),
        shares_pct: one.shares_pct.clone(),
        looks: vec![one.known_shares.clone()],
        unseen: false,
        rest_cost: None,
    }
}

fn attribution(
    one: &Profiled,
    verdict: RowVerdict,
    tuned: &[Tuned],
    margin_pt: f64,
) -> Attribution {
    let tolerance = DOSE_TOLERANCE_PER_MARGIN / 100.0 * margin_pt;
    let alarms = one
        .rows
        .iter()
        .map(|(_, _, row)| false_alarm(&row.in_place, tolerance));
    let rows = one.rows.iter().zip(&verdict.rows);
    let rows = rows.map(|((site, turns, row), verdict)| {
        let line = u16::try_from(tuned[*site].site.line).ok();
        AttributionRow {
            line: line.filter(|line| *line > 0),
            turns: *turns,
            ..attribution_row(row, *verdict, margin_pt)
        }
    });
    let blamed = |name: &String| {
        let mut rows = one.rows.iter().flat_map(|(_, _, row)| &row.elsewhere);
        rows.any(|(method, _)| method == name)
    };
    let tested = |name: &String| tuned.iter().any(|one| one.candidate.name == *name);
    let shares = one.shares_pct.iter();
    let shares =
        shares.filter(|(name, share)| share.value >= LARGE_PCT || tested(name) || blamed(name));
    Attribution {
        vehicle: Vehicle::Sites,
        certified: verdict.certified,
        verdict: verdict.verdict,
        misplaced_pt: [verdict.misplaced_pt.0, verdict.misplaced_pt.1],
        profile: verdict.profile,
        change: verdict.change,
        rows: rows.collect(),
        shares_pct: shares.map(|(name, share)| (name.clone(), *share)).collect(),
        samples_per_s: one.samples_per_s,
        lost_samples: 0.0,
        false_alarm: alarms.sum::<f64>().min(1.0),
    }
}

fn attribution_row(row: &Row, verdict: Verdict, margin_pt: f64) -> AttributionRow {
    let pct = |part: &Estimate| part.scaled(100.0);
    let elsewhere = row.elsewhere.iter().map(|(method, part)| Elsewhere {
        method: method.clone(),
        pct: pct(part),
    });
    AttributionRow {
        method: row.method.clone(),
        line: None,
        place: "entry".into(),
        kind: "arithmetic".into(),
        verdict,
        turns: [0, 0],
        growth_pct: [100.0 * row.growth.0, 100.0 * row.growth.1],
        in_place_pct: pct(&row.in_place),
        in_place_per_run_pct: vec![pct(&row.in_place)],
        line_pct: row.at_line.as_ref().map(pct),
        line_verdict: line_verdict(row, margin_pt),
        elsewhere: elsewhere.collect(),
        other_pct: pct(&row.other),
        missing_pct: row.missing.as_ref().map(pct),
        void_windows: row.void_windows,
        reveals_itself: None,
    }
}
