//! The chart of shares of a test by dose: it agrees with the verdicts, whatever these are.

use proofmark_assess::Verdict;
use proofmark_experiment::dose::{
    DoseResult, JvmWords, NativeFacts, ProfileChange, UntestedMethod,
};
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
    for method in &mut result.methods {
        let share = method.shares_pct["async"];
        method.shares_pct.insert("jfr".into(), share);
    }
    result
}

#[test]
fn a_result_of_an_earlier_version_says_why_it_has_no_chart() {
    let mut earlier = result();
    for method in &mut earlier.methods {
        method.shares_pct.clear();
    }
    earlier.untested.clear();
    let text = chart(&earlier);
    let why = "No chart: this result is of an earlier version";
    assert!(text.contains(why) && !text.contains("<svg"), "{text}");
    assert!(!chart(&result()).contains(why));
}

/// What witnesses report is no truth, and the chart says what its shares are of.
#[test]
fn the_chart_says_whose_shares_it_shows() {
    let text = chart(&result());
    assert!(
        text.contains(">witnesses ") && !text.contains("truth"),
        "{text}"
    );
    let title = "<h4>Share of each method, of the Java time</h4>";
    let of = "Shares are of the CPU time in Java methods (the Java time) of the program as it is, without sites.";
    assert!(text.contains(title) && text.contains(of), "{text}");
    let axis = ">share of the Java time, %</text>";
    assert_eq!(text.matches(axis).count(), 2, "{text}");
    let band = "Green line and band: the mean of what the witnesses show (async, jfr+nonsafepoints; they could be wrong together)";
    assert!(text.contains(band), "{text}");
    let mut native = result();
    native.native = Some(NativeFacts {
        arguments: Vec::new(),
        functions: 9,
        marked: true,
        of_instructions: Vec::new(),
    });
    let text = chart(&native);
    assert!(!text.contains("Java"), "{text}");
    let of = "Shares are of the time in known functions, with all sites at rest";
    assert!(text.contains(of), "{text}");
}

/// A reader compares them: the sentence says 44 and 24 %.
#[test]
fn the_chart_has_the_figures_of_the_sentence() {
    let text = chart(&result());
    let known = ">witnesses 24.0 % (23.0 to 25.0)</text>";
    assert_eq!(text.matches(known).count(), 2, "two forms: {text}");
    assert!(
        text.contains("Parser._finishString, jfr: 43.6 % (42.1 to 45.1)"),
        "{text}"
    );
    // Those of the program with sites are others.
    assert!(!text.contains("41.0 %"), "{text}");
    // A share of added time would be taken for one of these.
    let labels = text.split("class=\"blamed\"").skip(1);
    let labels = labels.filter_map(|label| label.split(['>', '<']).nth(1));
    let labels: Vec<&str> = labels.collect();
    assert!(!labels.is_empty());
    let figure = labels.iter().find(|label| label.contains('%'));
    assert_eq!(figure, None, "{labels:?}");
}

/// Where added time does not tell where a share goes, what is shown wrong the other way is named; and if there is nothing, how much is
/// off.
#[test]
fn every_arrow_says_where_it_goes() {
    let mut open = result();
    let jfr = open.attribution.get_mut("jfr").expect("it is there");
    for row in &mut jfr.rows {
        row.verdict = Verdict::Right;
    }
    let text = chart(&open);
    let heads = text.matches("class=\"blame-head\"").count();
    assert_eq!((heads, text.matches("class=\"blamed\"").count()), (6, 6));
    for said in [
        ">\u{2192} Parser._finishString?</text>",
        ">+ getText, serialize?</text>",
        "with ?, where no added time tells it: the method that this profiler shows too large",
    ] {
        assert!(text.contains(said), "{said}: {text}");
    }
    assert!(!text.contains("which was added to this one"), "{text}");
    // Nothing else is off.
    let mut open = agreeing(open);
    let lost = open.methods.last_mut().expect("it is there");
    let none = Estimate::around(0.0, 0.8, 9000);
    lost.shares_pct.insert("jfr".into(), none);
    let text = chart(&open);
    assert!(text.contains(">too small by 4.1 pt</text>"), "{text}");
    assert!(text.contains("by so many points, where no method is shown wrong the other way"));
}

#[test]
fn without_a_witness_marks_are_hollow_and_the_caption_says_why() {
    let text = chart(&bounded());
    assert!(!text.contains("class=\"mark g"), "no mark looks fine");
    // Five methods, two profilers, for wide pages and for telephones.
    assert_eq!(text.matches("class=\"mark uncompared\"").count(), 20);
    for said in [
        "differences between them say only that somebody is wrong, or that their JVMs ran different code.",
        "There is no witness that marks could be compared with.",
        "jfr is wrong by where it reports added time (the matrix below)",
        "async is undecided, wherever its marks stand.",
        "by added time and by its share (\u{2717} wrong, ? undecided, or nobody is right who could confirm it; no sign: not known).",
        ">jfr \u{2717}</text>",
        ">async ?</text>",
    ] {
        assert!(text.contains(said), "{said}: {text}");
    }
    assert!(!text.contains("None is off") && !text.contains("Red arrow"));
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
    assert!(off.contains("Red arrow") && !off.contains("not by a share in this chart"));
}

#[test]
fn an_arrow_alone_accuses_nobody() {
    let mut open = result();
    open.attribution.get_mut("jfr").unwrap().verdict = Verdict::Undecided;
    let text = chart(&open);
    assert!(text.contains("jfr is undecided: an arrow alone does not make it wrong."));
    assert!(text.contains(">jfr ?</text>") && text.contains(">async \u{2713}</text>"));
    // It is right about one of its methods, and has a tick there only if it is not undecided.
    let ticked = ">jfr \u{2713}</text>";
    assert!(!text.contains(ticked) && chart(&result()).contains(ticked));
    // Nor where nobody is right: its share may be the one that is off.
    let mut nobody = result();
    let right = nobody.attribution.values_mut();
    right
        .filter(|one| one.verdict == Verdict::Right)
        .for_each(|one| one.verdict = Verdict::Undecided);
    assert!(!chart(&nobody).contains(ticked));
    let mut right = result();
    right.attribution.retain(|name, _| name == "async");
    let text = chart(&right);
    assert!(
        text.contains("(\u{2713} right; no sign: not known)"),
        "{text}"
    );
    assert!(text.contains("as async itself reports it; there is no other profiler"));
}

/// The sign behind a name speaks of one method: a wrong profiler is right about others.
#[test]
fn signs_speak_of_their_row() {
    let mut result = result();
    let signs = |result: &DoseResult| -> [usize; 4] {
        let text = chart(result);
        let drawn = [" \u{2713}", " \u{2717}", " ?", ""];
        drawn.map(|sign| text.matches(&format!(">jfr{sign}</text>")).count() / 2)
    };
    // Two rows are wrong, and the share of a third method is off by them; one row is open.
    assert_eq!(signs(&result), [1, 3, 1, 0]);
    let jfr = result.attribution.get_mut("jfr").expect("it is there");
    jfr.rows[3].change = Some(ProfileChange {
        beyond_pt: 20.0,
        voids_rows: true,
        drowned: false,
        method: jfr.rows[3].method.clone(),
        as_it_is_pct: Estimate::around(8.0, 0.5, 900),
        with_sites_pct: Estimate::around(31.0, 0.5, 900),
    });
    assert_eq!(signs(&result), [0, 3, 1, 1], "a row that does not count");
    // Of a profiler that is not wrong a share that is off says too little.
    let jfr = result.attribution.get_mut("jfr").expect("it is there");
    jfr.verdict = Verdict::Undecided;
    assert_eq!(signs(&result), [0, 2, 2, 1]);
    // Without wrong rows nothing explains an arrow, unless witnesses contradict the profile.
    let mut by_profile = result.clone();
    let jfr = by_profile.attribution.get_mut("jfr").expect("it is there");
    jfr.verdict = Verdict::Wrong;
    for row in &mut jfr.rows {
        (row.verdict, row.change) = (Verdict::Right, None);
    }
    assert_eq!(signs(&by_profile), [2, 1, 2, 0]);
    let jfr = by_profile.attribution.get_mut("jfr").expect("it is there");
    jfr.profile = None;
    assert_eq!(signs(&by_profile), [2, 0, 3, 0]);
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
    let share = Estimate::around(10.4, 0.5, 9000);
    result.untested = vec![UntestedMethod {
        method: "a.b.Hot.run".into(),
        reason: "the method is native".into(),
        shares_pct: [("jfr".to_owned(), share)].into(),
    }];
    let page = spaced(&dose_html(&result, &crate::common::study::page()));
    let text = chart(&result);
    assert_eq!(text.matches(">not tested</text>").count(), 2, "two forms");
    assert!(text.contains(">Hot.run</text>"), "{text}");
    assert!(
        text.contains("n = 6 methods (1 of them not tested)"),
        "{text}"
    );
    let untested = "Not tested: no time was added to the method; what is said of it comes from comparing profiles.";
    assert!(text.contains(untested), "{text}");
    assert!(page.contains("<code>Hot<wbr>.run</code> <small>not tested</small>"));
}
