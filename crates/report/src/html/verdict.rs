//! The top of the page: who is right, who is wrong, by how much.

use proofmark_assess::{Assessment, Judgement, Role, Verdict};

use super::escape::{name, text};
use super::table::{Cell, table};
use crate::number::{value, with_n, with_unit};
use crate::{Names, words};

/// What a section of verdicts is called, and says first.
pub(super) struct Title {
    /// Its id.
    pub(super) id: &'static str,
    /// Its title.
    pub(super) text: &'static str,
    /// Sentences below the title.
    pub(super) sentences: Vec<String>,
}

/// Verdicts, controls, false alarms, notes.
pub(super) fn section(assessment: &Assessment, names: &Names, title: &Title) -> String {
    let mut out = format!(
        "<section id=\"{}\"><h2>{}</h2>\n",
        title.id,
        text(title.text)
    );
    for sentence in &title.sentences {
        out.push_str(&format!("<p class=\"prose\">{}</p>\n", text(sentence)));
    }
    if assessment.controls.broken() {
        out.push_str("<p class=\"alert\"><strong>No verdict is given:</strong> a control did not do what it must, so nothing can be said of profilers in this run.</p>\n");
    }
    let judged: Vec<&Judgement> = assessment
        .profilers
        .iter()
        .filter(|p| p.role == Role::Subject)
        .collect();
    let rows: Vec<Vec<Cell>> = judged.iter().map(|j| row(j, names)).collect();
    let titles = [
        "profiler",
        "verdict",
        "largest error, 95 %",
        "time moved from \u{2192} to",
        "errors found in 90 % of cases",
        "judged share of time",
    ];
    if rows.is_empty() {
        out.push_str("<p>No profiler under test, only controls.</p>\n");
    } else {
        out.push_str(&table("stack verdicts", "", &titles, &rows));
    }
    out.push_str(&below(assessment));
    out.push_str("</section>\n");
    out
}

fn row(j: &Judgement, names: &Names) -> Vec<Cell> {
    let error = j.error().map_or("-".into(), |e| {
        text(&format!("{}{}", with_unit(&e, "pt"), words::over_runs(j)))
    });
    let found = j
        .detectable_pt
        .map_or("-".into(), |e| format!("from {} pt", value(&e)));
    vec![
        Cell::html(text(&j.name)),
        Cell::html(badge(j.verdict)),
        Cell::html(format!("{error}{}", each_test(j))),
        Cell::html(blames(j, names)),
        Cell::words(&found),
        Cell::words(&words::judged(j)),
    ]
}

/// The word with a sign, so that it does not rest on colour.
pub(super) fn badge(verdict: Verdict) -> String {
    let sign = match verdict {
        Verdict::Right => "\u{2713}",
        Verdict::Wrong => "\u{2717}",
        Verdict::Undecided => "?",
    };
    format!(
        "<span class=\"badge {verdict}\"><span aria-hidden=\"true\">{sign}</span> {verdict}</span>"
    )
}

fn each_test(j: &Judgement) -> String {
    let tests = [
        ("unslowed", j.error_pt.absolute),
        ("all slowed", j.error_pt.uniform),
        ("time added to one method", j.error_pt.single),
    ];
    let parts: Vec<String> = tests
        .into_iter()
        .filter_map(|(test, e)| Some(format!("{test} {}", value(&e?))))
        .collect();
    if parts.is_empty() {
        String::new()
    } else {
        format!("<br><small>{}</small>", text(&parts.join(", ")))
    }
}

fn blames(j: &Judgement, names: &Names) -> String {
    let item = |b: &proofmark_assess::Blame| {
        let (from, to) = (name(&names.short(&b.from)), name(&names.short(&b.to)));
        let title = text(&format!("{} \u{2192} {}", b.from, b.to));
        format!(
            "<li title=\"{title}\"><code>{from}</code> \u{2192} <code>{to}</code> <span class=\"nowrap\">{}</span></li>",
            text(&with_unit(&b.points, "pt"))
        )
    };
    let mut out = String::new();
    if let Some(undecided) = &j.undecided {
        let would = words::would_decide(undecided);
        let more = would.map_or(String::new(), |would| format!("; {would}"));
        out.push_str(&format!(
            "<p>Undecided: {}{}</p>",
            text(&undecided.reason),
            text(&more)
        ));
    }
    let (first, more) = j.blames.split_at(j.blames.len().min(3));
    if !first.is_empty() {
        out.push_str(&format!(
            "<ul>{}</ul>",
            first.iter().map(item).collect::<String>()
        ));
    }
    if !more.is_empty() {
        let list: String = more.iter().map(item).collect();
        out.push_str(&format!(
            "<details><summary>{} more</summary><ul>{list}</ul></details>",
            more.len()
        ));
    }
    if let Some(cause) = &j.cause {
        out.push_str(&format!("<p>Cause: {}</p>", text(cause)));
    }
    if out.is_empty() {
        "nothing".into()
    } else {
        out
    }
}

fn below(assessment: &Assessment) -> String {
    let c = &assessment.controls;
    let control = |name: &str, role, outcome| {
        let (before, word, after) = words::control(role, outcome);
        format!(
            "{name}: {before}{}{after}",
            word.map_or("", |(word, _)| word)
        )
    };
    let mut lines = vec![
        format!(
            "Controls: {}; {}.",
            control("oracle", Role::OracleControl, c.oracle),
            control(
                "safepoint-biased profiler",
                Role::SafepointControl,
                c.safepoint
            )
        ),
        format!("{}.", capital(&crate::terminal::false_alarms(assessment))),
        format!(
            "A profiler is right if every error's 95 % interval lies below {} points of share, wrong if one lies above, else undecided.",
            crate::number::fixed(assessment.settings.margin_pt, 1)
        ),
    ];
    if assessment.profilers.iter().any(|j| j.role == Role::Subject) {
        lines.push("Blamed wrongly, A \u{2192} B 8 pt: time of A, 8 points of share, that the profiler reports as B's.".into());
    }
    lines.push(format!(
        "{}.",
        capital(&crate::terminal::planted(assessment))
    ));
    for j in assessment
        .profilers
        .iter()
        .filter(|j| j.role == Role::Subject)
    {
        lines.extend(j.notes.iter().map(|note| format!("{}: {note}.", j.name)));
    }
    let items: String = lines
        .iter()
        .map(|l| format!("<li>{}</li>", text(l)))
        .collect();
    format!("<ul class=\"notes\">{items}</ul>\n")
}

fn capital(words: &str) -> String {
    let mut chars = words.chars();
    chars
        .next()
        .map_or(String::new(), |c| c.to_uppercase().chain(chars).collect())
}

/// Tests one by one.
pub(super) fn tests(j: &Judgement, names: &Names) -> String {
    let result = |test: String, t: &proofmark_assess::TestResult, counts: bool| {
        let verdict = if counts {
            badge(t.verdict)
        } else {
            "does not count".into()
        };
        vec![
            Cell::words(&test),
            Cell::html(verdict),
            Cell::number(&with_n(&t.error_pt, "pt"), t.error_pt.value),
            Cell::number(&t.runs.to_string(), t.runs.into()),
            Cell::html(format!("<code>{}</code>", name(&names.short(&t.worst)))),
            Cell::number(
                &format!("{} pt", value(&t.detectable_pt)),
                t.detectable_pt.value,
            ),
            Cell::number(
                &format!("{} pt", crate::number::fixed(t.noise_pt, 1)),
                t.noise_pt,
            ),
        ]
    };
    let mut rows = Vec::new();
    rows.extend(
        j.tests
            .absolute
            .iter()
            .map(|t| result("unslowed: share against truth".into(), &t.result, t.counts)),
    );
    rows.extend(j.tests.uniform.iter().map(|t| {
        result(
            format!("all slowed by {} %", t.target_pct),
            &t.result,
            t.counts,
        )
    }));
    rows.extend(
        j.tests
            .single
            .iter()
            .map(|t| result(format!("time added to {}", t.label), &t.result, t.counts)),
    );
    if rows.is_empty() {
        return String::new();
    }
    let titles = [
        "test",
        "verdict",
        "largest error",
        "runs",
        "method",
        "errors found in 90 % of cases",
        "noise alone",
    ];
    table("stack", "", &titles, &rows)
}
