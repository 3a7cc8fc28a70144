//! The test by dose with sites, on the user's own JVM. What is tested and how is in `proofmark_experiment::dose::sites`;
//! here are its JVMs and the file that it leaves.
//!
//! | module | what |
//! | --- | --- |
//! | `ahead` | what of it is behind and what is ahead, as estimated |
//! | `every` | one kind of dose after the other |
//! | `pace` | tells that to the progress line |
//! | `session` | what is the same for all JVMs of a test |
//! | `time` | how long it will take |
//! | `too_new` | a program for a newer Java than the one that runs it |
//! | `witness` | whether the profilers could contradict each other |

mod ahead;
mod every;
mod pace;
mod session;
mod time;
mod too_new;
mod witness;

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use proofmark_experiment::dose::DoseResult;
use proofmark_experiment::dose::sites::{DoseError, run as tested};
use proofmark_jvm::LabError;
use proofmark_store::{Lock, write_atomically};

use crate::context::Refusal;
use crate::load::busy;
use crate::request::DoseRequest;
use crate::surroundings::Surroundings;
use session::Session;

pub use every::{EVERY_RESULT, EveryTested, place_of, run_every};
pub use pace::Pace;
pub use session::{java, jdk};
pub use time::{expected_s, iteration, plan};
pub(in crate::run) use time::{size, steps};
pub use witness::few_witnesses;

/// Name of the file with a result.
pub const RESULT: &str = "dose.json";

/// A result and where it lies.
pub struct Tested {
    /// The result.
    pub result: DoseResult,
    /// The same as JSON.
    pub file: PathBuf,
    /// Why that could not be written: what was measured is shown all the same.
    pub lost: Option<anyhow::Error>,
    /// The directory, held until its page is written too.
    pub lock: Lock,
}

impl Tested {
    /// Writes a result into a directory, which is held; where it cannot be written, an earlier one stays as it is.
    pub(in crate::run) fn write(
        result: DoseResult,
        directory: &Path,
        lock: Lock,
    ) -> anyhow::Result<Self> {
        let file = directory.join(RESULT);
        let written = write_atomically(&file, &serde_json::to_vec_pretty(&result)?);
        let lost = written.with_context(|| format!("writing {}", file.display()));
        Ok(Self {
            result,
            file,
            lost: lost.err(),
            lock,
        })
    }
}

/// Tests the profilers.
///
/// # Errors
/// When the program cannot be run, or no method of it can be tested.
pub fn run(request: &DoseRequest, pace: &Pace, around: &Surroundings) -> anyhow::Result<Tested> {
    let busy = busy();
    let session = Session::begin(request, pace, around)?;
    let order = session.order(busy);
    let result = tested(&session, &order, &around.progress);
    pace.ends(&around.progress);
    let result = result.map_err(without_result)?;
    Tested::write(result, &session.directory, session.lock)
}

/// Why there is no result, as the exit code wants to know it.
fn without_result(error: DoseError<LabError>) -> anyhow::Error {
    let text = error.to_string();
    match error {
        DoseError::Lab(error) => error.into(),
        DoseError::Program { error, .. } => anyhow::Error::new(error).context(text),
        DoseError::Usage(text) => Refusal::Usage(text).into(),
        DoseError::Cannot(text) => Refusal::Cannot(text).into(),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    pub(in crate::run) use super::time::tests::asked;
    use super::*;
    use crate::exit::{CANNOT, INTERRUPTED, chain, code_of};

    /// A result of an earlier version.
    pub(crate) fn result() -> DoseResult {
        let text = include_str!("../../../../../docs/studies/dose/2026-11-22/queens-25.json");
        serde_json::from_str(text).expect("a result")
    }

    /// A full disk, or a kill in the middle of it, would else leave half of the new one and nothing of the earlier.
    #[test]
    fn a_result_takes_the_place_of_an_earlier_one_as_a_whole() {
        let place = tempfile::tempdir().unwrap();
        let [file, earlier] = [RESULT, "earlier"].map(|name| place.path().join(name));
        std::fs::write(&file, "an earlier one").unwrap();
        std::fs::hard_link(&file, &earlier).unwrap();
        let lock = Lock::take(place.path()).unwrap();
        let tested = Tested::write(result(), place.path(), lock).unwrap();
        assert!(tested.lost.is_none());
        let text = |file: &Path| std::fs::read_to_string(file).unwrap();
        assert!(text(&file).contains("\"attribution\""));
        assert_eq!(text(&earlier), "an earlier one");
    }

    #[test]
    fn what_kept_a_test_from_its_result_decides_the_exit_code() {
        let code = |error| code_of(&without_result(error));
        assert_eq!(code(DoseError::Lab(LabError::Interrupted)), INTERRUPTED);
        assert_eq!(code(DoseError::Cannot("too short".into())), CANNOT);
        let usage = code(DoseError::Usage("--method run".into()));
        let no_class = code(DoseError::Lab(LabError::NoWorkload("no class".into())));
        assert_eq!((usage, no_class), (2, 2));
    }

    #[test]
    fn of_a_program_that_fails_beside_others_the_output_is_named_once() {
        let failed = without_result(DoseError::Program {
            error: LabError::Workload {
                message: "iteration 9 failed: no memory".into(),
                trace: "\n  at p.A.run(A.java:3)".into(),
            },
            log: "out/jfr-run-2/jvm.log".into(),
        });
        assert_eq!(code_of(&failed), CANNOT);
        let missing = without_result(DoseError::Program {
            error: LabError::NoWorkload("no class".into()),
            log: "out/look-jfr/jvm.log".into(),
        });
        assert_eq!(code_of(&missing), 2);
        assert_eq!(
            chain(&failed),
            "the program failed: iteration 9 failed: no memory\n  at p.A.run(A.java:3)\n\
             the JVM's output is in out/jfr-run-2/jvm.log"
        );
    }
}
