//! The published study's raw data are read as they are meant; the published figures are tests of the crate `study`.

use std::collections::BTreeMap;

use crate::common::unpacked;
use proofmark_profile::{
    Filter, Format, ImportError, Options, StudyRun, detect, import, read_study, study_identity,
};

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
    let with =
        |share: &str| read_study(format!("{{\"Async\":{{\"a\":{{\"m\":{share}}}}}}}").as_bytes());
    assert!(with("\"99.5 %\"").is_ok());
    for share in ["\"much\"", "\"NaN\"", "-1", "\"1e400\"", "100.5", "[1]"] {
        assert!(with(share).is_err(), "{share}");
    }
}
