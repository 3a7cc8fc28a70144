//! Evaluations of many programs as text and page.

use crate::common::evaluation::{HOSTILE, bare, empty, large, small};
use crate::common::golden::golden;
use crate::common::study::page;
use crate::page::spaced;
use proofmark_experiment::evaluate::{Dosed, Evaluation};
use proofmark_report::{Style, evaluation_html, evaluation_text};
use proofmark_stats::Estimate;

fn plain(width: usize) -> Style {
    Style {
        color: false,
        width,
    }
}

#[test]
fn text() {
    let text = evaluation_text(&small(), plain(80));
    assert!(!text.contains('\u{1b}'), "no escape sequence of others");
    golden("evaluation.txt", &text);
}

/// Tables go on in further ones instead of breaking words.
#[test]
fn tables_keep_to_the_width_of_the_terminal() {
    for width in [80, 100, 160] {
        let text = evaluation_text(&large(), plain(width));
        let long: Vec<&str> = text.lines().filter(|l| l.chars().count() > width).collect();
        assert!(long.is_empty(), "{width}: {long:#?}");
        // A cell that is broken leaves a line that begins with spaces.
        let broken: Vec<&str> = text.lines().filter(|l| l.starts_with("  ")).collect();
        let only_names = broken.iter().all(|l| l.trim_start().contains('.'));
        assert!(only_names, "{width}: {broken:#?}");
        let havlak = text.lines().filter(|l| l.starts_with("suite:Havlak"));
        assert!(havlak.count() >= 3, "{width}: a row per target at least");
    }
}

/// At 100 % runs and time of the published search stand beside ours, at other targets only the total.
#[test]
fn published_figures_stand_beside_ours() {
    let text = evaluation_text(&large(), plain(160));
    let rows: Vec<&str> = text
        .lines()
        .filter(|l| l.starts_with("suite:Havlak  "))
        .collect();
    assert!(rows[0].contains("  47.0  "), "{}", rows[0]);
    let at_100 = rows.iter().find(|l| l.contains("115.0, 400, 21.4 h"));
    assert!(at_100.is_some(), "{rows:#?}");
    assert!(text.contains("jfr, published    -        0.9848"), "{text}");
    // Methods that moved, in the mean; blocks whose share grew; units, blocks and source positions.
    for (start, figure) in [
        ("async, published", "25          11.85"),
        ("async, published", "11 of 12"),
        ("async, published", "83.33"),
        ("jfr, published", "28          12.02"),
        ("suite:List", "1, 59, 70.7 %"),
        ("suite:Json", "10, 470"),
    ] {
        let mut rows = text.lines().filter(|line| line.starts_with(start));
        assert!(
            rows.any(|row| row.contains(figure)),
            "{start}, {figure}: {text}"
        );
    }
    let html = spaced(&evaluation_html(&large(), &page()));
    assert!(html.contains("21 h 25 min") && html.contains("published: +115.0 %"));
}

/// Colour belongs to verdicts; that of the safepoint control is as it must be.
#[test]
fn verdicts_have_their_tone() {
    let style = Style {
        color: true,
        width: 160,
    };
    let text = evaluation_text(&small(), style);
    assert!(
        text.contains("\u{1b}[32mwrong\u{1b}[0m"),
        "the safepoint control"
    );
    assert!(text.contains("\u{1b}[1;31mwrong\u{1b}[0m"), "jfr");
}

#[test]
fn page_has_a_picture_for_every_question() {
    let evaluation = large();
    let html = evaluation_html(&evaluation, &page());
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("evaluation.html");
    std::fs::write(path, &html).unwrap();
    // Totals and blocks at three targets, shares and added time of two profilers.
    assert_eq!(html.matches("<svg").count(), 3 + 3 + 2 + 2);
    for id in [
        "findings",
        "slowing",
        "shares",
        "added",
        "debug-info",
        "verdicts",
        "matrices",
        "not-measured",
        "method",
    ] {
        assert!(html.contains(&format!("<section id=\"{id}\">")), "{id}");
    }
    for bad in [
        "http://", "https://", "src=", "@import", "url(", "NaN", "inf\"",
    ] {
        assert!(!html.contains(bad), "{bad}");
    }
    assert_eq!(
        html,
        evaluation_html(&evaluation, &page()),
        "the same data give the same page"
    );
    let start = html.find("id=\"data\">").unwrap() + 10;
    let end = start + html[start..].find("</script").unwrap();
    let back: proofmark_experiment::evaluate::Evaluation =
        serde_json::from_str(&html[start..end]).unwrap();
    assert_eq!(back, evaluation);
}

#[test]
fn what_cannot_be_slowed_has_an_interval_where_it_is_known() {
    let mut evaluation = large();
    let shown = |evaluation: &Evaluation| spaced(&evaluation_html(evaluation, &page()));
    let interval = "1.3 % (1.1 to 1.5), n = 90,000";
    assert!(shown(&evaluation).contains(interval));
    let programs = evaluation.programs.iter_mut();
    for plan in programs.flat_map(|one| &mut one.plans) {
        plan.outside_share_pct = None;
    }
    let earlier = shown(&evaluation);
    assert!(!earlier.contains(interval) && earlier.contains(">1 %<"));
}

/// What speaks against a total stands beside it.
#[test]
fn pairs_of_windows_that_do_not_count_are_told_with_what_was_so_there() {
    let mut evaluation = large();
    let said = "73 of 88 pairs of windows took longer or shorter than the rest by more than these scatter, probably because others used the machine, or ceased to; in \
                those that its total leaves out it was slowed by +59.2 % (58.3 to 60.1), n = 42.";
    let text = |evaluation: &Evaluation| {
        let text = evaluation_text(evaluation, plain(100));
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert!(!text(&evaluation).contains("pairs of windows were measured"));
    let plan = &mut evaluation.programs[0].plans[0];
    plan.window_pairs = Some(88);
    plan.disturbed_pairs = Some(73);
    plan.disturbed_overhead_pct = Some(Estimate::around(59.2, 0.9, 42));
    let name = evaluation.programs[0].program.clone();
    let text = text(&evaluation);
    assert!(text.contains(&format!("{name}: {said}")), "{text}");
    let html = spaced(&evaluation_html(&evaluation, &page()));
    assert!(html.contains(&format!("{name}: {said}")));
}

/// Every experiment has its row, single blocks apart from methods, also those of earlier documents.
#[test]
fn experiments_stand_in_tables_of_their_own() {
    let evaluation = large();
    let html = evaluation_html(&evaluation, &page());
    for title in [
        "async, single blocks: 14 experiments",
        "async, several blocks of a method: 28 experiments",
        "jfr, single blocks: 14 experiments",
        "async: 210 methods",
    ] {
        assert!(
            html.contains(&format!("<summary>{title}</summary>")),
            "{title}"
        );
    }
    let blocks = &html[html.find("<summary>async, single blocks").unwrap()..];
    let blocks = &blocks[..blocks.find("</details>").unwrap()];
    assert_eq!(blocks.matches("<tr>").count(), 15);
    assert!(blocks.contains("block 138</code>") && !blocks.contains("26 blocks"));
    let text = evaluation_text(&evaluation, plain(160));
    let table = text.split("async, slowed alone: ").nth(1).unwrap();
    let table = table.split("\n\n").nth(1).unwrap();
    let rows: Vec<&str> = table.lines().skip(1).collect();
    assert_eq!(rows.len(), 14, "{table}");
    assert!(rows[13].starts_with("14 suite:Richards") && rows[13].contains("block 138"));
    for row in evaluation
        .added_time
        .iter()
        .filter(|row| row.dosed == Dosed::Method)
    {
        assert_eq!(
            (row.tried, row.published),
            (28, None),
            "published are single blocks"
        );
    }
}

/// Evaluations that earlier versions wrote are shown like those of today.
#[test]
fn committed_evaluations_are_shown() {
    let place = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../docs/evaluation/2026-11-23"
    );
    let files = std::fs::read_dir(place)
        .unwrap()
        .map(|file| file.unwrap().path());
    let files: Vec<_> = files
        .filter(|file| file.extension().is_some_and(|e| e == "json"))
        .collect();
    assert!(files.len() >= 5, "{files:?}");
    for file in files {
        let read: Evaluation = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
        let (text, html) = (
            evaluation_text(&read, plain(80)),
            evaluation_html(&read, &page()),
        );
        assert!(
            text.contains("suite:") && html.contains("id=\"slowing\""),
            "{file:?}"
        );
        for bad in ["NaN", "inf\"", "nan"] {
            assert!(
                !html.contains(bad) && !text.contains(bad),
                "{file:?}: {bad}"
            );
        }
    }
}

/// Where time was put and where every profiler reports it, of every program: at sites, and in blocks beside our own sampler.
#[test]
fn every_profiler_has_its_matrices_of_every_program() {
    let html = evaluation_html(&large(), &page());
    let section = &html[html.find("<section id=\"matrices\">").unwrap()..];
    let section = &section[..section.find("</section>").unwrap()];
    let programs: Vec<&str> = section
        .split("<details class=\"program\">")
        .skip(1)
        .collect();
    assert_eq!(programs.len(), 14);
    for (at, program) in programs.into_iter().enumerate() {
        let [sites, blocks] = ["async", "oracle"].map(|name| {
            let title = format!("<figure class=\"heat\"><h4>{name} <");
            program.matches(&title).count()
        });
        let expected = if at % 2 == 0 { (2, 1) } else { (1, 0) };
        assert_eq!((sites, blocks), expected, "{at}: {program}");
    }
    assert_eq!(
        section.matches("A right profiler has 100").count(),
        1,
        "said once"
    );
    let towers = &section[section.find("suite:Towers").unwrap()..];
    assert!(towers.contains("put into Parser.getText, block 138, reported in"));
    let without = evaluation_html(&empty(), &page());
    assert!(!without.contains("id=\"matrices\""));
}

#[test]
fn names_of_others_stay_text() {
    let html = evaluation_html(&small(), &page());
    assert!(!html.contains(HOSTILE) && !html.contains("<b>evil"));
    assert!(html.contains("&lt;/title&gt;&lt;b&gt;evil\u{fffd}[31m</b> failed: its output differs &lt;between&gt; iterations"));
    assert!(html.contains("laboratory not run: JFR left no recording &lt;again&gt;"));
}

/// Blocks that are off by more than 100 points are in the last bins, and that is said.
#[test]
fn bins_hold_what_is_beyond_the_ends() {
    let html = spaced(&evaluation_html(&small(), &page()));
    assert!(html.contains("90 to 100 points, with what is above: "));
    assert!(html.contains("-100 to -90 points, with what is below: "));
    let bars = html.split("points, with what is ").skip(1);
    let parts: Vec<f64> = bars
        .map(|bar| {
            bar.split([':', '%'])
                .nth(1)
                .unwrap()
                .trim()
                .parse()
                .unwrap()
        })
        .collect();
    assert!((parts[0] / parts[1] - 6.0 / 40.0).abs() < 0.01, "{parts:?}");
    assert!(html.contains(&format!(
        "the first bin also holds {:.1} % of the time",
        parts[0]
    )));
}

#[test]
fn what_is_missing_leaves_no_odd_numbers() {
    for evaluation in [empty(), bare()] {
        let html = evaluation_html(&evaluation, &page());
        let text = evaluation_text(&evaluation, plain(80));
        for bad in ["NaN", "inf\"", "inf ", "? %", "nan"] {
            assert!(!html.contains(bad), "{bad}");
            assert!(!text.contains(bad), "{bad}: {text}");
        }
    }
    let html = evaluation_html(&empty(), &page());
    assert!(html.contains("0 of 0 programs were measured.") && !html.contains("<svg"));
}
