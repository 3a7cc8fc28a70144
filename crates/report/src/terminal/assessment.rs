//! Verdicts as a table.

use proofmark_assess::{Assessment, Judgement, Planted, ReplayTest, Role, Verdict};
use proofmark_stats::Estimate;

use super::row::{Row, rows};
use crate::names::clean;
use crate::number::{fixed, grouped, value};
use crate::style::{columns_of, hanging, padded};
use crate::{Names, Style, words};

/// Columns that the last column needs to stand beside the others.
const BESIDE: usize = 42;

/// One row per profiler under test, then controls, false alarms, power and notes.
///
/// ```text
/// profiler  verdict  error, 95 %          judged  time moved from -> to
/// async     right    1.1 pt (0.6 to 1.7)  97 %    -
/// jfr       wrong    63 pt (61 to 66)     97 %    Queens.getRowColumn -> Queens.placeQueen; cause: DebugNonSafepoints is off
/// controls: oracle right; safepoint wrong, as it must be; false alarms in A/A windows: 2 of 100 (0.2 to 7.0 %)
/// ```
#[must_use]
pub fn assessment_table(assessment: &Assessment, style: Style) -> String {
    let subjects = subjects(assessment);
    let mut out = verdicts(assessment, &subjects, style);
    if let Some(power) = power(&subjects) {
        out.push_str(&hanging("power: ", &power, style.columns()));
    }
    for (name, replay) in wrong_by_parts(&subjects) {
        let said = format!("{name}: {}", words::parts(replay));
        out.push_str(&hanging("error by parts: ", &said, style.columns()));
    }
    for (kind, names) in words::causes(&subjects) {
        let (what, to_do) = words::cause(kind);
        let said = format!("{}: {what} {to_do}", clean(&names.join(", ")));
        out.push_str(&hanging("cause: ", &said, style.columns()));
    }
    for note in notes(&subjects).into_iter().chain(no_singles(assessment)) {
        out.push_str(&hanging("note: ", &note, style.columns()));
    }
    out
}

/// The same without what explains errors and power, and with the first clause of each note alone.
pub(super) fn assessment_in_short(assessment: &Assessment, style: Style) -> String {
    let subjects = subjects(assessment);
    let mut out = verdicts(assessment, &subjects, style);
    for note in notes(&subjects).into_iter().chain(no_singles(assessment)) {
        let note = words::in_short(&note);
        out.push_str(&hanging("note: ", note, style.columns()));
    }
    out
}

/// Profilers under test.
fn subjects(assessment: &Assessment) -> Vec<&Judgement> {
    let all = assessment.profilers.iter();
    all.filter(|one| one.role == Role::Subject).collect()
}

/// The table, and what the controls say.
fn verdicts(assessment: &Assessment, subjects: &[&Judgement], style: Style) -> String {
    let names = Names::of(assessment.profilers.iter().flat_map(methods));
    let mut out = String::new();
    if subjects.is_empty() {
        out.push_str("no profiler under test, only controls\n");
    } else {
        out.push_str(&table(&rows(subjects, &names), style));
        let judged = "share of the program's time in the methods that were compared";
        out.push_str(&hanging("judged: ", judged, style.columns()));
    }
    out.push_str(&hanging(
        "controls: ",
        &controls(assessment, style),
        style.columns(),
    ));
    out
}

/// Profilers that are not right, where the JVM's records were replayed and the block map may be called truth.
fn wrong_by_parts<'a>(subjects: &[&'a Judgement]) -> Vec<(String, &'a ReplayTest)> {
    let wrong = subjects.iter().filter(|j| {
        let absolute = j.tests.absolute.as_ref();
        j.verdict != Verdict::Right && absolute.is_some_and(|test| test.counts)
    });
    wrong
        .filter_map(|j| Some((clean(&j.name), j.tests.replay.as_ref()?)))
        .collect()
}

/// Why no time was added to any method.
fn no_singles(assessment: &Assessment) -> Option<String> {
    let largest = assessment.excluded_blocks.first()?;
    let tested = |j: &Judgement| !j.tests.single.is_empty();
    (!assessment.profilers.iter().any(tested)).then(|| {
        format!(
            "no time was added to single methods: none of the {} that were looked at serves; {}: {}",
            assessment.excluded_blocks.len(),
            clean(&largest.label),
            clean(&largest.reason)
        )
    })
}

/// Every method that a judgement names.
pub(crate) fn methods(j: &Judgement) -> impl Iterator<Item = &str> {
    let blamed = j
        .blames
        .iter()
        .flat_map(|b| [b.from.as_str(), b.to.as_str()]);
    let owners = j.tests.single.iter().map(|t| t.owner.as_str());
    blamed
        .chain(owners)
        .chain(j.shares.iter().map(|s| s.method.as_str()))
}

fn table(rows: &[Row], style: Style) -> String {
    let widest = |title: &str, cells: &dyn Fn(&Row) -> usize| {
        rows.iter().map(cells).max().unwrap_or(0).max(title.len()) + 2
    };
    let others = [
        widest("verdict", &|r| columns_of(&r.verdict.0)),
        widest("error, 95 %", &|r| columns_of(&r.error)),
        widest("judged", &|r| columns_of(&r.judged)),
    ];
    let left = style.columns().saturating_sub(others.iter().sum());
    let name = widest("profiler", &|r| columns_of(&r.name));
    let name = name.min(style.columns() / 3).min(left.max(10));
    let widths = [name, others[0], others[1], others[2]];
    let used: usize = widths.iter().sum();
    let beside = used + BESIDE <= style.columns();
    let mut out = line(["profiler", "verdict", "error, 95 %", "judged"], widths);
    if beside {
        out.push_str("time moved from -> to");
    }
    out = format!("{}\n", out.trim_end());
    for row in rows {
        out.push_str(&table_row(row, widths, beside, style));
    }
    out
}

fn table_row(row: &Row, widths: [usize; 4], beside: bool, style: Style) -> String {
    let name = crate::names::fit(&row.name, widths[0] - 2);
    let verdict = style.word(&row.verdict.0, row.verdict.1);
    let start = line([&name, &verdict, &row.error, &row.judged], widths);
    if beside {
        let blames = row.blames.as_deref().unwrap_or("-");
        return hanging(&start, blames, style.columns());
    }
    let mut out = format!("{}\n", start.trim_end());
    if let Some(blames) = &row.blames {
        out.push_str(&hanging("    ", blames, style.columns()));
    }
    out
}

fn line(cells: [&str; 4], widths: [usize; 4]) -> String {
    cells
        .iter()
        .zip(widths)
        .map(|(cell, width)| padded(cell, width))
        .collect()
}

fn controls(assessment: &Assessment, style: Style) -> String {
    let part = |name: &str, role, outcome| {
        let (before, word, after) = words::control(role, outcome);
        let word = word.map_or(String::new(), |(word, tone)| style.word(word, tone));
        format!("{name} {before}{word}{after}")
    };
    let c = &assessment.controls;
    let mut parts = vec![
        part("oracle", Role::OracleControl, c.oracle),
        part("safepoint", Role::SafepointControl, c.safepoint),
    ];
    if assessment.controls.broken() {
        parts.push("a control did not do what it must, no verdict is given".into());
    }
    parts.push(planted(assessment));
    parts.push(false_alarms(assessment));
    parts.join("; ")
}

/// `false alarms in A/A windows: 2 of 100 (0.2 to 7.0 %)`.
pub(crate) fn false_alarms(assessment: &Assessment) -> String {
    let Some(rate) = assessment.false_alarm_rate else {
        return "false alarms: not known, too few unslowed windows".into();
    };
    let alarms = (rate.value * rate.n as f64).round() as u64;
    format!(
        "false alarms in A/A windows: {} of {} ({} to {} %)",
        grouped(alarms),
        grouped(rate.n),
        fixed(100.0 * rate.low, 1),
        fixed(100.0 * rate.high, 1)
    )
}

/// `planted errors of 7.5 points called wrong: async, jfr 20 of 20, perf 2 of 20; without one 0 of 60`; without profilers
/// under test what is found in the oracle's windows.
pub(crate) fn planted(assessment: &Assessment) -> String {
    let subjects = assessment.profilers.iter();
    let each: Vec<(&Judgement, Planted)> = subjects.filter_map(|j| Some((j, j.planted?))).collect();
    let Some((_, first)) = each.first() else {
        return match &assessment.planted_found {
            Some(rate) => {
                let (found, n) = of(rate);
                format!("planted errors of 5 points: {found} of {n} found in the oracle's windows")
            }
            None => "planted errors: none, no two methods can be mistaken for each other".into(),
        };
    };
    let mut groups: Vec<((u64, u64), Vec<String>)> = Vec::new();
    for (j, planted) in &each {
        let (found, name) = (of(&planted.found), clean(&j.name));
        match groups.iter_mut().find(|(same, _)| *same == found) {
            Some((_, names)) => names.push(name),
            None => groups.push((found, vec![name])),
        }
    }
    let group = |((found, n), names): &((u64, u64), Vec<String>)| {
        format!("{} {found} of {n}", names.join(", "))
    };
    let groups: Vec<String> = groups.iter().map(group).collect();
    let alarms = each.iter().map(|(_, planted)| of(&planted.false_wrong));
    let (alarms, all) = alarms.fold((0, 0), |(a, n), (more, of)| (a + more, n + of));
    format!(
        "planted errors of {} points called wrong: {}; without one {alarms} of {all}",
        fixed(first.moved_pt, 1),
        groups.join(", ")
    )
}

/// Hits and tries of a rate.
fn of(rate: &Estimate) -> (u64, u64) {
    ((rate.value * rate.n as f64).round() as u64, rate.n)
}

/// What would have been found, per profiler.
fn power(subjects: &[&Judgement]) -> Option<String> {
    let each: Vec<String> = subjects
        .iter()
        .filter_map(|j| {
            Some(format!(
                "{} pt ({})",
                value(&j.detectable_pt?),
                clean(&j.name)
            ))
        })
        .collect();
    let prefix = "smallest misattribution found in 90 % of cases, unslowed: ";
    (!each.is_empty()).then(|| format!("{prefix}{}", each.join(", ")))
}

/// Notes of all profilers; what several have in common once.
fn notes(subjects: &[&Judgement]) -> Vec<String> {
    let mut found: Vec<(&str, Vec<&str>)> = Vec::new();
    for j in subjects {
        for note in &j.notes {
            match found.iter_mut().find(|(text, _)| text == note) {
                Some((_, names)) => names.push(&j.name),
                None => found.push((note, vec![&j.name])),
            }
        }
    }
    let all = subjects.len();
    found
        .into_iter()
        .map(|(text, names)| match names.len() {
            n if n == all && all > 1 => clean(text),
            _ => clean(&format!("{}: {text}", names.join(", "))),
        })
        .collect()
}
