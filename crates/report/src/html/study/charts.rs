//! From figures to charts.

use proofmark_study::Analysis;
use proofmark_study::result::{MethodFigures, Pair, ProfilerFigures, Scatter};

use super::figure;
use crate::Names;
use crate::number::{count, fixed, interval, with_n};
use crate::svg::{BoxRow, FULL, Group, MatrixCell, Range, WIDTH, boxes, cloud, matrix, ranges};

/// Methods drawn in one chart; the others are in the data.
const METHODS: usize = 10;

/// Both forms of a chart that has the width of the page; one of them is shown, as the page is wide.
fn both(drawn: impl Fn(f64) -> Option<String>) -> Option<String> {
    let (wide, narrow) = (drawn(FULL)?, drawn(WIDTH)?);
    Some(format!(
        "<div class=\"wide-only\">{wide}</div><div class=\"narrow-only\">{narrow}</div>"
    ))
}

/// Box plot of differences, one row per profiler.
pub(super) fn precision(analysis: &Analysis) -> Option<String> {
    let row = |(name, f): (&String, &ProfilerFigures)| {
        let quartiles = [
            f.lower_quartile_pt?,
            f.median_difference_pt?,
            f.upper_quartile_pt?,
        ];
        let n = count(f.differences_pt.len() as u64, "method");
        let words = quartiles.map(|q| fixed(q, 1));
        Some(BoxRow {
            name: format!("{name} ({n})"),
            values: f.differences_pt.clone(),
            quartiles,
            tip: format!("{name}: quartiles {} points", words.join(", ")),
        })
    };
    let rows: Vec<BoxRow> = analysis.profilers.iter().filter_map(row).collect();
    let title = "Differences between runs";
    let n: usize = rows.iter().map(|r| r.values.len()).sum();
    let n = format!("n = {}", count(n as u64, "method"));
    let description = format!("Box plots of the differences between runs, one per profiler; {n}.");
    let label = "largest minus smallest share, points";
    let svg = both(|width| boxes(&rows, title, &description, (label, width)))?;
    let caption = format!(
        "{n} with a mean share of 5 % at least. Box: middle half; line: median; whiskers: up to 1.5 boxes; dots: beyond."
    );
    Some(figure(title, &svg, &caption))
}

/// Overlap and same hottest methods of every two profilers.
pub(super) fn agreement(analysis: &Analysis) -> Option<String> {
    let names: Vec<String> = analysis.profilers.keys().cloned().collect();
    let cell = |a: &String, b: &String| {
        let mut pairs = analysis.pairs.iter();
        let pair = pairs.find(|p| (&p.a, &p.b) == (a, b) || (&p.b, &p.a) == (a, b))?;
        Some(matrix_cell(pair))
    };
    let row = |a: &String| names.iter().map(|b| cell(a, b)).collect();
    let cells: Vec<Vec<Option<MatrixCell>>> = names.iter().map(row).collect();
    let title = "Overlap of shares and programs with the same hottest method";
    let n = format!("n = {}", count(analysis.programs.len() as u64, "program"));
    let description = format!(
        "Matrix of profilers: overlap of mean shares in %, and programs with the same hottest method; {n}."
    );
    let svg = both(|width| matrix(&names, &cells, (title, &description), width))?;
    let caption = format!(
        "{n}. Above: overlap, % (100: equal); below: programs on which both name the same hottest method. Diagonal: one half of the runs against the other."
    );
    Some(figure(title, &svg, &caption))
}

fn matrix_cell(pair: &Pair) -> MatrixCell {
    let same = &pair.same_hottest;
    let hottest = format!("{}/{}", fixed(same.value, 0), same.n);
    MatrixCell {
        part: pair.overlap_pct.value / 100.0,
        lines: [fixed(pair.overlap_pct.value, 0), hottest],
        tip: format!(
            "{} and {}: overlap {}; distance {}; same hottest method on {} of {} ({})",
            pair.a,
            pair.b,
            with_n(&pair.overlap_pct, "%"),
            with_n(&pair.jensen_shannon, ""),
            fixed(same.value, 0),
            count(same.n, "program"),
            interval(same)
        ),
    }
}

/// Mean shares of one profiler on one program; `highest` is the largest share of the program under any, %.
pub(super) fn methods(profiler: &str, methods: &[&MethodFigures], highest: f64) -> Option<String> {
    let runs = count(methods.first()?.runs, "run");
    let names = Names::of(methods.iter().map(|m| m.method.as_str()));
    let range = |m: &&MethodFigures| Range {
        name: names.short(&m.method),
        mean: m.mean_pct.value,
        ends: (m.min_pct, m.max_pct),
        hatched: m.hottest_in > 0,
        tip: format!(
            "{}: mean {}, {} to {} %, listed in {} and hottest in {} of {runs}",
            names.short(&m.method),
            with_n(&m.mean_pct, "%"),
            fixed(m.min_pct, 1),
            fixed(m.max_pct, 1),
            m.listed_in,
            m.hottest_in
        ),
    };
    let seen = methods.iter().filter(|method| method.max_pct > 0.0);
    let rows: Vec<Range> = seen.take(METHODS).map(range).collect();
    let description = format!(
        "Mean shares of {} under {profiler} over {runs}.",
        count(rows.len() as u64, "method")
    );
    let svg = ranges(&rows, profiler, &description, ("share, %", highest))?;
    let caption =
        format!("n = {runs}. Whisker: smallest to largest share; hatched: hottest at least once.");
    Some(figure(profiler, &svg, &caption))
}

/// The program's hottest method against run time.
pub(super) fn scatter(scatter: &Scatter) -> Option<String> {
    let mut groups: Vec<Group> = Vec::new();
    for point in &scatter.points {
        let at = (point.iteration_ms, point.share_pct);
        match groups.iter_mut().find(|g| g.name == point.profiler) {
            Some(group) => group.points.push(at),
            None => groups.push(Group {
                name: point.profiler.clone(),
                points: vec![at],
            }),
        }
    }
    let method = Names::of([scatter.method.as_str()]).short(&scatter.method);
    let title = format!("{method} against run time");
    let n = format!("n = {}", count(scatter.points.len() as u64, "run"));
    let description = format!(
        "Share of {method} against the median time of an iteration, one mark per run; {n}."
    );
    let labels = ("median time of an iteration, ms", "share, %");
    let svg = cloud(&groups, &title, &description, labels)?;
    let caption = format!(
        "{n}; only runs with a known time. Separate clouds: the program was compiled in different ways."
    );
    Some(figure(&title, &svg, &caption))
}
