//! A test by dose in short: little enough to be read, and nothing that speaks against it is left out.

use proofmark_assess::Verdict;
use proofmark_experiment::assess::AssessReport;
use proofmark_experiment::dose::{
    DoseResult, FailedRun, JvmWords, OwnShare, Replication, SiteFacts,
};
use proofmark_report::{assess_brief, assess_text, dose_brief, dose_table};
use proofmark_stats::Estimate;

use crate::common::{assessment, dose};
use crate::terminal::{fits, plain};

/// The text without its line breaks.
fn in_a_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn words(text: &str) -> usize {
    text.split_whitespace().count()
}

/// Two profilers and eight methods.
fn usual() -> DoseResult {
    let mut result = dose::result();
    result.attribution.remove("async");
    for at in 0..3 {
        let name = format!("com.acme.more.Work.step{at}");
        let mut method = result.methods[at].clone();
        method.name.clone_from(&name);
        result.methods.push(method);
        for one in result.attribution.values_mut() {
            let mut row = one.rows[at].clone();
            row.method.clone_from(&name);
            one.rows.push(row);
        }
    }
    result
}

#[test]
fn two_profilers_and_eight_methods_take_no_more_than_700_words() {
    let result = usual();
    assert_eq!((result.attribution.len(), result.methods.len()), (2, 8));
    let text = dose_brief(&result, plain(100));
    assert!(words(&text) <= 700, "{}: {text}", words(&text));
    let details = dose_table(&result, plain(100));
    assert!(words(&text) < words(&details), "{text}");
}

#[test]
fn every_row_of_every_profiler_is_in_one_table() {
    let text = dose_brief(&dose::result(), plain(160));
    let rows: Vec<String> = text.lines().map(in_a_line).collect();
    for row in [
        "time added to async jfr jfr+nonsafepoints",
        "Parser.getText:107 98 (96 to 101) 0 (-2 to 3) X 100 (97 to 102)",
        "X wrong; ? undecided",
    ] {
        assert!(rows.iter().any(|one| one == row), "{row}: {text}");
    }
    let open = rows.iter().find(|row| row.starts_with("Table.findSymbol:"));
    let open = open.expect("a row");
    assert!(open.contains(" 88 (") && open.contains(") ? "), "{open}");
    // What it says is not said twice.
    let wrong =
        "Parser.getText:107 WRONG, reported: Parser._finishString 95 %, Table.findSymbol 4 %";
    assert_eq!(in_a_line(&text).matches(wrong).count(), 1, "{text}");
}

/// A profiler may have no row of a method, and a row may be too little to decide.
#[test]
fn rows_that_do_not_count_are_marked() {
    let mut result = dose::result();
    let jfr = result.attribution.get_mut("jfr").expect("it is there");
    jfr.rows.remove(0);
    jfr.rows[1].small_pt = Some(0.4);
    let text = dose_brief(&result, plain(160));
    let legend = "X wrong; ~ undecided, but too small to matter; - no row";
    assert!(text.contains(legend), "{text}");
    let rows: Vec<String> = text.lines().map(in_a_line).collect();
    let small = rows.iter().find(|row| row.starts_with("Table.findSymbol:"));
    assert!(small.expect("a row").contains(") ~ "), "{text}");
    assert!(!text.contains("Table.findSymbol:114 undecided"), "{text}");
}

/// A right profiler that errs a little is not called one that errs nowhere.
#[test]
fn a_wrong_row_that_does_not_count_is_marked_and_said_beside_the_verdict() {
    let mut result = dose::result();
    let one = result.attribution.get_mut("async").expect("it is there");
    one.rows[1].verdict = Verdict::Wrong;
    one.rows[1].small_pt = Some(0.4);
    let text = dose_brief(&result, plain(160));
    let legend = "X wrong; ? undecided; x wrong, but too small to matter";
    assert!(text.contains(legend), "{text}");
    assert!(text.contains("98 (96 to 101) x"), "{text}");
    let said = "async: right in one JVM; 1 row is wrong, but too small to matter (0.4 points of the program's time at most); ";
    assert!(in_a_line(&text).contains(said), "{text}");
    // Of a wrong profiler that is no excuse.
    let jfr = result.attribution.get_mut("jfr").expect("it is there");
    jfr.rows[1].small_pt = Some(0.4);
    let text = in_a_line(&dose_brief(&result, plain(160)));
    assert_eq!(text.matches("1 row is wrong").count(), 1, "{text}");
}

#[test]
fn a_row_that_is_right_by_a_wider_range_is_marked_and_the_range_named() {
    let mut result = dose::result();
    let one = result.attribution.get_mut("async").expect("it is there");
    let row = &mut one.rows[0];
    row.in_place_pct = Estimate::around(126.0, 31.0, 5200);
    row.in_place_per_run_pct = Vec::new();
    row.truth_pct = [100.0, 188.0];
    row.verdict = Verdict::Right;
    row.jvms = JvmWords::of([Verdict::Right]);
    row.own_share = Some(OwnShare {
        without_pct: Estimate::around(1.9, 0.3, 4000),
        with_pct: Estimate::around(5.4, 0.5, 4000),
    });
    let text = dose_brief(&result, plain(160));
    for said in [
        " 126 (95 to 157) + ",
        "; + right by a wider range",
        "\n  Parser._finishString:100 accepted here: 90 to 198 %\n",
        "\nshare moved by the site alone: Parser._finishString:100\n",
    ] {
        assert!(text.contains(said), "{said}: {text}");
    }
}

/// Its figure is that of a right row.
#[test]
fn a_row_that_is_wrong_by_missing_samples_alone_says_so() {
    let mut result = dose::result();
    let jfr = result.attribution.get_mut("jfr").expect("it is there");
    let row = &mut jfr.rows[3];
    row.in_place_pct = Estimate::around(100.0, 2.5, 5200);
    row.verdict = Verdict::Wrong;
    row.jvms = JvmWords::of([Verdict::Wrong]);
    row.missing_pct = Some(Estimate::around(38.0, 5.0, 5200));
    let text = in_a_line(&dose_brief(&result, plain(160)));
    let said = "Writer._writeString:121 WRONG, though the part in place is accepted, reported: ";
    assert!(text.contains(said), "{text}");
}

#[test]
fn what_speaks_against_a_result_stands_in_a_short_line() {
    let mut result = dose::result();
    result.remarks = vec!["others used the machine; rows are wider then. Wait".into()];
    result.replication = Replication::of(4).at_once(2);
    let jfr = result.attribution.get_mut("jfr").expect("it is there");
    jfr.failed_runs = vec![FailedRun {
        run: 2,
        reason: "it ended\nlast words".into(),
        log: None,
    }];
    jfr.rows[0].unknown_runs = 1;
    // Another profiler has no row of it for another reason.
    let mut again = result.left_out[0].clone();
    again.reason = "under jfr methods with sites were compiled in 9 of 24 windows".into();
    result.left_out.push(again);
    jfr.rows[2].jvms = JvmWords::of([Verdict::Right, Verdict::Undecided]);
    let text = dose_brief(&result, plain(160));
    for line in [
        "\n  run 2 failed: it ended\n",
        "\nnote: others used the machine\n",
        "\nvoid windows: async 1, jfr 1, jfr+nonsafepoints 1 (recompiled meanwhile)\n",
        "\njfr-cpu not judged: took no sample in its windows\n",
        "\nnot tested: Parser.<init>\n",
        "\neven a blind profiler would see this loop: ArrayNode.serialize:128\n",
        "\ninlined differently with sites: Writer._writeString\n",
        "\nno row in some JVMs: Parser._finishString:100\n",
        "\nJVMs: 4 per profiler, 2 at the same time; up to 60 % of all JVMs may differ from them (95 %)\n",
        "\na right verdict covers: arithmetic only;",
        "\n  Table.findSymbol:114 undecided in 1 of 2 JVMs, reported: ",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    let flat = in_a_line(&text);
    for said in [
        "812 samples/s, 3 lost",
        "planted errors 5 of 6 found",
        "false alarms by rows 0.02 % at most",
        "judged 66 % of the Java time",
        "17 to 23 points of the Java time misplaced",
        "share shown: Parser._finishString 43.6 % (42.1 to 45.1), witnesses 24.0 % (23.0 to 25.0)",
        "witnesses: async and jfr+nonsafepoints (right at every site that counts, and not changed by sites): what others show of the \
         program is compared with theirs",
    ] {
        assert!(flat.contains(said), "{said}: {text}");
    }
}

/// What agrees with the clock is in the details.
#[test]
fn counting_is_mentioned_where_it_may_contradict_the_clock() {
    let said = |value| {
        let site = SiteFacts {
            method: "a.A.run".into(),
            place: "entry".into(),
            steps: 16,
            set: 0,
            executions: Some(912_000.0),
            by_count_pct: Some(Estimate::around(value, 2.0, 8)),
            by_count_jvms: 1,
            open_cost_pct: None,
        };
        let result = DoseResult {
            sites: vec![site],
            ..dose::result()
        };
        assert!(dose_table(&result, plain(160)).contains("\ncross-check: "));
        dose_brief(&result, plain(160)).contains("\ncross-check: ")
    };
    assert_eq!(
        [96.0, 97.1, 102.9, 104.0].map(said),
        [true, false, false, true]
    );
}

/// Nobody who is compared with others: neither what they pass nor what their rows cover is of use.
#[test]
fn without_a_right_profiler_neither_witnesses_nor_certificates_are_mentioned() {
    let text = dose_brief(&dose::bounded(), plain(160));
    assert!(!text.contains("\nwitnesses: "), "{text}");
    assert!(!text.contains("a right verdict covers"), "{text}");
    let judged = "\njudged: 5 methods, to which profilers give ";
    assert!(text.contains(judged), "{text}");
    assert!(!text.contains("; judged "), "{text}");
}

#[test]
fn methods_that_are_not_named_are_counted_and_several_figures_are_explained() {
    let mut result = usual();
    let name = result.attribution.keys().next().unwrap().clone();
    let one = result.attribution.get_mut(&name).unwrap();
    one.verdict = Verdict::Wrong;
    let check = one.profile.as_mut().expect("a profile");
    let first = check.methods[0].clone();
    check.methods = vec![first; 6];
    let text = in_a_line(&dose_brief(&result, plain(100)));
    assert!(text.contains("; and 5 more "), "{text}");
    assert!(!text.contains("several figures"), "{text}");
    let row = &mut result.attribution.get_mut(&name).unwrap().rows[0];
    let part = row.in_place_pct;
    row.in_place_per_run_pct = vec![part, part];
    row.jvms = JvmWords {
        right: 1,
        wrong: 1,
        undecided: 0,
    };
    let text = in_a_line(&dose_brief(&result, plain(100)));
    assert!(
        text.contains("several figures: one for each JVM, because some are right and others wrong"),
        "{text}"
    );
}

#[test]
fn it_keeps_to_the_width_of_the_terminal() {
    for width in [60, 80, 100, 160] {
        fits(&dose_brief(&usual(), plain(width)), width);
    }
    // Profilers without room beside the others stand below them.
    let text = dose_brief(&dose::result(), plain(60));
    assert!(text.matches("\n  time added to").count() > 1, "{text}");
}

#[test]
fn an_assessment_in_short_says_what_both_parts_found() {
    let sites = dose::result();
    let profilers = ["async".to_owned(), "jfr".to_owned()];
    let program = ("com.acme.Main", "this machine");
    let judged = Ok(assessment());
    let report = AssessReport::of(&profilers, &Ok(sites.clone()), &judged, program);
    let text = assess_brief(&report, Some(&sites), None, plain(100));
    assert!(text.contains("\nSites, on your own JVM\nof the added time"));
    let full = assess_text(&report, Some(&sites), None, plain(100));
    assert!(words(&text) < words(&full), "{text}");
    let without = Err("no JDK 25".to_owned());
    let report = AssessReport::of(&profilers, &Ok(sites.clone()), &without, program);
    let text = assess_brief(&report, Some(&sites), None, plain(100));
    assert!(
        text.contains("\nnot run: laboratory: no JDK 25\n"),
        "{text}"
    );
}
