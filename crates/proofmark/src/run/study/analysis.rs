//! `proofmark study analyze` and `proofmark diff`: recordings that are there already, compared.

use std::path::Path;

use proofmark_study::{Analysis, Diff, DiffSettings, Settings, analyze};

use super::analyze_args::{AnalyzeArguments, DiffArguments};
use super::files::{Reading, read};
use crate::context::Refusal;
use crate::progress::Progress;

/// Everything that the inputs tell.
///
/// # Errors
/// When an input cannot be read or nothing in it is a recording.
pub fn analyze_inputs(
    arguments: &AnalyzeArguments,
    progress: &Progress,
) -> anyhow::Result<Analysis> {
    let reading = read(&arguments.inputs, &arguments.recordings, progress)?;
    progress.step("resampling");
    let settings = Settings {
        seed: arguments.seed,
        resamples: usize::try_from(arguments.resamples).unwrap_or(usize::MAX),
    };
    let mut analysis = analyze(reading.recordings, reading.unprofiled, settings);
    analysis.remarks.extend(reading.remarks);
    Ok(analysis)
}

/// B against A.
///
/// # Errors
/// As for [`analyze_inputs`], or if nothing can be compared.
pub fn compare(arguments: &DiffArguments, progress: &Progress) -> anyhow::Result<Diff> {
    let rate = arguments.false_discovery_rate;
    if !(rate > 0.0 && rate < 100.0) {
        return Err(
            Refusal::Usage("--false-discovery-rate lies between 0 and 100 %".into()).into(),
        );
    }
    let side = |path: &Path| read(&[path.to_path_buf()], &arguments.recordings, progress);
    let (a, b) = (side(&arguments.a)?, side(&arguments.b)?);
    noise_can_be_known(&a, &b)?;
    let settings = DiffSettings {
        false_discovery_rate: rate / 100.0,
        least_change_pt: arguments.least_change,
    };
    let mut diff = proofmark_study::diff(&a.recordings, &b.recordings, settings);
    if diff.compared.is_empty() {
        return Err(Refusal::Usage(format!(
            "{} and {} have no program and profiler in common",
            arguments.a.display(),
            arguments.b.display()
        ))
        .into());
    }
    let mut remarks = a.remarks;
    remarks.extend(b.remarks);
    remarks.append(&mut diff.remarks);
    diff.remarks = remarks;
    Ok(diff)
}

fn noise_can_be_known(a: &Reading, b: &Reading) -> Result<(), Refusal> {
    let single = a.recordings.len() == 1 && b.recordings.len() == 1;
    let mut both = a.recordings.iter().chain(&b.recordings);
    if single && both.any(|r| r.samples.is_none()) {
        return Err(Refusal::Usage(
            "one recording a side, and a format that does not tell the number of samples: nothing tells how large noise is; give directories with several recordings each".into(),
        ));
    }
    Ok(())
}
