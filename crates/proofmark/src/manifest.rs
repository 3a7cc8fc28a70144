//! What a run's directory says about itself: it is gone on with as the same run only.

use std::path::Path;

use proofmark_jvm::Workload;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::builds::{Builds, other_builds};
use crate::context::Refusal;
use crate::request::ProgramRequest;

/// What a run's directory says about itself: it is gone on with as the same run only.
pub trait Manifest: Serialize + DeserializeOwned + PartialEq {
    /// Refuses to go on with a run of another program, seed, version or build; what is in its directory stays.
    ///
    /// # Errors
    /// With what differs, and what to do.
    fn as_before(&self, before: &Self, directory: &Path) -> Result<(), Refusal>;

    /// The same, and what only the manifest of before knows: what is not told now stays known.
    #[must_use]
    fn with_known(self, before: &Self) -> Self;
}

/// Refuses a directory whose run has another one of what is named.
pub fn another(directory: &Path, what: &str) -> Refusal {
    Refusal::Usage(format!(
        "{} holds a run with another {what}: repeat it with the same one, or give another --out; nothing was changed there",
        directory.display()
    ))
}

/// Of a run of a Java program.
#[derive(Debug, Clone, Serialize, Deserialize, PartialEq)]
pub struct RunManifest {
    /// Version of Proofmark.
    proofmark: String,
    /// The program.
    workload: Workload,
    /// Seed of everything that is drawn at random.
    seed: u64,
    /// Heap of its JVMs, MB; none in runs of earlier versions.
    #[serde(default)]
    heap_mb: Option<u32>,
    /// Builds of program and JDKs; none is known of runs of earlier versions.
    #[serde(default)]
    builds: Builds,
}

impl RunManifest {
    /// Of a run of this program in these builds.
    #[must_use]
    pub fn of(program: &ProgramRequest, builds: Builds) -> Self {
        RunManifest {
            proofmark: env!("CARGO_PKG_VERSION").into(),
            workload: program.workload.clone(),
            seed: program.seed,
            heap_mb: Some(program.heap_mb),
            builds,
        }
    }
}

impl Manifest for RunManifest {
    fn as_before(&self, before: &RunManifest, directory: &Path) -> Result<(), Refusal> {
        let program = |of: &RunManifest| of.workload.to_string();
        let what = if before.proofmark != self.proofmark {
            let versions = (&before.proofmark, &self.proofmark);
            format!(
                "version of Proofmark ({} there, {} now)",
                versions.0, versions.1
            )
        } else if program(before) != program(self) {
            format!("program ({} there, {} now)", program(before), program(self))
        } else if before.workload != self.workload {
            "command of the program: its class path, arguments or JVM options differ".to_owned()
        } else if before.seed != self.seed {
            format!("--seed ({} there, {} now)", before.seed, self.seed)
        } else if let (Some(there), Some(now)) = (before.heap_mb, self.heap_mb)
            && there != now
        {
            format!("--heap ({there} there, {now} now)")
        } else if let Some(what) = self.builds.difference(&before.builds) {
            return Err(other_builds(directory, &what));
        } else {
            return Ok(());
        };
        Err(another(directory, &what))
    }

    fn with_known(self, before: &RunManifest) -> Self {
        RunManifest {
            builds: self.builds.or(&before.builds),
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use proofmark_jvm::toolchain::{Settings, jdk_of};
    use proofmark_store::Run;

    use super::*;
    use crate::builds::tests::looks_like_jdk;
    use crate::session::begun;

    fn program(jar: PathBuf) -> ProgramRequest {
        ProgramRequest {
            workload: Workload::parse("class:Main", vec![jar]).expect("a class"),
            java: None,
            heap_mb: 64,
            iteration_timeout_s: 1.0,
            out: None,
            seed: 1,
        }
    }

    /// Of a run of the program as it is now.
    fn now(program: &ProgramRequest) -> RunManifest {
        RunManifest::of(program, Builds::of(&program.workload, &Settings::default()))
    }

    fn said(now: &RunManifest, before: &RunManifest) -> String {
        let answer = now.as_before(before, Path::new("/run"));
        answer.map_or_else(|refusal| refusal.to_string(), |()| String::new())
    }

    #[test]
    fn a_run_is_not_gone_on_with_when_its_program_was_built_anew() {
        let place = tempfile::tempdir().unwrap();
        let jar = place.path().join("app.jar");
        std::fs::write(&jar, "one").unwrap();
        let program = program(jar.clone());
        let before = now(&program);
        assert_eq!(said(&now(&program), &before), "");
        std::fs::write(&jar, "longer than before").unwrap();
        let text = said(&now(&program), &before);
        let told = format!("another build of the program ({}", jar.display());
        for part in ["/run holds results of ", &told, "give another --out"] {
            assert!(text.contains(part), "{part} in {text}");
        }
        // One that does not know its builds, as earlier versions left it.
        let mut older = serde_json::to_value(&before).unwrap();
        older.as_object_mut().unwrap().remove("builds");
        let older: RunManifest = serde_json::from_value(older).unwrap();
        assert_eq!(said(&now(&program), &older), "");
    }

    #[test]
    fn a_run_is_not_gone_on_with_on_another_jdk() {
        let place = tempfile::tempdir().unwrap();
        let program = program(place.path().join("app.jar"));
        for release in ["17.0.9", "25.0.1"] {
            looks_like_jdk(&place.path().join(release), release);
        }
        let on = |release: &str| {
            let java = place.path().join(release).join("bin/java");
            let jdk = jdk_of(&Settings::default(), &java).unwrap();
            RunManifest::of(&program, Builds::default().on(Some(&jdk)))
        };
        let before = on("17.0.9");
        assert_eq!(said(&on("17.0.9"), &before), "");
        let text = said(&on("25.0.1"), &before);
        assert!(text.contains("another JDK (Acme 17.0.9 in "), "{text}");
    }

    /// A directory that earlier versions made is gone on with, and from then on its builds are known.
    #[test]
    fn builds_that_were_not_known_are_known_from_now_on() {
        let place = tempfile::tempdir().unwrap();
        let jar = place.path().join("app.jar");
        std::fs::write(&jar, "one").unwrap();
        let (program, out) = (program(jar.clone()), place.path().join("out"));
        let older = RunManifest::of(&program, Builds::default());
        drop(Run::create(&out, &older).unwrap());
        let again = || begun(Some(&out), "label", &now(&program)).map(drop);
        again().expect("nothing speaks against it");
        again().expect("the same build");
        std::fs::write(&jar, "longer than before").unwrap();
        let error = again().unwrap_err();
        assert_eq!(crate::exit::code_of(&error), 2, "{error}");
        assert!(error.to_string().contains("another build"), "{error}");
        // What a run without a laboratory cannot tell stays known.
        let known = now(&program);
        assert_eq!(older.with_known(&known), known);
    }
}
