//! The chart of shares of a test by dose: it agrees with the verdicts, whatever these are.

use proofmark_assess::Verdict;
use proofmark_experiment::dose::{DoseResult, JvmWords};
use proofmark_report::dose_html;
use proofmark_stats::Estimate;

use crate::common::dose::{bounded, result};
use crate::page::spaced;

/// The section of the chart.
fn chart(result: &DoseResult) -> String {
    let text = spaced(&dose_html(result, &crate::common::study::page()));
    let start = text.find("id=\"shares\"").expect("a chart");
    let end = text[start..].find("</section>").expect("its end");
    text[start..start + end].to_owned()
}

/// `jfr` shows what witnesses show.
fn agreeing(mut result: DoseResult) -> DoseResult {
    let shares = result.attribution["async"].shares_pct.clone();
    let jfr = result.attribution.get_mut("jfr").expect("it is there");
    jfr.shares_pct = shares;
    result
}

#[test]
fn without_a_witness_marks_are_hollow_and_the_caption_says_why() {
    let text = chart(&bounded());
    assert!(!text.contains("class=\"mark g"), "no mark looks fine");
    // Five methods, two profilers, for wide pages and for telephones.
    assert_eq!(text.matches("class=\"mark uncompared\"").count(), 20);
    for said in [
        "differences between them say only that somebody is wrong",
        "There is no witness that marks could be compared with.",
        "jfr is wrong by where it reports added time (the matrix below)",
        "async is undecided, wherever its marks stand.",
        "Behind names: \u{2717} a wrong profiler, ? an undecided one.",
        ">jfr \u{2717}</text>",
        ">async ?</text>",
    ] {
        assert!(text.contains(said), "{said}: {text}");
    }
    assert!(!text.contains("None is off") && !text.contains("Arrows"));
    let mut alone = bounded();
    alone.attribution.remove("async");
    let text = chart(&alone);
    assert!(text.contains("there is no other one to compare it with"));
    assert!(!text.contains("somebody is wrong"), "{text}");
}

/// The lanes of a wrong profiler may all stand on the line.
#[test]
fn a_profiler_that_is_wrong_without_a_share_that_is_off_is_named() {
    let text = chart(&agreeing(result()));
    let both = "jfr is wrong by where it reports added time (the matrix below) and by its profile of the program as it is (the table below), not by a share in this chart.";
    assert!(
        text.contains(both) && text.contains("No mark is off."),
        "{text}"
    );
    let mut by_profile = agreeing(result());
    let jfr = by_profile.attribution.get_mut("jfr").unwrap();
    jfr.rows
        .iter_mut()
        .for_each(|row| row.verdict = Verdict::Right);
    let text = chart(&by_profile);
    let profile = "jfr is wrong by its profile of the program as it is (the table below), not";
    assert!(text.contains(profile), "{text}");
    let off = chart(&result());
    assert!(off.contains("Arrows") && !off.contains("not by a share in this chart"));
}

#[test]
fn an_arrow_alone_accuses_nobody_and_a_right_profiler_has_no_sign() {
    let mut open = result();
    open.attribution.get_mut("jfr").unwrap().verdict = Verdict::Undecided;
    let text = chart(&open);
    assert!(text.contains("jfr is undecided: an arrow alone does not make it wrong."));
    assert!(text.contains(">jfr ?</text>") && !text.contains("a wrong profiler"));
    let mut right = result();
    right.attribution.retain(|name, _| name == "async");
    let text = chart(&right);
    assert!(text.contains(">async</text>") && !text.contains("Behind names"));
    assert!(text.contains("as async itself reports it; there is no other profiler"));
}

/// However little room there is for the words, they say that other JVMs do not show it.
#[test]
fn no_label_of_an_arrow_loses_the_number_of_jvms() {
    use Verdict::{Right, Wrong};
    let mut result = result();
    let jfr = result.attribution.get_mut("jfr").expect("it is there");
    for row in jfr.rows.iter_mut().filter(|row| row.verdict == Wrong) {
        row.jvms = JvmWords::of([Wrong, Right, Right, Right]);
    }
    let text = chart(&result);
    let labels = text.split("class=\"blamed\"").skip(1);
    let labels = labels.filter_map(|label| label.split(['>', '<']).nth(1));
    let labels: Vec<&str> = labels.collect();
    assert!(labels.len() >= 3, "{labels:?}");
    let lost = labels.iter().find(|label| !label.contains("1 of 4 JVMs"));
    assert_eq!(lost, None, "{labels:?}");
}

#[test]
fn a_hot_method_without_a_row_is_called_not_tested() {
    let mut result = result();
    assert!(!chart(&result).contains("not tested"));
    let shares = &mut result.attribution.get_mut("jfr").unwrap().shares_pct;
    shares.insert("a.b.Hot.run".into(), Estimate::around(10.4, 0.5, 9000));
    shares.insert("a.b.Cool.run".into(), Estimate::around(9.6, 0.5, 9000));
    let page = spaced(&dose_html(&result, &crate::common::study::page()));
    let text = chart(&result);
    assert_eq!(text.matches(">not tested</text>").count(), 2, "two forms");
    assert!(text.contains(">Hot.run</text>") && !text.contains("Cool.run"));
    assert!(
        text.contains("n = 6 methods (1 of them not tested)"),
        "{text}"
    );
    let untested = "Not tested: no time was added to the method; what is said of it comes from comparing profiles.";
    assert!(text.contains(untested), "{text}");
    assert!(page.contains("<code>Hot<wbr>.run</code> <small>not tested</small>"));
}
