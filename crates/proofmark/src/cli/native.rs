//! The command line of what concerns native programs.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;
use proofmark_native::{Language, PERF_WORD, Program, ProgramError, found_command};

use super::sites::{JudgeArguments, SiteArguments};
use super::workload::{ProgramArguments, usage};
use crate::request::{CompileRequest, NativeRequest, Request};

/// `cc` and `c++`.
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
}

/// A command whose words are all another command's: none of them may be taken for an option of ours.
///
/// # Errors
/// When a word is no text.
pub(super) fn forwarded(words: impl Iterator<Item = OsString>) -> anyhow::Result<Option<Request>> {
    let mut words = words.skip(1);
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
        _ => return Ok(None),
    };
    let text = |word: OsString| {
        word.into_string()
            .map_err(|word| usage(&format!("{} is no UTF-8 text", word.display())))
    };
    let words = words.map(text).collect::<anyhow::Result<_>>()?;
    Ok(Some(Request::Compile(CompileRequest { language, words })))
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

/// The test of a native program.
pub(super) fn request(
    (program, profilers): (PathBuf, Vec<String>),
    arguments: &ProgramArguments,
    judge: &JudgeArguments,
    sites: SiteArguments,
) -> NativeRequest {
    NativeRequest {
        program,
        arguments: arguments.java[1..].to_vec(),
        profilers,
        functions: sites.methods.into(),
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
    }
}
