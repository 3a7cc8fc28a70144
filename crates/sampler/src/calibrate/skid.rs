//! Where the sample of an instruction lands.

use proofmark_stats::{Estimate, median, wilson};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::clock::clock_ghz_now;
use super::stretch::{sample_victim, time_ns, turns_for};
use super::victims::{
    IMUL_BYTES, PAIR_BYTES, PAIR_CYCLES, SKID_PAIRS_AFTER, SKID_PAIRS_BEFORE, SkidAddresses, skid,
    skid_addresses,
};
use crate::error::SamplerError;
use crate::records::{Loss, Sample};
use crate::settings::Settings;

/// Samples without which the skid cannot be told.
const NEEDED: u64 = 200;

/// How far, in shares, the evidence may be from a rule's prediction.
const TOLERANCE: f64 = 0.12;

/// Which instruction's time a sampled address stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Skid {
    /// Of the instruction before: a sample on a block's first address belongs to the blocks that ran into it, by edge counts.
    NextInstruction,
    /// Of the instruction itself: nothing is to be corrected.
    None,
    /// Neither fits: block shares are not to be trusted on this machine.
    Unclear,
}

/// The skid of this machine's event, and what shows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SkidFinding {
    /// The rule.
    pub skid: Skid,
    /// Samples inside the victim.
    pub samples: u64,
    /// Share (0 to 1) of the victim's time that a division takes, from the victim's length in cycles.
    pub division_expected: f64,
    /// Share (0 to 1) of samples on the division itself: `division_expected` if there is no skid.
    pub on_division: Estimate,
    /// Share (0 to 1) of samples on the instruction after it, in the next block: `division_expected` with skid by one instruction.
    pub after_division: Estimate,
    /// Share (0 to 1) of samples on the `add`s of a chain of `imul` (3 cycles) and `add` (1 cycle): 0.75 with skid by one instruction, 0.25 without.
    pub on_adds: Estimate,
    /// What the sampler missed meanwhile.
    pub loss: Loss,
}

/// Samples a chain and a division at the end of a block that falls through.
pub(super) fn find_skid(settings: &Settings, cpu_ns: u64) -> Result<SkidFinding, SamplerError> {
    let division_expected = division_share();
    let (samples, loss) = sample_victim(settings, cpu_ns, skid)?;
    judge(
        &Tally::of(&samples, &skid_addresses()),
        division_expected,
        loss,
    )
}

/// Share of a turn that is not the pairs' known cycles: medians of the victim against the chain, side by side.
fn division_share() -> f64 {
    let turns = turns_for(200_000, skid);
    let cycles: Vec<f64> = (0..15)
        .map(|_| time_ns(|| skid(turns)) * clock_ghz_now() / turns as f64)
        .collect();
    let known = ((SKID_PAIRS_BEFORE + SKID_PAIRS_AFTER) * PAIR_CYCLES) as f64;
    median(&cycles).map_or(0.0, |cycles| (1.0 - known / cycles).max(0.0))
}

/// Samples by place in the victim.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Tally {
    all: u64,
    on_division: u64,
    after_division: u64,
    on_adds: u64,
    on_imuls: u64,
}

impl Tally {
    fn of(samples: &[Sample], at: &SkidAddresses) -> Tally {
        let mut tally = Tally::default();
        for sample in samples
            .iter()
            .filter(|sample| (at.pairs..at.end).contains(&sample.ip))
        {
            tally.all += 1;
            match sample.ip {
                ip if ip == at.div => tally.on_division += 1,
                ip if ip == at.after => tally.after_division += 1,
                // The first pair is left out: what comes before its `imul` is the loop's branch.
                ip if (at.pairs + PAIR_BYTES..at.set_up).contains(&ip) => {
                    match (ip - at.pairs) % PAIR_BYTES {
                        0 => tally.on_imuls += 1,
                        IMUL_BYTES => tally.on_adds += 1,
                        _ => {}
                    }
                }
                _ => {}
            }
        }
        tally
    }
}

fn judge(tally: &Tally, division_expected: f64, loss: Loss) -> Result<SkidFinding, SamplerError> {
    let in_pairs = tally.on_adds + tally.on_imuls;
    let too_few = || SamplerError::TooFewSamples {
        victim: "skid",
        samples: tally.all,
        needed: NEEDED,
    };
    if tally.all < NEEDED {
        return Err(too_few());
    }
    let on_division = wilson(tally.on_division, tally.all).ok_or_else(too_few)?;
    let after_division = wilson(tally.after_division, tally.all).ok_or_else(too_few)?;
    let on_adds = wilson(tally.on_adds, in_pairs).ok_or_else(too_few)?;
    let near = |observed: &Estimate, expected: f64| (observed.value - expected).abs() < TOLERANCE;
    let fits = |here: &Estimate, elsewhere: &Estimate, adds| {
        near(here, division_expected) && elsewhere.value < here.value / 5.0 && near(&on_adds, adds)
    };
    let skid = if fits(&after_division, &on_division, 0.75) {
        Skid::NextInstruction
    } else if fits(&on_division, &after_division, 0.25) {
        Skid::None
    } else {
        Skid::Unclear
    };
    Ok(SkidFinding {
        skid,
        samples: tally.all,
        division_expected,
        on_division,
        after_division,
        on_adds,
        loss,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(tally: Tally) -> Skid {
        judge(&tally, 0.25, Loss::default()).unwrap().skid
    }

    #[test]
    fn evidence_for_each_rule_is_recognised() {
        let shifted = Tally {
            all: 1000,
            on_division: 2,
            after_division: 260,
            on_adds: 330,
            on_imuls: 110,
        };
        assert_eq!(rule(shifted), Skid::NextInstruction);
        let precise = Tally {
            all: 1000,
            on_division: 260,
            after_division: 10,
            on_adds: 110,
            on_imuls: 330,
        };
        assert_eq!(rule(precise), Skid::None);
    }

    #[test]
    fn evidence_that_contradicts_itself_is_unclear() {
        let chain_says_otherwise = Tally {
            all: 1000,
            on_division: 2,
            after_division: 260,
            on_adds: 110,
            on_imuls: 330,
        };
        let smeared = Tally {
            all: 1000,
            on_division: 130,
            after_division: 130,
            on_adds: 220,
            on_imuls: 220,
        };
        let division_vanished = Tally {
            all: 1000,
            on_division: 2,
            after_division: 20,
            on_adds: 330,
            on_imuls: 110,
        };
        for tally in [chain_says_otherwise, smeared, division_vanished] {
            assert_eq!(rule(tally), Skid::Unclear, "{tally:?}");
        }
    }

    #[test]
    fn too_few_samples_are_an_error_with_the_number() {
        let few = Tally {
            all: 30,
            on_division: 0,
            after_division: 8,
            on_adds: 9,
            on_imuls: 3,
        };
        let error = judge(&few, 0.25, Loss::default()).unwrap_err();
        assert!(error.to_string().contains("30 samples"), "{error}");
    }

    #[test]
    fn samples_are_counted_where_they_lie() {
        let at = SkidAddresses {
            pairs: 0x1000,
            set_up: 0x1038,
            div: 0x103a,
            after: 0x103d,
            end: 0x1070,
        };
        let samples = [
            0xfff, 0x1000, 0x1007, 0x100b, 0x1038, 0x103a, 0x103d, 0x1041, 0x1070,
        ]
        .map(|ip| Sample {
            ip,
            time_ns: 0,
            stream: 0,
        });
        let expected = Tally {
            all: 7,
            on_division: 1,
            after_division: 1,
            on_adds: 1,
            on_imuls: 1,
        };
        assert_eq!(Tally::of(&samples, &at), expected);
    }
}
