//! `proofmark doctor`: what is there and what is missing.

mod native;
mod places;

use std::time::Duration;

use proofmark_experiment::candidates::Slowdown;
use proofmark_experiment::doctor::{Check, DoctorReport};
use proofmark_jvm::toolchain::{Settings, doctor, find_any_jdks};
use proofmark_sampler::{Event, Rejected};

use crate::exit::{INTERRUPTED, code_of};
use crate::machine::Measured;
use crate::surroundings::Surroundings;

/// Looks at everything. The calibration is the one that was kept, if there is one; `anew`: it is made, and kept, in any case.
///
/// # Errors
/// When the user interrupts it.
pub fn run(anew: bool, around: &Surroundings) -> anyhow::Result<DoctorReport> {
    let settings = &around.toolchain;
    around.progress.step("looking at the toolchain");
    let mut checks = doctor(settings);
    checks.push(any_jdk(settings));
    checks.push(native::compiler());
    checks.push(native::rust());
    checks.push(places::results());
    checks.extend(places::load());
    let measured = match Measured::for_doctor(around, anew) {
        Err(error) if code_of(&error) == INTERRUPTED => return Err(error),
        measured => measured,
    };
    checks.extend(match &measured {
        Ok(measured) => vec![sampling(measured), slowing(measured, around)],
        Err(error) => vec![Check::missing(
            "sampling",
            error.to_string(),
            "see the message; dose, count, events, study, import and diff need no sampling of ours",
        )],
    });
    let resolution = measured.as_ref().ok().map(Measured::resolution);
    let age = measured.as_ref().ok().and_then(|measured| measured.age);
    Ok(DoctorReport {
        calibration_age_s: age.map(|age| age.as_secs()),
        calibration: measured.map_or(serde_json::Value::Null, |measured| {
            serde_json::to_value(&measured.calibration).unwrap_or_default()
        }),
        ..DoctorReport::of(checks, resolution.as_ref())
    })
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

/// Events that do not work here, as the user knows them; those with the same reason in one sentence.
fn rejected(all: &[Rejected]) -> Vec<String> {
    const NONE: i32 = 2;
    const OTHER_MACHINE: i32 = 19;
    const NOT_SO: i32 = 95;
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    for one in all {
        let reason = match one.errno {
            Some(NONE | OTHER_MACHINE | NOT_SO) => "this machine has none".to_owned(),
            _ => one.reason.clone(),
        };
        let name = match one.event {
            Event::Cycles { precise: 0 } => "the hardware's cycle counter".to_owned(),
            Event::Cycles { precise } => format!("precise level {precise}"),
            Event::CpuClock => "the CPU clock".to_owned(),
        };
        match found.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, names)) => names.push(name),
            None => found.push((reason, vec![name])),
        }
    }
    let said = found.into_iter().map(|(reason, mut names)| {
        // The plain counter comes last, and says all where it is missing.
        let plain = names.iter().any(|name| name.starts_with("the hardware"));
        let name = match (plain, names.len()) {
            (true, _) => names.pop().unwrap_or_default(),
            (false, _) => format!("the hardware's cycle counter, {}", names.join(", ")),
        };
        format!("not {name}: {reason}")
    });
    said.collect()
}

/// Event, rule, border and cost of sampling.
fn sampling(measured: &Measured) -> Check {
    let resolution = measured.resolution();
    let mut detail = measured.probe.event.to_string();
    for rejected in rejected(&measured.probe.rejected) {
        detail.push_str(&format!("; {rejected}"));
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
    detail.push_str(&match measured.age {
        Some(age) => format!(
            "; calibrated {} ago, clock and cost now (--calibrate: all of it anew)",
            words_of(age)
        ),
        None => "; calibrated now".to_owned(),
    });
    if resolution.resolves_loops() {
        Check::ok("sampling", detail)
    } else {
        Check::missing(
            "sampling",
            format!("{detail}: more than most loops take"),
            "measure once more with doctor --calibrate; if that says the same, block times say nothing here: use dose, count, events, study, or another machine",
        )
    }
}

/// `3 hours`.
fn words_of(age: Duration) -> String {
    let minutes = age.as_secs() / 60;
    let (n, unit) = match minutes {
        0..120 => (minutes, "minute"),
        120..2880 => (minutes / 60, "hour"),
        _ => (minutes / 1440, "day"),
    };
    format!("{n} {unit}{}", if n == 1 { "" } else { "s" })
}

fn rule(skid: proofmark_sampler::Skid) -> &'static str {
    match skid {
        proofmark_sampler::Skid::None => "a sample names the instruction itself",
        proofmark_sampler::Skid::NextInstruction => "a sample names the next instruction",
        proofmark_sampler::Skid::RetirePair => "a sample names what follows a pair of instructions",
    }
}

/// The slowdown instruction of this processor, with what it costs, and the one that `candidates` recommended instead.
fn slowing(measured: &Measured, around: &Surroundings) -> Check {
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
    let cache = around.toolchain.cache.as_deref();
    let instead = measured.recommended(cache, &around.progress).ok().flatten();
    let instead = instead.map_or(String::new(), |found| {
        let said = Slowdown::recommended(found.filler, &found.on, &found.with);
        format!("; taken instead: {said}")
    });
    Check::ok(
        "slowdown-instruction",
        format!(
            "{}: {:.2} cycles each beyond {:.1} free ones per cycle of a block; core at {:.2} GHz{fused}{instead}",
            filler.name(),
            prior.slope_cycles,
            prior.hinge_per_cycle,
            measured.clock_ghz(),
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_named_as_people_know_them() {
        let none = |precise| Rejected {
            event: Event::Cycles { precise },
            errno: Some(2),
            reason: "No such file or directory (os error 2)".into(),
        };
        let said = rejected(&[none(3), none(2), none(1), none(0)]);
        assert_eq!(
            said,
            ["not the hardware's cycle counter: this machine has none"]
        );
        let unclear = Rejected {
            errno: None,
            reason: "unclear".into(),
            ..none(0)
        };
        let said = rejected(&[none(3), none(2), unclear]);
        assert_eq!(
            said,
            [
                "not the hardware's cycle counter, precise level 3, precise level 2: this machine has none",
                "not the hardware's cycle counter: unclear"
            ]
        );
    }

    #[test]
    fn an_age_is_in_words() {
        let of = |minutes: u64| words_of(Duration::from_secs(60 * minutes));
        assert_eq!(
            [of(0), of(1), of(119)],
            ["0 minutes", "1 minute", "119 minutes"]
        );
        assert_eq!([of(120), of(2880)], ["2 hours", "2 days"]);
    }
}
