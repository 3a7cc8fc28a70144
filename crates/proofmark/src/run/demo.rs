//! `proofmark demo`: the main job on a bundled program, both parts, small enough for five minutes. Where no JDK will do, the
//! program is one in C.

use std::path::PathBuf;

use anyhow::Context as _;
use proofmark_experiment::divine::Effort;
use proofmark_experiment::dose::Again;
use proofmark_jvm::toolchain::{Settings, ToolchainError, find_jdk, jdk_of, shell_line};
use proofmark_native::{Language, compile, found_command};

use super::dose::Tested;
use super::{dose, native};
use crate::context::Refusal;
use crate::request::{AssessRequest, NativeRequest};
use crate::session::run_place;
use crate::surroundings::Surroundings;

/// The program in C.
const PROGRAM: &str = include_str!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../native/suite/words.c"
));

/// Less searching and evaluating than usual. A search that goes on until its plans are used up takes the demo beyond five minutes where
/// a machine is slow or restless. Verdicts are about the slowdown that was reached, whatever it is.
pub fn effort() -> Effort {
    Effort {
        most_search_s: 24.0,
        watched_s: 4.0,
        unwatched_s: 1.8,
        evaluation_rounds: 2,
        ..Effort::default()
    }
}

/// Why no JVM can be used: there is no JDK for sites, and none for the laboratory. None if there is one.
pub fn without_jdk(request: &AssessRequest, settings: &Settings) -> Option<String> {
    let sites = request.sites.as_ref().ok()?;
    let why = match jdk_of(settings, &dose::java(sites, settings)).err()? {
        ToolchainError::NoCountingJdk { java, problem } => format!("{}: {problem}", java.display()),
        other => other.to_string(),
    };
    find_jdk(settings).err().map(|_| why)
}

/// The demo on a program in C; `why` there is none on a JVM.
///
/// # Errors
/// When there is no C compiler or no profiler for it either.
pub fn in_c(request: &AssessRequest, why: &str, around: &Surroundings) -> anyhow::Result<Tested> {
    let says = format!("no JDK will do ({why}): the demo is about a program in C");
    around.progress.note(&says);
    let lock = run_place(request.program.out.as_deref(), "demo")?;
    let directory = lock.directory().to_owned();
    let [source, program] = ["words.c", "words"].map(|name| directory.join(name));
    std::fs::write(&source, PROGRAM).with_context(|| source.display().to_string())?;
    let [from, to] = [&source, &program].map(|path| path.display().to_string());
    let words = ["-O2", "-g", "-o", &to, &from].map(str::to_owned);
    let status = compile(Language::C, &words, around.toolchain.cache.as_deref())
        .with_context(|| says.clone())?;
    if !status.success() {
        let text = format!("{says}, and the compiler does not take {from}");
        return Err(Refusal::Cannot(text).into());
    }
    native::run_in(lock, &small(program, directory, says), around)
}

/// A test that takes a minute or two.
fn small(program: PathBuf, directory: PathBuf, says: String) -> NativeRequest {
    let mut profilers = vec!["perf".to_owned()];
    if found_command("valgrind").is_some() {
        profilers.push("callgrind".into());
    }
    let again = Again {
        command: format!(
            "-- {}",
            shell_line(std::iter::once(program.display().to_string()))
        ),
        ..Again::default()
    };
    NativeRequest {
        program,
        // More repetitions than any process is asked for.
        arguments: vec!["1000000000".into()],
        profilers,
        functions: 3,
        named: Vec::new(),
        margin_pt: 5.0,
        rounds: 2,
        budget_s: 5.0,
        window_s: 0.1,
        interval_ms: None,
        process_timeout_s: 60.0,
        out: Some(directory),
        seed: 1,
        remarks: vec![says],
        again,
    }
}
