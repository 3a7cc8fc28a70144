//! The JVM under the Graal plug-in as a laboratory of experiments.

use std::collections::{BTreeMap, HashMap};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use proofmark_blocks::{BlockKey, CodeMap, Resolution};
use proofmark_experiment::lab::{
    Failure, Filler, Lab, LabError, Labs, Measured, Preparation, ProfiledWindow, UnitTable,
    Variant, WarmState, WindowSpec,
};

use crate::profilers::{ProfilerSession, ProfilerSpec};
use crate::toolchain::Kit;
use crate::warm::{LabSettings, WarmJvm};
use crate::workload::Workload;

/// A warm JVM, and the profiler that watches it.
pub struct GraalLab {
    jvm: WarmJvm,
    running: Option<ProfilerSession>,
    profilers: Vec<ProfilerSpec>,
    files: PathBuf,
}

/// Starts JVMs of one workload.
#[derive(Clone)]
pub struct GraalLabs {
    /// JDK, Graal and our jars.
    pub kit: Kit,
    /// The program.
    pub workload: Workload,
    /// Settings of each JVM; log and wanted units are its own, and every run has a directory of profiles.
    pub settings: LabSettings,
    /// Profilers that may be asked for, by name.
    pub profilers: Vec<ProfilerSpec>,
    /// Directory for logs and for the files of profilers.
    pub files: PathBuf,
}

impl Labs for GraalLabs {
    fn prepare(&self, wish: &Preparation) -> Result<Box<dyn Lab>, LabError> {
        let mut settings = LabSettings {
            log: self.files.join(format!("{}.log", wish.name)),
            wanted: wish.wanted.clone(),
            profiles: profiles(self.settings.profiles.as_deref(), wish.run),
            ..self.settings.clone()
        };
        if let Some(profiles) = &settings.profiles {
            let cannot = crate::LabError::io(format!("cannot create {}", profiles.display()));
            std::fs::create_dir_all(profiles).map_err(cannot)?;
        }
        if let Some(name) = &wish.profiler {
            find(&self.profilers, name)?.prepare(&mut settings.launch);
        }
        settings.filler = wish.filler.unwrap_or(settings.filler);
        let jvm = WarmJvm::prepare(&self.kit, &self.workload, settings)?;
        Ok(Box::new(GraalLab {
            jvm,
            running: None,
            profilers: self.profilers.clone(),
            files: self.files.clone(),
        }))
    }

    fn prepare_alone(&self, wish: &Preparation) -> Result<Box<dyn Lab>, LabError> {
        let alone = GraalLabs {
            settings: LabSettings {
                profiles: None,
                ..self.settings.clone()
            },
            ..self.clone()
        };
        alone.prepare(wish)
    }
}

/// Where the profiles of a run are kept: those of the first run in the directory itself, those of later ones beside it.
fn profiles(of_first: Option<&Path>, run: u32) -> Option<PathBuf> {
    let directory = of_first?;
    let name = directory.file_name().unwrap_or_default();
    Some(match run {
        0 => directory.to_owned(),
        run => directory.with_file_name(format!("{}-{}", name.to_string_lossy(), run + 1)),
    })
}

fn find<'a>(profilers: &'a [ProfilerSpec], name: &str) -> Result<&'a ProfilerSpec, LabError> {
    let found = profilers.iter().find(|spec| spec.name == name);
    found.ok_or_else(|| LabError::new(Failure::Profiler, format!("no profiler '{name}' here")))
}

impl Lab for GraalLab {
    fn map(&self) -> &CodeMap {
        self.jvm.client().map()
    }

    fn warm(&self) -> &WarmState {
        self.jvm.warm()
    }

    fn executions(&self) -> &HashMap<BlockKey, f64> {
        self.jvm.executions()
    }

    fn units(&self) -> Vec<u32> {
        self.jvm.units().map(|(unit, _)| unit).collect()
    }

    fn alignments(&self) -> usize {
        self.jvm.alignments()
    }

    fn resolution(&self) -> Resolution {
        self.jvm.settings().resolution
    }

    fn filler(&self) -> Filler {
        self.jvm.settings().filler
    }

    fn method_passages(&self) -> BTreeMap<String, Vec<f64>> {
        self.jvm.method_passages()
    }

    fn baseline(&self) -> Variant {
        self.jvm.baseline()
    }

    fn variant(&mut self, tables: &[UnitTable]) -> Result<Variant, LabError> {
        Ok(self.jvm.variant(tables)?)
    }

    fn forget(&mut self, variant: &Variant) -> Result<(), LabError> {
        Ok(self.jvm.forget(variant)?)
    }

    fn window(
        &mut self,
        spec: &WindowSpec<'_>,
        variants: &[Variant],
        order: &[usize],
    ) -> Result<Measured, LabError> {
        Ok(match &mut self.running {
            Some(running) => {
                running.next_window(spec.label);
                self.jvm.window(spec, variants, order, running)?
            }
            None => self.jvm.window(spec, variants, order, &mut ())?,
        })
    }

    fn start_profiler(&mut self, name: &str, files: &str) -> Result<(), LabError> {
        let spec = find(&self.profilers, name)?;
        let place = self.files.join(files);
        self.running = Some(ProfilerSession::start(spec, self.jvm.client_mut(), place)?);
        Ok(())
    }

    fn stop_profiler(&mut self) -> Result<Vec<ProfiledWindow>, LabError> {
        match self.running.take() {
            Some(running) => Ok(running.finish(self.jvm.client_mut())?),
            None => Err(LabError::new(Failure::Profiler, "no profiler runs")),
        }
    }

    fn stop(self: Box<Self>) {
        self.jvm.stop();
    }
}

impl From<crate::LabError> for LabError {
    fn from(error: crate::LabError) -> Self {
        use crate::LabError as Of;
        let failure = match &error {
            Of::Died { .. } | Of::Hung { .. } => Failure::Died,
            Of::Lost(_) => Failure::UnitsLost,
            Of::Workload { .. } | Of::Refused { .. } | Of::Unmeasurable(_) => Failure::Refused,
            Of::NoWorkload(_) => Failure::NoWorkload,
            Of::Io { source, .. } if source.kind() == ErrorKind::StorageFull => Failure::Instrument,
            Of::Profile { .. } | Of::Profiler(_) | Of::Io { .. } | Of::Start { .. } => {
                Failure::Profiler
            }
            Of::Interrupted => Failure::Interrupted,
            Of::Protocol { .. } | Of::Code(_) | Of::Sampler(_) | Of::Full(_) => Failure::Instrument,
        };
        LabError::new(failure, error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_run_keeps_profiles_of_its_own() {
        let first = Some(Path::new("/run/profiles"));
        let of = |run| profiles(first, run).expect("a directory");
        assert_eq!(of(0), Path::new("/run/profiles"));
        assert_eq!(of(1), Path::new("/run/profiles-2"));
        assert_ne!(of(2), of(1));
        assert_eq!(profiles(None, 1), None);
    }
}
