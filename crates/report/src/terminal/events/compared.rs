//! Comparisons of events, and what counting costs, in tables.

use proofmark_events::{Configuration, Difference, EventsCost, EventsDiff, Factor, Factors};

use super::super::cost::aligned;
use super::{LINES, NotCounted, not_counted};
use crate::names::clean;
use crate::number::{count, fixed, grouped, interval};
use crate::style::hanging;
use crate::words::events::{each, part, too_little, uncounted_of_two};
use crate::{Names, Style};

/// What differs between two configurations.
#[must_use]
pub fn events_diff_table(diff: &EventsDiff, style: Style) -> String {
    let mut out = format!("{}\n", clean(&diff.workload));
    out.push_str(&side("A: ", &diff.a, style));
    out.push_str(&side("B: ", &diff.b, style));
    let sides = [&diff.a, &diff.b];
    let counted = sides.iter().filter_map(|side| side.graal_blocks_pct);
    let least = counted.min_by(f64::total_cmp);
    if let Some(text) = too_little(least, "differences elsewhere are not seen") {
        out.push_str(&hanging("note: ", &text, style.columns()));
    }
    if let Some(ratio) = &diff.run_time_ratio {
        out.push_str(&format!(
            "run time B / A, without counting: {} ({})\n",
            fixed(ratio.value, 3),
            interval3(ratio)
        ));
    }
    let found = &diff.differences.found;
    out.push_str(&format!(
        "{} of {} differ by more than {} % and beyond the spread between JVMs (5 % false discoveries)\n",
        found.len(),
        count(diff.differences.compared as u64, "metric"),
        fixed(100.0 * diff.differences.threshold, 0)
    ));
    out.push_str(&surroundings(diff));
    out.push('\n');
    let names = Names::of(found.iter().filter_map(|d| d.unit.as_deref()));
    let row = |d: &Difference| {
        let unit = d.unit.as_deref();
        vec![
            clean(&d.event),
            grouped(d.a.value.round().abs() as u64),
            grouped(d.b.value.round().abs() as u64),
            format!(
                "{}{} %",
                if d.change_pct > 0.0 { "+" } else { "" },
                fixed(d.change_pct, 0)
            ),
            unit.map_or("whole program".into(), |u| {
                names.fitted(u, style.columns() / 2)
            }),
        ]
    };
    let rows: Vec<Vec<String>> = found.iter().take(3 * LINES).map(row).collect();
    let differing = (!rows.is_empty()).then(|| {
        let first = format!("A per {}", each(diff.runs_per_iteration));
        let titles = ["event", first.as_str(), "B", "of the larger", "where"];
        aligned(&titles, &rows, style)
    });
    let tables = differing.into_iter().chain(uncounted(diff, style));
    out.push_str(&tables.collect::<Vec<_>>().join("\n"));
    for remark in &diff.remarks {
        out.push_str(&hanging("note: ", &clean(remark), style.columns()));
    }
    out
}

/// A configuration: its options, and how much of what ran was counted.
fn side(name: &str, side: &Configuration, style: Style) -> String {
    let options = if side.jvm_options.is_empty() {
        "no further options".to_owned()
    } else {
        clean(&side.jvm_options.join(" "))
    };
    let counted = side
        .graal_blocks_pct
        .map_or("an unknown part".into(), |pct| {
            format!("{} % or more", fixed(pct, 1))
        });
    let outside = side
        .outside_time_pct
        .map_or("time outside: not measured".into(), |pct| {
            format!("{} % of the time lies outside of it", fixed(pct, 1))
        });
    let text = format!("{counted} of the blocks executed in Graal's code; {outside}");
    format!(
        "{name}{options}\n{}",
        hanging("   counted: ", &text, style.columns())
    )
}

/// The largest units that were executed and not counted in one of the configurations, or in both.
fn uncounted(diff: &EventsDiff, style: Style) -> Option<String> {
    let largest = uncounted_of_two([&diff.a, &diff.b]);
    let named = largest.iter().map(|one| NotCounted {
        unit: one.unit,
        figures: vec![one.of.into(), part(one.parts[0]), part(one.parts[1])],
        why: &one.why,
    });
    let titles = ["part of", "in A", "in B"];
    not_counted(&titles, &named.collect::<Vec<_>>(), style)
}

/// What could have been found, and what figures are of.
fn surroundings(diff: &EventsDiff) -> String {
    let mut out = String::new();
    if let Some(pct) = diff.differences.detectable_pct {
        out.push_str(&format!(
            "smallest change that would have been found: {} % (median of the metrics)\n",
            fixed(pct, 1)
        ));
    }
    if diff.runs_per_iteration > 1 {
        out.push_str(&format!(
            "figures are of one run of the program; {} were measured as one iteration\n",
            grouped(diff.runs_per_iteration)
        ));
    }
    out
}

/// Three digits: factors near 1.
fn interval3(e: &proofmark_stats::Estimate) -> String {
    if e.low.is_finite() && e.high.is_finite() {
        format!("{} to {}", fixed(e.low, 3), fixed(e.high, 3))
    } else {
        interval(e)
    }
}

/// What counting costs: one line per way of counting.
#[must_use]
pub fn events_cost_table(cost: &EventsCost, style: Style) -> String {
    let worst = |row: &Factors| -> Option<(String, f64)> {
        let factors = row.run_time.iter();
        factors
            .filter_map(|f: &Factor| Some((f.program.clone(), f.factor?.value)))
            .max_by(|a, b| a.1.total_cmp(&b.1))
    };
    let mean = |e: &Option<proofmark_stats::Estimate>| {
        e.map_or("-".into(), |e| {
            format!("{} ({})", fixed(e.value, 3), interval3(&e))
        })
    };
    let line = |row: &Factors| {
        vec![
            clean(&row.mode),
            mean(&row.run_time_mean),
            worst(row).map_or("-".into(), |(program, f)| {
                format!("{} {}", fixed(f, 2), clean(&program))
            }),
            mean(&row.compile_time_mean),
            fixed(row.code_size_mean, 2),
        ]
    };
    let rows: Vec<Vec<String>> = cost.rows.iter().map(line).collect();
    let titles = [
        "counting",
        "run time, geometric mean",
        "worst",
        "compile time, geometric mean",
        "code size",
    ];
    let programs = cost.rows.first().map_or(0, |row| row.run_time.len());
    let mut out = format!(
        "{}, {}; thread CPU time, interleaved with code that does not count\n",
        count(programs as u64, "program"),
        count(u64::from(cost.rounds), "round")
    );
    out.push_str(&aligned(&titles, &rows, style));
    if let Some((program, pct)) = &cost.least_coverage_pct {
        out.push_str(&format!(
            "counted blocks among those executed: {} % at least ({})\n",
            fixed(*pct, 1),
            clean(program)
        ));
        if let Some(text) = too_little(Some(*pct), "what counting the rest costs is not seen") {
            out.push_str(&hanging("note: ", &text, style.columns()));
        }
    }
    for failure in &cost.failed {
        out.push_str(&hanging("failed: ", &clean(failure), style.columns()));
    }
    out
}
