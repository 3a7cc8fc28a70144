//! The controls of a whole assessment get a second look where that would probably decide, as profilers do.

use crate::common::{Run, assess, judgement, labs, request};
use proofmark_assess::{Condition, Judgement, Verdict};
use proofmark_experiment::assess::AssessRequest;
use proofmark_experiment::sim::{Fault, SimulatedLabs};

/// The safepoint control of these laboratories, if it moves so many points to another method.
fn control(labs: &mut SimulatedLabs, asked: &AssessRequest, points: f64) -> Judgement {
    let named = |labs: &SimulatedLabs, name: &str| {
        let at = labs.profilers.iter().position(|known| known.name == name);
        at.expect("a profiler")
    };
    let Fault::Moves { from, to, .. } = labs.profilers[named(labs, "wrong")].fault else {
        panic!("it moves time");
    };
    let safepoint = named(labs, "safepoint");
    labs.profilers[safepoint].fault = Fault::Moves { from, to, points };
    let mut run = Run::default();
    let first = assess(&mut run, labs, asked).expect("controls");
    let started = labs.started();
    let again = assess(&mut run, labs, asked).expect("controls");
    assert_eq!(labs.started(), started, "what was seen is kept");
    let judged = judgement(&first, "safepoint").clone();
    let known = |judged: &Judgement| (judged.verdict, judged.analyses);
    assert_eq!(known(judgement(&again, "safepoint")), known(&judged));
    judged
}

/// Windows of the unslowed program in which it was seen.
fn windows(judged: &Judgement) -> usize {
    let mut sizes = judged.sizes.iter();
    let unslowed = sizes.find(|size| size.condition == Condition::Baseline);
    unslowed.expect("unslowed windows").profiler_windows
}

/// What is far off is seen at once; what is not far above the margin, some 0.5 to 1.2 points, needs the windows twice.
#[test]
fn a_safepoint_control_that_is_left_open_is_measured_once_more() {
    let mut labs = labs(5);
    let searched = assess(&mut Run::default(), &labs, &request(&[])).expect("a plan");
    let asked = AssessRequest {
        plan: Some(searched.plan),
        ..request(&[])
    };
    let far = control(&mut labs, &asked, 20.0);
    assert_eq!((far.verdict, far.analyses), (Verdict::Wrong, 1));
    let near = [5.3, 5.5, 5.7, 5.9, 6.2, 6.4].map(|points| control(&mut labs, &asked, points));
    let open: Vec<&Judgement> = near.iter().filter(|one| one.analyses > 1).collect();
    assert!(!open.is_empty(), "a control just above the margin is open");
    for one in open {
        assert_eq!((one.analyses, windows(one)), (2, 2 * windows(&far)));
    }
}
