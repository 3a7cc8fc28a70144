//! The matrices of the page of a test by dose, as narrow screens and long names leave them.

use proofmark_assess::Verdict;
use proofmark_experiment::dose::{DoseResult, ProfileChange};
use proofmark_report::dose_html;
use proofmark_stats::Estimate;

/// What stands above the matrix of a profiler.
fn above(result: &DoseResult, profiler: &str) -> String {
    let page = dose_html(result, &crate::common::study::page());
    let title = format!("<figure class=\"heat\"><h4>{profiler} <");
    let figure = &page[page.find(&title).expect("a matrix")..];
    let start = figure.find("<p class=\"narrow-only\">").expect("a line");
    let end = figure.find("<div").expect("the table");
    figure[start..end].to_owned()
}

/// Its cells may be out of sight.
#[test]
fn what_is_wrong_in_a_matrix_stands_above_it_for_narrow_screens() {
    let mut result = crate::common::dose::result();
    let line = |said: &str| format!("<p class=\"narrow-only\">{said}</p>");
    let serialized = "\u{2717} ArrayNode<wbr>.serialize:128: only -1 % in place, \u{2192} ArrayList<wbr>.grow 100 %";
    let text = "\u{2717} Parser<wbr>.getText:107: only 0 % in place, \u{2192} Parser<wbr>._finishString 95 %";
    let both = line(&format!("{serialized}; {text}"));
    assert_eq!(above(&result, "jfr"), both);
    let none = line("No row that counts is wrong or undecided.");
    assert_eq!(above(&result, "async"), none);
    let jfr = result.attribution.get_mut("jfr").expect("it is there");
    jfr.rows[0].verdict = Verdict::Wrong;
    let more = line(&format!("{serialized}; {text}; 1 more"));
    assert_eq!(above(&result, "jfr"), more);
    // A row that decides nothing is not named; without a wrong one, what is open is.
    let jfr = result.attribution.get_mut("jfr").expect("it is there");
    for at in [0, 1, 4] {
        jfr.rows[at].change = Some(ProfileChange {
            beyond_pt: 20.0,
            voids_rows: true,
            drowned: false,
            method: jfr.rows[at].method.clone(),
            as_it_is_pct: Estimate::around(8.0, 0.5, 900),
            with_sites_pct: Estimate::around(31.0, 0.5, 900),
        });
    }
    let open =
        line("? Table<wbr>.findSymbol:114: only 88 % in place, \u{2192} Parser<wbr>.getText 7 %");
    assert_eq!(above(&result, "jfr"), open);
}

/// Long names of columns are cut in the middle by us, and never at an end by the page.
#[test]
fn titles_of_columns_lose_no_sign() {
    let method = "com.acme.json.Parser._finishString";
    let name = |short: &str| {
        let result = serde_json::to_string(&crate::common::dose::result()).unwrap();
        let result = result.replace(method, &format!("com.acme.json.{short}"));
        let result = serde_json::from_str(&result).unwrap();
        dose_html(&result, &crate::common::study::page())
    };
    let whole = name("TradeReport$Book.lambda$new$1");
    assert!(whole.contains("><span>TradeReport$Book.lambda$new$1</span></th>"));
    let cut = name("TradeReport$Book.lambda$compare$12");
    assert!(cut.contains("\u{2026}k.lambda$compare$12</span></th>"));
    let style = &whole[whole.find(".heat thead th span {").unwrap()..];
    let style = &style[..style.find('}').unwrap()];
    assert!(
        style.contains("white-space: nowrap") && !style.contains("max-height"),
        "{style}"
    );
}
