//! What the directory of a search for a native program's plan says about itself.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::builds::{Builds, other_builds};
use crate::context::Refusal;
use crate::manifest::{Manifest, another};
use crate::request::NativeDivineRequest;

/// Of a run of a native program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NativeManifest {
    /// Version of Proofmark.
    proofmark: String,
    /// The program's file.
    native_program: PathBuf,
    /// Its arguments.
    arguments: Vec<String>,
    /// Seed of everything that is drawn at random.
    seed: u64,
    /// Build of the program; not known of runs of earlier versions.
    #[serde(default)]
    builds: Builds,
}

impl NativeManifest {
    /// Of a run that is asked for.
    #[must_use]
    pub fn of(request: &NativeDivineRequest) -> Self {
        let program = request.program.canonicalize();
        let program = program.unwrap_or_else(|_| request.program.clone());
        NativeManifest {
            proofmark: env!("CARGO_PKG_VERSION").into(),
            builds: Builds::of_file(&program),
            native_program: program,
            arguments: request.arguments.clone(),
            seed: request.seed,
        }
    }
}

impl Manifest for NativeManifest {
    fn as_before(&self, before: &NativeManifest, directory: &Path) -> Result<(), Refusal> {
        let what = if before.proofmark != self.proofmark {
            "version of Proofmark"
        } else if before.native_program != self.native_program {
            "program"
        } else if before.arguments != self.arguments {
            "command of the program: its arguments differ"
        } else if before.seed != self.seed {
            "--seed"
        } else if let Some(what) = self.builds.difference(&before.builds) {
            return Err(other_builds(directory, &what));
        } else {
            return Ok(());
        };
        Err(another(directory, what))
    }

    fn with_known(self, before: &NativeManifest) -> Self {
        NativeManifest {
            builds: self.builds.or(&before.builds),
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_of_another_build_is_not_gone_on_with() {
        let place = tempfile::tempdir().unwrap();
        let program = place.path().join("program");
        std::fs::write(&program, "one").unwrap();
        let now = || NativeManifest {
            proofmark: "1".into(),
            native_program: program.clone(),
            arguments: Vec::new(),
            seed: 1,
            builds: Builds::of_file(&program),
        };
        let before = now();
        assert!(now().as_before(&before, Path::new("/run")).is_ok());
        std::fs::write(&program, "longer than before").unwrap();
        let refused = now().as_before(&before, Path::new("/run")).unwrap_err();
        let told = "/run holds results of another build of the program (";
        assert!(refused.to_string().starts_with(told), "{refused}");
        let older = NativeManifest {
            builds: Builds::default(),
            ..before
        };
        assert!(now().as_before(&older, Path::new("/run")).is_ok());
    }

    #[test]
    fn a_run_of_another_program_is_not_gone_on_with() {
        let own = NativeManifest {
            proofmark: "1".into(),
            native_program: "/bin/a".into(),
            arguments: vec!["x".into()],
            seed: 1,
            builds: Builds::default(),
        };
        let said = |before: &NativeManifest| {
            let refused = own.as_before(before, Path::new("/run"));
            refused.map_or_else(|refusal| refusal.to_string(), |()| String::new())
        };
        assert_eq!(said(&own), "");
        for (before, what) in [
            (
                NativeManifest {
                    seed: 2,
                    ..own.clone()
                },
                "another --seed",
            ),
            (
                NativeManifest {
                    native_program: "/bin/b".into(),
                    ..own.clone()
                },
                "another program",
            ),
            (
                NativeManifest {
                    arguments: Vec::new(),
                    ..own.clone()
                },
                "its arguments differ",
            ),
            (
                NativeManifest {
                    proofmark: "2".into(),
                    ..own.clone()
                },
                "version of Proofmark",
            ),
        ] {
            let said = said(&before);
            assert!(said.contains(what) && said.contains("/run"), "{said}");
        }
    }
}
