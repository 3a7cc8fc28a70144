//! The page of a test by dose: what is said first, its chart, its matrices.

use crate::common::page;
use crate::page::{balanced, embedded, keep, self_contained, spaced};
use proofmark_assess::Verdict;
use proofmark_experiment::dose::{DoseResult, JvmWords, NativeFacts, UntestedMethod};
use proofmark_report::{PageData, dose_html, html};
use proofmark_stats::Estimate;

/// How it is known what is right.
const KNOWN: &str = "How this is known: Proofmark added time to 5 methods, measured by a clock, and looked where each profiler reports it; \
                     async and jfr+nonsafepoints passed and are the witnesses, with which others are compared.";

#[test]
fn dose_page() {
    for (name, result) in [
        ("dose.html", crate::common::dose::result()),
        ("dose-parts.html", crate::common::dose::parted()),
        ("dose-bounded.html", crate::common::dose::bounded()),
        ("dose-empty.html", crate::common::dose::empty()),
        ("dose-hostile.html", crate::common::dose::hostile()),
    ] {
        let text = dose_html(&result, &crate::common::study::page());
        keep(name, &text);
        balanced(&text);
        self_contained(&text);
        assert_eq!(text.matches("<script").count(), 2, "only our own scripts");
        assert!(!text.contains("<!--") && !text.contains("onload=\"x"));
        assert_eq!(embedded(&text), serde_json::to_value(&result).unwrap());
        for figure in text.split("<figure").skip(1) {
            assert!(figure.contains("<figcaption>n = "), "{name}");
        }
        assert_eq!(
            text.matches("<figure").count() > 0,
            name != "dose-empty.html"
        );
    }
}

/// A stranger sees at the top who is wrong, about what, and what to do; in the matrix where the time went.
#[test]
fn dose_page_says_what_is_wrong_and_what_to_do() {
    let text = dose_html(
        &crate::common::dose::result(),
        &crate::common::study::page(),
    );
    let text = spaced(&text);
    let at = |what: &str| text.find(what).unwrap_or_else(|| panic!("no {what}"));
    let top = &text[at("<main>")..at("id=\"profilers\"")];
    assert!(top.contains("<h2>What is wrong, and what to do</h2>"));
    let first = "jfr is wrong about Parser<wbr>._finishString: it shows 44 % of the Java time there, where async and \
                 jfr+nonsafepoints show 24 %; most of that time belongs to ArrayList<wbr>.grow (15 %); start the JVM with <span class=\"keep\"><code>-XX:+UnlockDiagnosticVMOptions</code></span> \
                 <span class=\"keep\"><code>-XX:+DebugNonSafepoints</code>:</span> with it jfr was right about all 5 methods tested.";
    assert!(
        top.contains(&format!("<p>{first}</p><p>{KNOWN}</p>")),
        "{top}"
    );
    let second = "<p>Also, of the time that was added to Parser<wbr>.getText, jfr reports 95 % in Parser<wbr>._finishString \
                  (it is wrong about one more method too).";
    assert!(top.contains(second), "{top}");
    let wrong = top.find("<li>jfr <span class=\"badge wrong\">").unwrap();
    assert!(wrong < top.find("<li>async <small>").unwrap());
    // What a name does not say.
    for known_as in [
        "<li>async <small>(async-profiler, which turns DebugNonSafepoints on)</small> <span class=\"badge right\">",
        "<li>jfr+nonsafepoints <small>(jfr with DebugNonSafepoints)</small> <span class=\"badge right\">",
    ] {
        assert!(top.contains(known_as), "{top}");
    }
    // Right is right where it was looked; what is wrong is wrong by so much.
    let scope = "</span> right</span> <small>66 % of the Java time judged, in one JVM</small></li>";
    assert_eq!(top.matches(scope).count(), 2, "{top}");
    let points = "</span> wrong</span> <small>17 to 23 points of the Java time misplaced, in one JVM</small></li>";
    assert!(top.contains(points), "{top}");
    let found = &text[at("id=\"profilers\"")..];
    let found = &found[..found.find("</section>").unwrap()];
    assert_eq!(
        found.matches("<li>shows <code>").count(),
        2,
        "a small one is left out"
    );
    assert!(found.contains("17 to 23 points") && found.contains("not judged"));
    assert!(
        found.find(">jfr</th>").unwrap() < found.find(">async</th>").unwrap(),
        "who is wrong comes first"
    );
    let matrix = &text[text.find("<figure class=\"heat\"><h4>jfr <").unwrap()..];
    let matrix = &matrix[..matrix.find("</figure>").unwrap()];
    assert_eq!(matrix.matches("class=\"in-place missing p0\"").count(), 2);
    assert_eq!(matrix.matches("class=\"in-place open p9\"").count(), 1);
    assert_eq!(matrix.matches("class=\"in-place p10\"").count(), 2);
    assert!(
        matrix
            .contains("reported in Parser._finishString: 95 % (92 to 98), n = 5,200\">\u{2192} 95")
    );
    let titles = matrix.matches("<th scope=\"col\"").count();
    assert_eq!(
        titles,
        1 + 5 + 1 + 1,
        "corner, sites, another method, no method"
    );
}

#[test]
fn the_figures_say_why_a_row_is_wrong() {
    let mut result = crate::common::dose::result();
    let said = crate::common::dose::explain(&mut result);
    let text = dose_html(&result, &crate::common::study::page());
    balanced(&text);
    let why = format!("why: {said}");
    assert_eq!(text.matches(&why).count(), 1, "{why}");
    let figures = text.find("id=\"figures\"").expect("figures");
    assert!(text.find(&why) > Some(figures));
    assert!(spaced(&text[figures..]).contains(GREW));
    // Results of earlier versions know no interval of it.
    let all = result.attribution.values_mut();
    for row in all.flat_map(|one| &mut one.rows) {
        row.growth = None;
    }
    let text = spaced(&dose_html(&result, &crate::common::study::page()));
    assert!(!text.contains(GREW) && text.contains(">+52 to +410</td>"));
}

/// By how much the program of every row grew.
const GREW: &str = ">+52 (49 to 55) to +410 (398 to 422), n = 6</td>";

/// Before the sentence there is a title and one line; behind it the chart, and only then tables, notes and how it was run.
#[test]
fn what_was_found_comes_first_and_the_chart_follows() {
    let dose = crate::common::dose::result();
    let alone = dose_html(&dose, &crate::common::study::page());
    let data = PageData {
        advice: vec![dose.advice.clone()],
        dose: Some(dose),
        ..page()
    };
    for text in [alone, html(&data)] {
        let at = |what: &str| text.find(what).unwrap_or_else(|| panic!("no {what}"));
        let before = &text[at("<main>")..at("id=\"verdict\"")];
        assert_eq!(
            before.matches("<p").count(),
            2,
            "brand and one line: {before}"
        );
        assert!(before.contains("Java 21.0.5+11-LTS"), "{before}");
        let order = [
            "class=\"advice",
            "id=\"shares\"",
            "id=\"profilers\"",
            "id=\"about\"",
        ];
        let places = order.map(at);
        assert!(places.is_sorted(), "{places:?}");
        let between = &text[places[0]..places[1]];
        assert!(!between.contains("<table") && !between.contains("class=\"notes"));
        let about = &text[places[3]..];
        assert!(
            about.contains("with sites at rest the program takes"),
            "{about}"
        );
        for svg in text.split("<svg").skip(1) {
            let svg = &svg[..svg.find("</svg").unwrap()];
            assert!(svg.contains("role=\"img\"><title>") && svg.contains("<desc>"));
        }
    }
}

/// Nobody wants to read commands before the verdicts, and before the chart only where they are what to do.
#[test]
fn what_would_tell_more_stands_below_the_verdicts_with_every_command_in_a_block() {
    let page = |result: &DoseResult| spaced(&dose_html(result, &crate::common::study::page()));
    let mut result = crate::common::dose::parted();
    let text = page(&result);
    let at = |what: &str| text.find(what).unwrap_or_else(|| panic!("no {what}"));
    let order = [
        "class=\"advice",
        "class=\"each\"",
        "id=\"shares\"",
        "id=\"more\"",
        "id=\"profilers\"",
    ];
    let places = order.map(at);
    assert!(places.is_sorted(), "{places:?}");
    let top = &text[places[0]..places[1]];
    assert!(top.contains("jfr is wrong about "), "{top}");
    let hot = format!(
        "all 5 methods tested.</p><p>{KNOWN}</p><p>Not tested, though hot: Hot<wbr>.sort.</p>"
    );
    assert!(top.contains(&hot), "{top}");
    assert!(!top.contains("proofmark dose") && !top.contains("Only one JVM"));
    let more = &text[places[3]..places[4]];
    assert!(more.contains("<h2>How sure this is, and what would tell more</h2>"));
    assert_eq!(more.matches("<li>").count(), 4, "{more}");
    assert_eq!(more.matches("</code></pre></li>").count(), 3, "{more}");
    for part in [
        "<li><p>Not tested: Hot<wbr>.sort (25 % of the Java time): only 5 methods are tested. To test it too:</p><pre",
        "To ask 4, the usual number:</p><pre",
        "<li><p>Times were restless, so intervals are wide.</p></li>",
        "--runs 5 -- java -cp &#39;/work/classes:/work/jars/*&#39; com.acme.Main</code></pre></li>",
    ] {
        assert!(more.contains(part), "{part}: {more}");
    }
    // Where nothing is wrong, this is what to do.
    let below = "<p>What would tell more stands below the verdicts.</p></div>";
    assert!(!text.contains(below));
    result.attribution.get_mut("jfr").unwrap().verdict = Verdict::Undecided;
    let open = page(&result);
    assert!(open.contains(below));
    assert!(open.find("id=\"more\"") < open.find("id=\"shares\""));
    // Of earlier versions, without parts, nothing is lost.
    result.advice_parts.clear();
    result.advice_about = None;
    let old = page(&result);
    let top = &old[old.find("class=\"advice").unwrap()..old.find("class=\"each\"").unwrap()];
    assert!(top.contains("Only one JVM per profiler") && !old.contains("id=\"more\""));
}

/// Nothing is called wrong by the title of a page on which nothing is.
#[test]
fn a_page_without_a_wrong_profiler_has_another_title() {
    let mut result = crate::common::dose::result();
    result.attribution.remove("jfr");
    let text = dose_html(&result, &crate::common::study::page());
    assert!(text.contains("<h2>What was found, and what to do</h2>"));
    assert!(!text.contains("What is wrong"));
    let text = dose_html(&crate::common::dose::empty(), &crate::common::study::page());
    assert!(text.contains("<h2>What is undecided, and what to do</h2>"));
}

/// The laboratory's matrices are read like those of sites: a row is a block, and our own sampler comes first.
#[test]
fn doses_in_blocks_are_shown_as_matrices_too() {
    use proofmark_experiment::dose::blocks::ORACLE;
    let doses = crate::common::dose::in_blocks();
    let data = PageData {
        block_doses: Some(doses),
        ..page()
    };
    let text = html(&data);
    balanced(&text);
    let section = &text[text.find("<section id=\"blocks\">").unwrap()..];
    let section = &section[..section.find("</section>").unwrap()];
    let place = |title: &str| section.find(title).unwrap_or_else(|| panic!("{section}"));
    let own = place(&format!("<figure class=\"heat\"><h4>{ORACLE} <"));
    let jfr = place("<figure class=\"heat\"><h4>jfr <");
    let table = place("of the added time</th>");
    assert!(own < jfr && jfr < table, "{own}, {jfr}, {table}");
    let matrix = &section[jfr..];
    let matrix = &matrix[..matrix.find("</figure>").unwrap()];
    assert_eq!(matrix.matches("class=\"in-place missing p0\"").count(), 2);
    let tip = "put into Parser.getText, block 138, reported in";
    assert!(matrix.contains(tip), "{matrix}");
    assert!(spaced(&section[table..]).contains(GREW));
}

#[test]
fn dose_chart_has_the_truth_or_its_bounds() {
    let chart = |result| {
        let text = dose_html(&result, &crate::common::study::page());
        let start = text.find("id=\"shares\"").unwrap();
        text[start..start + text[start..].find("</section>").unwrap()].to_owned()
    };
    let certified = chart(crate::common::dose::result());
    let known = certified
        .find("<desc>")
        .expect("words for those who do not see it");
    let known = &certified[known..certified[known..].find("</desc>").unwrap() + known];
    assert!(
        known.contains("Off: Parser._finishString, jfr: 43.6 %"),
        "{known}"
    );
    // Five methods, for wide pages and for telephones.
    assert_eq!(certified.matches("class=\"known\"").count(), 10);
    assert_eq!(certified.matches("class=\"known-line\"").count(), 10);
    let narrow = certified
        .find("class=\"narrow-only\"")
        .expect("a narrow form");
    assert!(
        certified[narrow..].contains("viewBox=\"0 0 360 "),
        "{certified}"
    );
    assert!(
        certified.contains(">\u{2192} Parser._finishString<"),
        "{certified}"
    );
    assert!(
        certified.contains(">+ time of Parser.getText<"),
        "{certified}"
    );
    // What is shown too large has no arrow to where its time goes, and a row that is wrong in some JVMs says in how many.
    let mut result = crate::common::dose::result();
    let jfr = result.attribution.get_mut("jfr").unwrap();
    jfr.rows[0].verdict = Verdict::Wrong;
    jfr.rows[0].elsewhere = jfr.rows[2].elsewhere.clone();
    jfr.rows[1].jvms = JvmWords::of([Verdict::Wrong, Verdict::Right, Verdict::Right]);
    let some = chart(result);
    assert!(!some.contains("\u{2192} Parser.getText"), "{some}");
    let lost = "; \u{2192} Parser._finishString in 1 of 3 JVMs";
    assert!(some.contains(lost), "{some}");
    let bounded = chart(crate::common::dose::bounded());
    assert_eq!(bounded.matches("class=\"bounds\"").count(), 10);
    assert!(!bounded.contains("class=\"known") && bounded.contains("No truth line: no profiler"));
}

#[test]
fn two_truths_have_an_interval_over_sites_or_over_pairs() {
    let site = |value| proofmark_experiment::dose::SiteFacts {
        method: "a.A.run".into(),
        place: "entry".into(),
        steps: 16,
        set: 0,
        executions: Some(912_000.0),
        by_count_pct: Some(crate::common::estimate(value, 2.0, 8)),
        by_count_jvms: 1,
        open_cost_pct: None,
    };
    let said = |sites| {
        let result = DoseResult {
            sites,
            ..crate::common::dose::result()
        };
        spaced(&dose_html(&result, &crate::common::study::page()))
    };
    let one = said(vec![site(98.0)]);
    assert!(one.contains("98.0 % (96.0 to 100.0; n = 8 pairs, one site)"));
    assert!(one.contains("reached 912,000 times in an iteration"));
    assert!(!one.contains("over 1 JVM"));
    let over = said(vec![proofmark_experiment::dose::SiteFacts {
        by_count_jvms: 13,
        ..site(98.0)
    }]);
    assert!(over.contains("of the added time by counting, over 13 JVMs"));
    let two = said(vec![site(98.0), site(102.0)]);
    assert!(two.contains("100.0 % (74.6 to 125.4; n = 2 sites)"));
    assert!(!said(Vec::new()).contains("cross-check"));
}

#[test]
fn hot_methods_without_a_row_have_their_shares_on_the_page() {
    let mut result = crate::common::dose::result();
    let shares = [("async", 25.0), ("jfr", 0.0)];
    let estimate = |pct: f64| Estimate {
        value: pct,
        low: pct,
        high: pct + 0.3,
        n: 9,
    };
    let shares = shares.map(|(name, pct)| (name.to_owned(), estimate(pct)));
    result.untested = vec![UntestedMethod {
        method: "a.b.Hot.sort".into(),
        reason: "the method is native".into(),
        shares_pct: shares.into(),
    }];
    let page = spaced(&dose_html(&result, &crate::common::study::page()));
    let section = &page[page.find("id=\"not-tested\"").unwrap()..];
    let section = &section[..section.find("</section>").unwrap()];
    for part in [
        "<code>a<wbr>.b<wbr>.Hot<wbr>.sort</code>",
        "the method is native",
        "25.0 % (25.0 to 25.3), n = 9",
    ] {
        assert!(section.contains(part), "{part}: {section}");
    }
    result.native = Some(NativeFacts {
        arguments: Vec::new(),
        functions: 9,
        marked: true,
        of_instructions: vec!["callgrind".into()],
    });
    let page = spaced(&dose_html(&result, &crate::common::study::page()));
    assert!(page.contains("Hot functions without a row"), "{page}");
    let of = "s time (callgrind: of its instructions) with sites at rest</caption>";
    assert!(page.contains(of), "{page}");
    // A native program is not looked at without its sites.
    let of = " <small>of the program's time with sites at rest</small></li>";
    assert_eq!(page.matches(of).count(), 2, "{page}");
}
