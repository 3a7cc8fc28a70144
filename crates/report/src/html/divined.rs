//! What was done to the program: figures, histogram, blocks.

use proofmark_divine::{Reason, SearchKind};
use proofmark_stats::Estimate;

use super::escape::{name, text};
use super::table::{Cell, facts, table};
use crate::number::{count, duration, fixed, grouped, signed_percent, value, with_n, with_unit};
use crate::svg::{Histogram, histogram};
use crate::{Names, words};
use proofmark_experiment::divine::{BlockRow, DivineReport, SetRow};

/// Figures, chart, block table.
pub(super) fn section(report: &DivineReport) -> String {
    let names = Names::of(
        report
            .units
            .iter()
            .map(|u| u.name.as_str())
            .chain(report.blocks.iter().map(|b| b.unit.as_str())),
    );
    let target = fixed(report.target_pct, 0);
    let chart = chart(report).unwrap_or_default();
    let facts = facts("", &figures(report));
    let mut out = format!(
        "<section id=\"slowdown\"><h2>What was done to the program</h2>\n<p>Every judged set of blocks was to take {target} % more time. This is what fresh windows, which the search did not use, say about it.</p>\n<div class=\"grid\">{chart}<div class=\"wide\">{facts}</div></div>\n"
    );
    out.push_str(&sets(report, &names));
    out.push_str(&blocks(report, &names));
    out.push_str("</section>\n");
    out
}

fn figures(r: &DivineReport) -> Vec<(String, String)> {
    let mut rows = vec![
        ("plans tried".to_owned(), r.plans_tried.to_string()),
        ("time to the plan".to_owned(), duration(r.wall_s)),
    ];
    let mut add =
        |what: &str, value: Option<String>| rows.extend(value.map(|v| (what.to_owned(), v)));
    add(
        "searched",
        (r.search == SearchKind::Stepwise).then(|| {
            "as published: unit after unit, one instruction more each time, then by halves"
                .to_owned()
        }),
    );
    add(
        "the search ended",
        r.stop.map(|s| words::stop(s).to_owned()),
    );
    add(
        "program",
        r.overhead_pct
            .map(|e| format!("{}, {}", signed_percent(&e), count(e.n, "pair"))),
    );
    add("windows", words::disturbed(r));
    errors(r, &mut add);
    add(
        "blocks",
        Some(format!(
            "{} judged{}, {} pooled (too little time to be judged, slowed together), in {}",
            r.judged_blocks,
            words::sets(r).map_or(String::new(), |sets| format!(" in {}", count(sets, "set"))),
            r.pooled_blocks,
            count(r.units.len() as u64, "unit")
        )),
    );
    add(
        "judged share of time: blocks that are judged hold",
        Some(format!("{} % of the time", fixed(r.coverage_pct, 1))),
    );
    add(
        "cannot be slowed",
        match r.outside_share_pct {
            Some(share) => Some(format!(
                "{} of the time, n = {}",
                with_unit(&share, "%"),
                grouped(share.n)
            )),
            None => (r.outside_pct).map(|p| format!("{} % of the time", fixed(p, 1))),
        },
    );
    rows
}

/// How far sets, blocks and loops are off, as measured, with what noise alone would show.
fn errors(r: &DivineReport, add: &mut impl FnMut(&str, Option<String>)) {
    let points = |e: Option<Estimate>| e.map(|e| with_n(&e, "pt"));
    let with_noise = |e: Option<Estimate>, noise: Option<Estimate>| {
        let noise = noise.map_or(String::new(), |e| {
            format!("; noise alone would show {}", value(&e))
        });
        points(e).map(|shown| format!("{shown}{noise}"))
    };
    let sets = with_noise(r.block_error_raw_pt, r.block_error_noise_pt);
    if words::sets(r) == Some(1) {
        add("judged as one set: its error is that of the total", sets);
    } else {
        add("judged sets off by, mean over time as measured", sets);
        add("the same, noise removed", points(r.block_error_denoised_pt));
        add("the set that is off most", points(r.block_error_worst_pt));
        add(
            "loops off by, mean as measured",
            with_noise(r.cluster_error_pt, r.cluster_error_noise_pt),
        );
        add(
            "all judged code together takes longer by",
            r.judged_overhead_pct.map(|e| with_n(&e, "%")),
        );
        add("loops off from that, mean", points(r.cluster_apart_pt));
        add(
            "time of the sets within 10 points of the target",
            r.within_10_pt_pct.map(|e| with_n(&e, "%")),
        );
    }
    let together = r.blocks.iter().any(|b| b.group.is_some());
    let alone = if together {
        "every block on its own, also those that cannot be told apart here, off by"
    } else {
        "every block on its own, off by"
    };
    add(
        alone,
        with_noise(r.short_block_error_pt, r.short_block_error_noise_pt),
    );
}

/// Achieved overheads of what was judged; of single blocks where a document of an earlier version knows no sets.
fn chart(r: &DivineReport) -> Option<String> {
    let of_sets = r
        .sets
        .iter()
        .map(|s| (s.achieved_overhead_pct, Some(s.share_pct)));
    let alone = r.blocks.iter().filter(|b| !b.is_pool());
    let of_blocks = alone.map(|b| (b.achieved_overhead_pct, b.share_pct));
    let (what, noise, all): (_, _, Vec<_>) = match r.sets.is_empty() {
        false => ("set", r.block_error_noise_pt, of_sets.collect()),
        true => (
            "block",
            r.short_block_error_noise_pt.or(r.block_error_noise_pt),
            of_blocks.collect(),
        ),
    };
    let shares_known = all.iter().any(|(_, share)| share.is_some());
    let weight = |share: Option<f64>| match shares_known {
        true => share.unwrap_or(0.0),
        false => 1.0,
    };
    let values: Vec<(f64, f64)> = all
        .into_iter()
        .filter_map(|(achieved, share)| Some((achieved?.value, weight(share))))
        .collect();
    let n = values.len() as u64;
    let svg = histogram(&Histogram {
        values,
        target: r.target_pct,
        noise: noise.map(|e| e.value),
    })?;
    let noise = noise.map_or(String::new(), |e| {
        format!(
            "; grey band: how far noise alone would put them on average ({} points)",
            value(&e)
        )
    });
    let weighted = if shares_known {
        "weighted by time"
    } else {
        "each counted once, as their shares are not known"
    };
    Some(super::figure(
        &format!("Achieved overhead per {what}"),
        &svg,
        &format!(
            "n = {}, {weighted}; dashed line: target{noise}.",
            count(n, &format!("judged {what}"))
        ),
    ))
}

/// What was judged as one.
fn sets(r: &DivineReport, names: &Names) -> String {
    if r.sets.is_empty() {
        return String::new();
    }
    let row = |s: &SetRow| {
        let achieved = s.achieved_overhead_pct;
        let block = format!("block {}", s.block);
        vec![
            unit(&s.unit, names),
            Cell::words(&s.group.map_or(block, |group| group.to_string())),
            Cell::number(&s.blocks.to_string(), s.blocks as f64),
            Cell::number(&fixed(s.cycles, 1), s.cycles),
            Cell::number(&format!("{} %", fixed(s.share_pct, 1)), s.share_pct),
            Cell::number(
                &achieved.map_or("-".into(), |e| with_n(&e, "%")),
                achieved.map_or(-1e9, |e| e.value),
            ),
            Cell::words(outcome(s.reason, achieved, r.target_pct)),
        ]
    };
    let rows: Vec<Vec<Cell>> = r.sets.iter().map(row).collect();
    let titles = [
        "unit",
        "set",
        "blocks",
        "cycles",
        "share of time",
        "achieved overhead",
        "outcome",
    ];
    let table = table("sortable", "", &titles, &rows);
    format!(
        "<details><summary>All {} with {} judged in them</summary>\n{table}</details>\n",
        count(rows.len() as u64, "judged set"),
        count(r.sets.iter().map(|s| s.blocks).sum(), "block"),
    )
}

/// What became of a set or a block. Where its interval does not hold the target, but reaches to within 10 points of it, that
/// is said.
fn outcome(reason: Reason, achieved: Option<Estimate>, target_pct: f64) -> &'static str {
    match reason {
        Reason::OnTarget if achieved.is_some_and(|seen| !seen.covers(target_pct)) => {
            "off, perhaps by no more than 10 points"
        }
        reason => words::reason(reason),
    }
}

fn unit(of: &str, names: &Names) -> Cell {
    Cell::html(format!(
        "<code title=\"{}\">{}</code>",
        text(of),
        name(&names.short(of))
    ))
}

fn blocks(r: &DivineReport, names: &Names) -> String {
    if r.blocks.is_empty() {
        return String::new();
    }
    let row = |b: &BlockRow| {
        let share = b.share_pct.unwrap_or(f64::NAN);
        let achieved = b.achieved_overhead_pct;
        vec![
            unit(&b.unit, names),
            Cell::number(
                &if b.is_pool() {
                    "pool".into()
                } else {
                    b.block.to_string()
                },
                f64::from(b.block),
            ),
            Cell::number(
                &b.blocks.map_or("-".into(), |n| n.to_string()),
                b.blocks.unwrap_or(0) as f64,
            ),
            Cell::words(&b.group.map_or("-".into(), |group| group.to_string())),
            Cell::number(
                &b.cycles.map_or("-".into(), |cycles| fixed(cycles, 1)),
                b.cycles.unwrap_or(-1.0),
            ),
            Cell::number(
                &b.share_pct
                    .map_or("-".into(), |s| format!("{} %", fixed(s, 1))),
                if share.is_nan() { -1.0 } else { share },
            ),
            Cell::number(&b.count.to_string(), f64::from(b.count)),
            Cell::number(
                &achieved.map_or("-".into(), |e| with_n(&e, "%")),
                achieved.map_or(-1e9, |e| e.value),
            ),
            Cell::words(outcome(b.reason, achieved, r.target_pct)),
        ]
    };
    let rows: Vec<Vec<Cell>> = r.blocks.iter().map(row).collect();
    let titles = [
        "unit",
        "block",
        "blocks in the row",
        "judged in set",
        "cycles",
        "share of time",
        "instructions",
        "achieved overhead",
        "outcome",
    ];
    let table = table("sortable", "", &titles, &rows);
    let known: Option<u64> = r.blocks.iter().map(|b| b.blocks).sum();
    let all = match known {
        Some(blocks) => format!(
            "All {} in {} (short ones share the row of a neighbour, a pool is one row)",
            count(blocks, "block"),
            count(rows.len() as u64, "row")
        ),
        None => format!("The plan's {}", count(rows.len() as u64, "row")),
    };
    format!(
        "<details><summary>{all} with counts and achieved overhead</summary>\n{table}</details>\n"
    )
}
