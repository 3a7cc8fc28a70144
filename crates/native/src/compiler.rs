//! `proofmark cc`: the user's compiler, with the pass between it and the assembler.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use proofmark_asm::{LEFT_SECTION, with_sites};
use sha2::{Digest as _, Sha256};

use crate::launch::hex;
use crate::nested::{check_depth, compiler_command};
use crate::sites::left_alone;
use crate::slots::{Keeping, KeptText, link_object, wanted, with_text};
use crate::words::{Compile, Job, Passed, for_assembler, job, takes_runtime};

/// What is compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// C.
    C,
    /// C++.
    Cpp,
}

impl Language {
    /// The compiler's command: the system's, or the one that a variable names.
    #[must_use]
    pub fn compiler(self) -> String {
        let (variable, usual) = match self {
            Self::C => ("PROOFMARK_CC", "cc"),
            Self::Cpp => ("PROOFMARK_CXX", "c++"),
        };
        std::env::var(variable).unwrap_or_else(|_| usual.into())
    }
}

/// Why nothing was compiled.
#[derive(Debug, thiserror::Error)]
pub enum CompileError {
    /// The compiler cannot be started.
    #[error(
        "{compiler} cannot be started ({source}): install a C compiler (apt-get install gcc g++), or name yours in PROOFMARK_CC or PROOFMARK_CXX"
    )]
    NoCompiler {
        /// Its name.
        compiler: String,
        /// The system's reason.
        source: io::Error,
    },
    /// The compiler is this program again, and again.
    #[error(
        "{compiler} is proofmark itself, or a script that starts it: it would start itself without end. Name the compiler that does the work in PROOFMARK_CC, PROOFMARK_CXX or RUSTC, by its path (such as /usr/bin/gcc)"
    )]
    Itself {
        /// Its name.
        compiler: String,
    },
    /// Another tool cannot be started.
    #[error("{tool} cannot be started: {source}")]
    NoTool {
        /// Its name.
        tool: String,
        /// The system's reason.
        source: io::Error,
    },
    /// A file between compiler and assembler cannot be written or read.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
}

/// The runtime, as C text.
const RUNTIME: &str = include_str!("runtime.c");
/// The header for programs that mark their iterations.
const HEADER: &str = include_str!("proofmark.h");

/// Does what the compiler would do with these words; what is compiled gets sites, or keeps its assembly text where
/// `PROOFMARK_SLOTS` asks for that. The compiler's messages go where they always go. `proofmark.h` is put below `cache`,
/// and found there by every compilation; its place stays, because lists of dependencies name it.
///
/// # Errors
/// When the compiler cannot be started, or files cannot be written. What the compiler finds wrong is in its status.
pub fn compile(
    language: Language,
    words: &[String],
    cache: Option<&Path>,
) -> Result<ExitStatus, CompileError> {
    let name = language.compiler();
    check_depth(&name)?;
    let scratch = scratch()?;
    // Builds of packages may have no home that can be written to.
    let place = match cache.and_then(|cache| header(cache).ok()) {
        Some(place) => place,
        None => header(scratch.path())?,
    };
    let compiler = Compiler {
        name: &name,
        words,
        // Behind all other places: a copy of the user's comes first.
        include: ["-idirafter".into(), place.display().to_string()],
        scratch: &scratch,
    };
    match job(words) {
        Job::Alone => compiler.run(&[words, &compiler.include].concat()),
        Job::Passed(passed) => {
            let status = compiler.run(&[words, &compiler.include].concat())?;
            if status.success() {
                compiler.name_left_alone(&passed);
            }
            Ok(status)
        }
        Job::Link => compiler.link(words.to_vec()),
        Job::Compile(compile) => compiler.compile(&compile),
    }
}

/// The directory with the header, which is written if it is not there: another of our versions has another directory.
fn header(below: &Path) -> Result<PathBuf, CompileError> {
    let digest = hex(&Sha256::digest(HEADER)[..4]);
    let place = below.join(format!("include-{digest}"));
    let file = place.join("proofmark.h");
    let of = |source| file_error(&file)(source);
    if std::fs::read_to_string(&file).is_ok_and(|text| text == HEADER) {
        return Ok(place);
    }
    std::fs::create_dir_all(&place).map_err(of)?;
    // Others compile at the same time.
    let mut new = tempfile::NamedTempFile::new_in(&place).map_err(of)?;
    new.write_all(HEADER.as_bytes()).map_err(of)?;
    new.persist(&file).map_err(|error| of(error.error))?;
    Ok(place)
}

/// What is wrong with a file.
pub(crate) fn file_error(path: &Path) -> impl FnOnce(io::Error) -> CompileError {
    let path = path.to_owned();
    move |source| CompileError::File { path, source }
}

/// A directory for what is between the steps of a compilation.
pub(crate) fn scratch() -> Result<tempfile::TempDir, CompileError> {
    tempfile::Builder::new()
        .prefix("proofmark-cc-")
        .tempdir()
        .map_err(file_error(&std::env::temp_dir()))
}

/// Runs a compiler.
fn run(name: &str, words: &[String]) -> Result<ExitStatus, CompileError> {
    compiler_command(name)
        .args(words)
        .status()
        .map_err(|source| CompileError::NoCompiler {
            compiler: name.to_owned(),
            source,
        })
}

/// Compiles the runtime into an object in this directory: its file, or the status of a compiler that does not.
pub(crate) fn runtime(
    compiler: &str,
    place: &Path,
) -> Result<Result<String, ExitStatus>, CompileError> {
    let text = place.join("runtime.c");
    std::fs::write(&text, RUNTIME).map_err(file_error(&text))?;
    let object = place.join("runtime.o").display().to_string();
    let text = text.display().to_string();
    // C++ compilers take it for C++ otherwise.
    let made = ["-O2", "-fPIC", "-w", "-x", "c", "-c", &text, "-o", &object].map(str::to_owned);
    let status = run(compiler, &made)?;
    Ok(match status.success() {
        true => Ok(object),
        false => Err(status),
    })
}

struct Compiler<'c> {
    name: &'c str,
    words: &'c [String],
    include: [String; 2],
    scratch: &'c tempfile::TempDir,
}

impl Compiler<'_> {
    fn run(&self, words: &[String]) -> Result<ExitStatus, CompileError> {
        run(self.name, words)
    }

    fn compile(&self, compile: &Compile) -> Result<ExitStatus, CompileError> {
        let mut linked = self.words.to_vec();
        let mut last = None;
        for &at in &compile.sources {
            let source = &self.words[at];
            let object = match compile.objects_only {
                true => compile.object(source),
                false => self.scratch.path().join(format!("{at}.o")),
            };
            let status = self.object(compile, source, &object)?;
            if !status.success() {
                return Ok(status);
            }
            linked[at] = object.display().to_string();
            last = Some(status);
        }
        match last {
            Some(status) if compile.objects_only => Ok(status),
            _ => self.link(linked),
        }
    }

    /// Compiles a source, puts sites into it and assembles it.
    fn object(
        &self,
        compile: &Compile,
        source: &str,
        object: &Path,
    ) -> Result<ExitStatus, CompileError> {
        let plain = self.scratch.path().join("plain.s");
        let mut words = [compile.options(self.words).as_slice(), &self.include].concat();
        // Names in messages and debug information are those of the usual object.
        let target = match (&compile.output, compile.objects_only) {
            (Some(output), false) => output.with_extension("o"),
            _ => compile.object(source),
        };
        words.extend(compile.dependency_words(&target));
        words.extend([
            "-S".into(),
            source.to_owned(),
            "-o".into(),
            plain.display().to_string(),
        ]);
        let status = self.run(&words)?;
        if !status.success() {
            return Ok(status);
        }
        let sited = self.scratch.path().join("sited.s");
        let text = std::fs::read_to_string(&plain).map_err(file_error(&plain))?;
        let text = match wanted() {
            true => {
                let kept = KeptText::new(self.name, self.words, source, text);
                with_text(&kept, self.scratch.path())?
            }
            false => with_sites(&text).text,
        };
        std::fs::write(&sited, text).map_err(file_error(&sited))?;
        let mut words = for_assembler(self.words);
        words.extend([
            "-c".into(),
            sited.display().to_string(),
            "-o".into(),
            object.display().to_string(),
        ]);
        self.run(&words)
    }

    /// Notes in an object that was made without sites which functions are in it. Where that fails, the object is as good
    /// without.
    fn name_left_alone(&self, passed: &Passed) {
        let Ok(text) = std::fs::read(&passed.object).map(|bytes| left_alone(&bytes, passed)) else {
            return;
        };
        let note = self.scratch.path().join("left");
        if text.is_empty() || std::fs::write(&note, text).is_err() {
            return;
        }
        let section = format!("{LEFT_SECTION}={}", note.display());
        let mut command = Command::new("objcopy");
        command
            .args(["--add-section", &section])
            .arg(&passed.object);
        let _ = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    }

    /// Links; the runtime goes along.
    fn link(&self, mut words: Vec<String>) -> Result<ExitStatus, CompileError> {
        if takes_runtime(&words) {
            if wanted() {
                let place = self.scratch.path();
                let link = link_object(self.name, &words, place, Keeping::Texts)?;
                words.push(link.display().to_string());
            }
            match runtime(self.name, self.scratch.path())? {
                Ok(object) => words.push(object),
                Err(status) => return Ok(status),
            }
        }
        self.run(&words)
    }
}
