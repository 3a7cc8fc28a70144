//! `proofmark divine` of a native program: a plan for the blocks of one that was built with slots.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use proofmark_divine::Environment;
use proofmark_experiment::candidates::{Chooser, Slowdown};
use proofmark_experiment::divine::{self, DivineRequest, Plan};
use proofmark_experiment::lab::{Filler, Insertion};
use proofmark_experiment::{About, Session as Experiment};
use proofmark_jvm::toolchain::shell_line;
use proofmark_native::{SlotLabs, SlotSettings, Slotted};
use proofmark_store::Run;

use crate::machine::Measured;
use crate::progress::Progress;
use crate::request::NativeDivineRequest;
use crate::run::native::manifest::NativeManifest;
use crate::run::plan_files::PlanFiles;
use crate::session::{begun, file_name};
use crate::surroundings::Surroundings;

/// A native program whose block times are measured, in a run that has begun.
pub struct NativeRun {
    /// What is asked for.
    pub request: NativeDivineRequest,
    /// What a sample means here.
    pub measured: Measured,
    /// Where results go.
    pub run: Run,
    /// The slowdown instruction and who chose it.
    pub slowdown: Slowdown,
    filler: Filler,
    program: Slotted,
    progress: Progress,
    interrupted: Arc<AtomicBool>,
}

impl NativeRun {
    /// Gets everything ready: the machine is calibrated before the run begins.
    ///
    /// # Errors
    /// When the program cannot be read, nothing can be sampled here, or the run's directory cannot be had.
    pub fn new(request: &NativeDivineRequest, around: &Surroundings) -> anyhow::Result<Self> {
        let file = request.program.canonicalize()?;
        let program = Slotted::read(&file)?;
        let measured = Measured::get(around)?;
        let label = file_name(&name(request));
        let run = begun(request.out.as_deref(), &label, &NativeManifest::of(request))?;
        // What `candidates` recommends was tried in compiled Java.
        let usual = measured.filler();
        let slowdown = match request.filler {
            Some(filler) => Slowdown::of(filler, Chooser::User),
            None => Slowdown::of(usual, Chooser::Calibration),
        };
        Ok(NativeRun {
            filler: request.filler.unwrap_or(usual),
            request: request.clone(),
            measured,
            run,
            slowdown,
            program,
            progress: around.progress.clone(),
            interrupted: around.interrupted.clone(),
        })
    }

    /// The program's name.
    #[must_use]
    pub fn name(&self) -> String {
        name(&self.request)
    }

    /// The program with its arguments.
    #[must_use]
    pub fn command(&self) -> String {
        let program = [self.request.program.display().to_string()];
        let words = program.iter().chain(&self.request.arguments);
        shell_line(words.cloned())
    }

    fn about(&self) -> About {
        About {
            program: self.name(),
            workload: self.command(),
            environment: Environment {
                machine: self.measured.machine.to_string(),
                jdk: String::new(),
                graal: String::new(),
                event: self.measured.probe.event.to_string(),
            },
            clock_ghz: self.measured.clock_ghz(),
            filler: self.filler,
            prior: self.measured.prior(self.filler),
            place: self.run.directory().display().to_string(),
        }
    }

    fn labs(&self) -> SlotLabs {
        SlotLabs {
            program: self.program.clone(),
            settings: SlotSettings {
                arguments: self.request.arguments.clone(),
                directory: self.run.directory().join("variants"),
                most_s: self.request.process_timeout_s,
                probe: self.measured.probe.clone(),
                resolution: self.measured.resolution(),
                filler: self.filler,
                progress: self.progress.callback(),
                interrupted: self.interrupted.clone(),
            },
        }
    }
}

/// Divines a plan and writes it.
///
/// # Errors
/// When the laboratory fails.
pub fn run(native: &mut NativeRun) -> anyhow::Result<Plan> {
    let asked = &native.request;
    let request = DivineRequest {
        target: asked.target_pct / 100.0,
        insertion: Insertion {
            filler: native.filler,
            at: asked.insertion_point,
        },
        seed: asked.seed,
        verify: 0,
        fresh: None,
        effort: asked.search.effort(),
    };
    let path = asked.output.clone();
    let path = path.unwrap_or_else(|| native.run.directory().join("plan.json"));
    let mut plans = PlanFiles::without_profiles(path);
    let (labs, about) = (native.labs(), native.about());
    let mut session = Experiment {
        labs: &labs,
        steps: &mut native.run,
        plans: &mut plans,
        progress: &native.progress,
        about: &about,
    };
    let plan = divine::run(&mut session, &request)?;
    // What the second check found of the code that was measured, and what was not measured.
    if let Some(state) = &plan.report.warm_up {
        native.progress.note(&state.reason);
        for left in &state.refused {
            native.progress.note(&format!("left out: {left}"));
        }
    }
    Ok(plan)
}

fn name(request: &NativeDivineRequest) -> String {
    let name = request.program.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}
