//! Results as comma-separated values (RFC 4180): one figure a line, so that a table program or a script can filter.

mod fields;

use proofmark_stats::Estimate;
use proofmark_study::result::{
    Agreement, Interval, MethodFigures, Pair, ProfilerFigures, Quantity,
};
use proofmark_study::{Analysis, Diff};

use fields::{number, quoted};

/// Head of [`study_csv`]: fields that a figure does not have are empty, as is an interval that is not known.
const HEAD: &str = "figure,program,profiler,other_profiler,method,value,low,high,n,unit\r\n";

/// Every figure of an analysis, a line each.
#[must_use]
pub fn study_csv(analysis: &Analysis) -> String {
    let mut out = String::from(HEAD);
    for (name, figures) in &analysis.profilers {
        of_profiler(&mut out, name, figures);
    }
    for agreement in &analysis.agreement {
        of_program(&mut out, agreement);
    }
    for pair in &analysis.pairs {
        of_pair(&mut out, pair);
    }
    for method in &analysis.methods {
        of_method(&mut out, method);
    }
    for o in &analysis.overhead {
        Line::new("overhead", "%")
            .of(&o.program, &o.profiler)
            .estimate(&mut out, &o.overhead_pct);
    }
    for test in &analysis.modes {
        let figure = match test.quantity {
            Quantity::IterationMs => "modes_of_times_adjusted_p",
            Quantity::SharePct => "modes_of_shares_adjusted_p",
        };
        let line = Line::new(figure, "")
            .of(&test.program, &test.profiler)
            .n(test.runs);
        line.value(&mut out, Some(test.adjusted), None);
    }
    out
}

/// Every method of a comparison, a line each.
#[must_use]
pub fn diff_csv(diff: &Diff) -> String {
    let mut out = String::from(
        "program,profiler,method,a_pct,b_pct,change_pt,low,high,n,p_value,adjusted,changed,detectable_pt\r\n",
    );
    for c in &diff.changes {
        let e = &c.change_pt;
        let numbers = [c.a_pct, c.b_pct, e.value, e.low, e.high].map(number);
        let fields = [&c.program, &c.profiler, &c.method].map(|t| quoted(t));
        out.push_str(&format!(
            "{},{},{},{},{},{},{}\r\n",
            fields.join(","),
            numbers.join(","),
            e.n,
            number(c.p_value),
            number(c.adjusted),
            c.changed,
            number(c.detectable_pt)
        ));
    }
    out
}

/// One line under construction.
#[derive(Clone, Copy, Default)]
struct Line<'a> {
    figure: &'a str,
    unit: &'a str,
    program: &'a str,
    profiler: &'a str,
    other: &'a str,
    method: &'a str,
    n: Option<u64>,
}

impl<'a> Line<'a> {
    fn new(figure: &'a str, unit: &'a str) -> Self {
        Self {
            figure,
            unit,
            ..Self::default()
        }
    }

    fn of(self, program: &'a str, profiler: &'a str) -> Self {
        Self {
            program,
            profiler,
            ..self
        }
    }

    fn n(self, n: u64) -> Self {
        Self { n: Some(n), ..self }
    }

    fn value(self, out: &mut String, value: Option<f64>, interval: Option<Interval>) {
        let end = |f: fn(Interval) -> f64| interval.map_or(String::new(), |i| number(f(i)));
        let fields = [
            quoted(self.figure),
            quoted(self.program),
            quoted(self.profiler),
            quoted(self.other),
            quoted(self.method),
            value.map_or(String::new(), number),
            end(|i| i.low),
            end(|i| i.high),
            self.n.map_or(String::new(), |n| n.to_string()),
            quoted(self.unit),
        ];
        out.push_str(&fields.join(","));
        out.push_str("\r\n");
    }

    fn estimate(self, out: &mut String, e: &Estimate) {
        let interval = Interval {
            low: e.low,
            high: e.high,
        };
        self.n(e.n).value(out, Some(e.value), Some(interval));
    }
}

fn of_profiler(out: &mut String, name: &str, f: &ProfilerFigures) {
    let i = f.intervals.as_ref();
    let mut line = |figure, unit, value, ends| {
        Line::new(figure, unit)
            .of("", name)
            .n(f.runs)
            .value(out, value, ends);
    };
    line(
        "unstable_methods",
        "methods",
        Some(f.unstable_methods as f64),
        i.map(|i| i.unstable_methods),
    );
    line(
        "max_difference",
        "pt",
        f.max_difference_pt,
        i.map(|i| i.max_difference_pt),
    );
    line(
        "median_difference",
        "pt",
        f.median_difference_pt,
        i.map(|i| i.median_difference_pt),
    );
    line(
        "lower_quartile_difference",
        "pt",
        f.lower_quartile_pt,
        i.map(|i| i.lower_quartile_pt),
    );
    line(
        "upper_quartile_difference",
        "pt",
        f.upper_quartile_pt,
        i.map(|i| i.upper_quartile_pt),
    );
    line(
        "distinct_hottest_median",
        "methods",
        Some(f.distinct_hottest.median),
        i.map(|i| i.distinct_hottest_median),
    );
    line(
        "distinct_hottest_max",
        "methods",
        Some(f.distinct_hottest.max as f64),
        i.map(|i| i.distinct_hottest_max),
    );
    if let Some(overhead) = &f.overhead_pct {
        Line::new("mean_overhead", "%")
            .of("", name)
            .estimate(out, overhead);
    }
}

fn of_program(out: &mut String, a: &Agreement) {
    let line = |figure| Line::new(figure, "methods").of(&a.program, "");
    line("union_hottest").value(out, Some(a.union_hottest as f64), a.union_hottest_interval);
    line("union_top5").value(out, Some(a.union_top5 as f64), a.union_top5_interval);
    for group in &a.groups {
        let names = group.profilers.join(" ");
        let line = Line {
            method: &group.method,
            ..Line::new("agreement_group", "profilers").of(&a.program, &names)
        };
        line.value(out, Some(group.profilers.len() as f64), None);
    }
}

fn of_pair(out: &mut String, pair: &Pair) {
    let line = |figure, unit| Line {
        other: &pair.b,
        ..Line::new(figure, unit).of("", &pair.a)
    };
    line("same_hottest", "programs").estimate(out, &pair.same_hottest);
    line("overlap", "%").estimate(out, &pair.overlap_pct);
    line("jensen_shannon", "").estimate(out, &pair.jensen_shannon);
}

fn of_method(out: &mut String, m: &MethodFigures) {
    let line = |figure, unit| Line {
        method: &m.method,
        ..Line::new(figure, unit).of(&m.program, &m.profiler)
    };
    line("mean_share", "%").estimate(out, &m.mean_pct);
    line("difference", "pt").estimate(out, &m.difference_pt);
    line("listed_in", "runs")
        .n(m.runs)
        .value(out, Some(m.listed_in as f64), None);
    line("hottest_in", "runs")
        .n(m.runs)
        .value(out, Some(m.hottest_in as f64), None);
}
