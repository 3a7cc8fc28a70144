//! What stands behind the first sentence of a test by dose, in the terminal and on its page.

use proofmark_assess::Verdict;
use proofmark_experiment::dose::{DoseResult, NativeFacts, ProfileChange};
use proofmark_report::{Style, dose_html, dose_table};

use crate::common::dose::{advise, result};
use crate::common::estimate;
use crate::page::spaced;

/// What is said above the figures, in the terminal without line breaks and on the page.
fn above(result: &DoseResult) -> [String; 2] {
    let style = Style {
        color: false,
        width: 160,
    };
    let text = dose_table(result, style);
    let text = text.split("\n\n").next().expect("sentences");
    let page = spaced(&dose_html(result, &crate::common::study::page()));
    let start = page.find("class=\"advice").expect("a headline");
    let end = page[start..].find("</div>").expect("its end");
    let words: Vec<&str> = text.split_whitespace().collect();
    [words.join(" "), page[start..start + end].to_owned()]
}

/// A wrong profiler may be a little wrong or nearly useless.
#[test]
fn the_headline_says_how_wrong() {
    let mut result = result();
    let [text, page] = above(&result);
    let points = "In all, jfr misplaces 17 to 23 points of the Java time. ";
    assert!(text.contains(points), "{text}");
    // On the page it stands beside the verdict.
    assert!(!page.contains("misplaces"), "{page}");
    let jfr = result.attribution.get_mut("jfr").expect("it is there");
    jfr.misplaced_pt = [17.1, 30.0];
    let [text, _] = above(&result);
    let by_rows = "In all, jfr misplaces 17 to 30 points of the program's time. ";
    assert!(text.contains(by_rows), "{text}");
    // Where nobody knows shares, nobody knows points.
    let jfr = result.attribution.get_mut("jfr").expect("it is there");
    jfr.misplaced_pt = [0.0, 0.0];
    for said in above(&result) {
        assert!(!said.contains("In all"), "{said}");
    }
    let page = spaced(&dose_html(&result, &crate::common::study::page()));
    assert!(!page.contains("0 to 0 points") && page.contains("hardly any, or not known"));
    let text = dose_table(&result, Style::default());
    assert!(!text.contains("0 to 0 points"), "{text}");
    let alone = "</span> wrong</span> <small>in one JVM</small></li>";
    assert!(page.contains(alone), "{page}");
    result.attribution.remove("jfr");
    advise(&mut result);
    for said in above(&result) {
        assert!(!said.contains("misplaces"), "{said}");
    }
}

/// Rows and shares may each be too little to be named.
#[test]
fn a_first_sentence_that_says_how_wrong_is_not_followed_by_another() {
    let mut result = result();
    let jfr = result.attribution.get_mut("jfr").expect("it is there");
    jfr.profile = None;
    for row in &mut jfr.rows {
        row.verdict = Verdict::Right;
    }
    advise(&mut result);
    for said in above(&result) {
        assert!(
            said.contains("jfr is wrong: it misplaces at least 17 points"),
            "{said}"
        );
        assert_eq!(said.matches("misplaces").count(), 1, "{said}");
    }
}

/// The first sentence is about one of them.
#[test]
fn the_box_of_the_page_says_who_else_is_wrong() {
    let mut result = result();
    let [_, alone] = above(&result);
    assert!(!alone.contains("wrong too."), "{alone}");
    let mut other = result.attribution["jfr"].clone();
    other.misplaced_pt = [10.0, 12.0];
    result.attribution.insert("jfr-cpu".into(), other);
    let [text, page] = above(&result);
    let too = "are the witnesses, with which others are compared.</p><p>jfr-cpu is wrong too.</p>";
    assert!(page.contains(too), "{page}");
    assert!(!text.contains("wrong too."), "{text}");
}

/// Words are for people. Who is meant, and by which sentence, is known without them; where an earlier version did not say it, nothing is
/// added.
#[test]
fn other_words_have_the_same_behind_them() {
    let mut result = result();
    let mut other = result.attribution["jfr"].clone();
    other.misplaced_pt = [10.0, 12.0];
    result.attribution.insert("jfr-cpu".into(), other);
    let about = result.advice_about.as_mut().expect("it is known");
    about.sentences_before = 2;
    result.advice = "Nobody shows A. Read on. Do not trust it here. Use another one.".into();
    result.advice_parts = vec![result.advice.clone()];
    let [text, page] = above(&result);
    let points = "Nobody shows A. Read on. Do not trust it here. In all, jfr misplaces 17 to 23 points of the Java time. Use another one. \
                  Also, of the time that was added to Parser.getText, jfr reports ";
    assert!(text.starts_with(points), "{text}");
    let too = "<p>Read on.</p><p>Do not trust it here. jfr-cpu is wrong too.</p><p>Use another one.</p><p>Also, of ";
    assert!(page.contains(too), "{page}");
    result.advice_about = None;
    let [text, page] = above(&result);
    let plain = "Nobody shows A. Read on. Do not trust it here. Use another one.";
    assert_eq!(text, plain);
    assert!(page.contains("<p>Read on. Do not trust it here. Use another one.</p>"));
    for words in ["wrong too.", "Also, "] {
        assert!(!page.contains(words), "{page}");
    }
}

/// A reader who reads the verdict alone must know that the rows speak of another program.
#[test]
fn the_headline_says_whose_profile_sites_change_too_much() {
    let change = |voids_rows| ProfileChange {
        beyond_pt: if voids_rows { 20.0 } else { 2.0 },
        voids_rows,
        drowned: false,
        method: "com.acme.json.Writer._writeString".into(),
        as_it_is_pct: estimate(8.0, 0.5, 900),
        with_sites_pct: estimate(31.0, 0.5, 900),
    };
    let mut result = result();
    let mut with = |voids_rows| {
        let jfr = result.attribution.get_mut("jfr").expect("it is there");
        jfr.change = Some(change(voids_rows));
        above(&result)
    };
    let whole = "_writeString: 8 % of the Java time in one look at it as it is, 31 % with sites), so that its rows";
    for said in with(true) {
        assert!(
            said.contains("Sites change what jfr shows of the program ("),
            "{said}"
        );
        assert!(said.contains(whole), "{said}");
    }
    for said in with(false) {
        assert!(!said.contains("Sites change"), "{said}");
    }
    let mut twice = result.clone();
    let jfr = twice.attribution.get_mut("jfr").expect("it is there");
    (jfr.change, jfr.looks) = (Some(change(true)), 2);
    for said in above(&twice) {
        let two = "8 % of the Java time in two looks at it as it is, 31 % with sites)";
        assert!(said.contains(two), "{said}");
    }
    // Of several the largest change is named.
    let mut three = result.clone();
    for (one, beyond_pt) in three.attribution.values_mut().zip([19.0, 21.0, 20.0]) {
        one.change = Some(ProfileChange {
            beyond_pt,
            as_it_is_pct: estimate(beyond_pt, 0.5, 900),
            ..change(true)
        });
    }
    for said in above(&three) {
        let all = "what async, jfr and jfr+nonsafepoints show of the program (above all ";
        assert!(said.contains(all), "{said}");
        let largest = "21 % of the Java time in one look at it as it is, 31 % with sites), so that their rows";
        assert!(said.contains(largest), "{said}");
    }
    // It is not said twice.
    result.attribution.retain(|name, _| name == "async");
    let one = result.attribution.get_mut("async").expect("it is there");
    (one.verdict, one.certified) = (Verdict::Undecided, false);
    one.change = Some(change(true));
    advise(&mut result);
    for said in above(&result) {
        assert_eq!(said.matches("Sites change").count(), 1, "{said}");
    }
}

/// Two profilers that agree are no proof.
#[test]
fn the_box_of_the_page_says_how_it_is_known_what_is_right() {
    let known = |result: &DoseResult| {
        let [text, page] = above(result);
        assert!(!text.contains("How this is known"), "{text}");
        let start = page.find("How this is known: ");
        start.map(|start| page[start..].split("</p>").next().unwrap_or("").to_owned())
    };
    let mut result = result();
    let said = known(&result).expect("two witnesses");
    let two = "measured by a clock, and looked where each profiler reports it; async and jfr+nonsafepoints passed and are the witnesses, \
               with which others are compared.";
    assert!(said.ends_with(two), "{said}");
    result.attribution.remove("async");
    let said = known(&result).expect("a witness");
    let one = "; jfr+nonsafepoints passed and is the only witness, with which others are compared.";
    assert!(said.ends_with(one), "{said}");
    result.attribution.remove("jfr+nonsafepoints");
    let said = known(&result).expect("none");
    let none =
        "; no profiler is a witness here (one that passed, with which others could be compared).";
    assert!(said.ends_with(none), "{said}");
    // What counts instructions knows nothing of a clock.
    result.native = Some(NativeFacts {
        arguments: Vec::new(),
        functions: 9,
        marked: true,
        of_instructions: vec!["jfr".into()],
    });
    assert_eq!(known(&result), None);
}

#[test]
fn a_program_of_the_suite_is_called_bundled() {
    let mut result = result();
    let under = |result: &DoseResult| -> String {
        let page = spaced(&dose_html(result, &crate::common::study::page()));
        let end = page.find("</header>").expect("its end");
        page[..end].to_owned()
    };
    assert!(!under(&result).contains("bundled"));
    result.program = "Queens".into();
    let command = " To ask 4, the usual number: `proofmark dose suite:Queens`.";
    result.advice.push_str(command);
    let text = under(&result);
    let line = "<p>bundled benchmark; Java 21.0.5+11-LTS (Eclipse Adoptium);";
    assert!(text.contains(line), "{text}");
}
