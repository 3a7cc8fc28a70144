//! Whether a test of a native program can be meant.

use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use proofmark_experiment::lab::Filler;
use proofmark_experiment::speedup::chosen;
use proofmark_native::{Slotted, filler_fits};

use super::place;
use crate::context::Refusal;
use crate::request::{NativeDivineRequest, NativeRequest, SlotsRequest, SpeedupRequest};
use crate::run::native::manifest::NativeManifest;
use crate::run::native::refused;
use crate::run::plan_files::read;

/// Refuses profilers that there are not, and a result where a file is or somebody else's result.
///
/// # Errors
/// With the first that will not do.
pub fn check(request: &NativeRequest) -> Result<(), Refusal> {
    for (at, name) in request.profilers.iter().enumerate() {
        if let Some(why) = refused(name) {
            return Err(Refusal::Usage(format!("--profiler {name}: {why}")));
        }
        if request.profilers[..at].contains(name) {
            return Err(Refusal::Usage(format!("--profiler names '{name}' twice")));
        }
    }
    match &request.out {
        Some(out) if out.is_file() => Err(Refusal::Usage(format!(
            "--out {}: this is a file",
            out.display()
        ))),
        Some(out) => place::free_for_dose(out),
        None => Ok(()),
    }
}

/// Refuses a plan that cannot be searched for, and places where nothing can be written.
///
/// # Errors
/// With the first that will not do.
pub fn divinable(request: &NativeDivineRequest) -> Result<(), Refusal> {
    request.filler.map_or(Ok(()), fits)?;
    if let Some(output) = &request.output {
        place::writable_file(output, "--output")?;
    }
    place::run_directory(request.out.as_deref(), &NativeManifest::of(request))
}

/// Refuses what cannot go into native code, programs without slots, and to write the full program in the program's own place.
///
/// # Errors
/// With the first that will not do.
pub fn slots(request: &SlotsRequest) -> Result<(), Refusal> {
    fits(request.filler)?;
    place::regular(&request.program)?;
    if let Err(error) = Slotted::read(&request.program) {
        return Err(Refusal::Usage(error.to_string()));
    }
    let Some(output) = &request.output else {
        return Ok(());
    };
    if same_file(output, &request.program) {
        return Err(Refusal::Usage(format!(
            "--output {}: this is the program itself, whose slots would be gone; name another file",
            output.display()
        )));
    }
    place::writable_file(output, "--output")
}

/// Whether two paths lead to one file that is there.
fn same_file(a: &Path, b: &Path) -> bool {
    let [a, b] = [a, b].map(|path| std::fs::metadata(path).ok());
    let number = |of: std::fs::Metadata| (of.dev(), of.ino());
    a.zip(b).is_some_and(|(a, b)| number(a) == number(b))
}

fn fits(filler: Filler) -> Result<(), Refusal> {
    if filler_fits(filler) {
        return Ok(());
    }
    Err(Refusal::Usage(format!(
        "--filler {}: native code keeps data below its stack pointer; give mov, nop, nop9, lea, sfence or pause",
        filler.name()
    )))
}

/// Refuses plans that cannot slow this program, functions that they do not slow, and places where nothing can be written.
///
/// # Errors
/// With the first that will not do.
pub fn speedup(request: &SpeedupRequest) -> anyhow::Result<()> {
    let plan = read(&request.plan)?;
    let path = request.plan.display();
    if !plan.file.environment.jdk.is_empty() {
        let text = format!(
            "{path} is a plan for a program of a JVM: make one for {} with `proofmark divine -- {}`",
            request.program.display(),
            request.program.display()
        );
        return Err(Refusal::Usage(text).into());
    }
    let filler = plan.filler()?;
    if !filler_fits(filler) {
        let text = format!(
            "{path} counts {}, and native code keeps data below its stack pointer: make it again with another --filler",
            filler.name()
        );
        return Err(Refusal::Usage(text).into());
    }
    chosen(&plan, &request.named, request.functions)?;
    Ok(results(request.out.as_deref())?)
}

/// Refuses a directory for results that cannot be one.
///
/// # Errors
/// With the reason.
pub fn results(out: Option<&Path>) -> Result<(), Refusal> {
    match out {
        Some(out) if out.is_file() => Err(Refusal::Usage(format!(
            "--out {}: this is a file",
            out.display()
        ))),
        Some(out) => place::writable_directory(out, "--out"),
        None => place::own_directory(),
    }
}
