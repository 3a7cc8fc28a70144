//! The result of a stranger's program, in which no profiler is right: as it was written, and as it is said today.

use proofmark_experiment::dose::{
    Again, Conflict, DoseResult, FoundSites, Noted, Said, Size, Took, told,
};
use proofmark_report::{dose_brief, dose_html, dose_table};

use crate::page::spaced;
use crate::terminal::{fits, plain};

const MARKET: &str = include_str!("../../../docs/studies/strangers/2026-11-27/market.json");

fn market() -> DoseResult {
    serde_json::from_str(MARKET).expect("a result")
}

/// The same with what is said today.
fn today() -> DoseResult {
    let mut result = market();
    let counted = result.methods.iter();
    let counted = counted.filter_map(|one| Some((one.name.clone(), one.bytecode_pct?)));
    let own = |text: &str| Some(Said::from(text.to_owned()));
    let noted = Noted {
        counted_pct: counted.collect(),
        as_it_is: result.all_as_it_is(),
        untested: own(
            "Not tested: jdk.internal.util.ArraysSupport.newLength (0 to 10 % of the Java time): seldom run where a site can stand, or \
             an intrinsic of the JVM.",
        ),
        conflict: Some(Conflict {
            method: "shop.Matcher.depth".into(),
            says: "Without sites jfr shows shop.Matcher.depth at 38 % of the Java time, async at 22 % and jfr+nonsafepoints at 16 %. At \
                   least one of them is wrong, or their JVMs ran different code; this test cannot tell which. shop.Matcher.depth \
                   executes 58 % of the bytecodes, which take more or less time each."
                .into(),
        }),
        against: None,
        restless: Some(
            "Times scattered, so intervals are wide: in 9 of 10 windows the same work took 69 to 124 % of its usual CPU time (n = 182 \
             windows). Why was not measured; 2 JVMs of this test ran at the same time."
                .into(),
        ),
    };
    let size = Size {
        profilers: result.attribution.keys().cloned().collect(),
        methods: 12,
        rounds: 3,
        budget_s: 15.0,
        runs: 4,
        window_s: 0.2,
        at_once: 2,
    };
    let again = Again {
        command: "-- java -cp classes shop.Market 30000".into(),
        ..Again::default()
    };
    let of_test = (result.margin_pt, &took());
    let all = told(&result.attribution, &size, of_test, &again, &noted);
    (result.advice, result.advice_parts) = (all.advice, all.parts);
    result.advice_about = Some(all.about);
    // Ten places stood there, eight of which cost that together.
    result.remarks[1] = "with its code present but adding no time, a site slows the program: by 18 % at loop 3 of shop.Matcher.depth, loop \
                         1 of shop.Matcher.submit and 6 more together, 13 % at the entry of java.util.ArrayDeque.inc and 12 % or less at \
                         2 more (read the rows of such sites with care)"
        .into();
    result
}

/// How long its parts took: 113 s until profilers were measured, and 632 s of these.
fn took() -> Took {
    Took {
        choosing_s: 34.0,
        dosing_s: 29.0,
        costs_s: 50.0,
        profilers_s: 632.0,
        tried: 12,
        found: 12,
        looked_at: [15, 7],
        each: [[2; 3].as_slice(), &[1; 9]].concat(),
        known: FoundSites {
            sites: 15,
            sets: 7,
            iteration_s: 0.018,
            start_s: 4.3,
            gates_s: 0.93,
        },
        at_once: 2,
        ..Took::default()
    }
}

/// He read 1,067 words.
#[test]
fn the_terminal_has_no_more_than_a_thousand_words() {
    let result = today();
    let text = dose_brief(&result, plain(100));
    let words = text.split_whitespace().count();
    assert!(words <= 1000, "{words}: {text}");
    fits(&text, 100);
    // What is not there is in the details.
    let details = dose_table(&result, plain(100));
    let details: Vec<&str> = details.split_whitespace().collect();
    let details = details.join(" ");
    for said in [
        "11 % (10 to 13; n = 1284) of the Java time at first",
        "cross-check: counting the executions of sites gives 98.5 %",
        "ArrayDeque$DeqIterator.next:697",
    ] {
        assert!(details.contains(said), "{said}: {details}");
    }
}

/// One paragraph of ten lines was more than anybody could read.
#[test]
fn each_thing_that_is_said_has_a_line_of_its_own() {
    let text = dose_brief(&today(), plain(160));
    for begins in [
        "All 3 profilers are wrong about Matcher.cross (2 % of the bytecodes), in all 12 JVMs: ",
        "\njfr is wrong about Parser.number: of the time that was added there, it reports 57 to 63 % in Parser.parse",
        "\nWithout sites jfr shows Matcher.depth at 38 % ",
        "\nNot tested: ArraysSupport.newLength ",
        "\njfr is wrong in 3 of 4 JVMs: ",
        "\nTimes scattered, ",
        "\nThis tells more of async and jfr+nonsafepoints, in about ",
        "\njudged: 12 methods, to which profilers give 63 to 75 % of the Java time\n",
        "\n  4 more rows: see the table\n",
        "\nnote: the program itself changed while it was measured, where no site was there: under jfr in 3 of 4 JVMs\n",
    ] {
        assert!(text.contains(begins), "{begins}: {text}");
    }
    let flat: Vec<&str> = text.split_whitespace().collect();
    let points =
        "is right here. In all, jfr misplaces 9 to 22 points of the program's time. Without";
    assert!(flat.join(" ").contains(points), "{text}");
    // Options are entered as they are.
    assert!(text.contains("-XX:CompileCommand=dontinline,shop.Matcher::cross"));
    // Nobody is right, so that no verdict covers anything, and there is no witness.
    assert!(!text.contains("a right verdict covers") && !text.contains("\nwitnesses: "));
}

/// On the page what nobody shows is the first sentence, and who is wrong has a paragraph of its own.
#[test]
fn the_page_begins_with_what_nobody_shows() {
    let page = spaced(&dose_html(&today(), &crate::common::study::page()));
    let start = page.find("class=\"advice").expect("a box");
    let end = page[start..].find("</div>").expect("its end");
    let page = &page[start..start + end];
    let paragraphs: Vec<&str> = page.split("<p>").skip(1).collect();
    for (paragraph, begins) in paragraphs.iter().zip([
        "All 3 profilers are wrong about Matcher<wbr>.cross",
        "How this is known: ",
        "With <span",
        "jfr is wrong about Parser<wbr>.number: ",
        "Without sites jfr shows ",
        "Not tested, though hot: ",
    ]) {
        assert!(paragraph.starts_with(begins), "{begins}: {page}");
    }
    assert!(
        page.contains("Until more is known, use async: it is undecided"),
        "{page}"
    );
}

/// Of the text that was written then nothing is lost. How wrong the profiler is stands in its own line only: whom the first sentence is about
/// was not written.
#[test]
fn what_was_written_then_is_still_read() {
    let text = dose_brief(&market(), plain(160));
    for begins in [
        "jfr is wrong about ArrayDeque.inc: of the time that was added there, it reports 0 % there in 3 of 4 JVMs",
        "\nWithout sites jfr shows Matcher.depth at 38 % ",
        "\nTimes were restless, ",
    ] {
        assert!(text.contains(begins), "{begins}: {text}");
    }
    let flat: Vec<&str> = text.split_whitespace().collect();
    let flat = flat.join(" ");
    let points = "; 9 to 22 points of the program's time misplaced; ";
    assert!(
        flat.contains("undecided: 0). Without") && flat.contains(points),
        "{text}"
    );
}
