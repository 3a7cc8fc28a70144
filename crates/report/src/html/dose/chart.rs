//! Every method's share: what is known of it and what each profiler reports, on one axis.

use std::cmp::Ordering;

use proofmark_experiment::dose::{Attribution, DoseResult, KnownShare};

use super::super::{figure, scrolling};
use super::arrow::{explained, reported, side, unexplained};
use super::caption::{JAVA_TIME, caption, description};
use super::sign::{holds, signed};
use crate::number::{fixed, with_n, with_unit};
use crate::svg::{Known, Lane, LaneRow, NARROW, WIDE, lanes};
use crate::{Names, words};

pub(super) fn section(result: &DoseResult, names: &Names) -> String {
    let Some(figure) = chart(result, names) else {
        return String::new();
    };
    format!(
        "<section id=\"shares\"><h2>The tested methods, as each profiler shows them</h2>\n{figure}</section>\n"
    )
}

fn chart(result: &DoseResult, names: &Names) -> Option<String> {
    let tested = result.methods.iter().map(|method| method.name.as_str());
    let methods: Vec<&str> = tested.chain(words::untested(result)).collect();
    let rows: Vec<LaneRow> = methods
        .iter()
        .filter_map(|method| row(result, method, &methods, names))
        .collect();
    let title = "Share of each method, of the program's time with sites at rest";
    let description = description(result, &rows);
    let axis = "share of time with sites at rest, %";
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
    let known = result.known_share(method);
    let lanes: Vec<Lane> = (result.attribution.iter().enumerate())
        .filter(|(_, (_, one))| !one.shares_pct.is_empty())
        .map(|(group, (profiler, one))| {
            lane(result, (group, profiler, one), (method, known), all, names)
        })
        .collect();
    if lanes.is_empty() {
        return None;
    }
    let short = names.short(method);
    let at_rest = known.map(|known| note(&known));
    let as_it_is = java_time(result, method);
    let notes: Vec<String> = at_rest.into_iter().chain(as_it_is).collect();
    Some(LaneRow {
        known: known.map(|known| Known {
            value: match known {
                KnownShare::Certified(share) => Some(share.value),
                KnownShare::Between(..) => None,
            },
            ends: known.ends(),
            tip: format!("{short}: {}", notes.join("; ")),
        }),
        untested: !words::has_row(result, method),
        notes,
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

/// `Java time: 10 % (7 to 12)`: what witnesses show of a method that the sentences or the table call wrong: these speak of the Java time
/// of the program as it is. None of a native program, which is not looked at without its sites.
fn java_time(result: &DoseResult, method: &str) -> Option<String> {
    let share = words::known_as_it_is(result, method);
    let share = share.filter(|_| result.native.is_none())?;
    Some(format!("{JAVA_TIME}: {}", with_unit(&share, "%")))
}

fn lane(
    result: &DoseResult,
    (group, profiler, one): (usize, &str, &Attribution),
    (method, known): (&str, Option<KnownShare>),
    all: &[&str],
    names: &Names,
) -> Lane {
    let share = reported(one, method);
    let off = side(one, method, known);
    let explained = off.map(|off| explained((one, off), method, names));
    let holds = holds(one, method, (explained.as_deref(), result.margin_pt));
    let off = explained.zip(off).zip(known);
    let off = off.map(|((words, off), known)| match words.is_empty() {
        false => words,
        true => {
            let others = others(result, (one, off.reverse()), all, names);
            unexplained((&share, known), off, &others)
        }
    });
    let short = names.short(method);
    let words = off.as_ref().and_then(|words| words.first());
    let words = words.map_or(String::new(), |words| format!("; {words}"));
    Lane {
        name: signed(profiler, holds),
        group,
        value: share,
        off,
        tip: format!("{short}, {profiler}: {}{words}", with_n(&share, "%")),
    }
}

/// Those of the chart's methods whose shares are off to that side, the one that is off most first.
fn others(
    result: &DoseResult,
    (one, to): (&Attribution, Ordering),
    all: &[&str],
    names: &Names,
) -> Vec<String> {
    let off = all.iter().filter_map(|method| {
        let known = result.known_share(method);
        let (low, high) = known?.ends();
        let share = reported(one, method);
        let apart = (low - share.high).max(share.low - high);
        (side(one, method, known) == Some(to)).then(|| (apart, names.short(method)))
    });
    let mut off: Vec<(f64, String)> = off.collect();
    off.sort_by(|a, b| b.0.total_cmp(&a.0));
    off.into_iter().map(|(_, name)| name).collect()
}
