//! The test with every kind of dose in turn.

use std::collections::BTreeMap;

use proofmark_assess::Verdict;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use super::{DoseKind, DoseResult};

/// Name and version of the form of [`EveryDose`].
const EVERY_DOSE_SCHEMA: &str = "proofmark-every-dose/2";

fn schema<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    crate::schema::read("proofmark-every-dose", from)
}

/// What profilers do with every kind of dose (`dose --dose all`): a test for each, one after the other.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EveryDose {
    /// `proofmark-every-dose/2`.
    #[serde(alias = "schema_version", deserialize_with = "schema")]
    pub schema: String,
    /// The program.
    pub program: String,
    /// The worst verdict of all; a kind without a result leaves it undecided.
    pub verdict: Verdict,
    /// By profiler: its worst verdict over the kinds, undecided where one has none.
    pub profilers: BTreeMap<String, Verdict>,
    /// By kind: the whole result of its test.
    pub kinds: BTreeMap<String, DoseResult>,
    /// Kinds that could not be tested, with the reason.
    pub failed: BTreeMap<String, String>,
}

impl EveryDose {
    /// From the results of the kinds, those that failed with the reason.
    #[must_use]
    pub fn of(
        program: &str,
        results: impl IntoIterator<Item = (DoseKind, Result<DoseResult, String>)>,
    ) -> Self {
        let mut kinds = BTreeMap::new();
        let mut failed = BTreeMap::new();
        for (kind, result) in results {
            let name = kind.name().to_owned();
            match result {
                Ok(result) => drop(kinds.insert(name, result)),
                Err(reason) => drop(failed.insert(name, reason)),
            }
        }
        let profilers = worst(&kinds, !failed.is_empty());
        Self {
            schema: EVERY_DOSE_SCHEMA.into(),
            program: program.to_owned(),
            verdict: Verdict::all(profilers.values().copied()),
            profilers,
            kinds,
            failed,
        }
    }
}

/// The worst verdict on each profiler; `open`: a kind has no result.
fn worst(kinds: &BTreeMap<String, DoseResult>, open: bool) -> BTreeMap<String, Verdict> {
    let names = kinds
        .values()
        .flat_map(|result| result.attribution.keys().chain(result.failed.keys()));
    let on = |name: &String| {
        let all = kinds.values().map(|result| {
            let of = result.attribution.get(name);
            of.map_or(Verdict::Undecided, |one| one.verdict)
        });
        Verdict::all(all.chain(open.then_some(Verdict::Undecided)))
    };
    names.map(|name| (name.clone(), on(name))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dose::tests::{attribution, result};

    fn with(verdicts: &[(&str, Verdict)]) -> DoseResult {
        let of = |(name, verdict): &(&str, Verdict)| {
            let shown = attribution(*verdict, 50.0, "B.place");
            ((*name).to_owned(), shown)
        };
        result(verdicts.iter().map(of).collect())
    }

    #[test]
    fn the_worst_kind_decides() {
        use Verdict::{Right, Undecided, Wrong};
        let usual = with(&[("jfr", Right), ("async", Right)]);
        let copies = with(&[("jfr", Wrong), ("async", Right)]);
        let both = EveryDose::of(
            "A",
            [
                (DoseKind::Arithmetic, Ok(usual.clone())),
                (DoseKind::Copy, Ok(copies)),
            ],
        );
        assert_eq!(
            (both.profilers["jfr"], both.profilers["async"]),
            (Wrong, Right)
        );
        assert_eq!(both.verdict, Wrong);
        // Neither a profiler that failed once nor a kind that failed leaves a right behind.
        let mut lame = with(&[("async", Right)]);
        lame.failed.insert("jfr".into(), "it died".into());
        let lame = [
            (DoseKind::Arithmetic, Ok(usual.clone())),
            (DoseKind::Load, Ok(lame)),
        ];
        let lame = EveryDose::of("A", lame);
        assert_eq!(
            (lame.profilers["jfr"], lame.verdict),
            (Undecided, Undecided)
        );
        assert_eq!(lame.profilers["async"], Right);
        let open = [
            (DoseKind::Arithmetic, Ok(usual)),
            (DoseKind::Lock, Err("no method can be tested".into())),
        ];
        let open = EveryDose::of("A", open);
        assert_eq!(open.verdict, Undecided);
        assert_eq!(open.failed["lock"], "no method can be tested");
    }
}
