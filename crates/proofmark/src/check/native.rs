//! Whether a test of a native program can be meant.

use proofmark_native::filler_fits;
use proofmark_store::StoreError;

use super::place;
use crate::context::Refusal;
use crate::request::{NativeDivineRequest, NativeRequest};
use crate::run::native::divine::NativeManifest;
use crate::run::native::refused;

/// Refuses profilers that there are not, and a result where a file is.
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
        _ => Ok(()),
    }
}

/// Refuses a plan that cannot be searched for, and places where nothing can be written.
///
/// # Errors
/// With the first that will not do.
pub fn divinable(request: &NativeDivineRequest) -> Result<(), Refusal> {
    if let Some(filler) = request.filler.filter(|filler| !filler_fits(*filler)) {
        return Err(Refusal::Usage(format!(
            "--filler {}: native code keeps data below its stack pointer; give mov, nop, nop9, lea, sfence or pause",
            filler.name()
        )));
    }
    if let Some(output) = &request.output {
        place::writable_file(output, "--output")?;
    }
    let Some(out) = &request.out else {
        return place::own_directory();
    };
    match proofmark_store::manifest_in::<NativeManifest>(out) {
        Ok(Some(before)) => NativeManifest::of(request).as_before(&before, out)?,
        Ok(None) => {}
        Err(StoreError::Damaged { .. }) => {
            return Err(Refusal::Usage(format!(
                "{} holds a run of another command, or a damaged one: give another --out",
                out.display()
            )));
        }
        Err(error) => return Err(Refusal::Usage(error.to_string())),
    }
    place::writable_directory(out, "--out")
}
