//! Which methods changed, in a table.

use proofmark_study::{Change, Diff};

use super::cost::aligned;
use crate::names::{clean, fit};
use crate::number::{count, fixed, interval};
use crate::style::hanging;
use crate::{Names, Style};

/// Rows that are printed; the JSON has all.
const ROWS: usize = 30;
/// Columns of a method's name.
const NAME: usize = 44;

/// What changed, most certain change first, and what that rests on.
#[must_use]
pub fn diff_table(diff: &Diff, style: Style) -> String {
    let names = Names::of(diff.changes.iter().map(|c| c.method.as_str()));
    let changed: Vec<&Change> = diff.changes.iter().filter(|c| c.changed).collect();
    let several = diff.compared.len() > 1;
    let row = |c: &&Change| {
        let method = fit(&names.short(&c.method), NAME);
        let method = if several {
            format!("{} {}: {method}", clean(&c.program), clean(&c.profiler))
        } else {
            method
        };
        let sign = if c.change_pt.value > 0.0 { "+" } else { "" };
        vec![
            method,
            format!("{} %", fixed(c.a_pct, 1)),
            format!("{} %", fixed(c.b_pct, 1)),
            format!(
                "{sign}{} pt ({})",
                fixed(c.change_pt.value, 1),
                interval(&c.change_pt)
            ),
        ]
    };
    let mut out = hanging("", &headline(diff), style.columns());
    if !changed.is_empty() {
        let rows: Vec<Vec<String>> = changed.iter().take(ROWS).map(row).collect();
        out.push('\n');
        out.push_str(&aligned(&["method", "A", "B", "change"], &rows, style));
    }
    if changed.len() > ROWS {
        out.push_str(&format!(
            "and {} more (--format json)\n",
            changed.len() - ROWS
        ));
    }
    for compared in &diff.compared {
        if let Some(text) = detectable(compared, several) {
            out.push_str(&hanging("", &text, style.columns()));
        }
    }
    for remark in &diff.remarks {
        out.push_str(&hanging("", &clean(remark), style.columns()));
    }
    out
}

/// What could have been found: without it, nothing found would say nothing.
fn detectable(compared: &proofmark_study::Compared, several: bool) -> Option<String> {
    let what = match several {
        true => format!(
            "{} under {}",
            clean(&compared.program),
            clean(&compared.profiler)
        ),
        false => "any method".to_owned(),
    };
    Some(format!(
        "A change of {} points in {what} would have been found in at least 4 of 5 comparisons like this one.",
        fixed(compared.detectable_pt?, 1)
    ))
}

/// `2 of 31 methods changed by more than noise explains (10 against 10 recordings, false-discovery rate 5 %)`.
fn headline(diff: &Diff) -> String {
    let sum = |f: fn(&proofmark_study::Compared) -> u64| diff.compared.iter().map(f).sum::<u64>();
    let noise = match diff
        .compared
        .iter()
        .any(proofmark_study::Compared::noise_is_known)
    {
        true => "noise",
        false => "the noise of sampling",
    };
    format!(
        "{} of {} changed by more than {noise} explains ({} against {}, false-discovery rate {} %)",
        diff.changed,
        count(diff.changes.len() as u64, "method"),
        sum(|c| c.runs_a),
        count(sum(|c| c.runs_b), "recording"),
        fixed(100.0 * diff.settings.false_discovery_rate, 1)
    )
}
