//! Every method's share: what is known of it and what each profiler reports, on one axis.

use proofmark_assess::Verdict;
use proofmark_experiment::dose::{Attribution, DoseResult, KnownShare};
use proofmark_stats::Estimate;

use super::super::{figure, scrolling};
use super::caption::{caption, description};
use super::sign::{holds, signed};
use crate::number::{fixed, with_n};
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
    let methods = tested.chain(words::untested(result));
    let rows: Vec<LaneRow> = methods
        .filter_map(|method| row(result, method, names))
        .collect();
    let title = "Share of each method, of the program's time with sites at rest";
    let description = description(result, &rows);
    let axis = "share of the program's time, %";
    let drawn = |layout| lanes(&layout, &rows, (title, &description), axis);
    let (wide, narrow) = (drawn(WIDE)?, drawn(NARROW)?);
    // One of them is shown, as the page is wide.
    let both = format!(
        "<div class=\"wide-only\">{}</div><div class=\"narrow-only\">{narrow}</div>",
        scrolling(title, &wide)
    );
    Some(figure(title, &both, &caption(result, &rows)))
}

fn row(result: &DoseResult, method: &str, names: &Names) -> Option<LaneRow> {
    let known = result.known_share(method);
    let about = (method, known, result.margin_pt);
    let all = result.attribution.iter().enumerate();
    let lanes: Vec<Lane> = all
        .filter(|(_, (_, one))| !one.shares_pct.is_empty())
        .map(|(group, (profiler, one))| lane(group, (profiler, one), about, names))
        .collect();
    if lanes.is_empty() {
        return None;
    }
    let short = names.short(method);
    Some(LaneRow {
        note: known.map_or(String::new(), |known| note(&known)),
        known: known.map(|known| Known {
            value: match known {
                KnownShare::Certified(share) => Some(share.value),
                KnownShare::Between(..) => None,
            },
            ends: known.ends(),
            tip: format!("{short}: {}", note(&known)),
        }),
        untested: !words::has_row(result, method),
        name: short,
        lanes,
    })
}

/// `witnesses 12 % (11 to 13)`
fn note(known: &KnownShare) -> String {
    match known {
        KnownShare::Certified(share) => {
            format!("witnesses {}", crate::number::with_unit(share, "%"))
        }
        KnownShare::Between(low, high) => match (fixed(*low, 1), fixed(*high, 1)) {
            (low, high) if low == high => format!("reported: {low} %"),
            (low, high) => format!("reported: {low} to {high} %"),
        },
    }
}

fn lane(
    group: usize,
    (profiler, one): (&str, &Attribution),
    (method, known, margin_pt): (&str, Option<KnownShare>, f64),
    names: &Names,
) -> Lane {
    let none = Estimate::around(0.0, 0.0, 0);
    let share = one.shares_pct.get(method).copied().unwrap_or(none);
    // Words that speak of time that is lost stand at a share that is too small, and others at one that is too large.
    let off = known.and_then(|known| {
        let (low, high) = known.ends();
        let (small, large) = (share.high < low, share.low > high);
        match (small, large) {
            (true, _) => Some(lost(one, method, names)),
            (_, true) => Some(gained(one, method, names)),
            _ => None,
        }
    });
    let short = names.short(method);
    let words = off.as_ref().and_then(|words| words.first());
    let words = words.map_or(String::new(), |words| format!("; {words}"));
    let holds = holds(one, method, (off.as_deref(), margin_pt));
    Lane {
        name: signed(profiler, holds),
        group,
        value: share,
        off,
        tip: format!("{short}, {profiler}: {}{words}", with_n(&share, "%")),
    }
}

/// Where the time of a method goes that has a wrong row, from the longest words to the shortest.
fn lost(one: &Attribution, method: &str, names: &Names) -> Vec<String> {
    let wrong = one.rows.iter().filter(|row| row.verdict == Verdict::Wrong);
    let Some(row) = wrong
        .filter(|row| row.method == method)
        .min_by(|a, b| a.in_place_pct.value.total_cmp(&b.in_place_pct.value))
    else {
        return Vec::new();
    };
    let Some(to) = row.elsewhere.iter().find(|to| to.pct.value > 0.0) else {
        return vec![words::only_in_place(row)];
    };
    let method = names.short(&to.method);
    let Some(few) = words::few_jvms(row, to) else {
        let part = fixed(to.pct.value, 0);
        return vec![
            format!("\u{2192} {method} {part} %"),
            format!("\u{2192} {method}"),
        ];
    };
    // Parts are means over JVMs, which say nothing where only some of these report any.
    let part = words::in_some_jvms(row, to).unwrap_or_else(|| format!("in {few}"));
    // The method alone, where its class leaves no room.
    let bare = method.rsplit('.').next().unwrap_or_default();
    vec![
        format!("\u{2192} {method} {part}"),
        format!("\u{2192} {method} ({few})"),
        format!("\u{2192} {bare} ({few})"),
        format!("\u{2192} ({few})"),
    ]
}

/// A method whose time another one gets, and in how many JVMs, where that is not all of them.
type Giver = (String, Option<String>);

/// Whose time a method gets, from the longest words to the shortest. None of them is without the number of JVMs.
fn gained(one: &Attribution, method: &str, names: &Names) -> Vec<String> {
    let wrong = one.rows.iter().filter(|row| row.verdict == Verdict::Wrong);
    let from = wrong.filter_map(|row| {
        let mut gets = row.elsewhere.iter().filter(|to| to.pct.value > 0.0);
        let to = gets.find(|to| to.method == method)?;
        Some((names.short(&row.method), words::few_jvms(row, to)))
    });
    let mut from: Vec<Giver> = from.collect();
    from.dedup();
    let in_full = |(method, few): &Giver| match few {
        Some(few) => format!("{method} in {few}"),
        None => method.clone(),
    };
    let all: Vec<String> = from.iter().map(in_full).collect();
    let Some((first, rest)) = from.split_first() else {
        return Vec::new();
    };
    let more = match rest.len() {
        0 => String::new(),
        rest => format!(" and {rest} more"),
    };
    let (name, few) = first;
    let few = few.as_ref();
    let first = few.map_or_else(|| name.clone(), |few| format!("{name} ({few})"));
    let mut words = vec![
        format!("+ time of {}", all.join(", ")),
        format!("+ time of {first}{more}"),
        format!("+ {first}{more}"),
    ];
    words.extend(few.map(|few| format!("+ ({few}){more}")));
    words
}
