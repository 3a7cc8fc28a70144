//! Studies and comparisons as text, CSV and page.

use crate::common::golden::golden;
use crate::common::study::{analysis, page, recordings};
use proofmark_report::{Style, diff_csv, diff_table, study_csv, study_html, study_tables};
use proofmark_study::{DiffSettings, Recording, Settings, analyze, diff};

fn plain(width: usize) -> Style {
    Style {
        color: false,
        width,
    }
}

#[test]
fn tables() {
    let text = study_tables(&analysis(), plain(120));
    assert!(!text.contains(['\u{1b}', '\u{202e}']));
    golden("study.txt", &text);
}

/// The reason for what a profiler without debug information charges wrongly is said.
#[test]
fn the_flag_is_named() {
    let text = study_tables(&analysis(), plain(200));
    let line = text
        .lines()
        .find(|l| l.contains("jfr charges Queens.placeQueen"));
    let line = line.expect("a line about the flag");
    assert!(
        line.contains("92 % without DebugNonSafepoints, 25 % with it"),
        "{line}"
    );
    let html = study_html(&analysis(), &page());
    assert!(html.contains("The flag is the cause") && html.contains("DebugNonSafepoints"));
}

/// One form for telephones, and one that has the width of the page.
#[test]
fn charts_that_stand_alone_have_two_forms() {
    let html = study_html(&analysis(), &page());
    for section in ["<section id=\"profilers\">", "<section id=\"agreement\">"] {
        let rest = html.split(section).nth(1).expect("the section");
        let chart = rest.split("<div class=\"single\">").nth(1);
        let chart = chart.and_then(|rest| rest.split("</figure>").next());
        let chart = chart.expect("a chart");
        for form in ["viewBox=\"0 0 760 ", "viewBox=\"0 0 360 "] {
            assert_eq!(chart.matches(form).count(), 1, "{section}: {chart}");
        }
    }
}

/// Bars of one program are compared by eye: all of its charts end at the same tick.
#[test]
fn charts_of_a_program_have_one_scale() {
    let html = study_html(&analysis(), &page());
    let program = html.split("<summary>suite:Queens</summary>").nth(1);
    let program = program.and_then(|rest| rest.split("</details>").next());
    let charts = program.expect("the program").split("<svg").skip(1);
    let bars = charts.filter(|svg| svg.contains("class=\"bar\""));
    let last_tick = |svg: &str| {
        let tick = svg.rsplit("class=\"tick\"").next();
        let text = tick.and_then(|tick| tick.split(['>', '<']).nth(1));
        text.expect("a tick").to_owned()
    };
    let ends: Vec<String> = bars.map(last_tick).collect();
    // Alone, that of async would end at 80.
    assert_eq!(ends, ["100", "100", "100"]);
}

#[test]
fn modes_are_said_with_their_parts() {
    let text = study_tables(&analysis(), plain(160));
    let expected = "suite:Json under async: times of an iteration around 30";
    assert!(text.contains(expected) && text.contains("41"), "{text}");
    assert!(!text.contains("suite:Queens under async: times"));
}

/// What was found stands above all figures; heads of numbers stand above their ends, and so does what is not known.
#[test]
fn the_page_begins_with_a_sentence() {
    let mut analysis = analysis();
    let unknown = analysis.profilers.values_mut().next().expect("a profiler");
    unknown.overhead_pct = None;
    let html = study_html(&analysis, &page());
    let at = |what: &str| html.find(what).unwrap_or_else(|| panic!("{what}"));
    assert!(at("class=\"advice plain\">The profilers") < at("<table"));
    for cell in [
        "<th scope=\"col\">profiler</th>",
        "<th scope=\"col\" class=\"n\">overhead</th>",
        "<td class=\"n\" data-t=\"overhead\">-</td>",
    ] {
        at(cell);
    }
}

/// One profiler that does not differ from itself, or that cannot.
#[test]
fn a_study_without_differences_begins_with_a_sentence_too() {
    let one = of("async").swap_remove(0);
    for (runs, said) in [
        (1, "Without a second run nobody knows"),
        (2, "Run against run, no method"),
    ] {
        let settings = Settings {
            seed: 1,
            resamples: 10,
        };
        let analysis = analyze(vec![one.clone(); runs], Vec::new(), settings);
        let text = study_tables(&analysis, plain(100));
        assert!(text.starts_with(said), "{text}");
        assert!(study_html(&analysis, &page()).contains(said));
    }
}

/// As many fields in every line, quotes and commas in names or not.
#[test]
fn csv_has_one_shape() {
    let analysis = analysis();
    let text = study_csv(&analysis);
    let rows: Vec<Vec<String>> = text.lines().map(fields).collect();
    assert!(rows.iter().all(|row| row.len() == 10), "{text}");
    let value = |figure: &str, profiler: &str| {
        let mut found = rows.iter().filter(|r| r[0] == figure && r[2] == profiler);
        found.next().expect("a row")[5]
            .parse::<f64>()
            .expect("a number")
    };
    let unstable = analysis.profilers["jfr"].unstable_methods;
    assert_eq!(value("unstable_methods", "jfr"), unstable as f64);
    let largest = analysis.profilers["async"].max_difference_pt.unwrap();
    assert_eq!(value("max_difference", "async"), largest);
    assert!(!text.contains("inf") && !text.contains("NaN"));
}

/// Fields of a line, quotes taken off.
fn fields(line: &str) -> Vec<String> {
    let (mut fields, mut quoted) = (vec![String::new()], false);
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            c => fields.last_mut().expect("a field").push(c),
        }
    }
    fields
}

fn of(profiler: &str) -> Vec<Recording> {
    let all = recordings().into_iter();
    all.filter(|r| r.program == "suite:Queens" && r.profiler == profiler)
        .collect()
}

#[test]
fn comparisons() {
    let found = diff(
        &of("jfr"),
        &of("jfr+nonsafepoints"),
        DiffSettings::default(),
    );
    golden("diff.txt", &diff_table(&found, plain(100)));
    let csv = diff_csv(&found);
    assert!(csv.lines().all(|line| fields(line).len() == 13), "{csv}");
    // Every row says the smallest change of its method that could have been found.
    let mut rows = csv.lines().skip(1).map(fields).zip(&found.changes);
    assert!(rows.all(|(row, change)| row[12].parse::<f64>() == Ok(change.detectable_pt)));
    let same = diff(
        &of("async")[..10],
        &of("async")[10..],
        DiffSettings::default(),
    );
    let text = diff_table(&same, plain(100));
    assert!(text.starts_with("0 of 3 methods changed"), "{text}");
    let single = diff(
        &of("jfr")[..1],
        &of("jfr+nonsafepoints")[..1],
        DiffSettings::default(),
    );
    let single = diff_table(&single, plain(100));
    assert!(single.contains("noise between runs cannot be seen"));
    assert!(single.contains("by more than the noise of sampling"));
}
