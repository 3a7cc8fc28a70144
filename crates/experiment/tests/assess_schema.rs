//! The committed schema of an assessment is the one that the code writes, and results of both parts, and of one, satisfy it.

use std::collections::BTreeMap;

use proofmark_assess::{Assessment, Settings, Verdict, assess};
use proofmark_experiment::assess::{AssessReport, LABORATORY, Part, SITES};
use proofmark_experiment::dose::DoseResult;
use proofmark_experiment::sim::{Fault, Simulation};
use proofmark_test_support::fit_schema;

/// A result of `dose` on Jackson: async right but for noise, jfr wrong.
const JACKSON: &str = include_str!("../../../docs/studies/dose/2026-11-22/jackson-25.json");

/// Sites with a verdict for each profiler.
fn sites(verdicts: &[(&str, Verdict)]) -> Part<DoseResult> {
    let mut result: DoseResult = serde_json::from_str(JACKSON).unwrap();
    let one = result.attribution["jfr"].clone();
    let with = |(name, verdict): &(&str, Verdict)| {
        let mut one = one.clone();
        (one.verdict, one.certified) = (*verdict, *verdict == Verdict::Right);
        ((*name).to_owned(), one)
    };
    result.attribution = verdicts.iter().map(with).collect::<BTreeMap<_, _>>();
    Ok(result)
}

/// A laboratory that judges a profiler with this fault.
fn laboratory(name: &str, fault: Fault) -> Part<Assessment> {
    let simulation = Simulation {
        fault,
        ..Simulation::default()
    };
    Ok(assess(&simulation.evidence(name), &Settings::default()).unwrap())
}

const MOVES: Fault = Fault::Moves {
    from: 0,
    to: 1,
    points: 30.0,
};

fn not_run<T>() -> Part<T> {
    Err("there is no Maven".into())
}

fn report(
    profilers: &[&str],
    sites: &Part<DoseResult>,
    laboratory: &Part<Assessment>,
) -> AssessReport {
    let profilers: Vec<String> = profilers.iter().map(|name| (*name).to_owned()).collect();
    let report = AssessReport::of(&profilers, sites, laboratory, ("Main", "this machine"));
    let json = serde_json::to_value(&report).unwrap();
    fit_schema("assessment.schema.json", std::slice::from_ref(&report));
    let back: AssessReport = serde_json::from_value(json).unwrap();
    assert_eq!(back, report);
    report
}

#[test]
fn every_earlier_field_stays_and_attribution_is_beside_them() {
    let both = report(
        &["async"],
        &sites(&[("async", Verdict::Right)]),
        &laboratory("async", Fault::None),
    );
    let json = serde_json::to_value(&both).unwrap();
    let p = &json["profilers"][0];
    for field in [
        "name",
        "verdict",
        "error_pt",
        "blames",
        "cause",
        "detectable_pt",
    ] {
        assert!(p.get(field).is_some(), "{field} is missing");
    }
    for test in ["absolute", "uniform", "single"] {
        for part in ["value", "low", "high", "n"] {
            assert!(p["error_pt"][test][part].is_number(), "{test}.{part}");
        }
    }
    assert!(json.get("controls_ok").is_some() && json["false_alarm_rate"]["value"].is_number());
    let of_async = &json["attribution"]["async"];
    assert_eq!(of_async["vehicle"], "sites");
    let row = &of_async["rows"][0];
    for field in [
        "method",
        "line",
        "kind",
        "growth_pct",
        "elsewhere",
        "void_windows",
        "reveals_itself",
    ] {
        assert!(row.get(field).is_some(), "{field} is missing");
    }
    for part in ["value", "low", "high", "n"] {
        assert!(row["in_place_pct"][part].is_number() && row["other_pct"][part].is_number());
    }
    assert_eq!(json["verdict"], "right");
}

#[test]
fn sites_decide_where_they_judge_and_the_laboratory_elsewhere() {
    use Verdict::{Right, Undecided, Wrong};
    let fine = laboratory("async", Fault::None);
    let bad = laboratory("async", MOVES);
    let verdict = |profilers: &[&str], sites: &Part<DoseResult>, laboratory: &Part<Assessment>| {
        report(profilers, sites, laboratory).verdict
    };
    assert_eq!(
        verdict(&["async"], &sites(&[("async", Right)]), &bad),
        Right
    );
    assert_eq!(
        verdict(&["async"], &sites(&[("async", Wrong)]), &fine),
        Wrong
    );
    // perf cannot be judged at sites, and the laboratory said nothing of it either.
    let right = sites(&[("async", Right)]);
    assert_eq!(verdict(&["async", "perf"], &right, &fine), Undecided);
    assert_eq!(
        verdict(&["async", "perf"], &right, &laboratory("perf", MOVES)),
        Wrong
    );
    // What was only run to explain another one does not count.
    let explained = sites(&[("jfr", Right), ("jfr+nonsafepoints", Wrong)]);
    assert_eq!(verdict(&["jfr"], &explained, &not_run()), Right);
    assert_eq!(verdict(&["async"], &not_run(), &bad), Wrong);
    assert_eq!(verdict(&["async"], &not_run(), &not_run()), Undecided);
}

#[test]
fn the_sentences_say_which_vehicle_saw_what_and_what_was_not_run() {
    use Verdict::{Right, Undecided, Wrong};
    let said = |sites: &Part<DoseResult>, laboratory: &Part<Assessment>| {
        report(&["async"], sites, laboratory).advice.join("\n")
    };
    let only_laboratory = said(&sites(&[("async", Right)]), &laboratory("async", MOVES));
    assert!(
        only_laboratory.contains(
            "async is right at the sites, on your own JVM, and wrong in the laboratory, by "
        ),
        "{only_laboratory}"
    );
    let only_sites = said(
        &sites(&[("async", Wrong)]),
        &laboratory("async", Fault::None),
    );
    assert!(
        only_sites.contains("and right in the laboratory"),
        "{only_sites}"
    );
    let open = said(&sites(&[("async", Undecided)]), &laboratory("async", MOVES));
    assert!(
        open.contains(
            "undecided at the sites, on your own JVM, and wrong in the laboratory, under Graal, by "
        ),
        "{open}"
    );
    let agreed = said(&sites(&[("async", Wrong)]), &laboratory("async", MOVES));
    assert!(!agreed.contains("laboratory"), "{agreed}");
    let alone = report(&["async"], &sites(&[("async", Right)]), &not_run());
    assert!(
        alone.advice[1].starts_with("Only sites were tried"),
        "{:?}",
        alone.advice
    );
    assert_eq!(alone.not_run[LABORATORY], "there is no Maven");
    assert!(alone.laboratory.profilers.is_empty());
    let without = report(&["async"], &not_run(), &laboratory("async", MOVES));
    assert!(without.advice[0].starts_with("async is wrong in the laboratory, by "));
    assert!(without.not_run.contains_key(SITES) && without.attribution.is_empty());
}
