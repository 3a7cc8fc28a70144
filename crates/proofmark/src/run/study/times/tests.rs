use std::path::Path;

use super::super::files::read;
use super::*;
use crate::progress::Progress;
use crate::request::Recordings;
use proofmark_study::Recording;

fn time(executor: &str, invocation: u32, value: f64) -> Measurement {
    Measurement {
        invocation,
        iteration: 1,
        value,
        unit: "ms".into(),
        criterion: "total".into(),
        benchmark: "Queens".into(),
        executor: executor.into(),
    }
}

fn place(recording: usize, path: &str, run: Option<&str>) -> Place {
    Place {
        recording,
        path: path.into(),
        run: run.map(str::to_owned),
    }
}

#[test]
fn times_go_to_the_recordings_of_their_executor() {
    let recording = Recording {
        program: "Queens".into(),
        profiler: "jfr".into(),
        rows: vec![],
        whole: true,
        samples: None,
        iteration_ms: None,
    };
    let mut reading = Reading {
        recordings: vec![recording.clone(), recording],
        ..Reading::default()
    };
    let times = [
        time("JFR", 2, 7.0),
        time("JFR", 1, 5.0),
        time("JFR", 1, 6.0),
        time("java", 1, 4.0),
    ];
    let places = [place(0, "a.jfr", None), place(1, "b.jfr", None)];
    attach(&times, &places, &mut reading);
    let got: Vec<_> = reading.recordings.iter().map(|r| r.iteration_ms).collect();
    assert_eq!(got, [Some(5.5), Some(7.0)]);
    assert_eq!(reading.unprofiled, [("Queens".to_owned(), 4.0)]);
    assert_eq!(reading.remarks, [""; 0]);
}

/// `async-1` to `async-12`, in each of which `A.hot` has as many per cent as its run's number, and their invocations, of
/// as many ms.
fn twelve() -> tempfile::TempDir {
    let directory = tempfile::tempdir().expect("directory");
    let mut times =
        "invocation\titeration\tvalue\tunit\tcriterion\tbenchmark\texecutor\tsuite\n".to_owned();
    for run in 1..=12 {
        let stacks = format!("A.main;A.hot {run}\nA.main;A.rest {}\n", 100 - run);
        let name = format!("async-{run}.collapsed");
        std::fs::write(directory.path().join(name), stacks).expect("recording");
        times += &format!("{run}\t1\t{run}\tms\ttotal\tprogram\tasync\tmicro\n");
    }
    std::fs::write(directory.path().join("times.data"), times).expect("times");
    directory
}

/// Run and time of every recording that was read.
fn of_runs(directory: &Path, group_by: &str) -> (Vec<(f64, Option<f64>)>, Vec<String>) {
    let request = Recordings {
        group_by: Some(group_by.to_owned()),
        thread: None,
        native: false,
    };
    let inputs = [directory.to_path_buf()];
    let reading = read(&inputs, &request, &Progress::new(true)).expect("recordings");
    let each = reading.recordings.iter().map(|recording| {
        let mut rows = recording.rows.iter();
        let hot = rows.find(|row| row.identity == "A.hot");
        (hot.expect("its row").share_pct, recording.iteration_ms)
    });
    (each.collect(), reading.remarks)
}

const NUMBERED: &str = "{profiler}-{run}.collapsed";
const PLAIN: &str = "{profiler}-*.collapsed";

/// In the order of bytes 10 comes before 2.
#[test]
fn every_run_has_the_time_of_its_own_invocation() {
    let directory = twelve();
    for pattern in [NUMBERED, PLAIN] {
        let (runs, _) = of_runs(directory.path(), pattern);
        assert_eq!(runs.len(), 12);
        assert!(runs.contains(&(10.0, Some(10.0))), "{runs:?}");
        for (run, ms) in runs {
            assert_eq!(ms, Some(run), "{pattern}");
        }
    }
}

#[test]
fn a_recording_that_is_missing_does_not_shift_the_others() {
    let directory = twelve();
    // One that is no recording, and one that is not there.
    std::fs::write(directory.path().join("async-3.collapsed"), "no recording\n").expect("a file");
    std::fs::remove_file(directory.path().join("async-7.collapsed")).expect("a file");
    let (runs, remarks) = of_runs(directory.path(), NUMBERED);
    assert_eq!(runs.len(), 10);
    for (run, ms) in runs {
        assert_eq!(ms, Some(run));
    }
    assert!(
        !remarks.iter().any(|r| r.contains("run times")),
        "{remarks:?}"
    );
    // Without numbers nothing says which is missing.
    let (runs, remarks) = of_runs(directory.path(), PLAIN);
    assert!(runs.iter().all(|(_, ms)| ms.is_none()), "{runs:?}");
    let said = "Left out: run times of program under async: 10 recordings and 12 invocations";
    let said = |remark: &&String| remark.starts_with(said);
    assert_eq!(remarks.iter().filter(said).count(), 1, "{remarks:?}");
}

#[test]
fn a_recording_without_its_invocation_has_no_time() {
    let directory = twelve();
    let times = directory.path().join("times.data");
    let text = std::fs::read_to_string(&times).expect("times");
    let rows = text
        .split_inclusive('\n')
        .filter(|row| !row.starts_with("5\t"));
    std::fs::write(&times, rows.collect::<String>()).expect("times");
    let (runs, remarks) = of_runs(directory.path(), NUMBERED);
    for (run, ms) in runs {
        assert_eq!(ms, Some(run).filter(|run| *run != 5.0));
    }
    let said = |remark: &&String| remark.contains("in 1 of 12 recordings");
    assert_eq!(remarks.iter().filter(said).count(), 1, "{remarks:?}");
}

#[test]
fn numbers_that_are_not_those_of_invocations_give_no_times() {
    let runs = BTreeMap::from([(1, 1.0), (2, 2.0)]);
    let why = |first: &str, second: &str| {
        let places = [place(0, "a", Some(first)), place(1, "b", Some(second))];
        matched(&[&places[0], &places[1]], &runs)
    };
    assert_eq!(why("2", "01"), Ok(vec![Some(2.0), Some(1.0)]));
    let error = |first, second| why(first, second).expect_err("no times");
    assert!(error("0", "1").contains("from 0"));
    assert!(error("2", "2").contains("of run 2"));
    // What is no number does not count.
    assert_eq!(why("x", "1"), Ok(vec![Some(1.0), Some(2.0)]));
}

#[test]
fn numbers_in_names_are_in_their_order() {
    let mut names = ["b-1", "a-10", "a-2", "a-02b", "a", "a-1", "2", "10"];
    names.sort_by_key(|name| natural(name));
    assert_eq!(
        names,
        ["2", "10", "a", "a-1", "a-2", "a-02b", "a-10", "b-1"]
    );
}
