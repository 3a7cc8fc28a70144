//! Do a profiler's shares stay what they are: normal against slowed, one panel per profiler.

use proofmark_experiment::evaluate::{Evaluation, MethodPair, ShareChanges};
use proofmark_stats::Estimate;

use super::super::escape::name;
use super::super::escape::text;
use super::super::figure as picture;
use super::super::table::{Cell, table};
use super::experiments::shares_under;
use super::{figure, measured, numbered, section as part, unknown};
use crate::Names;
use crate::number::{count, fixed, with_n};
use crate::svg::{Point, Right, Scatter, scatter};
use crate::words::evaluation::{change, control, correlation, moved, target};

/// Points that a share may move before it is named.
const BAND_PT: f64 = 5.0;
/// Methods of one picture that are named.
const NAMED: usize = 24;

const ABOUT: &str = "When everything takes longer by the same part, every method has the same share of the time as before, and a right profiler shows that. \
     Compared are the five methods that a profiler shows hottest in every program. Where a share moves by more than 5 points, the profiler is wrong, or \
     the method&#39;s blocks were not slowed as far as the others, or too few samples moved it by chance; those that <em>remain</em> are off also when it is taken into account how far the blocks were really slowed.";

pub(super) fn section(evaluation: &Evaluation) -> String {
    if evaluation.share_changes.is_empty() {
        return String::new();
    }
    let mut profilers: Vec<&str> = Vec::new();
    for one in &evaluation.share_changes {
        if !profilers.contains(&one.profiler.as_str()) {
            profilers.push(&one.profiler);
        }
    }
    let panels: String = profilers
        .iter()
        .filter_map(|profiler| panel(evaluation, profiler))
        .collect();
    let methods: String = (profilers.iter())
        .map(|profiler| shares_under(evaluation, profiler))
        .collect();
    let body = format!(
        "<div class=\"grid\">{panels}</div>\n{}{methods}",
        rows(evaluation)
    );
    part(
        "shares",
        "Do shares stay what they are when everything is slowed by the same factor?",
        ABOUT,
        &body,
    )
}

/// A method of a program at a target.
struct Seen<'a> {
    program: &'a str,
    target_pct: u32,
    pair: &'a MethodPair,
}

fn seen<'a>(evaluation: &'a Evaluation, profiler: &str) -> Vec<Seen<'a>> {
    let mut all = Vec::new();
    for program in &evaluation.programs {
        let here = program.profilers.iter().filter(|one| one.name == profiler);
        for finding in here.flat_map(|one| &one.top) {
            all.extend(finding.methods.iter().map(|pair| Seen {
                program: &program.program,
                target_pct: finding.target_pct,
                pair,
            }));
        }
    }
    // What moved most first: it is named first.
    all.sort_by(|a, b| change(b.pair).abs().total_cmp(&change(a.pair).abs()));
    all
}

fn panel(evaluation: &Evaluation, profiler: &str) -> Option<String> {
    let all = seen(evaluation, profiler);
    let names = Names::of(all.iter().map(|one| one.pair.method.as_str()));
    let off = |one: &Seen<'_>| change(one.pair).abs() > BAND_PT;
    let (mut points, mut key) = (Vec::new(), Vec::new());
    for one in &all {
        let pair = one.pair;
        let label = format!(
            "{}, {}, {}",
            one.program,
            names.short(&pair.method),
            target(f64::from(one.target_pct))
        );
        let (before, after) = (with_n(&pair.normal_pct, "%"), with_n(&pair.slowed_pct, "%"));
        let tip = format!("{label}: normal {before}, slowed {after}");
        let number = (off(one) && key.len() < NAMED).then(|| key.len() + 1);
        let ends = [pair.normal_pct, pair.slowed_pct].map(|e| fixed(e.value, 1));
        key.extend(number.map(|_| (label.clone(), format!("{} to {} %", ends[0], ends[1]))));
        let drawn = |e: Estimate| match off(one) {
            true => e,
            false => Estimate::around(e.value, 0.0, e.n),
        };
        points.push(Point {
            number,
            x: drawn(pair.normal_pct),
            y: drawn(pair.slowed_pct),
            predicted: None,
            counts: off(one),
            tip,
        });
    }
    let title = match control(evaluation, profiler) {
        None => profiler.to_owned(),
        Some(_) => format!("{profiler} (control)"),
    };
    let n = count(points.len() as u64, "method");
    let off = all.iter().filter(|one| off(one)).count();
    let description = format!(
        "Shares of {n} as {profiler} shows them, normal against slowed, all targets; {off} leave the band of 5 points around the line on which both are equal."
    );
    let svg = scatter(&Scatter {
        right: Right::Equal,
        points,
        name: &title,
        description,
        x_label: "share, nothing slowed, %",
        y_label: "share, everything slowed, %",
        margin: BAND_PT,
    })?;
    let left_out = match off > NAMED {
        true => format!(" Named are the {NAMED} that moved most."),
        false => String::new(),
    };
    let caption = format!(
        "n = {n}, all programs and targets. Dashed: share as before; band: 5 points; filled, with 95 % lines and a number: those that leave it ({off}); hollow: the others.{left_out}"
    );
    Some(format!(
        "<div>{}{}</div>",
        picture(&title, &svg, &caption),
        numbered(&key)
    ))
}

/// A row per profiler and target, and one of what was published.
fn rows(evaluation: &Evaluation) -> String {
    let all = &evaluation.share_changes;
    let mut rows = Vec::new();
    for (at, one) in all.iter().enumerate() {
        rows.push(row(one));
        let last = all
            .get(at + 1)
            .is_none_or(|next| next.profiler != one.profiler);
        if let Some(published) = one.published.filter(|_| last) {
            rows.push(vec![
                Cell::words(&one.profiler),
                Cell::words("published, all targets"),
                unknown(),
                figure(&fixed(published.correlation, 4), published.correlation),
                figure(
                    &published.off_by_5_pt.to_string(),
                    published.off_by_5_pt as f64,
                ),
                (published.mean_off_pt).map_or_else(unknown, |mean| {
                    figure(&format!("{} pt", fixed(mean, 2)), mean)
                }),
                unknown(),
                figure(&fixed(published.worst_pt, 1), published.worst_pt),
                Cell::words("-"),
            ]);
        }
    }
    let titles = [
        "profiler",
        "slowed by",
        "methods",
        "correlation",
        "off by more than 5 points",
        "these in the mean",
        "remain",
        "largest change, points",
        "of which method",
    ];
    table("sortable stack", "", &titles, &rows)
}

fn row(of: &ShareChanges) -> Vec<Cell> {
    let whole = |n: u64| figure(&n.to_string(), n as f64);
    let method = of
        .worst
        .as_ref()
        .map_or("-".into(), |(program, method, _)| {
            format!(
                "{}: <code>{}</code>",
                text(program),
                name(&Names::default().short(method))
            )
        });
    vec![
        Cell::words(&of.profiler),
        Cell::words(&target(f64::from(of.target_pct))),
        whole(of.methods),
        of.correlation.map_or_else(unknown, |r| {
            figure(&format!("{}, n = {}", correlation(&r), r.n), r.value)
        }),
        whole(of.off_by_5_pt),
        measured(of.mean_off_pt, "pt"),
        whole(of.off_by_5_pt_corrected),
        of.worst
            .as_ref()
            .map_or_else(unknown, |worst| figure(&moved(of), worst.2)),
        Cell::html(method),
    ]
}
