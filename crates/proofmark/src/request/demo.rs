//! The request of `demo`.

use std::path::PathBuf;

use proofmark_experiment::dose::{Again, DoseKind};
use proofmark_jvm::Workload;

use super::{AT_ONCE, AssessRequest, DoseRequest, InLaboratory, ProgramRequest, SearchRequest};

impl AssessRequest {
    /// The demo as an assessment of this program; `out`: the run's directory, none for a new one.
    #[must_use]
    pub fn demo(workload: Workload, out: Option<PathBuf>) -> Self {
        let named = format!("suite:{}", workload.name());
        let profilers: Vec<String> = ["jfr", "jfr+nonsafepoints", "async"]
            .map(str::to_owned)
            .into();
        let (methods, runs) = (3, 1);
        let sites = DoseRequest {
            workload: workload.clone(),
            command: Vec::new(),
            again: Again::named(named.clone(), &profilers, methods, runs),
            profilers,
            methods,
            named: Vec::new(),
            most_s: None,
            kind: DoseKind::Arithmetic,
            margin_pt: 5.0,
            rounds: 2,
            budget_s: 5.0,
            // More JVMs would take the demo beyond five minutes; its sentence says that one was asked.
            runs,
            most_runs: runs,
            at_once: AT_ONCE.into(),
            window_s: 0.2,
            interval_ms: None,
            async_library: None,
            iteration_timeout_s: 60.0,
            out: None,
            seed: 1,
        };
        AssessRequest {
            program: ProgramRequest {
                workload,
                java: None,
                heap_mb: 1024,
                iteration_timeout_s: 60.0,
                out,
                seed: 1,
            },
            // Each profiler costs the laboratory some 40 s, sites 20.
            profilers: vec!["jfr".into()],
            sites: Ok(Box::new(sites)),
            laboratory: InLaboratory::WhereItCan,
            interval_ms: None,
            async_library: None,
            plan: None,
            filler: None,
            search: SearchRequest::default(),
            targets_pct: vec![100.0],
            // Single blocks would take the demo beyond five minutes.
            singles: 0,
            margin_pt: 5.0,
            time_budget_s: None,
            runs: 1,
            // The sites test it.
            cause: false,
            to_assess: Some(named),
            c2: false,
            dry_run: false,
        }
    }
}
