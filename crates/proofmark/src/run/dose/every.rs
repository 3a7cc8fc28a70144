//! The test with every kind of dose in turn: each has its own directory below that of the run.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use proofmark_experiment::dose::{DoseKind, DoseResult, EveryDose};
use proofmark_store::{Lock, write_atomically};

use super::{Pace, Tested, run};
use crate::exit::{CANNOT, chain, code_of};
use crate::progress::Progress;
use crate::request::DoseRequest;
use crate::session::run_place;
use crate::surroundings::Surroundings;

/// Name of the file with the result of all kinds.
pub const EVERY_RESULT: &str = "every-dose.json";

/// What every kind showed, and where it lies.
pub struct EveryTested {
    /// The verdicts, and each kind's result.
    pub every: EveryDose,
    /// The same as JSON; beside it a directory for each kind, with its page.
    pub file: PathBuf,
    /// Results of single kinds, and where they lie.
    pub tested: Vec<(DoseKind, Tested)>,
    /// Why the whole could not be written: what was measured is shown all the same.
    pub lost: Option<anyhow::Error>,
    /// The directory of the whole, held until all pages are written.
    pub lock: Lock,
}

/// Tests the profilers with one kind after the other. A kind that cannot be tested is named; the usual one comes first, and
/// if it cannot, no other is tried.
///
/// # Errors
/// When the program cannot be run, no method of it can be tested, or the user stops it.
pub fn run_every(request: &DoseRequest, around: &Surroundings) -> anyhow::Result<EveryTested> {
    let label = format!("dose-{}", request.workload.name());
    let lock = run_place(request.out.as_deref(), &label)?;
    let directory = lock.directory().to_owned();
    let pace = Pace::of(request, DoseKind::ALL.len());
    let of_kind = |kind: DoseKind| {
        let one = DoseRequest {
            kind,
            out: Some(place_of(&directory, kind)),
            ..request.clone()
        };
        run(&one, &pace, around)
    };
    let Kinds { tested, results } = kinds(of_kind, &around.progress)?;
    let every = EveryDose::of(&request.workload.to_string(), results);
    let file = directory.join(EVERY_RESULT);
    let written = write_atomically(&file, &serde_json::to_vec_pretty(&every)?);
    let lost = written.with_context(|| format!("writing {}", file.display()));
    Ok(EveryTested {
        every,
        file,
        tested,
        lost: lost.err(),
        lock,
    })
}

/// Directory of a kind's test in that of the whole, where `lock` is a file.
#[must_use]
pub fn place_of(directory: &Path, kind: DoseKind) -> PathBuf {
    match kind {
        DoseKind::Lock => directory.join("lock-dose"),
        _ => directory.join(kind.name()),
    }
}

/// What became of all kinds.
#[derive(Default)]
struct Kinds {
    /// Those with a result.
    tested: Vec<(DoseKind, Tested)>,
    /// All, those without a result with the reason.
    results: Vec<(DoseKind, Result<DoseResult, String>)>,
}

/// Tests one kind after the other. Where the user ended the JVMs that were added in one, no other follows.
fn kinds(
    of_kind: impl Fn(DoseKind) -> anyhow::Result<Tested>,
    progress: &Progress,
) -> anyhow::Result<Kinds> {
    let mut all = Kinds::default();
    let mut stopped = false;
    for kind in DoseKind::ALL {
        if stopped {
            let why = "the test was interrupted before".to_owned();
            all.results.push((kind, Err(why)));
            continue;
        }
        progress.stage(kind.name());
        match of_kind(kind) {
            Ok(done) => {
                stopped = done.result.replication.is_interrupted();
                all.results.push((kind, Ok(done.result.clone())));
                all.tested.push((kind, done));
            }
            Err(error) if !all.tested.is_empty() && code_of(&error) == CANNOT => {
                let why = chain(&error);
                progress.note(&format!("--dose {}: {why}", kind.name()));
                all.results.push((kind, Err(why)));
            }
            Err(error) => return Err(error),
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use proofmark_experiment::dose::{Replication, Unfinished};

    use super::*;
    use crate::run::dose::tests::result;

    /// All of them at once, and none is that of the whole.
    #[test]
    fn every_kind_has_a_directory_of_its_own_that_can_be_held() {
        let place = tempfile::tempdir().unwrap();
        let whole = run_place(Some(place.path()), "dose").unwrap();
        let held = DoseKind::ALL.map(|kind| run_place(Some(&place_of(place.path(), kind)), "dose"));
        for one in &held {
            assert!(one.is_ok(), "{one:?}");
        }
        drop(whole);
    }

    #[test]
    fn no_kind_follows_one_in_which_the_user_stopped_it() {
        let place = tempfile::tempdir().unwrap();
        let asked = RefCell::new(Vec::new());
        let of_kind = |kind: DoseKind| {
            asked.borrow_mut().push(kind);
            let stopped = kind == DoseKind::ALL[1];
            let unfinished = stopped.then(|| Unfinished {
                profilers: vec!["jfr".into()],
                each: 2,
                without_sites: false,
                interrupted: true,
                reason: "interrupted".into(),
                log: None,
            });
            Ok(Tested {
                result: DoseResult {
                    replication: Replication::of(3).with_unfinished(unfinished),
                    ..result()
                },
                file: PathBuf::new(),
                lost: None,
                lock: run_place(Some(&place_of(place.path(), kind)), "dose").unwrap(),
            })
        };
        let all = kinds(of_kind, &Progress::new(true)).expect("two kinds");
        assert_eq!(*asked.borrow(), DoseKind::ALL[..2]);
        assert_eq!(all.tested.len(), 2);
        let without = all.results.iter().filter(|(_, one)| one.is_err());
        let without: Vec<DoseKind> = without.map(|(kind, _)| *kind).collect();
        assert_eq!(without, DoseKind::ALL[2..]);
    }
}
