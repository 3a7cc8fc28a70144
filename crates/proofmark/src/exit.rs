//! How the command ends: exit codes, and errors as one line.

use std::io::ErrorKind;

use proofmark_assess::Verdict;
use proofmark_experiment::assess::AssessReport;
use proofmark_experiment::{ExperimentError, Failure};
use proofmark_jvm::{LabError, toolchain::ToolchainError};
use proofmark_native::{CompileError, LaunchError};
use proofmark_report::readable;
use proofmark_sampler::SamplerError;

use crate::context::Refusal;

const USAGE: u8 = 2;
/// This machine or workload cannot be measured.
pub const CANNOT: u8 = 3;
/// A comparison found a change.
pub const CHANGED: u8 = 1;
/// A run of the program failed, as `race` looks for it.
pub const FAILED: u8 = 1;
/// A verdict is open, or what was found may be noise.
pub const UNDECIDED: u8 = 4;
/// The user stopped it.
pub const INTERRUPTED: u8 = 130;

/// The exit code that a verdict on all profilers means.
#[must_use]
pub fn code_of_verdict(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Right => 0,
        Verdict::Wrong => 1,
        Verdict::Undecided => UNDECIDED,
    }
}

/// The exit code that an assessment means. Where a control of the laboratory did not do what it must, and no sites were tested,
/// there is no verdict at all.
#[must_use]
pub fn code_of_assessment(report: &AssessReport) -> u8 {
    match report.is_withheld() {
        true => CANNOT,
        false => code_of_verdict(report.verdict),
    }
}

/// The error and its causes, methods without descriptors; a cause that the text in front of it already names is left out.
#[must_use]
pub fn chain(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if text.is_empty() {
            text = cause;
        } else if !text.contains(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    let text = readable(&text);
    match place_that_failed(error).filter(|_| !text.contains("--out")) {
        Some(what) => format!("{text}\n  {what}"),
        None => text,
    }
}

/// What to do where a file or directory of ours could not be written.
fn place_that_failed(error: &anyhow::Error) -> Option<&'static str> {
    let mut kinds = error.chain().filter_map(|cause| {
        let kind = cause.downcast_ref::<std::io::Error>()?.kind();
        Some(kind)
    });
    kinds.find_map(|kind| match kind {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => Some(
            "no space is left there: free some, or give a directory on another disk with --out",
        ),
        ErrorKind::ReadOnlyFilesystem => {
            Some("that disk is read-only: give a directory on another one with --out")
        }
        _ => None,
    })
}

/// The exit code for what kind of problem it was.
#[must_use]
pub fn code_of(error: &anyhow::Error) -> u8 {
    match error.downcast_ref::<Refusal>() {
        Some(Refusal::Usage(_)) => return USAGE,
        Some(Refusal::Cannot(_)) => return CANNOT,
        None => {}
    }
    if let Some(error) = error.downcast_ref() {
        return code_of_experiment(error);
    }
    let lab = error.downcast_ref::<LabError>();
    if matches!(lab, Some(LabError::Interrupted)) {
        return INTERRUPTED;
    }
    if matches!(lab, Some(LabError::NoWorkload(_))) {
        return USAGE;
    }
    if let Some(LaunchError::Interrupted) = error.downcast_ref() {
        return INTERRUPTED;
    }
    let cannot = place_that_failed(error).is_some()
        || lab.is_some()
        || error.is::<LaunchError>()
        || error.is::<CompileError>()
        || error.is::<ToolchainError>()
        || error.is::<SamplerError>()
        || error.is::<proofmark_store::StoreError>();
    if cannot { CANNOT } else { USAGE }
}

/// What an experiment without a result ends with.
fn code_of_experiment(error: &ExperimentError) -> u8 {
    match error {
        ExperimentError::Usage(_) => USAGE,
        ExperimentError::Lab(lab) => match lab.failure {
            Failure::Interrupted => INTERRUPTED,
            Failure::NoWorkload => USAGE,
            _ => CANNOT,
        },
        _ => CANNOT,
    }
}

#[cfg(test)]
mod tests {
    use anyhow::Context as _;
    use proofmark_assess::{ProfilerEvidence, Role, Settings, assess};
    use proofmark_experiment::dose::Attribution;
    use proofmark_experiment::sim::{Fault, Simulation};
    use proofmark_report::{Style, assessment_table};
    use serde_json::json;

    use super::*;

    /// As a sampler that is blind between safepoints.
    const BLIND: Fault = Fault::Hoards { honest: 0.2 };

    /// What the laboratory alone finds of a blind profiler, with these controls.
    fn assessed(oracle: ProfilerEvidence, safepoint: Fault) -> AssessReport {
        let of = |name: &str, fault: Fault, role: Role| {
            let program = Simulation {
                fault,
                truth_per_s: 400.0,
                ..Simulation::default()
            };
            program.profiler(name, role)
        };
        let profilers = vec![
            of("jfr", BLIND, Role::Subject),
            of("safepoint", safepoint, Role::SafepointControl),
            oracle,
        ];
        let evidence = Simulation::default().evidence_of(profilers);
        let found = assess(&evidence, &Settings::default()).expect("an answer");
        let names = ["jfr".to_owned()];
        let sites = Err("not asked for".to_owned());
        AssessReport::of(&names, &sites, &Ok(found), ("simulated", "none"))
    }

    /// Our own sampler, which must be found right.
    fn oracle() -> ProfilerEvidence {
        let seen = Simulation::default().profiler("truth", Role::Subject);
        ProfilerEvidence::oracle(&seen.truth, seen.totals, seen.targets)
    }

    fn wrong_oracle() -> ProfilerEvidence {
        let mut wrong = oracle();
        let windows = wrong.windows.iter_mut();
        windows.for_each(|window| window.methods.swap(0, 3));
        wrong
    }

    /// What sites say of a profiler that is right there.
    fn right_at_sites() -> Attribution {
        let attribution = json!({
            "vehicle": "sites",
            "certified": true,
            "verdict": "right",
            "misplaced_pt": [0.0, 0.0],
            "rows": [],
            "samples_per_s": 100.0,
            "lost_samples": 0.0,
            "false_alarm": 0.0,
        });
        serde_json::from_value(attribution).expect("an attribution")
    }

    /// The table of the laboratory in one line.
    fn said(report: &AssessReport) -> String {
        let table = assessment_table(&report.laboratory, Style::default());
        table.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_broken_control_of_the_laboratory_ends_with_3_and_says_so() {
        let no_verdict = "a control did not do what it must, no verdict is given";
        let in_order = assessed(oracle(), BLIND);
        assert_eq!(code_of_assessment(&in_order), 1);
        assert!(!said(&in_order).contains(no_verdict), "{in_order:?}");
        for (mut broken, named) in [
            (assessed(wrong_oracle(), BLIND), "oracle found wrong"),
            (assessed(oracle(), Fault::None), "safepoint found right"),
        ] {
            let text = said(&broken);
            assert!(text.contains(named) && text.contains(no_verdict), "{text}");
            assert_eq!(code_of_assessment(&broken), 3, "{named}");
            // What sites found stands.
            broken.attribution.insert("jfr".into(), right_at_sites());
            broken.verdict = Verdict::Right;
            assert_eq!(code_of_assessment(&broken), 0, "{named}");
        }
    }

    #[test]
    fn a_full_disk_is_no_usage_error_and_says_what_to_do() {
        let full = Err::<(), _>(std::io::Error::from(ErrorKind::StorageFull));
        let error = full.context("writing run/dose.json").expect_err("an error");
        assert_eq!(code_of(&error), CANNOT);
        let text = chain(&error);
        for said in ["run/dose.json", "no space is left", "--out"] {
            assert!(text.contains(said), "{said} in {text}");
        }
        let other = anyhow::Error::from(std::io::Error::from(ErrorKind::NotFound));
        assert!(!chain(&other).contains("--out"));
    }

    #[test]
    fn methods_are_told_without_descriptors() {
        let text = "the JVM replaced our code (a.B.c(I)V): behaviour changes over time";
        let told = chain(&anyhow::Error::from(LabError::Lost(text.into())));
        assert!(told.contains("our code (a.B.c(int)): behaviour"), "{told}");
    }
}
