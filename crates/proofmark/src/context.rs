//! What every command that measures needs: toolchain, machine, calibration, a directory.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::Context as _;
use proofmark_blocks::Skid;
use proofmark_divine::{Environment, Prior};
use proofmark_jvm::toolchain::{Kit, Machine, Settings};
use proofmark_jvm::{BenchSettings, Launch, Scope, Workload, WorkloadError, split_class_path};
use proofmark_sampler::{Calibration, Probe, SlowdownInstruction, Victims, calibrate, probe};
use proofmark_store::{Run, new_run_directory, state_directory};

use crate::args::WorkloadArguments;
use crate::progress::Progress;

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

/// Everything that is the same for all JVMs of a run.
pub struct Context {
    /// JDK, Graal and our jars.
    pub kit: Kit,
    /// How the toolchain was found.
    pub toolchain: Settings,
    /// The machine.
    pub machine: Machine,
    /// What the processor can sample.
    pub probe: Probe,
    /// What the victims of known answer showed.
    pub calibration: Calibration,
    /// The program.
    pub workload: Workload,
    /// The command line's part about it.
    pub arguments: WorkloadArguments,
    /// Where results go.
    pub run: Run,
    /// Progress.
    pub progress: Progress,
    /// Set on Ctrl-C.
    pub interrupted: Arc<AtomicBool>,
}

impl Context {
    /// Gets everything ready.
    ///
    /// # Errors
    /// When something is missing, with its remedy.
    pub fn new(
        arguments: &WorkloadArguments,
        jdk: Option<&Path>,
        progress: &Progress,
        interrupted: Arc<AtomicBool>,
    ) -> anyhow::Result<Self> {
        let workload = workload(arguments)?;
        if !workload.left_out.is_empty() {
            progress.note(&format!(
                "left out, the laboratory sets heap (--heap), collector and compilers itself: {}",
                workload.left_out.join(" ")
            ));
        }
        let probe = probe()?;
        let toolchain = toolchain(jdk);
        progress.step("putting the toolchain together");
        let kit = Kit::assemble(&toolchain)?;
        progress.step("calibrating with victims of known answer");
        let victims = Victims {
            cost: false,
            ..Victims::ALL
        };
        let calibration = calibrate(&probe, victims)?;
        if calibration.trustworthy() == Some(false) {
            return Err(Refusal::Cannot(
                "the sampler does not find the known answer on this machine (see proofmark doctor): block times would be wrong. Try again when the machine is quieter".into(),
            )
            .into());
        }
        let run = open_run(arguments, &workload)?;
        let machine = Machine::this();
        let arguments = arguments.clone();
        Ok(Context {
            kit,
            toolchain,
            machine,
            probe,
            calibration,
            workload,
            arguments,
            run,
            progress: progress.clone(),
            interrupted,
        })
    }

    /// What a sampled address means here.
    pub fn skid(&self) -> Skid {
        match self.calibration.skid.as_ref().map(|finding| finding.skid) {
            Some(proofmark_sampler::Skid::None) => Skid::None,
            _ => Skid::NextInstruction,
        }
    }

    /// Core clock, GHz.
    pub fn clock_ghz(&self) -> f64 {
        self.calibration
            .core_clock_ghz
            .map_or(3.0, |clock| clock.value)
    }

    /// What calibration says about slowdown instructions; real blocks cost some 15 % more than the victims' (measuring.md, 6).
    pub fn prior(&self) -> Prior {
        const REAL_BLOCKS: f64 = 1.15;
        let slopes = self
            .calibration
            .slopes
            .iter()
            .filter(|s| s.instruction == SlowdownInstruction::RotatedMov);
        let slopes: Vec<f64> = slopes
            .map(|s| s.cycles_per_instruction.value)
            .filter(|s| *s > 0.02)
            .collect();
        let mean = slopes.iter().sum::<f64>() / slopes.len().max(1) as f64;
        if slopes.is_empty() {
            Prior::default()
        } else {
            Prior {
                slope_cycles: mean * REAL_BLOCKS,
                ..Prior::default()
            }
        }
    }

    /// Machine and versions, for plans.
    pub fn environment(&self) -> Environment {
        Environment {
            machine: format!(
                "{}, {} vCPU, Linux {}",
                self.machine.cpu_model, self.machine.vcpus, self.machine.kernel
            ),
            jdk: format!("{} {}", self.kit.versions.jdk_vendor, self.kit.versions.jdk),
            graal: self.kit.versions.graal.clone(),
            event: self.probe.event.to_string(),
        }
    }

    /// Settings of a laboratory whose output goes to `NAME.log` in the run's directory.
    pub fn bench(
        &self,
        name: &str,
        profiles: PathBuf,
        wanted: Vec<String>,
    ) -> anyhow::Result<BenchSettings> {
        std::fs::create_dir_all(&profiles)
            .with_context(|| format!("cannot create {}", profiles.display()))?;
        Ok(BenchSettings {
            launch: Launch {
                heap_mb: self.arguments.heap,
                ..Launch::default()
            },
            profiles: Some(profiles),
            wanted,
            scope: Scope::default(),
            several_threads: false,
            log: self
                .run
                .directory()
                .join(format!("{}.log", file_name(name))),
            iteration_limit: Duration::from_secs_f64(self.arguments.iteration_timeout),
            warm_up_s: (2.0, 90.0),
            probe: self.probe.clone(),
            skid: self.skid(),
            progress: self.progress.callback(),
            interrupted: self.interrupted.clone(),
        })
    }

    /// A file of the run.
    pub fn file(&self, name: &str) -> PathBuf {
        self.run.directory().join(name)
    }
}

/// Toolchain settings from the environment and the command line.
pub fn toolchain(jdk: Option<&Path>) -> Settings {
    let mut settings = Settings::from_env();
    if let Some(jdk) = jdk {
        settings.jdk = Some(jdk.to_owned());
    }
    settings.progress = Some(|text| eprintln!("{text}"));
    settings
}

/// The program that the command line names.
///
/// # Errors
/// When it names none.
pub fn workload(arguments: &WorkloadArguments) -> anyhow::Result<Workload> {
    let usage = |error: WorkloadError| Refusal::Usage(error.to_string());
    let class_path: Vec<PathBuf> = arguments
        .class_path
        .as_ref()
        .map(|path| split_class_path(path))
        .unwrap_or_default();
    let workload = match (&arguments.workload, arguments.java.as_slice()) {
        (Some(_), [_, ..]) => {
            return Err(Refusal::Usage("give a workload or -- java ..., not both".into()).into());
        }
        (Some(name), []) => Workload::parse(name, class_path).map_err(usage)?,
        (None, []) => {
            return Err(Refusal::Usage(
                "give a workload: suite:NAME, or end the command with -- java ...".into(),
            )
            .into());
        }
        (None, words) => Workload::from_command(words, proofmark_jvm::main_class).map_err(usage)?,
    };
    match workload
        .class_path
        .iter()
        .find(|path| !path.exists() && !path.ends_with("*"))
    {
        Some(missing) => Err(Refusal::Usage(format!(
            "no such file on the class path: {}",
            missing.display()
        ))
        .into()),
        None => Ok(workload),
    }
}

/// What a run's directory says about itself.
#[derive(Debug, serde::Serialize, serde::Deserialize, PartialEq)]
struct Manifest {
    proofmark: String,
    workload: Workload,
    seed: u64,
}

fn open_run(arguments: &WorkloadArguments, workload: &Workload) -> anyhow::Result<Run> {
    let manifest = Manifest {
        proofmark: env!("CARGO_PKG_VERSION").into(),
        workload: workload.clone(),
        seed: arguments.seed,
    };
    let Some(directory) = &arguments.out else {
        let place = state_directory(|name| std::env::var_os(name))?.join("runs");
        std::fs::create_dir_all(&place)
            .with_context(|| format!("cannot create {}", place.display()))?;
        let directory = new_run_directory(
            &place,
            &file_name(workload.name()),
            std::time::SystemTime::now(),
        )?;
        return Ok(Run::create(&directory, &manifest)?);
    };
    if !directory.join("manifest.json").exists() {
        return Ok(Run::create(directory, &manifest)?);
    }
    let run = Run::open(directory)?;
    if run.manifest::<Manifest>()? != manifest {
        let text = format!(
            "{} holds a run of another workload, seed or version: give another --out",
            directory.display()
        );
        return Err(Refusal::Usage(text).into());
    }
    Ok(run)
}

/// A name without anything that a file name could not hold.
pub fn file_name(text: &str) -> String {
    text.chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || "+-._".contains(c) {
                c
            } else {
                '_'
            }
        })
        .take(60)
        .collect()
}
