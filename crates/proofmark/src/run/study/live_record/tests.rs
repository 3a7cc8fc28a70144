use std::collections::BTreeMap;

use super::*;
use crate::builds::Builds;
use crate::request::AgentRequest;
use crate::run::study::live_estimate::Size;
use crate::run::study::live_manifest::Asked;
use proofmark_jvm::Compiler;
use proofmark_jvm::toolchain::Machine;
use proofmark_study::read_manifest;

fn asked(seed: u64) -> Asked {
    Asked {
        proofmark: "1".into(),
        programs: Vec::new(),
        profilers: vec!["none".into(), "jfr".into()],
        size: Size {
            runs: 2,
            iterations: 3,
        },
        time_budget_s: None,
        seed,
        compiler: Compiler::C2,
        heap_mb: 64,
        interval_ms: None,
        all_threads: false,
        keep_recordings: false,
        jdk: "25".into(),
        jars: Vec::new(),
        builds: BTreeMap::new(),
    }
}

fn about(seed: u64) -> About {
    About {
        asked: asked(seed),
        skipped: Vec::new(),
        machine: Machine::default(),
    }
}

/// A study in that directory.
fn request(directory: &Path) -> StudyRequest {
    let agent = AgentRequest {
        library: None,
        options: None,
        export: None,
    };
    StudyRequest {
        profilers: vec!["jfr".into()],
        programs: Vec::new(),
        runs: 2,
        iterations: 3,
        time_budget_s: None,
        interval_ms: None,
        compiler: Compiler::C2,
        heap_mb: 64,
        iteration_timeout_s: 60.0,
        out: Some(directory.to_owned()),
        seed: 1,
        keep_recordings: false,
        all_threads: false,
        dry_run: true,
        async_library: None,
        yourkit: agent.clone(),
        jprofiler: agent,
    }
}

fn finished(run: u32) -> Finished {
    let record = RunRecord {
        program: "suite:Queens".into(),
        profiler: "jfr".into(),
        run,
        file: None,
        perf_map: None,
        jitdump: None,
        thread_os_id: None,
        thread_name: None,
        interval_ns: None,
        iterations_ms: vec![1.0],
        env_bytes: 0,
        seed: 1,
        failure: None,
    };
    Finished {
        record,
        duration_s: 1.0,
        samples: 0,
        lost: 0,
    }
}

#[test]
fn a_run_that_was_stored_but_not_listed_is_listed_again() {
    let place = tempfile::tempdir().unwrap();
    let directory = place.path().join("study");
    let mut ledger = Ledger::of(Run::create(&directory, &about(1)).unwrap()).unwrap();
    ledger.finish(finished(0)).unwrap();
    ledger.finish(finished(1)).unwrap();
    drop(ledger);
    let manifest = directory.join(MANIFEST);
    let text = std::fs::read(&manifest).unwrap();
    // Killed in the middle of the second line.
    std::fs::write(&manifest, &text[..text.len() - 9]).unwrap();
    let ledger = Ledger::of(continued(&directory, &about(1)).unwrap()).unwrap();
    assert_eq!(std::fs::read(&manifest).unwrap(), text);
    assert_eq!(read_manifest(&text).unwrap().len(), 2);
    assert!(ledger.has("suite:Queens", "jfr", 1));
    assert!(!ledger.has("suite:Queens", "jfr", 2));
}

#[test]
fn another_study_is_not_continued() {
    let place = tempfile::tempdir().unwrap();
    let directory = place.path().join("study");
    drop(Run::create(&directory, &about(1)).unwrap());
    let error = continued(&directory, &about(2)).unwrap_err().to_string();
    assert!(error.contains("other seed (1)"), "{error}");
    let busy = continued(&directory, &about(1)).unwrap();
    let error = continued(&directory, &about(1)).unwrap_err().to_string();
    assert!(error.contains("another Proofmark"), "{error}");
    drop(busy);
}

/// What the start refuses its dry run refuses, which begins nothing.
#[test]
fn a_dry_run_refuses_another_study_too() {
    let place = tempfile::tempdir().unwrap();
    let directory = place.path().join("study");
    let request = request(&directory);
    Ledger::could_open(&request, &about(1)).unwrap();
    assert!(!directory.exists());
    drop(Run::create(&directory, &about(1)).unwrap());
    Ledger::could_open(&request, &about(1)).unwrap();
    let error = Ledger::could_open(&request, &about(2)).unwrap_err();
    assert_eq!(crate::exit::code_of(&error), 2, "{error}");
    let start = Ledger::open(&request, &about(2)).err().unwrap();
    assert_eq!(error.to_string(), start.to_string());
    assert!(error.to_string().contains("other seed (1)"), "{error}");
}

#[test]
fn a_study_of_another_build_is_not_continued() {
    let place = tempfile::tempdir().unwrap();
    let (directory, program) = (place.path().join("study"), place.path().join("program"));
    std::fs::write(&program, "one").unwrap();
    let now = || {
        let mut about = about(1);
        let name = "suite:Queens".to_owned();
        about.asked.builds = [(name, Builds::of_file(&program))].into();
        about
    };
    drop(Run::create(&directory, &now()).unwrap());
    drop(continued(&directory, &now()).unwrap());
    std::fs::write(&program, "longer than before").unwrap();
    let error = continued(&directory, &now()).unwrap_err();
    assert_eq!(crate::exit::code_of(&error), 2, "{error}");
    let error = error.to_string();
    assert!(
        error.contains("holds results of another build of the program ("),
        "{error}"
    );
    // One of an earlier version does not know what it measured.
    let mut older = serde_json::to_value(about(1)).unwrap();
    let asked = older["asked"].as_object_mut().unwrap();
    asked.remove("builds");
    let older_directory = place.path().join("older");
    drop(Run::create(&older_directory, &older).unwrap());
    drop(continued(&older_directory, &now()).unwrap());
}
