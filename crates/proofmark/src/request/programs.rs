//! Several programs: from the command line and from a TOML file.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use proofmark_jvm::{JarManifest, Workload, WorkloadError};
use serde::{Deserialize, Serialize};

use crate::context::Refusal;

/// A program under its name in results.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Program {
    /// The name; no two are the same.
    pub name: String,
    /// How an iteration of it is run.
    pub workload: Workload,
}

/// A file of programs.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    program: Vec<Entry>,
}

/// One `[[program]]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    /// Name in results; none: what the workload is called.
    name: Option<String>,
    /// As on the command line: `suite:Towers`, `class:com.acme.Main`, `jmh:benchmarks.jar#Sort`.
    workload: Option<String>,
    /// A whole command: `["java", "-jar", "app.jar"]`.
    command: Option<Vec<String>>,
    /// Class path of the workload.
    #[serde(default)]
    class_path: Vec<PathBuf>,
    /// Arguments of the workload's `main`, or parameters of a benchmark, `NAME=VALUE`.
    #[serde(default)]
    arguments: Vec<String>,
    /// Further options of its JVM.
    #[serde(default)]
    jvm_options: Vec<String>,
}

/// Programs of a TOML file.
///
/// # Errors
/// When it cannot be read, or one of them cannot be understood.
pub fn from_file(file: &Path) -> anyhow::Result<Vec<Program>> {
    crate::check::regular(file)?;
    let text =
        std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let read = from_toml(&text, file.parent().unwrap_or(Path::new("")));
    read.with_context(|| file.display().to_string())
}

impl Program {
    /// A program under this name.
    pub fn named(name: String, workload: Workload) -> Self {
        Program { name, workload }
    }
}

fn usage(error: WorkloadError) -> Refusal {
    Refusal::Usage(error.to_string())
}

/// Programs of a file in `directory`, to which relative class paths refer.
fn from_toml(text: &str, directory: &Path) -> anyhow::Result<Vec<Program>> {
    let file: File = toml::from_str(text).map_err(|e| Refusal::Usage(e.to_string()))?;
    let programs = file.program.into_iter().enumerate();
    programs
        .map(|(at, entry)| {
            entry
                .program(directory)
                .with_context(|| format!("program {}", at + 1))
        })
        .collect()
}

impl Entry {
    fn program(self, directory: &Path) -> anyhow::Result<Program> {
        let (name, mut workload) = match (self.workload, self.command) {
            (Some(text), None) => {
                let parsed = Workload::parse_in(directory, &text, self.class_path);
                let mut workload = parsed.map_err(usage)?;
                let name = std::iter::once(text).chain(self.arguments.iter().cloned());
                let name = name.collect::<Vec<_>>().join(" ");
                workload.arguments.extend(self.arguments);
                (name, workload)
            }
            (None, Some(words)) if self.class_path.is_empty() && self.arguments.is_empty() => {
                let inside = |jar: &Path| JarManifest::read(&directory.join(jar));
                let workload = Workload::from_command(&words, inside).map_err(usage)?;
                (workload.to_string(), workload)
            }
            (None, Some(_)) => {
                return Err(refused(
                    "a command has its class path and arguments in itself",
                ));
            }
            _ => return Err(refused("give either workload or command")),
        };
        for path in &mut workload.class_path {
            *path = directory.join(&*path);
        }
        workload.jvm_options.extend(self.jvm_options);
        Ok(Program::named(self.name.unwrap_or(name), workload))
    }
}

fn refused(text: &str) -> anyhow::Error {
    Refusal::Usage(text.into()).into()
}

/// The programs of a study, if they can be.
///
/// # Errors
/// When there is none, two have one name, or one's class path is missing.
pub fn checked(programs: Vec<Program>) -> anyhow::Result<Vec<Program>> {
    if programs.is_empty() {
        return Err(refused(
            "give programs: --program suite:Towers,suite:Queens, --programs FILE, or end the command with -- java ...",
        ));
    }
    for (at, program) in programs.iter().enumerate() {
        if programs[..at]
            .iter()
            .any(|other| other.name == program.name)
        {
            return Err(refused(&format!(
                "two programs are called '{}': give each its name in a file (--programs)",
                program.name
            )));
        }
        let paths = &program.workload.class_path;
        if let Some(missing) = paths.iter().find(|p| !p.exists() && !p.ends_with("*")) {
            return Err(refused(&format!(
                "{}: no such file on the class path: {}",
                program.name,
                missing.display()
            )));
        }
    }
    Ok(programs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proofmark_jvm::Kind;

    fn read(text: &str) -> anyhow::Result<Vec<Program>> {
        from_toml(text, Path::new("/studies"))
    }

    #[test]
    fn a_file_holds_workloads_and_commands() {
        let programs = read(
            r#"
            [[program]]
            workload = "suite:Towers"
            [[program]]
            workload = "class:com.acme.Main"
            class_path = ["app.jar", "/lib/x.jar"]
            arguments = ["in.txt"]
            [[program]]
            name = "indexer"
            command = ["java", "-Dx=1", "-cp", "i.jar", "Index", "-v"]
            jvm_options = ["-Xss4m"]
            "#,
        )
        .unwrap();
        let names: Vec<&str> = programs.iter().map(|p| p.name.as_str()).collect();
        assert_eq!(
            names,
            ["suite:Towers", "class:com.acme.Main in.txt", "indexer"]
        );
        let [towers, main, indexer] = [0, 1, 2].map(|at| &programs[at].workload);
        assert_eq!((towers.kind, towers.class_path.len()), (Kind::Suite, 0));
        assert_eq!(
            main.class_path,
            [
                PathBuf::from("/studies/app.jar"),
                PathBuf::from("/lib/x.jar")
            ]
        );
        assert_eq!(indexer.class_path, [PathBuf::from("/studies/i.jar")]);
        assert_eq!(indexer.jvm_options, ["-Dx=1", "-Xss4m"]);
        assert_eq!(indexer.arguments, ["-v"]);
    }

    #[test]
    fn what_cannot_be_meant_is_refused() {
        let error = |text: &str| format!("{:#}", read(text).unwrap_err());
        assert!(error("[[program]]\nworklod = \"suite:Towers\"").contains("worklod"));
        assert!(error("[[program]]\nname = \"x\"").contains("program 1: give either"));
        let both = "[[program]]\ncommand = [\"java\", \"X\"]\narguments = [\"y\"]";
        assert!(error(both).contains("in itself"));
        assert!(error("[[program]]\nworkload = \"suite:Nothing\"").contains("is not a workload"));
        let twice = "[[program]]\nworkload = \"suite:Towers\"\n".repeat(2);
        let error = checked(read(&twice).unwrap()).unwrap_err();
        assert!(
            error
                .to_string()
                .contains("two programs are called 'suite:Towers'")
        );
        assert!(checked(Vec::new()).is_err());
    }
}
