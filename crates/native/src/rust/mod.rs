//! `proofmark rustc`: rustc, with the pass over the assembly text that it leaves beside its object.
//!
//! rustc makes one object of a crate, and its text. The text gets sites and is assembled; the object takes the place of
//! rustc's own, in libraries when rustc has ended, and in programs right before they are linked: rustc is told to link with
//! a link to this command, [`link_rust`]. Whatever keeps a crate from having sites is said, and the crate is as rustc made
//! it. With `PROOFMARK_SLOTS=1` the text is kept in the object instead, and what rustc links with, as in C.
//!
//! | file between the two | what |
//! | --- | --- |
//! | `plain.s` | rustc's text |
//! | `sited.s`, `sited.o` | the same with sites |
//! | `linker` | the command that links |
//! | `note` | why what was linked has no sites |

mod archive;
mod options;
mod words;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use proofmark_asm::{rust_for_gnu, unit_of, with_rust_sites};

use crate::compiler::{CompileError, Language, file_error, runtime, scratch};
use crate::nested::{check_depth, compiler_command, tool_command};
use crate::slots::{Keeping, KeptText, link_object, wanted, with_text};
use archive::replaced;
use words::{Archives, Compile, Job, job, member_end, object_of, of_file, takes_runtime};

/// The name by which this command knows that rustc wants it to link.
pub const LINK_NAME: &str = "proofmark-rust-link";

/// What came of a compilation.
#[derive(Debug)]
pub struct Compiled {
    /// rustc's status.
    pub status: ExitStatus,
    /// What the user has to know: what has no sites, and why.
    pub notes: Vec<String>,
}

/// Does what rustc would do with these words; what is compiled gets sites. Its messages go where they always go.
///
/// # Errors
/// When rustc or the assembler cannot be started, or files cannot be written. What rustc finds wrong is in its status.
pub fn compile_rust(rustc: &str, words: &[String]) -> Result<Compiled, CompileError> {
    check_depth(rustc)?;
    let named_binary = std::env::var_os("CARGO_BIN_NAME").is_some();
    let compile = match job(words, named_binary) {
        Job::Alone => return alone(rustc, words, Vec::new()),
        Job::Passed(why) => return alone(rustc, words, vec![why]),
        Job::Compile(compile) => compile,
    };
    let scratch = scratch()?;
    let place = scratch.path();
    let link = place.join(LINK_NAME);
    let own = std::env::current_exe().map_err(file_error(&link))?;
    std::os::unix::fs::symlink(own, &link).map_err(file_error(&link))?;
    let linker = place.join("linker");
    std::fs::write(&linker, &compile.linker).map_err(file_error(&linker))?;
    let text = place.join("plain.s");
    let mut done = alone(rustc, &compile.words(&text, &link), Vec::new())?;
    if !done.status.success() {
        return Ok(done);
    }
    let linked = std::fs::read_to_string(place.join("note")).ok();
    let why = match linked {
        Some(why) => Some(why),
        None => archives(rustc, &compile, place)?,
    };
    // Nothing came by that has sites: neither the linker's words nor a library.
    let absent = "what rustc made of it was not found";
    let why = match place.join("sited.o").is_file() {
        true => why,
        false => why.or_else(|| Some(absent.into())),
    };
    let name = &compile.name;
    done.notes
        .extend(why.map(|why| format!("crate {name}: no {}: {why}", what())));
    if compile.lto {
        let text = "link-time optimisation is turned off: it leaves no assembly text of a crate";
        done.notes.push(format!("crate {name}: {text}"));
    }
    Ok(done)
}

/// What a crate is to get.
fn what() -> &'static str {
    match wanted() {
        true => "slots",
        false => "sites",
    }
}

fn alone(rustc: &str, words: &[String], notes: Vec<String>) -> Result<Compiled, CompileError> {
    let status = started(tool_command(rustc).args(words), rustc)?;
    Ok(Compiled { status, notes })
}

fn started(command: &mut Command, name: &str) -> Result<ExitStatus, CompileError> {
    command.status().map_err(|source| CompileError::NoTool {
        tool: name.to_owned(),
        source,
    })
}

/// The object with sites of a compilation.
struct Unit {
    /// The codegen unit's name.
    name: String,
    object: PathBuf,
}

/// Puts sites into rustc's text and assembles it, once; or says why that cannot be done.
fn unit(place: &Path) -> Result<Result<Unit, String>, CompileError> {
    let [plain, sited, object] = ["plain.s", "sited.s", "sited.o"].map(|name| place.join(name));
    let Ok(text) = std::fs::read_to_string(&plain) else {
        return Ok(Err("rustc left no assembly text".into()));
    };
    let Some(name) = unit_of(&text).map(str::to_owned) else {
        return Ok(Err("rustc's assembly text does not name its object".into()));
    };
    if object.is_file() {
        return Ok(Ok(Unit { name, object }));
    }
    let compiler = Language::C.compiler();
    let text = match wanted() {
        true => {
            // `crate.hash-cgu.0`
            let name = name.split('.').next().unwrap_or_default();
            let kept = KeptText::of_rust(&compiler, name, rust_for_gnu(&text));
            with_text(&kept, place)?
        }
        false => with_rust_sites(&text).text,
    };
    std::fs::write(&sited, text).map_err(file_error(&sited))?;
    let mut command = compiler_command(&compiler);
    let command = command.arg("-c").arg(&sited).arg("-o").arg(&object);
    let output = command.stdin(Stdio::null()).output();
    let output = output.map_err(|source| CompileError::NoCompiler {
        compiler: compiler.clone(),
        source,
    })?;
    if output.status.success() {
        return Ok(Ok(Unit { name, object }));
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let first = said
        .lines()
        .find(|line| line.contains("rror"))
        .unwrap_or("no reason");
    Ok(Err(format!(
        "{compiler} does not take rustc's assembly text ({first}); name another compiler in PROOFMARK_CC, such as clang"
    )))
}

/// Puts the object with sites into the libraries that were made; says why one has none.
fn archives(rustc: &str, compile: &Compile, place: &Path) -> Result<Option<String>, CompileError> {
    for path in files(rustc, compile)? {
        // What is no archive was linked, or there is none.
        let Ok(bytes) = std::fs::read(&path) else {
            continue;
        };
        if !bytes.starts_with(archive::MARK) {
            continue;
        }
        let unit = match unit(place)? {
            Ok(unit) => unit,
            Err(why) => return Ok(Some(why)),
        };
        let object = std::fs::read(&unit.object).map_err(file_error(&unit.object))?;
        let Some(new) = replaced(&bytes, &member_end(&unit.name), &object) else {
            return Ok(Some(format!(
                "{} has no object {}",
                path.display(),
                unit.name
            )));
        };
        exchange(&path, &new).map_err(file_error(&path))?;
    }
    Ok(None)
}

/// Files that may be archives.
fn files(rustc: &str, compile: &Compile) -> Result<Vec<PathBuf>, CompileError> {
    let directory = match &compile.archives {
        Archives::None => return Ok(Vec::new()),
        Archives::Named(file) => return Ok(vec![file.clone()]),
        Archives::Within(directory) => directory,
    };
    let mut command = tool_command(rustc);
    let output = command
        .args(compile.question())
        .stdin(Stdio::null())
        .output();
    let output = output.map_err(|source| CompileError::NoTool {
        tool: rustc.to_owned(),
        source,
    })?;
    let names = String::from_utf8_lossy(&output.stdout);
    let archives = names
        .lines()
        .filter(|name| name.ends_with(".rlib") || name.ends_with(".a"));
    Ok(archives.map(|name| directory.join(name)).collect())
}

/// Other compilations may read the file meanwhile: it is the old one or the new one.
fn exchange(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let place = path.parent().filter(|place| !place.as_os_str().is_empty());
    let mut new = tempfile::NamedTempFile::new_in(place.unwrap_or(Path::new(".")))?;
    new.write_all(bytes)?;
    let permissions = std::fs::metadata(path)?.permissions();
    new.as_file().set_permissions(permissions)?;
    new.persist(path).map(drop).map_err(|error| error.error)
}

/// Links in rustc's stead, as it would with these words: with the object that has sites, and the runtime. `place` is where
/// [`compile_rust`] put what is needed for that.
///
/// # Errors
/// When the linker or the assembler cannot be started, or files cannot be read or written. What the linker finds wrong is
/// in its status.
pub fn link_rust(place: &Path, words: &[String]) -> Result<ExitStatus, CompileError> {
    let linker = place.join("linker");
    let linker = std::fs::read_to_string(&linker).map_err(file_error(&linker))?;
    let told = all_words(words)?;
    let takes_runtime = takes_runtime(&told);
    let why = match takes_runtime {
        true => into_link(place, &told)?,
        false => Some("it is linked without start files, and so without the runtime".into()),
    };
    if let Some(why) = why {
        let note = place.join("note");
        std::fs::write(&note, why).map_err(file_error(&note))?;
    }
    check_depth(&linker)?;
    let mut command = tool_command(&linker);
    if takes_runtime {
        if wanted() {
            // Behind the exchange of objects: they are known by their texts.
            command.arg(link_object(&linker, &told, place, Keeping::Files)?);
        }
        match runtime(&Language::C.compiler(), place)? {
            // Libraries that it needs come behind it.
            Ok(object) => command.arg(object),
            Err(status) => return Ok(status),
        };
    }
    started(command.args(words), &linker)
}

/// Puts the object with sites in place of rustc's; or says why that cannot be done.
fn into_link(place: &Path, words: &[String]) -> Result<Option<String>, CompileError> {
    let unit = match unit(place)? {
        Ok(unit) => unit,
        Err(why) => return Ok(Some(why)),
    };
    let Some(object) = object_of(words, &unit.name) else {
        return Ok(Some(format!("rustc does not link {}", unit.name)));
    };
    let object = Path::new(object);
    std::fs::copy(&unit.object, object).map_err(file_error(object))?;
    Ok(None)
}

/// The words, with those that stand in files.
fn all_words(words: &[String]) -> Result<Vec<String>, CompileError> {
    let mut all = Vec::new();
    for word in words {
        match word.strip_prefix('@').map(Path::new) {
            Some(file) => {
                let text = std::fs::read_to_string(file).map_err(file_error(file))?;
                all.extend(of_file(&text));
            }
            None => all.push(word.clone()),
        }
    }
    Ok(all)
}
