//! The published study's raw data give the published numbers.

mod common;

use std::collections::{BTreeMap, BTreeSet};

use common::unpacked;
use proofmark_profile::{
    Filter, Format, ImportError, Options, StudyRun, detect, import, read_study, study_identity,
};

const PROFILERS: [&str; 6] = [
    "Async",
    "HonestProfiler",
    "JavaFlightRecorder",
    "JProfiler",
    "Perf",
    "YourKit",
];

/// All 30 runs.
fn runs() -> Vec<StudyRun> {
    let mut runs = Vec::new();
    for name in ["study-2023-a.jsonl.gz", "study-2023-b.jsonl.gz"] {
        for line in unpacked(name)
            .split(|&b| b == b'\n')
            .filter(|line| !line.is_empty())
        {
            runs.push(read_study(line).expect("a sound file"));
        }
    }
    assert_eq!(runs.len(), 30);
    runs
}

/// Per recording and method of a profiler, its shares in the runs that list it.
fn shares(runs: &[StudyRun], profiler: &str) -> BTreeMap<String, BTreeMap<String, Vec<f64>>> {
    let mut all: BTreeMap<String, BTreeMap<String, Vec<f64>>> = BTreeMap::new();
    for recording in runs
        .iter()
        .flat_map(|run| &run.recordings)
        .filter(|r| r.profiler == profiler)
    {
        for (method, share) in recording.shares() {
            all.entry(recording.name.clone())
                .or_default()
                .entry(method)
                .or_default()
                .push(share);
        }
    }
    all
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Listed in some but not all runs of a program, with a mean share of 1 % at least.
fn unstable_methods(runs: &[StudyRun], profiler: &str) -> usize {
    let all = shares(runs, profiler);
    let methods = all.values().flat_map(BTreeMap::values);
    methods
        .filter(|shares| shares.len() < runs.len() && mean(shares) >= 1.0)
        .count()
}

/// Largest difference between runs of a method with a mean share of 5 % at least.
fn largest_difference(runs: &[StudyRun], profiler: &str) -> f64 {
    let all = shares(runs, profiler);
    let hot = all
        .values()
        .flat_map(BTreeMap::values)
        .filter(|shares| mean(shares) >= 5.0);
    let spread = |s: &Vec<f64>| {
        s.iter().copied().fold(f64::MIN, f64::max) - s.iter().copied().fold(f64::MAX, f64::min)
    };
    hot.map(spread).fold(0.0, f64::max)
}

#[test]
fn unstable_methods_are_those_of_table_2() {
    let runs = runs();
    let counts = PROFILERS.map(|profiler| unstable_methods(&runs, profiler));
    assert_eq!(counts, [35, 38, 43, 16, 16, 74]);
}

#[test]
fn largest_differences_are_those_of_figure_1() {
    let runs = runs();
    let differences =
        PROFILERS.map(|profiler| (largest_difference(&runs, profiler) * 10.0).round() / 10.0);
    assert_eq!(differences, [18.2, 17.8, 28.8, 25.9, 99.3, 31.6]);
}

#[test]
fn distinct_hottest_methods() {
    let runs = runs();
    let most = PROFILERS.map(|profiler| {
        let mut hottest: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
        for recording in runs
            .iter()
            .flat_map(|run| &run.recordings)
            .filter(|r| r.profiler == profiler)
        {
            let top = recording
                .shares()
                .into_iter()
                .max_by(|a, b| a.1.total_cmp(&b.1));
            hottest
                .entry(&recording.name)
                .or_default()
                .extend(top.map(|(method, _)| method));
        }
        hottest
            .values()
            .map(BTreeSet::len)
            .max()
            .expect("recordings")
    });
    assert_eq!(
        most,
        [6, 10, 11, 2, 4, 2],
        "the README beside the data names the same"
    );
}

#[test]
fn every_program_has_run_times() {
    for run in runs() {
        assert_eq!(run.recordings.len(), 6 * 14);
        assert!(run.runtimes.values().all(|&ms| ms > 0.0));
        assert!(run.runtimes.len() >= 56, "{}", run.runtimes.len());
    }
}

/// Our own identity joins what the six tools spell differently. Two of them charge `placeQueen` with what was inlined
/// into it.
#[test]
fn the_hottest_method_of_queens_has_one_name_in_all_spellings() {
    let runs = runs();
    let mut hottest: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for recording in runs[0]
        .recordings
        .iter()
        .filter(|r| r.name.contains("Queens"))
    {
        let shares = recording
            .profile()
            .by_method(&Filter::default())
            .merge_overloads();
        let top = shares
            .methods
            .into_iter()
            .max_by(|a, b| a.1.self_weight.total_cmp(&b.1.self_weight));
        hottest
            .entry(top.expect("a method").0.to_string())
            .or_default()
            .push(&recording.profiler);
    }
    assert_eq!(
        hottest["Queens.getRowColumn"],
        ["Async", "HonestProfiler", "JavaFlightRecorder", "YourKit"]
    );
    assert_eq!(hottest["Queens.placeQueen"], ["JProfiler", "Perf"]);
    assert_eq!(hottest.len(), 2);
}

#[test]
fn identities() {
    for (profiler, spelling, identity) in [
        (
            "Async",
            "deltablue.Plan$$Lambda$8.0x000000080100d938.apply",
            "deltablue.Plan",
        ),
        (
            "YourKit",
            "java.lang.String.equals(Object) String.java",
            "java.lang.String.equals",
        ),
        (
            "YourKit",
            "som.Vector.hasSome(TestInterface)",
            "som.Vector.hasSome",
        ),
        ("JavaFlightRecorder", "A$0x00ff.b(I)V", "A$.b(I)V"),
        (
            "Async",
            "G1ParScanThreadState::trim_queue_to_threshold(unsigned",
            "G1ParScanThreadState::trim_queue_to_threshold(unsigned",
        ),
    ] {
        assert_eq!(study_identity(profiler, spelling), identity);
    }
}

#[test]
fn a_study_file_is_recognised_and_refused_as_one_profile() {
    let bytes = unpacked("study-2023-a.jsonl.gz");
    let first = bytes.split(|&b| b == b'\n').next().expect("a line");
    assert_eq!(detect(first), Some(Format::Study));
    assert!(matches!(
        import(first, &Options::default()),
        Err(ImportError::Missing(_))
    ));
    assert!(read_study(b"{\"Async\":{\"a\":{\"m\":\"much\"}}}").is_err());
}
