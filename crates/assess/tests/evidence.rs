//! Evidence that does not fit together is refused; native leaves and two streams are treated as documented.

use crate::common::{program, unslowed};
use proofmark_assess::{Evidence, EvidenceError, Settings, assess};
use proofmark_experiment::sim::Fault;

fn refused(change: impl Fn(&mut Evidence)) -> EvidenceError {
    let mut evidence = unslowed(8, 800.0, Fault::None).evidence("x");
    change(&mut evidence);
    assess(&evidence, &Settings::default()).unwrap_err()
}

#[test]
fn faults_are_named() {
    let length = refused(|e| e.profilers[0].windows[2].methods.truncate(2));
    assert_eq!(
        length.to_string(),
        "x, window 4: 2 weights in `methods` for 6 methods"
    );
    let number = refused(|e| e.profilers[0].truth[0].streams[1].outside = f64::NAN);
    assert!(
        matches!(
            number,
            EvidenceError::Number {
                field: "outside",
                ..
            }
        ),
        "{number}"
    );
    let target = refused(|e| {
        e.profilers[0].windows[0].at.condition = proofmark_assess::Condition::Single(3)
    });
    assert!(
        matches!(target, EvidenceError::Target { index: 3, .. }),
        "{target}"
    );
}

/// Native leaves are in no denominator: doubling them changes no share.
#[test]
fn native_leaves_change_no_share() {
    let mut evidence = program(100.0, Fault::None).evidence("x");
    let before = assess(&evidence, &Settings::default()).unwrap();
    for w in &mut evidence.profilers[0].windows {
        w.native = w.methods.iter().sum();
        w.lost = 3.0;
    }
    let after = assess(&evidence, &Settings::default()).unwrap();
    assert_eq!(before.profilers[0].shares, after.profilers[0].shares);
    assert!(after.profilers[0].losses.native_pct.unwrap().covers(50.0));
    assert!(after.profilers[0].losses.lost_pct.unwrap().value > 0.5);
}

/// Aliasing of one stream shows as a difference between the two.
#[test]
fn streams_that_disagree_are_reported() {
    let mut evidence = unslowed(20, 8000.0, Fault::None).evidence("x");
    let quiet = assess(&evidence, &Settings::default()).unwrap();
    assert!(
        quiet.profilers[0]
            .tests
            .absolute
            .as_ref()
            .unwrap()
            .streams_differ_pt
            .unwrap()
            .low
            < 0.5
    );
    for w in &mut evidence.profilers[0].truth {
        let moved = w.streams[1].methods[0] * 0.2;
        w.streams[1].methods[0] -= moved;
        w.streams[1].methods[1] += moved;
    }
    let aliased = assess(&evidence, &Settings::default()).unwrap();
    assert!(
        aliased.profilers[0]
            .notes
            .iter()
            .any(|n| n.contains("streams differ"))
    );
}

/// A third of our samples outside of compiled methods, and a method too small to be compared: what is left is judged.
#[test]
fn the_judged_share_is_of_the_whole_time() {
    let judged = |e: &Evidence| {
        let assessed = assess(e, &Settings::default()).unwrap();
        assessed.profilers[0]
            .judged_time_pct
            .expect("unslowed windows")
    };
    let mut evidence = unslowed(20, 8000.0, Fault::None).evidence("x");
    let (mut all, mut compared) = (0.0, 0.0);
    for stream in evidence.profilers[0]
        .truth
        .iter_mut()
        .flat_map(|w| &mut w.streams)
    {
        let moved = 0.9 * stream.methods[5];
        stream.methods[5] -= moved;
        stream.methods[0] += moved;
        stream.outside = stream.methods.iter().sum::<f64>() / 2.0;
        all += stream.outside * 3.0;
        compared += stream.methods.iter().sum::<f64>() - stream.methods[5];
    }
    for window in &mut evidence.profilers[0].windows {
        window.methods[0] += window.methods[5];
        window.methods[5] = 0.0;
    }
    let found = judged(&evidence);
    assert!(
        (found.value - 100.0 * compared / all).abs() < 0.2,
        "{found:?}"
    );
    assert!(
        (60.0..66.6).contains(&found.value) && found.covers(found.value),
        "{found:?}"
    );
    evidence.profilers[0].truth.clear();
    let assessed = assess(&evidence, &Settings::default()).unwrap();
    assert_eq!(assessed.profilers[0].judged_time_pct, None);
}
