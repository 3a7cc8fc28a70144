//! Java sources to a jar, with the user's javac and jar, inside a directory of the cache.
//!
//! The same sources, flags and JDK give the same bytes: entries of the jar are listed in sorted order and carry a
//! fixed date, and class files name their source file without its directory.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::cache::{Cache, says_disk_full, write_error};
use super::jdk::Jdk;
use super::process::{JDK_TOOL_LIMIT, jdk_tool, run, shown};
use super::sources::{Sources, files_below};
use super::{Settings, ToolchainError, hash};
use crate::crashed::report_of_tool;

/// Changes when this module makes something else of the same sources.
const METHOD: &str = "javac+jar 1";
/// For the JVM of a tool of the JDK: it has few files to do, and is over before a compiler that optimises has paid.
const QUICK: [&str; 2] = ["-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"];
/// The earliest date that a jar can carry without time zone trouble.
const FIXED_DATE: &str = "--date=1980-01-02T00:00:00Z";

/// One jar to be made.
#[derive(Debug)]
pub(crate) struct Recipe<'a> {
    /// The JDK that compiles.
    pub(crate) jdk: &'a Jdk,
    /// What is compiled.
    pub(crate) sources: &'a Sources,
    /// Flags of javac that name no file.
    pub(crate) flags: Vec<String>,
    /// Flags of javac that name files; the files' content is in `inputs`.
    pub(crate) paths: Vec<String>,
    /// Hashes or versions of what `paths` leads to.
    pub(crate) inputs: Vec<String>,
    /// Lines of the manifest.
    pub(crate) manifest: &'static str,
}

/// A jar in the cache.
#[derive(Clone, Debug)]
pub(crate) struct Jar {
    pub(crate) path: PathBuf,
    pub(crate) sha256: String,
}

impl Recipe<'_> {
    /// The jar, from the cache or freshly made.
    pub(crate) fn jar(&self, settings: &Settings, cache: &Cache) -> Result<Jar, ToolchainError> {
        let part = self.sources.part;
        let name = format!("proofmark-{part}.jar");
        let entry = cache.get(part, &self.key(), |directory| {
            settings.say(&format!(
                "compiling {part} with javac {}",
                self.jdk.full_version
            ));
            self.make(directory, &name)
        })?;
        let sha256 = entry.hashes.get(&name).cloned().unwrap_or_default();
        Ok(Jar {
            path: entry.path.join(name),
            sha256,
        })
    }

    fn key(&self) -> String {
        let facts = [
            METHOD,
            &self.jdk.full_version,
            &self.jdk.vendor,
            self.manifest,
        ]
        .map(str::as_bytes);
        let flags = self.flags.iter().chain(&self.inputs).map(String::as_bytes);
        hash::of_parts(
            facts
                .into_iter()
                .chain(flags)
                .chain(self.sources.key_parts()),
        )
    }

    /// Works below the entry's parent, which is deleted afterwards; only the jar goes into the entry.
    fn make(&self, entry: &Path, name: &str) -> Result<(), ToolchainError> {
        let work = entry.with_file_name("work");
        let (source, classes) = (work.join("source"), work.join("classes"));
        fs::create_dir_all(&classes).map_err(|error| write_error(&classes, &error))?;
        self.sources
            .write_to(&source)
            .map_err(|error| write_error(&source, &error))?;
        self.javac(&source, &classes)?;
        for (path, inside) in self.sources.resources() {
            let target = classes.join(inside);
            let copied = target.parent().map_or(Ok(()), fs::create_dir_all);
            copied
                .and_then(|()| fs::copy(source.join(path), &target))
                .map_err(|error| write_error(&target, &error))?;
        }
        self.pack(&work, &classes, &entry.join(name))
    }

    fn javac(&self, source: &Path, classes: &Path) -> Result<(), ToolchainError> {
        let mut command = quick_tool(self.jdk, "javac");
        command
            .args(["-proc:none", "-encoding", "UTF-8", "-g", "-d"])
            .arg(classes);
        command.args(&self.flags).args(&self.paths);
        command.args(self.sources.java().map(|path| source.join(path)));
        // What is printed is the same on every machine, and in the temporary directory nothing is written.
        command.env("LC_ALL", "C.UTF-8");
        let failed = |output: String| ToolchainError::Compile {
            part: self.sources.part.into(),
            javac: format!("javac {}", self.jdk.full_version),
            command: shown(&command_for_user(
                &self.flags,
                &self.paths,
                self.jdk,
                self.sources,
            )),
            output,
        };
        finish(&mut command, classes, failed)
    }

    fn pack(&self, work: &Path, classes: &Path, jar: &Path) -> Result<(), ToolchainError> {
        let (manifest, list) = (work.join("manifest"), work.join("files"));
        let files = files_below(classes).map_err(|error| write_error(classes, &error))?;
        let lines: String = files
            .iter()
            .map(|file| format!("{}\n", quoted(file)))
            .collect();
        fs::write(&manifest, self.manifest).map_err(|error| write_error(&manifest, &error))?;
        fs::write(&list, lines).map_err(|error| write_error(&list, &error))?;
        let mut command = quick_tool(self.jdk, "jar");
        command
            .args(["--create", FIXED_DATE, "--file"])
            .arg(jar)
            .arg("--manifest")
            .arg(manifest);
        command
            .arg(format!("@{}", list.display()))
            .current_dir(classes);
        let text = shown(&command);
        finish(&mut command, jar, |output| ToolchainError::Tool {
            command: text,
            output,
        })
    }
}

/// Takes one directory or file out of a jar, below `directory`.
pub(crate) fn unpack(
    jdk: &Jdk,
    jar: &Path,
    member: &str,
    directory: &Path,
) -> Result<PathBuf, ToolchainError> {
    let mut command = quick_tool(jdk, "jar");
    command
        .args(["--extract", "--file"])
        .arg(jar)
        .arg(member)
        .current_dir(directory);
    let text = shown(&command);
    finish(&mut command, directory, |output| ToolchainError::Tool {
        command: text,
        output,
    })?;
    Ok(directory.join(member))
}

/// A tool of the JDK whose JVM is quick, and which leaves nothing in the working directory where it crashes.
fn quick_tool(jdk: &Jdk, name: &str) -> Command {
    let mut command = jdk_tool(jdk.tool(name));
    let report = format!("-J{}", report_of_tool(name));
    command.args(QUICK).arg(report);
    command
}

/// Runs a tool of the JDK; a failure for lack of space is told apart from all others.
fn finish(
    command: &mut Command,
    target: &Path,
    failed: impl FnOnce(String) -> ToolchainError,
) -> Result<(), ToolchainError> {
    match run(command, JDK_TOOL_LIMIT) {
        Ok(done) if done.status.success() => Ok(()),
        Ok(done) if says_disk_full(&done.output) => Err(ToolchainError::CacheFull {
            path: target.to_owned(),
        }),
        Ok(done) => Err(failed(done.output.trim_end().to_owned())),
        Err(error) => Err(failed(error.to_string())),
    }
}

/// The command as a user can repeat it: with the sources of a checkout, as ours are gone by then.
fn command_for_user(flags: &[String], paths: &[String], jdk: &Jdk, sources: &Sources) -> Command {
    let mut command = Command::new(jdk.tool("javac"));
    command
        .args([
            "-proc:none",
            "-encoding",
            "UTF-8",
            "-g",
            "-d",
            "/tmp/classes",
        ])
        .args(flags)
        .args(paths);
    command.args(
        sources
            .java()
            .map(|path| format!("java/{}/{path}", sources.part)),
    );
    command
}

/// As the argument files of the JDK's tools want it.
fn quoted(argument: &str) -> String {
    format!("\"{}\"", argument.replace('\\', r"\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toolchain::JdkVersion;

    #[test]
    fn a_tool_that_crashes_leaves_no_report_in_the_working_directory() {
        let jdk = Jdk {
            home: "/jdk".into(),
            version: JdkVersion::parse("25").expect("a version"),
            full_version: "25+36".into(),
            vendor: "Acme".into(),
        };
        for name in ["javac", "jar"] {
            let command = quick_tool(&jdk, name);
            let words = command.get_args().map(|word| word.to_string_lossy());
            let of_report = |word: std::borrow::Cow<'_, str>| {
                word.strip_prefix("-J-XX:ErrorFile=").map(PathBuf::from)
            };
            let reports: Vec<PathBuf> = words.filter_map(of_report).collect();
            let [report] = reports.as_slice() else {
                panic!("{reports:?}");
            };
            assert!(report.starts_with(std::env::temp_dir()), "{report:?}");
        }
    }
}
