//! A run that is cut off anywhere goes on where it was.

use crate::common::{Notes, Run, about, assess, labs, reason, request, subject, trouble, verdict};
use proofmark_assess::Verdict;
use proofmark_experiment::sim::Happening;
use proofmark_experiment::{ExperimentError, Failure, Session, Steps};

/// What a run leaves that was killed after so many steps.
fn killed_after(steps: usize, whole: &Run) -> Run {
    let left = whole.steps.first(steps);
    let mut plans = whole.plans.clone();
    // The plan is written before the step that tells about it.
    plans.0 = plans.0.filter(|_| !left.results("plans").is_empty());
    Run { steps: left, plans }
}

#[test]
fn killed_after_any_step_it_ends_with_the_same_verdicts() {
    let asked = request(&[subject("right", 900.0), subject("wrong", 900.0)]);
    let mut whole = Run::default();
    assess(&mut whole, &labs(3), &asked).expect("verdicts");
    assert!(whole.steps.len() > 15, "{} steps", whole.steps.len());
    for steps in 0..=whole.steps.len() {
        let mut run = killed_after(steps, &whole);
        let labs = labs(3);
        let assessed = assess(&mut run, &labs, &asked).expect("verdicts");
        assert_eq!(verdict(&assessed, "right"), Verdict::Right, "after {steps}");
        assert_eq!(verdict(&assessed, "wrong"), Verdict::Wrong, "after {steps}");
        assert_eq!(
            run.steps.first(steps),
            whole.steps.first(steps),
            "what was there stays"
        );
        let left = ["laboratory", "profiler right", "profiler wrong"];
        let left = left
            .iter()
            .filter(|name| whole.steps.first(steps).results(name).is_empty());
        assert_eq!(
            labs.started(),
            left.count() as u64,
            "after {steps}: nothing is measured twice"
        );
    }
}

/// Rounds that the interrupted search measured are not measured again, though the next process numbers its units
/// the other way round.
#[test]
fn a_search_goes_on_in_a_process_with_other_numbers() {
    let asked = request(&[subject("right", 900.0)]);
    let mut labs = labs(4);
    labs.troubles = vec![trouble("laboratory", Happening::IsInterrupted(9))];
    let mut run = Run::default();
    let error = assess(&mut run, &labs, &asked).expect_err("it was interrupted");
    let ExperimentError::Lab(error) = error else {
        panic!("{error}");
    };
    assert_eq!(error.failure, Failure::Interrupted);
    let searches = |run: &Run| -> Vec<serde_json::Value> {
        let names = run
            .steps
            .names()
            .into_iter()
            .filter(|name| name.starts_with("search"));
        let all = names.flat_map(|name| {
            run.steps
                .results(&name)
                .into_iter()
                .cloned()
                .collect::<Vec<_>>()
        });
        all.collect()
    };
    let before = searches(&run);
    assert!(
        before.len() >= 4,
        "a baseline profile and some rounds: {}",
        before.len()
    );
    labs.troubles.clear();
    let assessed = assess(&mut run, &labs, &asked).expect("verdicts");
    assert_eq!(verdict(&assessed, "right"), Verdict::Right);
    let after = searches(&run);
    assert_eq!(&after[..before.len()], &before[..]);
    let begins = after.iter().filter(|entry| entry.get("Begin").is_some());
    assert_eq!(begins.count(), 1, "the search did not start over");
}

#[test]
fn results_of_other_options_are_not_taken() {
    let mut asked = request(&[subject("right", 900.0)]);
    let mut run = Run::default();
    assess(&mut run, &labs(3), &asked).expect("verdicts");
    asked.subjects[0].options = serde_json::json!({"--interval": 1});
    let labs = labs(3);
    assess(&mut run, &labs, &asked).expect("verdicts");
    assert_eq!(
        labs.started(),
        1,
        "the profiler is measured again, the laboratory not"
    );
    asked.options = serde_json::json!({"--target": [50.0]});
    let error = assess(&mut run, &labs, &asked).expect_err("another target");
    assert!(matches!(error, ExperimentError::Usage(_)), "{error}");
    assert!(error.to_string().contains("another --target"), "{error}");
}

/// It was another machine, or a Proofmark that named this one with less.
#[test]
fn what_was_measured_on_a_machine_of_another_name_says_so() {
    let asked = request(&[subject("right", 900.0)]);
    let (mut run, labs) = (Run::default(), labs(3));
    assess(&mut run, &labs, &asked).expect("verdicts");
    let mut said_on = |machine: &str| {
        let mut here = about(&labs);
        here.environment.machine = machine.into();
        let notes = Notes::default();
        let mut session = Session {
            progress: &notes,
            ..run.session(&labs, &here)
        };
        proofmark_experiment::assess::run(&mut session, &asked).expect("verdicts");
        notes.of("plan and controls")
    };
    let taken = "plan and controls: taken from the run before";
    assert_eq!(said_on("simulated"), taken);
    let elsewhere = "which was measured on simulated; this machine is another one";
    assert_eq!(said_on("another one"), format!("{taken}, {elsewhere}"));
}

/// A profiler that brought its process down is tried again by the next run.
#[test]
fn a_profiler_that_failed_is_tried_again() {
    let asked = request(&[subject("right", 900.0), subject("wrong", 900.0)]);
    let mut labs = labs(3);
    labs.troubles = vec![trouble("right", Happening::Dies(5))];
    let mut run = Run::default();
    let assessed = assess(&mut run, &labs, &asked).expect("the other one is judged");
    assert_eq!(verdict(&assessed, "right"), Verdict::Undecided);
    let reason = reason(&assessed, "right");
    assert!(reason.contains("signal 11"), "{reason}");
    assert_eq!(verdict(&assessed, "wrong"), Verdict::Wrong);
    labs.troubles.clear();
    let before = labs.started();
    let assessed = assess(&mut run, &labs, &asked).expect("verdicts");
    assert_eq!(verdict(&assessed, "right"), Verdict::Right);
    assert_eq!(labs.started() - before, 1, "only what failed");
}
