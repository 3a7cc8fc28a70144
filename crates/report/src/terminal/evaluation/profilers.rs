//! What profilers showed of many programs: shares, added time, verdicts.

use proofmark_assess::{Role, Verdict};
use proofmark_experiment::evaluate::{AddedTime, Dosed, Evaluation, ProgramResult, ShareChanges};

use super::super::cost::aligned_in_parts;
use super::{named, section};
use crate::names::{clean, fit};
use crate::number::{fixed, without_unit};
use crate::style::Tone;
use crate::words::evaluation::{control, correlation, moved, target};
use crate::words::experiments::kind;
use crate::{Names, Style, words};

/// Columns of a profiler's name.
const PROFILER: usize = 18;

fn profiler(name: &str) -> String {
    fit(&clean(name), PROFILER)
}

/// Do shares stay what they are when everything is slowed by the same factor?
pub(super) fn shares(evaluation: &Evaluation, style: Style) -> String {
    let all = &evaluation.share_changes;
    let mut rows = Vec::new();
    for (at, one) in all.iter().enumerate() {
        rows.push(share_row(one));
        let last = all
            .get(at + 1)
            .is_none_or(|next| next.profiler != one.profiler);
        if let Some(published) = one.published.filter(|_| last) {
            rows.push(vec![
                format!("{}, published", profiler(&one.profiler)),
                "-".into(),
                fixed(published.correlation, 4),
                published.off_by_5_pt.to_string(),
                published
                    .mean_off_pt
                    .map_or("-".into(), |mean| fixed(mean, 2)),
                "-".into(),
                fixed(published.worst_pt, 1),
                "-".into(),
            ]);
        }
    }
    if rows.is_empty() {
        return String::new();
    }
    let titles = [
        "profiler",
        "methods",
        "correlation (95 %)",
        "off by > 5",
        "in the mean, pt (95 %)",
        "remain",
        "most, pt",
        "of which method",
    ];
    section(
        "Do shares stay what they are when everything is slowed by the same factor?",
        &aligned_in_parts(&titles, &rows, &[2, 3, 2], style),
        "methods: the five hottest of every program, normal against slowed. off by > 5: their share moved by more than 5 points; in the mean: \
         by so many; remain: \
         those that are still off once it is taken into account how far their blocks were really slowed. most: the largest \
         change of one method, points. The published figures are of all targets together.",
        style,
    )
}

fn share_row(of: &ShareChanges) -> Vec<String> {
    let method = of
        .worst
        .as_ref()
        .map_or("-".into(), |(program, method, _)| {
            format!("{}: {}", clean(program), Names::default().short(method))
        });
    vec![
        format!(
            "{} {}",
            profiler(&of.profiler),
            target(f64::from(of.target_pct))
        ),
        of.methods.to_string(),
        of.correlation.map_or("-".into(), |r| correlation(&r)),
        of.off_by_5_pt.to_string(),
        of.mean_off_pt
            .map_or("-".into(), |mean| without_unit(&mean)),
        of.off_by_5_pt_corrected.to_string(),
        moved(of),
        method,
    ]
}

/// Is time that is added to blocks of one method charged to that method?
pub(super) fn added(evaluation: &Evaluation, style: Style) -> String {
    let rows: Vec<Vec<String>> = evaluation.added_time.iter().flat_map(added_rows).collect();
    if rows.is_empty() {
        return String::new();
    }
    let titles = [
        "profiler",
        "tried",
        "counted",
        "programs",
        "detected before, %",
        "after, %",
        "grew, %",
        "mean error, pt",
    ];
    section(
        "Is time that is added to blocks of one method charged to that method?",
        &aligned_in_parts(&titles, &rows, &[3, 2, 2], style),
        "blocks: single blocks, as published; methods: several blocks of one method. tried: how many were slowed alone; counted: those about which our own samples agree with the clock, \
         the others say nothing about a profiler. detected: the profiler showed the method, before and after it was slowed; grew: its share grew; error: gain \
         seen against gain predicted. In brackets 95 % intervals over those that count.",
        style,
    )
}

fn added_rows(of: &AddedTime) -> Vec<Vec<String>> {
    let known =
        |of: Option<proofmark_stats::Estimate>| of.map_or("-".into(), |one| without_unit(&one));
    let mut rows = vec![vec![
        match of.dosed {
            Dosed::Either => profiler(&of.profiler),
            dosed => format!("{}: {}", profiler(&of.profiler), kind(dosed)),
        },
        of.tried.to_string(),
        of.counted.to_string(),
        of.programs.to_string(),
        known(of.detected_before_pct),
        known(of.detected_pct),
        known(of.grew_pct),
        known(of.error_pt),
    ]];
    rows.extend(of.published.map(|published| {
        vec![
            format!("{}, published", profiler(&of.profiler)),
            published.tried.to_string(),
            "-".into(),
            "-".into(),
            "-".into(),
            format!("{} of {}", published.detected, published.tried),
            published.grew_pct.map_or("-".into(), |grew| fixed(grew, 2)),
            fixed(published.error_pt, 2),
        ]
    }));
    rows
}

/// Verdicts, a row per program and a column per profiler: at sites, then in the laboratory.
pub(super) fn verdicts(evaluation: &Evaluation, style: Style) -> String {
    let names = words::evaluation::judged(evaluation);
    let shown =
        |program: &&ProgramResult| !program.profilers.is_empty() || !program.attribution.is_empty();
    let row = |program: &ProgramResult| {
        let cells = names
            .iter()
            .map(|name| cell(evaluation, program, name, style));
        std::iter::once(named(&program.program))
            .chain(cells)
            .collect()
    };
    let rows: Vec<Vec<String>> = evaluation.programs.iter().filter(shown).map(row).collect();
    if rows.is_empty() {
        return String::new();
    }
    let heads: Vec<String> = names
        .iter()
        .map(|name| match control(evaluation, name) {
            None => profiler(name),
            Some(_) => format!("{} (control)", profiler(name)),
        })
        .collect();
    let titles: Vec<&str> = std::iter::once("program")
        .chain(heads.iter().map(String::as_str))
        .collect();
    section(
        "Verdicts: at sites / in the laboratory",
        &aligned_in_parts(&titles, &rows, &vec![1; names.len()], style),
        "At sites: time put into methods on the user's own JVM. Laboratory: blocks of the program's own machine code slowed under Graal. \"-\": not \
         looked at. Controls run in the laboratory only: the oracle, our own samples, must be right; the safepoint control, blind by design, \
         must be wrong.",
        style,
    )
}

/// `right / undecided`.
fn cell(evaluation: &Evaluation, program: &ProgramResult, name: &str, style: Style) -> String {
    let must_be_wrong = control(evaluation, name) == Some(Role::SafepointControl);
    let word = |verdict: Option<Verdict>| {
        verdict.map_or("-".into(), |verdict| {
            let tone = match (verdict, must_be_wrong) {
                (Verdict::Wrong, true) => Tone::Good,
                (Verdict::Right, true) => Tone::Bad,
                _ => words::tone(verdict),
            };
            style.word(&verdict.to_string(), tone)
        })
    };
    let laboratory = program.profilers.iter().find(|one| one.name == name);
    let laboratory = word(laboratory.map(|one| one.verdict));
    match control(evaluation, name) {
        Some(_) => laboratory,
        None => {
            let sites = program.attribution.get(name).map(|one| one.verdict);
            format!("{} / {laboratory}", word(sites))
        }
    }
}
