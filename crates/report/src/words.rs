//! Words for values of other crates, the same in the terminal and on the page.

mod cause;
mod dose;
mod elsewhere;
pub(crate) mod evaluation;
pub(crate) mod events;
pub(crate) mod experiments;
mod headline;
mod introduced;
mod judged;
mod machine;
mod misplaced;
mod not_counted;
mod profile;
mod row_cause;
mod row_notes;
mod sites;

use std::collections::BTreeSet;

use proofmark_assess::{Condition, ControlOutcome, Judgement, Role, Undecided, Verdict};
use proofmark_divine::{Environment, Reason, Stop};
use proofmark_experiment::divine::{BlockRow, DivineReport, Resolved};

use proofmark_stats::Estimate;
use proofmark_study::Analysis;
use proofmark_study::result::{ModeTest, Quantity};

use crate::names::clean;
use crate::number::{about, count, fixed};
use crate::style::Tone;

pub(crate) use cause::{cause, causes, part_rows, parts};
pub(crate) use dose::{
    advice, all_advice, attributed_names, certificate, dose_names, dosed, dosed_share, failed_runs,
    false_alarm, has_row, in_jvms, in_place, judged_in_blocks, jvms_right, map_truth, missing,
    of_kind, on_page, only_in_place, platform, sentences, where_right, where_wrong,
};
pub(crate) use elsewhere::{elsewhere, few_jvms, in_some_jvms, part_elsewhere};
pub(crate) use headline::{before_parentheses, in_short};
pub(crate) use introduced::{
    how_known, introduced, is_witness, jvms_asked, known_as, tested, witnesses,
};
pub(crate) use judged::{judged_alike, judged_at_sites, scope};
pub(crate) use machine::machine;
pub(crate) use misplaced::{misplaced, misplaced_points};
pub(crate) use not_counted::{not_counted, small_wrong};
pub(crate) use profile::{
    CONTRADICTED, changed, compared, contradicted, is_contradicted, own_share,
};
pub(crate) use row_cause::why;
pub(crate) use row_notes::{REVEALS_ITSELF, no_row, sorts};
pub(crate) use sites::{
    by_count, by_count_apart, discarded, grew, in_place_with_n, of_each_jvm, only_missing, planted,
    rest_cost, truth,
};

/// What a study shows, in a sentence or two.
pub(crate) fn study(analysis: &Analysis) -> String {
    let mut sentences = Vec::new();
    let split = analysis.agreement.iter().filter(|a| a.union_hottest > 1);
    if analysis.profilers.len() > 1 {
        sentences.push(match split.count() {
            0 => "The profilers name the same hottest method on every program.".to_owned(),
            split => format!(
                "The profilers do not agree on the hottest method of {split} of {}.",
                count(analysis.programs.len() as u64, "program")
            ),
        });
    }
    let differences = analysis.profilers.iter();
    let worst = differences
        .filter_map(|(name, f)| Some((name, f.max_difference_pt?)))
        .max_by(|a, b| a.1.total_cmp(&b.1));
    if let Some((name, points)) = worst.filter(|(_, points)| *points > 0.0) {
        sentences.push(format!(
            "Run against run, {} contradicts itself most: the share of one method differs by up to {} points.",
            clean(name),
            fixed(points, 1)
        ));
    }
    if sentences.is_empty() {
        let mut runs = analysis.programs.iter().flat_map(|one| one.runs.values());
        let said = match runs.any(|runs| *runs > 1) {
            true => "Run against run, no method with a share of 5 % or more differs.",
            false => "Without a second run nobody knows whether the profiler agrees with itself.",
        };
        sentences.push(said.to_owned());
    }
    sentences.join(" ")
}

/// What would decide a verdict that was left open: the option with its time, or that there is none; documents of earlier
/// versions know the time alone.
pub(crate) fn would_decide(undecided: &Undecided) -> Option<String> {
    let time = |seconds| format!("about {} more would decide it", about(seconds));
    let remedy = undecided.remedy.as_deref().map(clean);
    remedy.or_else(|| undecided.more_s.map(time))
}

/// What became of a block.
pub(crate) fn reason(reason: Reason) -> &'static str {
    match reason {
        Reason::OnTarget => "on target",
        Reason::TooSmall => "too few samples to tell",
        Reason::OneInstructionTooSlow => "one instruction is already too slow",
        Reason::Coarse => "steps of one instruction are too coarse",
        Reason::NotResponding => "hardly slows down",
        Reason::Overlaps => "off alone, on target with its loop",
        Reason::OffTarget => "off target",
        Reason::InSet => "judged in its set",
        Reason::Unresolved => "too short to tell on this machine",
        Reason::Pooled => "pooled, not judged",
    }
}

/// What this machine can resolve, in a sentence.
#[must_use]
pub fn resolution(known: &Resolved) -> String {
    let (border, shortest) = (known.border_cycles, known.shortest_judged_cycles.ceil());
    let samples = match border.n {
        n if n > 1 => format!(", n = {} of code of known length", count(n, "sample")),
        _ => String::new(),
    };
    format!(
        "This machine's samples tell the time of a block to {} cycles per execution ({} to {}{samples}): judged alone is a block of {shortest:.0} \
         cycles and more; shorter ones are judged in sets of that length, or with all code around them where there is less.",
        fixed(border.value, 1),
        fixed(border.low, 1),
        fixed(border.high, 1),
    )
}

/// Sets that are judged; where a document of an earlier version does not say, by its blocks. None if these are not known.
pub(crate) fn sets(report: &DivineReport) -> Option<u64> {
    let judged = || report.blocks.iter().filter(|b| !b.is_pool());
    let set = |b: &BlockRow| {
        (
            b.unit.clone(),
            b.group,
            b.group.is_none().then_some(b.block),
        )
    };
    let counted = judged().map(set).collect::<BTreeSet<_>>().len() as u64;
    report
        .judged_sets
        .or_else(|| (counted > 0).then_some(counted))
}

/// Why the search ended.
pub(crate) fn stop(stop: Stop) -> &'static str {
    match stop {
        Stop::WithinTolerance => "within the tolerance, intervals included",
        Stop::NoBetterPlan => "no better plan expected",
        Stop::Budget => "plans, rounds or time used up before the tolerance was reached",
        Stop::EveryBlock => "every block searched to the count that came closest",
    }
}

/// Tone of a verdict.
pub(crate) fn tone(verdict: Verdict) -> Tone {
    match verdict {
        Verdict::Right => Tone::Good,
        Verdict::Wrong => Tone::Bad,
        Verdict::Undecided => Tone::Open,
    }
}

/// `unslowed`, `+100 %`, `dose 2, low` (counted from 1).
pub(crate) fn condition(condition: Condition) -> String {
    match condition {
        Condition::Baseline => "unslowed".into(),
        Condition::Uniform(pct) => format!("all +{pct} %"),
        Condition::SingleLow(index) => format!("dose {}, low", index + 1),
        Condition::Single(index) => format!("dose {}", index + 1),
    }
}

/// `97 %`: share of the program's time in the methods that were compared.
pub(crate) fn judged(j: &Judgement) -> String {
    j.judged_time_pct
        .map_or("?".into(), |e| format!("{} %", fixed(e.value, 0)))
}

/// `, 5 runs`: over how many the error's interval is taken where there are several; of the tests that decide the fewest.
pub(crate) fn over_runs(j: &Judgement) -> String {
    let tests = &j.tests;
    let absolute = tests.absolute.iter().map(|t| (t.counts, &t.result));
    let uniform = tests.uniform.iter().map(|t| (t.counts, &t.result));
    let single = tests.single.iter().map(|t| (t.counts, &t.result));
    let all = absolute.chain(uniform).chain(single);
    let runs = all.filter_map(|(counts, result)| counts.then_some(result.runs));
    match runs.min() {
        Some(runs) if runs > 1 => format!(", {}", count(runs.into(), "run")),
        _ => String::new(),
    }
}

/// What a control showed: words, the word that has a colour, the words after it.
pub(crate) fn control(
    role: Role,
    outcome: ControlOutcome,
) -> (&'static str, Option<(&'static str, Tone)>, &'static str) {
    let safepoint = role == Role::SafepointControl;
    match outcome {
        ControlOutcome::Passed if safepoint => ("", Some(("wrong", Tone::Good)), ", as it must be"),
        ControlOutcome::Passed => ("", Some(("right", Tone::Good)), ""),
        ControlOutcome::Failed if safepoint => ("found right: ", Some(("FAILED", Tone::Bad)), ""),
        ControlOutcome::Failed => ("found wrong: ", Some(("FAILED", Tone::Bad)), ""),
        ControlOutcome::Undecided => ("", Some(("undecided", Tone::Open)), ""),
        ControlOutcome::NotApplicable => {
            ("not applicable (fewer than two methods own 10 %)", None, "")
        }
        ControlOutcome::NotRun => ("not run", None, ""),
    }
}

/// How many windows were measured at another speed of the machine than usual, and what was so there; none if none was.
pub(crate) fn disturbed(report: &DivineReport) -> Option<String> {
    let disturbed = report.disturbed_pairs.filter(|pairs| *pairs > 0)?;
    let there = report.disturbed_overhead_pct;
    Some(disturbed_of([disturbed, report.window_pairs?], there))
}

/// So many of all pairs of windows, sampled or not, and how much the program was slowed in those of them that its total leaves out.
pub(crate) fn disturbed_of([disturbed, all]: [u64; 2], there: Option<Estimate>) -> String {
    let counts = there.map_or(
        "; they are used only if fewer than six others of their kind remain".to_owned(),
        |total| {
            let total = evaluation::total_with_n(&total);
            format!("; in those that its total leaves out it was slowed by {total}")
        },
    );
    format!(
        "{disturbed} of {all} pairs of windows took longer or shorter than the rest by more than these scatter, probably because others used the machine, or ceased to{counts}"
    )
}

/// `Temurin 25.0.3, Graal 25.0.3, cpu-clock, 2 vCPU ...`; what is not known is left out.
pub(crate) fn environment(e: &Environment) -> String {
    let graal = if e.graal.is_empty() || e.graal.to_lowercase().contains("graal") {
        e.graal.clone()
    } else {
        format!("Graal {}", e.graal)
    };
    let parts = [e.jdk.clone(), graal, e.event.clone(), e.machine.clone()];
    parts
        .into_iter()
        .filter(|p| !p.is_empty())
        .collect::<Vec<_>>()
        .join(", ")
}

/// `Queens under jfr: times of an iteration around 12.3 ms (20 runs) and 14.1 ms (10 runs)`; none without parts.
pub(crate) fn modes(test: &ModeTest) -> Option<String> {
    let [low, high] = test.parts?;
    let (what, unit) = match test.quantity {
        Quantity::IterationMs => ("times of an iteration", "ms"),
        Quantity::SharePct => ("shares of the hottest method", "%"),
    };
    Some(format!(
        "{} under {}: {what} around {} {unit} ({} runs) and {} {unit} ({} runs)",
        clean(&test.program),
        clean(&test.profiler),
        fixed(low.mean, 1),
        low.runs,
        fixed(high.mean, 1),
        high.runs
    ))
}
