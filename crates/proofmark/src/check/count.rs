//! Requests of `count`: programs that the user's own `java` runs.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use proofmark_jvm::toolchain::Settings;
use proofmark_jvm::{JarManifest, Workload};
use zip::ZipArchive;

use super::{jdk, place, program};
use crate::context::Refusal;
use crate::read::not_an_input;
use crate::request::{
    CompareRequest, CountRequest, Counted, InstrumentRequest, OverheadRequest, ShowRequest,
};

/// `count` itself.
///
/// # Errors
/// When the program, the agent or the place of the profile is not there.
pub fn run(request: &CountRequest, settings: &Settings) -> Result<(), Refusal> {
    startable(&request.program, settings)?;
    if let Some(jar) = &request.agent_path {
        place::readable(jar)?;
    }
    output(request.output.as_deref())
}

/// `count overhead`.
///
/// # Errors
/// When a program is not there.
pub fn overhead(request: &OverheadRequest, settings: &Settings) -> Result<(), Refusal> {
    let mut programs = request.programs.iter();
    programs.try_for_each(|program| startable(program, settings))
}

/// `count instrument`.
///
/// # Errors
/// When a jar is none, or the rewritten ones have no place.
pub fn instrument(request: &InstrumentRequest, settings: &Settings) -> Result<(), Refusal> {
    jdk(settings)?;
    request.jars.iter().try_for_each(|jar| readable_jar(jar))?;
    if request.jars.len() == 1 && !request.output.is_dir() {
        let jars: Vec<&Path> = request.jars.iter().map(PathBuf::as_path).collect();
        not_an_input(&request.output, &jars)?;
        return place::writable_file(&request.output, "--output");
    }
    place::writable_directory(&request.output, "--output")
}

/// `count compare`.
///
/// # Errors
/// When a profile is not there.
pub fn compare(request: &CompareRequest) -> Result<(), Refusal> {
    place::readable(&request.a)?;
    place::readable(&request.b)
}

/// `count show`.
///
/// # Errors
/// When the profile is not there, or its other form has no place.
pub fn show(request: &ShowRequest) -> Result<(), Refusal> {
    place::readable(&request.profile)?;
    output(request.output.as_deref())
}

fn output(path: Option<&Path>) -> Result<(), Refusal> {
    path.map_or(Ok(()), |path| place::writable_file(path, "-o"))
}

/// What the user's `java` runs is its own affair, but for a class that is nowhere. A command of a form that is not
/// understood may be right.
fn startable(program: &Counted, settings: &Settings) -> Result<(), Refusal> {
    jdk(settings)?;
    let Counted::Command(words) = program else {
        return Ok(());
    };
    let java = words.first().map_or("java", String::as_str);
    if java.contains('/') && !Path::new(java).is_file() {
        return Err(Refusal::Usage(format!("no such program: {java}")));
    }
    if let Some(jar) = words.iter().skip_while(|word| *word != "-jar").nth(1) {
        let before = words.iter().take_while(|word| *word != "-jar");
        // Only as an option of java itself: behind the class it is the program's.
        if before.skip(1).all(|word| word.starts_with('-')) {
            readable_jar(&PathBuf::from(jar))?;
        }
    }
    match Workload::from_command(words, JarManifest::read) {
        Ok(workload) => program::has_class(&workload, &settings.clone().with_java(Path::new(java))),
        Err(_) => Ok(()),
    }
}

fn readable_jar(jar: &Path) -> Result<(), Refusal> {
    place::readable(jar)?;
    let opened = File::open(jar).map_err(|error| error.to_string());
    let archive = opened
        .and_then(|file| ZipArchive::new(BufReader::new(file)).map_err(|error| error.to_string()));
    archive
        .map(drop)
        .map_err(|error| Refusal::Usage(format!("{} is no jar: {error}", jar.display())))
}
