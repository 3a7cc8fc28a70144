//! What is the same for all JVMs of a test.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use proofmark_experiment::dose::{Clock, Dose};
use proofmark_jvm::dose::{ATTACHED, DosedWindow, SiteLab, SiteOrder, WantedSite};
use proofmark_jvm::toolchain::{DoseKit, Settings};
use proofmark_jvm::{Engine, LabError, ProfilerOptions, ProfilerSpec};
use proofmark_stats::median;

use crate::context::Refusal;
use crate::request::DoseRequest;
use crate::run::profilers::async_profiler;
use crate::session::run_place;
use crate::surroundings::Surroundings;

/// Time between samples, ns: as often as async-profiler keeps up here, and the least that JFR can be asked for.
const ASYNC_NS: u64 = 200_000;
const JFR_NS: u64 = 1_000_000;

/// Everything for starting JVMs.
pub(super) struct Session<'s> {
    pub(super) request: &'s DoseRequest,
    pub(super) around: &'s Surroundings,
    pub(super) kit: DoseKit,
    pub(super) specs: Vec<ProfilerSpec>,
    pub(super) directory: PathBuf,
}

impl<'s> Session<'s> {
    /// Puts together what is needed.
    pub(super) fn begin(
        request: &'s DoseRequest,
        around: &'s Surroundings,
    ) -> anyhow::Result<Self> {
        let java = java(request, &around.toolchain);
        let kit = DoseKit::assemble(&around.toolchain, &java)?;
        let specs = specs(request, around, &kit)?;
        let label = format!("dose-{}", request.workload.name());
        let directory = run_place(request.out.as_deref(), &label)?.canonicalize()?;
        Ok(Self {
            request,
            around,
            kit,
            specs,
            directory,
        })
    }

    /// Starts a JVM; its files go to a directory of that name.
    pub(super) fn lab(
        &self,
        name: &str,
        sites: &[WantedSite],
        profiler: Option<&ProfilerSpec>,
    ) -> Result<SiteLab, LabError> {
        SiteLab::start(&SiteOrder {
            kit: &self.kit,
            workload: &self.request.workload,
            sites,
            profiler,
            directory: &self.directory.join(name),
            iteration_limit: Duration::from_secs_f64(self.request.iteration_timeout_s),
            interrupted: Arc::clone(&self.around.interrupted),
        })
    }

    /// Says what is being done.
    pub(super) fn say(&self, text: &str) {
        self.around.progress.step(text);
    }
}

/// The `java` that the program is started with. A path says which JVM is meant; a bare `java` is that of --jdk.
pub fn java(request: &DoseRequest, settings: &Settings) -> PathBuf {
    match (request.command.first(), &settings.jdk) {
        (Some(java), _) if java != "java" => PathBuf::from(java),
        (_, Some(jdk)) => jdk.join("bin/java"),
        _ => "java".into(),
    }
}

fn specs(
    request: &DoseRequest,
    around: &Surroundings,
    kit: &DoseKit,
) -> anyhow::Result<Vec<ProfilerSpec>> {
    let mut options = ProfilerOptions::every(request.interval_ms);
    let names = &request.profilers;
    let base = |name: &str| name.strip_suffix(ATTACHED).unwrap_or(name).to_owned();
    if names
        .iter()
        .any(|name| ProfilerSpec::wants_async(&base(name)))
    {
        let own = request.async_library.as_deref();
        let found = async_profiler(&around.toolchain, &kit.count.jdk, own)?;
        options.async_profiler = Some(found);
    }
    let refuse = |text: String| Err(Refusal::Usage(text).into());
    let release = kit.count.jdk.version.feature();
    let mut specs: Vec<ProfilerSpec> = Vec::new();
    for name in names {
        let parsed = ProfilerSpec::parse(&base(name), &options);
        let mut spec = parsed.map_err(|error| Refusal::Usage(error.to_string()))?;
        if name.ends_with(ATTACHED) {
            spec.name += ATTACHED;
        }
        match &spec.engine {
            Engine::JfrCpu if release < 25 => {
                return refuse(format!("{name} needs Java 25; this JVM is Java {release}"));
            }
            engine if request.interval_ms.is_none() => {
                spec.interval_ns = match engine {
                    Engine::Async { .. } => ASYNC_NS,
                    _ => JFR_NS,
                };
            }
            _ => {}
        }
        if specs.iter().all(|one| one.name != spec.name) {
            specs.push(spec);
        }
    }
    Ok(specs)
}

/// The clock of a JVM.
pub(super) struct LabClock<'l> {
    pub(super) lab: &'l mut SiteLab,
}

/// Time and iterations for one look at the clock.
const LOOK_S: f64 = 0.1;
const LOOK_ITERATIONS: u32 = 3;

impl Clock for LabClock<'_> {
    type Error = LabError;

    fn iteration_ns(&mut self, dose: Option<Dose>) -> Result<f64, LabError> {
        let dose = dose.map(|dose| (dose.site, dose.turns));
        let window = self.lab.window(dose, LOOK_S, LOOK_ITERATIONS, false)?;
        Ok(median_ns(&window))
    }
}

/// Mean CPU time of a window's iterations, ns.
pub(super) fn mean_ns(window: &DosedWindow) -> f64 {
    let all = window.iterations.iter().map(|(_, _, cpu)| *cpu as f64);
    all.sum::<f64>() / window.iterations.len().max(1) as f64
}

/// Median CPU time of a window's iterations, ns: others on the machine only ever make some of them longer.
pub(super) fn median_ns(window: &DosedWindow) -> f64 {
    let all: Vec<f64> = window
        .iterations
        .iter()
        .map(|(_, _, cpu)| *cpu as f64)
        .collect();
    median(&all).unwrap_or(f64::NAN)
}
