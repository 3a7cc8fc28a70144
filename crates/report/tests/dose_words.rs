//! Words about a test by dose that must claim no more than was measured.

use proofmark_experiment::dose::{DoseResult, JvmWords, MachineFacts, OwnShare, ProfileChange};
use proofmark_report::{Style, dose_html, dose_table};
use proofmark_stats::Estimate;

use crate::page::spaced;

fn said(result: &DoseResult) -> String {
    dose_table(
        result,
        Style {
            color: false,
            width: 160,
        },
    )
}

/// The text without its line breaks.
fn in_a_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn estimate(value: f64, low: f64, high: f64) -> Estimate {
    Estimate {
        value,
        low,
        high,
        n: 9,
    }
}

#[test]
fn sites_at_rest_cost_time_or_save_it_only_where_the_interval_says_so() {
    let cost = |rest_cost, pct| {
        said(&DoseResult {
            rest_cost,
            rest_cost_pct: pct,
            ..crate::common::dose::result()
        })
    };
    let less = cost(Some(estimate(-6.0, -7.6, -1.4)), -6.0);
    let words = "; with sites at rest the program takes 6.0 % less time (1.4 to 7.6; n = 9)\n";
    assert!(less.contains(words), "{less}");
    let more = cost(Some(estimate(1.4, 0.3, 2.5)), 1.4);
    assert!(
        more.contains("takes 1.4 % more time (0.3 to 2.5;"),
        "{more}"
    );
    let open = cost(Some(estimate(-0.4, -1.9, 1.1)), -0.4);
    let words =
        "takes neither more nor less time for certain: 0.4 % less (1.9 less to 1.1 more; n = 9)";
    assert!(open.contains(words), "{open}");
    let wide = cost(Some(estimate(7.8, -8.0, 27.2)), 7.8);
    let words = "; what the sites cost at rest is not known well: 7.8 % more (8.0 less to 27.2 more; n = 9)\n";
    assert!(wide.contains(words), "{wide}");
    assert!(!wide.contains("neither more nor less"), "{wide}");
    let old = cost(None, 1.4);
    let words = "takes 1.4 % more time (interval not known)";
    assert!(old.contains(words), "{old}");
}

/// Of some processors the name alone says too little.
#[test]
fn the_machine_is_named_where_it_is_known() {
    let mut result = crate::common::dose::result();
    let page = |result: &DoseResult| spaced(&dose_html(result, &crate::common::study::page()));
    let old = page(&result);
    assert!(!said(&result).contains("\nmachine: ") && !old.contains(">machine<"));
    let machine = MachineFacts {
        model_name: "AMD <i>EPYC".into(),
        vendor: "AuthenticAMD".into(),
        family: Some(25),
        model: Some(1),
        logical_processors: 2,
        hardware_counters: false,
        kernel: "6.1.0".into(),
        virtual_machine: true,
    };
    result.machine = Some(machine.clone());
    let text = said(&result);
    let behind = "(AuthenticAMD, family 25, model 1), virtual, 2 processors, no hardware counters, Linux 6.1.0";
    let line = format!("\nmachine: AMD <i>EPYC {behind}\n");
    assert!(text.contains(&line), "{text}");
    let now = page(&result);
    assert!(now.contains(&format!("AMD &lt;i&gt;EPYC {behind}")));
    result.machine = Some(MachineFacts {
        family: None,
        model: None,
        hardware_counters: true,
        virtual_machine: false,
        ..machine
    });
    let text = said(&result);
    let behind = "EPYC (AuthenticAMD), 2 processors, hardware counters, Linux 6.1.0\n";
    assert!(text.contains(behind), "{text}");
    let nameless = result.machine.as_mut().expect("a machine");
    (nameless.model_name, nameless.vendor) = (String::new(), String::new());
    let text = said(&result);
    let line = "\nmachine: unknown processor, 2 processors, hardware counters, Linux 6.1.0\n";
    assert!(text.contains(line), "{text}");
}

#[test]
fn what_is_rounded_to_nothing_has_no_sign() {
    let mut result = crate::common::dose::result();
    let row = &mut result.attribution.get_mut("jfr").unwrap().rows[1];
    row.in_place_pct = estimate(-0.02, -0.3, 0.2);
    let text = said(&result);
    assert!(
        text.contains(" 0.0 (0 to 0)") && !text.contains("-0 "),
        "{text}"
    );
}

/// The mean of JVMs that contradict each other is the figure of none.
#[test]
fn where_jvms_contradict_each_other_each_has_its_figure() {
    let mut result = crate::common::dose::result();
    let row = &mut result.attribution.get_mut("jfr").unwrap().rows[1];
    row.jvms = JvmWords {
        right: 2,
        wrong: 1,
        undecided: 0,
    };
    row.in_place_pct = estimate(65.6, -1.0, 132.0);
    let each = [98.2, 0.1, 98.6].map(|value| estimate(value, value - 2.0, value + 2.0));
    row.in_place_per_run_pct = each.into();
    let text = said(&result);
    let expected = " 0, 98, 99  WRONG in 1 of 3 JVMs: ";
    assert!(text.contains(expected) && !text.contains("65.6"), "{text}");
    let page = spaced(&dose_html(&result, &crate::common::study::page()));
    assert!(page.contains(">\u{2717} 0, 98, 99</td>"));
    // It may be broken behind its commas, so that it does not widen the column; no other cell is.
    assert!(page.contains(".heat td.several { white-space: normal;"));
    assert!(page.contains("<td class=\"in-place missing several p7\""));
    assert_eq!(page.matches(" several p").count(), 1);
    assert!(page.contains(">0, 98, 99 % (each of 3 JVMs)</td>"));
}

/// Of a method that only some JVMs report the mean over all of them is the figure of none.
#[test]
fn what_some_jvms_report_elsewhere_is_said_of_these() {
    let mut result = crate::common::dose::result();
    let row = &mut result.attribution.get_mut("jfr").unwrap().rows[1];
    row.jvms = JvmWords {
        right: 3,
        wrong: 1,
        undecided: 0,
    };
    row.in_place_per_run_pct = [0.2, 99.0, 98.0, 98.5]
        .map(|pct| estimate(pct, pct - 2.0, pct + 2.0))
        .into();
    row.elsewhere[0].pct = estimate(24.6, -40.0, 90.0);
    assert!(in_a_line(&said(&result)).contains("Parser._finishString 25 % in the mean"));
    let row = &mut result.attribution.get_mut("jfr").unwrap().rows[1];
    row.elsewhere[0].per_run_pct = vec![estimate(98.4, 96.0, 99.0)];
    let text = in_a_line(&said(&result));
    let only = "Parser._finishString 98 % in 1 of 4 JVMs, Table.findSymbol 4 % in the mean";
    assert!(text.contains(only), "{text}");
    let page = spaced(&dose_html(&result, &crate::common::study::page()));
    assert!(page.contains("<td class=\"blamed several p2\""), "{page}");
    assert!(page.contains(">\u{2192} 98 in 1 of 4 JVMs</td>"));
    assert!(page.contains("<small>98 % in 1 of 4 JVMs</small>"));
    let row = &mut result.attribution.get_mut("jfr").unwrap().rows[1];
    row.elsewhere[0].per_run_pct = vec![estimate(98.4, 96.0, 99.0), estimate(40.0, 31.0, 49.0)];
    let text = in_a_line(&said(&result));
    assert!(
        text.contains("_finishString 40 to 98 % in 2 of 4 JVMs"),
        "{text}"
    );
    // What all of them report is not that of some.
    let row = &mut result.attribution.get_mut("jfr").unwrap().rows[1];
    row.elsewhere[0].per_run_pct = vec![estimate(98.4, 96.0, 99.0); 4];
    let text = in_a_line(&said(&result));
    assert!(!text.contains("_finishString 98 % in 4 of 4"), "{text}");
}

/// A reader of "17 to 23 points" must see where both come from.
#[test]
fn points_that_are_misplaced_say_what_they_are_made_of() {
    let mut result = crate::common::dose::result();
    let text = in_a_line(&said(&result));
    let profile = "misplaced: the least and the most that the intervals allow: by how much the methods that it shows too large exceed \
                   what async and jfr+nonsafepoints show, above all Parser._finishString 43.6 % (42.1 to 45.1), witnesses 24.0 % \
                   (23.0 to 25.0) of the Java time judged:";
    assert!(text.contains(profile), "{text}");
    // Right ones misplace nothing.
    assert_eq!(text.matches("misplaced: ").count(), 1);
    let page = spaced(&dose_html(&result, &crate::common::study::page()));
    let why = "17 to 23 points <small>the least and the most that the intervals allow: by how much";
    assert!(page.contains(why), "{page}");
    let jfr = result.attribution.get_mut("jfr").unwrap();
    jfr.misplaced_pt = [15.1, 30.0];
    let both = in_a_line(&said(&result));
    let says = "allow, whichever says more: how far its rows are off, times the share of each method, above all Parser.getText: 0.4 % (-2.1 to 2.9) of the \
                added time in place, and the method takes 18.1 % (16.6 to 19.6) of the program's time, as witnesses show; or by how much";
    assert!(both.contains(says), "{both}");
    let doubt = "; the least is 2 points less, because so much of their own profiles";
    assert!(both.contains(doubt), "{both}");
}

/// Those that sites change are none.
#[test]
fn those_that_are_no_witnesses_are_not_called_so() {
    let mut result = crate::common::dose::result();
    let cured = result.attribution.get_mut("jfr+nonsafepoints").unwrap();
    cured.verdict = proofmark_assess::Verdict::Undecided;
    let text = in_a_line(&said(&result));
    let page = spaced(&dose_html(&result, &crate::common::study::page()));
    for text in [&text, &page] {
        assert!(text.contains(", the others 24.0 % (23.0"), "{text}");
        assert!(!text.contains(", witnesses 24.0 %"), "{text}");
    }
    let jfr = result.attribution.get_mut("jfr").unwrap();
    let check = jfr.profile.as_mut().unwrap();
    check.witnesses.retain(|name| name != "async");
    let text = in_a_line(&said(&result));
    assert!(text.contains(", the other 24.0 % (23.0"), "{text}");
}

/// Without a witness the share of a method is only known to lie between those that profilers show.
#[test]
fn points_by_rows_name_who_shows_the_least_and_the_greatest_share() {
    let mut result = crate::common::dose::result();
    result.attribution.retain(|name, _| name == "jfr");
    let mut other = result.attribution["jfr"].clone();
    other.verdict = proofmark_assess::Verdict::Undecided;
    let method = other.rows[1].method.clone();
    other.shares_pct.insert(method, estimate(69.2, 68.0, 70.0));
    result.attribution.insert("async".into(), other);
    for one in result.attribution.values_mut() {
        one.profile = None;
    }
    let text = in_a_line(&said(&result));
    let share = "and the method takes 1 % (jfr) to 69 % (async) of the program's time";
    assert_eq!(text.matches(share).count(), 2, "{text}");
}

/// A reader must see that nothing was counted at the site itself.
#[test]
fn a_range_that_other_sites_widen_says_so() {
    let mut result = crate::common::dose::result();
    let row = &mut result.attribution.get_mut("jfr").unwrap().rows[1];
    row.truth_pct = [93.0, 111.0];
    let own = in_a_line(&said(&result));
    assert!(own.contains("accepted here: 83 to 121 %"), "{own}");
    let why = "accepted here: 83 to 121 % (that low because counting at other sites says so)";
    assert!(!own.contains(why), "{own}");
    let row = &mut result.attribution.get_mut("jfr").unwrap().rows[1];
    row.truth_by_others = true;
    let text = in_a_line(&said(&result));
    assert!(text.contains(why), "{text}");
    let page = spaced(&dose_html(&result, &crate::common::study::page()));
    assert!(page.contains(why));
}

/// A stranger's method went from 1.9 to 5.4 % by its site alone, which is less than the margin.
#[test]
fn a_share_that_the_site_alone_doubles_is_said_beside_the_row() {
    let mut result = crate::common::dose::result();
    let page = |result: &DoseResult| spaced(&dose_html(result, &crate::common::study::page()));
    let mut with = |share: Estimate| {
        result.attribution.get_mut("async").unwrap().rows[4].own_share = Some(OwnShare {
            without_pct: estimate(1.9, 1.6, 2.2),
            with_pct: share,
        });
        result.clone()
    };
    let little = with(estimate(3.1, 2.7, 3.5));
    let none = "the site alone";
    assert!(!said(&little).contains(none) && !page(&little).contains(none));
    let mut large = with(estimate(5.4, 4.9, 5.9));
    let words = "the site alone moves its share from 1.9 % (1.6 to 2.2) to 5.4 % (4.9 to 5.9)";
    let text = in_a_line(&said(&large));
    assert_eq!(text.matches(words).count(), 1, "{text}");
    let means = "the site alone: by its mere code, before it adds time; % of the Java time";
    assert!(text.contains(means), "{text}");
    assert!(page(&large).contains(words));
    // Of a row that is not counted its own words are enough.
    let row = &mut large.attribution.get_mut("async").unwrap().rows[4];
    row.change = Some(ProfileChange {
        beyond_pt: 20.0,
        voids_rows: true,
        drowned: false,
        method: row.method.clone(),
        as_it_is_pct: estimate(1.9, 1.6, 2.2),
        with_sites_pct: estimate(25.0, 24.0, 26.0),
    });
    assert!(!in_a_line(&said(&large)).contains(none));
}

#[test]
fn a_method_with_a_row_is_not_called_untested_where_one_site_is() {
    let mut result = crate::common::dose::result();
    let row = &result.attribution["async"].rows[0];
    result.left_out.push(proofmark_experiment::dose::LeftOut {
        method: row.method.clone(),
        reason: "its site at loop 1: more turns of it did not slow the program".into(),
    });
    let text = said(&result);
    assert!(text.contains("\none site not tested: "), "{text}");
    assert!(
        text.contains("\nnot tested: com.acme.json.Parser.<init>: "),
        "{text}"
    );
    let page = dose_html(&result, &crate::common::study::page());
    assert!(page.contains("</code>, one site"));
}

/// Each JVM calls the row right, and all together find more than that elsewhere.
#[test]
fn a_row_that_no_jvm_leaves_open_is_open_over_all() {
    let mut result = crate::common::dose::result();
    let row = &mut result.attribution.get_mut("jfr").unwrap().rows[0];
    row.verdict = proofmark_assess::Verdict::Undecided;
    row.jvms = JvmWords::of([proofmark_assess::Verdict::Right; 3]);
    let text = said(&result);
    assert!(text.contains("undecided over 3 JVMs"), "{text}");
    assert!(!text.contains("in 0 of"), "{text}");
}

/// What a row has behind it is explained once, and nothing else is.
#[test]
fn notes_behind_rows_are_explained_once() {
    let mut result = crate::common::dose::result();
    let form = "\n  no row in: the method could not be measured there";
    assert!(!said(&result).contains(form));
    for one in result.attribution.values_mut() {
        one.rows[0].unknown_runs = 1;
        one.rows[0].jvms = JvmWords::of([proofmark_assess::Verdict::Right; 3]);
    }
    let text = said(&result);
    assert_eq!(text.matches("no row in 1 of 4 JVMs").count(), 3, "{text}");
    assert_eq!(text.matches(form).count(), 1, "{text}");
    assert!(text.contains("\n  no sample of: "), "{text}");
    assert!(!text.contains("\n  not counted: "), "{text}");
    let page = dose_html(&result, &crate::common::study::page());
    let figures = &page[page.find("id=\"figures\"").unwrap()..];
    assert_eq!(figures.matches("<b>no row in</b>: ").count(), 1);
    assert!(
        figures.contains("; no row in 1 of 4 JVMs") || figures.contains(">no row in 1 of 4 JVMs")
    );
}

/// Notes that have no room behind their row stand below it.
#[test]
fn rows_keep_to_the_width_of_the_terminal() {
    for width in [80, 100, 130] {
        let style = Style {
            color: false,
            width,
        };
        let text = dose_table(&crate::common::dose::result(), style);
        let (_, rows) = text.split_once("time added to  ").expect("rows");
        let wide = rows.lines().find(|line| line.chars().count() > width);
        assert_eq!(wide, None, "{text}");
    }
}

#[test]
fn a_row_that_is_too_small_is_called_undecided_or_wrong() {
    let small = |verdict| {
        let mut result = crate::common::dose::result();
        let row = &mut result.attribution.get_mut("async").unwrap().rows[0];
        row.verdict = verdict;
        row.small_pt = Some(0.4);
        let page = spaced(&dose_html(&result, &crate::common::study::page()));
        (in_a_line(&said(&result)), page)
    };
    let matters = "but too small to matter (0.4 points of the program's time at most)";
    let (text, undecided) = small(proofmark_assess::Verdict::Undecided);
    assert!(text.contains(&format!("undecided, {matters}")), "{text}");
    let (text, wrong) = small(proofmark_assess::Verdict::Wrong);
    assert!(text.contains(&format!("WRONG: wrong, {matters}")), "{text}");
    let besides = format!("(in every method that counts, in one JVM); 1 row is wrong, {matters}; ");
    assert!(text.contains(&besides), "{text}");
    // Where a right profiler errs a little the page does not say that nothing was found.
    assert!(wrong.contains("1 row is wrong, but too small to matter"));
    let nothing = |page: &str| page.matches("nothing found").count();
    assert!(nothing(&wrong) < nothing(&undecided), "{wrong}");
}
