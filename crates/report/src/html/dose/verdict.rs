//! The top of the page: what is wrong and what to do, every verdict in a line, what would tell more. Further below: one row per profiler.

use proofmark_assess::Verdict;
use proofmark_experiment::dose::{Attribution, DoseResult, first_sentence};

use super::super::escape::{kept, name, text};
use super::super::table::{Cell, table};
use super::super::verdict::badge;
use super::marked::{in_blocks, marked};
use super::{overall, ranked};
use crate::number::fixed;
use crate::{Names, words};

/// Methods that a row names.
const NAMED: usize = 3;
/// Where the reader finds what to do about profilers that are not decided.
const BELOW: &str = "What would tell more stands below the verdicts.";

/// What is wrong and what to do, in short, how that is known, and the verdicts; what else is known and would tell more.
pub(super) fn section(result: &DoseResult, advice: &[String]) -> [String; 2] {
    let overall = overall(result);
    let (sentences, parts) = words::on_page(advice, result);
    let first = sentences.first().map_or("", String::as_str);
    let (first, rest) = first_sentence(first);
    let known = words::how_known(result).filter(|_| !first.is_empty());
    let others = sentences.iter().skip(1).map(String::as_str);
    let paragraphs = [first].into_iter().chain(known.as_deref());
    let paragraphs = paragraphs.chain([rest]).chain(others);
    let asks = parts.iter().any(|part| part.contains('`'));
    let below = (asks && overall == Verdict::Undecided).then_some(BELOW);
    let sentences: String = paragraphs
        .chain(below)
        .filter(|said| !said.is_empty())
        .map(|sentence| format!("<p>{}</p>", marked(sentence)))
        .collect();
    // The laboratory may have found something where sites found nothing.
    let title = match overall {
        Verdict::Wrong => "What is wrong, and what to do",
        Verdict::Undecided => "What is undecided, and what to do",
        Verdict::Right => "What was found, and what to do",
    };
    let verdicts = format!(
        "<section id=\"verdict\"><h2>{title}</h2>\n<div class=\"advice {overall}\">{sentences}</div>\n{}</section>\n",
        each(result)
    );
    [verdicts, more(&parts, asks)]
}

/// What else is known, an item for each part; with commands where there are any.
fn more(parts: &[String], asks: bool) -> String {
    if parts.is_empty() {
        return String::new();
    }
    let title = match asks {
        true => "How sure this is, and what would tell more",
        false => "How sure this is",
    };
    let items = parts.iter();
    let items = items.map(|part| format!("<li>{}</li>\n", in_blocks(part)));
    let items: String = items.collect();
    format!("<section id=\"more\"><h2>{title}</h2>\n<ul class=\"more\">{items}</ul></section>\n")
}

/// Every verdict in a line, the wrong ones first, and who was not judged; of a right one what it speaks of, of a wrong one how wrong, in
/// how many JVMs, and how many rows are wrong all the same.
fn each(result: &DoseResult) -> String {
    let judged = ranked(result).into_iter();
    let judged = judged.map(|(profiler, one)| {
        let points = words::misplaced_points(result, one);
        let points = points.filter(|_| one.verdict == Verdict::Wrong);
        let wrong = points.map(|points| format!("{points} misplaced"));
        let scope = words::scope(result, one).or(wrong);
        let said = scope.into_iter().chain(words::jvms_asked(one));
        let said: Vec<String> = said.chain(words::small_wrong(one)).collect();
        (
            profiler,
            format!("{}{}", badge(one.verdict), small(&said.join(", "))),
        )
    });
    let failed = result.failed.keys();
    let failed = failed.map(|profiler| (profiler.as_str(), "not judged".to_owned()));
    let item = |(profiler, verdict): (&str, String)| {
        let known_as = words::known_as(profiler).map(|known_as| format!("({known_as})"));
        let known_as = small(&known_as.unwrap_or_default());
        format!("<li>{}{known_as} {verdict}</li>", text(profiler))
    };
    let items: String = judged.chain(failed).map(item).collect();
    match items.is_empty() {
        true => items,
        false => format!("<ul class=\"each\">{items}</ul>\n"),
    }
}

/// Words in small letters, with a space before them; nothing without words.
fn small(said: &str) -> String {
    match said {
        "" => String::new(),
        said => format!(" <small>{}</small>", kept(said)),
    }
}

/// What was found of each profiler, the wrong ones first.
pub(super) fn profilers(result: &DoseResult, names: &Names) -> String {
    let ranked = ranked(result);
    let rows = ranked
        .iter()
        .map(|(name, one)| row(result, (name, one), names));
    let mut rows: Vec<Vec<Cell>> = rows.collect();
    let failed = result.failed.iter();
    rows.extend(failed.map(|(name, reason)| not_judged(name, reason)));
    if rows.is_empty() {
        return String::new();
    }
    let titles = [
        "profiler",
        "verdict",
        "time misplaced",
        "reports in the wrong method",
        "sites right",
        "judged",
    ];
    format!(
        "<section id=\"profilers\"><h2>Profiler by profiler</h2>\n{}</section>\n",
        table("stack verdicts", "", &titles, &rows)
    )
}

fn row(result: &DoseResult, (profiler, one): (&str, &Attribution), names: &Names) -> Vec<Cell> {
    let judged = words::judged_at_sites(result, one);
    let judged = judged.map_or("-".to_owned(), |judged| judged.said);
    let right = one
        .rows
        .iter()
        .filter(|row| row.verdict == Verdict::Right)
        .count();
    let misplaced = match one.misplaced_pt {
        _ if one.certified && one.verdict == Verdict::Right => {
            words::small_wrong(one).unwrap_or_else(|| "nothing found".to_owned())
        }
        // Its own profile may be the only one, and lack the method.
        _ if words::misplaced_points(result, one).is_none() => {
            "hardly any, or not known".to_owned()
        }
        [low, high] => format!("{} to {} points", fixed(low, 0), fixed(high, 0)),
    };
    let made_of = words::misplaced(result, one, names);
    let made_of = made_of.map_or(String::new(), |said| {
        format!(" <small>{}</small>", kept(&said))
    });
    vec![
        Cell::words(profiler),
        Cell::html(format!(
            "{}{}{}",
            badge(one.verdict),
            in_jvms(one),
            failed_runs(result, one)
        )),
        Cell::html(format!("{}{made_of}", kept(&misplaced))),
        Cell::html(blamed(result, one, names)),
        Cell::words(&format!("{right} of {}", one.rows.len())),
        Cell::words(&judged),
    ]
}

/// In how many JVMs that is so, in small letters.
fn in_jvms(one: &Attribution) -> String {
    let said = match one.verdict {
        Verdict::Right => words::where_right(one),
        Verdict::Wrong => words::where_wrong(one.jvms),
        // What leaves it open may be something else.
        Verdict::Undecided => {
            words::in_jvms(one.jvms).map_or(String::new(), |said| format!("rows: {said}"))
        }
    };
    match said.trim() {
        _ if one.jvms.total() == 0 => String::new(),
        "" => String::new(),
        said => format!(" <small>{}</small>", text(said)),
    }
}

/// JVMs in which it failed, with the reason behind a click: it may have many lines.
fn failed_runs(result: &DoseResult, one: &Attribution) -> String {
    let item = |(run, why): (String, String)| {
        format!(
            "<details><summary>{} failed</summary><small>{}</small></details>",
            text(&run),
            text(&why)
        )
    };
    words::failed_runs(result, one)
        .into_iter()
        .map(item)
        .collect()
}

fn not_judged(profiler: &str, reason: &str) -> Vec<Cell> {
    vec![
        Cell::words(profiler),
        Cell::words("not judged"),
        Cell::words("-"),
        Cell::words(reason),
        Cell::words("-"),
        Cell::words("-"),
    ]
}

/// `Queens.get → Queens.place 53 %`, the worst first.
fn blamed(result: &DoseResult, one: &Attribution, names: &Names) -> String {
    let shown = contradicted(result, one, names);
    let wrong = one.rows.iter().filter(|row| row.verdict == Verdict::Wrong);
    let mut wrong: Vec<_> = wrong.collect();
    if wrong.is_empty() && shown.is_empty() {
        let compared =
            words::compared(one).map(|said| format!("<small>profile {}</small>", kept(&said)));
        return format!("nothing found {}", compared.unwrap_or_default());
    }
    wrong.sort_by(|a, b| a.in_place_pct.value.total_cmp(&b.in_place_pct.value));
    let item = |row: &&proofmark_experiment::dose::AttributionRow| {
        let to: Vec<String> = (row.elsewhere.iter())
            .filter(|to| to.pct.value > 0.0)
            .take(2)
            .map(|to| {
                format!(
                    "<code>{}</code> {}",
                    name(&names.short(&to.method)),
                    kept(&words::part_elsewhere(row, to))
                )
            })
            .collect();
        let to = match to.is_empty() {
            true => words::only_in_place(row),
            false => format!("\u{2192} {}", to.join(", ")),
        };
        let jvms = match row.jvms.total() {
            0 | 1 => String::new(),
            _ => format!(
                " <small>(wrong {})</small>",
                words::where_wrong(row.jvms).trim()
            ),
        };
        format!(
            "<li title=\"{}\"><code>{}</code> {to}{jvms}</li>",
            text(&row.method),
            name(&names.short(&row.method))
        )
    };
    let (first, more) = wrong.split_at(wrong.len().min(NAMED));
    let list: String = first.iter().map(item).collect();
    let mut out = format!("<ul>{shown}{list}</ul>");
    if !more.is_empty() {
        let list: String = more.iter().map(item).collect();
        out.push_str(&format!(
            "<details><summary>{} more</summary><ul>{list}</ul></details>",
            more.len()
        ));
    }
    out
}

/// Methods whose share in the profile witnesses contradict, or sites change, as items of a list; each says what its share is of.
fn contradicted(result: &DoseResult, one: &Attribution, names: &Names) -> String {
    let without = words::contradicted(result, one, names).into_iter();
    let without = without
        .take(words::CONTRADICTED)
        .map(|said| (said, "of the Java time without sites"));
    let changed = words::changed(one, names).into_iter();
    let changed = changed.map(|said| (said, "(of the Java time)"));
    let item = |((method, shares), of): ((String, String), &str)| {
        format!(
            "<li>shows <code>{}</code> {} <small>{of}</small></li>",
            name(&method),
            kept(&shares)
        )
    };
    without.chain(changed).map(item).collect()
}
