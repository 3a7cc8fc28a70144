//! `proofmark doctor`.

use std::path::Path;

use proofmark_jvm::toolchain::{Check, Status, doctor};
use proofmark_report::{CheckRow, CheckStatus};
use proofmark_sampler::{Victims, calibrate, probe};

use crate::context::toolchain;
use crate::progress::Progress;

/// Looks at everything; the flag is false when something is missing without which nothing works.
pub fn run(jdk: Option<&Path>, progress: &Progress) -> (Vec<CheckRow>, bool) {
    progress.step("looking at the toolchain");
    let mut checks = doctor(&toolchain(jdk));
    checks.push(sampling(progress));
    let able = ["jdk", "graal", "sampling"];
    let works = checks
        .iter()
        .all(|check| check.status != Status::Missing || !able.contains(&check.name.as_str()));
    (checks.into_iter().map(row).collect(), works)
}

fn sampling(progress: &Progress) -> Check {
    progress.step("sampling victims of known answer");
    let found = probe().and_then(|probe| Ok((probe.event, calibrate(&probe, Victims::ALL)?)));
    let (event, calibration) = match found {
        Ok(found) => found,
        Err(error) => {
            return Check::missing(
                "sampling",
                error.to_string(),
                "see the message; without sampling nothing can be judged",
            );
        }
    };
    let cost = calibration.cost.as_ref().map_or(String::new(), |cost| {
        format!(
            ", {:.1} us a sample ({:.1} to {:.1})",
            cost.ns_per_sample.value / 1e3,
            cost.ns_per_sample.low / 1e3,
            cost.ns_per_sample.high / 1e3
        )
    });
    let clock = calibration.core_clock_ghz.map_or(String::new(), |clock| {
        format!(", core at {:.2} GHz", clock.value)
    });
    let detail = format!("{event}{cost}{clock}");
    if calibration.trustworthy() == Some(true) {
        Check::ok("sampling", format!("{detail}; the known answer was found"))
    } else {
        Check::limited(
            "sampling",
            format!("{detail}; the known answer was not found"),
            "try again when the machine is quieter",
        )
    }
}

fn row(check: Check) -> CheckRow {
    let status = match check.status {
        Status::Ok => CheckStatus::Ok,
        Status::Limited => CheckStatus::Limited,
        Status::Missing => CheckStatus::Missing,
    };
    CheckRow {
        name: check.name,
        status,
        detail: check.detail,
        remedy: check.remedy,
    }
}
