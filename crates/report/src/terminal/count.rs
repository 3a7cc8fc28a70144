//! Counted bytecodes: what was counted, comparisons.

mod uncounted;

use std::collections::BTreeMap;

use proofmark_count::{
    Comparison, Counted, Coverage, FirstDifference, LeftAlone, Pair, TimeComparison, Totals,
};

use self::uncounted::{UNKNOWN_SHARE, uncounted};
use super::cost::aligned;
use crate::names::{clean, fit, full_name};
use crate::number::{count, fixed, grouped, interval};
use crate::style::hanging;
use crate::{Names, Style};

/// Rows that are printed; the JSON has all.
const ROWS: usize = 15;
/// Classes that are named as left alone; the JSON has all.
const NAMED: usize = 20;
/// Columns of a method's name.
const NAME: usize = 48;

/// What a run counted, and what not.
#[must_use]
pub fn count_summary(counted: &Counted, style: Style) -> String {
    let mut out = hanging("", &headline(counted), style.columns());
    out.push_str(&methods(
        (&["method", "own", "bytecodes"], style),
        &counted.methods,
        |row| &row.method,
        |row| vec![percent(row.pct, 1), grouped(row.bytecodes)],
    ));
    if let Some(coverage) = &counted.coverage {
        out.push('\n');
        out.push_str(&coverage_text(coverage, style));
        // Of a program's own classes nearly nothing is left alone.
        if counted.scope == "jdk" && coverage.executed.is_none() {
            out.push_str(&hanging("", UNKNOWN_SHARE, style.columns()));
        }
    }
    for remark in &counted.remarks {
        out.push_str(&hanging("", &clean(remark), style.columns()));
    }
    out
}

fn headline(counted: &Counted) -> String {
    let how = match counted.mode.as_str() {
        "exact" => "exactly".to_owned(),
        _ if counted.random > 1 => format!(
            "{}, one each {} to {}, seed {}",
            count(counted.samples, "sample"),
            grouped(counted.granularity),
            grouped(counted.granularity + counted.random - 1),
            counted.seed
        ),
        _ => format!(
            "{}, one each {}",
            count(counted.samples, "sample"),
            grouped(counted.granularity)
        ),
    };
    let mut text = format!(
        "{} bytecodes in {} ({how}), {} of them after the last samples; {}",
        grouped(counted.bytecodes),
        count(counted.contexts, "context"),
        grouped(counted.rest),
        count(counted.threads.len() as u64, "thread"),
    );
    if counted.lost > 0 {
        text += &format!(
            "; {} ran in contexts deeper than the stack that is kept",
            grouped(counted.lost)
        );
    }
    text
}

/// What was rewritten, what was left alone and why.
#[must_use]
pub fn coverage_text(coverage: &Coverage, style: Style) -> String {
    let mut out = hanging(
        "",
        &format!(
            "rewritten: {}, {}, {} kB in {} s; left alone: {}, and {} of rewritten classes",
            classes(coverage.classes_rewritten),
            count(coverage.methods_rewritten, "method"),
            grouped(coverage.class_bytes / 1000),
            fixed(coverage.rewriting_s, 2),
            classes(coverage.left_alone.len() as u64),
            count(coverage.kept.len() as u64, "method"),
        ),
        style.columns(),
    );
    for (reason, names) in by_reason(&coverage.left_alone)
        .into_iter()
        .chain(by_reason(&coverage.kept))
    {
        let text = format!("{}: {}", clean(reason), listed(&names));
        out.push_str(&hanging("  ", &text, style.columns()));
    }
    if let Some(executed) = &coverage.executed {
        let text = format!(
            "the JVM's own steps: {} bytecodes in the scope, {} of them in hidden classes (counted: {} %), {} in all (counted: {} %)",
            grouped(executed.in_scope),
            grouped(executed.hidden),
            fixed(executed.counted_in_scope_pct, 4),
            grouped(executed.all),
            fixed(executed.counted_pct, 2)
        );
        out.push_str(&hanging("", &text, style.columns()));
        out.push_str(&uncounted(&executed.uncounted, style));
    }
    out
}

/// The first names, and how many there are besides.
fn listed(names: &[String]) -> String {
    let shown = names
        .iter()
        .take(NAMED)
        .map(|name| clean(name))
        .collect::<Vec<_>>();
    let rest = match names.len().saturating_sub(NAMED) {
        0 => String::new(),
        rest => format!(" and {rest} more (--format json)"),
    };
    format!("{}{rest}", shown.join(", "))
}

fn classes(n: u64) -> String {
    match n {
        1 => "1 class".into(),
        _ => format!("{} classes", grouped(n)),
    }
}

fn by_reason(list: &[LeftAlone]) -> BTreeMap<&str, Vec<String>> {
    let mut reasons: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for one in list {
        let names = reasons.entry(&one.reason).or_default();
        names.push(full_name(&one.name));
    }
    reasons
}

/// `they begin to differ in Map.resize (called by Main.run): 120 and 124 bytecodes; 3 contexts in all differ`.
fn first_difference(first: &FirstDifference) -> String {
    let caller = first
        .callers
        .last()
        .map_or("at the root".to_owned(), |caller| {
            format!("called by {}", full_name(caller))
        });
    format!(
        "they begin to differ in {} ({caller}): {} and {} bytecodes; {} in all {}",
        full_name(&first.method),
        grouped(first.bytecodes.a),
        grouped(first.bytecodes.b),
        count(first.contexts, "context"),
        if first.contexts == 1 {
            "differs"
        } else {
            "differ"
        },
    )
}

/// Whether both sides have the same counts in the same contexts: of ways of counting that differ nothing is said.
fn is_the_same(comparison: &Comparison) -> bool {
    let same = |pair: Pair| pair.a == pair.b;
    let Totals { a, b, .. } = comparison.bytecodes;
    a == b && a > 0 && same(comparison.samples) && comparison.overlap_pct == 100.0
}

/// Two profiles of counted bytecodes.
#[must_use]
pub fn count_comparison(comparison: &Comparison, style: Style) -> String {
    let error = comparison
        .bytecodes
        .relative_error_pct
        .map_or_else(|| "?".into(), |error| fixed(error, 6));
    let size = comparison
        .contexts
        .relative_size_pct
        .map_or_else(|| "?".into(), |size| fixed(size, 1));
    let mut text = format!(
        "overlap {} % (methods without their callers {} %); bytecodes {} and {} ({error} %); samples {} and {}; contexts {} and {} ({size} %), {} in both, which have {} % of A's bytecodes",
        fixed(comparison.overlap_pct, 2),
        fixed(comparison.method_overlap_pct, 2),
        grouped(comparison.bytecodes.a),
        grouped(comparison.bytecodes.b),
        grouped(comparison.samples.a),
        grouped(comparison.samples.b),
        grouped(comparison.contexts.a),
        grouped(comparison.contexts.b),
        grouped(comparison.contexts.common),
        fixed(comparison.coverage, 2),
    );
    if let Some(first) = &comparison.first_difference {
        text.push_str("; ");
        text.push_str(&first_difference(first));
    } else if is_the_same(comparison) {
        text.push_str("; no count differs");
    }
    let table = methods(
        (&["method", "A", "B", "B - A"], style),
        &comparison.methods,
        |row| &row.method,
        |row| {
            let change = format!("{} pt", fixed(row.b_pct - row.a_pct, 2));
            vec![percent(row.a_pct, 2), percent(row.b_pct, 2), change]
        },
    );
    assembled(&text, &table, &comparison.remarks, style)
}

/// Bytecodes against time.
#[must_use]
pub fn time_comparison(comparison: &TimeComparison, style: Style) -> String {
    let text = format!(
        "{}: shares of bytecodes and of time overlap by {} %; {} bytecodes, {} of time in counted code or below it ({} % of all)",
        clean(&comparison.tool),
        fixed(comparison.overlap_pct, 1),
        grouped(comparison.bytecodes),
        count(comparison.samples.b, "sample"),
        fixed(comparison.coverage, 1),
    );
    let head = [
        "method",
        "bytecodes",
        "time",
        "of it below",
        "time/bytecodes",
        "",
    ];
    let table = methods(
        (&head, style),
        &comparison.methods,
        |row| &row.method,
        |row| {
            let time = percent(row.time_pct.value, 1);
            vec![
                percent(row.bytecodes_pct, 1),
                format!("{time} ({})", interval(&row.time_pct)),
                percent(row.below_pct, 1),
                row.cost.map_or_else(|| "-".into(), |cost| fixed(cost, 2)),
                if row.differs { "differs" } else { "" }.to_owned(),
            ]
        },
    );
    assembled(&text, &table, &comparison.remarks, style)
}

fn percent(value: f64, digits: usize) -> String {
    format!("{} %", fixed(value, digits))
}

/// The first methods with what `cells` says of each, and how many there are besides; empty if there are none.
fn methods<R>(
    (head, style): (&[&str], Style),
    all: &[R],
    method: impl Fn(&R) -> &String,
    cells: impl Fn(&R) -> Vec<String>,
) -> String {
    if all.is_empty() {
        return String::new();
    }
    let names = Names::of(all.iter().map(|row| method(row).as_str()));
    let line = |row: &R| {
        let name = fit(&names.short(method(row)), NAME);
        [vec![name], cells(row)].concat()
    };
    let rows: Vec<Vec<String>> = all.iter().take(ROWS).map(line).collect();
    format!("\n{}{}", aligned(head, &rows, style), more(all.len(), ROWS))
}

fn assembled(text: &str, table: &str, remarks: &[String], style: Style) -> String {
    let mut out = hanging("", text, style.columns());
    out.push_str(table);
    for remark in remarks {
        out.push_str(&hanging("", &clean(remark), style.columns()));
    }
    out
}

fn more(all: usize, shown: usize) -> String {
    match all.saturating_sub(shown) {
        0 => String::new(),
        rest => format!("and {rest} more (--format json)\n"),
    }
}

#[cfg(test)]
mod tests {
    use proofmark_count::Contexts;

    use super::*;

    fn two_runs(first_difference: Option<FirstDifference>, overlap_pct: f64) -> Comparison {
        let pair = Pair { a: 100, b: 100 };
        Comparison {
            schema: String::new(),
            overlap_pct,
            method_overlap_pct: 100.0,
            bytecodes: Totals {
                a: pair.a,
                b: pair.b,
                relative_error_pct: Some(0.0),
            },
            samples: pair,
            contexts: Contexts {
                a: 3,
                b: 3,
                common: 3,
                relative_size_pct: Some(100.0),
            },
            coverage: 100.0,
            first_difference,
            methods: Vec::new(),
            remarks: Vec::new(),
        }
    }

    /// In the words of the terminal, on one line.
    fn said(comparison: &Comparison) -> String {
        let text = count_comparison(comparison, Style::default());
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_method_where_two_runs_begin_to_differ_is_named_with_its_caller() {
        let first = FirstDifference {
            method: "com.acme.Table.resize(I)V".into(),
            callers: vec!["com.acme.Main.run()V".into()],
            bytecodes: Pair { a: 120, b: 1024 },
            contexts: 3,
        };
        let text = said(&two_runs(Some(first), 99.9));
        let expected = "they begin to differ in com.acme.Table.resize(int) (called by com.acme.Main.run()): 120 and 1,024 bytecodes; 3 contexts in all differ";
        assert!(text.contains(expected), "{text}");
        let at_the_root = FirstDifference {
            method: "com.acme.Main.run()V".into(),
            callers: Vec::new(),
            bytecodes: Pair { a: 1, b: 2 },
            contexts: 1,
        };
        let text = said(&two_runs(Some(at_the_root), 99.9));
        let expected = "(at the root): 1 and 2 bytecodes; 1 context in all differs";
        assert!(text.contains(expected), "{text}");
    }

    #[test]
    fn two_runs_that_are_the_same_are_said_to_be() {
        assert!(said(&two_runs(None, 100.0)).contains("; no count differs"));
        assert!(!said(&two_runs(None, 99.9)).contains("no count differs"));
    }
}
