//! The whole answer of an assessment: what sites saw on the user's own JVM, what the laboratory saw in the program's own
//! code, and one verdict and one sentence on both.

use std::collections::BTreeMap;

use proofmark_assess::{Assessment, Controls, Judgement, Role, SCHEMA, Settings, Verdict, overall};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::candidates::Slowdown;
use crate::dose::blocks::BlockDoses;
use crate::dose::{Attribution, DoseResult, Replication, besides};

/// The JSON of `assess --format json` (schema: `docs/formats/assessment.schema.json`). The fields of the laboratory are
/// there too; without it they are empty.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AssessReport {
    /// What the laboratory found.
    #[serde(flatten)]
    pub laboratory: Assessment,
    /// Verdict on all profilers that were asked for: by sites where they could judge one, else by the laboratory.
    pub verdict: Verdict,
    /// What is wrong and what to do, one sentence each; the first one matters most.
    pub advice: Vec<String>,
    /// Per profiler where it reports time that was put into known methods, on the user's own JVM.
    pub attribution: BTreeMap<String, Attribution>,
    /// The same for time that was put into blocks of the program's own code, in the laboratory; none if nothing was dosed there.
    #[serde(default)]
    pub block_doses: Option<BlockDoses>,
    /// The slowdown instruction of the laboratory and who chose it; none without a laboratory, and in documents of earlier
    /// versions.
    #[serde(default)]
    pub filler: Option<Slowdown>,
    /// What is repeated in the laboratory, and which level its intervals and verdicts speak for; `n` of its errors and shares
    /// counts samples in any case. Without a laboratory, what is repeated with sites.
    #[serde(default)]
    pub replication: Replication,
    /// Parts that were not run (`sites`, `laboratory`), with the reason.
    pub not_run: BTreeMap<String, String>,
}

/// What a part of an assessment found, or why it was not run.
pub type Part<T> = Result<T, String>;

/// Name of the part with sites.
pub const SITES: &str = "sites";
/// Name of the part in the laboratory.
pub const LABORATORY: &str = "laboratory";

impl AssessReport {
    /// Of these profilers, from what was run.
    #[must_use]
    pub fn of(
        profilers: &[String],
        sites: &Part<DoseResult>,
        laboratory: &Part<Assessment>,
        (program, machine): (&str, &str),
    ) -> Self {
        let not_run = [
            (SITES, sites.as_ref().err()),
            (LABORATORY, laboratory.as_ref().err()),
        ];
        let not_run = not_run
            .into_iter()
            .filter_map(|(part, why)| Some((part.to_owned(), why?.clone())));
        let attribution = sites.as_ref().map(|result| result.attribution.clone());
        let mut report = Self {
            laboratory: match laboratory {
                Ok(assessment) => assessment.clone(),
                Err(_) => nothing(program, machine),
            },
            verdict: Verdict::Undecided,
            advice: Vec::new(),
            attribution: attribution.unwrap_or_default(),
            block_doses: None,
            filler: None,
            replication: Replication::default(),
            not_run: not_run.collect(),
        };
        report.verdict = report.overall(profilers);
        report.advice = report.sentences(sites.as_ref().ok());
        report
    }

    /// With what doses in blocks showed.
    #[must_use]
    pub fn with_block_doses(self, block_doses: Option<BlockDoses>) -> Self {
        Self {
            block_doses,
            ..self
        }
    }

    /// With what was repeated.
    #[must_use]
    pub fn with_replication(self, replication: Replication) -> Self {
        Self {
            replication,
            ..self
        }
    }

    /// With the slowdown instruction of the laboratory.
    #[must_use]
    pub fn with_filler(self, filler: Option<Slowdown>) -> Self {
        Self { filler, ..self }
    }

    /// What the laboratory says of a profiler; none where it said nothing.
    #[must_use]
    pub fn in_laboratory(&self, profiler: &str) -> Option<&Judgement> {
        let judged = self.laboratory.profilers.iter();
        let mut judged = judged.filter(|one| one.role == Role::Subject);
        judged.find(|one| one.name == profiler)
    }

    /// Whether there are no verdicts because a control of the laboratory did not do what it must, and no sites were tested.
    #[must_use]
    pub fn is_withheld(&self) -> bool {
        self.attribution.is_empty() && self.laboratory.controls.broken()
    }

    fn overall(&self, profilers: &[String]) -> Verdict {
        if profilers.is_empty() {
            // Nothing but controls.
            return overall(&self.laboratory);
        }
        Verdict::all(profilers.iter().map(|name| {
            let by_sites = self.attribution.get(name).map(|one| one.verdict);
            let by_laboratory = || self.in_laboratory(name).map(|one| one.verdict);
            by_sites
                .or_else(by_laboratory)
                .unwrap_or(Verdict::Undecided)
        }))
    }

    fn sentences(&self, sites: Option<&DoseResult>) -> Vec<String> {
        let mut all: Vec<String> = sites
            .map(|result| result.advice.clone())
            .into_iter()
            .collect();
        let besides = |result: &DoseResult| {
            besides(
                &result.attribution,
                &result.all_as_it_is(),
                result.margin_pt,
                result.advice_about.as_ref(),
            )
        };
        all.extend(sites.and_then(besides));
        if sites.is_none() {
            all.extend(self.laboratory.profilers.iter().filter_map(alone));
        }
        let both = self.attribution.iter();
        all.extend(both.filter_map(|(name, one)| {
            let judgement = self.in_laboratory(name)?;
            disagreement(name, one.verdict, judgement)
        }));
        let map = self.laboratory.block_map.as_ref();
        if map.is_some_and(|map| !map.called_truth) {
            all.push(
                "In the laboratory it was not shown that our own sampler finds added time where it was put, so only time added to single methods decides there."
                    .into(),
            );
        }
        if self.not_run.contains_key(LABORATORY) && sites.is_some() {
            all.push(
                "Only sites were tried. They are new code; the program's own code is tested only in the laboratory."
                    .into(),
            );
        }
        all
    }
}

/// What the laboratory says of a profiler that no sites were tried on.
fn alone(judgement: &Judgement) -> Option<String> {
    if judgement.role != Role::Subject {
        return None;
    }
    let name = &judgement.name;
    Some(match judgement.verdict {
        Verdict::Right => format!("{name} is right in the laboratory."),
        Verdict::Undecided => format!("{name} is undecided in the laboratory."),
        Verdict::Wrong => format!("{name} is wrong in the laboratory{}.", found(judgement)),
    })
}

/// Which vehicle saw what, where sites and laboratory contradict each other or only the laboratory decides.
fn disagreement(name: &str, by_sites: Verdict, judgement: &Judgement) -> Option<String> {
    match (by_sites, judgement.verdict) {
        (Verdict::Right, Verdict::Wrong) => Some(format!(
            "{name} is right at the sites, on your own JVM, and wrong in the laboratory{}: sites are new code, the laboratory tests the program's own code under Graal.",
            found(judgement)
        )),
        (Verdict::Wrong, Verdict::Right) => Some(format!(
            "{name} is wrong at the sites, on your own JVM, and right in the laboratory: what it gets wrong is in code that Graal compiles differently."
        )),
        (Verdict::Undecided, Verdict::Wrong) => Some(format!(
            "{name} is undecided at the sites, on your own JVM, and wrong in the laboratory, under Graal{}.",
            found(judgement)
        )),
        (Verdict::Undecided, Verdict::Right) => Some(format!(
            "{name} is undecided at the sites, on your own JVM, and right in the laboratory, under Graal."
        )),
        _ => None,
    }
}

/// `, by 77 points: time of A.get is reported in B.place`; what is blamed is known of unslowed code only.
fn found(judgement: &Judgement) -> String {
    let Some(error) = judgement.error() else {
        return String::new();
    };
    let errors = judgement.error_pt;
    let seen = if errors.absolute == Some(error) {
        judgement.blames.first().map_or(String::new(), |blame| {
            format!(": time of {} is reported in {}", blame.from, blame.to)
        })
    } else if errors.uniform == Some(error) {
        " with everything slowed".into()
    } else {
        " where time was added".into()
    };
    format!(", by {:.0} points{seen}", error.value)
}

/// A laboratory that was not run.
fn nothing(program: &str, machine: &str) -> Assessment {
    Assessment {
        schema: SCHEMA.into(),
        program: program.into(),
        machine: machine.into(),
        method: String::new(),
        settings: Settings::default(),
        profilers: Vec::new(),
        false_alarm_rate: None,
        planted_found: None,
        controls_ok: None,
        controls: Controls::of(&[]),
        excluded_blocks: Vec::new(),
        block_map: None,
    }
}
