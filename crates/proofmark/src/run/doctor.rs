//! `proofmark doctor`: what is there, what is missing, and what follows for every command.

use proofmark_jvm::toolchain::{Check, Settings, Status, doctor, find_any_jdks};
use proofmark_report::{CheckRow, CheckStatus, CommandRow, DoctorReport};

use crate::machine::Measured;
use crate::progress::Progress;

/// Looks at everything. The calibration is made anew and takes the place of the one that was kept.
pub fn run(settings: &Settings, progress: &Progress) -> DoctorReport {
    progress.step("looking at the toolchain");
    let mut checks = doctor(settings);
    checks.push(any_jdk(settings));
    progress.step("sampling victims of known answer, some 12 s");
    let measured = Measured::anew(settings.cache.as_deref());
    checks.extend(match &measured {
        Ok(measured) => vec![sampling(measured), slowing(measured)],
        Err(error) => vec![Check::missing(
            "sampling",
            error.to_string(),
            "see the message; count, study, import and diff need no sampling of ours",
        )],
    });
    let rows: Vec<CheckRow> = checks.into_iter().map(row).collect();
    DoctorReport {
        version: 2,
        commands: commands(&rows, measured.as_ref().ok()),
        checks: rows,
        calibration: measured.map_or(serde_json::Value::Null, |measured| {
            serde_json::to_value(&measured.calibration).unwrap_or_default()
        }),
    }
}

fn any_jdk(settings: &Settings) -> Check {
    const NAME: &str = "jdk-17-or-later";
    let fit: Vec<String> = find_any_jdks(settings)
        .iter()
        .filter(|seen| seen.feature().is_some_and(|feature| feature >= 17))
        .map(|seen| {
            let version = seen.version.as_deref().unwrap_or("unknown version");
            format!("{version} at {}", seen.home.display())
        })
        .collect();
    if fit.is_empty() {
        Check::missing(
            NAME,
            "none found",
            "install a JDK, 17 or later, or set JAVA_HOME",
        )
    } else {
        Check::ok(NAME, fit.join("; "))
    }
}

/// Event, rule, border and cost of sampling.
fn sampling(measured: &Measured) -> Check {
    let resolution = measured.resolution();
    let mut detail = measured.probe.event.to_string();
    for rejected in &measured.probe.rejected {
        detail.push_str(&format!(" ({rejected})"));
    }
    if let Some(border) = &measured.calibration.border {
        detail.push_str(&format!(
            "; rule: {}; border {:.1} cycles ({:.1} to {:.1}, n = {} samples), worst victim: {}",
            rule(border.skid),
            border.cycles.value,
            border.cycles.low,
            border.cycles.high,
            border.cycles.n,
            border.victims.first().map_or("none", |worst| &worst.victim),
        ));
    }
    if let Some(cost) = &measured.calibration.cost {
        let us = cost.ns_per_sample.scaled(1e-3);
        detail.push_str(&format!(
            "; {:.1} us a sample ({:.1} to {:.1}, n = {} pairs)",
            us.value, us.low, us.high, us.n
        ));
    }
    if resolution.resolves_loops() {
        Check::ok("sampling", detail)
    } else {
        Check::missing(
            "sampling",
            format!("{detail}: more than most loops take"),
            "block times say nothing here; measure on another machine, or use count, events, study",
        )
    }
}

fn rule(skid: proofmark_sampler::Skid) -> &'static str {
    match skid {
        proofmark_sampler::Skid::None => "a sample names the instruction itself",
        proofmark_sampler::Skid::NextInstruction => "a sample names the next instruction",
        proofmark_sampler::Skid::RetirePair => "a sample names what follows a pair of instructions",
    }
}

/// The slowdown instruction of this processor, with what it costs.
fn slowing(measured: &Measured) -> Check {
    let filler = measured.filler();
    let prior = measured.prior(filler);
    let fuses = measured
        .calibration
        .fusing
        .is_some_and(|fusing| fusing.fuses());
    let fused = if fuses {
        "; mov vanishes in an operation on the same register"
    } else {
        ""
    };
    Check::ok(
        "slowdown-instruction",
        format!(
            "{}: {:.2} cycles each beyond {:.1} free ones per cycle of a block; core at {:.2} GHz{fused}",
            filler.name(),
            prior.slope_cycles,
            prior.hinge_per_cycle,
            measured.clock_ghz(),
        ),
    )
}

/// What follows from the checks for every command.
fn commands(checks: &[CheckRow], measured: Option<&Measured>) -> Vec<CommandRow> {
    let blocks = measured.map_or(String::new(), |measured| {
        let resolution = measured.resolution();
        let border = resolution.border_cycles;
        format!(
            "block times to {:.1} cycles ({:.1} to {:.1}): sets of {:.0} cycles and more are judged",
            border.value,
            border.low,
            border.high,
            resolution.shortest_judged_cycles().ceil(),
        )
    });
    let counts = if measured.is_some() {
        "exact counts; time outside of them is measured"
    } else {
        "exact counts; time outside of them: not measured"
    };
    let needs: [(&[&str], &[&str], &str); 6] = [
        (
            &["dose"],
            &["jdk-17-or-later"],
            "time added to methods, by the clock, on your own JVM",
        ),
        (
            &["demo", "divine", "assess"],
            &["jdk", "graal", "sampling"],
            &blocks,
        ),
        (&["events"], &["jdk", "graal"], counts),
        (
            &["count"],
            &["jdk-17-or-later"],
            "exact counts of bytecodes",
        ),
        (
            &["study run"],
            &["jdk-17-or-later"],
            "every profiler that starts on this machine",
        ),
        (
            &["study analyze", "diff", "import"],
            &[],
            "reads files only",
        ),
    ];
    needs
        .map(|(commands, needs, resolution)| command(checks, commands, needs, resolution))
        .into()
}

fn command(checks: &[CheckRow], commands: &[&str], needs: &[&str], resolution: &str) -> CommandRow {
    let lacking: Vec<String> = checks
        .iter()
        .filter(|check| {
            check.status == CheckStatus::Missing && needs.contains(&check.name.as_str())
        })
        .map(|check| check.name.clone())
        .collect();
    let (status, resolution) = if lacking.is_empty() {
        (CheckStatus::Ok, resolution.to_owned())
    } else {
        (
            CheckStatus::Missing,
            format!("missing: {}", lacking.join(", ")),
        )
    };
    CommandRow {
        commands: commands.iter().map(ToString::to_string).collect(),
        status,
        resolution,
        lacking,
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

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, status: CheckStatus) -> CheckRow {
        CheckRow {
            name: name.into(),
            status,
            detail: String::new(),
            remedy: String::new(),
        }
    }

    #[test]
    fn a_command_works_where_nothing_that_it_needs_is_missing() {
        let checks = [
            check("jdk", CheckStatus::Missing),
            check("graal", CheckStatus::Limited),
            check("jdk-17-or-later", CheckStatus::Ok),
            check("perf-tool", CheckStatus::Missing),
        ];
        let rows = commands(&checks, None);
        let status = |name: &str| {
            let row = rows
                .iter()
                .find(|row| row.commands.iter().any(|one| one == name));
            row.map(|row| (row.status, row.lacking.clone())).unwrap()
        };
        assert_eq!(
            status("assess"),
            (CheckStatus::Missing, vec!["jdk".to_owned()])
        );
        assert_eq!(status("events").0, CheckStatus::Missing);
        assert_eq!(status("dose"), (CheckStatus::Ok, Vec::new()));
        assert_eq!(status("count"), (CheckStatus::Ok, Vec::new()));
        assert_eq!(status("diff").0, CheckStatus::Ok);
    }
}
