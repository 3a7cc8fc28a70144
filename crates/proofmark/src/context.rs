//! What a command works with that needs block times: a run, a calibrated machine, a program.

use std::path::PathBuf;

use proofmark_experiment::candidates::Slowdown;
use proofmark_experiment::lab::Filler;
use proofmark_experiment::{About, Session as Experiment};
use proofmark_jvm::toolchain::Kit;
use proofmark_jvm::{GraalLabs, LabSettings, ProfilerSpec};
use proofmark_store::Run;

use crate::builds::Builds;
use crate::machine::Measured;
use crate::request::ProgramRequest;
use crate::run::plan_files::PlanFiles;
use crate::session::{Session, open_run, toolchain};
use crate::surroundings::Surroundings;

/// Names of the two kinds of problems that are not bugs: they decide the exit code.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// The command line asks for something that does not exist.
    #[error("{0}")]
    Usage(String),
    /// This machine or workload cannot be measured.
    #[error("{0}")]
    Cannot(String),
}

/// A program whose block times are measured.
pub struct Context {
    /// JDK and jars, the run's directory, progress and the interrupt.
    pub session: Session,
    /// What a sample means here.
    pub measured: Measured,
    /// The program.
    pub program: ProgramRequest,
    /// The slowdown instruction of the run and who chose it; none as long as it is not chosen.
    pub slowdown: Option<Slowdown>,
}

impl Context {
    /// Gets everything ready: the machine is calibrated before the run begins.
    ///
    /// # Errors
    /// When something is missing, with its remedy.
    pub fn new(program: &ProgramRequest, around: &Surroundings) -> anyhow::Result<Self> {
        let (kit, measured) = Self::ready(program, around)?;
        let builds = Builds::of(&program.workload, &around.toolchain).in_laboratory(Some(&kit.jdk));
        let run = open_run(program, builds)?;
        Ok(Self::of((kit, measured), run, program, around))
    }

    /// Toolchain and calibrated machine.
    ///
    /// # Errors
    /// When something is missing, with its remedy.
    pub fn ready(
        program: &ProgramRequest,
        around: &Surroundings,
    ) -> anyhow::Result<(Kit, Measured)> {
        let kit = toolchain(program, around)?;
        Ok((kit, Measured::get(around)?))
    }

    /// In a run that has begun.
    #[must_use]
    pub fn of(
        (kit, measured): (Kit, Measured),
        run: Run,
        program: &ProgramRequest,
        around: &Surroundings,
    ) -> Self {
        Context {
            session: Session::of(kit, run, around),
            measured,
            program: program.clone(),
            slowdown: None,
        }
    }

    /// Program and machine, for experiments with a slowdown instruction.
    pub fn about(&self, filler: Filler) -> About {
        About {
            program: self.program.workload.name().to_owned(),
            workload: self.program.workload.to_string(),
            environment: self.session.environment(Some(&self.measured.probe)),
            clock_ghz: self.measured.clock_ghz(),
            filler,
            prior: self.measured.prior(filler),
            place: self.session.run.directory().display().to_string(),
        }
    }

    /// What an experiment works with.
    pub fn experiment<'a>(
        &'a mut self,
        labs: &'a GraalLabs,
        about: &'a About,
        plans: &'a mut PlanFiles,
    ) -> Experiment<'a> {
        Experiment {
            labs,
            steps: &mut self.session.run,
            plans,
            progress: &self.session.progress,
            about,
        }
    }

    /// Settings of a laboratory that samples and whose output goes to `NAME.log` in the run's directory.
    ///
    /// # Errors
    /// If the directory of profiles cannot be made.
    pub fn lab_settings(&self, name: &str, profiles: PathBuf) -> anyhow::Result<LabSettings> {
        let settings = self
            .session
            .named_lab_settings(name, &self.program, profiles)?;
        Ok(self.sampled(settings))
    }

    /// The same settings, with samples.
    fn sampled(&self, settings: LabSettings) -> LabSettings {
        LabSettings {
            probe: Some(self.measured.probe.clone()),
            resolution: self.measured.resolution(),
            filler: self.measured.filler(),
            ..settings
        }
    }

    /// Starts JVMs of the program for experiments, with profiles from (and to) the run's directory; `profilers` may be
    /// asked for.
    pub fn labs(&self, profilers: Vec<ProfilerSpec>) -> GraalLabs {
        let session = &self.session;
        GraalLabs {
            kit: session.kit.clone(),
            workload: self.program.workload.clone(),
            settings: LabSettings {
                profiles: Some(session.file("profiles")),
                ..self.sampled(session.lab_settings(&self.program))
            },
            profilers,
            files: session.run.directory().to_owned(),
        }
    }
}
