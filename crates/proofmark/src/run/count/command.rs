//! The user's `java` command, or one for a program of the suite.

use std::path::PathBuf;

use proofmark_jvm::toolchain::{CountKit, Settings};

use crate::context::Refusal;
use crate::request::Counted;

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
    /// Gets ready what the command needs; `arguments` are those of `proofmark.suite.Repeat`, for a program of the suite.
    pub(super) fn of(
        program: &Counted,
        arguments: &[String],
        settings: &Settings,
    ) -> anyhow::Result<Self> {
        match program {
            Counted::Suite(name) => Self::of_suite(name, arguments, settings),
            Counted::Command(words) => Self::of_user(words, settings),
        }
    }

    fn of_user(words: &[String], settings: &Settings) -> anyhow::Result<Self> {
        let (java, words) = words
            .split_first()
            .ok_or_else(|| Refusal::Usage("the command is empty".into()))?;
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

    fn of_suite(program: &str, arguments: &[String], settings: &Settings) -> anyhow::Result<Self> {
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
