//! Honest Profiler.

use super::*;

#[test]
fn a_log_of_honest_profiler_is_a_fixture() {
    let bytes = fixture("constructed/honest.hpl");
    assert_eq!(
        bytes,
        honest_log(),
        "written by this test: see `honest_log`"
    );
}

/// A log of Honest Profiler, written as its agent writes: thread, timed trace, frames, then methods.
fn honest_log() -> Vec<u8> {
    let mut log = Vec::new();
    let text = |log: &mut Vec<u8>, text: &str| {
        log.extend((text.len() as i32).to_be_bytes());
        log.extend(text.as_bytes());
    };
    log.push(4);
    log.extend(7_i64.to_be_bytes());
    text(&mut log, "main");
    let trace = |log: &mut Vec<u8>, frames: i32, ns: i64| {
        log.push(11);
        log.extend(frames.to_be_bytes());
        for value in [7, 1_795_261_829, ns] {
            log.extend(value.to_be_bytes());
        }
    };
    let frame = |log: &mut Vec<u8>, bci: i32, line: i32, method: i64| {
        log.push(21);
        log.extend(bci.to_be_bytes());
        log.extend(line.to_be_bytes());
        log.extend(method.to_be_bytes());
    };
    trace(&mut log, 2, 5);
    frame(&mut log, 12, 40, 100);
    frame(&mut log, 3, 9, 101);
    log.push(31);
    log.extend(100_i64.to_be_bytes());
    for part in ["Queens.java", "LQueens;", "", "placeQueen", "(I)Z", ""] {
        text(&mut log, part);
    }
    log.push(3);
    log.extend(101_i64.to_be_bytes());
    for part in ["Run.java", "LRun;", "main"] {
        text(&mut log, part);
    }
    trace(&mut log, 1, 900);
    frame(&mut log, 0, 0, 102);
    log.push(3);
    log.extend(102_i64.to_be_bytes());
    for part in ["AGCT.java", "AGCT", "Unknown Java[ERR=-5]"] {
        text(&mut log, part);
    }
    log
}

#[test]
fn honest_profiler() {
    let log = honest_log();
    assert_eq!(detect(&log), Some(Format::Honest));
    let profile = import(&log, &Options::default()).expect("sound");
    let shares = profile.by_method(&Filter::thread_named("main"));
    assert_eq!(
        shares.methods[&method("Queens.placeQueen(I)Z")].self_weight,
        1.0
    );
    assert_eq!(shares.failed["Unknown Java[ERR=-5]"], 1.0);
    assert_eq!(profile.samples[0].time_ns, Some(1_795_261_829_000_000_005));
    let leaf = profile
        .frames_of(&profile.samples[0])
        .next()
        .expect("a frame");
    assert_eq!((leaf.line, leaf.bci), (Some(40), Some(12)));
    let cut = import(&log[..log.len() - 3], &Options::default()).expect("most of it");
    assert!(cut.incomplete && cut.samples.len() == 2);
}
