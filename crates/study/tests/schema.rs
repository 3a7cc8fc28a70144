//! The committed schemas are what the code writes; real answers satisfy them and keep the promised names.

use crate::common::{PROFILERS, runs};
use proofmark_profile::{Filter, Options, Summary, import};
use proofmark_stats::Estimate;
use proofmark_study::result::Pair;
use proofmark_study::{Analysis, DiffSettings, Recording, Settings, analyze, diff, published};
use proofmark_test_support::fit_schema;

#[test]
fn analyses_fit_their_schema() {
    let all = published(&runs()[..3]);
    let settings = Settings {
        seed: 1,
        resamples: 10,
    };
    let analysis = analyze(all.recordings, all.unprofiled, settings);
    let json = serde_json::to_value(&analysis).unwrap();
    fit_schema("study.schema.json", std::slice::from_ref(&analysis));
    for (name, _) in PROFILERS {
        let figures = &json["profilers"][name];
        assert!(
            figures["unstable_methods"].is_u64() && figures["distinct_hottest"]["max"].is_u64()
        );
        for field in ["max_difference_pt", "median_difference_pt"] {
            assert!(figures[field].is_f64(), "{name} {field}");
        }
        assert!(figures["distinct_hottest"]["median"].is_f64());
    }
    for program in json["agreement"].as_array().unwrap() {
        assert!(program["program"].is_string() && program["union_hottest"].is_u64());
        assert!(program["union_top5"].is_u64() && program["groups"][0]["profilers"].is_array());
    }
    let text = serde_json::to_string(&analysis).unwrap();
    assert_eq!(
        serde_json::from_str::<proofmark_study::Analysis>(&text).unwrap(),
        analysis
    );
}

/// One run each: figures without intervals, nothing made up.
#[test]
fn a_study_of_single_runs_has_open_intervals() {
    let all = published(&runs()[..1]);
    let analysis = analyze(all.recordings, all.unprofiled, Settings::default());
    fit_schema("study.schema.json", std::slice::from_ref(&analysis));
    let figures = &analysis.profilers["jfr"];
    assert_eq!((figures.intervals, figures.unstable_methods), (None, 0));
    assert!(
        analysis
            .methods
            .iter()
            .all(|m| m.mean_pct.low.is_infinite())
    );
    assert!(
        analysis
            .agreement
            .iter()
            .all(|a| a.groups_support.is_none())
    );
    assert!(analysis.modes.is_empty());
}

/// With four runs an interval would reach from nothing to twice the value; it is withheld, and that is said.
#[test]
fn intervals_of_few_runs_are_withheld() {
    let of = |count: usize| {
        let mut all = published(&runs()[..count]);
        // As if the flag made JFR another profiler.
        let flagged = all.recordings.iter().filter(|r| r.profiler == "async");
        let flagged: Vec<Recording> = flagged
            .map(|r| Recording {
                profiler: "jfr+nonsafepoints".into(),
                ..r.clone()
            })
            .collect();
        all.recordings.extend(flagged);
        let analysis = analyze(all.recordings, all.unprofiled, Settings::default());
        let known = analysis
            .methods
            .iter()
            .filter(|m| m.mean_pct.low.is_finite());
        let overhead = analysis.overhead.iter();
        let overhead = overhead.filter(|o| o.overhead_pct.low.is_finite());
        (known.count(), overhead.count(), analysis)
    };
    let (methods, overheads, four) = of(4);
    assert_eq!((methods, overheads), (0, 0));
    assert!(four.profilers.values().all(|p| p.intervals.is_none()));
    let with_itself = |of: &Analysis| -> Vec<Pair> {
        let same = of.pairs.iter().filter(|pair| pair.a == pair.b);
        same.cloned().collect()
    };
    let ends = |pair: &Pair| [pair.same_hottest, pair.overlap_pct, pair.jensen_shannon];
    let diagonal = with_itself(&four);
    assert_eq!(diagonal.len(), PROFILERS.len() + 1);
    let unknown = |e: &Estimate| e.low.is_infinite() && e.high.is_infinite();
    assert!(diagonal.iter().flat_map(ends).all(|e| unknown(&e)));
    assert!(!four.debug_info.is_empty());
    assert!(four.debug_info.iter().all(|e| unknown(&e.change_pt)));
    let told = "Fewer than 5 runs hardly tell how runs differ, so intervals are withheld";
    assert!(four.remarks[0].starts_with(told), "{:?}", four.remarks);
    let (methods, _, five) = of(5);
    assert!(methods > 0 && five.remarks.is_empty(), "{:?}", five.remarks);
    assert!(five.profilers.values().all(|p| p.intervals.is_some()));
    let diagonal = with_itself(&five);
    assert!(diagonal.iter().flat_map(ends).all(|e| !unknown(&e)));
    assert!(five.debug_info.iter().all(|e| !unknown(&e.change_pt)));
}

#[test]
fn differences_fit_their_schema() {
    let all = published(&runs()[..6]).recordings;
    let (a, b) = all.split_at(all.len() / 2);
    let found = diff(a, b, DiffSettings::default());
    assert_eq!(found.compared.len(), 84);
    fit_schema("diff.schema.json", &[found]);
}

/// What `proofmark import --format json` prints.
#[test]
fn summaries_of_profiles_fit_their_schema() {
    let text = b"Run.main;Queens.placeQueen;Queens.getRowColumn 3\nRun.main;write 1\nno weight\n";
    let profile = import(text, &Options::default()).unwrap();
    let summary = profile.summary(&Filter::default());
    let json = serde_json::to_value(&summary).unwrap();
    fit_schema("profile.schema.json", std::slice::from_ref(&summary));
    assert_eq!(json["methods"]["Queens.getRowColumn"]["self"], 3.0);
    assert_eq!(
        (&json["incomplete"], &json["not_java"]["write"]),
        (&true.into(), &1.0.into())
    );
    let back: Summary = serde_json::from_value(json).unwrap();
    assert_eq!(back, summary);
}
