//! The user's `java` command, or one for a program of the suite.

use std::path::{Path, PathBuf};

use proofmark_jvm::SUITE;
use proofmark_jvm::toolchain::{CountKit, Settings};

use crate::context::Refusal;

/// A command that starts a JVM, and what counts its bytecodes.
pub(super) struct JavaCommand {
    /// JDK, runtime, agent.
    pub(super) kit: CountKit,
    /// `java`, as the user named it.
    pub(super) java: PathBuf,
    /// What follows.
    pub(super) words: Vec<String>,
}

impl JavaCommand {
    /// Understands `java ...`. What it runs is not looked at: class path, `-jar`, modules, all are the JVM's own affair.
    pub(super) fn of_user(words: &[String], settings: &Settings) -> anyhow::Result<Self> {
        let (java, words) = words
            .split_first()
            .ok_or_else(|| Refusal::Usage("the command is empty".into()))?;
        if Path::new(java)
            .file_name()
            .is_none_or(|name| name != "java")
        {
            return Err(Refusal::Usage(format!(
                "'{java}' is not a java command: write -- java [OPTION...] -cp PATH CLASS [ARGUMENT...]"
            ))
            .into());
        }
        // A path says which JVM is meant; a bare `java` is that of --jdk.
        let java = match &settings.jdk {
            Some(jdk) if java == "java" => jdk.join("bin/java"),
            _ => PathBuf::from(java),
        };
        Ok(Self {
            kit: CountKit::assemble(settings, &java)?,
            java,
            words: words.to_vec(),
        })
    }

    /// A program of the suite with these arguments of `proofmark.suite.Repeat`.
    pub(super) fn of_suite(
        program: &str,
        arguments: &[String],
        settings: &Settings,
    ) -> anyhow::Result<Self> {
        if !SUITE.contains(&program) {
            return Err(Refusal::Usage(format!(
                "'{program}' is not in the suite: use one of {}",
                SUITE.join(", ")
            ))
            .into());
        }
        let java = match &settings.jdk {
            Some(jdk) => jdk.join("bin/java"),
            None => "java".into(),
        };
        let kit = CountKit::assemble(settings, &java)?;
        let mut words = vec![
            "-cp".to_owned(),
            kit.suite_jar.display().to_string(),
            "proofmark.suite.Repeat".to_owned(),
            program.to_owned(),
        ];
        words.extend_from_slice(arguments);
        Ok(Self { kit, java, words })
    }

    /// The command as a line.
    pub(super) fn line(&self) -> String {
        let words = std::iter::once(self.java.display().to_string());
        words
            .chain(self.words.iter().cloned())
            .collect::<Vec<_>>()
            .join(" ")
    }
}
