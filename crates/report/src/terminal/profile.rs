//! One profile: what it is, its top methods, what is doubtful.

use proofmark_profile::{Filter, MethodShare, Profile, Shares, ThreadFilter, Unit};

use super::cost::aligned;
use crate::Style;
use crate::names::{clean, full_name};
use crate::number::{count, fixed, grouped};
use crate::style::hanging;

/// What of a profile is shown.
#[derive(Debug, Clone)]
pub struct ProfileView {
    /// Samples that count.
    pub filter: Filter,
    /// Number of methods.
    pub top: usize,
    /// Whether overloads are added up.
    pub merge_overloads: bool,
}

/// The profile's head, its top methods in % of all weight, and what is doubtful.
///
/// ```text
/// tool       async-profiler 4.5 (JFR format)
/// counts     samples of jdk.ExecutionSample, one every 1 ms
/// total      3,210 samples: 98.1 % Java, 1.9 % other code, 0.0 % without a stack
/// overloads  apart
///
/// self    total    code   method
/// 41.2 %  97.0 %   Java   Work$Board.place(int)
/// ```
#[must_use]
pub fn profile_table(profile: &Profile, view: &ProfileView, style: Style) -> String {
    let mut shares = profile.by_method(&view.filter);
    if view.merge_overloads {
        shares = shares.merge_overloads();
    }
    let mut out = String::new();
    for (name, text) in head(profile, &shares, view) {
        let first = format!("{name:<11}");
        out.push_str(&hanging(&first, &clean(&text), style.columns()));
    }
    for doubt in profile_doubts(profile) {
        out.push_str(&hanging("note       ", &clean(&doubt), style.columns()));
    }
    out.push('\n');
    let rows = rows(&shares);
    let shown: Vec<Vec<String>> = rows.iter().take(view.top).map(Row::cells).collect();
    out.push_str(&aligned(
        &["self", "total", "code", "method"],
        &shown,
        style,
    ));
    if rows.len() > view.top {
        let more = grouped((rows.len() - view.top) as u64);
        out.push_str(&format!("and {more} more (--top)\n"));
    }
    out
}

/// What is doubtful about a profile, the worst first.
#[must_use]
pub fn profile_doubts(profile: &Profile) -> Vec<String> {
    let truncated = "INCOMPLETE: the file breaks off or is damaged, and only a part of it was read";
    let mark = profile.incomplete.then(|| truncated.to_owned());
    mark.into_iter()
        .chain(profile.remarks.iter().cloned())
        .collect()
}

fn head(profile: &Profile, shares: &Shares, view: &ProfileView) -> Vec<(&'static str, String)> {
    let version = profile.version.as_deref().unwrap_or("");
    let tool = format!("{} {version}", profile.tool);
    let overloads = match (profile.overloads_merged, view.merge_overloads) {
        (_, true) => "added up, as asked for",
        (true, false) => "merged: the file does not tell parameters, or not of every method",
        (false, false) => "apart",
    };
    let mut head = vec![
        (
            "tool",
            format!("{} ({} format)", tool.trim_end(), profile.format),
        ),
        ("counts", counts(profile, &view.filter)),
        ("total", total(profile.unit, shares)),
        ("overloads", overloads.to_owned()),
    ];
    if view.filter.thread != ThreadFilter::All {
        head.insert(2, ("thread", thread(&view.filter.thread)));
    }
    head
}

fn thread(filter: &ThreadFilter) -> String {
    match filter {
        ThreadFilter::All => "all".into(),
        ThreadFilter::Name(name) => name.clone(),
        ThreadFilter::OsId(id) => format!("{id} of the operating system"),
        ThreadFilter::JavaId(id) => format!("{id} of the JVM"),
        ThreadFilter::Program { .. } => "all of the program".into(),
    }
}

/// `samples of jdk.ExecutionSample and jdk.NativeMethodSample, one every 20 ms`.
fn counts(profile: &Profile, filter: &Filter) -> String {
    let unit = profile.unit.name();
    let mut events = profile.summary(filter).events;
    // `samples of samples` says nothing.
    events.retain(|event| event != unit);
    let of = match events.is_empty() {
        true => String::new(),
        false => format!(" of {}", events.join(" and ")),
    };
    let interval = profile.interval_ns().map_or(String::new(), |ns| {
        format!(", one every {} ms", ns as f64 / 1e6)
    });
    format!("{unit}{of}{interval}")
}

fn total(unit: Unit, shares: &Shares) -> String {
    let part = |weight: f64| format!("{} %", fixed(percent(weight, shares), 1));
    let mut text = format!(
        "{}: {} Java, {} other code, {} without a stack",
        amount(shares.weight(), unit),
        part(shares.java_weight()),
        part(shares.not_java_weight()),
        part(shares.failed_weight())
    );
    if shares.lost_samples() > 0.0 {
        let lost = grouped(shares.lost_samples() as u64);
        text.push_str(&format!("; {lost} more were lost"));
    }
    if shares.lost_somewhere > 0 {
        let lost = grouped(shares.lost_somewhere);
        text.push_str(&format!("; {lost} were lost, of this thread or others"));
    }
    text
}

fn percent(weight: f64, shares: &Shares) -> f64 {
    100.0 * weight / shares.weight().max(f64::MIN_POSITIVE)
}

fn amount(weight: f64, unit: Unit) -> String {
    match unit {
        Unit::Nanoseconds => format!("{} ms", fixed(weight / 1e6, 1)),
        Unit::Percent => format!("{} % of run time", fixed(weight, 1)),
        Unit::Samples => count(weight as u64, "sample"),
        Unit::Bytes => format!("{} bytes", grouped(weight as u64)),
        Unit::Count => format!("a count of {}", grouped(weight as u64)),
    }
}

/// One line of the table.
struct Row {
    name: String,
    own_pct: f64,
    total_pct: Option<f64>,
    code: &'static str,
}

impl Row {
    fn cells(&self) -> Vec<String> {
        let total = self.total_pct.map(|pct| format!("{} %", fixed(pct, 1)));
        vec![
            format!("{} %", fixed(self.own_pct, 1)),
            total.unwrap_or_else(|| "-".into()),
            self.code.into(),
            clean(&self.name),
        ]
    }
}

/// Methods and other code by falling own weight.
fn rows(shares: &Shares) -> Vec<Row> {
    let java = shares.methods.iter().map(|(method, share)| Row {
        name: full_name(&method.to_string()),
        own_pct: percent(share.self_weight, shares),
        total_pct: total_of(share).map(|weight| percent(weight, shares)),
        code: "Java",
    });
    let others = shares.not_java.iter().map(|(name, weight)| Row {
        name: name.clone(),
        own_pct: percent(*weight, shares),
        total_pct: None,
        code: "other",
    });
    let mut rows: Vec<Row> = java.chain(others).collect();
    rows.sort_by(|a, b| {
        let by_weight = b.own_pct.total_cmp(&a.own_pct);
        by_weight.then_with(|| a.name.cmp(&b.name))
    });
    rows
}

/// Tables without totals have none that is smaller than the method's own.
fn total_of(share: &MethodShare) -> Option<f64> {
    (share.total_weight > 0.0).then_some(share.total_weight)
}
