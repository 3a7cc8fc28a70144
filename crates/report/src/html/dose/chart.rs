//! Every method's share in the program as it is, which verdicts and sentences speak of: what is known of it and what each profiler
//! shows, on one axis.

use std::cmp::Ordering;

use proofmark_experiment::dose::{Attribution, DoseResult, KnownShare};
use proofmark_stats::Estimate;

use super::super::{figure, scrolling};
use super::arrow::{explained, side, unexplained};
use super::caption::{caption, description};
use super::sign::{holds, signed};
use crate::number::{fixed, with_n, with_unit};
use crate::svg::{Known, Lane, LaneRow, NARROW, WIDE, lanes};
use crate::{Names, words};

pub(super) fn section(result: &DoseResult, names: &Names) -> String {
    let Some(figure) = chart(result, names).or_else(|| earlier(result)) else {
        return String::new();
    };
    format!(
        "<section id=\"shares\"><h2>The tested methods, as each profiler shows them</h2>\n{figure}</section>\n"
    )
}

/// Why there is no chart of a result that has shares with sites at rest only.
fn earlier(result: &DoseResult) -> Option<String> {
    let mut all = result.attribution.values();
    let at_rest = all.any(|one| !one.shares_pct.is_empty());
    at_rest.then(|| {
        "<p>No chart: this result is of an earlier version, which did not keep what profilers show of the tested methods in the program \
         as it is. Run the test again for it.</p>"
            .to_owned()
    })
}

/// The methods of the chart: those that were tested, and hot ones without a row.
pub(super) fn charted(result: &DoseResult) -> Vec<&str> {
    let tested = result.methods.iter();
    let tested: Vec<&str> = tested.map(|one| one.name.as_str()).collect();
    let hot = result.untested.iter().map(|one| one.method.as_str());
    let hot: Vec<&str> = hot.filter(|method| !tested.contains(method)).collect();
    [tested, hot].concat()
}

/// Whether the chart has shares of a profiler.
pub(super) fn has_shares(result: &DoseResult, profiler: &str) -> bool {
    let methods = charted(result).into_iter();
    let mut shares = methods.filter_map(|method| result.as_it_is(method));
    shares.any(|shares| shares.contains_key(profiler))
}

fn chart(result: &DoseResult, names: &Names) -> Option<String> {
    let methods = charted(result);
    let rows: Vec<LaneRow> = methods
        .iter()
        .filter_map(|method| row(result, method, &methods, names))
        .collect();
    let title = "Share of each method, of the Java time";
    let description = description(result, &rows);
    let axis = "share of the Java time, %";
    let drawn = |layout| lanes(&layout, &rows, (title, &description), axis);
    let (wide, narrow) = (drawn(WIDE)?, drawn(NARROW)?);
    // One of them is shown, as the page is wide.
    let both = format!(
        "<div class=\"wide-only\">{}</div><div class=\"narrow-only\">{narrow}</div>",
        scrolling(title, &wide)
    );
    Some(figure(title, &both, &caption(result, &rows)))
}

/// `all`: the methods of the chart.
fn row(result: &DoseResult, method: &str, all: &[&str], names: &Names) -> Option<LaneRow> {
    let known = result.known_as_it_is(method);
    let shares = result.as_it_is(method)?;
    let lanes: Vec<Lane> = (result.attribution.iter().enumerate())
        .filter_map(|(group, (profiler, one))| {
            let of = (group, profiler.as_str(), one);
            let share = shares.get(profiler)?;
            Some(lane(result, of, (method, known, share), all, names))
        })
        .collect();
    if lanes.is_empty() {
        return None;
    }
    let short = names.short(method);
    let note = known.map(|known| note(&known));
    Some(LaneRow {
        known: known.map(|known| Known {
            value: match known {
                KnownShare::Certified(share) => Some(share.value),
                KnownShare::Between(..) => None,
            },
            ends: known.ends(),
            tip: format!("{short}: {}", note.as_deref().unwrap_or_default()),
        }),
        untested: !words::has_row(result, method),
        notes: note.into_iter().collect(),
        name: short,
        lanes,
    })
}

/// `witnesses 12 % (11 to 13)`
fn note(known: &KnownShare) -> String {
    match known {
        KnownShare::Certified(share) => format!("witnesses {}", with_unit(share, "%")),
        KnownShare::Between(low, high) => match (fixed(*low, 1), fixed(*high, 1)) {
            (low, high) if low == high => format!("reported: {low} %"),
            (low, high) => format!("reported: {low} to {high} %"),
        },
    }
}

fn lane(
    result: &DoseResult,
    (group, profiler, one): (usize, &str, &Attribution),
    (method, known, share): (&str, Option<KnownShare>, &Estimate),
    all: &[&str],
    names: &Names,
) -> Lane {
    let off = side(share, known);
    let explained = off.map(|off| explained((one, off), method, names));
    let holds = holds(result, one, method, explained.as_deref());
    let off = explained.zip(off).zip(known);
    let off = off.map(|((words, off), known)| match words.is_empty() {
        false => words,
        true => {
            let others = others(result, (profiler, off.reverse()), all, names);
            unexplained((share, known), off, &others)
        }
    });
    let short = names.short(method);
    let words = off.as_ref().and_then(|words| words.first());
    let words = words.map_or(String::new(), |words| format!("; {words}"));
    Lane {
        name: signed(profiler, holds),
        group,
        value: *share,
        off,
        tip: format!("{short}, {profiler}: {}{words}", with_n(share, "%")),
    }
}

/// Those of the chart's methods whose shares are off to that side, the one that is off most first.
fn others(
    result: &DoseResult,
    (profiler, to): (&str, Ordering),
    all: &[&str],
    names: &Names,
) -> Vec<String> {
    let off = all.iter().filter_map(|method| {
        let known = result.known_as_it_is(method);
        let (low, high) = known?.ends();
        let share = result.as_it_is(method)?.get(profiler)?;
        let apart = (low - share.high).max(share.low - high);
        (side(share, known) == Some(to)).then(|| (apart, names.short(method)))
    });
    let mut off: Vec<(f64, String)> = off.collect();
    off.sort_by(|a, b| b.0.total_cmp(&a.0));
    off.into_iter().map(|(_, name)| name).collect()
}
