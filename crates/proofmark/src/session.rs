//! One run: JDK and jars, the directory that it leaves, and how the user hears of it and stops it. Nothing is calibrated.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::Context as _;
use proofmark_blocks::{Resolution, Skid};
use proofmark_divine::Environment;
use proofmark_experiment::lab::Filler;
use proofmark_jvm::toolchain::{Kit, Machine, Settings, release_of};
use proofmark_jvm::{LabSettings, Launch, Scope, unused_options};
use proofmark_sampler::Probe;
use proofmark_stats::Estimate;
use proofmark_store::{Lock, Run, new_run_directory, state_directory};

use crate::builds::Builds;
use crate::exit::{INTERRUPTED, code_of};
use crate::leftover;
use crate::manifest::{Manifest, RunManifest};
use crate::progress::Progress;
use crate::request::ProgramRequest;
use crate::surroundings::Surroundings;

/// A run that has begun.
pub struct Session {
    /// JDK, Graal and our jars.
    pub kit: Kit,
    /// How the toolchain was found.
    pub toolchain: Settings,
    /// The computer: processor, kernel, memory.
    pub machine: Machine,
    /// Where results go.
    pub run: Run,
    /// Progress.
    pub progress: Progress,
    /// Set on Ctrl-C.
    pub interrupted: Arc<AtomicBool>,
}

impl Session {
    /// Puts the toolchain together and begins the program's run, or goes on with it.
    ///
    /// # Errors
    /// When something is missing, with its remedy.
    pub fn begin(program: &ProgramRequest, around: &Surroundings) -> anyhow::Result<Self> {
        let kit = toolchain(program, around)?;
        Self::with(kit, program, around)
    }

    /// The same, with a toolchain that is together.
    ///
    /// # Errors
    /// When the run's directory cannot be had.
    pub fn with(kit: Kit, program: &ProgramRequest, around: &Surroundings) -> anyhow::Result<Self> {
        let builds = Builds::of(&program.workload, &around.toolchain).in_laboratory(Some(&kit.jdk));
        Ok(Self::of(kit, open_run(program, builds)?, around))
    }

    /// The same, in a run that has begun.
    #[must_use]
    pub fn of(kit: Kit, run: Run, around: &Surroundings) -> Self {
        Session {
            kit,
            toolchain: around.toolchain.clone(),
            machine: Machine::this(),
            run,
            progress: around.progress.clone(),
            interrupted: around.interrupted.clone(),
        }
    }

    /// Machine and versions, for results; `probe`: what is sampled, none if nothing.
    pub fn environment(&self, probe: Option<&Probe>) -> Environment {
        Environment {
            machine: self.machine.to_string(),
            jdk: format!("{} {}", self.kit.versions.jdk_vendor, self.kit.versions.jdk),
            graal: self.kit.versions.graal.clone(),
            event: probe.map_or("none".to_owned(), |probe| probe.event.to_string()),
        }
    }

    /// Settings of a laboratory that samples nothing and whose output goes to `NAME.log` in the run's directory.
    ///
    /// # Errors
    /// When the directory of profiles cannot be made.
    pub fn named_lab_settings(
        &self,
        name: &str,
        program: &ProgramRequest,
        profiles: PathBuf,
    ) -> anyhow::Result<LabSettings> {
        std::fs::create_dir_all(&profiles)
            .with_context(|| format!("cannot create {}", profiles.display()))?;
        Ok(LabSettings {
            log: self.file(&format!("{}.log", file_name(name))),
            profiles: Some(profiles),
            ..self.lab_settings(program)
        })
    }

    /// What is the same for all laboratories of a program.
    pub fn lab_settings(&self, program: &ProgramRequest) -> LabSettings {
        LabSettings {
            launch: Launch {
                heap_mb: program.heap_mb,
                ..Launch::default()
            },
            profiles: None,
            wanted: Vec::new(),
            scope: Scope::default(),
            several_threads: false,
            log: PathBuf::new(),
            iteration_limit: Duration::from_secs_f64(program.iteration_timeout_s),
            warm_up_s: (2.0, 90.0),
            together: None,
            probe: None,
            resolution: Resolution {
                skid: Skid::NextInstruction,
                border_cycles: Estimate::around(f64::INFINITY, 0.0, 0),
            },
            filler: Filler::Mov,
            progress: self.progress.callback(),
            interrupted: self.interrupted.clone(),
        }
    }

    /// A file of the run.
    pub fn file(&self, name: &str) -> PathBuf {
        self.run.directory().join(name)
    }
}

/// JDK, Graal and our jars, for this program.
///
/// # Errors
/// When something is missing, with its remedy.
pub fn toolchain(program: &ProgramRequest, around: &Surroundings) -> anyhow::Result<Kit> {
    let left_out = &program.workload.left_out;
    if !left_out.is_empty() {
        around.progress.note(&format!(
            "left out, the laboratory sets heap (--heap), collector and compilers itself: {}",
            left_out.join(" ")
        ));
    }
    for text in unused_options() {
        around.progress.note(&text);
    }
    around.progress.step("putting the toolchain together");
    let kit = Kit::assemble(&around.toolchain)?;
    let java = program.java.as_deref();
    let used = kit.jdk.version.feature();
    if let Some(text) = java.and_then(|java| other_release(java, &around.toolchain, used)) {
        around.progress.note(&text);
    }
    Ok(kit)
}

/// That the user's `java` is of another release than the JDK of the laboratory, if it is.
fn other_release(java: &Path, settings: &Settings, used: u32) -> Option<String> {
    // A path says which JVM is meant; a bare `java` is that of --jdk.
    if settings.jdk.is_some() && java == Path::new("java") {
        return None;
    }
    let own = release_of(settings, java).filter(|own| *own != used)?;
    Some(format!(
        "your java is {own}; the laboratory runs the program on {used}"
    ))
}

/// Begins the program's run in its directory, or goes on with the one that is there.
///
/// # Errors
/// When the directory cannot be had, or holds another run, also one of other builds.
pub fn open_run(program: &ProgramRequest, builds: Builds) -> anyhow::Result<Run> {
    let label = file_name(program.workload.name());
    let manifest = RunManifest::of(program, builds);
    begun(program.out.as_deref(), &label, &manifest)
}

/// Begins a run in its directory, or goes on with the one that is there; none: in a new one, named after the time and `label`.
///
/// # Errors
/// When the directory cannot be had, or holds another run.
pub fn begun<M: Manifest + Clone>(
    out: Option<&Path>,
    label: &str,
    manifest: &M,
) -> anyhow::Result<Run> {
    let Some(directory) = out else {
        return Ok(Run::create(&new_place("runs", label)?, manifest)?);
    };
    if !directory.join("manifest.json").exists() {
        remember_new(directory);
        return Ok(Run::create(directory, manifest)?);
    }
    let mut run = Run::open(directory)?;
    let before: M = run.manifest()?;
    manifest.as_before(&before, directory)?;
    // Builds that were not known are those of now.
    let known = manifest.clone().with_known(&before);
    if known != before {
        run.set_manifest(&known)?;
    }
    Ok(run)
}

/// Makes a new directory in the place for results, below `kind` (`runs`, `studies`), named after the time and `label`.
///
/// # Errors
/// When there is no such place, or nothing can be made there.
pub fn new_place(kind: &str, label: &str) -> anyhow::Result<PathBuf> {
    let place = state_directory(|name| std::env::var_os(name))?.join(kind);
    let now = std::time::SystemTime::now();
    let directory = new_run_directory(&place, label, now)?;
    leftover::remember(&directory);
    Ok(directory)
}

/// Remembers a directory that is about to be made. One that is there is the user's, whatever becomes of the run.
fn remember_new(directory: &Path) {
    if !directory.exists() {
        leftover::remember(directory);
    }
}

/// The directory of a run without a manifest: the one that the user named, else a new one. It is there afterwards, and no
/// other Proofmark works in it as long as the value lives.
///
/// # Errors
/// When it cannot be had, or another Proofmark is at it.
pub fn run_place(out: Option<&Path>, label: &str) -> anyhow::Result<Lock> {
    let directory = match out {
        Some(directory) => {
            remember_new(directory);
            directory.to_owned()
        }
        None => new_place("runs", label)?,
    };
    std::fs::create_dir_all(&directory).with_context(|| directory.display().to_string())?;
    Ok(Lock::take(&directory)?)
}

/// Says how an interrupted run goes on.
pub fn resumable(error: anyhow::Error, place: &Path) -> anyhow::Error {
    if code_of(&error) != INTERRUPTED {
        return error;
    }
    error.context(format!(
        "interrupted; the same command with --out {} goes on from here",
        place.display()
    ))
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

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn a_java_of_another_release_is_said() {
        let place = tempfile::tempdir().unwrap();
        let home = |release: &str| place.path().join(release);
        for release in ["17", "25"] {
            let bin = home(release).join("bin");
            std::fs::create_dir_all(&bin).unwrap();
            std::fs::write(bin.join("java"), "").unwrap();
            let executable = std::fs::Permissions::from_mode(0o755);
            std::fs::set_permissions(bin.join("java"), executable).unwrap();
            let text = format!("JAVA_VERSION=\"{release}.0.1\"\n");
            std::fs::write(home(release).join("release"), text).unwrap();
        }
        let settings = Settings {
            path: Some(home("17").join("bin").into_os_string()),
            ..Settings::default()
        };
        let said = |java: &Path| other_release(java, &settings, 25);
        let told = "your java is 17; the laboratory runs the program on 25";
        assert_eq!(said(&home("17").join("bin/java")).as_deref(), Some(told));
        assert_eq!(said(Path::new("java")).as_deref(), Some(told));
        for same in [home("25").join("bin/java"), home("none").join("bin/java")] {
            assert_eq!(said(&same), None);
        }
        // --jdk says which one a bare java is.
        let named = Settings {
            jdk: Some(home("25")),
            ..settings.clone()
        };
        assert_eq!(other_release(Path::new("java"), &named, 25), None);
    }
}
