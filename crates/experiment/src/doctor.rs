//! What a machine can measure, what is missing, and what follows for every command.

use proofmark_blocks::Resolution;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

/// The check of compiler and assembler of programs in C and C++.
pub const COMPILER: &str = "cc";
/// The check of Rust's compiler.
pub const RUSTC: &str = "rustc";
/// The check of the place for what is fetched and compiled once.
const CACHE: &str = "cache";

/// Name and version of the doctor's report. Version 1 was the list of checks alone.
pub const DOCTOR_SCHEMA: &str = "proofmark-doctor/3";

/// How much of a capability is there.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum CheckStatus {
    /// All of it.
    Ok,
    /// Proofmark works, but measures less, or less well, or must fetch something first.
    Limited,
    /// Nothing works without it.
    Missing,
}

/// One thing that was looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Check {
    /// What was looked at; a stable word for scripts.
    pub name: String,
    /// How much of it there is.
    pub status: CheckStatus,
    /// What was found.
    pub detail: String,
    /// What to do about it; empty when nothing is to be done.
    pub remedy: String,
}

impl Check {
    /// Everything is as it should be.
    pub fn ok(name: &str, detail: impl Into<String>) -> Self {
        Self::of(name, CheckStatus::Ok, detail.into(), String::new())
    }

    /// Proofmark works, with a restriction.
    pub fn limited(name: &str, detail: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self::of(name, CheckStatus::Limited, detail.into(), remedy.into())
    }

    /// Proofmark does not work.
    pub fn missing(name: &str, detail: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self::of(name, CheckStatus::Missing, detail.into(), remedy.into())
    }

    fn of(name: &str, status: CheckStatus, detail: String, remedy: String) -> Self {
        Check {
            name: name.into(),
            status,
            detail,
            remedy,
        }
    }
}

/// What a command can do here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CommandRow {
    /// Commands that need the same.
    pub commands: Vec<String>,
    /// Whether they work: `missing` means that they would end with exit code 3.
    pub status: CheckStatus,
    /// What they can resolve here, or what they lack.
    pub resolution: String,
    /// Checks that stand in their way, by name.
    pub lacking: Vec<String>,
}

/// `doctor --format json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DoctorReport {
    /// [`DOCTOR_SCHEMA`].
    #[serde(alias = "version", deserialize_with = "schema")]
    pub schema: String,
    /// What was looked at.
    pub checks: Vec<Check>,
    /// What follows for each command.
    pub commands: Vec<CommandRow>,
    /// How old that calibration is, s; null if it was made now, or there is none.
    #[serde(default)]
    pub calibration_age_s: Option<u64>,
    /// What victims of known answer showed: rule, border, slopes; null where nothing can be sampled.
    pub calibration: serde_json::Value,
}

fn schema<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    crate::schema::read("proofmark-doctor", from)
}

impl DoctorReport {
    /// What follows from the checks, with what samples resolve here; none where nothing can be sampled. The calibration
    /// is left open.
    #[must_use]
    pub fn of(checks: Vec<Check>, resolution: Option<&Resolution>) -> Self {
        DoctorReport {
            schema: DOCTOR_SCHEMA.into(),
            commands: commands(&checks, resolution),
            checks,
            calibration_age_s: None,
            calibration: serde_json::Value::Null,
        }
    }

    /// Whether every command works.
    #[must_use]
    pub fn all_work(&self) -> bool {
        let works = |row: &CommandRow| row.status != CheckStatus::Missing;
        self.commands.iter().all(works)
    }
}

/// What follows from the checks for every command.
fn commands(checks: &[Check], resolution: Option<&Resolution>) -> Vec<CommandRow> {
    let blocks = resolution.map_or(String::new(), |resolution| {
        let border = resolution.border_cycles;
        format!(
            "block times to {:.1} cycles ({:.1} to {:.1}): sets of {:.0} cycles and more, or all code around, are judged",
            border.value,
            border.low,
            border.high,
            resolution.shortest_judged_cycles().ceil(),
        )
    });
    let counts = match resolution {
        Some(_) => "exact counts; time outside of them is measured",
        None => "exact counts; time outside of them: not measured",
    };
    let dose = "time added to methods, by the clock, on your own JVM";
    let study = "every profiler that starts on this machine";
    let any_jdk = ["jdk-17-or-later", CACHE];
    let graal = ["jdk", "graal", CACHE];
    let laboratory = [&graal[..], &["sampling"]].concat();
    let slowed = ["divine", "candidates", "evaluate"];
    let files = ["study analyze", "diff", "import"];
    let in_c = native(checks, &["cc", "c++"], "dose of programs in C and C++");
    let both = |name| either(checks, &[name], (&laboratory, &blocks), (&any_jdk, dose));
    let rows = [
        command(checks, &["dose"], &any_jdk, dose),
        both("assess"),
        demo(both("demo"), &in_c),
        command(checks, &slowed, &laboratory, &blocks),
        command(checks, &["events"], &graal, counts),
        command(checks, &["count"], &any_jdk, "exact counts of bytecodes"),
        command(checks, &["study run"], &graal, study),
        command(checks, &files, &[], "reads files only"),
        in_c,
        native(checks, &[RUSTC], "dose of programs in Rust"),
    ];
    rows.into()
}

/// Commands of two parts, each with what it needs and what it does, that go on with the second where the first one cannot be had.
fn either(
    checks: &[Check],
    commands: &[&str],
    (needs, does): (&[&str], &str),
    (fewer, instead): (&[&str], &str),
) -> CommandRow {
    let all = command(checks, commands, needs, does);
    let less = command(checks, commands, fewer, instead);
    if all.status == CheckStatus::Ok || less.status != CheckStatus::Ok {
        return all;
    }
    let resolution = format!("{instead}; not the laboratory: {}", all.resolution);
    row(commands, CheckStatus::Limited, resolution, all.lacking)
}

/// Where no JDK will do, the demo is about a program in C.
fn demo(on_a_jvm: CommandRow, in_c: &CommandRow) -> CommandRow {
    if on_a_jvm.status != CheckStatus::Missing || in_c.status != CheckStatus::Ok {
        return on_a_jvm;
    }
    let resolution = format!("on a program in C only; {}", on_a_jvm.resolution);
    CommandRow {
        status: CheckStatus::Limited,
        resolution,
        ..on_a_jvm
    }
}

/// Commands that do nothing where something is missing that they need.
fn command(checks: &[Check], commands: &[&str], needs: &[&str], does: &str) -> CommandRow {
    let stops = |check: &Check| {
        check.status == CheckStatus::Missing && needs.contains(&check.name.as_str())
    };
    let lacking = names(checks, stops);
    let (status, resolution) = match lacking.is_empty() {
        true => (CheckStatus::Ok, does.to_owned()),
        false => (
            CheckStatus::Missing,
            format!("missing: {}", lacking.join(", ")),
        ),
    };
    row(commands, status, resolution, lacking)
}

/// Commands for native programs. Where something is missing, everything else still works.
fn native(checks: &[Check], commands: &[&str], does: &str) -> CommandRow {
    let stops = |check: &Check| match check.name.as_str() {
        RUSTC => commands.contains(&RUSTC) && check.status != CheckStatus::Ok,
        COMPILER | "perf-tool" => check.status != CheckStatus::Ok,
        "perf-permission" => check.status == CheckStatus::Missing,
        _ => false,
    };
    let lacking = names(checks, stops);
    let (status, resolution) = match lacking.is_empty() {
        true => (CheckStatus::Ok, does.to_owned()),
        false => (
            CheckStatus::Limited,
            format!("{does}; missing: {}", lacking.join(", ")),
        ),
    };
    row(commands, status, resolution, lacking)
}

fn names(checks: &[Check], of: impl Fn(&Check) -> bool) -> Vec<String> {
    let some = checks.iter().filter(|check| of(check));
    some.map(|check| check.name.clone()).collect()
}

fn row(
    commands: &[&str],
    status: CheckStatus,
    resolution: String,
    lacking: Vec<String>,
) -> CommandRow {
    CommandRow {
        commands: commands.iter().map(ToString::to_string).collect(),
        status,
        resolution,
        lacking,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_works_where_nothing_that_it_needs_is_missing() {
        let checks = [
            Check::missing("jdk", "", ""),
            Check::limited("graal", "", ""),
            Check::ok("jdk-17-or-later", ""),
            Check::missing("perf-tool", "", ""),
        ];
        let rows = commands(&checks, None);
        let status = |name: &str| {
            let row = rows
                .iter()
                .find(|row| row.commands.iter().any(|one| one == name));
            row.map(|row| (row.status, row.lacking.clone())).unwrap()
        };
        // It goes on with sites alone.
        assert_eq!(
            status("assess"),
            (CheckStatus::Limited, vec!["jdk".to_owned()])
        );
        for needs_it in ["divine", "evaluate", "events", "study run"] {
            assert_eq!(status(needs_it).0, CheckStatus::Missing, "{needs_it}");
        }
        assert_eq!(status("demo").0, CheckStatus::Limited);
        assert_eq!(status("dose"), (CheckStatus::Ok, Vec::new()));
        assert_eq!(status("count"), (CheckStatus::Ok, Vec::new()));
        assert_eq!(status("diff").0, CheckStatus::Ok);
    }

    #[test]
    fn without_a_jdk_the_demo_is_in_c() {
        let of = |perf: Check| {
            let checks = [
                Check::missing("jdk-17-or-later", "", ""),
                Check::missing("jdk", "", ""),
                Check::ok(COMPILER, ""),
                perf,
            ];
            let rows = commands(&checks, None);
            let row = |name: &str| {
                let mut rows = rows.iter();
                rows.find(|row| row.commands == [name])
                    .map(|row| row.status)
            };
            (row("assess"), row("demo"))
        };
        let (missing, limited) = (Some(CheckStatus::Missing), Some(CheckStatus::Limited));
        assert_eq!(of(Check::ok("perf-tool", "")), (missing, limited));
        assert_eq!(of(Check::missing("perf-tool", "", "")), (missing, missing));
    }

    #[test]
    fn without_a_compiler_only_native_programs_are_limited() {
        let of = |checks: &[Check]| {
            let rows = commands(checks, None);
            let [.., c, rust] = rows.as_slice() else {
                panic!("no rows of native programs");
            };
            [c.clone(), rust.clone()]
        };
        let there = of(&[
            Check::ok(COMPILER, ""),
            Check::ok("perf-tool", ""),
            Check::limited("perf-permission", "", ""),
        ]);
        for row in there {
            assert_eq!(row.status, CheckStatus::Ok, "{row:?}");
        }
        let [lacking, _] = of(&[
            Check::limited(COMPILER, "", ""),
            Check::limited("perf-tool", "", ""),
            Check::missing("perf-permission", "", ""),
        ]);
        assert_eq!(lacking.status, CheckStatus::Limited);
        assert_eq!(lacking.lacking, ["cc", "perf-tool", "perf-permission"]);
        // Without rustc programs in C can be tested all the same.
        let [c, rust] = of(&[Check::limited(RUSTC, "", "")]);
        assert_eq!(
            (c.status, rust.status),
            (CheckStatus::Ok, CheckStatus::Limited)
        );
        assert_eq!(
            (c.lacking.len(), rust.lacking),
            (0, vec!["rustc".to_owned()])
        );
    }

    #[test]
    fn a_report_of_version_2_is_read() {
        let old = r#"{"version": 2, "checks": [{"name": "jdk", "status": "ok", "detail": "found", "remedy": ""}],
            "commands": [], "calibration_age_s": 7200, "calibration": null}"#;
        let report: DoctorReport = serde_json::from_str(old).unwrap();
        assert_eq!(report.schema, "proofmark-doctor/2");
        assert_eq!(report.checks, [Check::ok("jdk", "found")]);
        let now = DoctorReport::of(report.checks, None);
        let json = serde_json::to_value(&now).unwrap();
        assert_eq!(json["schema"], DOCTOR_SCHEMA);
        assert_eq!(serde_json::from_value::<DoctorReport>(json).unwrap(), now);
    }
}
