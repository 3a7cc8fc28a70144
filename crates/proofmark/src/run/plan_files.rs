//! Plans as files, with what makes them usable in other JVMs beside them.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use proofmark_experiment::divine::{DivineReport, Plan};
use proofmark_experiment::{Plans, StepError};

use crate::context::{Context, Refusal};

/// Where the plan of a run goes, and the profiles that were made with it.
pub struct PlanFiles {
    plan: PathBuf,
    profiles: PathBuf,
}

impl PlanFiles {
    /// `plan.json` of the run.
    pub fn of_run(context: &Context) -> Self {
        PlanFiles::at(context.session.file("plan.json"), context)
    }

    /// Another file.
    pub fn at(plan: PathBuf, context: &Context) -> Self {
        PlanFiles {
            plan,
            profiles: context.session.file("profiles"),
        }
    }

    /// A file, of a program whose runs collect no profiles.
    pub fn without_profiles(plan: PathBuf) -> Self {
        PlanFiles {
            plan,
            profiles: PathBuf::new(),
        }
    }
}

impl Plans for PlanFiles {
    fn stored(&self) -> Result<Option<Plan>, StepError> {
        let stored = self.plan.exists().then(|| read(&self.plan));
        stored.transpose().map_err(unkept)
    }

    fn keep(&mut self, plan: &mut Plan) -> Result<(), StepError> {
        write(plan, &self.plan, &self.profiles).map_err(unkept)
    }
}

fn unkept(error: anyhow::Error) -> StepError {
    StepError::Store(error.into())
}

/// Writes the plan, and beside it what makes it usable in other JVMs.
fn write(plan: &mut Plan, path: &Path, profiles: &Path) -> anyhow::Result<()> {
    proofmark_store::write_atomically(path, plan.file.to_json().as_bytes())?;
    let companion = companion(path);
    std::fs::create_dir_all(companion.join("profiles"))
        .with_context(|| format!("cannot create {}", companion.display()))?;
    proofmark_store::write_atomically(
        &companion.join("report.json"),
        &serde_json::to_vec(&plan.report)?,
    )?;
    let units = serde_json::to_vec(&plan.units)?;
    proofmark_store::write_atomically(&companion.join("units.json"), &units)?;
    if profiles.is_dir() {
        copy(profiles, &companion.join("profiles"))?;
    }
    plan.report.plan_path = Some(path.display().to_string());
    Ok(())
}

/// As [`read`], and refuses a plan of another program: its units would not be found after a minute of warm-up. With other
/// arguments it is the same program; how well the plan does is measured anyway.
///
/// # Errors
/// When the file is no plan, or one for another program.
pub fn read_for(path: &Path, workload: &str) -> anyhow::Result<Plan> {
    let plan = read(path)?;
    if same_program(&plan.file.workload, workload) {
        return Ok(plan);
    }
    Err(Refusal::Usage(format!(
        "{} is a plan for {}, not for {workload}; make one with `proofmark divine`",
        path.display(),
        plan.file.workload
    ))
    .into())
}

/// Reads a plan and what lies beside it.
///
/// # Errors
/// When the file is no plan.
pub fn read(path: &Path) -> anyhow::Result<Plan> {
    crate::check::regular(path)?;
    let text = std::fs::read_to_string(path)
        .map_err(|e| Refusal::Usage(format!("cannot read {}: {e}", path.display())))?;
    let file = proofmark_divine::read_plan(&text)
        .map_err(|e| Refusal::Usage(format!("{}: {e}", path.display())))?;
    let companion = companion(path);
    let units = std::fs::read(companion.join("units.json"))
        .ok()
        .and_then(|bytes| serde_json::from_slice(&bytes).ok());
    let report = std::fs::read(companion.join("report.json"))
        .ok()
        .and_then(|bytes| serde_json::from_slice(&bytes).ok());
    let mut report = report.unwrap_or_else(|| DivineReport::of_plan(&file));
    report.plan_path = Some(path.display().to_string());
    Ok(Plan {
        report,
        file,
        units: units.unwrap_or_default(),
    })
}

/// Puts the execution profiles of a plan where JVMs load theirs from.
///
/// # Errors
/// When one cannot be copied.
pub fn copy_profiles(plan: &Path, to: &Path) -> anyhow::Result<()> {
    let from = companion(plan).join("profiles");
    if !from.is_dir() {
        return Ok(());
    }
    std::fs::create_dir_all(to).with_context(|| format!("cannot create {}", to.display()))?;
    copy(&from, to)
}

fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let copy = to.join(entry.file_name());
        std::fs::copy(entry.path(), &copy)
            .with_context(|| format!("cannot write {}", copy.display()))?;
    }
    Ok(())
}

/// `plan.json` has `plan.json.d` beside it.
fn companion(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".d");
    path.with_file_name(name)
}

/// Whether two workloads differ in their arguments at most.
fn same_program(one: &str, other: &str) -> bool {
    one.split(' ').next() == other.split(' ').next()
}

#[cfg(test)]
mod tests {
    use super::same_program;

    #[test]
    fn arguments_make_no_other_program() {
        assert!(same_program("com.acme.Main -q in.txt", "com.acme.Main"));
        assert!(same_program("com.acme.Main a", "com.acme.Main b"));
        assert!(!same_program("Bounce", "Towers"));
        assert!(!same_program("com.acme.Main", "com.acme.Mainframe"));
    }
}
