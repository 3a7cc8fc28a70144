//! What `candidates` found better than the usual slowdown instruction on this processor, kept in the cache beside the
//! calibration, under the same key.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use proofmark_experiment::lab::Filler;
use proofmark_jvm::toolchain::Machine;
use proofmark_sampler::probe;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Measured;
use super::kept::Key;
use crate::progress::Progress;

/// A recommendation as it is kept, with what it is true of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Kept {
    key: Key,
    recommendation: Recommendation,
}

/// A slowdown instruction that was told apart from the usual one as better.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recommendation {
    /// The instruction.
    pub filler: Filler,
    /// The one that the calibration suggested then.
    pub instead_of: Filler,
    /// The program with which it was tried.
    pub with: String,
    /// The day, `2026-11-23`.
    pub on: String,
}

/// What tells this machine from others, as its calibration does, for results that must not be taken on another one.
///
/// # Errors
/// When nothing can be sampled here.
pub fn identity() -> anyhow::Result<Value> {
    Ok(serde_json::to_value(key()?)?)
}

fn key() -> anyhow::Result<Key> {
    Ok(Key::of(&Machine::this(), &probe()?))
}

impl Measured {
    /// What `candidates` recommended on this machine instead of the instruction that its calibration suggests; none if it
    /// recommended nothing. Why one cannot be used is noted.
    ///
    /// # Errors
    /// When nothing can be sampled here.
    pub fn recommended(
        &self,
        cache: Option<&Path>,
        progress: &Progress,
    ) -> anyhow::Result<Option<Recommendation>> {
        let Some(cache) = cache else {
            return Ok(None);
        };
        let found = read(cache, &key()?).unwrap_or_else(|why| {
            progress.note(&format!(
                "the slowdown instruction that candidates recommended is not used: {why}"
            ));
            None
        });
        // A new calibration that suggests another one: they were never compared.
        Ok(found.filter(|found| found.instead_of == self.filler()))
    }
}

/// Keeps a recommendation for this machine; where there is no cache, nothing is kept.
///
/// # Errors
/// When nothing can be sampled here, or the file cannot be written.
pub fn keep(cache: Option<&Path>, recommendation: &Recommendation) -> anyhow::Result<()> {
    let Some(cache) = cache else {
        return Ok(());
    };
    std::fs::create_dir_all(cache)?;
    write(cache, key()?, recommendation)
}

/// Drops the recommendation that is kept, whatever it is.
///
/// # Errors
/// When the file cannot be removed.
pub fn forget(cache: Option<&Path>) -> anyhow::Result<()> {
    match cache.map(|cache| std::fs::remove_file(file_in(cache))) {
        Some(Err(error)) if error.kind() != ErrorKind::NotFound => Err(error.into()),
        _ => Ok(()),
    }
}

fn write(cache: &Path, key: Key, recommendation: &Recommendation) -> anyhow::Result<()> {
    let kept = Kept {
        key,
        recommendation: recommendation.clone(),
    };
    let bytes = serde_json::to_vec_pretty(&kept)?;
    Ok(proofmark_store::write_atomically(&file_in(cache), &bytes)?)
}

/// The kept recommendation; none if there is no file.
///
/// # Errors
/// Why it cannot be used: it is damaged, or was made under another key.
fn read(cache: &Path, key: &Key) -> Result<Option<Recommendation>, String> {
    let file = file_in(cache);
    let bytes = match std::fs::read(&file) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        read => read.map_err(|error| format!("{}: {error}", file.display()))?,
    };
    let damaged = |error| format!("{} is damaged ({error})", file.display());
    let kept: Kept = serde_json::from_slice(&bytes).map_err(damaged)?;
    match kept.key == *key {
        true => Ok(Some(kept.recommendation)),
        false => Err("processor, kernel, event or method were others".to_owned()),
    }
}

fn file_in(cache: &Path) -> PathBuf {
    cache.join("recommended.json")
}

#[cfg(test)]
mod tests {
    use proofmark_sampler::{Event, Probe};

    use super::*;

    fn of(cpu: &str) -> Key {
        let machine = Machine {
            cpu_model: cpu.into(),
            ..Machine::default()
        };
        let probe = Probe {
            event: Event::CpuClock,
            units_per_ns: 1.0,
            paranoid: Some(2),
            rejected: Vec::new(),
        };
        Key::of(&machine, &probe)
    }

    fn lea() -> Recommendation {
        Recommendation {
            filler: Filler::Lea,
            instead_of: Filler::Mov,
            with: "Towers".into(),
            on: "2026-11-23".into(),
        }
    }

    #[test]
    fn a_recommendation_is_found_on_the_same_machine_only() {
        let cache = tempfile::tempdir().unwrap();
        assert_eq!(read(cache.path(), &of("a")), Ok(None));
        write(cache.path(), of("a"), &lea()).unwrap();
        assert_eq!(read(cache.path(), &of("a")), Ok(Some(lea())));
        let other = read(cache.path(), &of("b")).unwrap_err();
        assert!(other.contains("were others"), "{other}");
        forget(Some(cache.path())).unwrap();
        assert_eq!(read(cache.path(), &of("a")), Ok(None));
        forget(Some(cache.path())).unwrap();
    }

    #[test]
    fn a_damaged_recommendation_is_none() {
        let cache = tempfile::tempdir().unwrap();
        write(cache.path(), of("a"), &lea()).unwrap();
        let file = file_in(cache.path());
        let whole = std::fs::read(&file).unwrap();
        for length in [0, 1, whole.len() / 2, whole.len() - 1] {
            std::fs::write(&file, &whole[..length]).unwrap();
            assert!(read(cache.path(), &of("a")).is_err(), "{length}");
        }
    }
}
