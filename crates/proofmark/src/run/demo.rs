//! `proofmark demo`: the main job on a bundled program, small enough for five minutes.

use super::divine::Effort;
use crate::args::{AssessArguments, DemoArguments, WorkloadArguments};

/// The demo as an assessment.
pub fn arguments(demo: &DemoArguments) -> AssessArguments {
    AssessArguments {
        workload: WorkloadArguments {
            workload: Some(format!("suite:{}", demo.program)),
            class_path: None,
            java: Vec::new(),
            heap: 1024,
            iteration_timeout: 60.0,
            out: demo.out.clone(),
            seed: 1,
        },
        profiler: vec!["jfr".into(), "async".into()],
        interval: None,
        async_library: None,
        plan: None,
        target: vec![100.0],
        // Looking for blocks that keep what is added to them would take the demo beyond five minutes.
        singles: 0,
        margin: 5.0,
        time_budget: None,
        no_cause: false,
        c2: false,
        dry_run: false,
    }
}

/// Less searching and evaluating than usual.
pub fn effort() -> Effort {
    Effort {
        watched_s: 4.0,
        unwatched_s: 1.8,
        evaluation_rounds: 3,
        ..Effort::default()
    }
}
