//! Processes that die, lose units, compile other code or are refused: each failure is told as what it was.

use crate::common::{Run, assess, labs, reason, request, subject, trouble, verdict};
use proofmark_assess::{Verdict, overall};
use proofmark_experiment::sim::Happening;
use proofmark_experiment::{ExperimentError, Failure};

/// The failure of the laboratory in which this happens.
fn failure(what: Happening) -> Failure {
    let mut labs = labs(3);
    labs.troubles = vec![trouble("laboratory", what)];
    let asked = request(&[subject("right", 900.0)]);
    match assess(&mut Run::default(), &labs, &asked) {
        Err(ExperimentError::Lab(error)) => error.failure,
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("a verdict"),
    }
}

#[test]
fn without_a_laboratory_there_is_no_verdict() {
    assert_eq!(failure(Happening::IsRefused), Failure::Refused);
    for window in [0, 3, 12, 30, 60] {
        assert_eq!(failure(Happening::Dies(window)), Failure::Died);
        assert_eq!(failure(Happening::LosesUnits(window)), Failure::UnitsLost);
    }
}

/// What is said of a profiler in whose process this happens; the other one is judged all the same.
fn told(what: Happening) -> String {
    let mut labs = labs(3);
    labs.troubles = vec![trouble("right", what)];
    let asked = request(&[subject("right", 900.0), subject("wrong", 900.0)]);
    let assessed = assess(&mut Run::default(), &labs, &asked).expect("the other one is judged");
    assert_eq!(verdict(&assessed, "right"), Verdict::Undecided);
    assert_eq!(verdict(&assessed, "wrong"), Verdict::Wrong);
    assert_eq!(overall(&assessed.assessment), Verdict::Wrong);
    reason(&assessed, "right")
}

#[test]
fn a_profiler_whose_process_fails_is_undecided_with_the_reason() {
    assert!(told(Happening::Dies(7)).contains("the JVM ended"));
    assert!(told(Happening::LosesUnits(7)).contains("replaced our code"));
    assert!(told(Happening::IsRefused).contains("never hot"));
    assert!(
        told(Happening::CompilesDifferently)
            .contains("no unit of the plan was compiled as in the plan")
    );
}

#[test]
fn if_every_profiler_fails_the_run_is_refused() {
    let mut labs = labs(3);
    labs.troubles = vec![
        trouble("right", Happening::Dies(7)),
        trouble("wrong", Happening::LosesUnits(2)),
    ];
    let asked = request(&[subject("right", 900.0), subject("wrong", 900.0)]);
    let error = assess(&mut Run::default(), &labs, &asked)
        .map(|_| ())
        .expect_err("nothing was seen");
    assert!(matches!(error, ExperimentError::Cannot(_)), "{error}");
    assert!(error.to_string().contains("the JVM ended"), "{error}");
}

#[test]
fn an_interrupt_is_nobodys_failure() {
    let mut labs = labs(3);
    labs.troubles = vec![trouble("right", Happening::IsInterrupted(4))];
    let asked = request(&[subject("right", 900.0), subject("wrong", 900.0)]);
    let error = assess(&mut Run::default(), &labs, &asked)
        .map(|_| ())
        .expect_err("an interrupt");
    let ExperimentError::Lab(error) = error else {
        panic!("{error}");
    };
    assert_eq!(error.failure, Failure::Interrupted);
}

#[test]
fn windows_that_are_repeated_are_told() {
    let mut labs = labs(3);
    labs.troubles = vec![trouble("laboratory", Happening::ReplacesCode(3))];
    let asked = request(&[subject("right", 900.0)]);
    let assessed = assess(&mut Run::default(), &labs, &asked).expect("verdicts");
    let sampling = assessed
        .plan
        .report
        .sampling
        .as_ref()
        .expect("how it was sampled");
    assert!(sampling.repeated_windows > 3, "{sampling:?}");
    assert_eq!(verdict(&assessed, "right"), Verdict::Right);
}
