//! `proofmark study analyze` and `proofmark diff`: recordings that are there already, compared.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use proofmark_study::{Analysis, Diff, DiffSettings, Recording, Settings, analyze};

use super::files::read;
use super::reading::Reading;
use crate::context::Refusal;
use crate::progress::Progress;
use crate::read::not_an_input;
use crate::request::{AnalyzeRequest, DiffRequest};

/// Everything that the inputs tell.
///
/// # Errors
/// When an input cannot be read or nothing in it is a recording.
pub fn analyze_inputs(request: &AnalyzeRequest, progress: &Progress) -> anyhow::Result<Analysis> {
    let inputs: Vec<&Path> = request.inputs.iter().map(AsRef::as_ref).collect();
    if let Some(page) = &request.html {
        not_an_input(page, &inputs)?;
    }
    let mut reading = read(&request.inputs, &request.recordings, progress)?;
    reading.remarks.extend(single_runs(&reading.recordings));
    progress.step("resampling");
    let settings = Settings {
        seed: request.seed,
        resamples: request.resamples,
    };
    let mut analysis = analyze(reading.recordings, reading.unprofiled, settings);
    analysis.remarks.extend(reading.remarks);
    Ok(analysis)
}

/// A program that ran once under a profiler cannot differ from itself: zeros in the tables would look like agreement.
fn single_runs(recordings: &[Recording]) -> Option<String> {
    let mut runs: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for recording in recordings {
        *runs
            .entry((&recording.program, &recording.profiler))
            .or_default() += 1;
    }
    let single: Vec<String> = runs
        .iter()
        .filter(|(_, runs)| **runs == 1)
        .map(|((program, profiler), _)| format!("{program} under {profiler}"))
        .collect();
    let first = single.first()?;
    Some(format!(
        "One run is no measure of reproducibility: differences and unstable methods mean nothing for {first}{}.",
        match single.len() - 1 {
            0 => String::new(),
            more => format!(" and {more} more"),
        }
    ))
}

/// What differs may be the profilers.
fn other_profilers(a: &Reading, b: &Reading) -> Option<String> {
    let names = |reading: &Reading| -> BTreeSet<String> {
        let recordings = reading.recordings.iter();
        recordings.map(|r| r.profiler.clone()).collect()
    };
    let (a, b) = (names(a), names(b));
    let list = |names: &BTreeSet<String>| names.iter().cloned().collect::<Vec<_>>().join(", ");
    (a != b).then(|| {
        format!(
            "A is of {}, B of {}: what differs may be the profilers.",
            list(&a),
            list(&b)
        )
    })
}

/// B against A.
///
/// # Errors
/// As for [`analyze_inputs`], or if nothing can be compared.
pub fn compare(request: &DiffRequest, progress: &Progress) -> anyhow::Result<Diff> {
    let side = |path: &Path| read(&[path.to_path_buf()], &request.recordings, progress);
    let (a, b) = (side(&request.a)?, side(&request.b)?);
    noise_can_be_known(&a, &b)?;
    let settings = DiffSettings {
        false_discovery_rate: request.false_discovery_rate_pct / 100.0,
        least_change_pt: request.least_change_pt,
    };
    let mut diff = proofmark_study::diff(&a.recordings, &b.recordings, settings);
    if diff.compared.is_empty() {
        return Err(Refusal::Usage(format!(
            "{} and {} have no program and profiler in common",
            request.a.display(),
            request.b.display()
        ))
        .into());
    }
    let mut remarks: Vec<String> = other_profilers(&a, &b).into_iter().collect();
    remarks.extend(a.remarks);
    for remark in b.remarks {
        if !remarks.contains(&remark) {
            remarks.push(remark);
        }
    }
    remarks.append(&mut diff.remarks);
    diff.remarks = remarks;
    Ok(diff)
}

fn noise_can_be_known(a: &Reading, b: &Reading) -> Result<(), Refusal> {
    let single = a.recordings.len() == 1 && b.recordings.len() == 1;
    let mut both = a.recordings.iter().chain(&b.recordings);
    if single && both.any(|r| r.samples.is_none()) {
        return Err(Refusal::Usage(
            "one recording a side, and one of them does not tell a number of samples that noise could be known from: give directories with several recordings each (profiles of counted bytecodes have no noise: proofmark count compare)".into(),
        ));
    }
    Ok(())
}
