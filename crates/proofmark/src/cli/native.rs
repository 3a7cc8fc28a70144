//! The command line of what concerns native programs.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::Args;
use proofmark_native::{
    LINK_NAME, Language, PERF_WORD, Program, ProgramError, SlotsError, Slotted, found_command,
};

use super::sites::{JudgeArguments, SiteArguments};
use super::workload::{ProgramArguments, usage};
use crate::request::{CompileRequest, NativeRequest, Request, RustLinkRequest, RustRequest};

/// `cc`, `c++` and `rustc`.
#[derive(Debug, Clone, Args)]
pub struct CompilerArguments {
    /// The compiler's words.
    #[arg(
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "WORD"
    )]
    words: Vec<String>,
}

impl CompilerArguments {
    /// What is asked for.
    pub fn request(self, language: Language) -> CompileRequest {
        CompileRequest {
            language,
            words: self.words,
        }
    }

    /// The same of a crate.
    pub fn rust_request(self) -> RustRequest {
        RustRequest {
            rustc: RUSTC.to_owned(),
            words: self.words,
        }
    }
}

/// The compiler of Rust. As the first word, in whatever directory it is: `cargo` calls a `RUSTC_WRAPPER` so.
const RUSTC: &str = "rustc";

/// A command whose words are all another command's: none of them may be taken for an option of ours.
///
/// # Errors
/// When a word is no text.
pub(super) fn forwarded(
    mut words: impl Iterator<Item = OsString>,
) -> anyhow::Result<Option<Request>> {
    let text = |word: OsString| {
        word.into_string()
            .map_err(|word| usage(&format!("{} is no UTF-8 text", word.display())))
    };
    // rustc links with a link to us.
    if let Some(place) = words.next().as_deref().and_then(place_of_link) {
        let words = words.map(text).collect::<anyhow::Result<_>>()?;
        return Ok(Some(Request::LinkRust(RustLinkRequest { place, words })));
    }
    let Some(first) = words.next() else {
        return Ok(None);
    };
    let language = match first.to_str() {
        Some("cc") => Language::C,
        Some("c++") => Language::Cpp,
        Some(PERF_WORD) => {
            let order = words.next().map(PathBuf::from);
            return Ok(order.map(Request::NativeWindows));
        }
        Some(rustc) if Path::new(rustc).file_name() == Some(RUSTC.as_ref()) => {
            let (rustc, words) = (rustc.to_owned(), words.map(text));
            let words = words.collect::<anyhow::Result<_>>()?;
            return Ok(Some(Request::CompileRust(RustRequest { rustc, words })));
        }
        _ => return Ok(None),
    };
    let words = words.map(text).collect::<anyhow::Result<_>>()?;
    Ok(Some(Request::Compile(CompileRequest { language, words })))
}

/// Where the link is by whose name we were called, if it is rustc's linker.
fn place_of_link(called: &OsStr) -> Option<PathBuf> {
    let called = Path::new(called);
    let is_link = called.file_name() == Some(LINK_NAME.as_ref());
    is_link.then(|| called.parent().map(Path::to_owned))?
}

/// The native program that a command starts; none where it starts a JVM.
///
/// # Errors
/// When it is a native program without sites.
pub(super) fn program(arguments: &ProgramArguments) -> anyhow::Result<Option<PathBuf>> {
    let Some(first) = arguments.java.first() else {
        return Ok(None);
    };
    let Some(path) = found_command(first) else {
        return Ok(None);
    };
    match Program::read(&path) {
        Ok(_) => Ok(Some(path)),
        // The JVM is such a program.
        Err(error @ ProgramError::NoSites(_)) if path.file_name() != Some("java".as_ref()) => {
            Err(usage(&error.to_string()))
        }
        Err(_) => Ok(None),
    }
}

/// The native program with slots that a command starts; none where it starts a JVM.
///
/// # Errors
/// When it is a native program without slots.
pub(super) fn slotted(arguments: &ProgramArguments) -> anyhow::Result<Option<PathBuf>> {
    let first = arguments.java.first();
    let Some(path) = first.and_then(|first| found_command(first)) else {
        return Ok(None);
    };
    match Slotted::read(&path) {
        Ok(_) => Ok(Some(path)),
        // The JVM is such a program.
        Err(error @ SlotsError::NoSlots(_)) if path.file_name() != Some("java".as_ref()) => {
            Err(usage(&error.to_string()))
        }
        Err(_) => Ok(None),
    }
}

/// The test of a native program.
pub(super) fn request(
    (program, profilers): (PathBuf, Vec<String>),
    arguments: &ProgramArguments,
    judge: &JudgeArguments,
    sites: SiteArguments,
) -> NativeRequest {
    let again = sites.again(arguments, judge, &profilers);
    NativeRequest {
        program,
        arguments: arguments.java[1..].to_vec(),
        profilers,
        functions: sites.most_methods(),
        named: sites.method,
        margin_pt: judge.margin,
        rounds: sites.rounds.into(),
        budget_s: sites.budget,
        window_s: sites.window,
        interval_ms: judge.interval,
        process_timeout_s: arguments.iteration_timeout,
        out: arguments.out.clone(),
        seed: arguments.seed,
        remarks: Vec::new(),
        again,
    }
}
