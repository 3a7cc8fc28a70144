//! Candidate instructions over a simulated laboratory, whose instructions all cost the same.

use crate::common::{Run, about, labs, trouble};
use proofmark_experiment::ExperimentError;
use proofmark_experiment::candidates::{self, CandidatesReport, CandidatesRequest};
use proofmark_experiment::lab::{Filler, Insertion};
use proofmark_experiment::sim::{Happening, SimulatedLabs};
use proofmark_test_support::fit_schema;

fn compared(
    run: &mut Run,
    labs: &SimulatedLabs,
    fillers: &[Filler],
) -> Result<CandidatesReport, ExperimentError> {
    let about = about(labs);
    let mut session = run.session(labs, &about);
    let request = CandidatesRequest {
        target: 1.0,
        candidates: fillers.iter().map(|one| Insertion::plan(*one)).collect(),
        profiler: Some("right".into()),
        seed: 1,
    };
    candidates::run(&mut session, &request)
}

#[test]
fn every_candidate_has_its_figures_and_a_right_profiler_shows_the_same_shares() {
    let (mut run, labs) = (Run::default(), labs(3));
    let report = compared(&mut run, &labs, &[Filler::Mov, Filler::Nop]).expect("figures");
    fit_schema("candidates.schema.json", std::slice::from_ref(&report));
    assert_eq!(report.candidates.len(), 2);
    for row in &report.candidates {
        let overhead = row.overhead_pct.expect("an overhead").value;
        assert!((90.0..110.0).contains(&overhead), "{overhead}");
        let response = row.response.as_ref().expect("a response");
        let cycles = response.cycles_per_instruction.expect("a cost");
        assert!(cycles.low > 0.05 && cycles.high < 1.0, "{cycles:?}");
        assert!(row.inserted > 0 && row.failed.is_none());
        let all: f64 = row.histogram.iter().map(|one| one.time_pct).sum();
        assert!((all - 100.0).abs() < 1e-6, "{all}");
        let view = row.view.as_ref().expect("a profiler looked");
        assert!(view.mean_squared_error.value < 10.0, "{view:?}");
    }
    assert!(report.recommended.is_some());
    let chosen = (report.usual.as_deref(), report.preferred.as_deref());
    assert_eq!(chosen, (Some("mov"), None), "all cost the same");
}

#[test]
fn a_process_that_dies_is_a_result_and_a_run_goes_on_where_it_was() {
    let mut dying = labs(3);
    dying
        .troubles
        .push(trouble("candidates-0", Happening::Dies(3)));
    let mut run = Run::default();
    let report = compared(&mut run, &dying, &[Filler::Pause, Filler::Mov]).expect("figures");
    let failed = report.candidates[0].failed.as_deref().expect("a reason");
    assert!(failed.contains("the JVM ended"), "{failed}");
    assert!(report.candidates[1].failed.is_none());
    let finished = run.steps.len();
    let again = compared(&mut run, &dying, &[Filler::Pause, Filler::Mov]).expect("figures");
    assert_eq!(again, report);
    assert_eq!(run.steps.len(), finished, "nothing was measured twice");
}
